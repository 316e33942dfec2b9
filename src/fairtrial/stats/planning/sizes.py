"""Power analysis before a study: the power, the sample size or the smallest detectable effect, from the other two.

``designs`` has the power of each test at a given n and effect; here the equation is solved for n or for the effect.

The result of a power analysis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.arguments import number
from fairtrial.stats.bibliography import COHEN_1988, CONNOR_1987, LEHMANN_1975
from fairtrial.stats.outcome import Alternative, check_alternative, check_level
from fairtrial.stats.planning.designs import DESIGNS, Design
from fairtrial.stats.procedures import OF_THE_TEST, POWER, procedure
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import is_one_of


@dataclass(frozen=True, slots=True)
class Power(Shown):
    """The power of a test: the probability that it finds an effect of a given size with n observations.

    ``power`` is the probability of rejecting the null hypothesis, and ``type_2`` is 1 − power. ``type_1`` is the
    probability of rejecting without any effect; it is below 1 − level for tests of counts. ``type_s`` is the
    probability that a significant estimate has the wrong sign, and ``exaggeration`` (type M) the factor by which it
    overstates the effect on average; both are nan where they don't apply. ``error`` is the Monte Carlo standard error
    of the power.

    >>> from fairtrial.stats import power
    >>> print(power("paired_t", n=20, effect=0.6))
    power 0.7210 to find an effect of 0.6000 with n = 20 pairs (paired_t, two-sided at level 0.95, exact)
      effect: mean difference over the standard deviation of differences
      type I error 0.05000, type II error 0.2790, wrong sign (type S) 4.337e−06
    """

    test: str
    n: int
    effect: float
    power: float
    level: float
    alternative: Alternative = "two-sided"
    method: str = "exact"
    unit: str = ""
    meaning: str = ""
    type_1: float = math.nan
    type_s: float = math.nan
    exaggeration: float = math.nan
    error: float = 0.0
    notes: tuple[str, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def type_2(self) -> float:
        """The type II error: the probability of not finding the effect."""
        return 1 - self.power

    def __str__(self) -> str:
        write = formats.significant(4)
        n = f" with n = {self.n}{' ' if self.unit else ''}{self.unit}" if self.n else ""
        error = f" ± {self.error:.1g}" if self.error else ""
        effect = "" if math.isnan(self.effect) else f" to find an effect of {write(self.effect)}"
        how = f"{self.test}, {self.alternative} at level {self.level:g}, {self.method}"
        rates = (
            ("type I error", self.type_1),
            ("type II error", self.type_2),
            ("wrong sign (type S)", self.type_s),
            ("exaggeration (type M)", self.exaggeration),
        )
        lines = [
            f"power {write(self.power)}{error}{effect}{n} ({how})",
            *([f"effect: {self.meaning}"] if self.meaning else []),
            ", ".join(f"{name} {write(rate)}" for name, rate in rates if not math.isnan(rate)),
            *(f"note: {note}" for note in self.notes),
        ]
        return "\n  ".join(lines)

    def to_dict(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"type_2": self.type_2}

    def to_table(self) -> Table:
        write = formats.significant(4)
        names = ("n", "effect", "power", "type_1", "type_2", "type_s", "exaggeration")
        columns = (Column("test", align="left"), *(Column(n.replace("_", " "), write) for n in names))
        row = (self.test, *(getattr(self, name) for name in names))
        return Table(columns=columns, rows=(row,), caption=self.meaning, notes=self.notes)


MOST = 10_000_000  # the largest n that sample_size tries
AT_ONCE = 64  # numbers of observations whose power is computed together
CLOSE = 1e-8  # powers so near to the requested one are computed again, to all digits


@procedure(question=POWER, assumes=OF_THE_TEST, references=(COHEN_1988, CONNOR_1987, LEHMANN_1975))
def power(
    test: str,
    *,
    n: float,
    effect: float,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    groups: int | None = None,
    proportion: float | None = None,
    disagreement: float | None = None,
    test_share: float | None = None,
    strict: bool = True,
) -> Power:
    r"""Power of a test: the probability that it finds an effect of a given size with n observations.

    ``test`` is a name from the table below. For the t-tests, with :math:`\delta` the effect, T is noncentral:

    .. math:: \text{power} = P(T_{\nu,\lambda} > t_{\nu,1-\alpha/2}) + P(T_{\nu,\lambda} < -t_{\nu,1-\alpha/2}),
              \qquad \lambda = \delta\sqrt{n}.

    The second term is the probability of a significant finding with the wrong sign, which is not negligible for small
    effects; ``strict=False`` leaves it out, as R's ``power.t.test`` does by default.

    ======================  =========================================================  ===================  ========
    test                    effect                                                     n                    needs
    ======================  =========================================================  ===================  ========
    one-sample t, paired t  mean (difference) / its standard deviation                 values, pairs
    two-sample t            difference of means / common standard deviation            in each group
    corrected t             mean difference / its standard deviation over resamples    resamples            test_share
    z, two-sample z         as for t with a known standard deviation; Cohen's h        values, in each
    proportion              difference to ``proportion``, exact binomial               instances            proportion
    two proportions         difference to ``proportion``, by the arcsine               in each group        proportion
    mcnemar                 difference of two accuracies, exact                        instances            disagreement
    sign                    probability of a win − ½, exact                            data sets
    wilcoxon                as for the paired t, normal differences (ARE 3/π)          data sets
    anova                   Cohen's f: sd of the group means / sd within groups        in each group        groups
    repeated anova          Cohen's f: sd of the method means / residual sd            blocks               groups
    friedman                as for repeated anova, normal scores (ARE 3k/π(k+1))       data sets            groups
    ======================  =========================================================  ===================  ========

    ``disagreement`` is the share of instances on which exactly one of the two classifiers is right; ``groups`` is the
    number of groups or methods. Exact tests of counts reject if twice the smaller tail is below 1 − level
    (``binomial_test`` with ``method="doubled"``). Wilcoxon and Friedman use the asymptotic relative efficiency (ARE) to
    the t- and F-test under normality, which is accurate to one or two percentage points from about 10 data sets on; for
    other distributions see :func:`simulated_power`. If there are too few data sets for any p below 1 − level, the power
    is 0, with a note.

    References: Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd edition; Lehmann (1975),
    Nonparametrics; Connor (1987), Biometrics 43:207-211 (McNemar).

    >>> found = power("two_sample_t", n=20, effect=0.1)
    >>> found.power, power("two_sample_t", n=20, effect=0.1, strict=False).power
    (0.06096, 0.04930)
    >>> power("mcnemar", n=200, effect=0.05, disagreement=0.15).power
    0.3733
    """
    design = _design(test, level, alternative, groups, proportion, disagreement, test_share, strict=strict)
    design.check(n=n, effect=effect)
    return _power_at(design, int(n) if design.counts else float(n), effect)


@procedure(question=POWER, assumes=OF_THE_TEST)
def sample_size(
    test: str,
    *,
    effect: float,
    power: float = 0.8,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    groups: int | None = None,
    proportion: float | None = None,
    disagreement: float | None = None,
    test_share: float | None = None,
    strict: bool = True,
) -> Power:
    """Sample size: the smallest n with which a test finds an effect of a given size with at least this power.

    Tests, effects and the meaning of n are those of :func:`power`. ``details["fractional_n"]`` is the n at which the
    power is reached exactly, which textbooks and R print. The power of exact tests of counts goes up and down with n:
    for these tests the result is the n from which on the power never again falls below the requested one.

    The power of the corrected t-test has a limit, however many resamples of one data set there are, since they share
    training data. If the requested power can't be reached, the error says which power can.

    >>> found = sample_size("two_sample_t", effect=1.0, power=0.9)
    >>> found.n, found.details["fractional_n"], found.power
    (23, 22.0211, 0.9125)
    >>> sample_size("sign_test", effect=0.25).n
    35
    """
    design = _design(test, level, alternative, groups, proportion, disagreement, test_share, strict=strict)
    _check_power(power, level)
    design.check(n=design.fewest, effect=effect)
    if effect == 0:
        raise InputError("effect must not be 0, since no sample size can find an effect of 0, got 0")
    n, fraction = _last_crossing(design, effect, power) if design.counts else _crossing(design, effect, power)
    found = _power_at(design, n, effect)
    if not math.isnan(fraction):
        found.details["fractional_n"] = fraction
    return found


@procedure(question=POWER, assumes=OF_THE_TEST)
def minimum_detectable(
    test: str,
    *,
    n: float,
    power: float = 0.8,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    groups: int | None = None,
    proportion: float | None = None,
    disagreement: float | None = None,
    test_share: float | None = None,
    strict: bool = True,
) -> Power:
    """Smallest detectable effect: the smallest effect that a test finds with this power and n observations.

    Tests, effects and the meaning of n are those of :func:`power`. The effect is positive, or negative for
    ``alternative="less"``. If even the largest possible effect is not found with this power, an error says so.

    >>> minimum_detectable("wilcoxon", n=12).effect
    0.9142
    >>> minimum_detectable("mcnemar", n=500, disagreement=0.1).effect
    0.0407
    """
    from scipy.optimize import brentq

    design = _design(test, level, alternative, groups, proportion, disagreement, test_share, strict=strict)
    _check_power(power, level)
    design.check(n=n, effect=0.0)
    n = int(n) if design.counts else float(n)
    sign = -1.0 if alternative == "less" else 1.0
    high = design.largest_effect(sign)
    if math.isinf(high):
        high = 1.0
        while design.tails(n, sign * high).total < power and high < 1e6:
            high *= 2
    most = design.tails(n, sign * high).total
    if most < power:
        raise InputError(
            f"power must be at most {most:.3g} for n = {n:g}, that of the largest possible effect, got {power:g}; "
            "increase n"
        )
    found = brentq(lambda effect: design.tails(n, sign * effect).total - power, 0.0, high, xtol=1e-12)
    return _power_at(design, n, sign * float(found))


def _design(
    test: str,
    level: float,
    alternative: Alternative,
    groups: int | None,
    proportion: float | None,
    disagreement: float | None,
    test_share: float | None,
    *,
    strict: bool,
) -> Design:
    """Check the arguments, and return the design of the test."""
    check_alternative(alternative)
    check_level(level)
    if not is_one_of(test, DESIGNS):
        raise UnknownName.among("test with a known power", test, DESIGNS)
    given = {"groups": groups, "proportion": proportion, "disagreement": disagreement, "test_share": test_share}
    needs = DESIGNS[test].needs
    for name, value in given.items():
        if (value is None) == (name in needs):
            raise InputError(f"test {test!r} {'needs' if value is None else 'takes no'} {name}, got {name}={value!r}")
    return DESIGNS[test](
        level=level,
        alternative=alternative,
        strict=strict,
        groups=0 if groups is None else groups,
        proportion=math.nan if proportion is None else proportion,
        disagreement=math.nan if disagreement is None else disagreement,
        test_share=math.nan if test_share is None else test_share,
    )


def _check_power(power: float, level: float) -> None:
    if not 1 - level < number(power) < 1:
        raise InputError(f"power must lie strictly between 1 − level = {1 - level:g} and 1, got {power!r}")


def _power_at(design: Design, n: float, effect: float) -> Power:
    """The power of a design at this n and effect."""
    tails, size = design.tails(n, effect), design.tails(n, 0.0).total
    wrong = math.nan
    if design.alternative == "two-sided" and design.signed and effect and tails.total > 0 and design.strict:
        wrong = (tails.lower if effect > 0 else tails.upper) / tails.total
    return Power(
        test=design.name,
        n=int(n) if n == int(n) else math.ceil(n),
        effect=effect,
        power=min(tails.total, 1.0),
        level=design.level,
        alternative=design.alternative,
        method=design.method,
        unit=design.unit,
        meaning=design.meaning,
        type_1=size,
        type_s=wrong,
        notes=design.notes(n),
        details=design.details(effect),
    )


def _crossing(design: Design, effect: float, power: float) -> tuple[int, float]:
    """The n at which a power that grows with n is reached, rounded up and as a fraction."""
    from scipy.optimize import brentq

    def short(n: float) -> float:
        return design.tails(n, effect).total - power

    low, high = float(design.fewest), 2.0 * design.fewest
    if short(low) >= 0:
        return design.fewest, math.nan
    while short(high) < 0:
        low, high = high, 2 * high
        if high > MOST:
            most = design.tails(float(MOST), effect).total
            raise InputError(
                f"power must be at most {most:.3g} for an effect of {effect:g}, which is reached with n = {MOST:,}, "
                f"got {power:g}; choose a larger effect or less power"
            )
    exact = float(brentq(short, low, high, xtol=1e-10, rtol=1e-12))
    return math.ceil(exact - 1e-9), exact


def _last_crossing(design: Design, effect: float, power: float) -> tuple[int, float]:
    """The n from which on the power of a test of counts never again falls below the requested one.

    With growing n the power rises by about 1/n at each step and falls by about 1/√n whenever the critical value
    changes. So the last n with too little power is about √n beyond the first n with enough: search down from there.
    """
    safe = design.fewest
    while design.tails(safe, effect).total < power or design.tails(safe + 1, effect).total < power:
        safe *= 2
        if safe > 100_000:
            raise InputError(
                f"effect must be large enough to be found with power {power:g} and n up to 100,000, got {effect:g}; "
                "choose a larger effect or less power"
            )
    low = safe // 2
    while safe - low > 1:
        middle = (low + safe) // 2
        low, safe = (low, middle) if design.tails(middle, effect).total >= power else (middle, safe)
    return _first_that_stays(design, effect, power, safe + 30 + round(8 * math.sqrt(safe))), math.nan


def _first_that_stays(design: Design, effect: float, power: float, last: int) -> int:
    """The first n from which on to ``last`` the power is never below the requested one."""
    while last >= design.fewest:
        n = np.arange(max(last - AT_ONCE + 1, design.fewest), last + 1)
        powers = design.powers(n, effect)
        close = np.flatnonzero(np.abs(powers - power) < CLOSE)
        powers[close] = [design.tails(one, effect).total for one in n[close].tolist()]
        below = np.flatnonzero(powers < power)
        if len(below):
            return int(n[below[-1]]) + 1
        last = int(n[0]) - 1
    return design.fewest
