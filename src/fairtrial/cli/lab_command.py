"""The command that runs the lab."""

from __future__ import annotations

import math
import sys
import time
from functools import partial
from pathlib import Path

import click

from fairtrial import __version__
from fairtrial.cli.options import format_option
from fairtrial.cli.output_file import any_file
from fairtrial.cli.printing import print_text, terminal_width
from fairtrial.cli.program import cli
from fairtrial.tables import formats
from fairtrial.words import part_of

LINE_SECONDS = 10.0


@cli.command()
@click.argument("grids", nargs=-1, metavar="[GRID]...")
@click.option("--runs", type=int, default=200, show_default=True, metavar="N", help="Runs of each experiment.")
@click.option("--only", metavar="TEXT", help="Only experiments whose name contains this text.")
@click.option("--workers", type=int, default=1, show_default=True, metavar="N", help="The number of processes.")
@click.option(
    "--into",
    type=any_file,
    metavar="FILE",
    help="Keep each block of runs in this file, and go on from it; lab-VERSION.jsonl by default.",
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
    from fairtrial.lab.lab_runs import wide_tables

    find = partial(experiments_of, grids, tables, log_tables)
    found = {key: one for key, one in find().items() if only is None or only in key}
    if not found:
        raise UnknownName(f"no experiment has {only!r} in its name; leave --only out to see all")
    if into is None and not (tables or log_tables):  # what a table held when it was simulated is not in the file
        into = Path(f"lab-{__version__}.jsonl")
    rows = run_lab(found, runs, path=into, workers=workers, find=find, report=None if quiet else Progress(into))
    printed = [row for row in rows if str(row.limit) or not limited]
    made = wide_tables(printed) if wide else [to_table(printed)]
    texts = (table.to_text(terminal_width()) if how == "text" else table.render(how) for table in made)
    print_text("\n\n".join(text.rstrip("\n") for text in texts))
    if not all(row.holds for row in rows):
        raise SystemExit(1)


class Progress:
    """The blocks that are done and the time left: a line that changes on a terminal, a line now and then elsewhere."""

    def __init__(self, into: Path | None) -> None:
        self.into, self.last, self.live = into, -math.inf, sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        """Show it, if the last time is long enough ago."""
        now = time.monotonic()
        if self.last < 0:
            self.began, self.already = now, done
            if self.into is not None:
                print_text(f"  blocks of runs are kept in {self.into}; the same command goes on from there", err=True)
        if not self.live and done < total and now - self.last < LINE_SECONDS:
            return
        self.last, fresh = now, done - self.already
        left = f", about {formats.duration((now - self.began) / fresh * (total - done))} left" if fresh else ""
        text = f"  {part_of(done, total, 'block')} of runs{left if done < total else ''}"
        click.echo(f"\r{text:<70}" if self.live else text, nl=not self.live or done == total, err=True)
