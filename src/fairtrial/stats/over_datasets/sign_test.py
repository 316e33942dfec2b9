"""The sign test of two methods over data sets: wins against losses."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from fairtrial.stats.arguments import check_option
from fairtrial.stats.bibliography import DEMSAR_2006, DIXON_MOOD_1946
from fairtrial.stats.distributions.binomial import sign_critical, sign_tail
from fairtrial.stats.distributions.signed_rank import (
    agree_at_zero,
    pairs_used,
)
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import DATA_SETS, OVER_DATASETS, procedure
from fairtrial.stats.score_arrays import Differences, IntArray, differences, paired_scores

__all__ = ["sign_test"]

NULL = "where the first and the second differ, each is as likely to be larger"


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

    Null hypothesis: on a data set where they differ, each method is as likely to win as the other.

    With w wins of the first in n data sets, :math:`P(B \ge w)` and :math:`P(B \le w)` are added up exactly from
    :math:`B \sim \text{Binomial}(n, \tfrac12)`; the two-sided p is twice the smaller. The statistic is w.
    ``critical_value``: w must be at least so large (two-sided: or the losses; for ``less`` the losses alone).
    ``details["z"]`` is what the normal approximation would start from; the exact p needs none.

    ``ties``: ``drop`` leaves equal scores out; ``split`` counts half of them as wins and half as losses (one of an odd
    number is left out), as in Demšar (2006). No wins and no losses: p = 1.

    The effect is the median of the differences used, between the two order statistics that invert the same test:
    it leaves out 0 exactly when p < 1 − level.

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
        effect=Interval("median difference", d.value(_median(used)), *bounds, level, "order statistics"),
        notes=_tie_notes(equal, len(d.whole), ties),
        details={"wins": wins, "losses": losses, "ties": equal, "z": (wins - losses) / math.sqrt(n) if n else math.nan},
    )


def _median(ordered: IntArray) -> float:
    return float(np.median(ordered)) if len(ordered) else 0.0


def _order_bounds(d: Differences, ordered: IntArray, level: float, alternative: Alternative) -> tuple[float, float]:
    n = len(ordered)
    below = sign_critical(n, (1 - level) / (2 if alternative == "two-sided" else 1))
    low = d.value(ordered[below]) if below >= 0 and alternative != "less" else -math.inf
    high = d.value(ordered[n - 1 - below]) if below >= 0 and alternative != "greater" else math.inf
    return low, high


def _tie_notes(equal: int, n: int, ties: str) -> tuple[str, ...]:
    if equal == n:
        return ("all scores are equal",)
    verb = "is" if equal == 1 else "are"
    return (f"{equal} of {n} pairs {verb} equal: {'dropped' if ties == 'drop' else 'split evenly'}",) if equal else ()
