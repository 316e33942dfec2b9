"""The power of each test at a given n and effect, from noncentral distributions; one small class each.

The power of tests of counts at a given n and effect, from binomial distributions.

All tests whose power is known, by name.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np
from scipy.special import bdtr, gammaln, log_ndtr, ndtr, ndtri, stdtr, stdtrit

from fairtrial.errors import InputError
from fairtrial.stats.arguments import is_whole, number, share_ratio
from fairtrial.stats.outcome import Alternative
from fairtrial.stats.score_arrays import FloatArray, IntArray
from fairtrial.words import verb

FARTHEST = 1e4  # standard errors: for a larger effect the power is 1 at any sensible level
MOST = 10**9  # observations: for more, noncentral distributions lose their accuracy


@dataclass(frozen=True, slots=True)
class Tails:
    """The probabilities of rejecting the null hypothesis with an estimate below the null value and above it."""

    lower: float
    upper: float

    @property
    def total(self) -> float:
        return self.lower + self.upper


@dataclass(frozen=True)
class Design(ABC):
    """A test with the arguments that its power depends on."""

    level: float
    alternative: Alternative
    strict: bool
    groups: int
    proportion: float
    disagreement: float
    test_share: float

    name: ClassVar[str] = ""
    meaning: ClassVar[str] = ""
    unit: ClassVar[str] = ""
    method: ClassVar[str] = "exact"
    needs: ClassVar[tuple[str, ...]] = ()
    fewest: ClassVar[int] = 2
    counts: ClassVar[bool] = False  # whether it is a test of counts, whose power goes up and down with n
    signed: ClassVar[bool] = True  # whether the effect has a direction

    @abstractmethod
    def tails(self, n: float, effect: float) -> Tails:
        """The probabilities that the test rejects, below and above the null value."""

    def powers(self, n: IntArray, effect: float) -> FloatArray:
        """The power at each n, to nine digits at least."""
        return np.array([self.tails(int(one), effect).total for one in n])

    def largest_effect(self, sign: float) -> float:  # noqa: ARG002
        """The largest absolute effect of this sign that is possible."""
        return math.inf

    def notes(self, n: float) -> tuple[str, ...]:  # noqa: ARG002
        """Notes on the power at this n."""
        return ()

    def details(self, effect: float) -> dict[str, Any]:  # noqa: ARG002
        """Further numbers about this effect."""
        return {}

    def check(self, *, n: float, effect: float) -> None:
        """Refuse an n or an effect that the test can't have."""
        if not self.fewest <= number(n) <= MOST or (self.counts and not is_whole(n)):
            raise InputError(
                f"n must be a {'whole ' if self.counts else ''}number from {self.fewest} to {MOST:,}, got {n!r}"
            )
        if not math.isfinite(number(effect)):
            raise InputError(f"effect must be a finite number ({self.meaning}), got {effect!r}")
        if not self.signed and (effect < 0 or self.alternative != "two-sided"):
            raise InputError(
                f"{self.name} has no direction: effect must be at least 0 and alternative 'two-sided', "
                f"got {effect!r} and {self.alternative!r}"
            )
        if abs(effect) > self.largest_effect(1.0 if effect > 0 else -1.0) * (1 + 1e-12):
            raise InputError(
                f"effect must be at most {self.largest_effect(1.0 if effect > 0 else -1.0):g} in size "
                f"({self.meaning}), got {effect!r}"
            )

    @property
    def tail_level(self) -> float:
        """The probability of each tail under the null hypothesis."""
        return (1 - self.level) / (2 if self.alternative == "two-sided" else 1)

    def relevant_tails(self, lower: float, upper: float, effect: float) -> Tails:
        """The tails that the alternative uses; if not strict, only the tail on the side of the effect."""
        below, above = self.sides(effect)
        return Tails(lower if below else 0.0, upper if above else 0.0)

    def sides(self, effect: float) -> tuple[bool, bool]:
        """Whether the lower and the upper tail count."""
        below = self.alternative != "greater" and (self.strict or effect < 0 or self.alternative == "less")
        above = self.alternative != "less" and (self.strict or effect >= 0 or self.alternative == "greater")
        return below, above


class T(Design):
    """A test with a noncentral t statistic."""

    @abstractmethod
    def shift_and_df(self, n: float, effect: float) -> tuple[float, float]:
        """The noncentrality and the degrees of freedom."""

    def tails(self, n: float, effect: float) -> Tails:
        shift, df = self.shift_and_df(n, effect)
        c = float(stdtrit(df, 1 - self.tail_level))
        return self.relevant_tails(_noncentral_t_above(c, df, -shift), _noncentral_t_above(c, df, shift), effect)


def _noncentral_t_above(c: float, df: float, shift: float) -> float:
    """P(T > c) for noncentral t, accurate in the far tail: the mean of Φ(shift − c s) over the estimate s.

    s is a chi variable divided by the root of its degrees of freedom. The integral has equal steps in log s, far beyond
    the maximum of the integrand, which is at 1 or below. (scipy's noncentral t has no correct digits below 1e-12, and
    is nan for many degrees of freedom.)
    """
    if shift == 0:
        return float(stdtr(df, -c))
    if c < 0:
        return 1 - _noncentral_t_above(-c, df, -shift)
    if shift < -40:
        return 0.0  # the probability is at most Φ(−40)
    shift = min(shift, FARTHEST)
    slope = c * shift
    peak = min((slope + math.sqrt(slope**2 + 4 * (df + c * c) * df)) / (2 * (df + c * c)), 1.0)
    beyond = 12 / math.sqrt(2 * df)
    step = 0.25 / math.sqrt(1 + 2 * df + shift**2)
    log_s = np.arange(math.log(peak) - beyond - 45 / df, beyond, step)
    half = df / 2
    constant = math.log(half / math.tau) / 2 - 1 / (12 * half)  # by Stirling's formula, since large terms would cancel
    if half < 1e4:
        constant = half * math.log(half) - half - float(gammaln(half))
    log_density = math.log(2) + constant - half * (np.expm1(2 * log_s) - 2 * log_s)  # the log density of log s
    return min(float(np.exp(log_density + log_ndtr(shift - c * np.exp(log_s))).sum()) * step, 1.0)


class OneT(T):
    name, unit = "one_sample_t", "values"
    meaning = "difference between the mean and the null value over the standard deviation"

    def shift_and_df(self, n: float, effect: float) -> tuple[float, float]:
        return effect * math.sqrt(n), n - 1


class PairedT(OneT):
    name, unit = "paired_t", "pairs"
    meaning = "mean difference over the standard deviation of differences"


class TwoT(T):
    name, unit = "two_sample_t", "in each group"
    meaning = "difference of means over the common standard deviation"

    def shift_and_df(self, n: float, effect: float) -> tuple[float, float]:
        return effect * math.sqrt(n / 2), 2 * n - 2


class CorrectedT(T):
    name, unit, needs = "corrected_t", "resamples", ("test_share",)
    meaning = "mean difference over the standard deviation of differences over resamples"
    method = "for resamples correlated by test_share"

    def shift_and_df(self, n: float, effect: float) -> tuple[float, float]:
        return effect / math.sqrt(1 / n + share_ratio(self.test_share)), n - 1


class Wilcoxon(PairedT):
    name, unit = "wilcoxon", "data sets"
    method = "asymptotic relative efficiency 3/π, normal differences"
    fewest = 3

    def tails(self, n: float, effect: float) -> Tails:
        if self._too_few(n):
            return Tails(0.0, 0.0)
        return super().tails(n, effect)

    def shift_and_df(self, n: float, effect: float) -> tuple[float, float]:
        worth = 3 / math.pi * n
        return effect * math.sqrt(worth), worth - 1

    def _too_few(self, n: float) -> bool:
        return bool(2.0**-n >= self.tail_level * (1 - 1e-9))

    def notes(self, n: float) -> tuple[str, ...]:
        return (no_rejection_note(n, self.level),) if self._too_few(n) else ()


class Z(Design):
    name, unit, fewest = "z", "values", 1
    meaning = "difference between the mean and the null value over the known standard deviation"

    def shift(self, n: float, effect: float) -> float:
        return effect * math.sqrt(n)

    def tails(self, n: float, effect: float) -> Tails:
        c, shift = -float(ndtri(self.tail_level)), self.shift(n, effect)
        return self.relevant_tails(float(ndtr(-c - shift)), float(ndtr(shift - c)), effect)


class TwoZ(Z):
    name, unit = "two_sample_z", "in each group"
    meaning = "difference of means over the known standard deviation, or Cohen's h of two proportions"

    def shift(self, n: float, effect: float) -> float:
        return effect * math.sqrt(n / 2)


class TwoProportions(TwoZ):
    name, needs, method = "two_proportions", ("proportion",), "arcsine approximation"
    meaning = "difference between the first proportion and the given second one"

    def shift(self, n: float, effect: float) -> float:
        return super().shift(n, self.details(effect)["h"])

    def details(self, effect: float) -> dict[str, Any]:
        first = min(max(self.proportion + effect, 0.0), 1.0)
        return {"h": 2 * math.asin(math.sqrt(first)) - 2 * math.asin(math.sqrt(self.proportion))}

    def largest_effect(self, sign: float) -> float:
        return largest_change(self.proportion, sign)


def largest_change(proportion: float, sign: float) -> float:
    """The distance of a proportion to 1 or to 0."""
    if not 0 < number(proportion) < 1:
        raise InputError(f"proportion must lie strictly between 0 and 1, got {proportion!r}")
    return 1 - proportion if sign > 0 else proportion


class F(Design):
    """A test with a noncentral F statistic."""

    unit, needs, signed = "in each group", ("groups",), False
    name, meaning = "anova", "Cohen's f: standard deviation of the group means over that within groups"

    def tails(self, n: float, effect: float) -> Tails:
        from scipy.special import fdtrc, fdtri
        from scipy.stats import ncf

        df1, df2, shift = self.df_and_shift(n, effect)
        c = float(fdtri(df1, df2, self.level))
        return Tails(0.0, float(ncf.sf(c, df1, df2, shift)) if shift else float(fdtrc(df1, df2, c)))

    def df_and_shift(self, n: float, effect: float) -> tuple[float, float, float]:
        """Both degrees of freedom and the noncentrality."""
        return self.groups - 1, self.groups * (n - 1), self.groups * n * effect**2

    def check(self, *, n: float, effect: float) -> None:
        if not (is_whole(self.groups) and self.groups >= 2):
            raise InputError(f"groups must be the number of groups or methods, at least 2, got {self.groups!r}")
        super().check(n=n, effect=effect)


class RepeatedF(F):
    name, unit, method = "repeated_anova", "blocks", "exact under sphericity"
    meaning = "Cohen's f: standard deviation of the method means over that of the residuals"

    def df_and_shift(self, n: float, effect: float) -> tuple[float, float, float]:
        return self.groups - 1, (self.groups - 1) * (n - 1), self.groups * n * effect**2


class Friedman(RepeatedF):
    name, unit = "friedman", "data sets"
    method = "asymptotic relative efficiency 3k/π(k+1), normal scores"

    def df_and_shift(self, n: float, effect: float) -> tuple[float, float, float]:
        df1, df2, shift = super().df_and_shift(n, effect)
        return df1, df2, shift * 3 * self.groups / (math.pi * (self.groups + 1))


def no_rejection_note(n: float, level: float) -> str:
    return f"with {n:g} {verb(math.ceil(n), 'data set', 'data sets')} no p-value can be below {1 - level:.3g}"


BLOCK = 1024  # numbers of disagreements whose sign tests are computed at once


class Proportion(Design):
    """The exact binomial test of a proportion."""

    name, unit, fewest, counts = "binomial_test", "instances", 1, True
    needs: ClassVar[tuple[str, ...]] = ("proportion",)
    meaning = "difference between the true proportion and that of the null hypothesis"

    @property
    def null(self) -> float:
        """The proportion of the null hypothesis."""
        return self.proportion

    def tails(self, n: float, effect: float) -> Tails:
        lower, upper = self._rejections(np.array([n]), effect)
        return self.relevant_tails(float(lower[0]), float(upper[0]), effect)

    def powers(self, n: IntArray, effect: float) -> FloatArray:
        return _chosen(self.sides(effect), self._rejections(n, effect))

    def _rejections(self, n: Any, effect: float) -> tuple[FloatArray, FloatArray]:
        return _binomial_tails(n, self.null, min(max(self.null + effect, 0.0), 1.0), self.tail_level)

    def largest_effect(self, sign: float) -> float:
        return largest_change(self.proportion, sign)


class Sign(Proportion):
    """The sign test."""

    name, unit = "sign_test", "data sets without ties"
    needs: ClassVar[tuple[str, ...]] = ()
    meaning = "probability that the first method wins, minus one half"

    @property
    def null(self) -> float:
        return 0.5

    def largest_effect(self, sign: float) -> float:  # noqa: ARG002
        return 0.5

    def notes(self, n: float) -> tuple[str, ...]:
        never = 2.0**-n >= self.tail_level * (1 - 1e-9)
        return (no_rejection_note(n, self.level),) if never else ()


class McNemar(Design):
    """McNemar's exact test."""

    name, unit, needs, fewest, counts = "mcnemar", "instances", ("disagreement",), 1, True
    meaning = "difference of the two accuracies"

    def tails(self, n: float, effect: float) -> Tails:
        """The power averaged over the number of disagreements, which is binomial; given it, the test is a sign test."""
        m = self._disagreements(int(n), int(n))
        below = np.concatenate([[bdtr(m[0] - 1, n, self.disagreement) if m[0] else 0.0], bdtr(m, n, self.disagreement)])
        lower, upper = self._rejections(m, effect)
        weights = np.diff(below)
        return self.relevant_tails(float(weights @ lower), float(weights @ upper), effect)

    def powers(self, n: IntArray, effect: float) -> FloatArray:
        """The power at each n, from logarithms of binomial probabilities, which have fewer digits than their sums."""
        if self.disagreement == 1:
            return super().powers(n, effect)
        m = self._disagreements(int(n.min()), int(n.max()))
        agreements = n[:, None] - m
        ways = gammaln(n + 1)[:, None] - gammaln(m + 1) - gammaln(np.maximum(agreements, 0) + 1)
        logs = ways + m * math.log(self.disagreement) + agreements * math.log1p(-self.disagreement)
        rejected = _chosen(self.sides(effect), self._rejections(m, effect))
        return np.asarray(np.exp(np.where(agreements < 0, -np.inf, logs)) @ rejected)

    def _disagreements(self, least: int, most: int) -> IntArray:
        """The numbers of disagreements that occur for numbers of instances from ``least`` to ``most``."""
        spread = 9 * math.sqrt(most * self.disagreement * (1 - self.disagreement)) + 9
        first, last = math.floor(least * self.disagreement - spread), math.ceil(most * self.disagreement + spread)
        return np.arange(max(0, first), min(most, last) + 1)

    def _rejections(self, m: IntArray, effect: float) -> tuple[FloatArray, FloatArray]:
        """The probabilities that the sign test of m disagreements rejects, for each m: blocks are kept for other n."""
        share = min(max(0.5 + effect / self.disagreement / 2, 0.0), 1.0)
        first, last = int(m[0]) // BLOCK, int(m[-1]) // BLOCK
        parts = [_sign_tails(block, share, self.tail_level) for block in range(first, last + 1)]
        lower, upper = (np.concatenate(side) for side in zip(*parts, strict=True))
        return lower[m - first * BLOCK], upper[m - first * BLOCK]

    def largest_effect(self, sign: float) -> float:  # noqa: ARG002
        if not 0 < number(self.disagreement) <= 1:
            raise InputError(
                "disagreement must be the share of instances on which exactly one is right, above 0 and at most 1, "
                f"got {self.disagreement!r}"
            )
        return self.disagreement


def _chosen(sides: tuple[bool, bool], tails: tuple[FloatArray, FloatArray]) -> FloatArray:
    """The sum of the tails that count."""
    return sides[0] * tails[0] + sides[1] * tails[1]


def _binomial_tails(n: Any, null: float, true: float, allowed: float) -> tuple[FloatArray, FloatArray]:
    """For each n, the probabilities that the exact test rejects because of too few and of too many successes."""
    low, high = _critical_below(n, null, allowed), _critical_below(n, 1 - null, allowed)
    return _at_most(low, n, true), _at_most(high, n, 1 - true)


def _at_most(k: FloatArray, n: Any, p: float) -> FloatArray:
    if p in (0.0, 1.0):
        return np.where(k >= (n if p else 0), 1.0, 0.0)
    return np.where(k < 0, 0.0, bdtr(np.clip(k, 0, n), n, p))


def _critical_below(n: Any, p: float, allowed: float) -> FloatArray:
    """The largest k with P(X ≤ k) below ``allowed``; −1 if there is none."""
    from scipy.stats import binom

    k = binom.ppf(allowed, n, p)  # the smallest k with P(X ≤ k) ≥ allowed
    return np.asarray(np.where(_at_most(k, n, p) < allowed * (1 - 1e-12), k, k - 1))


@lru_cache(maxsize=256)
def _sign_tails(block: int, share: float, allowed: float) -> tuple[FloatArray, FloatArray]:
    """The probabilities that sign tests of a block of sizes reject, below and above."""
    return _binomial_tails(np.arange(block * BLOCK, (block + 1) * BLOCK), 0.5, share, allowed)


_ALL: tuple[type[Design], ...] = (
    *(OneT, PairedT, TwoT, CorrectedT, Wilcoxon, Z, TwoZ),
    *(Proportion, TwoProportions, McNemar, Sign, F, RepeatedF, Friedman),
)
DESIGNS: dict[str, type[Design]] = {design.name: design for design in _ALL}
