"""The register of tables of results, and tables by name."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Unpack

from fairtrial.choices import TableOptions
from fairtrial.kinds import COMPARED, SCORED, Makers
from fairtrial.result_tables import KINDS
from fairtrial.results.other_question import with_question
from fairtrial.tables import Column, Table

if TYPE_CHECKING:
    from fairtrial.results import Results

FOR_ALL = ("caption",)
"""The options that every table takes."""

ASKS = {
    SCORED: ("scores", "measures", "measures_by_dataset", "winners", "anova"),
    COMPARED: ("ranking", "pairwise"),
    (*SCORED, "smallest_difference"): ("win_tie_loss",),
}

table_of: Makers[Table] = Makers(
    "table", "fairtrial.result_tables", KINDS, TableOptions, None, partial(with_question, any_levels=True), ASKS
)
"""The register: ``@table_of("scores")`` stands before a function that takes results and some of TableOptions."""


def table_of_results(results: Results | None, name: str, **options: Unpack[TableOptions]) -> Table:
    """The table of that name; the line of Python that makes it is its ``call``, and its label is for LaTeX.

    All tables take ``caption=False``, which leaves the caption out, for a paper that has its own; notes stay.
    """
    of = (results,) if name not in KINDS or KINDS[name].of_results else ()
    made = table_of.make(name, *of, options={key: value for key, value in options.items() if key not in FOR_ALL})
    caption = made.caption if options.get("caption") in (None, True) else ""
    return replace(made, caption=caption, call=made.call or _call(name, options), label=made.label or f"tab:{name}")


def _call(name: str, options: TableOptions) -> str:
    given = "".join(f", {key}={value!r}" for key, value in options.items() if value is not None)
    return f"results.table({name!r}{given})"


def options_of_table(name: str) -> tuple[str, ...]:
    """The options that a kind of table takes."""
    return table_of.options_of(name)


def tables_table() -> Table:
    """All kinds of tables of results: what each shows, and the options that it takes."""
    columns = tuple(Column(title, align="left") for title in ("name", "shows", "takes"))
    rows = tuple((name, kind.shows, ", ".join(options_of_table(name))) for name, kind in KINDS.items())
    return Table(columns, rows, caption="tables of results", notes=(f"all take {', '.join(FOR_ALL)}",))
