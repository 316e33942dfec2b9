"""Arguments and options that several commands share."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click

from fairtrial.choices import (
    AskedOptions,
    FigureOptions,
    TableOptions,
    VerdictOptions,
)
from fairtrial.errors import InputError
from fairtrial.tables.output_formats import FORMATS

Command = Callable[..., None]
BETWEEN_NAMES = r",(?![^(]*\))"  # a comma, but not one between the options of a measure


def names_in(text: str) -> list[str]:
    """Names with commas between them, as a list."""
    return [name.strip() for name in text.split(",")]


format_option = click.option(
    "--format",
    "how",
    type=click.Choice(tuple(FORMATS)),
    default="text",
    metavar="FORMAT",
    help=f"{', '.join(FORMATS)}",
)
study_argument = click.argument("study", type=click.Path(path_type=Path, dir_okay=False))
file_argument = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
at_option = click.option(
    "--at", "levels", multiple=True, metavar="FACTOR=LEVEL",
    help="only results at this level: label_noise=0.1",
)  # fmt: skip

SECTIONS = {
    "Options": (),
    "How the file is read": (
        *("methods", "datasets", "truth", "columns", "covariates", "rows", "resampling", "higher_is_better"),
        *("positive", "levels"),
    ),
    "Needed rarely": (
        *(
            "claim",
            "where",
            "domains",
            "pairs",
            "compare_trivial",
            "adjust",
            "per_dataset",
            "test",
            "level",
            "alternative",
        ),
        *("estimand", "failures"),
        *("baseline", "positives", "costs", "families", "accept_versions", "cluster", "retries", "marks", "beside"),
        *("caption", "times", "size", "joined", "full_provenance", "interactions", "dataset", "method"),
    ),
}
"""The headings under which the help of a command lists its options, and the options below them; others come first."""


class SortedCommand(click.Command):
    """A command whose help lists what is needed often first, each option on one line; those ``as_compare`` by name."""

    as_compare: Collection[str] = ()

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        placed = {name: title for title, names in SECTIONS.items() for name in names}
        rows: dict[str, list[tuple[str, str]]] = {title: [] for title in SECTIONS}
        brief: list[str] = []
        for param in self.get_params(ctx):
            if isinstance(param, click.Option) and (row := param.get_help_record(ctx)) is not None:
                row = (row[0], f"{row[1][:1].upper()}{row[1][1:].removesuffix('.')}")
                if param.name in self.as_compare:
                    brief.append(row[0].split(" / ")[0].replace(" ", "\u00a0"))
                    continue
                rows[placed.get(str(param.name), "Options")].append(row)
        for title, own in rows.items():
            if own:
                with formatter.section(title):
                    formatter.write_dl(own, col_max=27)
        if brief:
            with formatter.section("As for compare"):
                formatter.write_text(", ".join(brief))


class PresentingCommand(SortedCommand):
    """A command that presents results; its help only names the options that the help of ``compare`` explains."""

    as_compare = (
        *("level", "alternative", "estimand", "failures", "baseline", "positives", "costs", "families"),
        *("rows", "resampling", "higher_is_better", "covariates"),
    )


class BriefCommand(SortedCommand):
    """A command whose help only names what is needed hardly ever."""

    as_compare = ("compare_trivial", "where", "positives", "costs", "families", "baseline", "failures")


more_options = ("context", "family", "methods", "dataset", "positive")  # they have options of their own
family_option = click.option(
    "--family", "families", multiple=True, metavar="NAME=A,B",
    help="data sets that count as one; 'none': no families",
)  # fmt: skip


def context_options(command: Command) -> Command:
    """Add the options that say where the methods will be used; the command gets them as ``context``."""

    @functools.wraps(command)
    def collected(**given: Any) -> None:
        positives, costs = given.pop("positives"), given.pop("costs")
        context: dict[str, object] = {} if positives is None else {"positives": number_or_text(positives)}
        if costs is not None:
            context["costs"] = _costs(costs)
        command(context=context, **given)

    collected = click.option(
        "--costs",
        metavar="FP,FN",
        help="of false positives and negatives; or no=1,yes=30",
    )(collected)
    return click.option("--positives", metavar="X", help="share of positives in use: 0.02 or 'beta(2, 5)'")(collected)


def _costs(given: str) -> object:
    """Two costs, costs by label, or the text as it is.

    >>> _costs("1,30"), _costs("no=1,yes=30"), _costs("uniform")
    ([1, 30], {'no': 1, 'yes': 30}, 'uniform')
    """
    parts = given.split(",")
    if all("=" in part for part in parts):
        pairs = (part.rpartition("=") for part in parts)
        return {label.strip(): number_or_text(cost) for label, _, cost in pairs}
    numbers = [number_or_text(part) for part in parts]
    return given if any(isinstance(number, str) for number in numbers) else numbers


def asked_options(declaration: type) -> Callable[[Command], Command]:
    """Add the options of a declaration with AskedOptions; the command gets those that were given, and ``levels``."""

    def add(command: Command) -> Command:
        @functools.wraps(command)
        def collected(
            context: dict[str, object], options: dict[str, object], families: Sequence[str], **given: Any
        ) -> None:
            given["levels"] = levels_of(given["levels"])
            more = {"context": context, "family": families_of(families)}
            command(options=options | {name: value for name, value in more.items() if value}, **given)

        return declared_options(declaration, *more_options)(context_options(at_option(family_option(collected))))

    return add


verdict_options = asked_options(VerdictOptions)
figure_options = asked_options(FigureOptions)
table_options = asked_options(TableOptions)


def declared_options(declaration: type, *without: str) -> Callable[[Command], Command]:
    """Add an option for each key of a declaration, such as VerdictOptions: type, name of the value, help.

    What is on by default is declared with ``NO`` for a name, and has an option that turns it off.
    """
    found = {n: hint for n, hint in get_type_hints(declaration, include_extras=True).items() if n not in without}
    shown = {n: found[n] for n in sorted(found, key=lambda n: n in AskedOptions.__annotations__)}  # its own first

    def add(command: Command) -> Command:
        @functools.wraps(command)
        def collected(**given: Any) -> None:
            values = {name: given.pop(name) for name in shown}
            command(options={name: value for name, value in values.items() if value is not None}, **given)

        for name, hint in reversed(shown.items()):
            called, text = hint.__metadata__
            flag = f"--{name.replace('_', '-')}"
            if bool in get_args(hint.__origin__):
                both = f"{flag}/--no-{flag.removeprefix('--')}" if called == "NO" else flag
                collected = click.option(both, name, is_flag=True, default=None, help=text)(collected)
                continue
            kind = click_type(hint.__origin__)
            collected = click.option(flag, name, type=kind, metavar=called or None, help=text)(collected)
        return collected

    return add


def click_type(hint: Any) -> Any:
    """The type of an option for a type of Python, of which None is left out.

    >>> click_type(float | None), click_type(Literal["a", "b"] | None).choices, click_type(object) is str
    (<class 'float'>, ('a', 'b'), True)
    """
    parts = [part for part in get_args(hint) if part is not NoneType]
    if get_origin(hint) is Literal:
        return click.Choice(get_args(hint))
    if NoneType in get_args(hint) and len(parts) == 1:
        return click_type(parts[0])
    if get_origin(hint) is Sequence:
        return names_in
    if get_origin(hint) is Mapping and get_origin(get_args(hint)[1]) is Sequence:
        return names_by_sign
    if {Sequence, Mapping} <= {get_origin(part) for part in parts}:
        return names_or_levels
    if any(get_origin(part) is Sequence for part in parts):
        return name_or_names
    if any(get_origin(part) is Mapping for part in parts):
        return number_or_numbers
    if float in parts:
        return amount
    return hint if hint in (bool, int, float) else str


def name_or_names(text: str) -> str | list[str]:
    """A name, or several names with commas between them; commas in options of a measure separate nothing.

    >>> name_or_names("f_measure(beta=2, average='macro')"), name_or_names("recall, fpr")
    ("f_measure(beta=2, average='macro')", ['recall', 'fpr'])
    """
    names = [part.strip() for part in re.split(BETWEEN_NAMES, text)]
    return names[0] if len(names) == 1 else names


def names_or_levels(text: str) -> list[str] | dict[str, list[float | str]]:
    """Names, or each with two levels.

    >>> names_or_levels("scale,model"), names_or_levels("model=tree:boosting,depth=1:5")
    (['scale', 'model'], {'model': ['tree', 'boosting'], 'depth': [1, 5]})
    """
    if "=" not in text:
        return names_in(text)
    pairs = [part.partition("=") for part in names_in(text)]
    if not all(name.strip() and levels for name, _, levels in pairs):
        raise click.BadParameter(f"it must be names, or each with its levels (model=tree:boosting), got {text!r}")
    return {name.strip(): [number_or_text(level) for level in levels.split(":")] for name, _, levels in pairs}


def names_by_sign(text: str) -> dict[str, list[str]]:
    """Names with a sign before the first of several, as ``*=new:old,•=a:b,c:b``.

    >>> names_by_sign("*=new:old, •=a:b, c:b")
    {'*': ['new:old'], '•': ['a:b', 'c:b']}
    """
    found: dict[str, list[str]] = {}
    sign = ""
    for part in names_in(text):
        before, equals, name = part.partition("=")
        sign = before.strip() if equals else sign
        if not sign:
            raise click.BadParameter(f"it must be a sign and names, such as *=new:old, got {text!r}")
        found.setdefault(sign, []).append((name if equals else before).strip())
    return found


def number_or_text(text: str) -> float | str:
    """A number if the text is one, as a whole number where it is whole; else the text."""
    try:
        number = float(text)
    except ValueError:
        return text.strip()
    return int(number) if number.is_integer() else number


def families_of(texts: Iterable[str]) -> dict[str, list[str]]:
    """The data sets of each family, from texts such as ``letters=letter-a,letter-b``, or ``none``."""
    found: dict[str, list[str]] = {}
    for text in texts:
        if text.strip() == "none":
            found["none"] = []
            continue
        name, _, members = text.partition("=")
        if not name.strip() or not members.strip():
            raise InputError(f"--family must be a name and its data sets, such as letters=a,b, got {text!r}")
        found.setdefault(name.strip(), []).extend(names_in(members))
    return found


def amount(text: str) -> float | str:
    """A number, or a text with a unit, which is read beside the scores.

    >>> amount("0.01"), amount("0.5pp"), amount("95 %")
    (0.01, '0.5pp', '95 %')
    """
    try:
        return float(text)
    except ValueError:
        pass
    from fairtrial.design.amounts import parse

    try:
        if parse(text) is not None:
            return text.strip()
    except InputError as error:
        raise click.BadParameter(str(error)) from None
    raise click.BadParameter(f"it must be a number, with a unit such as 0.5pp or 5% where it has one, got {text!r}")


def number_or_numbers(text: str) -> float | str | dict[str, float | str]:
    """An amount, or the amount of each name, with commas between them.

    >>> number_or_numbers("0.01"), number_or_numbers("accuracy=0.5pp, f_measure(beta=2, average='macro')=0.02")
    (0.01, {'accuracy': '0.5pp', "f_measure(beta=2, average='macro')": 0.02})
    """
    if "=" not in text:
        return amount(text)
    pairs = [part.rpartition("=") for part in re.split(BETWEEN_NAMES, text)]
    if not all(name.strip() for name, _, _ in pairs):
        raise click.BadParameter(f"it must be a number or accuracy=0.5pp,fit_time=10%, got {text!r}")
    return {name.strip(): amount(given) for name, _, given in pairs}


def levels_of(texts: Iterable[str]) -> dict[str, float | str]:
    """The level of each factor; two levels of one factor are refused, since no result is at both."""
    found: dict[str, float | str] = {}
    for name, level in map(_level_of, texts):
        if found.setdefault(name, level) != level:
            raise InputError(f"--at must name one level of each factor, got {name}={found[name]} and {name}={level}")
    return found


def _level_of(text: str) -> tuple[str, float | str]:
    """The factor and the level of a text such as ``label_noise=0.1`` or ``model=svm``."""
    name, equals, level = text.partition("=")
    if not equals or not name.strip() or not level.strip():
        raise InputError(f"--at must be a factor and its level, such as label_noise=0.1, got {text!r}")
    return name.strip(), number_or_text(level.strip())
