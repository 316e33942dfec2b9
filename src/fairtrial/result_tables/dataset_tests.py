"""Tests of two methods on each data set by itself, for the bold numbers and the signs of a table of scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from fairtrial.errors import InputError, UnknownName
from fairtrial.resampling import score_unit
from fairtrial.result_tables.score_cells import ScoreCells
from fairtrial.stats import adjust as adjusted_p
from fairtrial.stats import corrected_t, paired_t
from fairtrial.stats.multiplicity import ADJUSTMENTS, TITLES
from fairtrial.verdict.designs.comparison_table import PER_DATASET_TESTS
from fairtrial.verdict.designs.decide import SIMULTANEOUS
from fairtrial.verdict.designs.one_dataset import correction_in_words
from fairtrial.words import plural

UNKNOWN = "the split scheme is unknown; say resampling='10x10-fold' when reading the scores (--resampling)"


@dataclass(frozen=True, eq=False)
class DatasetTests:
    """Tests on each data set: by default the corrected resampled t of verdicts, or the one that ``test`` names.

    ``test="corrected_t"`` is WEKA's, which knows no further correction for repeats; ``"paired_t"`` is far too liberal
    for folds. ``adjust`` is ``"simultaneous"`` (Bonferroni over all tests that a sign or the bold numbers need, on all
    data sets), an adjustment over the tests on one data set, or ``"none"``. By default signs are adjusted over all data
    sets, and bold numbers on each data set by itself.
    """

    cells: ScoreCells
    level: float
    adjust: str | None = None
    test: str | None = None
    _known: dict[tuple[int, int, int], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.test is not None and self.test not in PER_DATASET_TESTS:
            raise UnknownName.among("test per data set", self.test, PER_DATASET_TESTS)
        if self.adjust is not None and self.adjust not in (SIMULTANEOUS, *ADJUSTMENTS):
            raise UnknownName.among("adjustment", self.adjust, (SIMULTANEOUS, *ADJUSTMENTS))

    @property
    def possible(self) -> tuple[bool, ...]:
        """Whether each data set can be tested on: it has several splits, whose scheme is known."""
        return self.cells.is_resampled

    def require(self, what: str) -> None:
        """Refuse what needs tests, where no data set has several splits whose scheme is known."""
        if not any(self.possible):
            seeds = score_unit(self.cells.evidence.dependence) == "seed"
            why = f"these are seeds on one split; {self.cells.evidence.dependence[0].lacking}" if seeds else UNKNOWN
            raise InputError(f"{what} needs tests on each data set, but {why}, or leave it out")

    def p_value(self, i: int, first: int, second: int) -> float:
        """The two-sided p-value of two methods on a data set; nan where they can't be tested."""
        place = i, min(first, second), max(first, second)
        if place not in self._known:
            self._known[place] = self._p_value(*place)
        return self._known[place]

    def _p_value(self, i: int, first: int, second: int) -> float:
        folds = self.cells.evidence.folds[i][:, [first, second]]
        folds = folds[np.isfinite(folds).all(axis=1)]
        if not self.possible[i] or len(folds) < 2:
            return float("nan")
        dependence = self.cells.evidence.dependence[i]
        overlap = dependence.overlap if self.test is None else 1.0
        corrected = partial(corrected_t, test_share=dependence.test_share, overlap=overlap)
        run = paired_t if self.test == "paired_t" else corrected
        return float(run(folds[:, 0], folds[:, 1]).p_value)

    def signs(self, i: int, pairs: Sequence[tuple[int, int]], family: int) -> list[int]:
        """Whether the first of each pair is better (1) or worse (−1) than the second on a data set, or neither (0)."""
        p = [self.p_value(i, a, b) for a, b in pairs]
        different = self._significant(p, family)
        means = self.cells.evidence.sign * self.cells.means[i]
        return [int(np.sign(means[a] - means[b])) if d else 0 for (a, b), d in zip(pairs, different, strict=True)]

    def _significant(self, p: Sequence[float], family: int) -> list[bool]:
        alpha = 1 - self.level
        if self.adjust in (None, SIMULTANEOUS):
            return [value < alpha / family for value in p]
        known = [value for value in p if value == value]
        adjusted = iter(adjusted_p(known, self.adjust) if known else ())
        return [value == value and next(adjusted) < alpha for value in p]

    def beats_all(self, i: int, best: int, others: Sequence[int]) -> bool:
        """Whether the best beats each of the others in a test of its own, as the winner of a verdict must.

        That needs no adjustment for the number of methods; where all data sets are one family, it is Bonferroni's.
        """
        alpha = (1 - self.level) / (sum(self.possible) if self.adjust == SIMULTANEOUS else 1)
        p = [self.p_value(i, best, other) for other in others]
        return bool(p) and all(value < alpha for value in p)

    def in_words(self, family: int, own: str = "") -> str:
        """The test, its adjustment and its level, for a note; ``own`` says where there is a family of bold numbers."""
        first = self.cells.evidence.dependence[self.possible.index(True)]
        name = {
            None: f"corrected resampled t{correction_in_words(first)}",
            "corrected_t": "corrected resampled t",
            "paired_t": "plain paired t, which is far too liberal for folds",
        }[self.test]
        level = f"level {1 - self.level:.3g}" + (f" {own} by itself" if own else "")
        return ", ".join(part for part in (name, self._adjustment(family, own), level) if part)

    def _adjustment(self, family: int, own: str) -> str:
        if family == 1:
            return ""
        if own:
            return "Bonferroni over the comparisons with the best"
        if self.adjust in (None, SIMULTANEOUS):
            return f"Bonferroni over {plural(family, 'test')}"
        return "unadjusted" if self.adjust == "none" else f"{TITLES.get(self.adjust, self.adjust)} on each data set"
