"""Multivariate analysis of variance: several methods by several measures at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.arguments import share_ratio
from fairtrial.stats.bibliography import MCKEON_1974, OLSON_1976, PILLAI_1955, WILKS_1932
from fairtrial.stats.distributions.fisher_f import agreeing_level, f_critical, f_tail, share_explained
from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.groups import FOLD_NOTE, NOISE, Groups, GroupsLike, sample_groups
from fairtrial.stats.multiplicity import TITLES
from fairtrial.stats.multiplicity import adjust as adjusted_p
from fairtrial.stats.outcome import Null, Outcome, check_level
from fairtrial.stats.procedures import FOLDS_NEED_SHARE, SEVERAL_MEASURES, procedure
from fairtrial.stats.score_arrays import FloatArray, method_names
from fairtrial.stats.two_methods.hotelling import SINGULAR, is_regular
from fairtrial.words import is_one_of, listed, plural

ASSUMES = f"independent rows, normal, with equal covariances; {FOLDS_NEED_SHARE}"
NULL = "all methods have the same expected score in every measure"

CRITERIA = {
    "pillai": "Pillai",
    "wilks": "Wilks",
    "hotelling-lawley": "Hotelling-Lawley (Pillai-Samson)",
    "mckeon": "Hotelling-Lawley (McKeon)",
    "roy": "Roy",
}


class _Criterion(NamedTuple):
    """The value of a criterion, and its F with both degrees of freedom."""

    value: float
    f: float
    df1: float
    df2: float


@procedure(
    question=SEVERAL_MEASURES, null=NULL, assumes=ASSUMES, references=(MCKEON_1974, OLSON_1976, PILLAI_1955, WILKS_1932)
)
def manova(
    groups: GroupsLike,
    *,
    criterion: Literal["pillai", "wilks", "hotelling-lawley", "mckeon", "roy"] = "pillai",
    adjust: str = "holm",
    blocks: bool = False,
    test_share: float | None = None,
    names: Sequence[str] | None = None,
    measures: Sequence[str] | None = None,
    level: float = 0.95,
) -> Outcome:
    r"""MANOVA, multivariate analysis of variance: do several methods differ in any of p measures or a combination?

    Null hypothesis: all methods have the same expected score in every measure. ``groups`` holds a table for each
    method, with a row for each fold and a column for each measure. Assumed: independent rows, normal, with equal
    covariances.

    With the matrices of squares and products between and within groups,

    .. math:: H = \sum_j n_j (m_j - m)(m_j - m)^\top, \qquad E = \sum_{ij} (x_{ij} - m_j)(x_{ij} - m_j)^\top,

    and the eigenvalues :math:`\lambda_i` of :math:`E^{-1}H`, ``criterion`` is

    - ``pillai`` (default, the most robust): :math:`\sum \lambda_i / (1 + \lambda_i)`;
    - ``wilks``: :math:`\Lambda = \prod 1 / (1 + \lambda_i) = |E| / |E + H|`, with Rao's F;
    - ``hotelling-lawley``: :math:`\sum \lambda_i`, with Pillai and Samson's F (R's ``summary.manova``);
    - ``mckeon``: :math:`\sum \lambda_i` with McKeon's F, more accurate for small samples (SAS, statsmodels);
    - ``roy``: the largest eigenvalue, with an F that is an upper bound, so that its **p is only a lower bound**.

    ``details["table"]`` has all of them. For two groups they agree and are Hotelling's T²; for one measure they are the
    F of :func:`anova`. Wilks' F is exact for up to two measures or three groups, the others only if there is one
    eigenvalue. ``details["follow_ups"]`` has an analysis of variance for each measure, with adjusted p-values.
    :func:`details_table` prints both.

    ``test_share`` is for scores over folds: the variance of each mean is corrected as in :func:`anova`. ``blocks=True``
    says that the methods share their folds, in the same order; the effect of a fold on all methods is removed from E.

    The effect is the multivariate :math:`\eta^2 = F\,df_1 / (F\,df_1 + df_2)`, with a noncentral-F interval that agrees
    with the test (90 % for a test at 5 %). If a measure has zero variance or is a linear combination of the others, the
    results are nan, with a note. If all means are equal, p is 1.

    References: Wilks (1932), doi:10.1093/biomet/24.3-4.471; Pillai (1955), doi:10.1214/aoms/1177728599; McKeon (1974),
    doi:10.1093/biomet/61.2.381; Olson (1976), doi:10.1037/0033-2909.83.4.579.

    >>> a = [[0.82, 0.40], [0.80, 0.45], [0.86, 0.38], [0.84, 0.44]]
    >>> b = [[0.80, 0.50], [0.79, 0.47], [0.81, 0.52], [0.80, 0.55]]
    >>> c = [[0.71, 0.61], [0.73, 0.56], [0.76, 0.60], [0.70, 0.66]]
    >>> outcome = manova({"A": a, "B": b, "C": c}, measures=["accuracy", "log loss"])
    >>> outcome.statistic, outcome.df, outcome.p_value
    (1.0953, (4.0, 18.0), 0.0047)
    """
    check_level(level)
    if not is_one_of(criterion, CRITERIA):
        raise UnknownName.among("criterion", criterion, CRITERIA)
    data = sample_groups(groups, names, dimensions=2, blocks=blocks)
    labels = _measure_names(data, measures)
    between, within, df = _products(data, share_ratio(test_share), blocks=blocks)
    if df < len(labels):
        raise InputError(
            f"{plural(len(labels), 'measure')} need at least {plural(data.n + len(labels) - df, 'row')}, "
            f"got {data.n}; leave measures out or add rows"
        )
    noise = NOISE * np.max([np.abs(x).max(axis=0) for x in data.samples], axis=0)
    regular = is_regular(within / df, noise)
    found = {name: _Criterion(math.nan, math.nan, math.nan, math.nan) for name in CRITERIA}
    if regular:
        found = _criteria(_roots(between, within), len(labels), data.k - 1, df)
    chosen = found[criterion]
    tail, notes = _p_value(chosen, between, noise)
    if criterion == "roy" and min(len(labels), data.k - 1) > 1:
        notes = (*notes, "Roy's F is an upper bound, so that p is only a lower bound")
    ratio = chosen.f * chosen.df1 / chosen.df2
    return Outcome(
        test=f"MANOVA, {CRITERIA[criterion]}",
        null=NULL,
        statistic=chosen.value,
        critical_value=math.nan,
        p_value=tail.value,
        log10_p=tail.log10,
        n=data.n,
        method="F" if test_share is None else "F, corrected for shared training data",
        effect=share_explained(
            "multivariate eta²",
            ratio / (1 + ratio),
            chosen.f,
            chosen.df1,
            chosen.df2,
            total=chosen.df2,
            level=agreeing_level(level),
        ),
        df=(chosen.df1, chosen.df2),
        null_distribution=Null("F", (chosen.df1, chosen.df2), observed=chosen.f),
        notes=((FOLD_NOTE,) if test_share is None else ()) + notes,
        details={
            "table": [_row(CRITERIA[name], c) for name, c in found.items()],
            "follow_ups": _follow_ups(labels, between, within, noise**2, data.k - 1, df, adjust),
            "f": chosen.f,
            "critical_f": f_critical(chosen.df1, chosen.df2, level),
        },
    )


def _roots(between: FloatArray, within: FloatArray) -> FloatArray:
    """The eigenvalues of E⁻¹H, computed with measures scaled to unit variance."""
    from scipy.linalg import eigh

    scale = np.sqrt(np.diag(within))
    scales = np.outer(scale, scale)
    roots: FloatArray = np.maximum(eigh(between / scales, within / scales, eigvals_only=True), 0.0)
    return roots


def _measure_names(data: Groups, measures: Sequence[str] | None) -> tuple[str, ...]:
    widths = sorted({x.shape[1] for x in data.samples})
    if len(widths) > 1:
        raise InputError(f"groups must all have the same measures (columns), got {listed(widths)} columns")
    return method_names(measures, range(widths[0]), "measures")


def _products(data: Groups, ratio: float, *, blocks: bool) -> tuple[FloatArray, FloatArray, int]:
    """The matrices of squares and products between and within groups, and the degrees of freedom within."""
    means = np.array([x.mean(axis=0) for x in data.samples])
    weights = 1 / (1 / data.sizes + ratio)
    centred = means - np.average(means, axis=0, weights=weights)
    between = (centred * weights[:, None]).T @ centred
    residuals = [x - x.mean(axis=0) for x in data.samples]
    df = data.n - data.k
    if blocks:
        sizes = data.sizes.astype(int).tolist()
        if len(set(sizes)) > 1:
            raise InputError(
                f"blocks=True needs groups of equal size, over the same folds in the same order, got {sizes}"
            )
        rows = np.mean(residuals, axis=0)
        residuals, df = [r - rows for r in residuals], (data.k - 1) * (sizes[0] - 1)
    within: FloatArray = np.sum([r.T @ r for r in residuals], axis=0)
    return between, within, df


def _p_value(chosen: _Criterion, between: FloatArray, noise: FloatArray) -> tuple[Tail, tuple[str, ...]]:
    """The p-value of a criterion, and notes."""
    if not math.isnan(chosen.f):
        return f_tail(chosen.f, chosen.df1, chosen.df2), ()
    if not math.isnan(chosen.value):
        return Tail(math.nan, math.nan), ("too few rows for this F approximation: choose another criterion",)
    if (np.diag(between) <= noise**2).all():
        return Tail(1.0, 0.0), (f"all means are equal, and {SINGULAR}",)
    return Tail(math.nan, math.nan), (f"{SINGULAR}: leave it out to make the test defined",)


def _criteria(roots: FloatArray, p: int, q: int, df: int) -> dict[str, _Criterion]:
    """All criteria from the eigenvalues of E⁻¹H, for p measures and q = groups − 1."""
    s, m, n = min(p, q), 0.5 * (abs(p - q) - 1), 0.5 * (df - p - 1)
    pillai = float((roots / (1 + roots)).sum())
    total, largest = float(roots.sum()), float(roots.max())
    a, b = 2 * m + s + 1, 2 * n + s + 1
    room = s - pillai
    lawley = _Criterion(total, 2 * (s * n + 1) * total / (s * s * a), s * a, 2 * (s * n + 1))
    widest = max(p, q)
    left = df - widest + q
    return {
        "pillai": _Criterion(pillai, b / a * pillai / room if room > 0 else math.inf, s * a, s * b),
        "wilks": _wilks(roots, p, q, df),
        "hotelling-lawley": lawley if lawley.df2 > 0 else _Criterion(total, math.nan, math.nan, math.nan),
        "mckeon": _mckeon(total, p, q, n),
        "roy": _Criterion(largest, largest * left / widest, widest, left),
    }


def _wilks(roots: FloatArray, p: int, q: int, df: int) -> _Criterion:
    log_lambda = -float(np.log1p(roots).sum())
    r, u = df - 0.5 * (p - q + 1), 0.25 * (p * q - 2)
    bottom = p * p + q * q - 5
    t = math.sqrt((p * p * q * q - 4) / bottom) if bottom > 0 else 1.0
    df2 = r * t - 2 * u
    ratio = math.expm1(-log_lambda / t)
    return _Criterion(math.exp(log_lambda), ratio * df2 / (p * q), p * q, df2)


def _mckeon(total: float, p: int, q: int, n: float) -> _Criterion:
    if n <= 0:
        return _Criterion(total, math.nan, math.nan, math.nan)
    inverse = 2 * (2 * n + 1) * (n - 1) / ((p + 2 * n) * (q + 2 * n))  # 1 / B, since McKeon's B is infinite for n = 1
    df2 = 4 + (p * q + 2) * inverse / (1 - inverse)
    return _Criterion(total, df2 / (p * q) * total * 2 * n / (df2 - 2), p * q, df2)


def _row(name: str, c: _Criterion) -> dict[str, Any]:
    p = f_tail(c.f, c.df1, c.df2).value
    return {"criterion": name, "value": c.value, "F": c.f, "df 1": c.df1, "df 2": c.df2, "p": p}


def _follow_ups(
    labels: tuple[str, ...],
    between: FloatArray,
    within: FloatArray,
    noise: FloatArray,
    q: int,
    df: int,
    adjust: str,
) -> list[dict[str, Any]]:
    """An analysis of variance for each measure.

    With zero variance within groups F is infinite and p is nan; if the means are equal as well, F is nan and p is 1.
    """
    squares = np.diag(between), np.diag(within)
    f = [_ratio(b / q, w / df, none) for b, w, none in zip(*squares, noise, strict=True)]
    p = [1.0 if math.isnan(value) else f_tail(value, q, df).value if math.isfinite(value) else math.nan for value in f]
    return [
        {"measure": label, "F": value, "df 1": q, "df 2": df, "p": alone, f"p ({TITLES[adjust]})": together}
        for label, value, alone, together in zip(labels, f, p, adjusted_p(p, adjust).tolist(), strict=True)
    ]


def _ratio(between: float, within: float, noise: float) -> float:
    if within > noise:
        return between / within
    return math.inf if between > noise else math.nan
