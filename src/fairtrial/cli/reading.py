"""Results from a file of any kind: a study, scores or predictions.

Errors on the command line speak of its options, where the same errors in a program speak of arguments.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairtrial.choices import ROWS
from fairtrial.cli.options import names_in
from fairtrial.cli.printing import print_text
from fairtrial.errors import InputError, UnknownName

if TYPE_CHECKING:
    from fairtrial.kinds import Kind
    from fairtrial.results import Results


ROLES = ("dataset", "method", "repeat", "fold", "value", "sign", "instance", "cluster")
READING = (
    *("truth", "positive", "columns", "covariates", "rows", "resampling", "higher_is_better"),
    *("methods", "datasets"),
)
FORMER = {
    **{
        name: f"--columns {name}={{value}} now" for name in ("method", "repeat", "fold", "value", "instance", "cluster")
    },
    "effects": "a command now: fairtrial effects FILE",
    "ablation": "a command now: fairtrial ablation FILE",
    "robust_setting": "a command now: fairtrial robust FILE",
    "criterion": "for the command `robust` now: fairtrial robust FILE --criterion regret",
    "surface": "a command now: fairtrial surface FILE",
    "fail_if": "for the command `gate` now: fairtrial gate FILE --control METHOD --fail-if {value}",
    "candidates": "for the command `gate` now: fairtrial gate FILE --candidates {value}",
    "summary": "for the command `gate` now: fairtrial gate FILE --summary {value}",
    "junit": "for the command `gate` now: fairtrial gate FILE --junit {value}",
}
"""What options of ``compare`` and ``report`` have become: each answers with the line that does it now."""

FLAGS = ("effects", "ablation", "robust_setting")


def part_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that choose methods and data sets, which all commands with results have."""
    several = click.option("--datasets", "--dataset", type=names_in, metavar="A,B", help="only these data sets")
    command = several(command)
    return click.option("--methods", type=names_in, metavar="A,B", help="only these, in this order; yardsticks stay")(
        command
    )


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add options that say how a table is read; the command gets them as ``reading``, for :func:`read_results`."""

    @functools.wraps(command)
    def collected(**given: Any) -> None:
        reading = {name: given.pop(name) for name in READING}
        command(reading=reading, **given)

    options = (
        part_options,
        click.option("--truth", metavar="COLUMN", help="FILE has predictions; the column of true values"),
        click.option("--positive", metavar="CLASS", help="the positive class, against all others"),
        click.option(
            "--columns", type=columns_in, metavar="ROLE=COLUMN,…",
            help="what columns are: dataset, method, fold, value",
        ),
        click.option(
            "--rows", type=click.Choice(ROWS), metavar="WHAT", help="datasets or methods, if a table does not tell"
        ),
        click.option("--covariates", type=names_in, metavar="A,B", help="columns that describe data sets: domain"),
        click.option(
            "--resampling", metavar="TEXT", help="how scores came about: '10x10-fold', '5 seeds'"
        ),
        click.option(
            "--higher-is-better/--lower-is-better", default=None,
            help="of a measure that is not registered",
        ),
    )  # fmt: skip
    return functools.reduce(lambda made, option: option(made), reversed(options), collected)


def former_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the former options, which are not listed, and answer with their new spelling."""

    def refuse(_: click.Context, option: click.Parameter, value: str | bool | None) -> None:
        if value:
            now = FORMER[str(option.name)].format(value=value)
            raise click.UsageError(f"{option.opts[0]} is {now}")

    for name in reversed(FORMER):
        flag = f"--{name.replace('_', '-')}"
        more: dict[str, Any] = {"is_flag": True} if name in FLAGS else {"default": None}
        if name == "surface":
            more = {"is_flag": False, "flag_value": "measure"}
        command = click.option(flag, name, callback=refuse, expose_value=False, hidden=True, **more)(command)
    return command


def columns_in(text: str) -> dict[str, str]:
    """The column of each role, from a text such as ``dataset=task,method=framework``.

    >>> columns_in("dataset=task, value=auc")
    {'dataset': 'task', 'value': 'auc'}
    """
    found = {}
    for part in text.split(","):
        role, equals, column = (piece.strip() for piece in part.partition("="))
        if not equals or not column:
            raise InputError(f"--columns must be roles and columns, such as dataset=task,value=auc, got {text!r}")
        if role not in ROLES:
            raise UnknownName.among("role of a column", role, ROLES)
        found[role] = column
    return found


def read_results(
    file: Path, *, truth: str | None = None, columns: Mapping[str, str] | None = None,
    methods: Sequence[str] | None = None, datasets: Sequence[str] | None = None, **options: Any,
) -> Results:  # fmt: skip
    """Read a study file (.trial), predictions (``truth`` names a column), or scores, with the options that were given.

    The options are the keywords of the reader; one that this reader does not take is refused, so that none is ignored.
    ``methods`` of a table help to read it, those of a study and ``datasets`` are chosen afterwards.
    """
    from fairtrial.results import read_predictions, read_scores, read_study
    from fairtrial.verdict.progress import shown_steps, step

    given = {name: value for name, value in {"truth": truth, **(columns or {}), **options}.items() if value is not None}
    reader: Callable[..., Results]
    if file.suffix in (".trial", ".toml"):  # a study in TOML is refused there
        reader, kind = read_study, "is a study file, which needs no help to be read"
        given = {name: value for name, value in given.items() if name not in OF_STUDIES}
    elif truth is not None:
        reader, kind = read_predictions, "has predictions (--truth)"
        given.pop("baseline", None)  # no run has failed
    else:
        reader, kind = read_scores, "has scores"
    if reader is not read_study and methods is not None:
        given["methods"], methods = methods, None
    strange = [name for name in given if name not in inspect.signature(reader).parameters]
    if strange:
        predictions = strange[0] in inspect.signature(read_predictions).parameters and reader is read_scores
        remedy = "name the column of the truth (--truth) if these are predictions" if predictions else "leave it out"
        raise click.UsageError(f"{_spelled(strange[0])} can't be used here: {file.name} {kind}; {remedy}")
    with shown_steps():
        step(f"reading {file.name}")
        found = reader(file, **given)
    if found.reading is not None and given.get("positive") is not None and _is_unused(given["positive"], found):
        raise click.UsageError("--positive is for data sets with two classes, but none has; leave it out")
    return found if methods is None and datasets is None else found.only(methods=methods, datasets=datasets)


OF_STUDIES = ("measure", "baseline")
"""What a verdict, figure or table of a study takes, and no reader needs."""


def _spelled(name: str) -> str:
    """The option that gives a keyword of a reader."""
    return f"--columns {name}=…" if name in ROLES else f"--{name.replace('_', '-')}"


def _is_unused(positive: object, results: Results) -> bool:
    """Whether no data set has two classes, and no class is called like the positive one."""
    classes = [list(facts.get("classes", ())) for facts in results.datasets.values()]
    return not any(len(known) == 2 or str(positive) in known for known in classes)


def print_reading(results: Results, measure: str | None) -> None:
    """Say how a table was understood, beside what a command prints: a verdict says it itself."""
    from fairtrial.results.score_measures import is_unnamed

    if results.reading is not None:
        facts = None if is_unnamed(results.measures) and measure is None else results.measure(measure)
        print_text(f"Read: {results.reading.sentence(facts)}", err=True)


def file_and_name(
    first: str, second: str | None, kinds: Mapping[str, Kind], what: str, command: str
) -> tuple[Path | None, str]:
    """The file and the name of a kind, which may come in either order; a kind that is not of results needs no file."""
    if second is None:
        if first in kinds and not kinds[first].of_results:
            return None, first
        file = f"a file with results: fairtrial {command} FILE {first}"
        missing = file if first in kinds else f"the name of a {what}"
        raise InputError(f"fairtrial {command} needs {missing}; `fairtrial list {what}s` has the names")
    if first in kinds and (second not in kinds or Path(second).exists()):
        return Path(second), first
    if second not in kinds:
        raise UnknownName.among(what, first if Path(second).exists() and not Path(first).exists() else second, kinds)
    return Path(first), second


VALUE = r"('[^']*'|\[[^\]]*\]|…|[^\s,;:()]+)"
CALLS = {
    "effects": "`fairtrial effects FILE`",
    "verdicts": "`fairtrial compare FILE`",
    "mcnemar": "`fairtrial table FILE mcnemar`",
    "surface": "--methods …",
    "figure": "`fairtrial compare FILE --figure FILE`",
}
"""Commands for methods of results that errors name."""


def in_options(text: str, params: Iterable[click.Parameter]) -> str:
    """The text of an error with the options of a command instead of arguments and calls of Python.

    >>> from fairtrial.cli import cli
    >>> params = cli.commands["compare"].params
    >>> in_options("name it: control='…' (--control); or say failures='worst'", params)
    'name it: --control …; or say --failures worst'
    >>> in_options("choose one, such as results.at(size=40) (command line: --at size=40)", params)
    'choose one, such as --at size=40'
    >>> in_options("name the columns (repeat='…', fold='…'), or leave smallest_difference out", params)
    'name the columns (--columns repeat=…,fold=…), or leave --smallest-difference out'
    """
    visible = [param for param in params if not getattr(param, "hidden", False)]
    flags = {flag[2:].replace("-", "_"): flag for param in visible for flag in param.opts if flag.startswith("--")}
    against = {param.opts[0]: flag for param in visible for flag in param.secondary_opts}
    if "columns" in flags:
        flags = dict.fromkeys(ROLES, "") | flags
    names = "|".join(sorted(flags, key=len, reverse=True))
    argument = rf"(?<![\w.=,'-])(?<!\w\()(?<!--columns )({names})={VALUE}"

    def option(found: re.Match[str]) -> str:
        name, value = found[1], re.sub(r"^\[|\]$|'", "", found[2]).replace(", ", ",")
        value = f"'{value}'" if " " in value else value
        if not flags[name]:
            return f"--columns {name}={value}"
        bare = {"True": flags[name], "False": against.get(flags[name])}
        return bare.get(value) or f"{flags[name]} {value}"

    def columns(found: re.Match[str]) -> str:
        return f"--columns {found[0]}".replace("'", "").replace(", ", ",")

    role = rf"(?:{'|'.join(ROLES)})={VALUE}"
    for pattern, made in (
        (r"(?:results\.|(?:ft\.)?read_)\w+\([^()]*\) \((?:command line: )?((?:--|fairtrial )[^()]*)\)", r"\1"),
        (rf"{argument} \((--[a-z-]+ [^()]*)\)", r"\3"),
        (rf"\({argument}, (--[^()]*)\)", r"(\3)"),
        (rf"{role}(?:, {role})+", columns),
        (argument, option),
        (r"(--[a-z-]+)( [^\s,;()]+)? \(\1\)", r"\1\2"),
        (r"results\.at\(([^()]*)\)", r"--at \1"),
        (r"(?:results|verdict)\.(\w+)\([^()]*\)", lambda found: CALLS.get(found[1], found[0])),
        (rf"(?<![\w'\".-])({names})(?![\w'\"=(-])", lambda found: flags[found[1]] if "_" in found[1] else found[0]),
    ):
        text = re.sub(pattern, made, text)
    return text
