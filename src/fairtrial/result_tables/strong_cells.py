"""Which scores of a table are bold: the best, all that are not distinguishable from it, or a winner."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.choices import STRONGEST, Strongest
from fairtrial.errors import UnknownName
from fairtrial.result_tables.dataset_tests import DatasetTests
from fairtrial.result_tables.score_cells import FloatArray, ScoreCells
from fairtrial.stats.comparisons import all_pairs
from fairtrial.verdict.designs.pair_tests import SIMULTANEOUS
from fairtrial.words import plural

SAME = 12
"""Means that agree to this many decimals are ties: the rest is rounding."""


@dataclass(frozen=True, eq=False)
class StrongCells:
    """Whether each score is bold, data sets × methods, and the note that says what that means."""

    bold: NDArray[np.bool_]
    note: str = ""
    explain: str = ""


def best_of(means: FloatArray, *, higher: bool) -> NDArray[np.bool_]:
    """Whether each mean is the best of its row; tied means all are, and a method alone is not.

    >>> best_of(np.array([[0.9, 0.9, 0.8], [0.2, np.nan, 0.1]]), higher=True).tolist()
    [[True, True, False], [True, False, False]]
    """
    rounded = np.round(means, SAME)
    extreme = np.fmax.reduce if higher else np.fmin.reduce
    found: NDArray[np.bool_] = rounded == extreme(rounded, axis=1, initial=np.nan)[:, None]
    return np.asarray(found & (np.isfinite(means).sum(axis=1) > 1)[:, None])


def strong_cells(
    cells: ScoreCells, tests: DatasetTests, strong: Strongest | None, where: str = "on each data set"
) -> StrongCells:
    """The bold scores: by default those that are not distinguishable from the best, where that can be tested.

    ``where`` says in the note what the best is the best of. Unless another adjustment is asked for, each row is a
    family of its own: Bonferroni over the comparisons with its best. The truly best method is left plain only if one of
    its rivals beats it, and these are as many: so that happens with a probability of at most 1 − level.
    """
    if strong is not None and strong not in STRONGEST:
        raise UnknownName.among("choice of bold scores", strong, STRONGEST)
    none = StrongCells(np.zeros(cells.means.shape, dtype=np.bool_))
    if not cells.measure.directed or cells.compared.sum() < 2 or strong == "none":
        return none
    means = np.where(cells.compared, cells.means, np.nan)
    best = best_of(means, higher=cells.measure.higher_is_better)
    if not best.any():
        return none
    strong = strong or ("indistinguishable" if any(tests.possible) else "best")
    if strong == "best":
        return StrongCells(best, f"bold: the best {where}; nothing is tested", BEST)
    tests.require(f"strong={strong!r}")
    own = where if tests.adjust is None else ""
    if strong == "winner":
        wins = f"significantly better than every other method {where.replace('each', 'that')}"
        rows = [_winner(i, row, means[i], tests) for i, row in enumerate(best)]
        return StrongCells(np.array(rows), f"bold: {wins} ({_winner_test(tests, own)})", WINNER)
    family = None if own else _pairs_on_all(means, tests)
    rows = [_not_worse(i, row, means[i], tests, family) for i, row in enumerate(best)]
    untested = "" if all(tests.possible) else "; only the best where the split scheme is unknown"
    test = tests.in_words(family or int(cells.compared.sum()) - 1, own)
    note = f"bold: the best {where}, and all that are not distinguishable from it ({test})"
    return StrongCells(np.array(rows), note + untested, OPEN)


BEST = "Bold numbers are the best; whether they are significantly better than the others was not tested."
WINNER = "A bold number is significantly better than those of all other methods; there need not be one."
OPEN = "Bold numbers are not distinguishable from the best; plain numbers are significantly worse than it."


def _others(best: int, means: FloatArray) -> list[int]:
    return [m for m in np.flatnonzero(np.isfinite(means)).tolist() if m != best]


def _winner(i: int, best: NDArray[np.bool_], means: FloatArray, tests: DatasetTests) -> NDArray[np.bool_]:
    """The best of a data set, if it beats every other; a tie has no winner."""
    first = int(best.argmax())
    won = best.sum() == 1 and tests.beats_all(i, first, _others(first, means))
    return best if won else np.zeros_like(best)


def _not_worse(
    i: int, best: NDArray[np.bool_], means: FloatArray, tests: DatasetTests, family: int | None
) -> NDArray[np.bool_]:
    """The best of a data set, and all that are not distinguishable from it; a winner stands alone."""
    if not best.any() or not tests.possible[i] or _winner(i, best, means, tests).any():
        return best
    first = int(best.argmax())
    others = _others(first, means)
    signs = tests.signs(i, [(first, other) for other in others], family or len(others))
    found = best.copy()
    found[[other for other, sign in zip(others, signs, strict=True) if sign <= 0]] = True
    return found


def _pairs_on_all(means: FloatArray, tests: DatasetTests) -> int:
    """The number of pairs on all data sets that can be tested on: which one is the best is not known beforehand."""
    there = np.isfinite(means).sum(axis=1)
    return sum(len(all_pairs(int(k))) for k, possible in zip(there, tests.possible, strict=True) if possible)


def _winner_test(tests: DatasetTests, own: str) -> str:
    """The tests behind a winner: each against one other method, adjusted for the number of data sets at most."""
    if tests.adjust != SIMULTANEOUS:
        return tests.in_words(1 if own else sum(tests.possible), own).replace(" on each data set,", ",")
    n = sum(tests.possible)
    return tests.in_words(n).replace(f"over {plural(n, 'test')}", f"over {plural(n, 'data set')}")
