"""The list of layouts, and how people write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING
from typing import Any, cast

from fairtrial.design.layouts.central_composite import BoxBehnken, CentralComposite
from fairtrial.design.layouts.chosen_rows import BestGuess, OneAtATime
from fairtrial.design.layouts.d_optimal import DOptimal
from fairtrial.design.layouts.fractional import Fractional, FullFactorial
from fairtrial.design.layouts.layout import Layout, option_fields
from fairtrial.design.layouts.plackett_burman import DefinitiveScreening, PlackettBurman
from fairtrial.design.layouts.space_filling import Halton, LatinHypercube
from fairtrial.errors import InputError, UnknownName
from fairtrial.tables import Column, Table
from fairtrial.words import listed, quoted, shown

_CLASSES: tuple[type[Any], ...] = (
    BestGuess,
    OneAtATime,
    FullFactorial,
    Fractional,
    PlackettBurman,
    LatinHypercube,
    Halton,
    CentralComposite,
    BoxBehnken,
    DefinitiveScreening,
    DOptimal,
)

LAYOUTS: dict[str, type[Any]] = {layout.kind: layout for layout in _CLASSES}
"""The classes of layouts, by kind."""


def parse_layout(given: Layout | str | Mapping[str, Any]) -> Layout:
    """A layout from itself, from its kind, or from a table of a study file: the kind and its options.

    The kind may be written with any case, and with hyphens, dashes or spaces.

    >>> parse_layout("full factorial")
    FullFactorial(levels=2, center=0, blocks=None)
    >>> parse_layout({"kind": "plackett-burman", "runs": 12})
    PlackettBurman(runs=12, center=0)
    """
    if isinstance(given, str):
        return _made(given, {})
    if isinstance(given, Mapping):
        if not isinstance(given.get("kind"), str):
            raise InputError(f"a layout needs a kind, such as {{'kind': 'full factorial'}}, got {shown(dict(given))}")
        return _made(given["kind"], {key: value for key, value in given.items() if key != "kind"})
    if isinstance(given, _CLASSES) or callable(getattr(given, "lay_out", None)):
        return given
    raise InputError(f"a layout must be a layout, its name or a table with its kind and options, got {shown(given)}")


def _plain(kind: str) -> str:
    return " ".join(kind.casefold().replace("–", " ").replace("-", " ").replace("_", " ").split())


def _made(kind: str, options: Mapping[str, Any]) -> Layout:
    by_plain = {_plain(known): layout for known, layout in LAYOUTS.items()}
    if _plain(kind) not in by_plain:
        raise UnknownName.among("layout", kind, LAYOUTS)
    layout = by_plain[_plain(kind)]
    known = option_fields(layout)
    for name in options:
        if name not in known:
            raise UnknownName.among(f"option of a {layout.kind} layout", name, known)
    needed = [n for n, f in known.items() if f.default is MISSING and f.default_factory is MISSING]
    missing = [name for name in needed if name not in options]
    if missing:
        raise InputError(f"a {layout.kind} layout needs {listed(missing)}, got {quoted(options) or 'no options'}")
    return cast(Layout, layout(**{name: _frozen(value) for name, value in options.items()}))


def _frozen(value: object) -> object:
    """Lists of a file as tuples, so that the layout can't change."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def layouts_table() -> Table:
    """All layouts with their options and what they are."""
    rows = tuple(
        (kind, ", ".join(option_fields(layout)), (layout.__doc__ or "").strip().splitlines()[0])
        for kind, layout in LAYOUTS.items()
    )
    columns = tuple(Column(title, align="left") for title in ("layout", "options", "what it is"))
    return Table(columns=columns, rows=rows, caption="layouts of experiments with several factors")
