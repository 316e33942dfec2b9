"""The command that checks whether study files are whole.

The command that makes a recorded verdict again and compares.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import format_option
from fairtrial.cli.printing import print_text
from fairtrial.cli.program import cli

if TYPE_CHECKING:
    from fairtrial.store.checks.whole_file import Shown


DAMAGED = 1
LARGE = 10_000_000  # bytes of a file whose check shows its progress


@cli.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
def check(files: tuple[Path, ...]) -> None:
    """Check whether study files are whole.

    Each row has a digest of its fields, which is compared, as are the pages and indexes of the database; all
    predictions are unpacked. Files are only read. Exit codes: 0 all whole, 1 some damaged, 2 bad input.

    \b
    fairtrial check study.trial
    fairtrial check runs/*.trial
    """
    from fairtrial.store import check_file

    whole = True
    for file in files:
        with progress_on(file) as shown:
            found = check_file(file, shown)
        print_text(str(found))
        whole &= found.is_whole
    if not whole:
        raise SystemExit(DAMAGED)


@contextmanager
def progress_on(file: Path) -> Iterator[Shown | None]:
    """A function that shows how many trials of a large file have been checked, on a terminal."""
    if not sys.stderr.isatty() or not file.exists() or file.stat().st_size < LARGE:
        yield None
        return
    with click.progressbar(length=1, label=f"checking {file.name}", file=sys.stderr) as bar:

        def shown(done: int, total: int) -> None:
            bar.length = max(total, 1)
            bar.update(done - bar.pos)

        yield shown


DIFFERENT, IN_PART = 1, 3


@cli.command()
@click.argument("verdict", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
@format_option
def verify(verdict: Path, file: Path | None, how: str) -> None:
    """Make a verdict again from its file, and compare.

    VERDICT is what `--format json` wrote. FILE is the study file or the table that it was made from; by default the
    file of that name beside VERDICT or in this folder. Decisions and sentences must be equal, and all numbers; under
    other versions of the packages numbers may differ by 1e-9 of their size. Exit codes: 0 equal, 1 different, 2 bad
    input, 3 equal but for texts of another fairtrial, which can't be compared.

    \b
    fairtrial compare study.trial --format json > verdict.json
    fairtrial verify verdict.json
    fairtrial verify verdict.json copies/study.trial
    """
    from fairtrial.verdict.verify import verify as make_again

    found = make_again(verdict, file)
    print_text(found.render(how))
    if not found.agrees:
        raise SystemExit(DIFFERENT if found.differences else IN_PART)
