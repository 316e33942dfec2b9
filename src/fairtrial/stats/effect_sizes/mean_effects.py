"""Effect sizes with intervals, in the unit of the scores, in standard deviations, or as a share of variance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln, stdtrit

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.arguments import share_ratio
from fairtrial.stats.bibliography import (
    ALGINA_KESELMAN_2003,
    COHEN_1988,
    HEDGES_1981,
    KENDALL_BABINGTON_SMITH_1939,
    LAKENS_2013,
    OLEJNIK_ALGINA_2003,
    STEIGER_2004,
    WELCH_1947,
)
from fairtrial.stats.distributions.fisher_f import noncentral_f, noncentral_t
from fairtrial.stats.distributions.rank_sums import rank_statistics
from fairtrial.stats.distributions.student_t import t_bounds
from fairtrial.stats.groups import NOISE, GroupsLike, no_spread_note, pooled_means, sample_groups
from fairtrial.stats.one_method.mean import mean_interval
from fairtrial.stats.one_method.proportions import clopper_pearson
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import DATA_SETS, EFFECT_SIZES, NORMAL, procedure
from fairtrial.stats.score_arrays import FloatArray, differences, paired_scores, sample, score_table, unit_of
from fairtrial.words import is_one_of

EQUAL_VARIANCES = "independent scores, normal within groups, with equal variances"
ZERO_VARIANCE = "the variance is zero: this effect size is undefined"
STANDARDS = {
    "differences": "Cohen's d_z",
    "average": "Cohen's d_av",
    "pooled": "Cohen's d",
    "second": "Glass' delta",
}
KINDS = {"eta": "eta²", "omega": "omega²", "epsilon": "epsilon²", "f": "Cohen's f"}


@procedure(question=EFFECT_SIZES, assumes=NORMAL, references=(WELCH_1947,))
def mean_difference(
    a: npt.ArrayLike, b: npt.ArrayLike, *, paired: bool = True, test_share: float | None = None, level: float = 0.95
) -> Interval:
    r"""Difference of two means with a t interval: the effect size in the unit of the scores.

    For paired scores it is :func:`mean_interval` of the differences, with ``test_share`` for scores over folds or
    resamples. ``paired=False`` is for independent samples, with Welch's interval:

    .. math:: \bar a - \bar b \pm t_\nu \sqrt{\frac{s_a^2}{n_a} + \frac{s_b^2}{n_b}}, \qquad
              \nu = \frac{(s_a^2/n_a + s_b^2/n_b)^2}{\frac{(s_a^2/n_a)^2}{n_a - 1} + \frac{(s_b^2/n_b)^2}{n_b - 1}}

    Reference: Welch (1947), doi:10.1093/biomet/34.1-2.28.

    >>> print(mean_difference([0.82, 0.80, 0.86, 0.84], [0.80, 0.79, 0.81, 0.80]))
    mean difference 0.03000, 95 % interval [0.0009484, 0.05905] (t)
    >>> print(mean_difference([0.82, 0.80, 0.86, 0.84], [0.80, 0.79, 0.81], paired=False))
    mean difference 0.03000, 95 % interval [−0.008980, 0.06898] (Welch)
    """
    if paired:
        return _paired_mean(*paired_scores(a, b), test_share, level)
    if test_share is not None:
        raise InputError(
            f"test_share needs paired scores over the same folds, got test_share={test_share!r} with paired=False; "
            "leave one of them out"
        )
    check_level(level)
    x, y, unit = _rescaled(sample(a, "a"), sample(b, "b"))
    return _welch(x, y, level).scaled(unit)


def _rescaled(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Both samples in a unit in which their squares neither overflow nor underflow, and that unit."""
    unit = unit_of(a, b)
    return a / unit, b / unit, unit


def _paired_mean(a: FloatArray, b: FloatArray, test_share: float | None, level: float) -> Interval:
    """The interval of the mean difference; differences that are equal after rounding have zero variance."""
    whole = differences(a, b).whole
    a, b, unit = _rescaled(a, b)
    d = np.full(len(a), np.mean(a - b)) if (whole == whole[0]).all() else a - b
    return mean_interval(d, level=level, test_share=test_share, quantity="mean difference").scaled(unit)


def _welch(x: FloatArray, y: FloatArray, level: float) -> Interval:
    gap = float(x.mean() - y.mean())
    errors = [float(v.var(ddof=1)) / len(v) if len(v) > 1 else math.nan for v in (x, y)]
    if not sum(errors) > 0:
        return Interval("mean difference", gap, math.nan, math.nan, level, "Welch", (no_spread_note(),))
    df = sum(errors) ** 2 / sum(e**2 / (len(v) - 1) for e, v in zip(errors, (x, y), strict=True))
    return Interval(
        "mean difference", gap, *t_bounds(gap, math.sqrt(sum(errors)), df, level, "two-sided"), level, "Welch"
    )


@procedure(
    question=EFFECT_SIZES, assumes=NORMAL, references=(ALGINA_KESELMAN_2003, COHEN_1988, HEDGES_1981, LAKENS_2013)
)
def cohen_d(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    by: Literal["differences", "average", "pooled", "second"] = "differences",
    hedges: bool = False,
    test_share: float | None = None,
    level: float = 0.95,
) -> Interval:
    r"""Cohen's d: the difference of two means in standard deviations.

    ``by`` names the standard deviation, and says whether the scores are paired:

    - ``differences`` (paired): :math:`d_z = \bar d / s_d`, which determines the power of the paired t-test. It is large
      if the scores of the two methods are strongly correlated.
    - ``average`` (paired): :math:`d_{av} = \bar d \big/ \sqrt{(s_a^2 + s_b^2)/2}`, comparable with unpaired studies.
    - ``pooled`` (independent samples): the root of the variance within both samples.
    - ``second`` (independent samples): the standard deviation of the second sample, a control (Glass' delta).

    ``hedges=True`` multiplies d by :math:`J = \Gamma(\nu/2) \big/ \big(\sqrt{\nu/2}\,\Gamma((\nu-1)/2)\big)`, where ν
    is the degrees of freedom of the standard deviation (at least two). This removes the bias in small samples (Hedges'
    g).

    The interval contains the d for which the observed t is in neither tail of the noncentral t distribution. It is
    exact for ``differences`` and ``pooled`` with normal scores, and an approximation for the others (for ``average``
    that of Algina and Keselman). It excludes 0 exactly when the t-test rejects. ``test_share`` (paired scores only) is
    as in :func:`corrected_t`, for scores over folds. If the variance is zero, the result is nan, with a note.

    References: Cohen (1988), Statistical Power Analysis; Hedges (1981), doi:10.3102/10769986006002107; Algina &
    Keselman (2003), doi:10.1177/0013164403256358; Lakens (2013), doi:10.3389/fpsyg.2013.00863.

    >>> a, b = [0.82, 0.80, 0.86, 0.84], [0.80, 0.79, 0.81, 0.80]
    >>> print(cohen_d(a, b))
    Cohen's d_z 1.643, 95 % interval [0.02272, 3.193] (noncentral t)
    >>> cohen_d(a, b, by="average").estimate, cohen_d(a, b, by="pooled").estimate
    (1.5667, 1.5667)
    """
    check_level(level)
    if not is_one_of(by, STANDARDS):
        raise UnknownName.among("standard deviation to divide by", by, STANDARDS)
    if by in ("differences", "average"):
        gap, deviation, error, df = _paired_standard(*paired_scores(a, b), by, share_ratio(test_share))
    else:
        if test_share is not None:
            raise InputError(
                f"test_share needs paired scores: by must be 'differences' or 'average', got {by!r}; "
                "change by or leave test_share out"
            )
        gap, deviation, error, df = _independent_standard(sample(a, "a"), sample(b, "b"), by)
    name = STANDARDS[by].replace("Cohen's d", "Hedges' g") if hedges else STANDARDS[by]
    why = ZERO_VARIANCE if not deviation > 0 else ""
    if hedges and df < 2:
        why = "with one degree of freedom the expected value of d does not exist: Hedges' correction is undefined"
    if why:
        return Interval(name, math.nan, math.nan, math.nan, level, "noncentral t", (why,))
    scale = math.exp(gammaln(df / 2) - gammaln((df - 1) / 2)) / math.sqrt(df / 2) if hedges else 1.0
    low, high = (scale * bound * error / deviation for bound in noncentral_t(gap / error, df, level))
    return Interval(name, scale * gap / deviation, low, high, level, "noncentral t")


def _paired_standard(a: FloatArray, b: FloatArray, by: str, ratio: float) -> tuple[float, float, float, int]:
    """For paired scores: the mean difference, the standard deviation to divide by, the standard error, and its df."""
    n = len(a)
    if n < 2:
        raise InputError(f"a and b must hold at least two pairs, since one has no variance, got {n}")
    whole = differences(a, b).whole
    a, b, _ = _rescaled(a, b)
    d = a - b
    spread = 0.0 if (whole == whole[0]).all() else float(d.std(ddof=1))
    both = math.sqrt((float(a.var(ddof=1)) + float(b.var(ddof=1))) / 2)
    return (
        float(d.mean()),
        (spread if by == "differences" else both if spread else 0.0),
        spread * math.sqrt(1 / n + ratio),
        n - 1,
    )


def _independent_standard(a: FloatArray, b: FloatArray, by: str) -> tuple[float, float, float, int]:
    """For independent samples: the difference of means, the standard deviation to divide by, the standard error, df."""
    a, b, _ = _rescaled(a, b)
    gap, m, n = float(a.mean() - b.mean()), len(a), len(b)
    if min(m, n) < 2:
        raise InputError(f"a and b must hold at least two values each, since one has no variance, got {m} and {n}")
    first, second = float(a.var(ddof=1)), float(b.var(ddof=1))
    if by == "second":
        return gap, math.sqrt(second), math.sqrt(first / m + second / n), n - 1
    variance = ((m - 1) * first + (n - 1) * second) / (m + n - 2)
    return gap, math.sqrt(variance), math.sqrt(variance * (1 / m + 1 / n)), m + n - 2


@procedure(question=EFFECT_SIZES, assumes=EQUAL_VARIANCES, references=(OLEJNIK_ALGINA_2003, STEIGER_2004))
def eta_squared(
    groups: GroupsLike,
    *,
    kind: Literal["eta", "omega", "epsilon", "f"] = "eta",
    blocks: bool = False,
    test_share: float | None = None,
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Interval:
    r"""Share of the variance of scores that lies between methods: η², ω², ε², or Cohen's f.

    With the sums of squares of :func:`anova` (with ``blocks=True`` those of :func:`repeated_anova`, which gives the
    "partial" share without the variance between folds) and the mean square :math:`MS_w` within k groups of N scores in
    total, ``kind`` is one of

    .. math:: \eta^2 = \frac{SS_b}{SS_b + SS_w}, \quad
              \varepsilon^2 = \frac{SS_b - (k-1) MS_w}{SS_b + SS_w}, \quad
              \omega^2 = \frac{SS_b - (k-1) MS_w}{SS_b + SS_w + MS_w}, \quad f = \sqrt{\frac{\eta^2}{1 - \eta^2}}

    η² is too large on average, by about (k − 1)/N if there is no difference at all; ε² and ω² estimate the same share
    with less bias, and may be negative. The interval is for the share in the population, and is the same for all three:
    :math:`\lambda / (\lambda + N)` (for f: :math:`\sqrt{\lambda/N}`) for the noncentralities λ for which the observed F
    is in neither tail. At a level of 90 % it excludes 0 exactly when the F-test rejects at 5 %. (Other programs use the
    degrees of freedom within groups instead of N.) If the variance within groups is zero, the result is nan, with a
    note.

    References: Steiger (2004), doi:10.1037/1082-989X.9.2.164; Olejnik & Algina (2003), doi:10.1037/1082-989X.8.4.434.

    >>> groups = {"A": [0.82, 0.80, 0.86], "B": [0.80, 0.79, 0.81], "C": [0.71, 0.73, 0.76, 0.70]}
    >>> print(eta_squared(groups))
    eta² 0.8261, 95 % interval [0.2784, 0.8943] (noncentral F)
    >>> eta_squared(groups, kind="omega").estimate
    0.7576
    """
    check_level(level)
    if not is_one_of(kind, KINDS):
        raise UnknownName.among("share of variance", kind, KINDS)
    means = pooled_means(sample_groups(groups, names, blocks=blocks), test_share, blocks=blocks)
    name = f"partial {KINDS[kind]}" if blocks else KINDS[kind]
    if means.variance == 0:
        return Interval(name, math.nan, math.nan, math.nan, level, "noncentral F", (ZERO_VARIANCE,))
    within, unit, df = means.variance * means.df, means.variance, means.k - 1
    between = float((means.means - np.average(means.means, weights=means.sizes)) ** 2 @ means.sizes)
    estimate = {
        "eta": between / (between + within),
        "epsilon": (between - df * unit) / (between + within),
        "omega": (between - df * unit) / (between + within + unit),
        "f": math.sqrt(between / within),
    }[kind]
    low, high = noncentral_f(means.between() / df / unit, df, means.df, level)
    total = float((1 / means.factors).sum()) * ((means.k - 1) / means.k if blocks else 1)
    low, high = (math.sqrt(x / total) if kind == "f" else x / (x + total) for x in (low, high))
    return Interval(name, estimate, low, high, level, "noncentral F")


@procedure(question=EFFECT_SIZES, assumes=DATA_SETS, references=(KENDALL_BABINGTON_SMITH_1939,))
def kendall_w(table: npt.ArrayLike, *, names: Sequence[str] | None = None, level: float = 0.95) -> Interval:
    r"""Kendall's coefficient of concordance W: do the data sets (rows) rank the methods (columns) alike?

    .. math:: W = \frac{\sum_j (R_j - N(k+1)/2)^2}{N \left(\sum_{ij} r_{ij}^2 - N k (k+1)^2 / 4\right)}

    with the ranks :math:`r_{ij}` and rank sums :math:`R_j` of :func:`friedman`. It is 1 if all N data sets rank the
    methods alike, and 1/N on average if rankings are random. W is Friedman's statistic divided by N(k − 1).

    The interval is for the limit of W with ever more data sets from the same population, which is the mean rank
    correlation of two data sets. It is the union of two intervals: t with the jackknife standard error of
    :math:`\bar r = (N W - 1)/(N - 1)` over data sets, and noncentral F (W is the share of the variance of the ranks
    between methods). It always contains W. In our simulations (3 to 10 methods, 6 to 50 data sets) the coverage of 95 %
    intervals was 91 to 99 % for W up to 0.6, and less if almost all data sets agree; that of the widely used percentile
    bootstrap intervals was 0 to 92 %. If all data sets agree, the lower bound is :math:`(2p - 1)^2`, where p is the
    lower Clopper-Pearson bound for N successes in N trials. If all methods are tied on every data set, the result is
    nan, with a note.

    Reference: Kendall & Babington Smith (1939), doi:10.1214/aoms/1177732186.

    >>> scores = [[9, 7, 1], [8, 6, 2], [7, 4, 3], [9, 5, 1], [8, 4, 5], [9, 3, 8], [7, 6, 4], [1, 3, 2]]
    >>> print(kendall_w(scores))
    Kendall's W 0.4844, 95 % interval [0, 1.000] (jackknife and noncentral F)
    """
    check_level(level)
    doubled = score_table(table, names).doubled_ranks(higher_is_better=True)
    n, k = doubled.shape
    w = float(rank_statistics(doubled)["kendall_w"])
    if math.isnan(w):
        note = "all methods are tied on every data set"
        return Interval("Kendall's W", w, math.nan, math.nan, level, "jackknife and noncentral F", (note,))
    correlation, error = _mean_correlation(doubled - (k + 1.0))
    if w > 1 - NOISE:
        share = clopper_pearson(n, n, 1 - level)[0]
        return Interval("Kendall's W", 1.0, max(2 * share - 1, 0.0) ** 2, 1.0, level, "all agree")
    reach, total = float(stdtrit(n - 1, (1 + level) / 2)) * error, n * (k - 1)
    shares = [nc / (nc + total) for nc in noncentral_f((n - 1) * w / (1 - w), k - 1, total - k + 1, level)]
    low, high = max(min(correlation - reach, shares[0], w), 0.0), min(max(correlation + reach, shares[1], w), 1.0)
    return Interval("Kendall's W", w, low, high, level, "jackknife and noncentral F")


def _mean_correlation(centred: FloatArray) -> tuple[float, float]:
    """The mean rank correlation of two rows, and its jackknife standard error."""
    n = len(centred)
    sums, squares = centred.sum(axis=0), (centred**2).sum(axis=1)
    total = float(squares.sum())
    left = total - squares
    without = (((sums - centred) ** 2).sum(axis=1) / np.where(left > 0, left, 1.0) - 1) / max(n - 2, 1)
    error = math.sqrt((n - 1) / n * float(((without - without.mean()) ** 2).sum()))
    return (float(sums @ sums) / total - 1) / (n - 1), error
