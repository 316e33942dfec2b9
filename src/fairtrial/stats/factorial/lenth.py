"""Lenth's method for unreplicated experiments with two levels, with simulated critical values.

The null distribution of Lenth's ratios: effects over their pseudo standard error, where no factor has an effect.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from fairtrial.errors import InputError
from fairtrial.stats.bibliography import DANIEL_1959, LENTH_1989, YE_HAMADA_2000
from fairtrial.stats.factorial.contrasts import EffectValues
from fairtrial.stats.outcome import Interval, bound_if, check_level
from fairtrial.stats.procedures import FACTORIAL, procedure
from fairtrial.stats.score_arrays import BoolArray, FloatArray, method_names, numbers, sample, unit_of
from fairtrial.tables import Column, Shown, Table, formats

FEWEST_DRAWS, MOST_DRAWS = 40_000, 200_000  # simulated experiments
EFFECTS = 4_000_000  # simulated effects, where that is between the two
KEPT = 200_000  # ratios of single effects, evenly spaced in their order
SEED = 1989
AT_ONCE = 2_000_000  # effects in one block: 16 MB


def pseudo_error(effects: FloatArray) -> FloatArray:
    """Lenth's pseudo standard error of the effects in the last axis.

    It is 1.5 times the median size of the effects that are smaller than 2.5 times a first estimate, 1.5 times the
    median size of all.

    >>> pseudo_error(np.array([1.0, -2.0, 3.0, -4.0, 50.0])).item()   # 3 · 1.5 · 2.5 = 11.25; the median of 1, 2, 3, 4
    3.75
    """
    sizes = np.abs(effects)
    first = 1.5 * np.median(sizes, axis=-1, keepdims=True)
    small = np.where(sizes < 2.5 * first, sizes, np.nan)
    count = (~np.isnan(small)).sum(axis=-1)
    ordered = np.sort(small, axis=-1)  # nan come last
    low, high = np.maximum((count - 1) // 2, 0), count // 2
    take = (np.take_along_axis(ordered, k[..., None], axis=-1)[..., 0] for k in (low, np.maximum(high, 0)))
    middle = sum(take) / 2
    return np.asarray(np.where(count > 0, 1.5 * middle, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class LenthNull:
    """Simulated ratios of inert effects, in ascending order: of each effect, and the largest of each experiment.

    ``single`` are all ratios of all simulated experiments, ``largest`` one for each experiment.
    """

    single: FloatArray
    largest: FloatArray

    def critical(self, level: float, *, together: bool) -> float:
        """The ratio that an inert effect (or, together, the largest of all inert effects) exceeds in 1 − level."""
        values = self.largest if together else self.single
        return float(np.quantile(values, level))

    def p(self, ratio: float, *, together: bool) -> float:
        """The share of simulated ratios that are at least so large; the observed one counts as one of them."""
        if math.isnan(ratio):
            return math.nan
        values = self.largest if together else self.single
        reached = len(values) - int(np.searchsorted(values, ratio))
        return (reached + 1) / (len(values) + 1)


@lru_cache(maxsize=16)
def lenth_null(m: int) -> LenthNull:
    """The null distribution for m effects, from 40,000 to 200,000 simulated experiments with a fixed seed.

    >>> found = lenth_null(7)
    >>> round(found.critical(0.95, together=False), 1), round(found.critical(0.95, together=True), 1)
    (2.3, 4.9)
    """
    random = np.random.default_rng([SEED, m])
    draws = min(max(EFFECTS // m, FEWEST_DRAWS), MOST_DRAWS)
    single, largest = [], []
    size = max(AT_ONCE // m, 1)
    thin = max(draws * m // KEPT, 1)
    for done in range(0, draws, size):
        effects = random.standard_normal((min(size, draws - done), m))
        ratios = np.abs(effects) / pseudo_error(effects)[:, None]
        largest.append(ratios.max(axis=1))
        single.append(ratios.ravel())
    ordered = np.sort(np.concatenate(single))
    return LenthNull(ordered[thin // 2 :: thin].copy(), np.sort(np.concatenate(largest)))


FEWEST = 3
ONE_SPLIT = "one split says nothing about others: what looks active here may be the luck of this split"
DETERMINED = "all effects are zero: they have no spread, and the test is undefined"
MOSTLY_ZERO = "half or more of the effects are zero: the pseudo standard error is 0, and the test is undefined"


@dataclass(frozen=True, slots=True)
class Lenth(Shown):
    """Lenth's analysis of the effects of one unreplicated experiment.

    ``error`` is the pseudo standard error, ``margin`` the margin of error of one effect (ME) and ``joint_margin`` that
    of all effects together (SME), both from simulated critical values; ``t_margins`` are Lenth's own, from t with m/3
    degrees of freedom. ``ratios`` are sizes over the error; ``p_values`` are those of single effects, ``p_joint`` those
    of all together. ``quantiles`` are the half-normal quantiles of the sizes of the effects, for a half-normal plot.
    """

    names: tuple[str, ...]
    effects: tuple[float, ...]
    error: float
    margin: float
    joint_margin: float
    t_margins: tuple[float, float]
    ratios: tuple[float, ...]
    p_values: tuple[float, ...]
    p_joint: tuple[float, ...]
    quantiles: tuple[float, ...]
    level: float = 0.95
    notes: tuple[str, ...] = ()

    def active(self) -> BoolArray:
        """Whether each effect is larger than the margin of all together; False where this is undefined."""
        return np.array([p < 1 - self.level for p in self.p_joint])

    @property
    def p_floor(self) -> float:
        """The smallest p-value (of all effects together) that the simulation can give."""
        return 1 / (len(lenth_null(len(self.effects)).largest) + 1)

    def intervals(self) -> tuple[Interval, ...]:
        """The effects, each plus or minus the margin of all together."""
        margin = self.joint_margin
        return tuple(
            Interval("effect on this split", e, e - margin, e + margin, self.level, "Lenth, simulated", self.notes)
            for e in self.effects
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "names": list(self.names),
            "effects": list(self.effects),
            "error": self.error,
            "margin": self.margin,
            "joint_margin": self.joint_margin,
            "t_margins": list(self.t_margins),
            "ratios": list(self.ratios),
            "p_values": list(self.p_values),
            "p_joint": list(self.p_joint),
            "quantiles": list(self.quantiles),
            "level": self.level,
            "notes": list(self.notes),
        }

    def to_table(self) -> Table:
        """A table with a row for each effect, the largest first."""
        write = formats.significant(4)
        columns = (
            Column("effect", align="left"),
            Column("estimate", write),
            Column("ratio", write),
            Column("half-normal", formats.fixed(2)),
            Column("p", formats.p_value),
            Column("p (all effects)", formats.p_value),
            Column("", align="left", key="active"),
        )
        rows = []
        for i in sorted(range(len(self.effects)), key=lambda i: -abs(self.effects[i])):
            p = bound_if(self.p_joint[i], self.p_joint[i] <= self.p_floor)
            star = "*" if self.p_joint[i] < 1 - self.level else ""
            row = (self.names[i], self.effects[i], self.ratios[i], self.quantiles[i], self.p_values[i], p, star)
            rows.append(row)
        caption = (
            f"Lenth's method: pseudo standard error {write(self.error)}, margin of error {write(self.margin)} of one "
            f"effect, {write(self.joint_margin)} of all together"
        )
        mark = f"* p (all effects) < {1 - self.level:.3g}"
        return Table(columns=columns, rows=tuple(rows), caption=caption, notes=(mark, *self.notes))


@procedure(
    question=FACTORIAL,
    null="for each effect: it is zero",
    assumes="orthogonal two-level design; independent normal errors of equal variance; most effects inert",
    references=(LENTH_1989, YE_HAMADA_2000, DANIEL_1959),
)
def lenth(effects: npt.ArrayLike | EffectValues, *, names: Sequence[str] | None = None, level: float = 0.95) -> Lenth:
    r"""Lenth's method: which effects of one unreplicated two-level experiment stand out from the others?

    Null hypothesis for each effect: it is zero.

    Without replicates there is no estimate of error. If most effects are inert, the small ones show how large an inert
    effect is. With :math:`s_0 = 1.5\,\operatorname{median} |c_j|` the pseudo standard error is

    .. math:: \text{PSE} = 1.5 \operatorname{median}_{|c_j| < 2.5 s_0} |c_j|,

    and an effect stands out if :math:`|c_j| / \text{PSE}` exceeds a critical value. Lenth took it from t with m/3
    degrees of freedom, which is conservative: for one effect the true error rate is below 5 %. Here critical values and
    p-values are simulated as Ye and Hamada did, from 40,000 or more experiments of m inert effects with a fixed seed:
    ``margin`` for one effect (individual error rate) and ``joint_margin`` for the largest of all (experiment-wise error
    rate). Stars are by the latter. Both margins by t are in ``t_margins``.

    ``effects`` are all m effects of one split, or one row of :meth:`FactorialModel.values`, in a design whose effects
    have the same standard error. The method finds effects that stand out on *this* split. A repeated run with the same
    split and seed gives the same score, so that nothing here says how much another split would differ:
    :func:`effects_on_splits` and :func:`effects_over_datasets` do.

    At least 3 effects are needed, and 7 or more are sensible. If half of the effects or more are zero, the error is 0
    and p-values are nan, with a note. With three or four active effects of seven the method has little power.

    References: Lenth (1989), doi:10.1080/00401706.1989.10488595; Ye & Hamada (2000), Critical values of the Lenth
    method; Daniel (1959), doi:10.1080/00401706.1959.10489866, on half-normal plots.

    >>> filtration = {"A": 21.625, "B": 3.125, "C": 9.875, "D": 14.625, "AB": 0.125, "AC": -18.125, "AD": 16.625,
    ...               "BC": 2.375, "BD": -0.375, "CD": -1.125, "ABC": 1.875, "ABD": 4.125, "ACD": -1.625,
    ...               "BCD": -2.625, "ABCD": 1.375}
    >>> found = lenth(list(filtration.values()), names=list(filtration))
    >>> found.error, [name for name, active in zip(found.names, found.active()) if active]
    (2.625, ['A', 'D', 'AC', 'AD'])
    >>> [round(margin, 3) for margin in found.t_margins]
    [6.748, 13.699]
    """
    check_level(level)
    values, labels, notes = _one_row(effects, names)
    m = len(values)
    if m < FEWEST:
        raise InputError(f"effects must be at least {FEWEST}, all effects of one experiment, got {m}")
    unit = unit_of(values)
    error = float(pseudo_error(values / unit)) * unit
    null = lenth_null(m)
    with np.errstate(over="ignore"):  # an infinite ratio stands out as any other
        ratios = np.abs(values) / error if error > 0 else np.full(m, math.nan)
    critical = [null.critical(level, together=together) for together in (False, True)]
    own = [float(stdtrit(m / 3, p)) for p in ((1 + level) / 2, (1 + level ** (1 / m)) / 2)]
    undefined = () if error > 0 else (MOSTLY_ZERO if values.any() else DETERMINED,)
    scale = error if error > 0 else math.nan
    places = np.argsort(np.argsort(np.abs(values), kind="stable"))
    return Lenth(
        names=labels,
        effects=tuple(values.tolist()),
        error=error,
        margin=critical[0] * scale,
        joint_margin=critical[1] * scale,
        t_margins=(own[0] * scale, own[1] * scale),
        ratios=tuple(ratios.tolist()),
        p_values=tuple(null.p(ratio, together=False) for ratio in ratios.tolist()),
        p_joint=tuple(null.p(ratio, together=True) for ratio in ratios.tolist()),
        quantiles=tuple(ndtri(0.5 + 0.5 * (places + 0.5) / m).tolist()),
        level=level,
        notes=(*notes, *undefined, ONE_SPLIT),
    )


def _one_row(
    effects: npt.ArrayLike | EffectValues, names: Sequence[str] | None
) -> tuple[npt.NDArray[np.float64], tuple[str, ...], tuple[str, ...]]:
    """The effects of one split as a list, their names, and notes."""
    own: Sequence[str] | None = None
    notes: tuple[str, ...] = ()
    given: npt.ArrayLike = effects if not isinstance(effects, EffectValues) else effects.values
    if isinstance(effects, EffectValues):
        own, notes = effects.names, effects.notes
        if np.ptp(effects.errors) > 1e-6 * max(effects.errors):
            raise InputError(
                "effects must all have the same standard error, as in a balanced two-level design, got "
                f"{min(effects.errors):.3g} to {max(effects.errors):.3g} times that of a score; several splits allow "
                "effects_on_splits"
            )
    array = numbers(given, "effects")
    if array.ndim == 2 and len(array) != 1:
        raise InputError(
            f"effects must be those of one split, got {len(array)} rows; for several splits use effects_on_splits, for "
            "several data sets effects_over_datasets"
        )
    values = sample(array[0] if array.ndim == 2 else array, "effects")
    labels = method_names(names, own if own is not None else [f"effect {j + 1}" for j in range(len(values))])
    return values, labels, notes
