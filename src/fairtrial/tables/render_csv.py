"""CSV: the tables of a document with unrounded values, for programs and spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from fairtrial.tables.document import Document, Show, leave_out
from fairtrial.tables.render_json import plain
from fairtrial.tables.table import Table
from fairtrial.words import spreadsheet_text


def render(document: Document, show: Show = leave_out) -> str:  # noqa: ARG001 - a program has no use for pictures
    """Write the tables of a document, with a blank line between two of them."""
    return "\n\n".join(_table(block) for block in document.blocks if isinstance(block, Table))


def _table(table: Table) -> str:
    keys, rows = table.flat()
    return "\n".join([_line(keys), *map(_line, rows)])


def _line(row: Iterable[object]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(map(_cell, row))
    return out.getvalue().removesuffix("\r\n")


def _cell(value: object) -> object:
    plain_value = plain(value)
    if isinstance(plain_value, str):
        return spreadsheet_text(plain_value)
    return "" if plain_value is None else plain_value
