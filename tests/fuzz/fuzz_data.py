"""Fuzzer of ``read_dataset`` on CSV and Parquet: features, target, groups, order and weights."""

from __future__ import annotations

import io
from random import Random
from typing import Any
from unicodedata import normalize

import numpy as np
from attempts import attempt, file_with, finding
from fuzzed_tables import Table, are_codes, comma_decimals, damaged, lost, mutated, number, written

from fairtrial.data import read_dataset

N = 12
LABELS = (
    ("a", "b"),
    ("yes", "no"),
    ("0", "1"),
    ("007", "7"),
    ("12345678901234567890123", "12345678901234567890124"),
    ("True", "False"),
)


def classes(random: Random) -> Table:
    labels = random.choice(LABELS)
    rows = [
        (
            f"{random.gauss(0, 1):.3f}",
            random.choice("uvw"),
            str(random.randrange(9)),
            f"2024-01-{i + 1:02}",
            labels[i % 2],
        )
        for i in range(N)
    ]
    return Table(("size", "colour", "count", "day", "class"), tuple(rows))


def values(random: Random) -> Table:
    rows = [
        (f"{random.gauss(0, 1):.3f}", random.choice("uvw"), str(random.randrange(9)), f"{random.random():.4f}")
        for _ in range(N)
    ]
    return Table(("size", "colour", "who", "y"), tuple(rows))


def case(seed: int) -> str | None:
    """Read a data file that may be odd; each column must be that of the file, or a note names it."""
    random = Random(f"data {seed}")
    table = mutated(random.choice((classes, classes, values))(random), random)
    table = comma_decimals(table) if random.random() < 0.15 else table
    if random.random() < 0.03:
        return finding(lambda: _parquet(table, random))
    name, content = written(table, random)
    harmed = random.random() < 0.25
    path = file_with(name, damaged(content, random) if harmed else content)
    options: dict[str, Any] = {}
    for role in ("target", "positive", "task", "groups", "order", "weights"):
        if random.random() < 0.06:
            options[role] = random.choice((*table.titles, "nothing", "a", "classes", "values", "1"))
    return finding(lambda: _compared(path, options, None if harmed or options else table))


def _parquet(table: Table, random: Random) -> str | None:
    import pandas as pd

    if len({len(row) for row in table.rows} | {len(table.titles)}) > 1 or len(set(table.titles)) < len(table.titles):
        return None
    buffer = io.BytesIO()
    pd.DataFrame(list(table.rows), columns=list(table.titles)).to_parquet(buffer)
    content = buffer.getvalue()
    path = file_with("t.parquet", damaged(content, random) if random.random() < 0.7 else content)
    attempt(lambda: read_dataset(path))
    return None


def _compared(path: Any, options: dict[str, Any], table: Table | None) -> str | None:
    data = attempt(lambda: read_dataset(path, **options))
    attempt(lambda: data.fingerprint)
    if table is None:
        return None
    told = " ".join(note.text for note in data.notes)
    if "fewer cells" in told:
        return None
    if data.n != len(table.rows):
        return f"silent: {data.n} rows instead of {len(table.rows)}"
    if any(len(row) > len(table.titles) and any(not lost(c) for c in row[len(table.titles) :]) for row in table.rows):
        return "silent: cells beyond the titles are lost"
    known = {feature.name.lstrip(): j for j, feature in enumerate(data.features)}
    for place, given in enumerate(table.titles):
        cells = [row[place] if place < len(row) else "" for row in table.rows]
        title = given.lstrip(" ") or f"Unnamed: {place}"
        if title in known:
            j = known[title]
            strange = _feature_differs(cells, data.X[:, j], data.features[j], title in told)
        else:
            strange = _other_differs(cells, title, data, told)
        if strange:
            return f"silent: {title!r}: {strange}; notes: {told[:400]}"
    return None


def _feature_differs(cells: list[str], column: Any, feature: Any, named: bool) -> str | None:
    """A feature that is not what its cells say; ``named``: a note tells about it."""
    for cell, value in zip(cells, column, strict=True):
        if lost(cell) != bool(np.isnan(value)):
            return f"{cell!r} was read as {value}"
        if lost(cell):
            continue
        if feature.kind == "nominal":
            read = feature.categories[int(value)]
            if read != normalize("NFC", cell).strip():
                return f"{cell!r} was read as {read!r}"
        elif number(cell) is None and cell.strip().lower() not in ("true", "false") and not named:
            return f"{cell!r} was read as the number {value}"
        elif number(cell) is not None and number(cell) != value and not named:
            return f"{cell!r} was read as {value}"
    numbers = [number(cell) is not None for cell in cells if not lost(cell)]
    if feature.kind == "nominal" and numbers and all(numbers) and not named:
        return "numbers became nominal without a note"
    return None


def _other_differs(cells: list[str], title: str, data: Any, told: str) -> str | None:
    """The target that is not what its cells say; any other column must be named in a note."""
    if title not in told:
        return "the column is gone" if not all(map(lost, cells)) else None
    if "left out" in told or f"column {title!r} is read as numbers" in told:
        return None
    codes = are_codes(cells)
    for cell, value in zip(cells, data.target.tolist(), strict=True):
        read = str(value)
        same = number(cell) == number(read) if number(cell) is not None and number(read) is not None else False
        if read.strip().lower() != normalize("NFC", cell).strip().lower() and (not same or codes):
            return f"{cell!r} was read as {read!r}"
    return None
