"""Tables and documents as data, one renderer for each output format, and number formats.

Names are imported when they are first used: the command line needs the list of formats before anything else.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairtrial.tables import formats
    from fairtrial.tables.document import (
        Answer,
        Block,
        Document,
        Drawing,
        Facts,
        Folded,
        Heading,
        Numbers,
        Paragraph,
        Picture,
        Point,
        Points,
        References,
        Show,
        Source,
        leave_out,
        render_result,
    )
    from fairtrial.tables.output_formats import FORMATS
    from fairtrial.tables.shown_results import Shown
    from fairtrial.tables.table import Across, Column, Marked, PlusMinus, Strong, Table

__all__ = [
    "FORMATS",
    "Across",
    "Answer",
    "Block",
    "Column",
    "Document",
    "Drawing",
    "Facts",
    "Folded",
    "Heading",
    "Marked",
    "Numbers",
    "Paragraph",
    "Picture",
    "PlusMinus",
    "Point",
    "Points",
    "References",
    "Show",
    "Shown",
    "Source",
    "Strong",
    "Table",
    "formats",
    "leave_out",
    "render_result",
]

_HOMES = {"FORMATS": "output_formats", "Shown": "shown_results"} | dict.fromkeys(
    ("Across", "Column", "Marked", "PlusMinus", "Strong", "Table"), "table"
)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'fairtrial.tables' has no attribute {name!r}")
    if name == "formats":
        return importlib.import_module("fairtrial.tables.formats")
    return getattr(importlib.import_module(f"fairtrial.tables.{_HOMES.get(name, 'document')}"), name)
