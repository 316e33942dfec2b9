"""The sign test of two methods over data sets.

Wins, ties and losses over data sets, and a lower bound for the number of data sets on which a method is better.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.arguments import check_option
from fairtrial.stats.bibliography import BENJAMINI_HELLER_2008, DEMSAR_2006, DIXON_MOOD_1946, DROR_2017
from fairtrial.stats.distributions.binomial import binomial_chances, sign_critical, sign_tail
from fairtrial.stats.distributions.signed_rank import agree_at_zero, pairs_used
from fairtrial.stats.distributions.tail import Tail, chi_square_tail
from fairtrial.stats.multiplicity import adjust
from fairtrial.stats.one_method.proportions import proportion_interval
from fairtrial.stats.outcome import Alternative, Interval, Null, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import DATA_SETS, OVER_DATASETS, procedure
from fairtrial.stats.score_arrays import (
    Differences,
    FloatArray,
    IntArray,
    differences,
    method_names,
    numbers,
    paired_scores,
)
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


VALID = "valid p-values, one for each data set"
NULL_OF_COUNTS = "on a data set each of the two methods is equally likely to be better"
NULL_BETTER = "the method is better on none of these data sets"


@procedure(
    question=OVER_DATASETS,
    null=NULL_OF_COUNTS,
    assumes=DATA_SETS,
    references=(DEMSAR_2006,),
    test="Wins, ties and losses",
)
def win_tie_loss(a: npt.ArrayLike, b: npt.ArrayLike, *, higher_is_better: bool = True, level: float = 0.95) -> Outcome:
    r"""Wins, ties and losses of two methods over data sets, with the share of wins and the sign test.

    Null hypothesis: on a data set each of the two methods is equally likely to be better.

    A win is a better score, by however little. Ties are split evenly between the two methods (an odd one is left out),
    as in Demšar (2006). With w wins out of n counted in this way, p is computed exactly from
    :math:`\text{Binomial}(n, \tfrac12)`, as in ``sign_test(a, b, ties="split")``. The effect is the share
    :math:`w / n` with the Clopper-Pearson interval, which excludes ½ exactly when p < 1 − level.

    Some count only those wins that are significant on their own data set. That discards the information in the other
    data sets, and such counts have no known distribution. For the number of data sets on which a method really is
    better, use :func:`better_on_how_many`.

    If all scores are equal, p is 1 and the share is ½.

    Reference: Demšar (2006), JMLR 7:1-30, https://jmlr.org/papers/v7/demsar06a.html.

    >>> outcome = win_tie_loss([5, 7, 8, 6, 9, 4, 3, 1], [4, 5, 5, 5, 4, 5, 3, 1])
    >>> outcome.details, outcome.p_value, outcome.effect.estimate
    ({'wins': 5, 'ties': 2, 'losses': 1}, 0.2891, 0.75)
    """
    test = (
        sign_test(a, b, ties="split", level=level) if higher_is_better else sign_test(b, a, ties="split", level=level)
    )
    ties = int(test.details["ties"])
    wins, n = int(test.statistic), test.n
    share = (
        proportion_interval(wins, n, method="exact", level=level, quantity="share of data sets won")
        if n
        else Interval("share of data sets won", 0.5, 0.0, 1.0, level, "no data set left")
    )
    return Outcome(
        test="Wins, ties and losses",
        null=NULL_OF_COUNTS,
        statistic=test.statistic,
        critical_value=test.critical_value,
        p_value=test.p_value,
        log10_p=test.log10_p,
        n=n,
        null_distribution=test.null_distribution,
        effect=share,
        notes=test.notes,
        details={"wins": wins - ties // 2, "ties": ties, "losses": n - wins - ties // 2},
    )


@procedure(question=OVER_DATASETS, null=NULL_BETTER, assumes=VALID, references=(BENJAMINI_HELLER_2008, DROR_2017))
def better_on_how_many(
    p_values: npt.ArrayLike,
    *,
    combine: Literal["bonferroni", "fisher"] = "bonferroni",
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Outcome:
    r"""Lower bound for the number of these data sets on which a method is better, from one p-value per data set.

    Null hypothesis for each u = 1, 2, …: the method is better on fewer than u of the N data sets. With the ascending
    one-sided p-values :math:`p_{(1)} \le \dots \le p_{(N)}`, its p-value combines the largest :math:`N - u + 1` of
    them,

    .. math:: p^{u} = (N - u + 1)\,p_{(u)} \quad\text{(Bonferroni)}, \qquad
              p^{u} = P\Big(\chi^2_{2(N-u+1)} \ge -2 \sum_{i \ge u} \ln p_{(i)}\Big) \quad\text{(Fisher)}.

    The count is the largest u up to which every :math:`p^{v}` is below 1 − level. It is a lower bound for the true
    number, and wrong with a probability of at most 1 − level. Bonferroni's combination holds for data sets that depend
    on each other in any way. Fisher's holds only for independent data sets; it then finds more if many data sets each
    show a small effect.

    Which data sets they are is another question: ``details["which"]`` has those that Holm's procedure rejects. Give
    **one-sided** p-values of tests that are valid on a single data set (corrected t over folds, McNemar). Counting
    p < 0.05 instead would find 5 of 100 data sets where there is no difference at all.

    The statistic is the count, and p is that of u = 1 (better on any data set at all); ``details["p_partial"]`` has the
    p-values of all u.

    References: Dror, Baumer, Bogomolov & Reichart (2017), doi:10.1162/tacl_a_00074; Benjamini & Heller (2008),
    doi:10.1111/j.1541-0420.2007.00984.x.

    >>> outcome = better_on_how_many([0.001, 0.20, 0.004, 0.02, 0.60], names=["car", "wine", "iris", "glass", "sonar"])
    >>> outcome.statistic, outcome.details["p_partial"], outcome.details["which"]
    (2.0, [0.005, 0.016, 0.06, 0.4, 0.6], ['car', 'iris'])
    >>> better_on_how_many([0.001, 0.20, 0.004, 0.02, 0.60], combine="fisher").statistic
    2.0
    """
    check_level(level)
    check_option("combine", combine, ("bonferroni", "fisher"))
    p = numbers(p_values, "p_values")
    if p.ndim != 1 or p.size == 0:
        raise InputError(f"p_values must be a list with one p-value for each data set, got an array of shape {p.shape}")
    bad = int(p.size - ((p >= 0) & (p <= 1)).sum())
    if bad:
        raise InputError(
            f"p_values must lie between 0 and 1, but {part_of(bad, p.size, 'value')} {verb(bad, 'does', 'do')} not; "
            "leave those data sets out"
        )
    labels = method_names(names, range(len(p)))
    tails = _partial(np.sort(p), combine)
    values = np.maximum.accumulate([tail.value for tail in tails])
    count = int((values < 1 - level).sum())
    which = np.flatnonzero(adjust(p, "holm") < 1 - level).tolist()
    fisher = combine == "fisher" and bool((p > 0).all())
    return Outcome(
        test=f"Partial conjunction ({combine.capitalize()})",
        null=NULL_BETTER,
        statistic=float(count),
        p_value=tails[0].value,
        log10_p=tails[0].log10,
        n=len(p),
        alternative="greater",
        method="exact" if combine == "fisher" else "bound",
        null_distribution=Null("chi-square", 2 * len(p), -2 * math.fsum(map(math.log, p))) if fisher else None,
        effect=Interval("data sets on which it is better", float(count), float(count), float(len(p)), level, combine),
        details={"p_partial": values.tolist(), "which": [labels[i] for i in which]},
    )


def _partial(p: FloatArray, combine: str) -> list[Tail]:
    """The p-value of each partial conjunction hypothesis, from ascending p-values."""
    n = len(p)
    if combine == "bonferroni":
        smallest = np.minimum(np.arange(n, 0, -1) * p, 1.0).tolist()
        return [Tail(v, math.log10(v) if v > 0 else -math.inf) for v in smallest]
    with np.errstate(divide="ignore"):
        statistic = -2 * np.log(p)[::-1].cumsum()[::-1]
    return [
        Tail(0.0, -math.inf) if math.isinf(x) else chi_square_tail(float(x), 2 * (n - u))
        for u, x in enumerate(statistic.tolist())
    ]
