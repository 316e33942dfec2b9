"""Analysis of variance of an experiment with several factors: fixed effects, independent values.

Analysis of variance over data sets with strata: each effect against its own variation over data sets.

The table of an analysis of variance: sources with sums of squares that add up to the total.

Checks of the residuals of a linear model, as data: reported, never deciding which test is used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures.channel_checks import check_kind
from fairtrial.shown import ShownAsText
from fairtrial.stats.bibliography import FISHER_1925, MONTGOMERY_2017, SHAPIRO_WILK_1965
from fairtrial.stats.distributions.fisher_f import f_tail
from fairtrial.stats.distributions.student_t import t_inference
from fairtrial.stats.factorial.contrasts import FactorialModel
from fairtrial.stats.factorial.model_terms import sequential_bases
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import FACTORIAL, procedure
from fairtrial.stats.score_arrays import FloatArray, numbers, sample, unit_of, whole_values
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import listed, part_of, plural

FEWEST = 3
ROUNDING = 1e-10  # times the largest fitted value: residuals below this are rounding errors


@dataclass(frozen=True, slots=True)
class ResidualChecks(ShownAsText):
    """Residuals of a model and what they look like.

    ``standardised`` are the residuals over their standard errors, nan where the model fits a value exactly.
    ``normality`` is the p-value of Shapiro and Wilk's test. ``largest`` is the largest standardised residual by size,
    at position ``where``. ``spread`` is the rank correlation of the sizes of residuals with the fitted values: positive
    where larger values vary more.
    """

    fitted: tuple[float, ...]
    standardised: tuple[float, ...]
    shapiro: float
    normality: float
    largest: float
    where: int
    spread: float
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __str__(self) -> str:
        if math.isnan(self.largest):
            return "; ".join(self.notes)
        write = formats.significant(3)
        return (
            f"residuals: Shapiro–Wilk {formats.p_equals(self.normality)}, largest {write(self.largest)} standard "
            f"errors (value {self.where}), rank correlation of size with fit {write(self.spread)}"
        )


@procedure(question=FACTORIAL, assumes="a fitted linear model", references=(SHAPIRO_WILK_1965, MONTGOMERY_2017))
def residual_checks(
    values: npt.ArrayLike, fitted: npt.ArrayLike, *, leverage: npt.ArrayLike | None = None, df: int | None = None
) -> ResidualChecks:
    r"""Residuals of a fitted model: standardised, tested for normality, and compared with the fitted values.

    .. math:: r_i = \frac{y_i - \hat y_i}{s \sqrt{1 - h_i}}, \qquad s^2 = \sum_i (y_i - \hat y_i)^2 / \text{df}

    ``leverage`` is :math:`h_i` and ``df`` the residual degrees of freedom; without them the residuals are divided by
    their standard deviation. :func:`factorial_anova` has these checks in ``residuals``.

    What is found is reported. It does not choose a test: choosing a test by testing its assumptions first changes the
    error rate of both. If all residuals are zero, the checks are nan, with a note; Shapiro and Wilk's test takes 3 to
    5,000 values.

    References: Shapiro & Wilk (1965), doi:10.1093/biomet/52.3-4.591; Montgomery (2017), chapter 3.4.

    >>> found = residual_checks([1.0, 2.0, 4.0, 3.0, 9.0], [1.5, 2.5, 3.0, 3.5, 7.0])
    >>> print(found)
    residuals: Shapiro–Wilk p = 0.048, largest 1.67 standard errors (value 4), rank correlation of size with fit 0.671
    """
    y, fit = sample(values, "values"), sample(fitted, "fitted")
    if len(y) != len(fit):
        raise InputError(f"values and fitted must be of one length, got {len(y)} and {len(fit)}")
    unit = unit_of(y, fit)
    left = y / unit - fit / unit
    h = np.zeros(len(y)) if leverage is None else sample(leverage, "leverage")
    freedom = len(y) - 1 if df is None else df
    if freedom < 1 or float(np.abs(left).max()) <= ROUNDING:
        why = "all residuals are zero" if freedom >= 1 else "the model has as many effects as values: no residuals"
        none = (math.nan,) * len(y)
        return ResidualChecks(tuple(fit.tolist()), none, math.nan, math.nan, math.nan, -1, math.nan, (why,))
    error = math.sqrt(float(left @ left) / freedom) * np.sqrt(np.maximum(1 - h, 0.0))
    exact = 1 - h < ROUNDING
    standardised = np.where(exact, math.nan, left / np.where(exact, 1.0, error))
    where = int(np.nanargmax(np.abs(standardised).round(9)))  # the first of equal ones, on every machine
    w, p = _shapiro(left)
    notes = (f"{plural(int(exact.sum()), 'value')} fitted exactly, without a residual",) if exact.any() else ()
    return ResidualChecks(
        fitted=tuple(fit.tolist()),
        standardised=tuple(standardised.tolist()),
        shapiro=w,
        normality=p,
        largest=float(standardised[where]),
        where=where,
        spread=_rank_correlation(np.abs(standardised[~exact]), fit[~exact]),
        notes=notes,
    )


def _shapiro(residuals: FloatArray) -> tuple[float, float]:
    from scipy.stats import shapiro

    if not FEWEST <= len(residuals) <= 5000 or np.ptp(residuals) == 0:
        return math.nan, math.nan
    found = shapiro(residuals)
    return float(found.statistic), float(found.pvalue)


def _rank_correlation(a: FloatArray, b: FloatArray) -> float:
    from scipy.stats import rankdata

    first, second = rankdata(whole_values(a)), rankdata(whole_values(b))
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        return math.nan
    return float(np.corrcoef(first, second)[0, 1])


@dataclass(frozen=True, slots=True)
class Source:
    """A source of variation: sum of squares, degrees of freedom, and the test against its error, if it has one.

    ``error`` is the name of the source that it is tested against. ``f`` is infinite and ``p_value`` nan where that
    error is zero and the source is not; both are nan where a source has no test.
    """

    name: str
    squares: float
    df: int
    f: float = math.nan
    p_value: float = math.nan
    log10_p: float = math.nan
    error: str = ""
    stratum: str = ""

    @property
    def mean_square(self) -> float:
        """The sum of squares over the degrees of freedom; nan without any."""
        return self.squares / self.df if self.df else math.nan

    def scaled(self, unit: float) -> Source:
        """The source in another unit of its sum of squares; the test has none."""
        return replace(self, squares=self.squares * unit)

    def tested(self, error: Source) -> Source:
        """The source with its F-test against another one."""
        if error.df == 0 or self.df == 0:
            return self
        if error.mean_square > 0:
            f = self.mean_square / error.mean_square
            tail = f_tail(f, self.df, error.df)
            p, log10_p = tail.value, tail.log10
        else:
            f, p, log10_p = (math.inf, math.nan, math.nan) if self.squares > 0 else (math.nan, 1.0, 0.0)
        return Source(self.name, self.squares, self.df, f, p, log10_p, error.name, self.stratum)


@dataclass(frozen=True, slots=True)
class AnovaTable(Shown):
    """An analysis of variance: its sources in order, with the total last.

    ``effects`` are means of single effects with intervals that hold together (Bonferroni). ``explained`` is the share
    of the total sum of squares that the model explains (R²). ``residuals`` are checks, where the model leaves
    residuals.
    """

    title: str
    sources: tuple[Source, ...]
    total: Source
    explained: float
    effects: tuple[Interval, ...] = ()
    residuals: ResidualChecks | None = None
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Source:
        found = {source.name: source for source in self.sources}
        if name not in found:
            raise UnknownName.among("source", name, found)
        return found[name]

    def to_dict(self) -> dict[str, Any]:
        names = ("name", "stratum", "squares", "df", "mean_square", "f", "p_value", "log10_p", "error")
        return {
            "title": self.title,
            "sources": [{n: getattr(source, n) for n in names} for source in (*self.sources, self.total)],
            "explained": self.explained,
            "effects": [interval.to_dict() for interval in self.effects],
            "residuals": None if self.residuals is None else self.residuals.to_dict(),
            "notes": list(self.notes),
        }

    def to_table(self) -> Table:
        """The table of sources, as textbooks print it."""
        write = formats.significant(5)
        strata = any(source.stratum for source in self.sources)
        columns = (
            *((Column("stratum", align="left"),) if strata else ()),
            Column("source", align="left"),
            Column("sum of squares", write),
            Column("df"),
            Column("mean square", write),
            Column("F", write),
            Column("p", formats.p_value),
        )
        rows = []
        for source in (*self.sources, self.total):
            test = (source.f, source.p_value) if source.error else (None, None)
            square = None if source is self.total or not source.df else source.mean_square
            row = (source.name, source.squares, source.df, square, *test)
            rows.append((source.stratum, *row) if strata else row)
        checks = () if self.residuals is None else (str(self.residuals),)
        return Table(columns=columns, rows=tuple(rows), caption=self.title, notes=(*checks, *self.notes))


INDEPENDENT = "this analysis assumes independent values; folds of one data set are not: effects_on_splits is for them"
NO_ERROR = "the model has as many effects as values: nothing is left to estimate the error; lenth needs none"
NOISE = 1e-20  # times the sum of squares of all values: sums of squares below this are rounding errors


@procedure(
    question=FACTORIAL,
    null="for each term: it has no effect",
    assumes="independent normal values of equal variance (not folds)",
    references=(FISHER_1925, MONTGOMERY_2017),
)
def factorial_anova(values: npt.ArrayLike, model: FactorialModel, *, level: float = 0.95) -> AnovaTable:
    r"""Analysis of variance of independent values under several factors, with fixed effects.

    Null hypothesis for each term (main effect or interaction): it has no effect.

    ``values`` has one value for each row of the design of ``model`` (:func:`factorial_model`); replicates are rows of
    their own. Each term is projected on what it adds to the terms before it (sequential sums of squares, as R's
    ``anova``), so that the sums of squares add up to the total in every design; in a balanced one their order does not
    matter.

    .. math:: SS_t = \lVert Q_t^\top y \rVert^2, \qquad F = \frac{SS_t / \text{df}_t}{SS_e / \text{df}_e}

    A Latin square is a model of three factors with ``interactions=1``. Terms that add nothing have 0 degrees of
    freedom. ``effects`` are the effects with t-intervals that hold together (Bonferroni). ``residuals`` are checks.
    If nothing is left for the error, F is nan, with a note. If the error is zero, F is infinite and p is nan.

    **Folds are not independent values**: over the splits of one data set use :func:`effects_on_splits`, over data sets
    :func:`effects_over_datasets` or :func:`strata_anova`.

    References: Fisher (1925), Statistical Methods for Research Workers; Montgomery (2017), chapters 5 and 6.

    >>> from fairtrial.stats import factorial_model
    >>> model = factorial_model({"A": [-1, 1] * 4, "B": [-1, -1, 1, 1] * 2})
    >>> print(factorial_anova([3.0, 8.0, 5.0, 6.0, 4.0, 9.0, 4.0, 8.0], model))
    Analysis of variance
    source    sum of squares  df  mean square       F      p
    A                 28.125   1       28.125  32.143  0.005
    B                0.12500   1      0.12500  0.1429  0.725
    A × B              3.125   1        3.125  3.5714  0.132
    residual           3.500   4      0.87500
    total             34.875   7
    residuals: Shapiro–Wilk p = 0.201, largest −1.51 standard errors (value 3), rank correlation of size with fit 0.258
    this analysis assumes independent values; folds of one data set are not: effects_on_splits is for them
    """
    check_level(level)
    check_kind("model", model, FactorialModel, "a model of effects, as factorial_model makes it")
    given = sample(values)
    unit = unit_of(given)
    y = given / unit
    if len(y) != model.settings:
        raise InputError(
            f"values must have one value for each of the {model.settings} rows of the design, got {len(y)}"
        )
    start = np.full((len(y), 1), 1 / math.sqrt(len(y)))
    bases = sequential_bases([term.columns for term in model.terms], start)
    whole = np.hstack([start, *bases])
    fitted = whole @ (whole.T @ y)
    df = len(y) - whole.shape[1]
    left = y - fitted
    floor = NOISE * float(y @ y)
    error = Source("residual", no_rounding_noise(float(left @ left) if df else 0.0, floor), df)
    sources = [
        Source(term.name, no_rounding_noise(float(((b.T @ y) ** 2).sum()), floor), b.shape[1]).tested(error)
        for term, b in zip(model.terms, bases, strict=True)
    ]
    about = no_rounding_noise(float(((y - y.mean()) ** 2).sum()), floor)
    return AnovaTable(
        title="Analysis of variance",
        sources=tuple(source.scaled(unit * unit) for source in (*sources, error)),
        total=Source("total", about, len(y) - 1).scaled(unit * unit),
        explained=1 - error.squares / about if about > 0 else math.nan,
        effects=tuple(effect.scaled(unit) for effect in _effects(y, model, error, level)),
        residuals=residual_checks(given, fitted * unit, leverage=(whole**2).sum(axis=1), df=df),
        notes=(*model.notes, *(() if df else (NO_ERROR,)), INDEPENDENT),
    )


def no_rounding_noise(squares: float, floor: float) -> float:
    """A sum of squares, or 0 if it may be a rounding error of floating point."""
    return squares if squares > floor else 0.0


def _effects(y: FloatArray, model: FactorialModel, error: Source, level: float) -> tuple[Interval, ...]:
    kept = [contrast for contrast in model.contrasts if contrast.is_estimable]
    if not kept:
        return ()
    values = model.values(y[None]).values[0].tolist()
    errors = [math.sqrt(error.mean_square) * float(np.linalg.norm(c.weights)) if error.df else math.nan for c in kept]
    return tuple(
        bonferroni_t(contrast.label, value, e, error.df, level, len(kept))
        for contrast, value, e in zip(kept, values, errors, strict=True)
    )


def bonferroni_t(quantity: str, mean: float, error: float, df: int, level: float, m: int) -> Interval:
    """The t-interval of one of m means, all of which hold together at this level; nan without degrees of freedom."""
    if df < 1 or math.isnan(error):
        return Interval(quantity, mean, math.nan, math.nan, level, "t, Bonferroni")
    found = t_inference(mean, error, df, "two-sided", 1 - (1 - level) / m)
    return Interval(quantity, mean, found.low, found.high, level, "t, Bonferroni", found.notes)


WORST_CASE = (
    "tests of means over data sets: on rows of real tables that were moved to equal means they erred in 9 to 22 % "
    "instead of 5 %; effects_over_datasets decides, this table shows what adds up"
)
SPHERICAL = "terms with several degrees of freedom assume that their effects vary alike over data sets (sphericity)"
OTHER = "other settings"


@procedure(
    question=FACTORIAL,
    null="for each term: its mean effect over data sets is zero",
    assumes="independent data sets; effects normal over data sets; all scores on the same scale",
    references=(FISHER_1925, MONTGOMERY_2017),
)
def strata_anova(scores: npt.ArrayLike, model: FactorialModel, *, level: float = 0.95) -> AnovaTable:
    r"""Analysis of variance over data sets, with strata: what adds up, and each effect against its own variation.

    Null hypothesis for each term (main effect or interaction): its mean effect over data sets is zero.

    ``scores`` has the axes data set × split × setting, or data set × setting; settings are in the order of the design
    of ``model``. With N data sets, K splits and the orthonormal columns :math:`Q_t` of a term,

    ============================  ======================================================  =====================
    source                        sum of squares                                          degrees of freedom
    ============================  ======================================================  =====================
    data sets                     :math:`KJ \sum_d (\bar y_d - \bar y)^2`                 N − 1
    splits within data sets       :math:`J \sum_{ds} (\bar y_{ds} - \bar y_d)^2`          N(K − 1)
    term t                        :math:`NK \lVert Q_t^\top \bar y \rVert^2`              df
    term t × data sets            :math:`K \sum_d \lVert Q_t^\top (\bar y_d - \bar y) \rVert^2`  df · (N − 1)
    settings × splits             what is left                                            N(K − 1)(J − 1)
    ============================  ======================================================  =====================

    and all of it adds up to the total. Data sets are random: the effect of a term is tested against *its own*
    interaction with data sets, not against the splits, which would make K times as many of each data set. For a term
    with one degree of freedom F is the square of the t-test of its effect over data sets. "other settings" is what
    differs between settings beyond the terms of the model.

    ``effects`` are the mean effects with t-intervals that hold together (Bonferroni), each with its own variation.
    Missing scores are refused: sums of squares of an incomplete table do not add up. One data set: no F, with a note.

    References: Fisher (1925), Statistical Methods for Research Workers; Montgomery (2017), chapters 13 and 14.

    >>> from fairtrial.stats import factorial_model
    >>> model = factorial_model({"depth": [-1, 1, -1, 1], "rate": [-1, -1, 1, 1]})
    >>> found = strata_anova([[70, 75, 72, 83], [61, 64, 58, 66], [80, 88, 78, 90], [55, 56, 58, 61]], model)
    >>> found["depth"].f, found["depth"].error, found["depth × data sets"].df
    (13.66, 'depth × data sets', 3)
    """
    check_level(level)
    check_kind("model", model, FactorialModel, "a model of effects, as factorial_model makes it")
    y = _table(scores, model.settings)
    unit = unit_of(y)
    y = y / unit
    n, k, j = y.shape
    start = np.full((j, 1), 1 / math.sqrt(j))
    bases = sequential_bases([term.columns for term in model.terms], start)
    known = np.hstack([start, *bases])
    parts = list(zip((term.name for term in model.terms), bases, strict=True))
    floor = NOISE * float((y**2).sum())
    y = y - y.mean()  # small differences of large scores would lose digits
    grand, by_set, by_split = y.mean(), y.mean(axis=(1, 2)), y.mean(axis=2)
    sources = [
        Source("data sets", no_rounding_noise(k * j * _square(by_set - grand), floor), n - 1, stratum="data sets")
    ]
    cells = y.mean(axis=1)
    for name, basis in parts:
        sources.extend(_tested(name, cells @ basis, basis.shape[1], k, floor))
    if j > known.shape[1]:
        sources.extend(_tested(OTHER, cells - cells @ known @ known.T, j - known.shape[1], k, floor))
    if k > 1:
        within = no_rounding_noise(j * _square(by_split - by_set[:, None]), floor)
        left = y - cells[:, None, :] - by_split[:, :, None] + by_set[:, None, None]
        sources.append(Source("splits within data sets", within, n * (k - 1), stratum="splits"))
        rest_squares = no_rounding_noise(_square(left), floor)
        sources.append(Source("settings × splits", rest_squares, n * (k - 1) * (j - 1), stratum="splits"))
    total = no_rounding_noise(_square(y - grand), floor)
    explained = sum(source.squares for source in sources if source.stratum == "settings") / total if total else math.nan
    wide = (SPHERICAL,) if any(source.df > 1 for source in sources if source.stratum == "settings") else ()
    few = ("one data set: nothing is said of others, and no effect is tested",) if n == 1 else ()
    return AnovaTable(
        title="Analysis of variance over data sets",
        sources=tuple(source.scaled(unit * unit) for source in sources),
        total=Source("total", total, n * k * j - 1).scaled(unit * unit),
        explained=explained,
        effects=tuple(effect.scaled(unit) for effect in _mean_effects(cells, model, level)),
        notes=(*model.notes, *few, *wide, WORST_CASE),
    )


def _square(values: FloatArray) -> float:
    return float((np.asarray(values) ** 2).sum())


def _tested(name: str, values: FloatArray, df: int, k: int, floor: float) -> tuple[Source, Source]:
    """A term, from its part of the scores on each data set, and its interaction with data sets, which is its error."""
    n = len(values)
    mean = values.mean(axis=0)
    own = no_rounding_noise(n * k * _square(mean), floor)
    varying = no_rounding_noise(k * _square(values - mean), floor)
    error = Source(f"{name} × data sets", varying, df * (n - 1), stratum="settings × data sets")
    return Source(name, own, df, stratum="settings").tested(error), error


def _mean_effects(cells: FloatArray, model: FactorialModel, level: float) -> tuple[Interval, ...]:
    if not any(contrast.is_estimable for contrast in model.contrasts):
        return ()
    found = model.values(cells)
    n, m = found.values.shape
    intervals = []
    for j, name in enumerate(found.names):
        column = found.values[:, j]
        error = float(column.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
        intervals.append(bonferroni_t(name, float(column.mean()), error, n - 1, level, m))
    return tuple(intervals)


def _table(scores: npt.ArrayLike, settings: int) -> FloatArray:
    y = numbers(scores, "scores")
    if y.ndim == 2:
        y = y[:, None, :]
    if y.ndim != 3 or 0 in y.shape or y.shape[2] != settings:
        raise InputError(
            f"scores must have the axes data set × split × setting (or data set × setting), with {settings} settings, "
            f"got an array of shape {y.shape}"
        )
    missing = ~np.isfinite(y)
    if missing.any():
        sets = np.flatnonzero(missing.any(axis=(1, 2))).tolist()
        raise InputError(
            f"scores must be finite, but {part_of(int(missing.sum()), missing.size, 'score')} are not (data sets "
            f"{listed(sets)}); choose a failure policy or leave those data sets out, since sums of squares of an "
            "incomplete table do not add up"
        )
    return y
