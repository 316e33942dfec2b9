"""The command that walks a person from a question to a procedure, a resampling and a study file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairtrial.cli.options import format_option, names_in
from fairtrial.cli.output_file import any_file
from fairtrial.cli.printing import print_text
from fairtrial.cli.program import cli
from fairtrial.errors import FairtrialError, InputError

if TYPE_CHECKING:
    from fairtrial.verdict.rules.choose_procedure import Advice

STUDY = "study.toml"
ANSWERS = "--answers must be numbers with commas between them, such as 2,2,1,1,2,1,1"


@cli.command()
@click.option("--answers", metavar="2,1,…", help="The numbers of the answers, instead of prompts.")
@click.option(
    "--write",
    "into",
    type=any_file,
    metavar="FILE",
    help="Write a study to start from into this file (.toml).",
)
@format_option
def choose(answers: str | None, into: Path | None, how: str) -> None:
    """Find out which test and which resampling answer your question.

    At most seven questions lead to one of Dietterich's nine statistical questions, and to the row of `fairtrial list
    rules` that answers it.

    \b
    fairtrial choose
    fairtrial choose --answers 2,3,1,3,1,1 --write study.toml
    """
    from fairtrial.verdict.rules.choose_procedure import advise_procedure, answered

    if into is not None:
        _check_new(into)
    advice = advise_procedure(_asked() if answers is None else answered(_numbers(answers)))
    print_text(_shown(advice, how, with_study=into is None))
    if into is not None:
        for path in _written(advice, into):
            print_text(str(path), err=how != "text")


def _asked() -> dict[str, str]:
    """The answers of a person; a prompt is repeated until the answer is one of its numbers."""
    from fairtrial.verdict.rules.choose_procedure import next_prompt, options_of

    answers: dict[str, str] = {}
    while (prompt := next_prompt(answers)) is not None:
        options = options_of(prompt, answers)
        lines = [f"{len(answers) + 1}. {prompt.text}", *(f"   {n}  {o.text}" for n, o in enumerate(options, 1))]
        print_text("\n".join(lines), err=True)
        number = click.prompt("  ", type=click.IntRange(1, len(options)), prompt_suffix="> ", err=True)
        answers[prompt.key] = options[number - 1].key
        print_text("", err=True)
    return answers


def _numbers(text: str) -> list[int]:
    try:
        return [int(number) for number in names_in(text)]
    except ValueError:
        raise InputError(f"{ANSWERS}, got {text!r}") from None


def _shown(advice: Advice, how: str, *, with_study: bool) -> str:
    """The advice in a format; text and Markdown end with the study file, if it is not written."""
    text = advice.render(how)
    study = advice.files[STUDY]
    if not with_study or how not in ("text", "md"):
        return text
    shown = f"```toml\n{study}```" if how == "md" else study.rstrip()
    return f"{text.rstrip()}\n\nA study to start from (--write study.toml writes it):\n\n{shown}"


def _check_new(path: Path) -> None:
    """Refuse to overwrite a file."""
    if path.exists():
        raise InputError(f"--write must name a new file, but {path} is there already; choose another name")


def _written(advice: Advice, into: Path) -> list[Path]:
    """Write the study and its example data, and return their paths."""
    paths = {name: into if name == STUDY else into.with_name(name) for name in advice.files}
    for path in paths.values():
        _check_new(path)
    try:
        for name, path in paths.items():
            path.write_text(advice.files[name], encoding="utf-8")
    except OSError as error:
        raise FairtrialError(f"the study can't be written to {into}: {error}") from error
    return list(paths.values())
