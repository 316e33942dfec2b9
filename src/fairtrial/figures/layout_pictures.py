"""The figures of a layout, chosen by name: what a plan can tell apart, and how well it predicts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, get_args

from fairtrial.errors import InputError, UnknownName
from fairtrial.words import is_one_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.design.layouts import CodedRows

LayoutFigure = Literal["alias_map", "prediction_variance"]
LAYOUT_FIGURES: tuple[LayoutFigure, ...] = get_args(LayoutFigure)


def layout_figure(
    layouts: Mapping[str, CodedRows], kind: LayoutFigure = "alias_map", model: str = "interactions"
) -> Figure:
    """Draw the layouts of a plan, by the name of their method.

    ``"alias_map"`` shows which effects of the first layout can't be told apart; ``"prediction_variance"`` how well each
    layout predicts, over the space of its factors. ``model`` is ``"main"``, ``"interactions"`` or ``"quadratic"``.
    """
    if not is_one_of(kind, LAYOUT_FIGURES):
        raise UnknownName.among("figure of a plan", kind, LAYOUT_FIGURES)
    if not layouts:
        raise InputError(f"{kind} needs a study that varies factors of its methods (factors=), and this one does not")
    if kind == "alias_map":
        from fairtrial.figures.alias_map import alias_map_data, alias_map_figure

        return alias_map_figure(alias_map_data(next(iter(layouts.values())), model))
    from fairtrial.figures.prediction_variance import prediction_variance_data, prediction_variance_figure

    return prediction_variance_figure(prediction_variance_data(layouts, model))
