"""Fuzzer of ARFF files: ``read_dataset`` and ``parse_arff``, compared with what was written and with scipy's reader."""

from __future__ import annotations

import io
import math
import warnings
from random import Random
from typing import Any

import numpy as np
from attempts import attempt, file_with, finding
from fuzzed_tables import ODD_NUMBERS, ODD_TEXTS, damaged, encoded, number

from fairtrial.data import read_dataset
from fairtrial.data.arff import parse_arff

DATES = (
    "'yyyy-MM-dd'",
    '"yyyy-MM-dd HH:mm:ss"',
    "'yyyy yyyy'",
    "'dd.MM.yyyy'",
    "'HH:mm'",
    "'QQ'",
    "",
    "'%Y'",
    "'yyyy%'",
    "'yyyyMMdd'",
)
SPACES = (" ", "  ", "\t", "\u00a0", "\x0b", "\x1c", "\u2003")


def quoted(text: str) -> str:
    """A text in quotes, with escapes."""
    marks = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "'" + "".join(marks.get(c, c) for c in text) + "'"


def case(seed: int) -> str | None:
    """Read an ARFF file that may be odd: each value must be what was written, or an error says why not."""
    random = Random(f"arff {seed}")
    names = [random.choice(("a", "b b", "c'c", "d", "ü", "%e", "{f")) + str(i) for i in range(random.randrange(2, 6))]
    kinds = [random.choice(("numeric", "real", "INTEGER", "nominal", "nominal", "string", "date")) for _ in names]
    kinds[-1] = "nominal"
    categories = [["u", "v", random.choice(("w", *ODD_TEXTS))] for _ in names]
    rows = [[_cell(random, kind, own, i) for kind, own in zip(kinds, categories, strict=True)] for i in range(8)]
    text = _text(random, names, kinds, categories, rows)
    content, packed = encoded(text, random)
    harmed = random.random() < 0.3
    if harmed:
        content = damaged(content, random)
    path = file_with("t.arff.gz" if packed else "t.arff", content)
    return finding(lambda: _compared(path, None if harmed else text, names, kinds, rows))


def _cell(random: Random, kind: str, categories: list[str], i: int) -> str | None:
    if random.random() < 0.05:
        return None
    if kind == "nominal":
        return categories[i % 2] if random.random() < 0.97 else random.choice((*categories, "other"))
    if kind == "string":
        return random.choice(ODD_TEXTS)
    if kind == "date":
        return random.choice(
            ("2024-01-31", "1999-12-01", "2024-02-30", "٢٠٢٤-٠١-٠٣", "31.01.2024", "12:30", "20240131")
        )
    return f"{random.gauss(0, 10):.4g}" if random.random() < 0.97 else random.choice(ODD_NUMBERS)


def _text(
    random: Random, names: list[str], kinds: list[str], categories: list[list[str]], rows: list[list[str | None]]
) -> str:
    end, space = random.choice(("\n", "\n", "\r\n", "\r")), random.choice(SPACES) if random.random() < 0.2 else " "
    lines = ["% a comment", f"@relation{space}r"]
    for name, kind, own in zip(names, kinds, categories, strict=True):
        declared = kind
        if kind == "nominal":
            declared = "{" + ",".join(quoted(c) for c in own) + "}"
        elif kind == "date":
            declared = f"date {random.choice(DATES)}" if random.random() < 0.5 else "date 'yyyy-MM-dd'"
        lines.append(f"@attribute{space}{quoted(name)}{space}{declared}")
    lines.append(random.choice(("@data", "@DATA", "@data " + space)))
    for row in rows:
        cells = ["?" if c is None else c if number(c) is not None else quoted(c) for c in row]
        if random.random() < 0.1:
            lines.append("{" + ", ".join(f"{i} {c}" for i, c in enumerate(cells)) + "}")
        elif random.random() < 0.05:
            lines.append(
                random.choice(
                    (
                        space,
                        "%",
                        "{0 1",
                        "{0 1, 0 2}",
                        "{99999999999999999999 1}",
                        "'",
                        "," * len(cells),
                        "{" + "9" * 5000 + " 1}",
                    )
                )
            )
        else:
            lines.append(random.choice((",", ", ", f",{space}")).join(cells))
    return end.join(lines) + end


def _compared(
    path: Any, text: str | None, names: list[str], kinds: list[str], rows: list[list[str | None]]
) -> str | None:
    strange = None if text is None else _differences(text, names, kinds, rows)
    attempt(lambda: read_dataset(path).fingerprint)
    return strange


def _differences(text: str, names: list[str], kinds: list[str], rows: list[list[str | None]]) -> str | None:
    table = attempt(lambda: parse_arff(text))
    if list(table.names) != names:
        return f"silent: attributes {table.names} instead of {names}"
    for name, kind, column in zip(names, kinds, zip(*rows, strict=True), strict=True):
        read = table.values(name)
        if len(read) != len(rows) or kind == "date":
            continue  # a line was replaced above, or the format is not that of the date
        for cell, value in zip(column, read, strict=True):
            if not _same(cell, value, kind):
                return f"silent: {cell!r} of {kind} {name!r} was read as {value!r}"
    return _unlike_scipy(text, table)


def _same(cell: str | None, value: Any, kind: str) -> bool:
    if kind in ("nominal", "string"):
        return bool(cell == value)
    if cell is None:
        return math.isnan(value)
    return number(cell) == value or cell.lower().lstrip("+-") in ("inf", "infinity", "nan")


def _unlike_scipy(text: str, table: Any) -> str | None:
    """The first numeric column that scipy reads in another way, where it can read the file."""
    from scipy.io import arff

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            data, _ = arff.loadarff(io.StringIO(text))
    except Exception:  # noqa: BLE001 - scipy has several kinds of errors for what it can't read
        return None
    for attribute, column in zip(table.attributes, table.columns, strict=True):
        if attribute.kind != "numeric" or attribute.name not in data.dtype.names:
            continue
        if not np.array_equal(np.asarray(column), data[attribute.name], equal_nan=True):
            return f"silent: scipy reads {attribute.name!r} as {data[attribute.name][:5]}, we as {column[:5]}"
    return None
