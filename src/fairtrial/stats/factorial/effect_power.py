"""Power of an experiment for each effect, from the spread in a pilot: how many data sets or splits does it take?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt
from scipy.special import chdtri

from fairtrial.errors import InputError
from fairtrial.stats.arguments import number, share_ratio
from fairtrial.stats.bibliography import COHEN_1988
from fairtrial.stats.factorial.contrasts import EffectValues, checked_effects, spreads
from fairtrial.stats.outcome import check_level
from fairtrial.stats.planning.sizes import power as power_of
from fairtrial.stats.planning.sizes import sample_size
from fairtrial.stats.procedures import FACTORIAL, procedure
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import plural

CAUTIOUS = 0.8  # the pilot's standard deviation is exceeded by its upper bound at this level
LARGEST = 1e3  # standard deviations: for a larger effect the fewest units that allow a test are enough
NO_NUMBER = "no number of splits reaches this power, since splits of one data set share training data"


@dataclass(frozen=True, slots=True)
class EffectPower(Shown):
    """What a pilot says about the numbers of units (data sets or splits) that an experiment needs, effect by effect.

    ``spread`` is the standard deviation of each effect over units and ``spread_up_to`` its upper 80 % bound.
    ``needed`` are the units for the requested power; ``needed_up_to`` those if the spread is at its bound; nan where no
    number is enough. ``power_now`` is the power with as many units as the pilot has.
    """

    names: tuple[str, ...]
    spread: tuple[float, ...]
    spread_up_to: tuple[float, ...]
    needed: tuple[float, ...]
    needed_up_to: tuple[float, ...]
    power_now: tuple[float, ...]
    smallest: float
    power: float
    unit: str
    level: float = 0.95
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        names = ("names", "spread", "spread_up_to", "needed", "needed_up_to", "power_now", "notes")
        return {name: list(getattr(self, name)) for name in names} | {
            "smallest": self.smallest,
            "power": self.power,
            "unit": self.unit,
            "level": self.level,
        }

    def to_table(self) -> Table:
        """A table with a row for each effect."""
        write = formats.significant(4)
        columns = (
            Column("effect", align="left"),
            Column("sd", write),
            Column("sd up to", write),
            Column(f"{self.unit}s", formats.count, key="needed"),
            Column("up to", formats.count, key="needed_up_to"),
            Column("power of the pilot", formats.percent, key="power_now"),
        )
        parts = (self.names, self.spread, self.spread_up_to, self.needed, self.needed_up_to, self.power_now)
        rows = tuple(zip(*parts, strict=True))
        caption = f"{self.unit}s for power {self.power:g} to find an effect of {write(self.smallest)}"
        return Table(columns=columns, rows=rows, caption=caption, notes=self.notes)


@procedure(
    question=FACTORIAL,
    assumes="effects normal over data sets (or splits), with the pilot's spread",
    references=(COHEN_1988,),
)
def effect_power(
    pilot: npt.ArrayLike | EffectValues,
    *,
    smallest: float,
    power: float = 0.8,
    level: float = 0.95,
    test_share: float | None = None,
    overlap: float = 1.0,
    names: Sequence[str] | None = None,
) -> EffectPower:
    r"""Numbers of data sets (or splits) that an experiment needs for each effect, from the spread in a pilot.

    ``pilot`` has a row for each data set and a column for each effect, as :meth:`FactorialModel.values` makes it. With
    ``test_share`` its rows are splits of one data set. ``smallest`` is the smallest effect that matters, in the unit of
    the scores; the effects that the pilot shows are not used, since they are too uncertain.

    The power is that of :func:`power` for ``wilcoxon`` (data sets) or ``corrected_t`` (splits) with an effect of
    ``smallest`` / sd at the level :math:`1 - (1 - \text{level})/m` for m effects: Bonferroni, which joint flips
    are hardly ever worse than. The spread of a small pilot is uncertain, too: ``spread_up_to`` is the upper 80 % bound
    of the standard deviation (chi-square), and ``needed_up_to`` goes with it.

    The number of splits may have no end: splits of one data set share training data, and more of them add less and
    less. Then it is nan, with a note. An effect without any spread needs the fewest units that allow a test. At least
    two rows are needed.

    Reference: Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd edition.

    >>> pilot = [[0.020, 0.004], [0.031, -0.002], [0.012, 0.010], [0.025, 0.001], [0.018, 0.007]]
    >>> print(effect_power(pilot, smallest=0.01, names=["depth", "rate"]))
    data sets for power 0.8 to find an effect of 0.01000
    effect        sd  sd up to  data sets  up to  power of the pilot
    depth   0.007190   0.01120          8     16                 0 %
    rate    0.004743  0.007388          7      9                 0 %
    for all 2 effects together (Bonferroni)
    """
    check_level(level)
    splits = test_share is not None
    unit = "split" if splits else "data set"
    values, labels, _, notes = checked_effects(pilot, names, unit)
    n, m = values.shape
    if n < 2:
        raise InputError(f"pilot must have at least two {unit}s (rows), since one has no spread, got 1")
    if not 0 < number(smallest) < math.inf:
        raise InputError(f"smallest must be above 0, the smallest effect that matters, got {smallest!r}")
    of = _Planned(smallest, power, 1 - (1 - level) / m, share_ratio(test_share, overlap) if splits else None)
    spread = spreads(values)
    widen = math.sqrt((n - 1) / float(chdtri(n - 1, CAUTIOUS)))
    needed = [of.needed(s) for s in spread]
    cautious = [of.needed(s * widen) for s in spread]
    endless = (NO_NUMBER,) if any(math.isnan(x) for x in (*needed, *cautious)) else ()
    return EffectPower(
        names=labels,
        spread=tuple(spread),
        spread_up_to=tuple(s * widen for s in spread),
        needed=tuple(needed),
        needed_up_to=tuple(cautious),
        power_now=tuple(of.reached(s, n) for s in spread),
        smallest=smallest,
        power=power,
        unit=unit,
        level=level,
        notes=(*notes, *endless, f"for all {plural(m, 'effect')} together (Bonferroni)"),
    )


@dataclass(frozen=True, slots=True)
class _Planned:
    """A planned test of one effect: size, requested power, level, and the ratio of test to training size."""

    smallest: float
    power: float
    level: float
    ratio: float | None

    @property
    def test(self) -> str:
        return "wilcoxon" if self.ratio is None else "corrected_t"

    @property
    def share(self) -> float | None:
        """The share of test instances whose correction has this ratio."""
        return None if self.ratio is None else self.ratio / (1 + self.ratio)

    def needed(self, spread: float) -> float:
        """The number of units, nan if none is enough."""
        effect = self._effect(spread)
        try:
            found = sample_size(self.test, effect=effect, power=self.power, level=self.level, test_share=self.share)
        except InputError:
            if self.ratio is None:
                raise
            return math.nan
        return float(found.n)

    def reached(self, spread: float, n: int) -> float:
        """The power with n units."""
        if self.ratio is None and n < 3:
            return 0.0
        return power_of(self.test, n=n, effect=self._effect(spread), level=self.level, test_share=self.share).power

    def _effect(self, spread: float) -> float:
        return min(self.smallest / spread if spread > 0 else math.inf, LARGEST)
