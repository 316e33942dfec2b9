"""The command that runs the lab."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from fairtrial.cli.options import format_option
from fairtrial.cli.output_file import any_file
from fairtrial.cli.printing import print_text, terminal_width
from fairtrial.cli.program import cli
from fairtrial.words import part_of

__all__ = ["lab"]


@cli.command()
@click.argument("grids", nargs=-1, metavar="[GRID]...")
@click.option("--runs", type=int, default=200, show_default=True, metavar="N", help="Runs of each experiment.")
@click.option("--only", metavar="TEXT", help="Only experiments whose name contains this text.")
@click.option("--workers", type=int, default=1, show_default=True, metavar="N", help="The number of processes.")
@click.option(
    "--into",
    type=any_file,
    metavar="FILE",
    help="Keep each block of runs in this file, and go on from it.",
)
@click.option(
    "--table",
    "tables",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="A table of scores (data sets × methods) for the grid 'tables'; may be given several times.",
)
@click.option(
    "--log-table",
    "log_tables",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="FILE",
    help="A table of errors that have no common scale, such as RMSE: they are compared by their logarithms.",
)
@click.option("--limited", is_flag=True, help="Print only what has a limit.")
@click.option("--wide", is_flag=True, help="Print a row for each world, and a column for all that is counted there.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
@format_option
def lab(
    grids: tuple[str, ...],
    runs: int,
    only: str | None,
    workers: int,
    into: Path | None,
    tables: tuple[Path, ...],
    log_tables: tuple[Path, ...],
    limited: bool,
    wide: bool,
    quiet: bool,
    how: str,
) -> None:
    """Measure error rates on data whose truth is known.

    Grids are over-datasets, one-dataset, fixed-models, equivalence, skewed, families, bayesian and tables; without any,
    all are run. Each row of the table has a share of runs, its Monte Carlo error, and the limit that a recommended
    procedure must keep. The exit code is 1 if a limit is not kept.

    \b
    fairtrial lab families
    fairtrial lab one-dataset --only 1-NN --runs 1500 --workers 2 --into lab.jsonl
    fairtrial lab tables --table results.csv --wide
    """
    from fairtrial.errors import UnknownName
    from fairtrial.lab import run_lab, to_table
    from fairtrial.lab.grids import experiments_of
    from fairtrial.lab.wide_tables import wide_tables

    find = partial(experiments_of, grids, tables, log_tables)
    found = {key: one for key, one in find().items() if only is None or only in key}
    if not found:
        raise UnknownName(f"no experiment has {only!r} in its name; leave --only out to see all")
    shown = None if quiet or not sys.stderr.isatty() else _progress
    rows = run_lab(found, runs, path=into, workers=workers, find=find, report=shown)
    printed = [row for row in rows if str(row.limit) or not limited]
    made = wide_tables(printed) if wide else [to_table(printed)]
    texts = (table.to_text(terminal_width()) if how == "text" else table.render(how) for table in made)
    print_text("\n\n".join(text.rstrip("\n") for text in texts))
    if not all(row.holds for row in rows):
        raise SystemExit(1)


def _progress(done: int, total: int) -> None:
    end = "\n" if done == total else ""
    click.echo(f"\r  {part_of(done, total, 'block')} of runs{end}", nl=False, err=True)
