"""Which way round a table lies, by evidence: are its rows data sets or methods?"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fairtrial.choices import Rows
from fairtrial.errors import InputError
from fairtrial.results.readers.known_names import kind_of_name, leaning, words_in, words_of
from fairtrial.results.readers.read_table import UNTITLED, role_of
from fairtrial.results.score_measures import is_known_measure
from fairtrial.words import quoted

TITLE = 5.5  # the weight of a title that says what rows are: more than names on one side (4), less than on both


def lies_by(title: str, rows: Sequence[str], columns: Sequence[str], numbers: NDArray[np.float64], file: str) -> Rows:
    """What the rows of a table are, from the title above their names, the names of both, and their numbers.

    Data sets differ more than methods do, and there are more of them. Where the evidence is too weak, or contradicts
    itself, it is asked for.

    >>> lies_by("Data set", ["C4", "1R"], ["IR", "LA", "MU"], np.array([[93.8, 77.2, 100], [95.9, 87.4, 98.4]]), "t")
    'methods'
    """
    by_title = _says(title)
    by_names = leaning(rows) - leaning(columns)
    score = by_title + by_names + _by_numbers(numbers)
    if abs(score) >= 1:
        return "datasets" if score > 0 else "methods"
    shown = repr(title) if title != UNTITLED else "no title"
    raise InputError(
        f"{file}: the rows may be data sets or methods ({shown} above {rows[0]!r}, beside {columns[0]!r}), and neither "
        "names nor numbers tell; say rows='datasets' or rows='methods' (--rows)"
    )


def _says(title: str) -> float:
    r"""What a title says of the rows: positive for data sets; ``algorithm \ dataset`` names rows and columns.

    >>> _says("Dataset"), _says("Model name"), _says("algorithm \\ dataset"), _says("x")
    (5.5, -5.5, -5.5, 0.0)
    """
    parts = [part for part in re.split(r"[\\/|↓→]|\bvs\b", title) if part.strip()]
    roles = [role_of(part) for part in parts[:1] if title != UNTITLED]
    return TITLE * (("dataset" in roles) - ("method" in roles))


def _by_numbers(numbers: NDArray[np.float64]) -> float:
    """What the numbers say: which of the two differ more, and of which there are more."""
    more = 0.5 * np.sign(numbers.shape[0] - numbers.shape[1])
    whole = numbers[~np.isnan(numbers).any(axis=1)]
    if whole.shape[0] < 3 or whole.shape[1] < 2:
        return float(more)
    if whole.min() > 0 and whole.max() > 50 * whole.min():
        whole = np.log(whole)
    down, across = whole.mean(axis=1).std(ddof=1), whole.mean(axis=0).std(ddof=1)
    return float(more + (down > 1.5 * across) - (across > 1.5 * down))


QUANTITIES = words_in("""
score scores elo rating winrate win rate mrr q025 q975 low high lower upper tokens time seconds s ms cost price latency
alpha dropout lr epochs batch depth
memory mb gb flops improvability loss error errors count counts votes avg rank imputed normalized
""")


def refuse_quantities(titles: Sequence[str], name: str) -> None:
    """Refuse a board of methods whose columns are quantities, not data sets."""
    strange = [c for c in titles if set(words_of(c)) & QUANTITIES or is_known_measure(c)]
    if strange and not any(kind_of_name(c) == "data set" for c in strange):
        raise InputError(
            f"{name}: the rows are methods, so the other columns must be data sets, but {quoted(strange)} "
            f"{'seems' if len(strange) == 1 else 'seem'} to be something else; name the one column with scores, "
            f"value={strange[0]!r} (--columns value={strange[0]}), or say rows='methods' (--rows) if all are data sets"
        )
