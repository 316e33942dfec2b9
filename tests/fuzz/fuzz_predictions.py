"""Fuzzer of ``read_predictions``: wide and long tables of labels, values, scores and probabilities."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from attempts import attempt, file_with, finding
from fuzzed_tables import Table, are_codes, comma_decimals, damaged, lost, mutated, number, written

from fairtrial.results import read_predictions

N = 12
CLASSES = (
    ("a", "b"),
    ("cat", "dog", "cow"),
    ("0", "1"),
    ("1", "2", "3"),
    ("007", "7"),
    ("yes", "no"),
    ("True", "False"),
)


def wide_labels(random: Random) -> Table:
    classes = random.choice(CLASSES)
    truth = [classes[i % len(classes)] for i in range(N)]
    rows = [(t, _near(random, t, classes), _near(random, t, classes)) for t in truth]
    return Table(("truth", "m1", "m2"), tuple(rows))


def wide_values(random: Random) -> Table:
    rows = [(f"{i * 1.37:.3f}", f"{i * 1.3 + random.random():.3f}", f"{i + 2 * random.random():.2f}") for i in range(N)]
    return Table(("truth", "m1", "m2"), tuple(rows))


def wide_shares(random: Random) -> Table:
    rows = [(str(i % 2), f"{random.random():.3f}", f"{random.random():.3f}") for i in range(N)]
    return Table(("truth", "m1", "m2"), tuple(rows))


def long_labels(random: Random) -> Table:
    classes = random.choice(CLASSES)
    rows = [
        (d, m, str(i), classes[i % len(classes)], _near(random, classes[i % len(classes)], classes))
        for d in ("iris", "01")
        for m in ("m1", "m2")
        for i in range(N)
    ]
    return Table(("dataset", "method", "instance", "truth", "label"), tuple(rows))


def long_probabilities(random: Random) -> Table:
    rows = []
    for m in ("m1", "m2"):
        for i in range(N):
            p = random.random()
            rows.append((m, str(i), "ab"[i % 2], f"{p:.3f}", f"{1 - round(p, 3):.3f}"))
    return Table(("method", "instance", "truth", "p_a", "p_b"), tuple(rows))


def long_values(random: Random) -> Table:
    rows = [
        (m, str(i), f"{i * 0.7:.2f}", f"{i * 0.7 + random.gauss(0, 1):.3f}", f"{random.random():.2f}")
        for m in ("m1", "m2")
        for i in range(N)
    ]
    return Table(("method", "instance", "truth", "value", "std"), tuple(rows))


def _near(random: Random, label: str, classes: tuple[str, ...]) -> str:
    return label if random.random() < 0.7 else random.choice(classes)


SHAPES = (wide_labels, wide_labels, wide_values, wide_shares, long_labels, long_labels, long_probabilities, long_values)


def case(seed: int) -> str | None:
    """Read a table of predictions that may be odd; truth and predictions must be those of the table."""
    random = Random(f"predictions {seed}")
    shape = random.choice(SHAPES)
    table = mutated(shape(random), random)
    table = comma_decimals(table) if random.random() < 0.1 else table
    name, content = written(table, random)
    harmed = random.random() < 0.25
    path = file_with(name, damaged(content, random) if harmed else content)
    options: dict[str, Any] = {}
    for role in ("truth", "dataset", "method", "instance", "fold", "repeat", "cluster", "positive", "measure"):
        if random.random() < 0.05:
            options[role] = random.choice((*table.titles, "nothing", "accuracy", "rmse", "1"))
    compared = None if harmed or set(options) else table
    return finding(lambda: _compared(path, options, compared))


def _compared(path: Any, options: dict[str, Any], table: Table | None) -> str | None:
    results = attempt(lambda: read_predictions(path, **options))
    frame = attempt(lambda: results.predictions)
    if table is None or "truth" not in table.titles:
        return None
    told = " ".join((*results.notes, str(results.reading)))
    if "fewer cells" in told or "decimal comma" in told:
        return None
    if "instance" in table.titles and "method" in table.titles:
        return _long_differences(frame, table)
    return _wide_differences(frame, table)


def _wide_differences(frame: Any, table: Table) -> str | None:
    rows = [row for row in table.rows if not all(map(lost, row))]
    if frame["dataset"].nunique() > 1:  # a title made data sets of the rows, and brought those of each together
        first = frame["method"] == frame["method"].iloc[0]
        return _long_differences(frame[first], table)
    for method, own in frame.groupby("method", sort=False):
        if len(own) != len(rows):
            return f"silent: {len(own)} rows of {method} instead of {len(rows)}"
        for title, column in (("truth", "truth"), (str(method), _predicted(own))):
            if column is not None and title in table.titles:
                at = table.titles.index(title)
                if (strange := _differs([row[at] for row in rows], own[column], column)) is not None:
                    return f"silent: {title} {strange}"
    return None


def _predicted(own: Any) -> str | None:
    """The column that has the predictions as the table has them; shares become two columns."""
    return next(
        (c for c in ("value", "score") if c in own and own[c].notna().any()), "label" if "label" in own else None
    )


def _long_differences(frame: Any, table: Table) -> str | None:
    """Each truth of the table must be there as often as it was read."""
    at = table.titles.index("truth")
    cells = [row[at] for row in table.rows if not all(map(lost, row))]
    codes = are_codes(cells)
    texts = sorted(_text(cell, codes) for cell in cells)
    read = sorted(_text(str(v), codes) for v in frame["truth"])
    return None if texts == read else f"silent: truths {read[:6]} instead of {texts[:6]}"


def _differs(cells: list[str], read: Any, column: str) -> str | None:
    codes = are_codes(cells) and read.dtype.kind not in "iuf"
    for cell, value in zip(cells, read, strict=True):
        if value is None or value != value or (column == "label" and "p_" in cell):
            continue  # a label that is none of the classes counts as wrong, and a note says so
        if (
            column == "label"
            and number(cell) is not None
            and not np.isclose(number(cell) or 0, round(number(cell) or 0))
        ):
            return None  # numbers between 0 and 1 are shares, of which labels are made
        if _text(cell, codes) != _text(str(value), codes):
            return f"{value!r} instead of {cell!r}"
    return None


def _text(cell: str, codes: bool) -> str:
    """A cell, where numbers may have been written in other ways, unless they are codes."""
    text, value = cell.strip(), number(cell)
    if text.lower() in ("true", "false"):
        return text.lower()
    return text if value is None or codes else repr(value + 0.0)
