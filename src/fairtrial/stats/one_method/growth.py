"""The growth of a cost with size: a power law, fitted on the log-log scale."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.measures.channel_checks import same_rows
from fairtrial.shown import ShownAsText
from fairtrial.stats.arguments import number
from fairtrial.stats.distributions.student_t import t_bounds, t_tail
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import GROWTH, procedure
from fairtrial.stats.score_arrays import FloatArray, index_list
from fairtrial.tables import Column, Table, formats
from fairtrial.words import listed, part_of, verb

EXACT = 1e-10  # a residual standard deviation of logarithms below this is rounding error
SMALLEST_BEND = 0.1  # a change of the exponent that is smaller than this gets no note


@dataclass(frozen=True, slots=True)
class Growth(ShownAsText):
    """A fitted power law: the cost is about ``factor`` · size ^ ``exponent``.

    ``sizes`` and ``costs`` are the points of the fit: each size once, with the median of its costs. ``n`` is the number
    of all measurements. ``spread`` is the residual standard deviation of the log cost: points deviate from the line by
    about a factor of exp(spread). ``last`` is the exponent between the two largest sizes.
    """

    exponent: Interval
    factor: float
    sizes: tuple[float, ...]
    costs: tuple[float, ...]
    n: int
    spread: float
    last: float
    notes: tuple[str, ...] = ()

    def at(self, size: float) -> Interval:
        """The fitted cost at a size, with a prediction interval for the median cost that would be measured there.

        Outside the measured sizes the interval assumes that the power law goes on.

        >>> found = growth([100, 200, 400, 800], [0.011, 0.021, 0.038, 0.085])
        >>> print(found.at(10_000))
        cost at 10,000 0.9355, 95 % interval [0.4330, 2.021] (t, prediction)
        extrapolated to 12 times the largest measured size: valid only if the power law goes on
        """
        check_size(size)
        quantity, level, how = f"cost at {size:,.6g}", self.exponent.level, "t, prediction"
        if math.isnan(self.factor):
            return Interval(quantity, math.nan, math.nan, math.nan, level, how, self.notes)
        x = np.log(self.sizes)
        away = math.log(size) - float(x.mean())
        center = float(np.log(self.costs).mean()) + self.exponent.estimate * away
        low, high = math.nan, math.nan
        if len(x) > 2:
            error = self.spread * math.sqrt(1 + 1 / len(x) + away**2 / float(((x - x.mean()) ** 2).sum()))
            low, high = map(_exp, t_bounds(center, error, len(x) - 2, level, "two-sided"))
        return Interval(quantity, _exp(center), low, high, level, how, self._beyond(size))

    def _beyond(self, size: float) -> tuple[str, ...]:
        if size > max(self.sizes):
            how = f"{formats.significant(2)(size / max(self.sizes))} times the largest"
        elif size < min(self.sizes):
            how = f"{formats.significant(2)(size / min(self.sizes))} times the smallest"
        else:
            return ()
        return (f"extrapolated to {how} measured size: valid only if the power law goes on",)

    def __str__(self) -> str:
        bounds = _bounds(self.exponent)
        head = f"cost grows with the power {_power(self.exponent.estimate)} of the size{bounds}"
        over = f"over {len(self.sizes)} sizes" if self.sizes else "no sizes"
        return "\n".join((f"{head} ({self.exponent.method}, {over})", *self.notes))

    def to_dict(self) -> dict[str, Any]:
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return values | {"exponent": self.exponent.to_dict(), "notes": list(self.notes)}

    def to_table(self) -> Table:
        """A table of the sizes, with the median cost and the fitted cost of each."""
        write = formats.significant(4)
        columns = (Column("size", formats.count), Column("cost", write), Column("fitted", write))
        rows = tuple((size, cost, self.at(size).estimate) for size, cost in zip(self.sizes, self.costs, strict=True))
        return Table(columns=columns, rows=rows, caption=str(self).partition("\n")[0], notes=self.notes)


def check_size(size: float) -> None:
    """Refuse a size that is not a finite number above 0."""
    if isinstance(size, bool) or not 0 < number(size) < math.inf:
        raise InputError(f"size must be a finite number above 0, got {size!r}")


@procedure(question=GROWTH, assumes="a cost that is a power of the size, with independent relative errors")
def growth(sizes: npt.ArrayLike, costs: npt.ArrayLike, *, level: float = 0.95) -> Growth:
    r"""Growth of a cost with size: the exponent of a fitted power law, with its confidence interval.

    .. math:: \text{cost} = a \cdot n^b, \qquad \log c_j = \log a + b \log n_j + e_j

    is fitted by least squares to one point for each size, the median of its measurements. The interval is

    .. math:: \hat b \pm t_{L-2}\, s \Big/ \sqrt{\textstyle\sum_j (\log n_j - \overline{\log n})^2}

    with L sizes and s the residual standard deviation of their medians. Repeated measurements of a size make its
    median more precise, but they are not further sizes: fitted as single points they would make the interval too
    narrow, since what bends the line (a constant cost at small sizes, a cache that is too small for large ones) affects
    all of them alike. An exponent of 1 is linear growth, 2 is quadratic; n log n looks like 1.2 at 100 and like 1.1 at
    10,000.

    - Medians are used because times have outliers on one side. A cost of 0 (too small to be measured) or infinity (a
      limit was reached) counts in the median; a size whose median is 0 or infinite is left out, with a note.
    - Two sizes give an exponent without an interval; fewer than two give nan. A note says so.
    - With four or more sizes a note says if the line is bent: if a t-test of the quadratic term rejects at
      ``1 - level`` and the exponent between the two largest sizes differs by 0.1 or more.

    >>> found = growth([100, 200, 400, 800], [0.011, 0.021, 0.038, 0.085])
    >>> print(found)
    cost grows with the power 0.97 of the size [0.78, 1.16] (t, over 4 sizes)
    >>> found.factor, found.spread
    (0.0001227, 0.07)
    """
    check_level(level)
    n, c = _checked_measurements(sizes, costs)
    at, medians = _median_costs(n, c)
    usable = (medians > 0) & np.isfinite(medians)
    notes = [*_left_out_notes(at[medians == 0], "0"), *_left_out_notes(at[np.isinf(medians)], "infinite")]
    at, medians = at[usable], medians[usable]
    slope, intercept, error, spread = _line(np.log(at), np.log(medians))
    low, high = math.nan, math.nan
    if len(at) < 3:
        notes.append(_too_few_note(at))
    else:
        low, high = t_bounds(slope, error, len(at) - 2, level, "two-sided")
        notes += [_exact_fit_note(spread)] if spread < EXACT else _bend_notes(at, medians, slope, level)
    return Growth(
        exponent=Interval("exponent", slope, low, high, level, "t"),
        factor=_exp(intercept),
        sizes=tuple(at.tolist()),
        costs=tuple(medians.tolist()),
        n=len(c),
        spread=spread,
        last=_slope(np.log(at[-2:]), np.log(medians[-2:])) if len(at) > 1 else math.nan,
        notes=tuple(notes),
    )


def _checked_measurements(sizes: npt.ArrayLike, costs: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    same_rows({"sizes": sizes, "costs": costs})
    try:
        if np.iscomplexobj(sizes) or np.iscomplexobj(costs):
            raise TypeError("numbers are complex")
        n, c = np.asarray(sizes, dtype=np.float64), np.asarray(costs, dtype=np.float64)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise InputError(f"sizes and costs must be lists of numbers, but numpy says: {error}") from None
    if n.ndim != 1 or n.shape != c.shape:
        raise InputError(f"sizes and costs must be lists of equal length, got shapes {n.shape} and {c.shape}")
    for name, bad, rule in (
        ("sizes", ~(np.isfinite(n) & (n > 0)), "finite and above 0"),
        ("costs", ~(c >= 0), "numbers of at least 0"),
    ):
        if bad.any():
            places = np.flatnonzero(bad).tolist()
            raise InputError(
                f"{name} must be {rule}, but {part_of(len(places), len(bad), 'entry', 'entries')} "
                f"{verb(len(places), 'is', 'are')} not ({index_list(places)}); leave such entries out"
            )
    if len(np.unique(n)) < 2:
        found = f"only {n[0]:g}" if len(n) else "none"
        raise InputError(f"sizes must hold at least two different sizes, got {found}")
    return n, c


def _median_costs(n: FloatArray, c: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The different sizes, and the median cost of each."""
    at = np.unique(n)
    return at, np.array([_median(np.sort(c[n == size])) for size in at])


def _median(ordered: FloatArray) -> float:
    """The median of ascending costs, on the log scale.

    It is the geometric mean of the two costs in the middle; 0 and infinity stay 0 and infinity.
    """
    low, high = float(ordered[(len(ordered) - 1) // 2]), float(ordered[len(ordered) // 2])
    if low == high or math.isinf(high):
        return high
    return math.sqrt(low) * math.sqrt(high)


def _line(x: FloatArray, y: FloatArray) -> tuple[float, float, float, float]:
    """Least squares line: slope, intercept, standard error of the slope, residual sd; nan where undefined."""
    if len(x) < 2:
        return (math.nan,) * 4
    slope = _slope(x, y)
    intercept = float(y.mean()) - slope * float(x.mean())
    if len(x) < 3:
        return slope, intercept, math.nan, math.nan
    residuals = y - intercept - slope * x
    spread = math.sqrt(float(residuals @ residuals) / (len(x) - 2))
    return slope, intercept, spread / math.sqrt(float(((x - x.mean()) ** 2).sum())), spread


def _slope(x: FloatArray, y: FloatArray) -> float:
    away = x - x.mean()
    return float(away @ (y - y.mean()) / (away @ away))


def _left_out_notes(at: FloatArray, what: str) -> list[str]:
    if not len(at):
        return []
    sizes = listed(f"{size:,.6g}" for size in at)
    why = "too small to be measured" if what == "0" else "a limit was reached"
    return [f"{verb(len(at), 'size', 'sizes')} {sizes} left out: half or more of the costs there are {what} ({why})"]


def _too_few_note(at: FloatArray) -> str:
    if len(at) == 2:
        return "two sizes always lie on a line, so that there is no interval; measure three or more sizes"
    return f"an exponent needs at least two sizes with a usable cost, got {len(at)}"


def _exact_fit_note(spread: float) -> str:
    return f"all sizes lie on the line (residual sd {spread:.1g}), so that the interval reflects rounding only"


def _bend_notes(at: FloatArray, medians: FloatArray, slope: float, level: float) -> list[str]:
    """A note if a parabola fits significantly better than a line and changes the exponent noticeably."""
    if len(at) < 4:
        return []
    x, y = np.log(at), np.log(medians)
    x = (x - x.mean()) / np.ptp(x)
    terms = np.column_stack([np.ones_like(x), x, x * x])
    coefficients = np.linalg.lstsq(terms, y, rcond=None)[0]
    residuals, df = y - terms @ coefficients, len(x) - 3
    spread = math.sqrt(float(residuals @ residuals) / df)
    error = spread * math.sqrt(float(np.linalg.inv(terms.T @ terms)[2, 2]))
    bend = float(coefficients[2])
    last = _slope(np.log(at[-2:]), np.log(medians[-2:]))
    clear = t_tail(bend / max(error, EXACT), df, "two-sided").value < 1 - level
    if not clear or abs(last - slope) < SMALLEST_BEND:
        return []
    up = bend > 0
    return [
        f"the log-log line bends {'up' if up else 'down'}wards: between the two largest sizes the exponent is "
        f"{_power(last)}, and larger sizes will cost {'more' if up else 'less'} than the line predicts"
        + ("; a constant cost that dominates at small sizes is a common cause" if up else "")
    ]


def _power(value: float) -> str:
    return formats.fixed(2)(value)


def _bounds(interval: Interval) -> str:
    return "" if math.isnan(interval.low) else f" [{_power(interval.low)}, {_power(interval.high)}]"


def _exp(value: float) -> float:
    return math.inf if value > 700 else math.exp(value)
