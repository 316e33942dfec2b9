"""Errors on the command line speak of its options, where the same errors in a program speak of arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable

import click

from fairtrial.cli.reading import ROLES

VALUE = r"('[^']*'|\[[^\]]*\]|…|[^\s,;:()]+)"
CALLS = {
    "effects": "`fairtrial compare FILE --effects`",
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
