"""Commands that say what there is, and what to choose."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import as_format, context_options, names_in
from fairtrial.cli.printing import print_text, terminal_width
from fairtrial.cli.program import cli

if TYPE_CHECKING:
    from fairtrial.tables import Table

__all__ = ["advise", "list_"]

OBJECTIVES = ("classify", "find", "rank", "probabilities", "values", "distribution", "cost")


@cli.command()
@click.argument("data")
@click.option("--target", help="Column with the true values.")
@click.option("--objective", type=click.Choice(OBJECTIVES), help="What the predictions are for.")
@click.option("--outputs", help="What the methods give: label,score,probability or value,std.")
@context_options
@as_format
def advise(
    data: str, target: str | None, objective: str | None, outputs: str | None, context: dict[str, object], how: str
) -> None:
    """Say which measure to choose for a data set (a file, or one that is bundled) and an objective, and why.

    \b
    fairtrial advise churn.csv --target churned
    fairtrial advise churn.csv --target churned --positives 0.02 --costs 1,30
    fairtrial advise churn.csv --objective rank
    """
    from fairtrial.data import bundled_names, datasets, read_dataset
    from fairtrial.measures import advise_measure

    given = {"outputs": names} if (names := names_in(outputs)) else {}
    chosen = datasets(data)[0] if target is None and data in bundled_names() else read_dataset(data, target=target)
    advice = advise_measure(chosen, objective=objective, context=context, **given)
    first = f"Decide by {advice.measure}: {advice.recommendations[0].reason}."
    table = advice.to_table()
    print_text(f"{first}\n\n{table.to_text(terminal_width())}" if how == "text" else table.render(how))


LISTS = {
    "measures": "measures.to_table", "tests": "stats.to_table", "resamplings": "resampling.to_table",
    "factors": "design.factors_table", "rules": "verdict.to_table", "guards": "verdict.guards_table",
    "baselines": "methods.to_table", "data": "data.bundled_table",
}  # fmt: skip
"""What can be listed, by the room, which is imported only then, and its function that makes the table."""


@cli.command("list")
@click.argument("what", type=click.Choice(tuple(LISTS)))
@as_format
def list_(what: str, how: str) -> None:
    """List what there is."""
    table = listing(what)
    print_text(table.to_text(terminal_width()) if how == "text" else table.render(how))


def listing(what: str) -> Table:
    """The table behind ``fairtrial list``."""
    room, make = LISTS[what].split(".")
    table: Table = getattr(importlib.import_module(f"fairtrial.{room}"), make)()
    return table
