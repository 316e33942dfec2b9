"""Quality against cost, and the Pareto front: methods that no other method beats in both."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairtrial.figures.drawing.boxed_curves import Curve, CurvesData, Reference, curves_figure
from fairtrial.figures.drawing.inputs import Rows, axis_limits, far_off
from fairtrial.figures.result_views import View, figure_of, place_of
from fairtrial.results.analyses.scaling import write_cost
from fairtrial.tables import formats
from fairtrial.verdict.pareto_front import Front, Standing
from fairtrial.verdict.words.wording import Wording

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results

BOX = (4.4, 3.2)
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
        curves=tuple(_curve(s, front) for s in shown),
        references=(Reference(steps, "the front: what can be had for a cost", solid=True),) if steps else (),
        labels=(f"{cost.name}{unit}", f"{words.name} ({'higher' if higher else 'lower'} is better)"),
        limits=(x, y),
        heading=f"{words.name}, {cost.name}",
        remarks=(place, *grey, *gone, *map(str, front.absent)),
        size=BOX,
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


def _curve(standing: Standing, front: Front) -> Curve:
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
