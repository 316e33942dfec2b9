"""The variance of predictions of layouts: in which part of the space it is at most how large."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design.layouts import CodedRows, design_space
from fairtrial.errors import InputError
from fairtrial.figures.boxed_curves import Curve, CurvesData, curves_figure, thinned
from fairtrial.figures.inputs import some_names
from fairtrial.tables import formats
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BOX = (4.4, 3.2)
MOST = 5


def prediction_variance_data(layouts: Mapping[str, CodedRows], model: str = "main") -> CurvesData:
    """The data of fraction-of-design-space curves, one for each layout.

    The curve goes through (x, y) if the variance of a prediction is at most y in a share x of the space, as a multiple
    of the error variance of one run. A low and flat curve is good. At x = 1 it ends at the largest variance, and the
    legend has the average. A layout that can't estimate the model has no curve, and a remark says so.

    Reference: Zahran, Anderson-Cook & Myers (2003), Journal of Quality Technology 35:377-386.

    >>> from fairtrial.design.layouts import Axis, FullFactorial
    >>> data = prediction_variance_data({"2²": FullFactorial().lay_out([Axis("A"), Axis("B")], seed=1)})
    >>> data.curves[0].line[-1], data.curves[0].number   # (1 + 1 + 1) / 4 in a corner
    ((1.0, 0.75), '0.417')
    """
    names = some_names("layouts", layouts)
    if len(names) > MOST:
        raise InputError(f"layouts must be at most {MOST}, so that their curves can be distinguished, got {len(names)}")
    spaces = {name: design_space(coded, model) for name, coded in layouts.items()}
    drawn = {name: space for name, space in spaces.items() if math.isfinite(space.largest)}
    if not drawn:
        raise InputError(
            f"model {model!r} can't be estimated from {listed(names)}; choose a smaller one, such as 'main'"
        )
    top = 1.05 * max(space.largest for space in drawn.values())
    write = formats.significant(3)
    gone = [name for name in names if name not in drawn]
    return CurvesData(
        curves=tuple(
            Curve(
                name,
                line=thinned(np.append(space.fraction, 1.0), np.append(space.variance, space.largest), 1.0, top),
                number=write(space.average),
            )
            for name, space in drawn.items()
        ),
        references=(),
        labels=("fraction of the space", "variance of a prediction, in error variances"),
        limits=((0.0, 1.0), (0.0, top)),
        heading="average",
        remarks=(
            f"model {model!r}; " + ", ".join(f"{name}: {plural(len(layouts[name].rows), 'run')}" for name in drawn),
            *([f"can't estimate the model: {listed(gone)}"] if gone else []),
        ),
        size=BOX,
    )


def prediction_variance_figure(data: CurvesData) -> Figure:
    """The curves as a Figure; see :func:`prediction_variance_data`."""
    return curves_figure(data)
