"""The analysis of variance of a response surface: first order, two-way, pure quadratic, lack of fit."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from fairtrial.stats.distributions.fisher_f import f_tail
from fairtrial.stats.factorial.anova_table import AnovaTable, Source
from fairtrial.stats.factorial.contrasts import FactorialModel
from fairtrial.stats.factorial.factorial_anova import factorial_anova, no_rounding_noise
from fairtrial.stats.factorial.model_terms import BLOCKS, ModelTerm, sequential_bases
from fairtrial.stats.factorial.strata_anova import OTHER, strata_anova
from fairtrial.stats.score_arrays import FloatArray, unit_of
from fairtrial.stats.surface.surface_terms import SurfaceTerms

LACK, PURE = "lack of fit", "pure error"
OF_RESIDUAL = "of the residual"
NOISE = 1e-20  # times the sum of squares of all values: sums of squares below this are rounding errors
SATURATED = "the surface has as many coefficients as settings: its lack of fit can't be seen"
NO_REPEATS = "no setting is repeated: lack of fit can't be told from error"


def same_points(points: FloatArray) -> FloatArray:
    """Indicator columns of the different points, one for each."""
    _, which = np.unique(np.round(points, 9), axis=0, return_inverse=True)
    return np.asarray(np.eye(int(which.max()) + 1)[np.ravel(which)])


def _model(terms: SurfaceTerms, points: FloatArray, blocks: FloatArray | None) -> FactorialModel:
    columns = terms.columns(points)
    groups = [ModelTerm(name, terms.names, columns[:, part], ()) for name, part in terms.groups()]
    first = [] if blocks is None else [ModelTerm(BLOCKS, (BLOCKS,), blocks, ())]
    return FactorialModel(len(points), (*first, *groups), ())


def anova_of_values(
    terms: SurfaceTerms, points: FloatArray, values: FloatArray, blocks: FloatArray | None
) -> AnovaTable:
    """The analysis of independent values, with the residual divided into lack of fit and pure error."""
    model = _model(terms, points, blocks)
    found = factorial_anova(values, model)
    lack, pure = _divided(model, values, same_points(points), found["residual"].df)
    title = "Analysis of variance of the surface"
    notes = () if pure.df else (NO_REPEATS,)
    notes = notes if lack.df else (SATURATED,)
    sources = (*found.sources, lack, pure)
    return replace(found, title=title, sources=sources, notes=(*notes, *found.notes[-1:]))


def _divided(model: FactorialModel, values: FloatArray, settings: FloatArray, left: int) -> tuple[Source, Source]:
    """The two parts of the residual: what differs between settings beyond the surface, and what differs within them."""
    unit = unit_of(values)
    y = values / unit
    start = np.full((len(y), 1), 1 / math.sqrt(len(y)))
    bases = sequential_bases([*(term.columns for term in model.terms), settings], start)
    whole = np.hstack([start, *bases])
    within = y - whole @ (whole.T @ y)
    floor = NOISE * float(y @ y)
    lack = no_rounding_noise(float(((bases[-1].T @ y) ** 2).sum()), floor)
    df = bases[-1].shape[1]
    pure = Source(PURE, no_rounding_noise(float(within @ within), floor), left - df, stratum=OF_RESIDUAL)
    own = Source(LACK, lack, df, stratum=OF_RESIDUAL).tested(pure)
    return own.scaled(unit * unit), pure.scaled(unit * unit)


def anova_of_units(
    terms: SurfaceTerms, points: FloatArray, values: FloatArray, *, ratio: float, unit: str
) -> AnovaTable:
    """The analysis over data sets or splits, each term against its own variation over them.

    ``ratio`` is that of test to training size: the variance of a mean over n dependent splits is 1 + n · ratio times
    that of independent ones, and F is divided by it.
    """
    found = strata_anova(values, _model(terms, points, None))
    sources = tuple(_renamed(_corrected(source, ratio, len(values)), unit) for source in found.sources)
    notes = () if len(points) > len(terms.labels) else (SATURATED,)
    known = found.notes if ratio == 0 else ()
    return replace(found, title=f"Analysis of variance over {unit}", sources=sources, notes=(*notes, *known))


def _corrected(source: Source, ratio: float, n: int) -> Source:
    if math.isnan(source.f) or ratio == 0:
        return source
    f = source.f / (1 + n * ratio)
    tail = f_tail(f, source.df, source.df * (n - 1))
    return replace(source, f=f, p_value=tail.value, log10_p=tail.log10)


def _renamed(source: Source, unit: str) -> Source:
    """The source with the unit that it is about, and what differs beyond the surface by its name."""
    parts = {part: getattr(source, part).replace(OTHER, LACK) for part in ("name", "error", "stratum")}
    return replace(source, **{part: text.replace("data sets", unit) for part, text in parts.items()})
