"""Figures of results by kind, each with what it shows in words, and the register of their makers."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar, Unpack

from fairtrial.choices import FigureOptions
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures import KINDS
from fairtrial.figures.paper_sizes import on_paper
from fairtrial.figures.style import add_notes, add_title
from fairtrial.tables import Column, Table
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results

__all__ = [
    "View",
    "figure_of",
    "figure_of_results",
    "figures_table",
    "options_of_figure",
    "place_of",
    "view_of_results",
]


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


Maker = Callable[..., View]
AnyMaker = TypeVar("AnyMaker", bound=Maker)
NOT_CHOSEN: FigureOptions = {"folds": "merged"}
"""The value of an option that means the same as leaving it out, where that is not None."""

FOR_ALL = ("size",)
"""The options that all kinds of figures take."""

_makers: dict[str, Maker] = {}


def figure_of(kind: str) -> Callable[[AnyMaker], AnyMaker]:
    """Register the function that makes a kind of figure: results and some of FigureOptions in, a :class:`View` out.

    The keyword arguments of the function are the options that the figure takes; all others are refused. The kind
    needs a row in :data:`fairtrial.figures.KINDS`.
    """

    def register(make: AnyMaker) -> AnyMaker:
        _makers[kind] = make
        return make

    return register


def figure_of_results(results: Results, kind: str, **options: Unpack[FigureOptions]) -> Figure:
    """The figure of one of :data:`fairtrial.figures.KINDS`; what is left out of it is written below."""
    return view_of_results(results, kind, **options).figure


def view_of_results(results: Results, kind: str, **options: Unpack[FigureOptions]) -> View:
    """The figure with words: the first line of each curve, or the whole of a matrix, map or table."""
    if kind not in KINDS:
        raise UnknownName.among("kind of figure", kind, KINDS)
    given = {n: v for n, v in options.items() if v is not None and v != NOT_CHOSEN.get(n)}
    size = given.pop("size", None)
    for name in given:
        if name not in options_of_figure(kind):
            takers = listed(other for other in KINDS if name in options_of_figure(other))
            raise InputError(f"{name} is for {takers}, not for a figure of {kind!r}; leave it out")
    with on_paper(size):  # type: ignore[arg-type]
        return _labelled(_maker(kind)(results, **given), KINDS[kind].shows)


def _labelled(view: View, shows: str) -> View:
    """The view whose figure has its title above, its notes below, and its words for those who can't see it."""
    from fairtrial.figures.worded_figure import describe

    figure = add_notes(view.figure, view.notes) if view.notes else view.figure
    figure = add_title(figure, view.title) if view.title else figure
    describe(figure, f"{view.title}: {shows}" if view.title else shows, view.words)
    return replace(view, figure=figure)


def options_of_figure(kind: str) -> tuple[str, ...]:
    """The options that a kind of figure takes besides ``size``: the keyword arguments of its maker."""
    taken = inspect.signature(_maker(kind)).parameters
    return tuple(name for name in FigureOptions.__annotations__ if name in taken)


def _maker(kind: str) -> Maker:
    """The function that makes the kind; its module is imported now, which registers it."""
    importlib.import_module(f"fairtrial.figures.{KINDS[kind].module}")
    return _makers[kind]


def place_of(results: Results, dataset: str | None = None) -> str:
    """The title of a figure by its place: the data set, or the number of data sets."""
    names = results.dataset_names()
    return dataset or (names[0] if len(names) == 1 else plural(len(names), "data set"))


def figures_table() -> Table:
    """All kinds of figures of results: what each shows, and the options that it takes."""
    columns = tuple(Column(title, align="left") for title in ("kind", "shows", "takes"))
    rows = tuple((name, kind.shows, ", ".join(options_of_figure(name))) for name, kind in KINDS.items())
    return Table(columns, rows, caption="kinds of figures", notes=(f"all take {', '.join(FOR_ALL)}",))
