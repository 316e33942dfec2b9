"""The power of each test at a given n and effect, from noncentral distributions; one small class each."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy.special import gammaln, log_ndtr, ndtr, ndtri, stdtr, stdtrit

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
