"""Analysis of variance of an experiment with several factors: fixed effects, independent values."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.measures.channel_checks import check_kind
from fairtrial.stats.bibliography import FISHER_1925, MONTGOMERY_2017
from fairtrial.stats.distributions.student_t import t_inference
from fairtrial.stats.factorial.anova_table import AnovaTable, Source
from fairtrial.stats.factorial.contrasts import FactorialModel
from fairtrial.stats.factorial.model_terms import sequential_bases
from fairtrial.stats.factorial.residual_checks import residual_checks
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import FACTORIAL, procedure
from fairtrial.stats.score_arrays import FloatArray, sample, unit_of

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
