"""Analysis of variance of several methods on one data set: one-way, and with repeated measures.

Sphericity of repeated measurements: Mauchly's test, and corrections of the degrees of freedom.

Sphericity means that the differences between any two conditions have the same variance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fairtrial.errors import UnknownName
from fairtrial.stats.bibliography import (
    FISHER_1925,
    GREENHOUSE_GEISSER_1959,
    HUYNH_FELDT_1976,
    MAUCHLY_1940,
    NADEAU_BENGIO_2003,
    STEIGER_2004,
)
from fairtrial.stats.distributions.fisher_f import agreeing_level, f_critical, f_tail, share_explained
from fairtrial.stats.distributions.tail import Tail, chi_square_tail
from fairtrial.stats.groups import FOLD_NOTE, GroupsLike, PooledMeans, no_spread_note, pooled_means, sample_groups
from fairtrial.stats.outcome import Null, Outcome, check_level
from fairtrial.stats.procedures import FOLDS_NEED_SHARE, NORMAL_GROUPS, SEVERAL_METHODS, procedure
from fairtrial.stats.score_arrays import FloatArray, score_table
from fairtrial.words import is_one_of

CORRECTIONS = ("greenhouse-geisser", "huynh-feldt", "lower-bound", "none")


@dataclass(frozen=True, slots=True)
class Sphericity:
    r"""Mauchly's test of sphericity, and the factors by which the degrees of freedom are reduced.

    With the eigenvalues :math:`l_i` of the covariance of p = k − 1 orthonormal contrasts and ν degrees of freedom,

    .. math:: W = \frac{\prod l_i}{(\sum l_i / p)^p}, \quad
              \hat\varepsilon = \frac{(\sum l_i)^2}{p \sum l_i^2}, \quad
              \tilde\varepsilon = \frac{(\nu + 1)\,p\,\hat\varepsilon - 2}{p\,(\nu - p\,\hat\varepsilon)}

    are Mauchly's statistic, Greenhouse and Geisser's estimate and Huynh and Feldt's estimate. The last may exceed 1 and
    then counts as 1. The lower bound of both estimates is 1/p.
    """

    mauchly_w: float
    mauchly_p: float
    greenhouse_geisser: float
    huynh_feldt: float
    lower_bound: float

    def epsilon(self, correction: str) -> float:
        """The factor ε by which a correction multiplies the degrees of freedom."""
        if not is_one_of(correction, CORRECTIONS):
            raise UnknownName.among("correction for sphericity", correction, CORRECTIONS)
        if correction == "none":
            return 1.0
        return min(float(getattr(self, correction.replace("-", "_"))), 1.0)


def contrasts(k: int) -> FloatArray:
    """Helmert's k − 1 orthonormal contrasts of k conditions, as rows.

    >>> contrasts(3).round(4).tolist()
    [[0.7071, -0.7071, 0.0], [0.4082, 0.4082, -0.8165]]
    """
    rows = np.tril(np.ones((k - 1, k)))
    rows[np.arange(k - 1), np.arange(1, k)] = -np.arange(1, k)
    rows[np.triu_indices(k - 1, 2, k)] = 0.0
    scaled: FloatArray = rows / np.sqrt((rows**2).sum(axis=1, keepdims=True))
    return scaled


def sphericity(covariance: FloatArray, df: int) -> Sphericity:
    """Mauchly's test and the corrections, from a covariance matrix of k conditions with ``df`` degrees of freedom.

    The p-value of Mauchly's test is the second-order chi-square approximation (Anderson 1958). R 4.2's
    ``mauchly.test``, and car's copy of it, use the number of conditions where one term of the formula has the number of
    contrasts, so that their p-values differ slightly. Two conditions have only one difference: all factors are 1, and
    Mauchly's p is nan. With fewer degrees of freedom than contrasts W is 0.

    References: Mauchly (1940), doi:10.1214/aoms/1177731915; Greenhouse & Geisser (1959), doi:10.1007/BF02289823;
    Huynh & Feldt (1976), doi:10.3102/10769986001001069.

    >>> found = sphericity(np.diag([1.0, 2.0, 6.0]), df=9)
    >>> found.mauchly_w, found.mauchly_p, found.greenhouse_geisser, found.huynh_feldt
    (0.7407, 0.3011, 0.7941, 0.9365)
    """
    p = len(covariance) - 1
    c = contrasts(p + 1)
    values = np.maximum(np.linalg.eigvalsh(c @ covariance @ c.T), 0.0)
    if p == 1:
        return Sphericity(1.0, math.nan, 1.0, 1.0, 1.0)
    if not values.any():
        return Sphericity(math.nan, math.nan, math.nan, math.nan, 1 / p)
    values /= values.max()  # no statistic has a unit, and squares of variances may overflow
    total, squares = float(values.sum()), float((values**2).sum())
    w = float(np.prod(values / (total / p))) if df >= p else 0.0
    gg = total**2 / (p * squares)
    room = df - p * gg
    hf = ((df + 1) * p * gg - 2) / (p * room) if room > 1e-9 else math.nan
    return Sphericity(w, _mauchly_p(w, p, df), gg, hf, 1 / p)


def _mauchly_p(w: float, p: int, df: int) -> float:
    if df < p or w <= 0:
        return math.nan
    rho = 1 - (2 * p * p + p + 2) / (6 * df * p)
    second = (p + 2) * (p - 1) * (p - 2) * (2 * p**3 + 6 * p * p + 3 * p + 2) / (288 * (df * p * rho) ** 2)
    x, f = -df * rho * math.log(min(w, 1.0)), p * (p + 1) // 2 - 1
    first = chi_square_tail(x, f).value
    return min(max(first + second * (chi_square_tail(x, f + 4).value - first), 0.0), 1.0)


WORKS = (FISHER_1925, NADEAU_BENGIO_2003, STEIGER_2004)
SPHERICAL = (
    f"normal differences between methods, with equal variances (sphericity) unless corrected; {FOLDS_NEED_SHARE}"
)
WORKS_REPEATED = (GREENHOUSE_GEISSER_1959, HUYNH_FELDT_1976, MAUCHLY_1940)
NULL_REPEATED = "all methods have the same expected score"

NULL = "all groups have the same expected score"
SHARED_FOLDS_NOTE = (
    "if the methods share their folds, repeated_anova has more power, since it removes the variance between folds"
)


@procedure(question=SEVERAL_METHODS, null=NULL, assumes=NORMAL_GROUPS, references=WORKS, test="One-way ANOVA")
def anova(
    groups: GroupsLike, *, test_share: float | None = None, names: Sequence[str] | None = None, level: float = 0.95
) -> Outcome:
    r"""One-way analysis of variance: do several independent groups have the same mean?

    Null hypothesis: all groups have the same expected score. Assumed: independent scores, normal within groups, with
    equal variances.

    With :math:`n_j` scores of mean :math:`m_j` in group j of L, and N scores in total,

    .. math:: SS_b = \sum_j n_j (m_j - m)^2, \qquad SS_w = \sum_{ij} (x_{ij} - m_j)^2, \qquad
              F = \frac{SS_b / (L - 1)}{SS_w / (N - L)} \sim F_{L-1,\,N-L}

    ``groups`` is a list of samples, a mapping from names to samples, or a DataFrame with a column for each group. The
    table of sources is ``details["table"]``; :func:`details_table` prints it.

    **Scores over folds** share training instances and are not independent. With ``test_share``, the share of the data
    that is held out each time, a mean of K scores has the variance :math:`(1/K + q)\sigma^2` instead of
    :math:`\sigma^2/K`, :math:`q = \text{test share} / (1 - \text{test share})`, as in :func:`corrected_t`: F is divided
    by :math:`1 + Kq` (for groups of unequal sizes, the means are weighted by :math:`1 / (1/n_j + q)`). If the methods
    share folds, :func:`repeated_anova` has more power.

    The effect is :math:`\eta^2 = SS_b / (SS_b + SS_w)`, with the noncentral-F interval at the level that agrees with
    the test: 90 % for a test at 5 %, since the F-test has one tail (Steiger 2004). If the variance within groups is
    zero, p is 1 if the means are equal as well, and nan otherwise, with a note.

    References: Fisher (1925), Statistical Methods for Research Workers; Steiger (2004),
    doi:10.1037/1082-989X.9.2.164; on folds Nadeau & Bengio (2003), doi:10.1023/A:1024068626366.

    >>> outcome = anova({"A": [0.82, 0.80, 0.86], "B": [0.80, 0.79, 0.81], "C": [0.71, 0.73, 0.76, 0.70]})
    >>> outcome.statistic, outcome.df, outcome.p_value
    (16.6264, (2, 7), 0.0022)
    >>> print(outcome.effect)
    eta² 0.8261, 90 % interval [0.3852, 0.8802] (noncentral F)
    """
    check_level(level)
    means = pooled_means(sample_groups(groups, names), test_share)
    within = means.variance * means.df
    plain = float((means.means - np.average(means.means, weights=means.sizes)) ** 2 @ means.sizes)
    plain = 0.0 if means.between() == 0 else plain
    f, df = _ratio(means), (means.k - 1, means.df)
    tail, note = f_inference(f, *df)
    estimate = plain / (plain + within) if f == f else math.nan
    rows = [
        _row("between groups", plain, df[0], f=f, p=tail.value),
        _row("within groups", within, df[1]),
        {**_row("total", plain + within, means.total - 1), "mean square": None},
    ]
    return Outcome(
        test="One-way ANOVA",
        null=NULL,
        statistic=f,
        critical_value=f_critical(*df, level),
        p_value=tail.value,
        log10_p=tail.log10,
        n=means.total,
        method="F" if test_share is None else "F, corrected for shared training data",
        effect=share_explained(
            "eta²", estimate, f, *df, total=float((1 / means.factors).sum()), level=agreeing_level(level)
        ),
        df=df,
        null_distribution=Null("F", df),
        notes=(FOLD_NOTE if test_share is None else SHARED_FOLDS_NOTE, *note),
        details={"table": rows, "names": list(means.names), "means": means.means.tolist()},
    )


def _ratio(means: PooledMeans) -> float:
    """The F statistic: nan if nothing varies, infinite if only the means vary."""
    between = means.between()
    if means.variance > 0:
        return between / (means.k - 1) / means.variance
    return math.inf if between > 0 else math.nan


def f_inference(f: float, df1: float, df2: float) -> tuple[Tail, tuple[str, ...]]:
    """The p-value of an F statistic, and a note if it is nan or infinite."""
    if math.isnan(f):
        return Tail(1.0, 0.0), ("all scores are equal",)
    if math.isinf(f):
        return Tail(math.nan, math.nan), (no_spread_note(),)
    return f_tail(f, df1, df2), ()


def _row(source: str, squares: float, df: int, *, f: float | None = None, p: float | None = None) -> dict[str, Any]:
    return {"source": source, "sum of squares": squares, "df": df, "mean square": squares / df, "F": f, "p": p}


@procedure(
    question=SEVERAL_METHODS,
    null=NULL_REPEATED,
    assumes=SPHERICAL,
    references=WORKS_REPEATED,
    test="Repeated-measures ANOVA",
)
def repeated_anova(
    table: npt.ArrayLike,
    *,
    correction: Literal["greenhouse-geisser", "huynh-feldt", "lower-bound", "none"] = "greenhouse-geisser",
    test_share: float | None = None,
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Outcome:
    r"""Repeated-measures analysis of variance: do several methods (columns) differ on the same folds (rows)?

    Null hypothesis: all methods have the same expected score. Rows are folds, resamples, or data sets with scores on
    the same scale; the effect of a row on all methods is removed.

    With n rows, k columns, column means :math:`m_j`, row means :math:`r_i` and the overall mean m,

    .. math:: SS_m = n \sum_j (m_j - m)^2, \quad SS_e = \sum_{ij} (x_{ij} - m_j - r_i + m)^2, \quad
              F = \frac{SS_m / (k-1)}{SS_e / ((k-1)(n-1))} \sim F_{\varepsilon(k-1),\,\varepsilon(k-1)(n-1)}

    :math:`\varepsilon` is 1 if the differences between any two methods have the same variance (sphericity), and less
    otherwise. It is always estimated, by default as Greenhouse and Geisser do, whatever the result of Mauchly's test,
    which has little power where the assumption matters. ``correction`` names another estimate; ``details`` has the
    p-value under each of them, the estimates and Mauchly's test. :func:`hotelling_repeated` does not need sphericity,
    but more rows than methods.

    With ``test_share`` the variance of a mean over folds is corrected as in :func:`corrected_t`, and F is divided by
    :math:`1 + nq`; for two methods it is the square of the corrected t.

    The effect is the partial :math:`\eta^2 = SS_m / (SS_m + SS_e)`, with the noncentral-F interval that agrees with the
    test, as in :func:`anova`. If the residual variance is zero, p is 1 if the means are equal as well, and nan
    otherwise, with a note.

    References: Greenhouse & Geisser (1959), doi:10.1007/BF02289823; Huynh & Feldt (1976),
    doi:10.3102/10769986001001069; Mauchly (1940), doi:10.1214/aoms/1177731915.

    >>> scores = [[30, 28, 16, 34], [14, 18, 10, 22], [24, 20, 18, 30], [38, 34, 20, 44], [26, 28, 14, 30]]
    >>> outcome = repeated_anova(scores)
    >>> outcome.statistic, outcome.df, outcome.p_value
    (24.7589, (1.8146, 7.2585), 0.0006)
    >>> outcome.details["p_none"], outcome.details["mauchly_w"], outcome.details["mauchly_p"]
    (1.99e-05, 0.1865, 0.4951)
    """
    check_level(level)
    scores = score_table(table, names)
    means = pooled_means(sample_groups(list(scores.scores.T), scores.names), test_share, blocks=True)
    shape = sphericity(np.cov(scores.scores.T), scores.n - 1)
    epsilon = shape.epsilon(correction) if means.variance > 0 else 1.0
    f, df = _ratio(means), (epsilon * (scores.k - 1), epsilon * means.df)
    tail, note = f_inference(f, *df)
    if math.isnan(epsilon):
        note = ("too few rows for Huynh and Feldt's estimate: choose another correction",)
    rows = _block_rows(scores.scores, means, f, tail.value)
    squares = [row["sum of squares"] for row in rows]
    total = (scores.k - 1) / float(means.factors[0])
    estimate = squares[0] / (squares[0] + squares[2]) if f == f else math.nan
    return Outcome(
        test="Repeated-measures ANOVA",
        null=NULL_REPEATED,
        statistic=f,
        critical_value=f_critical(*df, level),
        p_value=tail.value,
        log10_p=tail.log10,
        n=scores.n,
        method="F" if correction == "none" else f"F, {correction}",
        effect=share_explained(
            "partial eta²", estimate, f, *df, total=total, epsilon=epsilon, level=agreeing_level(level)
        ),
        df=df,
        null_distribution=Null("F", df),
        notes=((FOLD_NOTE,) if test_share is None else ()) + note,
        details=_repeated_details(rows, means, shape, f),
    )


def _block_rows(x: FloatArray, means: PooledMeans, f: float, p: float) -> list[dict[str, Any]]:
    n, k = x.shape
    between = 0.0 if means.between() == 0 else n * float(((means.means - means.means.mean()) ** 2).sum())
    blocks = k * float(((x.mean(axis=1) - x.mean()) ** 2).sum())
    return [
        _row("methods", between, k - 1, f=f, p=p),
        _row("rows", blocks, n - 1),
        _row("residual", means.variance * means.df, means.df),
    ]


def _repeated_details(rows: list[dict[str, Any]], means: PooledMeans, shape: Sphericity, f: float) -> dict[str, Any]:
    p = {
        f"p_{name.replace('-', '_')}": f_inference(
            f, shape.epsilon(name) * (means.k - 1), shape.epsilon(name) * means.df
        )[0].value
        for name in CORRECTIONS
    }
    return {
        "table": rows,
        "means": means.means.tolist(),
        **p,
        "mauchly_w": shape.mauchly_w,
        "mauchly_p": shape.mauchly_p,
        "greenhouse_geisser": shape.greenhouse_geisser,
        "huynh_feldt": shape.huynh_feldt,
        "lower_bound": shape.lower_bound,
    }
