"""The command that makes a recorded verdict again and compares."""

from __future__ import annotations

from pathlib import Path

import click

from fairtrial.cli.options import format_option
from fairtrial.cli.printing import print_text
from fairtrial.cli.program import cli

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
    from fairtrial.verdict import verify as make_again

    found = make_again(verdict, file)
    print_text(found.render(how))
    if not found.agrees:
        raise SystemExit(DIFFERENT if found.differences else IN_PART)
