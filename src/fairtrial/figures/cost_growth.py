"""Growth of cost with size on a log-log scale: the measured costs, and the power law that was fitted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.boxed_curves import Curve, CurvesData, curves_figure
from fairtrial.figures.inputs import axis_limits
from fairtrial.figures.result_views import View, figure_of, place_of
from fairtrial.measures import in_words
from fairtrial.results.analyses.scaling import SIZES, Scaling
from fairtrial.stats import Growth
from fairtrial.tables import formats
from fairtrial.words import listed

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
