"""Analysis of variance over data sets with strata: each effect against its own variation over data sets."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.measures.channel_checks import check_kind
from fairtrial.stats.bibliography import FISHER_1925, MONTGOMERY_2017
from fairtrial.stats.factorial.anova_table import AnovaTable, Source
from fairtrial.stats.factorial.contrasts import FactorialModel
from fairtrial.stats.factorial.factorial_anova import bonferroni_t, no_rounding_noise
from fairtrial.stats.factorial.model_terms import sequential_bases
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import FACTORIAL, procedure
from fairtrial.stats.score_arrays import FloatArray, numbers, unit_of
from fairtrial.words import listed, part_of

WORST_CASE = (
    "tests of means over data sets: on rows of real tables that were moved to equal means they erred in 9 to 22 % "
    "instead of 5 %; effects_over_datasets decides, this table shows what adds up"
)
SPHERICAL = "terms with several degrees of freedom assume that their effects vary alike over data sets (sphericity)"
NOISE = 1e-20  # times the sum of squares of all scores: sums of squares below this are rounding errors
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
