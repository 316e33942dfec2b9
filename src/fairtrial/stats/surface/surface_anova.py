"""The analysis of variance of a response surface: first order, two-way, pure quadratic, lack of fit.

The test for curvature of a two-level design with runs in its middle: does a plane suffice?
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.arguments import share_ratio
from fairtrial.stats.bibliography import MONTGOMERY_2017, NADEAU_BENGIO_2003
from fairtrial.stats.distributions.fisher_f import f_tail
from fairtrial.stats.distributions.student_t import t_bounds, t_outcome, t_tail
from fairtrial.stats.factorial.contrasts import FactorialModel
from fairtrial.stats.factorial.factorial_anova import (
    OTHER,
    AnovaTable,
    Source,
    factorial_anova,
    no_rounding_noise,
    strata_anova,
)
from fairtrial.stats.factorial.model_terms import BLOCKS, Design, ModelTerm, sequential_bases
from fairtrial.stats.outcome import Interval, Null, Outcome, check_level
from fairtrial.stats.procedures import SURFACE, procedure
from fairtrial.stats.score_arrays import BoolArray, FloatArray, unit_of
from fairtrial.stats.surface.surface_terms import SurfaceTerms, read_points, read_values

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


TEST = "test for curvature"
NULL = "the mean of the corners equals the middle"
QUANTITY = "corners less middle"
NO_REPEATED_MIDDLE = "no setting is repeated: without pure error there is no test; run the middle several times"
NO_SPREAD = "repeated runs are equal: the pure error is zero"


@procedure(
    question=SURFACE,
    null=NULL,
    assumes="corners of a two-level design and runs in its middle; normal values",
    references=(MONTGOMERY_2017, NADEAU_BENGIO_2003),
    test=TEST,
)
def curvature_test(
    design: Design,
    values: npt.ArrayLike,
    *,
    test_share: float | None = None,
    overlap: float = 1.0,
    level: float = 0.95,
) -> Outcome:
    r"""Test for curvature: do the corners of a two-level design lie above or below its middle?

    Null hypothesis: the mean over the corners equals the value in the middle, as on a plane.

    .. math:: t = \frac{\bar y_F - \bar y_C}{s \sqrt{1/n_F + 1/n_C}}

    with the corners F, the runs in the middle C, and s from repeated runs (pure error); t² is Montgomery's F. The
    difference estimates the sum of all pure quadratic coefficients, so that those of opposite signs may cancel. Runs on
    the axes are left out. ``design`` and ``values`` are those of :func:`response_surface`: with a table of values
    (data sets or, with ``test_share``, splits) the difference is computed in each row, and its mean is tested over
    them.

    Without repeated runs p is nan, with a note.

    References: Montgomery (2017), chapter 6.8; Nadeau & Bengio (2003), doi:10.1023/A:1024068626366.

    >>> design = {"time": [-1, -1, 1, 1, 0, 0, 0, 0, 0], "heat": [-1, 1, -1, 1, 0, 0, 0, 0, 0]}
    >>> found = curvature_test(design, [39.3, 40.0, 40.9, 41.5, 40.3, 40.5, 40.7, 40.2, 40.6])   # Montgomery, 6.6
    >>> found.effect.estimate, found.statistic ** 2, found.p_value
    (-0.035, 0.0633, 0.8137)
    """
    check_level(level)
    points, _ = read_points(design, None)
    y = read_values(values, len(points), "measure")
    corners, middle = _parts(points)
    if y.ndim == 2:
        first, second = y[:, corners].mean(axis=1), y[:, middle].mean(axis=1)
        over = "over data sets" if test_share is None else "corrected, over splits"
        return t_outcome(
            first, second, ratio=share_ratio(test_share, overlap), test=TEST, null=NULL, method=over,
            alternative="two-sided", level=level, quantity=QUANTITY,
        )  # fmt: skip
    if test_share is not None:
        raise InputError("test_share is for a table with a row for each split, got a list of values")
    return _of_values(points, y, corners, middle, level)


def _parts(points: FloatArray) -> tuple[BoolArray, BoolArray]:
    sizes = np.abs(points)
    middle: BoolArray = (sizes == 0).all(axis=1)
    axes: BoolArray = (sizes > 0).sum(axis=1) == 1 if points.shape[1] > 1 else np.zeros(len(points), dtype=np.bool_)
    corners: BoolArray = ~middle & ~axes
    if not middle.any() or not corners.any() or np.ptp(sizes[corners]) > 1e-9:
        raise InputError(
            "design must have corners (every factor at −1 or +1) and runs in the middle (every factor at 0), and "
            "besides them only runs on the axes; compare other designs by the lack of fit of order 1"
        )
    return corners, middle


def _of_values(points: FloatArray, y: FloatArray, corners: BoolArray, middle: BoolArray, level: float) -> Outcome:
    unit = unit_of(y)
    v, groups = y / unit, same_points(points)
    within = v - groups @ (groups.T @ v / groups.sum(axis=0))
    df = len(v) - groups.shape[1]
    difference = float(v[corners].mean() - v[middle].mean())
    s = math.sqrt(float(within @ within) / df) if df else math.nan
    error = s * math.sqrt(1 / int(corners.sum()) + 1 / int(middle.sum()))
    known = error > 1e-12
    t = difference / error if known else math.nan
    tail = t_tail(t, df, "two-sided") if known else None
    low, high = t_bounds(difference, error, df, level, "two-sided") if known else (math.nan, math.nan)
    return Outcome(
        test=TEST,
        null=NULL,
        statistic=t,
        p_value=tail.value if tail else math.nan,
        log10_p=tail.log10 if tail else math.nan,
        n=len(v),
        df=df,
        null_distribution=Null("t", df),
        method="t, pure error",
        effect=Interval(QUANTITY, difference, low, high, level, "t").scaled(unit),
        notes=() if known else (NO_SPREAD if df else NO_REPEATED_MIDDLE,),
    )
