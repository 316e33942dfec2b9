"""The command that checks whether study files are whole."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

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
    predictions are unpacked. Rows that an older version of fairtrial wrote have no digests and are unchecked. Files are
    only read. Exit codes: 0 all whole, 1 some damaged, 2 bad input.

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
