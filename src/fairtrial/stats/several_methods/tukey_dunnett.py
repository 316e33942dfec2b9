"""Comparisons of several means with a pooled variance: Tukey's, Dunnett's and pairwise t-tests."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from fairtrial.stats.bibliography import DUNNETT_1955, FISHER_1935, HAYTER_1984, KRAMER_1956, TUKEY_1953
from fairtrial.stats.comparisons import Comparisons, all_pairs
from fairtrial.stats.distributions.simultaneous import dunnett_quantile, dunnett_tail, tukey_quantile, tukey_tails
from fairtrial.stats.distributions.student_t import t_bounds, t_tail
from fairtrial.stats.groups import FOLD_NOTE, GroupsLike, PooledMeans, no_spread_note, pooled_means, sample_groups
from fairtrial.stats.multiplicity import adjust as adjusted_p
from fairtrial.stats.outcome import Alternative, Interval, Null, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import NORMAL_GROUPS, SEVERAL_METHODS, procedure
from fairtrial.stats.score_arrays import which_column

NULL = "both groups have the same expected score"
NULL_CONTROL = "the method and the control have the same expected score"
QUANTITY = "difference of means"


@procedure(
    question=SEVERAL_METHODS, null=NULL, assumes=NORMAL_GROUPS, references=(HAYTER_1984, KRAMER_1956, TUKEY_1953)
)
def tukey(
    groups: GroupsLike,
    *,
    blocks: bool = False,
    test_share: float | None = None,
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Comparisons:
    r"""Tukey's test of all pairs (honestly significant differences): which of several means differ?

    Null hypothesis for each pair: both groups have the same expected score. Assumed: independent scores, normal within
    groups, with equal variances.

    .. math:: q_{ij} = \frac{\sqrt 2\,|m_i - m_j|}{\sqrt{\hat\sigma^2 \left(\frac1{n_i} + \frac1{n_j}\right)}}

    where :math:`\hat\sigma^2` is the variance within groups. The adjusted p is the probability that the studentised
    range of k means reaches :math:`q_{ij}`. It is exact for groups of equal size and a little conservative for others
    (Kramer 1956; Hayter 1984). Two means differ if they are further apart than the honestly significant difference
    :math:`q_\alpha \sqrt{\hat\sigma^2/n}`, in ``details["hsd"]`` (nan for unequal sizes). ``simultaneous`` has the
    intervals that hold together with probability ``level``; each excludes 0 exactly when its adjusted p is below 1 −
    level. The outcomes' own p-values and intervals are those of one comparison. No analysis of variance is needed
    first.

    ``blocks=True`` says that the groups share their folds, in the same order. The effect of a fold on all methods is
    removed: :math:`\hat\sigma^2` is the residual mean square of :func:`repeated_anova`, which assumes sphericity.
    ``test_share`` is for scores over folds or resamples: :math:`1/n` becomes :math:`1/n + q` as in :func:`corrected_t`.

    If the variance within groups is zero, equal means have p = 1 and others p = nan, with a note.

    References: Tukey (1953), The problem of multiple comparisons; Kramer (1956), doi:10.2307/3001469; Hayter (1984),
    doi:10.1214/aos/1176346392.

    >>> found = tukey({"A": [4.1, 5.0, 4.6], "B": [6.2, 5.9, 6.6, 6.1, 7.0], "C": [4.9, 5.2, 5.0, 5.8]})
    >>> [round(p, 5) for p in found.p_adjusted]
    [0.00076, 0.167, 0.00869]
    >>> print(found.simultaneous[0])
    difference of means −1.793, 95 % interval [−2.671, −0.9160] (Tukey)
    """
    check_level(level)
    means = pooled_means(sample_groups(groups, names, blocks=blocks), test_share, blocks=blocks)
    pairs = all_pairs(means.k)
    q = tukey_quantile(1 - level, means.k, means.df)
    even = len(set(means.sizes.tolist())) == 1
    return Comparisons(
        names=means.names,
        pairs=tuple(pairs),
        outcomes=tuple(_pair_outcome(means, i, j, "two-sided", level) for i, j in pairs),
        p_adjusted=_tukey_p(means, pairs),
        adjusted="Tukey" if even else "Tukey-Kramer",
        level=level,
        notes=_notes(means, test_share),
        details={
            **_pooled_details(means),
            "hsd": q * math.sqrt(means.variance * float(means.factors[0])) if even else math.nan,
        },
        simultaneous=tuple(_interval(means, i, j, q / math.sqrt(2), "two-sided", level, "Tukey") for i, j in pairs),
    )


def _tukey_p(means: PooledMeans, pairs: list[tuple[int, int]]) -> tuple[float, ...]:
    """Tukey's adjusted p-values of pairs of means."""
    gaps = [abs(means.gap(i, j)) for i, j in pairs]
    if means.variance == 0:
        return tuple(1.0 if gap == 0 else math.nan for gap in gaps)
    errors = np.array([means.error(i, j) for i, j in pairs])
    return tuple(tail.value for tail in tukey_tails(math.sqrt(2) * np.array(gaps) / errors, means.k, means.df))


@procedure(question=SEVERAL_METHODS, null=NULL_CONTROL, assumes=NORMAL_GROUPS, references=(DUNNETT_1955,))
def dunnett(
    groups: GroupsLike,
    control: str | int,
    *,
    alternative: Alternative = "two-sided",
    blocks: bool = False,
    test_share: float | None = None,
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Comparisons:
    r"""Dunnett's test: which of several means differ from the mean of a control?

    Null hypothesis for each method: the method and the control have the same expected score. Assumptions, ``blocks``
    and ``test_share`` are as in :func:`tukey`.

    .. math:: t_i = \frac{m_i - m_0}{\sqrt{\hat\sigma^2 \left(\frac1{n_i} + \frac1{n_0}\right)}}

    The adjusted p is the probability that the largest of these statistics (two-sided: of their absolute values) reaches
    :math:`t_i`. Statistics i and j have the correlation :math:`\lambda_i \lambda_j` with
    :math:`\lambda_i^2 = n_i / (n_i + n_0)`. Given the control's mean and the variance they are independent, so that the
    probability is an integral over these two, computed to 12 digits for any sizes. (Most programs draw random points
    instead, and give another p each time.)

    The control is the second of each pair: a positive effect means that the method has larger scores.
    ``alternative="greater"`` tests whether methods have larger means than the control. Choose the control before you
    see the scores. ``simultaneous`` has the intervals that agree with the adjusted p.

    Reference: Dunnett (1955), doi:10.1080/01621459.1955.10501294.

    >>> groups = {"old": [4.2, 5.6, 5.2, 6.1], "new": [6.3, 6.1, 6.5, 7.5], "other": [4.8, 4.2, 4.4]}
    >>> found = dunnett(groups, control="old")
    >>> found.pairs, [round(p, 4) for p in found.p_adjusted]
    (((1, 0), (2, 0)), [0.0348, 0.2321])
    """
    check_level(level)
    check_alternative(alternative)
    data = sample_groups(groups, names, blocks=blocks)
    where = which_column(control, data.names)
    means = pooled_means(data, test_share, blocks=blocks)
    pairs = [(j, where) for j in range(means.k) if j != where]
    shared = means.factors[where]
    loadings = tuple(float(math.sqrt(shared / (shared + means.factors[j]))) for j, _ in pairs)
    t = dunnett_quantile(1 - level, loadings, means.df, two_sided=alternative == "two-sided")
    return Comparisons(
        names=means.names,
        pairs=tuple(pairs),
        outcomes=tuple(_pair_outcome(means, i, j, alternative, level) for i, j in pairs),
        p_adjusted=tuple(_dunnett_p(means, i, j, loadings, alternative) for i, j in pairs),
        adjusted="Dunnett",
        level=level,
        notes=_notes(means, test_share),
        details={**_pooled_details(means), "control": means.names[where], "critical_value": t},
        simultaneous=tuple(_interval(means, i, j, t, alternative, level, "Dunnett") for i, j in pairs),
    )


def _dunnett_p(means: PooledMeans, i: int, j: int, loadings: tuple[float, ...], alternative: Alternative) -> float:
    """Dunnett's adjusted p-value of a mean and the control's."""
    gap, error = means.gap(i, j), means.error(i, j)
    if error == 0:
        return 1.0 if gap == 0 else math.nan
    if alternative == "two-sided":
        return dunnett_tail(abs(gap) / error, loadings, means.df).value
    return dunnett_tail(
        gap / error if alternative == "greater" else -gap / error, loadings, means.df, two_sided=False
    ).value


@procedure(question=SEVERAL_METHODS, null=NULL, assumes=NORMAL_GROUPS, references=(FISHER_1935,))
def pairwise_t(
    groups: GroupsLike,
    *,
    adjust: str = "holm",
    blocks: bool = False,
    test_share: float | None = None,
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Comparisons:
    r"""t-tests of all pairs of means with a pooled variance, and p-values adjusted for the number of pairs.

    Null hypothesis for each pair: both groups have the same expected score. Assumptions, ``blocks`` and ``test_share``
    are as in :func:`tukey`; ``adjust`` is any adjustment of :func:`adjust`.

    .. math:: t_{ij} = \frac{m_i - m_j}{\sqrt{\hat\sigma^2 \left(\frac1{n_i} + \frac1{n_j}\right)}} \sim t_{N-k}

    For groups of K folds the denominator is :math:`\sqrt{2\hat\sigma^2/K}` (some lecture notes omit K and the square).
    The pooled variance of k groups has more degrees of freedom than that of two groups, but one group with another
    variance affects all comparisons. For all pairs, :func:`tukey` has more power than Holm's adjustment if many of the
    null hypotheses are true.

    Reference: Fisher (1935), The Design of Experiments.

    >>> found = pairwise_t({"A": [4.1, 5.0, 4.6], "B": [6.2, 5.9, 6.6, 6.1, 7.0], "C": [4.9, 5.2, 5.0, 5.8]})
    >>> found.outcomes[1].statistic, found.outcomes[1].df, found.outcomes[1].p_value, found.p_adjusted[1]
    (-2.0033, 9, 0.0761, 0.0761)
    """
    check_level(level)
    means = pooled_means(sample_groups(groups, names, blocks=blocks), test_share, blocks=blocks)
    pairs = all_pairs(means.k)
    outcomes = tuple(_pair_outcome(means, i, j, "two-sided", level) for i, j in pairs)
    p = adjusted_p([outcome.p_value for outcome in outcomes], adjust)
    return Comparisons(
        names=means.names,
        pairs=tuple(pairs),
        outcomes=outcomes,
        p_adjusted=tuple(p.tolist()),
        adjusted=adjust,
        level=level,
        notes=_notes(means, test_share),
        details=_pooled_details(means),
    )


def _pair_outcome(means: PooledMeans, i: int, j: int, alternative: Alternative, level: float) -> Outcome:
    gap, error = means.gap(i, j), means.error(i, j)
    point = t_bounds(0.0, 1.0, means.df, level, "two-sided" if alternative == "two-sided" else "less")[1]
    t, p, log10_p = math.nan, 1.0, 0.0
    if error > 0:
        t = gap / error
        p, log10_p = t_tail(t, means.df, alternative)
    elif gap != 0:
        t, p, log10_p = math.copysign(math.inf, gap), math.nan, math.nan
    return Outcome(
        test="t over a pooled variance",
        null=NULL,
        statistic=t,
        critical_value=point,
        p_value=p,
        log10_p=log10_p,
        n=int(means.sizes[i] + means.sizes[j]),
        alternative=alternative,
        method="pooled t",
        effect=_interval(means, i, j, point, alternative, level, "pooled t"),
        df=means.df,
        null_distribution=Null("t", means.df),
        notes=(no_spread_note(),) if error == 0 and gap != 0 else (),
        details={"standard_error": error},
    )


def _interval(
    means: PooledMeans, i: int, j: int, point: float, alternative: Alternative, level: float, method: str
) -> Interval:
    """The difference ± ``point`` standard errors; a one-sided alternative leaves one bound infinite."""
    gap, error = means.gap(i, j), means.error(i, j)
    low, high = gap - point * error, gap + point * error
    if error == 0 and gap != 0:
        low = high = math.nan
    elif alternative != "two-sided":
        low, high = (low, math.inf) if alternative == "greater" else (-math.inf, high)
    return Interval(QUANTITY, gap, low, high, level, method)


def _notes(means: PooledMeans, test_share: float | None) -> tuple[str, ...]:
    flat = (no_spread_note(),) if means.variance == 0 and means.between() > 0 else ()
    return ((FOLD_NOTE,) if test_share is None else ()) + flat


def _pooled_details(means: PooledMeans) -> dict[str, object]:
    return {"means": means.means.tolist(), "variance": means.variance, "df": means.df}
