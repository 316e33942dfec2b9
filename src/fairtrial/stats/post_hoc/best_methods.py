"""Which method is best: the one winner, where there is one, and the set of methods that may be best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.choices import ESTIMANDS, Estimand
from fairtrial.errors import InputError
from fairtrial.stats.bibliography import GUTMANN_MAYMIN_1987, HUNG_FITHIAN_2019, ROMANO_WOLF_2005, WILCOXON_1945
from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.outcome import Outcome, check_level
from fairtrial.stats.over_datasets.wilcoxon import EXACT_PAIRS
from fairtrial.stats.post_hoc.joint_flips import DRAWS, Family, Maxima, joint_flips, mean_flips, signed_sum, strongest
from fairtrial.stats.post_hoc.wilcoxon_matrix import wilcoxon_matrix
from fairtrial.stats.procedures import COMPARABLE, POST_HOC, procedure
from fairtrial.stats.score_arrays import FloatArray, IntArray, ScoreTable, differences, score_table
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import is_one_of, listed

NULL_WINNER = "some other method is as good as the first or better"
NULL_BEST = "for each method: it is as good as every other"


@procedure(
    question=POST_HOC,
    null=NULL_WINNER,
    assumes=COMPARABLE,
    references=(GUTMANN_MAYMIN_1987, HUNG_FITHIAN_2019, WILCOXON_1945),
    test="Sole winner",
)
def sole_winner(
    table: npt.ArrayLike,
    *,
    higher_is_better: bool = True,
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Outcome:
    r"""Test whether one method is better than every other, over data sets (rows).

    Null hypothesis: some other method is as good as the first or better, where the first is the method that is ahead
    of every other by its signed-rank sums.

    The method is called the winner when Wilcoxon's two-sided test is significant against *each* of the others. The
    p-value is the largest of these,

    .. math:: p = \max_{j \neq w} p_{wj},

    without an adjustment for their number: to call a winner wrongly, the one test against the method that truly is as
    good must err. Choosing the candidate after seeing the scores costs nothing as long as the tests are two-sided.
    So a winner can be named with 6 data sets, however many methods are compared. Equal scores are ranked and have no
    sign (``zeros="pratt"``), as in :func:`joint_intervals`. Where no method is ahead of every other,
    p = 1. ``details`` names the ``candidate``, the ``winner`` (None where p is not below 1 − level) and the p-value
    against each other method. The statistic is the smallest of the candidate's signed-rank sums.

    References: Gutmann & Maymin (1987), Annals of Statistics 15:456-461; Hung & Fithian (2019),
    doi:10.1214/17-AOS1634; Wilcoxon (1945), doi:10.2307/3001968.

    >>> scores = [[9, 7, 1], [8, 6, 2], [7, 4, 3], [9, 5, 1], [8, 4, 5], [9, 3, 8], [7, 0, 4], [9, 1, 2]]
    >>> found = sole_winner(scores, names=["A", "B", "C"])
    >>> found.details["winner"], found.p_value
    ('A', 0.0078)
    """
    check_level(level)
    scores = score_table(table, names)
    sums = _signed_sums(scores, higher_is_better)
    p = wilcoxon_matrix(scores.scores, zeros="pratt")
    ahead = [m for m in range(scores.k) if (np.delete(sums[m], m) > 0).all()]
    against = {} if not ahead else {scores.names[j]: float(p[ahead[0], j]) for j in range(scores.k) if j != ahead[0]}
    value = max(against.values(), default=1.0)
    candidate = scores.names[ahead[0]] if ahead else None
    return Outcome(
        test="Sole winner",
        null=NULL_WINNER,
        statistic=float(np.delete(sums[ahead[0]], ahead[0]).min() / 2) if ahead else float("nan"),
        p_value=value,
        n=scores.n,
        method="exact" if scores.n <= EXACT_PAIRS else "asymptotic",
        notes=() if ahead else ("no method is ahead of every other",),
        details={"candidate": candidate, "winner": candidate if value < 1 - level else None, "p_values": against},
    )


@dataclass(frozen=True, slots=True)
class BestSet(Shown):
    """The methods that may be the best: those that no other beats.

    ``p_values`` has for each method the p-value of the hypothesis that no other is better, ``rivals`` the other method
    that speaks most against it, and ``critical_values`` the largest statistic of a rival with which a method stays.
    """

    names: tuple[str, ...]
    p_values: tuple[float, ...]
    level: float
    exact: bool
    rivals: tuple[str, ...] = ()
    critical_values: tuple[float, ...] = ()

    @property
    def members(self) -> tuple[str, ...]:
        """The methods in the set, in the order of the table."""
        return tuple(n for n, p in zip(self.names, self.p_values, strict=True) if not p < 1 - self.level)

    def to_dict(self) -> dict[str, Any]:
        return {
            "members": list(self.members),
            "names": list(self.names),
            "p_values": list(self.p_values),
            "rivals": list(self.rivals),
            "level": self.level,
            "exact": self.exact,
        }

    def to_table(self) -> Table:
        """A row for each method: the p-value that no other is better, and whether it may be the best."""
        titles = ("may be best", "strongest rival")
        columns = (
            Column("method", align="left"),
            Column("p", formats.p_value),
            *(Column(t, align="left") for t in titles),
        )
        rows = tuple(
            (n, p, "yes" if n in self.members else "no", rival)
            for n, p, rival in zip(self.names, self.p_values, self.rivals, strict=True)
        )
        note = f"the set holds the best method with a probability of {100 * self.level:g} %"
        return Table(columns, rows, caption="methods that may be the best", notes=(note,))


@procedure(question=POST_HOC, null=NULL_BEST, assumes=COMPARABLE, references=(ROMANO_WOLF_2005, WILCOXON_1945))
def best_set(
    table: npt.ArrayLike,
    *,
    higher_is_better: bool = True,
    estimand: Estimand = "typical",
    names: Sequence[str] | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> BestSet:
    r"""The methods that may be the best, over data sets (rows): a set that holds the best with the given level.

    Null hypothesis for each method: it is as good as every other.

    Each method is taken as a control and leaves the set when some other one beats it. The others' one-sided signed-rank
    sums are compared with the largest of their sums under joint flips of the rows' signs, as in
    :func:`joint_intervals`. The truly best method is lost only when the one family of which it is the control errs, so
    that no adjustment for the number of methods is needed beyond it. All scores equal: every method stays.

    With ``estimand="mean"`` the best is the method with the best mean. The others' leads are compared by their t
    statistics, with the largest t under the same flips: exact where differences are symmetric, and like a t-test where
    they are skewed and there are many data sets.

    References: Romano & Wolf (2005), doi:10.1198/016214504000000539; Wilcoxon (1945), doi:10.2307/3001968.

    >>> scores = [[9, 8, 1], [8, 6, 2], [7, 8, 3], [9, 8, 1], [8, 7, 5], [9, 9, 8], [7, 8, 4], [9, 8, 2]]
    >>> best_set(scores, names=["A", "B", "C"]).members
    ('A', 'B')
    """
    check_level(level)
    if not is_one_of(estimand, ESTIMANDS):
        raise InputError(f"estimand must be {listed(map(repr, ESTIMANDS), last='or')}, got {estimand!r}")
    scores = score_table(table, names)
    columns = scores.scores.T if higher_is_better else -scores.scores.T
    if estimand == "mean":
        means = mean_flips(columns.T, seed=seed, draws=draws)
        leads, maxima = means.statistics, means.decided(1 - level)
    else:
        leads, maxima = _typical_leads(columns, seed, draws, 1 - level)
    largest = strongest(leads)
    return BestSet(
        scores.names,
        tuple(m.p(lead) for m, lead in zip(maxima, largest, strict=True)),
        level,
        maxima[0].exact,
        tuple(scores.names[_rival(m, row)] for m, row in enumerate(leads)),
        tuple(m.critical(1 - level) for m in maxima),
    )


def _rival(method: int, leads: FloatArray) -> int:
    """The other method with the largest lead."""
    return int(np.where(np.arange(len(leads)) == method, -np.inf, leads).argmax())


def _typical_leads(columns: FloatArray, seed: int, draws: int, alpha: float) -> tuple[FloatArray, list[Maxima]]:
    """The signed-rank sums by which others (columns) lead each method (row), and the largest under the flips."""
    k = len(columns)
    pairs = all_pairs(k)
    found = [differences(columns[i], columns[j]) for i, j in pairs]
    sums = np.array([signed_sum(d.whole) for d in found])
    leads = np.zeros((k, k))
    for (i, j), total in zip(pairs, sums, strict=True):
        leads[j, i], leads[i, j] = total, -total
    families = [_rivals(m, pairs) for m in range(k)]
    return leads, joint_flips(found, seed=seed, draws=draws).decided(families, sums, alpha)


def _rivals(method: int, pairs: Sequence[tuple[int, int]]) -> Family:
    """All others against one method, where larger sums mean that the other is better."""
    own = [(column, 1 if j == method else -1) for column, (i, j) in enumerate(pairs) if method in (i, j)]
    return Family(np.array([column for column, _ in own]), np.array([sign for _, sign in own]))


def _signed_sums(scores: ScoreTable, higher_is_better: bool) -> IntArray:
    """The doubled signed-rank sums of each method (row) against each other one; positive where the row is better."""
    columns = scores.scores.T if higher_is_better else -scores.scores.T
    sums = np.zeros((scores.k, scores.k), dtype=np.int64)
    for i, j in all_pairs(scores.k):
        sums[i, j] = signed_sum(differences(columns[i], columns[j]).whole)
        sums[j, i] = -sums[i, j]
    return sums
