"""The sign test of two methods over data sets."""

from __future__ import annotations

import math
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from fairtrial.stats.arguments import check_option
from fairtrial.stats.bibliography import DEMSAR_2006, DIXON_MOOD_1946
from fairtrial.stats.distributions.binomial import binomial_chances, sign_critical, sign_tail
from fairtrial.stats.distributions.signed_rank import agree_at_zero, pairs_used
from fairtrial.stats.outcome import Alternative, Interval, Null, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import DATA_SETS, OVER_DATASETS, procedure
from fairtrial.stats.score_arrays import Differences, IntArray, differences, paired_scores
from fairtrial.words import part_of, verb

NULL = "if the two methods differ on a data set, each is equally likely to have the larger score"
WINS = "number of data sets on which {first} is ahead"


@procedure(
    question=OVER_DATASETS, null=NULL, assumes=DATA_SETS, references=(DEMSAR_2006, DIXON_MOOD_1946), test="Sign test"
)
def sign_test(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    ties: Literal["drop", "split"] = "drop",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""Sign test of two methods over data sets: wins against losses.

    Null hypothesis: if the two methods differ on a data set, each is equally likely to have the larger score.

    With w wins of the first method on n data sets, :math:`P(B \ge w)` and :math:`P(B \le w)` are computed exactly for
    :math:`B \sim \text{Binomial}(n, \tfrac12)`; the two-sided p is twice the smaller one. The statistic is w.
    ``critical_value`` is the number of wins from which on the test rejects (two-sided also the number of losses, for
    ``less`` only the number of losses). ``details["z"]`` is the z of the normal approximation, which the exact p does
    not use.

    ``ties``: ``drop`` leaves ties out; ``split`` counts half of them as wins and half as losses (an odd one is left
    out), as in Demšar (2006). Without wins and losses p is 1. Scores count as tied if they are equal after rounding
    (docs/statistics.md, "Rounding before ranking").

    The effect is the median of the differences used. Its interval lies between the two order statistics that invert
    the same test: it excludes 0 exactly when p < 1 − level.

    Reference: Demšar (2006), JMLR 7:1-30, https://jmlr.org/papers/v7/demsar06a.html; Dixon & Mood (1946),
    doi:10.1080/01621459.1946.10501898.

    >>> outcome = sign_test([5, 7, 8, 6, 9, 4, 3], [4, 5, 5, 5, 4, 5, 3])
    >>> outcome.p_value, outcome.details
    (0.21875, {'wins': 5, 'losses': 1, 'ties': 1, 'z': 1.6330})
    """
    check_option("ties", ties, ("drop", "split"))
    check_alternative(alternative)
    check_level(level)
    d = differences(*paired_scores(a, b))
    used = np.sort(pairs_used(d.whole, ties))
    n, even = len(used), int((used == 0).sum()) // 2
    wins, losses = int((used > 0).sum()) + even, int((used < 0).sum()) + even
    small = {"greater": losses, "less": wins, "two-sided": min(wins, losses)}[alternative]
    tail = sign_tail(n, small).doubled() if alternative == "two-sided" else sign_tail(n, small)
    below = sign_critical(n, (1 - level) / (2 if alternative == "two-sided" else 1))
    bounds = _order_bounds(d, used if n else np.sort(d.whole), level, alternative)
    bounds = agree_at_zero(bounds, rejected=tail.value < 1 - level, positive=wins > losses, least=d.value(0.25))
    equal = len(d.whole) - int((d.whole != 0).sum())
    return Outcome(
        test="Sign test",
        null=NULL,
        statistic=float(wins),
        critical_value=float(n - below) if below >= 0 else math.nan,
        p_value=tail.value,
        log10_p=tail.log10,
        n=n,
        alternative=alternative,
        null_distribution=Null(WINS, chances=partial(binomial_chances, n)),
        effect=Interval("median difference", d.value(_median(used)), *bounds, level, "order statistics"),
        notes=_tie_notes(equal, len(d.whole), ties),
        details={"wins": wins, "losses": losses, "ties": equal, "z": (wins - losses) / math.sqrt(n) if n else math.nan},
    )


def _median(ordered: IntArray) -> float:
    return float(np.median(ordered)) if len(ordered) else 0.0


def _order_bounds(d: Differences, ordered: IntArray, level: float, alternative: Alternative) -> tuple[float, float]:
    """The order statistics between which the sign test rejects no median."""
    n = len(ordered)
    below = sign_critical(n, (1 - level) / (2 if alternative == "two-sided" else 1))
    low = d.value(ordered[below]) if below >= 0 and alternative != "less" else -math.inf
    high = d.value(ordered[n - 1 - below]) if below >= 0 and alternative != "greater" else math.inf
    return low, high


def _tie_notes(equal: int, n: int, ties: str) -> tuple[str, ...]:
    if equal == n:
        return ("all scores are equal",)
    if equal == 0:
        return ()
    treated = "left out" if ties == "drop" else "split evenly between wins and losses"
    return (f"{part_of(equal, n, 'pair')} {verb(equal, 'is tied and was', 'are tied and were')} {treated}",)
