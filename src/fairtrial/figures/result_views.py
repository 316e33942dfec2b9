"""Figures of results by kind, each with what it shows in words, and the register of their makers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Unpack

from fairtrial.choices import FigureOptions
from fairtrial.figures import KINDS
from fairtrial.figures.drawing.style import add_notes, add_title, has_caption, on_paper, without_caption
from fairtrial.kinds import FITTED, SCORED, TESTED, Makers
from fairtrial.results.other_question import with_question
from fairtrial.tables import Column, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A figure, and what it shows in words.

    ``notes`` say what is left out of the figure. They are part of the words, and are written below the figure.
    ``title`` names what the figure is about, such as the data set, and stands above it.
    """

    words: str
    figure: Figure
    notes: tuple[str, ...] = ()
    title: str = ""


NOT_CHOSEN: FigureOptions = {"folds": "merged"}
"""The value of an option that means the same as leaving it out, where that is not None."""

FOR_ALL = ("size", "caption")
"""The options that all kinds of figures take."""

ASKS = {
    TESTED: [name for name, kind in KINDS.items() if kind.module == "comparisons.verdict_pictures"],
    SCORED: ("levels", "pareto", "scatter", "profiles", "folds", "simplex", "robust_setting"),
    FITTED: ("power", "pareto_effects", "half_normal", "main_effects", "interactions", "contour", "slices", "ablation"),
}

figure_of: Makers[View] = Makers(
    "figure", "fairtrial.figures", KINDS, FigureOptions, NOT_CHOSEN, partial(with_question, any_levels=True), ASKS
)
"""The register: ``@figure_of("roc")`` stands before a function that takes results and some of FigureOptions."""


def figure_of_results(results: Results, kind: str, **options: Unpack[FigureOptions]) -> Figure:
    """The figure of one of :data:`fairtrial.figures.KINDS`; what is left out of it is written below."""
    return view_of_results(results, kind, **options).figure


def view_of_results(results: Results, kind: str, **options: Unpack[FigureOptions]) -> View:
    """The figure with words: the first line of each curve, or the whole of a matrix, map or table."""
    own = {name: value for name, value in options.items() if name not in FOR_ALL}
    with on_paper(options.get("size")), without_caption(options.get("caption") is False):
        return _labelled(figure_of.make(kind, results, options=own), KINDS[kind].shows)


def _labelled(view: View, shows: str) -> View:
    """The view whose figure has its title above, its notes below, and its words for those who can't see it."""
    from fairtrial.figures.drawing.worded_figure import describe

    figure = add_notes(view.figure, view.notes) if view.notes else view.figure
    figure = add_title(figure, view.title) if view.title and has_caption() else figure
    describe(figure, f"{view.title}: {shows}" if view.title else shows, view.words)
    return replace(view, figure=figure)


def options_of_figure(kind: str) -> tuple[str, ...]:
    """The options that a kind of figure takes besides those of all."""
    return figure_of.options_of(kind)


def place_of(results: Results, dataset: str | None = None) -> str:
    """The title of a figure by its place: the data set, or that there are several, of which some may drop out."""
    names = results.dataset_names()
    return dataset or (names[0] if len(names) == 1 else "over data sets")  # how many count is in the words


def figures_table() -> Table:
    """All kinds of figures of results: what each shows, and the options that it takes."""
    columns = tuple(Column(title, align="left") for title in ("kind", "shows", "takes"))
    rows = tuple((name, kind.shows, ", ".join(options_of_figure(name))) for name, kind in KINDS.items())
    return Table(columns, rows, caption="kinds of figures", notes=(f"all take {', '.join(FOR_ALL)}",))
