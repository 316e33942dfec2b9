"""The confusion matrix of a method, with shares, margins and the rates of each class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairtrial.errors import InputError
from fairtrial.measures import ConfusionMatrix
from fairtrial.result_tables.named_tables import table_of
from fairtrial.results.analyses.tested_methods import one_dataset
from fairtrial.tables import Column, Table, formats
from fairtrial.words import plural, quoted

if TYPE_CHECKING:
    from fairtrial.results import Results

MOST_WITH_SHARES = 8
RATES = ("recall", "precision", "f_measure")
EXPLAIN = (
    "Each row is a true class, and each column a predicted one: the diagonal has what was predicted right. Recall is "
    "the share of a class that was found, precision the share of its predictions that are right, and F their harmonic "
    "mean. The last rows have the sums of the columns, and the plain average of the rates over classes."
)
SHARES = " In brackets is the share of the true class, so that each row adds up to 100 %."


@table_of("confusion")
def confusion(
    results: Results,
    *,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
    percent: bool | None = None,
    decimals: int | None = None,
) -> Table:
    """Counts and shares of true and predicted classes, and recall, precision and F of each class."""
    name = one_dataset(results, dataset)
    known = results.method_names()
    chosen = list(methods) if methods is not None else list(known)
    if len(chosen) != 1:
        raise InputError(
            f"methods must name one method (methods=['…'], --methods), since a confusion matrix is of one, got "
            f"{quoted(chosen)}"
        )
    matrix = results.confusion_matrix(chosen[0], name)
    scheme = results.dependence[name].scheme if name in results.dependence else "one test set"
    write = _rate_format(percent, decimals)
    return _table(matrix, f"{chosen[0]} on {name}, predictions over {scheme}", write)


def _rate_format(percent: bool | None, decimals: int | None) -> formats.Formatter:
    """Rates as shares, or as percentages without their sign."""
    if not percent:
        return formats.fixed(3 if decimals is None else decimals)
    places = 1 if decimals is None else decimals

    return lambda value: formats.fixed(places)(100 * value if isinstance(value, (int, float)) else value)


def _table(matrix: ConfusionMatrix, about: str, write: formats.Formatter) -> Table:
    long, k = _long(matrix), len(matrix.classes)
    wide = (len(long.columns) - 2 - len(RATES)) // 2  # predicted classes, and perhaps 'none of them'
    shares, none = k <= MOST_WITH_SHARES, (None,) * wide
    rows = []
    for row in long.rows:
        cells = map(_cell, row[1 : 1 + wide], row[2 + wide : 2 + 2 * wide] if shares else none)
        rows.append((row[0], *cells, row[1 + wide], *row[2 + 2 * wide :]))
    columns = (
        long.columns[0],
        *(Column(column.title, formats.count) for column in long.columns[1 : 2 + wide]),
        *(Column("F" if rate == "f_measure" else rate, write, key=rate) for rate in RATES),
    )
    accuracy = formats.fixed(3)(matrix.measure("accuracy"))
    caption = f"{about}: {plural(int(matrix.total), 'prediction')}, truth in rows, accuracy {accuracy}"
    explain = EXPLAIN + (SHARES if shares else "")
    return Table(columns, tuple(rows), caption, matrix.notes, (k,), explain=explain, long=long)


def _cell(count: object, share: object) -> object:
    """A count, with its share in brackets where it has one."""
    return count if share is None else f"{formats.count(count)} ({formats.percent(share)})"


def _long(matrix: ConfusionMatrix) -> Table:
    """The matrix with a column for each number: counts, shares of the true class, and rates."""
    plain = matrix.to_table()
    wide = len(plain.columns) - 3  # without the class, the sum and the recall
    rows: list[tuple[object, ...]] = []
    for i, row in enumerate(plain.rows):
        counts, total = [_number(c) for c in row[1 : 1 + wide]], _number(row[1 + wide])
        shares = [c / total if total else math.nan for c in counts]
        of_class = i < len(matrix.classes)
        rates = [matrix.measure(rate, positive=matrix.classes[i]) if of_class else None for rate in RATES]
        rows.append((row[0], *map(_whole, counts), _whole(total), *shares, *rates))
    averages = (matrix.measure(rate, average="macro") for rate in RATES)
    rows.append(("average", *(None,) * (2 * wide + 1), *averages))
    names = [c.title for c in plain.columns[1 : 1 + wide]]
    columns = (
        plain.columns[0],
        *map(Column, names),
        Column("all"),
        *(Column(f"{name} (share)", key=f"{name}_share") for name in names),
        *map(Column, RATES),
    )
    return Table(columns, tuple(rows))


def _whole(value: float) -> float:
    return int(value) if value.is_integer() else value


def _number(value: object) -> float:
    return float(value)  # type: ignore[arg-type]
