"""Hotelling's T²: two methods by several measures at once, or several methods by one measure without sphericity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from fairtrial.errors import InputError
from fairtrial.measures.channel_checks import same_index
from fairtrial.stats.arguments import share_ratio
from fairtrial.stats.bibliography import HOTELLING_1931, JOHNSON_WICHERN_2007
from fairtrial.stats.distributions.fisher_f import agreeing_level, f_critical, f_tail, noncentral_f
from fairtrial.stats.distributions.tail import Tail
from fairtrial.stats.groups import FOLD_NOTE, NOISE, check_magnitude
from fairtrial.stats.outcome import Interval, Null, Outcome, check_level
from fairtrial.stats.procedures import JOINTLY_NORMAL, SEVERAL_MEASURES, procedure
from fairtrial.stats.score_arrays import FloatArray, ScoreTable, method_names, numbers, score_table
from fairtrial.words import part_of, plural, verb

NULL_MEASURES = "the expected differences of all measures are zero"
WORKS = (HOTELLING_1931, JOHNSON_WICHERN_2007)
NULL = "all methods have the same expected score"

SINGULAR = "a measure has zero variance or is a linear combination of the others"
SMALLEST_EIGENVALUE = 1e-10  # of a correlation matrix: a smaller one means that measures are linearly dependent


@procedure(question=SEVERAL_MEASURES, null=NULL_MEASURES, assumes=JOINTLY_NORMAL, references=WORKS)
def hotelling(
    first: npt.ArrayLike,
    second: npt.ArrayLike | None = None,
    *,
    paired: bool = True,
    test_share: float | None = None,
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Outcome:
    r"""Hotelling's T² test: do two methods differ in any of p measures, or in a combination of them?

    Null hypothesis: the expected differences of all measures are zero. Rows are folds or data sets, columns are
    measures. Assumed: independent rows, and differences that are jointly normal.

    ``hotelling(differences)``, and ``hotelling(first, second)`` with the scores of two methods on the same rows, use n
    differences with mean :math:`\bar d` and covariance S:

    .. math:: T^2 = n\,\bar d^\top S^{-1} \bar d, \qquad \frac{n-p}{p(n-1)} T^2 \sim F_{p,\,n-p}

    ``paired=False`` compares two independent samples, with their pooled covariance S:

    .. math:: T^2 = \frac{n_1 n_2}{n_1 + n_2} (\bar x - \bar y)^\top S^{-1} (\bar x - \bar y), \qquad
              \frac{n_1+n_2-p-1}{p(n_1+n_2-2)} T^2 \sim F_{p,\,n_1+n_2-p-1}

    With ``test_share``, for scores over folds, every :math:`1/n` becomes :math:`1/n + q` as in :func:`corrected_t`;
    with one measure T² is the square of that t.

    ``details["measures"]`` shows which measures differ: each mean difference has a **simultaneous** interval, which
    holds for all combinations of measures together (if p ≥ 1 − level, all of them contain 0), and a **Bonferroni**
    interval for these p measures only, which is shorter. :func:`details_table` prints them.

    The effect is Mahalanobis' distance :math:`D = \sqrt{\bar d^\top S^{-1} \bar d}`: the number of standard deviations
    between the methods, in the combination of measures in which they differ most. Its noncentral-F interval agrees with
    the test (90 % for a test at 5 %). If all mean differences are zero, p is 1. If a measure has zero variance or is a
    linear combination of the others, p is nan, with a note.

    References: Hotelling (1931), doi:10.1214/aoms/1177732979; Johnson & Wichern (2007), Applied Multivariate
    Statistical Analysis, chapters 5 and 6.

    >>> differences = [[0.02, -0.10], [0.05, -0.31], [0.01, -0.12], [0.04, -0.09], [0.02, -0.22], [0.06, -0.15]]
    >>> outcome = hotelling(differences, names=["accuracy", "log loss"])
    >>> outcome.statistic, outcome.df, outcome.p_value
    (30.2404, (2, 4), 0.0201)
    """
    check_level(level)
    ratio = share_ratio(test_share)
    if paired:
        same_index({"first": first, "second": second})
    x = _measures(first, "first", names)
    y = None if second is None else _measures(second, "second", x.names)
    largest = np.max([np.abs(t.scores).max(axis=0) for t in (x, y) if t is not None and t.k == x.k], axis=0)
    if y is not None and not paired:
        df = x.n + y.n - 2
        pooled = ((x.n - 1) * _covariance(x.scores) + (y.n - 1) * _covariance(y.scores)) / df
        gap, factor = x.scores.mean(axis=0) - y.scores.mean(axis=0), 1 / x.n + 1 / y.n + 2 * ratio
        return _Means("Hotelling's T², two samples", x.names, gap, pooled, factor, df, x.n + y.n, largest).outcome(
            level, test_share
        )
    if y is not None and y.scores.shape != x.scores.shape:
        raise InputError(
            f"first and second must have the same shape if they are paired, got {x.scores.shape} and {y.scores.shape}; "
            "use paired=False for independent samples"
        )
    d = x.scores if y is None else x.scores - y.scores
    title = "Hotelling's T²" if y is None else "Hotelling's T², paired"
    means = _Means(title, x.names, d.mean(axis=0), _covariance(d), 1 / x.n + ratio, x.n - 1, x.n, largest)
    return means.outcome(level, test_share)


@procedure(question=SEVERAL_MEASURES, null=NULL, assumes=JOINTLY_NORMAL, references=(JOHNSON_WICHERN_2007,))
def hotelling_repeated(
    table: npt.ArrayLike, *, test_share: float | None = None, names: Sequence[str] | None = None, level: float = 0.95
) -> Outcome:
    r"""Hotelling's T² test of repeated measures: do several methods (columns) differ on the same folds (rows)?

    Null hypothesis: all methods have the same expected score. This is the question of :func:`repeated_anova` without
    the assumption of sphericity: :func:`hotelling` tests whether the k − 1 differences from the first method are zero.
    Any other k − 1 independent contrasts C give the same result. The test needs more rows than methods, and many more
    to have power.

    .. math:: T^2 = n\,(C\bar x)^\top (C S C^\top)^{-1} (C\bar x), \qquad
              \frac{n-k+1}{(k-1)(n-1)} T^2 \sim F_{k-1,\,n-k+1}

    ``details["measures"]`` has the differences from the first method. Undefined cases are as in :func:`hotelling`.

    Reference: Johnson & Wichern (2007), Applied Multivariate Statistical Analysis, section 6.2.

    >>> scores = [[30, 28, 16, 34], [14, 18, 10, 22], [24, 20, 18, 30], [38, 34, 20, 44], [26, 28, 14, 30]]
    >>> outcome = hotelling_repeated(scores, names=["A", "B", "C", "D"])
    >>> outcome.statistic, outcome.df, outcome.p_value
    (170.4739, (3, 2), 0.0342)
    """
    check_level(level)
    scores = score_table(table, names)
    check_magnitude([scores.scores])
    d = scores.scores[:, 1:] - scores.scores[:, :1]
    labels = tuple(f"{name} − {scores.names[0]}" for name in scores.names[1:])
    factor = 1 / scores.n + share_ratio(test_share)
    largest = np.full(len(labels), np.abs(scores.scores).max())
    title = "Hotelling's T², repeated measures"
    means = _Means(title, labels, d.mean(axis=0), _covariance(d), factor, scores.n - 1, scores.n, largest)
    return means.outcome(level, test_share, null=NULL)


def _covariance(x: FloatArray) -> FloatArray:
    centred = x - x.mean(axis=0)
    product: FloatArray = centred.T @ centred / (len(x) - 1)
    return product


def _measures(values: npt.ArrayLike, argument: str, names: Sequence[str] | None) -> ScoreTable:
    """Check a table with folds in rows and measures in columns; a single measure may be a list."""
    x = numbers(values, argument)
    x = x[:, None] if x.ndim == 1 else x
    if x.ndim != 2 or len(x) < 2 or x.shape[1] < 1:
        raise InputError(
            f"{argument} must have at least 2 rows and a column for each measure, got an array of shape {x.shape}"
        )
    missing = int((~np.isfinite(x)).sum())
    if missing:
        raise InputError(
            f"{argument} must be finite, but {part_of(missing, x.size, 'score')} "
            f"{verb(missing, 'is', 'are')} not; leave those rows out"
        )
    check_magnitude([x])
    return ScoreTable(x, method_names(names, getattr(values, "columns", range(x.shape[1]))))


def is_regular(covariance: FloatArray, noise: FloatArray) -> bool:
    """Whether every measure varies and no measure is a linear combination of the others.

    Measures are scaled to unit variance first, so that a loss of 1e-9 beside a time of 1e6 does not look singular.
    """
    deviations = np.sqrt(np.diag(covariance))
    if not (deviations > noise).all():
        return False
    return bool(np.linalg.eigvalsh(covariance / np.outer(deviations, deviations))[0] > SMALLEST_EIGENVALUE)


@dataclass(frozen=True, slots=True)
class _Means:
    """Mean differences of several measures; ``factor`` times ``covariance`` is the covariance of these means."""

    title: str
    names: tuple[str, ...]
    gap: FloatArray
    covariance: FloatArray
    factor: float
    df: int
    n: int
    largest: FloatArray

    def outcome(
        self, level: float, test_share: float | None, null: str = "the expected differences of all measures are zero"
    ) -> Outcome:
        p = len(self.gap)
        if self.df < p:
            raise InputError(
                f"{plural(p, 'measure or contrast', 'measures or contrasts')} need at least "
                f"{plural(self.n + p - self.df, 'row')}, got {self.n}; leave measures out or add rows"
            )
        distance, notes = self._distance()
        df = p, self.df - p + 1
        to_f = df[1] / (p * self.df)
        f = to_f * distance / self.factor
        tail = Tail(1.0, 0.0) if math.isnan(f) and not self._gaps().any() else f_tail(f, *df)
        low, high = (math.sqrt(nc * self.factor) for nc in noncentral_f(f, *df, agreeing_level(level)))
        critical = f_critical(*df, level) / to_f
        return Outcome(
            test=self.title,
            null=null,
            statistic=distance / self.factor,
            critical_value=critical,
            p_value=tail.value,
            log10_p=tail.log10,
            n=self.n,
            method="F" if test_share is None else "F, corrected for shared training data",
            effect=Interval(
                "Mahalanobis distance", math.sqrt(distance), low, high, agreeing_level(level), "noncentral F"
            ),
            df=df,
            null_distribution=Null("F", df, observed=f),
            notes=((FOLD_NOTE,) if test_share is None else ()) + notes,
            details={"f": f, "distance_squared": distance, "measures": self._rows(critical, level)},
        )

    def _gaps(self) -> FloatArray:
        """The mean differences, with rounding errors set to 0."""
        return np.where(np.abs(self.gap) > NOISE * self.largest, self.gap, 0.0)

    def _distance(self) -> tuple[float, tuple[str, ...]]:
        """The squared Mahalanobis distance, or nan with a note if it is undefined."""
        gaps = self._gaps()
        if is_regular(self.covariance, NOISE * self.largest):
            scale = np.sqrt(np.diag(self.covariance))
            correlation = self.covariance / np.outer(scale, scale)
            return max(float(gaps / scale @ np.linalg.solve(correlation, gaps / scale)), 0.0), ()
        if not gaps.any():
            return math.nan, (f"all mean differences are zero, and {SINGULAR}",)
        return math.nan, (f"{SINGULAR}: leave it out to make the test defined",)

    def _rows(self, critical: float, level: float) -> list[dict[str, Any]]:
        together, alone = math.sqrt(critical), float(stdtrit(self.df, 1 - (1 - level) / (2 * len(self.gap))))
        errors = np.sqrt(np.diag(self.covariance) * self.factor).tolist()
        return [
            {
                "measure": name,
                "difference": d,
                "low (simultaneous)": d - together * error,
                "high (simultaneous)": d + together * error,
                "low (Bonferroni)": d - alone * error,
                "high (Bonferroni)": d + alone * error,
            }
            for name, d, error in zip(self.names, self._gaps().tolist(), errors, strict=True)
        ]
