"""Growth of cost with size on a log-log scale: the measured costs, and the power law that was fitted.

Test scores against training scores: how much better methods look on the rows that they learned from.

Quality against cost, and the Pareto front: methods that no other method beats in both.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.drawing.boxed_curves import Curve, CurvesData, Reference, curves_figure
from fairtrial.figures.drawing.inputs import Rows, axis_limits, far_off
from fairtrial.figures.result_views import View, figure_of, place_of
from fairtrial.measures import in_words
from fairtrial.results.analyses.scaling import SIZES, Scaling, write_cost
from fairtrial.results.analyses.training_gap import TrainingGap
from fairtrial.stats import Growth
from fairtrial.tables import formats
from fairtrial.verdict.pareto_front import Front, Standing
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results


BOX = (4.4, 3.2)


def growth_figure(scaling: Scaling, dataset: str | None = None) -> Figure:
    """Growth of a cost with size as a Figure; see :func:`growth_data`."""
    return curves_figure(growth_data(scaling, dataset))


@figure_of("growth")
def growth_view(
    results: Results,
    *,
    measure: str = "fit_time",
    factor: str | None = None,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> View:
    """The growth of a cost with the size of one data set, as a figure and as a table of exponents."""
    scaling = results.growth(measure, factor, dataset=dataset, methods=methods)
    return View(str(scaling), growth_figure(scaling), title=place_of(results, dataset))


def growth_data(scaling: Scaling, dataset: str | None = None) -> CurvesData:
    """The data of a figure of growth on one data set: the median cost at each size, the fitted line, its exponent.

    On a log-log scale a power of the size is a straight line whose slope is the exponent.
    """
    fits = scaling.fits[_dataset(scaling, dataset)]
    seen = {name: fit for name, fit in fits.items() if fit.sizes}
    if not seen:
        raise InputError(f"{scaling.measure.name} must be above 0 to be drawn on a log scale, but it is 0 at all sizes")
    sizes = sorted({size for fit in seen.values() for size in fit.sizes})
    drawn = tuple(_curve(name, fit) for name, fit in seen.items())
    costs = [cost for curve in drawn for _, cost in (*curve.marks, *curve.line)]
    unit = f" ({scaling.measure.unit})" if scaling.measure.unit else ""
    return CurvesData(
        curves=drawn,
        references=(),
        labels=(SIZES[scaling.factor], f"{in_words(scaling.measure.name)}{unit}"),
        limits=(axis_limits(sizes, log=True), axis_limits(costs, log=True)),
        heading=f"exponent [{100 * scaling.level:g} % interval]",
        remarks=(
            "marks: median at each size; lines: cost = a · size^exponent, fitted through the marks",
            *_left_out(fits),
        ),
        size=BOX,
        log=(True, True),
        ticks=tuple((size, formats.count(size)) for size in sizes),
    )


def _dataset(scaling: Scaling, dataset: str | None) -> str:
    names = list(scaling.fits)
    if dataset is None and len(names) > 1:
        raise InputError(
            f"dataset must name one data set of a figure of growth, since there are {len(names)}: {listed(names)}"
        )
    if dataset is not None and dataset not in names:
        raise UnknownName.among("data set of these results", dataset, names)
    return dataset or names[0]


def _curve(name: str, fit: Growth) -> Curve:
    ends = (fit.sizes[0], fit.sizes[-1])
    known = not math.isnan(fit.exponent.estimate)
    return Curve(
        name,
        line=tuple((size, fit.at(size).estimate) for size in ends) if known else (),
        marks=tuple(zip(fit.sizes, fit.costs, strict=True)),
        number=_exponent(fit),
    )


def _exponent(fit: Growth) -> str:
    write, own = formats.fixed(2), fit.exponent
    bounds = "" if math.isnan(own.low) else f" [{write(own.low)}, {write(own.high)}]"
    return f"{write(own.estimate)}{bounds}"


def _left_out(fits: Mapping[str, Growth]) -> tuple[str, ...]:
    gone = [name for name, fit in fits.items() if not fit.sizes]
    return (f"0 at all sizes: {listed(gone)}",) if gone else ()


@figure_of("training_gap")
def training_gap_view(
    results: Results, *, dataset: str | None = None, methods: Sequence[str] | None = None, measure: str | None = None
) -> View:
    """Test scores against training scores, as a figure and as a table."""
    gap = _only(results.training_gap(measure), "dataset", [dataset] if dataset else None)
    gap = _only(gap, "method", methods)
    figure = training_gap_figure(gap, yardsticks=results.yardsticks)
    return View(str(gap), figure, title=place_of(results, dataset))


def _only(gap: TrainingGap, column: str, names: Sequence[str] | None) -> TrainingGap:
    known = tuple(dict.fromkeys(gap.means[column]))
    for name in names or ():
        if name not in known:
            raise UnknownName.among(f"{column} with training scores", name, known)
    return gap if names is None else TrainingGap(gap.measure, gap.means[gap.means[column].isin(names)])


def training_gap_figure(gap: TrainingGap, *, yardsticks: Sequence[str] = ()) -> Figure:
    """Test scores against training scores as a Figure; see :func:`training_gap_data`."""
    return curves_figure(training_gap_data(gap, yardsticks=yardsticks))


def training_gap_data(gap: TrainingGap, *, yardsticks: Sequence[str] = ()) -> CurvesData:
    """The data of a figure of training and test scores: a mark for each method and data set.

    On the diagonal a method is as good on test rows as on the rows that it learned from. The farther it is from the
    diagonal, the more it has adapted to its training rows. The number in the legend is the mean gap: positive if the
    training rows have the better score.
    """
    facts, words = gap.measure, Wording(gap.measure)
    own = {m: rows[["training", "test"]].to_numpy(dtype=float) for m, rows in gap.means.groupby("method", sort=False)}
    values = [v for m, rows in own.items() if m not in yardsticks for v in rows.ravel()]
    away = [m for m in own if m in yardsticks and values and far_off(own[m].ravel().tolist(), values)]
    shown = {m: rows for m, rows in own.items() if m not in away}
    log = facts.compare == "log-ratio" and all(bool((rows > 0).all()) for rows in shown.values())
    limits = axis_limits([v for rows in shown.values() for v in rows.ravel()], log=log)
    sign = 1.0 if facts.higher_is_better else -1.0
    better = "below" if facts.higher_is_better else "above"
    n = gap.means["dataset"].nunique()
    return CurvesData(
        curves=tuple(_gap_curve(str(m), rows, sign, muted=m in yardsticks) for m, rows in shown.items()),
        references=(Reference(((limits[0], limits[0]), (limits[1], limits[1])), "no gap"),),
        labels=(f"{words.name} on training rows", f"{words.name} on test rows"),
        limits=(limits, limits),
        heading=f"mean gap over {plural(n, 'data set')}",
        remarks=(
            f"a mark for each data set; {better} the line: better on training rows than on test rows",
            *(f"not drawn, far off: {m}" for m in away),
        ),
        log=(log, log),
    )


def _gap_curve(name: str, rows: np.ndarray, sign: float, *, muted: bool) -> Curve:
    marks: Rows = tuple(map(tuple, rows.tolist()))
    gap = float((sign * (rows[:, 0] - rows[:, 1])).mean())
    return Curve(name, marks=marks, number=formats.signed(3)(gap), muted=muted)


FRONT_BOX = (4.4, 3.2)
Limits = tuple[float, float]


def pareto_figure(front: Front) -> Figure:
    """Quality against cost as a Figure; see :func:`pareto_data`."""
    return curves_figure(pareto_data(front))


@figure_of("pareto")
def pareto_view(
    results: Results,
    *,
    cost: str = "fit_time",
    measure: str | None = None,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> View:
    """Quality against cost, as a figure and as a table."""
    front = results.pareto(cost, measure, dataset=dataset, methods=methods)
    return View(str(front), pareto_figure(front), title=place_of(results, dataset))


def pareto_data(front: Front) -> CurvesData:
    """The data of a figure of the Pareto front: a mark for each method, and the front as a staircase.

    The staircase is the best quality for a cost. Methods that are beaten in both, and yardsticks, are grey and hollow.
    Costs are on a log axis, unless one is 0.
    """
    words, cost = Wording(front.measure), Wording(front.cost)
    higher, log = front.measure.higher_is_better, all(s.cost.estimate > 0 for s in front.standings)
    shown, away = _in_sight(front.standings)
    x = axis_limits([v for s in shown for v in (s.cost.estimate, s.cost.low, s.cost.high)], log=log)
    y = axis_limits(_qualities(shown))
    steps = _staircase([s for s in shown if s.on_front], x, y[0] if higher else y[1])
    ticks = _ticks(x) if log and front.cost.unit == "s" else ()
    unit = f" ({front.cost.unit})" if front.cost.unit and not ticks else ""
    place = f"mean {front.place}" + (f"; {front.notes[0]}" if front.notes else "")
    grey = ["grey: another is better and cheaper, or a yardstick"] if any(not s.on_front for s in shown) else []
    gone = [f"not drawn, far off: {s.method}, {words.value(s.quality.estimate)}" for s in away]
    return CurvesData(
        curves=tuple(_front_curve(s, front) for s in shown),
        references=(Reference(steps, "the front: what can be had for a cost", solid=True),) if steps else (),
        labels=(f"{cost.name}{unit}", f"{words.name} ({'higher' if higher else 'lower'} is better)"),
        limits=(x, y),
        heading=f"{words.name}, {cost.name}",
        remarks=(place, *grey, *gone, *map(str, front.absent)),
        size=FRONT_BOX,
        log=(log, False),
        ticks=ticks,
    )


def _in_sight(standings: Sequence[Standing]) -> tuple[list[Standing], list[Standing]]:
    """The methods that are drawn, and the yardsticks that are left out since they are far off."""
    methods = _qualities([s for s in standings if not s.yardstick] or standings)
    away = [s for s in standings if s.yardstick and far_off(_qualities([s]), methods)]
    return [s for s in standings if s not in away], away


def _qualities(standings: Sequence[Standing]) -> list[float]:
    return [v for s in standings for v in (s.quality.estimate, s.quality.low, s.quality.high)]


def _ticks(limits: Limits) -> tuple[tuple[float, str], ...]:
    """Round times on the axis; only powers of ten where the axis is long."""
    low, high = limits
    subs = (1, 2, 5) if high / low < 100 else (1,)
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    times = [float(f"{sub}e{decade}") for decade in decades for sub in subs]
    return tuple((t, formats.duration(t).replace(".0", "")) for t in times if low <= t <= high)


def _front_curve(standing: Standing, front: Front) -> Curve:
    x, y = standing.cost, standing.quality
    bars = [] if math.isnan(y.low) else [(x.estimate, y.low, x.estimate, y.high)]
    if not math.isnan(x.low):
        bars.append((x.low, y.estimate, x.high, y.estimate))
    number = f"{Wording(front.measure).value(y.estimate)}, {write_cost(front.cost, x.estimate)}"
    return Curve(
        standing.method,
        marks=((x.estimate, y.estimate),),
        bars=tuple(bars),
        number=number,
        muted=not standing.on_front,
    )


def _staircase(standings: list[Standing], x: Limits, worst: float) -> Rows:
    """The corners of the front, from the cheapest method to the best one."""
    if not standings:
        return ()
    places = [(s.cost.estimate, s.quality.estimate) for s in standings]
    steps = [(places[0][0], worst), places[0]]
    for (_, before), (cost, quality) in itertools.pairwise(places):
        steps += [(cost, before), (cost, quality)]
    return (*steps, (x[1], places[-1][1]))
