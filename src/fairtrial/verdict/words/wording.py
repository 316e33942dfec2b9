"""How a measure's values, differences and methods are written in sentences and tables."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from fairtrial.design.amounts import UNCLEAR, scale_of
from fairtrial.measures import Measure, in_words
from fairtrial.measures.name_options import parse
from fairtrial.measures.operating_context import costs_of
from fairtrial.stats import Interval
from fairtrial.tables import formats
from fairtrial.words import plural


@dataclass(frozen=True, slots=True)
class Wording:
    """Formats for one measure; ``ratio`` where methods are compared by ratios."""

    measure: Measure
    ratio: bool = False

    @property
    def name(self) -> str:
        return in_words(self.measure.name)

    @property
    def best_word(self) -> str:
        return "highest" if self.measure.higher_is_better else "lowest"

    @property
    def better_word(self) -> str:
        return "higher" if self.measure.higher_is_better else "lower"

    @property
    def digits(self) -> int | None:
        """Decimals that fit the range: 3 for shares, 2 for percentages, None for what has no common scale."""
        span = abs(self.measure.best - self.measure.worst)
        if not math.isfinite(span):
            return None
        return 3 if span <= 2 else 2

    @property
    def value(self) -> formats.Formatter:
        """How a value of the measure is written."""
        return formats.significant(4) if self.digits is None else formats.enough(self.digits)

    @property
    def difference(self) -> formats.Formatter:
        """How a difference is written, with its sign; a ratio with ×."""
        if self.ratio:
            return _ratio
        return _signed if self.digits is None else formats.enough(self.digits, sign=True)

    def differences(self, intervals: Iterable[Interval]) -> formats.Formatter:
        """How the differences of a column are written: all with the decimals that their uncertainty allows."""
        sizes = list(intervals)
        halves = [half for i in sizes if math.isfinite(half := (i.high - i.low) / 2) and half > 0]
        if self.digits is None and not self.ratio and halves:
            return formats.by_uncertainty(sorted(halves)[len(halves) // 2], sign=True)
        numbers = [n for s in sizes for n in (s.estimate, s.low, s.high, formats.half_width((s.low, s.high)))]
        return formats.over(self.difference, numbers)

    def values(self, *numbers: float) -> list[str]:
        """Several values with the same number of decimals."""
        return list(map(formats.over(self.value, numbers), numbers))

    def effect(self, interval: Interval) -> Interval:
        """The interval on the scale that people read: ratios instead of differences of logs."""
        if not self.ratio:
            return interval
        low, high = _exp(interval.low), _exp(interval.high)
        return replace(interval, quantity="ratio", estimate=_exp(interval.estimate), low=low, high=high)

    def as_measured(self, interval: Interval) -> Interval:
        """The interval in the measure's own direction and scale, from one that is positive where better."""
        return self.effect(interval if self.measure.higher_is_better else interval.negated())

    def sized(self, interval: Interval) -> str:
        """A difference that favours the subject of the sentence, '0.008 [0.002, 0.015]', or a ratio."""
        write = _beside_one if self.ratio else self.value
        text = _with_ends(write, interval.estimate, span_of(interval))
        return text if self.ratio else text.replace(" [", f"{self._points} [")

    def amount(self, size: float) -> str:
        """A size with its unit: '6.4 percentage points', '0.064'."""
        return f"{self.value(size)}{self._points}"

    def size_and_ends(self, interval: Interval) -> tuple[str, str]:
        """A lead, positive where the subject is better, and its ends: ('0.043', ' [0.020, 0.073]').

        Ends of both signs have them; a ratio is that of the measure itself. An interval without width has no ends.
        """
        seen = self.as_measured(interval) if self.ratio else interval
        ends = span_of(seen)
        numbers = (seen.estimate,) if ends is None else (seen.estimate, *ends, formats.half_width(ends))
        if self.ratio:
            write = signed = formats.over(_beside_one, numbers)
        else:
            write, signed = formats.over(self.value, numbers), formats.over(self.difference, numbers)
            if self.digits is None and ends is not None and math.isfinite(half := (ends[1] - ends[0]) / 2) and half > 0:
                write, signed = formats.by_uncertainty(half), formats.by_uncertainty(half, sign=True)
        size = f"{write(seen.estimate)}{'' if self.ratio else self._points}"
        if ends is None:
            return size, ""
        one_sided = self.ratio or ends[0] > 0 or ends[1] < 0
        return size, f" [{', '.join(map(write if one_sided else signed, ends))}]"

    def lead(self, interval: Interval) -> tuple[str, str]:
        """A difference and the ends of its interval, which have signs: ('0.008', '−0.002, +0.015')."""
        numbers = interval.estimate, interval.low, interval.high, formats.half_width((interval.low, interval.high))
        write, signed = formats.over(self.value, numbers), self.differences([interval])
        half = (interval.high - interval.low) / 2
        if self.digits is None and math.isfinite(half) and half > 0:
            write = formats.by_uncertainty(half)
        return f"{write(interval.estimate)}{self._points}", formats.span(signed)((interval.low, interval.high))

    @property
    def _points(self) -> str:
        """The unit of a difference: of percentages, which is not a percentage, and of costs."""
        if self.is_cost:
            return f" {self.cost_unit}"
        return " percentage points" if self.measure.unit == "%" else ""

    @property
    def is_cost(self) -> bool:
        """Whether the measure is a cost of decisions."""
        return costs_of(self.measure.name) is not None

    @property
    def cost_unit(self) -> str:
        """The unit of a cost, and the number of cases that it is for: 'EUR per 1,000 cases'."""
        options = parse(self.measure.name)[1]
        per, unit = options.get("per", 1), options.get("unit")
        return f"{f'{unit} ' if unit else ''}per {'case' if per == 1 else f'{per:,g} cases'}"

    @property
    def ahead_of(self) -> str:
        """How the method with the better mean stands to the other."""
        return "cheaper than" if self.is_cost else "ahead of"

    def level(self, estimate: float, ends: tuple[float, float] | None, more: int = 0) -> str:
        """A value of the measure and its interval, where there is one; with ``more`` decimals than usual."""
        write = self.value
        if more:
            write = formats.significant(4 + more) if self.digits is None else formats.enough(self.digits + more)
        return _with_ends(write, estimate, ends)

    def rounded(self, ends: tuple[float, float], more: int = 0) -> tuple[float, ...]:
        """The ends of an interval as :meth:`level` writes them, as numbers."""
        if self.digits is not None:
            return tuple(round(end, self.digits + more) for end in ends)
        return tuple(float(f"{end:.{3 + more}e}") for end in ends)

    def delta(self, smallest_difference: float) -> str:
        """The smallest difference that matters: a percentage where ratios are compared, else in the measure's units.

        A large one of shares also stands there in points, so that a slip of the unit is seen.

        >>> from fairtrial.measures import get
        >>> accuracy = Wording(get("accuracy"))
        >>> Wording(get("rmse")).delta(0.1), accuracy.delta(0.005), accuracy.delta(0.5)
        ('10 %', '0.005', '0.5 (50 percentage points)')
        """
        if self.measure.compare == "log-ratio":
            return f"{100 * smallest_difference:g} %"
        if scale_of(self.measure) == "share" and smallest_difference >= UNCLEAR:
            return f"{smallest_difference:g} ({100 * smallest_difference:g} percentage points)"
        one = self.measure.unit == "%" and smallest_difference == 1
        return f"{smallest_difference:g}{self._points.removesuffix('s') if one else self._points}"

    def claimed(self, level: float) -> str:
        """A level that was given, such as a claim, with its unit."""
        return f"{level:g}{' %' if self.measure.unit == '%' else ''}"


@dataclass(frozen=True, slots=True)
class Scope:
    """What statements are about, and how their numbers are written.

    ``where`` is the data that an answer is about, in words; ``unit`` and ``units`` are the words for a piece of
    evidence, of which there are ``n``. ``delta`` is the smallest difference that matters, in units of the measure.
    """

    wording: Wording
    where: str = ""
    unit: str = "data set"
    units: str = "data sets"
    n: int = 1
    count: int = 1
    delta: float | None = None
    level: float = 0.95
    typical: bool = False

    @property
    def measure(self) -> str:
        """The measure in words."""
        return self.wording.name

    @property
    def sure(self) -> str:
        """The level, '95 %'."""
        return formats.percent(self.level)

    @property
    def matters(self) -> str:
        """The smallest difference that matters, in words."""
        return self.wording.delta(self.delta or 0.0)

    @property
    def counted(self) -> str:
        """The pieces of evidence, counted."""
        return plural(self.n, self.unit, self.units)


def span_of(interval: Interval | None) -> tuple[float, float] | None:
    """The ends of an interval; None where there are none, or where they are equal and say nothing of how sure it is."""
    return None if interval is None or interval.has_no_width else (interval.low, interval.high)


def _with_ends(write: formats.Formatter, estimate: float, ends: tuple[float, float] | None) -> str:
    """A value with the ends of its interval, '0.008 [0.002, 0.015]', all with the same number of decimals."""
    write = formats.over(write, (estimate, *ends, formats.half_width(ends)) if ends else (estimate,))
    return write(estimate) if ends is None else f"{write(estimate)} [{formats.span(write)(ends)}]"


def _ratio(number: object) -> str:
    return f"×{_beside_one(number)}" if _is(number) else formats.auto(number)


def _beside_one(number: object) -> str:
    """A ratio with three digits, or as many as it takes to see on which side of 1 it lies.

    >>> [_beside_one(x) for x in (2.5, 0.97, 1.0042, 0.99996, 1.0)]
    ['2.50', '0.970', '1.004', '0.99996', '1.00']
    """
    text = formats.significant(3)(number)
    if text != "1.00" or number == 1:
        return text
    beyond = abs(float(number) - 1)  # type: ignore[arg-type]
    return formats.fixed(max(3, -math.floor(math.log10(beyond))))(number)


def _signed(number: object) -> str:
    text = formats.significant(3)(number)
    return f"+{text}" if _is(number) and float(number) > 0 else text  # type: ignore[arg-type]


def _is(number: object) -> bool:
    return isinstance(number, (int, float)) and not math.isnan(number)


def _exp(value: float) -> float:
    return math.inf if value >= 700 else math.exp(value)  # nan stays nan
