"""Number formats, the same for every output format.

Every function takes a value and gives a string. ``None`` is an empty cell, nan is a dash: undefined is never 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Formatter = Callable[[object], str]


class AtMost(float):
    """An upper bound in place of a number, such as a p-value that no random draw reached."""


class ClosedAbove(tuple[float, float]):
    """An interval whose upper end is a bound by decision: not above it, by how much below is not shown."""

    __slots__ = ()


class ClosedBelow(tuple[float, float]):
    """An interval whose lower end is such a bound."""

    __slots__ = ()


UNDEFINED = "–"
MINUS = "−"


def _missing(value: object) -> str | None:
    if value is None:
        return ""
    if hasattr(value, "__float__") and not isinstance(value, (str, int)) and math.isnan(_number(value)):
        return UNDEFINED
    return None


def _typographic(text: str) -> str:
    return text.replace("-", MINUS).replace("inf", "∞")


def _unsigned_zero(text: str) -> str:
    """The text without its sign, where it is a zero."""
    return text.lstrip("+-") if not any(c in "123456789n" for c in text) else text


def _plain(value: object) -> object:
    """A numpy scalar as a Python number; other values as they are."""
    return value.tolist() if hasattr(value, "tolist") else value


def auto(value: object) -> str:
    """Text as it is, whole numbers with thousands separators, other numbers with four significant digits.

    >>> auto("iris"), auto(12000), auto(0.12345), auto(float("nan")), auto(None)
    ('iris', '12,000', '0.1235', '–', '')
    """
    value = _plain(value)
    if isinstance(value, str):
        return value
    missing = _missing(value)
    if missing is not None:
        return missing
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return count(value)
    if isinstance(value, float) or hasattr(value, "__float__"):
        return significant(4)(value)
    return str(value)


def fixed(digits: int) -> Formatter:
    """A fixed number of decimals.

    >>> fixed(3)(0.91249), fixed(1)(-0.04), fixed(2)(-1.5)
    ('0.912', '0.0', '−1.50')
    """

    def write(value: object) -> str:
        missing = _missing(value)
        return missing if missing is not None else _typographic(_unsigned_zero(f"{_number(value):.{digits}f}"))

    return write


def decimals(digits: int) -> Formatter:
    """A fixed number of decimals, but an exponent where a number that isn't 0 would be written as 0.

    Fewer than 0 decimals round to tens, hundreds and so on.

    >>> decimals(3)(0.91249), decimals(1)(0.0), decimals(2)(-0.00031), decimals(-2)(54678)
    ('0.912', '0.0', '−3.1e−04', '54700')
    """

    def write(value: object) -> str:
        whole = digits < 0 and _missing(value) is None and math.isfinite(_number(value))
        text = fixed(max(0, digits))(round(_number(value), digits) if whole else value)
        is_lost = _missing(value) is None and _number(value) != 0 and not any(c in "123456789∞" for c in text)
        return _typographic(f"{_number(value):.1e}") if is_lost else text

    return write


def decimals_for(spreads: Iterable[float], numbers: Iterable[float] = ()) -> int | None:
    """The decimals that fit some uncertainties: they show two significant digits of the median of those that aren't 0.

    There are up to two more where one of the uncertainties, or of the ``numbers`` that they belong to, would be written
    as 0. None if there is no uncertainty.

    >>> decimals_for([0.063, 0.028, 0.011]), decimals_for([0.063, 0.028, 0.0002]), decimals_for([3100])
    (3, 4, -2)
    """
    known = sorted(abs(s) for s in spreads if s and math.isfinite(s))
    if not known:
        return None
    digits = 1 - _exponent(known[len(known) // 2])
    needed = [-_exponent(abs(v)) for v in (*known, *numbers) if v and math.isfinite(v)]
    return max([digits, *(d for d in needed if d <= digits + MORE_DECIMALS)])


def _exponent(number: float) -> int:
    """The power of ten of the first of two significant digits, after rounding: 9.96 is 10."""
    return int(f"{number:.1e}".partition("e")[2])


def signed(digits: int) -> Formatter:
    """A fixed number of decimals with the sign always shown, for differences.

    >>> signed(3)(0.0125), signed(3)(-0.008), signed(1)(0.0)
    ('+0.013', '−0.008', '0.0')
    """

    def write(value: object) -> str:
        missing = _missing(value)
        return missing if missing is not None else _typographic(_unsigned_zero(f"{_number(value):+.{digits}f}"))

    return write


MORE_DECIMALS = 2  # decimals that a column may have beyond the usual ones, where a number needs them
NOISE = 9  # a number that needs more decimals than this beyond the usual ones is written as 0


@dataclass(frozen=True, slots=True)
class _Enough:
    digits: int
    sign: bool = False
    usual: int | None = None

    def __call__(self, value: object) -> str:
        missing = _missing(value)
        if missing is not None:
            return missing
        number = _number(value)
        digits = self.over([number]).digits if self.usual is None else self.digits
        text = self._fixed(number, digits)
        if self._is_lost(number, digits):
            text = f"{number:{'+' * self.sign}.1e}"
        return _typographic(_unsigned_zero(text))

    def over(self, values: Iterable[object]) -> _Enough:
        """The format with enough decimals to show two digits of every value, but at most two more than usual."""
        usual = self.digits if self.usual is None else self.usual
        numbers = [_number(v) for v in values if _missing(v) is None]
        lost = [v for v in numbers if self._is_lost(v, usual)]
        wanted = [1 - int(f"{v:.1e}".partition("e")[2]) for v in lost]
        return _Enough(max([self.digits, *(d for d in wanted if d <= usual + MORE_DECIMALS)]), self.sign, usual)

    def _fixed(self, number: float, digits: int) -> str:
        return f"{number:{'+' * self.sign}.{digits}f}"

    def _is_lost(self, number: float, digits: int) -> bool:
        """Whether a number that isn't 0 would be written as 0."""
        usual = self.digits if self.usual is None else self.usual
        return 10.0 ** -(usual + NOISE) <= abs(number) < 1 and not any(
            c in "123456789" for c in self._fixed(number, digits)
        )


def enough(digits: int, *, sign: bool = False) -> Formatter:
    """A number of decimals, and more where a number that isn't 0 would be written as 0.

    All numbers of a table's column have as many decimals as the smallest needs (:func:`over`), up to two more than
    usual; smaller numbers have an exponent.

    >>> enough(3)(0.9125), enough(3)(0.00042), enough(3)(0.0), enough(3, sign=True)(-1.2e-7)
    ('0.912', '0.00042', '0.000', '−1.2e−07')
    >>> [over(enough(3), [0.012, 0.0003])(v) for v in (0.012, 0.0003)]
    ['0.01200', '0.00030']
    """
    return _Enough(digits, sign)


def by_uncertainty(half: float, *, sign: bool = False) -> Formatter:
    """Decimals that fit an uncertainty: three digits of the half-width of an interval.

    >>> by_uncertainty(11.2)(0.2712), by_uncertainty(0.029, sign=True)(0.00456), by_uncertainty(4200)(88.8)
    ('0.3', '+0.0046', '89')
    """
    exponent = int(f"{half:.1e}".partition("e")[2])
    decimals = max(2 - exponent, 0)
    return signed(decimals) if sign else fixed(decimals)


def over(write: Formatter, values: Iterable[object]) -> Formatter:
    """The format with the same number of decimals for all these values, where it depends on them."""
    adapted: Formatter = write.over(values) if hasattr(write, "over") else write
    return adapted


def significant(digits: int) -> Formatter:
    """A number of significant digits; exponents only where they are shorter.

    >>> significant(3)(1234.5), significant(3)(0.00012345), significant(3)(1.5e-9)
    ('1230', '0.000123', '1.5e−09')
    """

    def write(value: object) -> str:
        missing = _missing(value)
        if missing is not None:
            return missing
        number = _number(value)
        if number == 0 or not math.isfinite(number):
            return _typographic(_unsigned_zero(f"{number:g}"))
        exponent = int(f"{number:.{digits - 1}e}".partition("e")[2])  # after rounding: 9.999 is 10.0
        if -4 <= exponent < 6:
            decimals = digits - 1 - exponent
            return _typographic(f"{round(number, decimals):.{max(decimals, 0)}f}")
        return _typographic(f"{number:.{digits}g}")

    return write


def p_value(value: object) -> str:
    """A p-value in a table: three decimals, and ``<0.001`` below that; :func:`p_equals`, CSV and JSON have its digits.

    >>> p_value(0.0213), p_value(0.00042), p_value(3e-16), p_value(1.0), p_value(AtMost(0.002))
    ('0.021', '<0.001', '<0.001', '1.000', '≤0.002')
    """
    missing = _missing(value)
    if missing is not None:
        return missing
    number = _number(value)
    if number < 0.001:
        return "<0.001"
    return f"{'≤' if isinstance(value, AtMost) else ''}{number:.3f}"


def p_equals(value: object) -> str:
    """A p-value in a sentence, with two digits and an exponent in the far tail; never 0.

    >>> p_equals(0.0213), p_equals(0.00042), p_equals(3e-16), p_equals(AtMost(0.00005)), p_equals(0.0)
    ('p = 0.021', 'p = 0.0004', 'p = 3.0e−16', 'p ≤ 5.0e−05', 'p < 1e−300')
    """
    missing = _missing(value)
    if missing is not None:
        return f"p = {missing}"
    number = _number(value)
    if number == 0.0:
        return "p < 1e−300"
    sign = "≤" if isinstance(value, AtMost) else "="
    if number < 1e-4:
        return f"p {sign} {_typographic(f'{number:.1e}')}"
    return f"p {sign} {number:.{4 if number < 0.001 else 3}f}"


def percent(value: object) -> str:
    """A share as a percentage; 0 % means none, and 100 % means all.

    >>> percent(0.0625), percent(0.5), percent(0.9999), percent(1)
    ('6.2 %', '50 %', '>99.9 %', '100 %')
    """
    missing = _missing(value)
    if missing is not None:
        return missing
    number = 100 * _number(value)
    if 0 < abs(number) < 0.05:
        return "<0.1 %" if number > 0 else f">{MINUS}0.1 %"
    if 99.5 <= number < 100:
        return f"{number:.1f} %" if number < 99.95 else ">99.9 %"
    return f"{_short(number)} %"


@dataclass(frozen=True, slots=True)
class _Span:
    write: Formatter

    def __call__(self, value: object) -> str:
        if not isinstance(value, tuple):
            return auto(value)
        return ", ".join(map(over(self.write, (*value, half_width(value))), value))

    def over(self, values: Iterable[object]) -> _Span:
        pairs = [pair for pair in values if isinstance(pair, tuple)]
        return _Span(over(self.write, [*(end for pair in pairs for end in pair), *map(half_width, pairs)]))


@dataclass(frozen=True, slots=True)
class _Ends(_Span):
    def __call__(self, value: object) -> str:
        if not isinstance(value, tuple):
            return auto(value)
        write = over(self.write, (*value, half_width(value)))
        low, high = ("0" if isinstance(value, own) and end == 0 else write(end) for end, own in (
            (value[0], ClosedBelow), (value[1], ClosedAbove)))  # fmt: skip
        return f"{'≥ ' * isinstance(value, ClosedBelow)}{low} … {'≤ ' * isinstance(value, ClosedAbove)}{high}"

    def over(self, values: Iterable[object]) -> _Ends:
        pairs = [pair for pair in values if isinstance(pair, tuple)]
        return _Ends(over(self.write, [*(end for pair in pairs for end in pair), *map(half_width, pairs)]))


def half_width(ends: tuple[object, ...]) -> object:
    """Half of the width of an interval, which its ends should show; None where it has no ends."""
    low, high = ends
    return None if low is None or high is None else (_number(high) - _number(low)) / 2


def span(write: Formatter) -> Formatter:
    """An interval, given as a pair of numbers; CSV and JSON keep both numbers.

    Formats that adapt have decimals enough to tell the two ends apart.

    >>> span(fixed(3))((0.1234, 0.5)), span(signed(2))((-0.1, 0.25)), span(fixed(3))(None)
    ('0.123, 0.500', '−0.10, +0.25', '')
    >>> span(enough(3))((0.00064, 0.00086))
    '0.00064, 0.00086'
    """
    return _Span(write)


def ends(write: Formatter) -> Formatter:
    """An interval as a page has it; the upper end of :class:`ClosedAbove` is a bound.

    >>> ends(signed(1))((-6.4, 10.7)), ends(signed(1))(ClosedAbove((-15.0, 0.0)))
    ('−6.4 … +10.7', '−15.0 … ≤ 0')
    """
    return _Ends(write)


def count(value: object) -> str:
    """A whole number with thousands separators.

    >>> count(4800)
    '4,800'
    """
    missing = _missing(value)
    if missing is not None:
        return missing
    number = value if isinstance(value, int) else _number(value)
    whole = isinstance(number, int) or math.isfinite(number)
    return _typographic(f"{round(number):,}" if whole else f"{number}")


def duration(value: object) -> str:
    """Seconds in the unit that a person would use.

    >>> duration(0.0042), duration(3.21), duration(75), duration(8000), duration(200000)
    ('4.2 ms', '3.2 s', '1 min 15 s', '2 h 13 min', '2 d 7 h')
    """
    missing = _missing(value)
    if missing is not None:
        return missing
    seconds = _number(value)
    if seconds < 0:
        return MINUS + duration(-seconds)
    if math.isinf(seconds):
        return "∞"
    if seconds < 59.5:
        return _below_a_minute(seconds)
    minutes, whole_seconds = divmod(round(seconds), 60)
    hours, whole_minutes = divmod(minutes, 60)
    days, whole_hours = divmod(hours, 24)
    if days:
        return f"{days:,} d {whole_hours} h"
    return f"{hours} h {whole_minutes} min" if hours else f"{minutes} min {whole_seconds} s"


def signed_duration(value: object) -> str:
    """Seconds with one decimal and the sign of their unit, as published tables of times have them.

    >>> signed_duration(17.2), signed_duration(402), signed_duration(49320)
    ('17.2″', '6.7′', '13.7 h')
    """
    missing = _missing(value)
    if missing is not None:
        return missing
    seconds = _number(value)
    fits = ((unit, sign) for unit, sign in ((1, "″"), (60, "′")) if abs(seconds) / unit < 59.95)
    unit, sign = next(fits, (3600, " h"))
    return decimals(1)(seconds / unit) + sign


def _below_a_minute(seconds: float) -> str:
    if seconds == 0 or seconds >= 0.9995:
        return f"{_short(seconds)} s"
    if seconds >= 0.9995e-3:
        return f"{_short(1e3 * seconds)} ms"
    return f"{_short(1e6 * seconds)} µs"


def _short(number: float) -> str:
    return _typographic(_unsigned_zero(f"{number:.1f}" if 0 < abs(number) < 9.95 else f"{number:.0f}"))


def _number(value: object) -> float:
    return float(value)  # type: ignore[arg-type]
