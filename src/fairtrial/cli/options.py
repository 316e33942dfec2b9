"""What commands can be asked, where several share it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from fairtrial.errors import InputError
from fairtrial.tables.output_formats import FORMATS

__all__ = [
    "as_format",
    "at_option",
    "context_options",
    "file_argument",
    "levels_of",
    "names_in",
    "question_options",
    "study_argument",
]

FAILURES = ("baseline", "worst", "drop", "refuse")
DOMAINS = ("such as these", "these")

as_format = click.option(
    "--format", "how", type=click.Choice(tuple(FORMATS)), default="text", show_default=True, help="How to print it."
)
study_argument = click.argument("study", type=click.Path(path_type=Path, dir_okay=False))
file_argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


def context_options(command: Callable[..., None]) -> Callable[..., None]:
    """Where the methods will be used; the command is given it as ``context``."""

    @functools.wraps(command)
    def collected(**given: Any) -> None:
        positives, costs = given.pop("positives"), given.pop("costs")
        context: dict[str, object] = {} if positives is None else {"positives": number_or_text(positives)}
        if costs is not None:
            parts = [number_or_text(c) for c in costs.split(",")]
            context["costs"] = costs if any(isinstance(p, str) for p in parts) else parts
        command(context=context, **given)

    collected = click.option(
        "--costs", metavar="FP,FN", help="What a false positive and a false negative cost in use."
    )(collected)
    return click.option("--positives", help="Share of positives in use: 0.02, uniform or 'beta(2, 5)'.")(collected)


def number_or_text(text: str) -> float | str:
    """A number where it is one, whole where it is whole."""
    try:
        number = float(text)
    except ValueError:
        return text.strip()
    return int(number) if number.is_integer() else number


def question_options(command: Callable[..., None]) -> Callable[..., None]:
    """What can be asked of results that are there; the command is given it as ``asked``."""
    options: dict[str, Any] = {
        "measure": {"help": "What 'better' means: a measure of `fairtrial list measures`."},
        "control": {"help": "Compare all others with this method, instead of all pairs."},
        "smallest_difference": {"type": float, "help": "Below it a difference does not matter."},
        "level": {"type": float, "help": "Confidence level, 0.95 by default."},
        "domains": {"type": click.Choice(DOMAINS), "help": "Speak of data sets such as these, or of each of these."},
        "failures": {"type": click.Choice(FAILURES), "help": "How failed trials are scored."},
        "baseline": {"help": "The method whose score stands in for failed ones."},
        "adjust": {"default": "holm", "show_default": True, "help": "Adjustment for several comparisons, or none."},
        "per_dataset": {"metavar": "TEST", "help": "A table against the control on each data set: corrected_t."},
    }

    @context_options
    @functools.wraps(command)
    def collected(**given: Any) -> None:
        context = given.pop("context") or None
        given["levels"] = levels_of(given["levels"])
        command(asked={"context": context, **{name: given.pop(name) for name in options}}, **given)

    for name, option in reversed(options.items()):
        collected = click.option(f"--{name.replace('_', '-')}", name, **option)(collected)
    return at_option(collected)


def names_in(text: str | None) -> list[str] | None:
    """Names with commas between them; None where nothing was said."""
    return None if text is None else [name.strip() for name in text.split(",")]


def levels_of(texts: Iterable[str]) -> dict[str, float]:
    """The level of each factor; at two levels of one factor there is nothing."""
    found: dict[str, float] = {}
    for name, level in map(_level_of, texts):
        if found.setdefault(name, level) != level:
            raise InputError(f"--at must name one level of each factor, got {name}={found[name]} and {name}={level}")
    return found


def _level_of(text: str) -> tuple[str, float]:
    """The factor and level of ``label_noise=0.1``."""
    name, _, level = text.partition("=")
    number = number_or_text(level)
    if isinstance(number, str):
        raise InputError(f"--at must be a factor and its level, such as label_noise=0.1, got {text!r}")
    return name.strip(), number


at_option = click.option(
    "--at", "levels", multiple=True, metavar="FACTOR=LEVEL", help="Only the results at this level: label_noise=0.1."
)
