"""The results of statistical procedures: an Outcome for a test, an Interval for an estimate, and how they print."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.shown import ShownAsText, drawn
from fairtrial.stats.arguments import number
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import is_one_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Chances = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
"""The values that a statistic can have, in rising order, and their probabilities."""

Alternative = Literal["two-sided", "greater", "less"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "greater", "less")


def check_alternative(alternative: str) -> None:
    """Refuse an ``alternative`` that is not one of the three."""
    if not is_one_of(alternative, ALTERNATIVES):
        raise InputError(f"alternative must be 'two-sided', 'greater' or 'less', got {alternative!r}")


def check_level(level: float) -> None:
    """Refuse a confidence level that does not lie strictly between 0 and 1."""
    if not 0 < number(level) < 1:
        raise InputError(f"level must lie strictly between 0 and 1 (0.95 for 95 %), got {level!r}")


@dataclass(frozen=True, slots=True)
class Interval(ShownAsText):
    """An estimate of a named quantity with its confidence interval.

    >>> print(Interval("accuracy", 0.8, 0.711, 0.867, 0.95, "Wilson"))
    accuracy 0.8000, 95 % interval [0.7110, 0.8670] (Wilson)
    """

    quantity: str
    estimate: float
    low: float
    high: float
    level: float = 0.95
    method: str = ""
    notes: tuple[str, ...] = ()

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def has_no_width(self) -> bool:
        """Whether its ends are undefined, or one number: those of a pseudo-median, where many differences are equal."""
        return not self.low < self.high

    def negated(self) -> Interval:
        """The interval of the negated quantity: second minus first instead of first minus second."""
        return replace(self, estimate=-self.estimate, low=-self.high, high=-self.low)

    def scaled(self, unit: float) -> Interval:
        """The interval in another unit: estimate and bounds multiplied by ``unit``."""
        return replace(self, estimate=self.estimate * unit, low=self.low * unit, high=self.high * unit)

    def __str__(self) -> str:
        head = f"{self.quantity} {formats.significant(4)(self.estimate)}"
        if math.isnan(self.low) and math.isnan(self.high):
            return "\n".join((head, *self.notes))
        tail = f" ({self.method})" if self.method else ""
        bounds = f"[{formats.significant(4)(self.low)}, {formats.significant(4)(self.high)}]"
        return "\n".join((f"{head}, {100 * self.level:g} % interval {bounds}{tail}", *self.notes))

    def to_dict(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def to_table(self) -> Table:
        write = formats.significant(4)
        columns = (
            Column("quantity", align="left"),
            Column("estimate", write),
            Column("low", write),
            Column("high", write),
            Column("level"),
        )
        row = (self.quantity, self.estimate, self.low, self.high, self.level)
        return Table(columns=columns, rows=(row,), caption=self.method, notes=self.notes)


def bound_if(p_value: float, at_floor: bool) -> float:
    """A p-value as tables write it: with ≤ if it is the smallest that the random draws can give."""
    return formats.AtMost(p_value) if at_floor else p_value


@dataclass(frozen=True, slots=True)
class Null:
    """The distribution of a statistic if the null hypothesis is true, of which the p-value is a tail.

    ``name`` is ``normal``, ``t``, ``chi-square`` or ``F``, with the degrees of freedom ``df``. Any other distribution
    has ``chances``, a function that gives values and probabilities; then ``name`` says what the values are, with
    ``{first}`` for the first method. ``observed`` and ``side`` are there where the p-value does not belong to the
    ``statistic`` and ``alternative`` of the outcome. ``tails`` says which values of a discrete distribution are in a
    two-sided p-value: twice the smaller tail, the same with half of the observed value, or all that are as unlikely.
    """

    name: str
    df: float | tuple[float, ...] = ()
    observed: float | None = None
    side: Alternative | None = None
    chances: Callable[[], Chances] | None = None
    tails: Literal["doubled", "mid-p", "least likely"] = "doubled"


@dataclass(frozen=True, slots=True)
class Outcome(Shown):
    """The result of one test: its statistic, p-value, effect with interval, null hypothesis, and notes.

    ``p_value`` and ``effect`` belong to this one comparison and agree with each other: where the procedure allows it,
    the interval excludes the null value exactly when ``p_value < 1 - level``. ``log10_p`` is the decimal logarithm of
    the p-value, also where ``p_value`` underflows to 0. ``p_error`` is the Monte Carlo standard error of the p-value,
    0 where nothing was drawn. ``p_floor`` is the smallest p-value that the number of random draws allows; a p-value
    :attr:`at_floor` is printed as a bound, with ≤. ``details`` holds what belongs to one test only, such as rank sums,
    as plain numbers and lists. ``null_distribution`` is that of the statistic, which :meth:`figure` draws; it is None
    where the p-value is not a tail of one, as with the bootstrap.
    """

    test: str
    null: str
    statistic: float
    p_value: float
    n: int
    alternative: Alternative = "two-sided"
    method: str = "exact"
    effect: Interval | None = None
    df: float | tuple[float, ...] | None = None
    critical_value: float = math.nan
    log10_p: float = math.nan
    p_error: float = 0.0
    p_floor: float = 0.0
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    null_distribution: Null | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if math.isnan(self.log10_p) and self.p_value > 0:
            object.__setattr__(self, "log10_p", math.log10(self.p_value))

    @property
    def at_floor(self) -> bool:
        """Whether no random draw was as extreme as the data: p may be smaller, which more draws would show."""
        return self.p_value <= self.p_floor > 0

    def __str__(self) -> str:
        df = "" if self.df is None else f", df {self.df}"
        side = "" if self.alternative == "two-sided" else f", {self.alternative}"
        statistic = formats.significant(5)(self.statistic)
        lines = [
            f"{self.test} ({self.method}{side})",
            f"  {formats.p_equals(bound_if(self.p_value, self.at_floor))}, statistic {statistic}{df}, n = {self.n}",
        ]
        if self.effect is not None:
            lines.append(f"  {self.effect}")
        lines.append(f"  null hypothesis: {self.null}")
        lines.extend(f"  note: {note}" for note in self.notes)
        return "\n".join(lines)

    def figure(self, *, alpha: float = 0.05) -> Figure:
        """Draw the null distribution, with the statistic and the critical region at ``alpha``."""
        return drawn("null_distribution_figure", self, alpha=alpha)

    def to_dict(self) -> dict[str, Any]:
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.repr}
        values["effect"] = None if self.effect is None else self.effect.to_dict()
        values["details"] = dict(self.details)
        return values

    def to_table(self) -> Table:
        """A table of one row: statistic, p-value, effect and interval."""
        write = formats.significant(4)
        effect = self.effect
        columns = (
            Column("test", align="left"),
            Column("statistic", write),
            Column("p", formats.p_value),
            Column("effect", write),
            Column("low", write),
            Column("high", write),
            Column("n"),
        )
        bounds = (None, None, None) if effect is None else (effect.estimate, effect.low, effect.high)
        row = (self.test, self.statistic, bound_if(self.p_value, self.at_floor), *bounds, self.n)
        caption = f"null hypothesis: {self.null}"
        return Table(columns=columns, rows=(row,), caption=caption, notes=self.notes)
