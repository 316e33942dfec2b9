"""Commands that list what fairtrial knows, and that advise which measure to choose."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import click

from fairtrial.choices import OBJECTIVES, Objective
from fairtrial.cli.options import context_options, format_option, names_in
from fairtrial.cli.printing import print_text, terminal_width
from fairtrial.cli.program import cli
from fairtrial.errors import UnknownName
from fairtrial.words import listed

if TYPE_CHECKING:
    from fairtrial.tables import Table


@cli.command()
@click.argument("data")
@click.option("--target", metavar="COLUMN", help="The column with the true values.")
@click.option("--objective", type=click.Choice(tuple(OBJECTIVES)), help="What the predictions are for.")
@click.option(
    "--outputs", type=names_in, metavar="A,B", help="What the methods predict: label,score,probability or value,std."
)
@context_options
@format_option
def advise(
    data: str,
    target: str | None,
    objective: Objective | None,
    outputs: list[str] | None,
    context: dict[str, object],
    how: str,
) -> None:
    """Recommend a measure for a data set and an objective.

    DATA is a file, the name of a bundled data set, or openml:31. Each recommendation comes with its reason.

    \b
    fairtrial advise churn.csv --target churned
    fairtrial advise churn.csv --target churned --positives 0.02 --costs 1,30
    fairtrial advise churn.csv --objective rank
    """
    from fairtrial.data import bundled_names, datasets, read_dataset
    from fairtrial.data.openml import PREFIX
    from fairtrial.measures import advise_measure

    given = {"outputs": outputs} if outputs else {}
    named = (target is None and data in bundled_names()) or data.startswith(PREFIX)
    chosen = datasets(data, target=target)[0] if named else read_dataset(data, target=target)
    advice = advise_measure(chosen, objective=objective, context=context, **given)
    first = f"Decide by {advice.measure}: {advice.recommendations[0].reason}."
    table = advice.to_table()
    print_text(f"{first}\n\n{table.to_text(terminal_width())}" if how == "text" else table.render(how))


LISTS = {
    "measures": "measures.to_table", "tests": "stats.to_table", "resamplings": "resampling.to_table",
    "factors": "design.factors_table", "rules": "verdict.to_table", "guards": "verdict.guards_table",
    "baselines": "methods.to_table", "data": "data.bundled_table", "figures": "figures.figures_table",
    "tables": "result_tables.tables_table",
}  # fmt: skip
"""For each list the room, which is imported only then, and its function that makes the table."""

TEXTS = {"rules": "verdict.rules_document"}
"""Lists whose rows are too long for a table on a terminal, and the function that makes a document of them."""


@cli.command("list", epilog=f"WHAT is {listed(LISTS, None, last='or')}.")
@click.argument("what", metavar="WHAT")
@format_option
def list_(what: str, how: str) -> None:
    """List the measures, tests, figures and so on that there are."""
    if what not in LISTS:
        raise UnknownName.among("list", what, LISTS)
    if what in TEXTS and how == "text":
        print_text(_made(TEXTS[what]).to_text())
        return
    table = listing(what)
    print_text(table.to_text(terminal_width()) if how == "text" else table.render(how))


def listing(what: str) -> Table:
    """The table behind ``fairtrial list``."""
    table: Table = _made(LISTS[what])
    return table


def _made(name: str) -> Any:
    """What the function of a room makes, by their names."""
    room, make = name.split(".")
    return getattr(importlib.import_module(f"fairtrial.{room}"), make)()
