"""The null distribution of a test, with the observed statistic and the critical region: how a p-value comes about."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.special import chdtri, fdtri, gammaln, ndtri, stdtrit

from fairtrial.errors import InputError
from fairtrial.figures.drawing.fitting import fewer_ticks, figure_of_width, with_remarks
from fairtrial.figures.drawing.inputs import FigureData, number_row
from fairtrial.figures.drawing.style import INK, MUTED, PALETTE, SMALL, box_axes, shorten, size_in_inches, wrap, write
from fairtrial.stats import Outcome
from fairtrial.stats.distributions.binomial import EQUALLY_LIKELY
from fairtrial.stats.outcome import Alternative, Null, bound_if, check_level
from fairtrial.stats.score_arrays import FloatArray
from fairtrial.tables import formats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 5.0, 2.3
MOST_BARS = 100  # beyond which values are drawn together, in bins
POINTS = 401
ROOM_FOR_ALPHA = 0.75  # inches
DARK_ORANGE = "#a84800"  # text that can be read on the shaded region
HEADROOM = 1.1  # room above the distribution
NEGLIGIBLE = 1e-6  # of the largest height: where the axis of a discrete distribution ends


@dataclass(frozen=True, slots=True)
class NullData(FigureData):
    """All that the figure shows: what the statistic could be if the null hypothesis were true, and what it is.

    ``values`` and ``heights`` are probabilities (``discrete``) or a density. The test rejects at ``low`` and below, and
    at ``high`` and above; nan where there is no such side. ``alpha`` is the probability of that, at most.
    """

    test: str
    null: str
    statistic: str
    values: tuple[float, ...]
    heights: tuple[float, ...]
    discrete: bool
    observed: float
    low: float
    high: float
    alpha: float
    p_value: float
    notes: tuple[str, ...] = ()

    @property
    def rejected(self) -> bool:
        """Whether the observed statistic lies in the critical region."""
        return self.observed <= self.low or self.observed >= self.high

    @property
    def limits(self) -> tuple[float, float]:
        """The ends of the axis: all that is likely, the critical values and the observed statistic."""
        tall = max(self.heights)
        likely = [x for x, y in zip(self.values, self.heights, strict=True) if y > NEGLIGIBLE * tall]
        shown = [*likely, *(v for v in (self.observed, self.low, self.high) if math.isfinite(v))]
        margin = 0.03 * (max(shown) - min(shown)) + (0.5 if self.discrete else 0.0)
        return min(shown) - margin, max(shown) + margin

    @property
    def region(self) -> str:
        """The critical region in words."""
        ends = (f"{_short(self.low)} or less", f"{_short(self.high)} or more")
        found = [text for text, end in zip(ends, (self.low, self.high), strict=True) if not math.isnan(end)]
        return ", ".join(found) or "none: no value of the statistic would reject"

    @property
    def words(self) -> str:
        """What the figure shows, as text."""
        value = _short(self.observed)
        where = "in" if self.rejected else "outside"
        return (
            f"{self.test}. Null hypothesis: {self.null}. Then the {self.statistic} has the distribution shown. It is "
            f"{value}, which lies {where} the critical region ({self.region}; α = {self.alpha:.3g}); "
            f"{formats.p_equals(self.p_value)}."
        )


def _short(value: float) -> str:
    """A number in few digits: large ones with one decimal at most, others with four digits.

    >>> _short(5563.0), _short(80.5), _short(-0.71879)
    ('5563', '80.5', '−0.7188')
    """
    text = f"{value:.4g}" if abs(value) < 1000 else f"{value:.1f}".removesuffix(".0")
    return text.replace("-", "−")


def curve_null(outcome: Outcome, *, alpha: float = 0.05, sign: float = 1.0, of: str = "the first") -> NullData:
    """The null distribution of any outcome that has one: a density (normal, t, chi-square, F), or exact probabilities.

    ``sign`` −1 turns the statistic around, where the pair is shown from its second method; ``of`` names the first one.

    >>> from fairtrial.stats import mcnemar, paired_t
    >>> data = curve_null(paired_t([0.82, 0.80, 0.86, 0.84], [0.80, 0.79, 0.81, 0.80]))
    >>> data.observed, data.high, data.rejected   # t with 3 degrees of freedom
    (3.2863, 3.1824, True)
    >>> data = curve_null(mcnemar([[60, 12], [3, 25]]))
    >>> data.statistic, data.observed, data.low, data.high
    ('number of instances on which only the first is right', 12.0, 3.0, 12.0)
    """
    check_level(1 - alpha)
    null = outcome.null_distribution
    if null is None:
        raise InputError(
            f"the test {outcome.test!r} has no null distribution that could be drawn: its p-value comes from "
            f"{outcome.method!r}; see its effect, or draw 'differences' instead"
        )
    observed = outcome.statistic if null.observed is None else null.observed
    if math.isnan(outcome.statistic) or not math.isfinite(observed):
        why = outcome.notes[-1] if outcome.notes else f"it is {observed}"
        raise InputError(f"the statistic of the {outcome.test} test is undefined: {why}")
    one_way = null.name in ("chi-square", "F")
    side: Alternative = "greater" if one_way else null.side or outcome.alternative
    if null.chances is None:
        name, values, heights, low, high = _curve(null, side, alpha, observed)
    else:
        values, heights = null.chances()
        if len(values) < 2:
            raise InputError(f"there is nothing to draw: the statistic of the {outcome.test} test has only one value")
        values, heights, observed = _with_observed(values, heights, observed)
        name, (low, high) = null.name.format(first=shorten(of, 60)), _ends(null, values, heights, side, alpha)
    data = NullData(
        outcome.test, outcome.null, name, tuple(values.tolist()), tuple(heights.tolist()), null.chances is not None,
        observed, low, high, alpha, bound_if(outcome.p_value, outcome.at_floor),
    )  # fmt: skip
    return data if sign > 0 or one_way or (null.chances and null.side) else _turned(data)


def _turned(data: NullData) -> NullData:
    """The data as seen from the second method; the distribution is symmetric: a count of n, or a curve around 0."""
    whole = data.values[0] + data.values[-1]
    values, heights = tuple(whole - v for v in data.values[::-1]), data.heights[::-1]
    ends = {"observed": whole - data.observed, "low": whole - data.high, "high": whole - data.low}
    return replace(data, values=values, heights=heights, **ends)  # type: ignore[arg-type]


def _curve(
    null: Null, side: Alternative, alpha: float, observed: float
) -> tuple[str, FloatArray, FloatArray, float, float]:
    """The name, density and critical values of a continuous distribution."""
    df = null.df if isinstance(null.df, tuple) else (null.df,)
    each = alpha / 2 if side == "two-sided" else alpha
    if null.name in ("normal", "t"):
        free = df[0] if df else math.inf
        end = -float(ndtri(each) if math.isinf(free) else stdtrit(free, each))
        reach = max(4.0, 1.1 * end, 1.1 * abs(observed))
        x, name = np.linspace(-reach, reach, POINTS), "z" if math.isinf(free) else f"t ({free:g} degrees of freedom)"
        low, high = math.nan if side == "greater" else -end, math.nan if side == "less" else end
        return name, x, _t_density(x, free), low, high
    end = float(chdtri(*df, alpha) if null.name == "chi-square" else fdtri(*df, 1 - alpha))
    x = np.linspace(0, 1.15 * max(end, observed), POINTS)[1:]  # the density of 1 degree of freedom is infinite at 0
    name = f"{'χ²' if null.name == 'chi-square' else 'F'} ({' and '.join(f'{d:g}' for d in df)} degrees of freedom)"
    return name.replace("(1 degrees", "(1 degree"), x, _upper_density(x, *df), math.nan, end


def _with_observed(values: FloatArray, chances: FloatArray, observed: float) -> tuple[FloatArray, FloatArray, float]:
    """The observed statistic as one of the values; where ties were split, it may lie between two of them."""
    place = int(np.abs(values - observed).argmin())
    if abs(values[place] - observed) < 1e-9 * (values[-1] - values[0]):
        return values, chances, float(values[place])
    place = int(np.searchsorted(values, observed))
    return np.insert(values, place, observed), np.insert(chances, place, 0.0), observed


def _ends(null: Null, values: FloatArray, chances: FloatArray, side: Alternative, alpha: float) -> tuple[float, float]:
    """The critical values of a discrete distribution: from there on, outwards, p is below α."""
    half = chances / 2 if null.tails == "mid-p" else 0.0
    below, above = chances.cumsum() - half, chances[::-1].cumsum()[::-1] - half
    p = {"less": below, "greater": above}.get(side, 2 * np.minimum(below, above))
    if side == "two-sided" and null.tails == "least likely":
        order = np.sort(chances)
        p = order.cumsum()[np.searchsorted(order, chances * (1 + EQUALLY_LIKELY), "right") - 1]
    open_ = np.flatnonzero(~(p < alpha))
    low = values[open_[0] - 1] if open_[0] > 0 else math.nan
    return float(low), float(values[open_[-1] + 1]) if open_[-1] + 1 < len(values) else math.nan


def _t_density(x: FloatArray, df: float) -> FloatArray:
    if math.isinf(df):
        return np.asarray(np.exp(-(x**2) / 2) / math.sqrt(math.tau))
    log = float(gammaln((df + 1) / 2) - gammaln(df / 2)) - 0.5 * math.log(df * math.pi)
    return np.asarray(np.exp(log - (df + 1) / 2 * np.log1p(x**2 / df)))


def _upper_density(x: FloatArray, a: float, b: float = math.inf) -> FloatArray:
    """The density of chi-square with a, or of F with a and b degrees of freedom."""
    if math.isinf(b):
        return np.asarray(np.exp((a / 2 - 1) * np.log(x) - x / 2 - a / 2 * math.log(2) - gammaln(a / 2)))
    log = (a / 2) * math.log(a) + (b / 2) * math.log(b) + float(gammaln((a + b) / 2) - gammaln(a / 2) - gammaln(b / 2))
    return np.asarray(np.exp(log + (a / 2 - 1) * np.log(x) - (a + b) / 2 * np.log(b + a * x)))


def with_notes(data: NullData, notes: Sequence[str]) -> NullData:
    """The data with more notes, which stand below the figure."""
    return replace(data, notes=(*data.notes, *notes))


def null_distribution_figure(data: NullData | Outcome, width: float = WIDTH, *, alpha: float = 0.05) -> Figure:
    """The distribution of an outcome, or of the data of one, as a Figure of this width in inches."""
    data = curve_null(data, alpha=alpha) if isinstance(data, Outcome) else data
    number_row("heights", data.heights, len(data.values))
    return with_remarks(
        figure_of_width(width, min(HEIGHT, 0.55 * width), partial(draw_null_distribution, data)),
        (f"Shaded: critical region ({data.region}), in which the statistic falls with a probability of at most "
         f"α = {data.alpha:.3g} if the null hypothesis is true.", *data.notes),
    )  # fmt: skip


def draw_null_distribution(data: NullData, ax: Axes) -> None:
    """Draw the distribution, the critical region in another colour and with hatching, and the observed statistic."""
    tall = max(data.heights)
    wide = size_in_inches(ax)[0]
    labels = wrap((data.statistic,), int(wide * 14)), "probability" if data.discrete else "density"
    box_axes(ax, (data.limits, (0.0, HEADROOM * tall)), labels)
    fewer_ticks(ax, log=False)
    x, y = np.asarray(data.values), np.asarray(data.heights)
    (_draw_bars if data.discrete else _draw_area)(data, x, y, ax)
    _draw_zones(data, ax)
    ax.axvline(data.observed, color=INK, linewidth=1.6, zorder=4)
    _write_observed(data, ax)
    title = wrap((f"H₀: {data.null}",), int(wide * 14))
    write(ax, title, (0, 1), offset=(0, 6 + 3 * SMALL), va="bottom", at="axes fraction")  # above what was observed


def _reject(data: NullData, x: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    return np.asarray((x <= data.low) | (x >= data.high))  # nan is neither


def _draw_bars(data: NullData, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], ax: Axes) -> None:
    """Draw a bar for each value, or for bins of many; what is in the critical region stands on top of the rest."""
    rejected, (low, high) = _reject(data, x), data.limits
    kept, beyond, places, step = np.where(rejected, 0.0, y), np.where(rejected, y, 0.0), x, float(np.diff(x).min())
    if len(x) > MOST_BARS:
        step *= max(math.ceil((high - low) / (MOST_BARS * step)), 1)  # whole steps: bins hold equally many
        edges = np.arange(low, high + step, step)
        kept, beyond = (np.histogram(x, edges, weights=part)[0] for part in (kept, beyond))
        places = (edges[1:] + edges[:-1]) / 2
    step = max(step, (high - low) / (2 * MOST_BARS))
    look: dict[str, Any] = {"width": 0.8 * step, "linewidth": 0, "zorder": 2}
    ax.bar(places, kept, color=MUTED, alpha=0.55, **look)
    ax.bar(places, beyond, bottom=kept, color=PALETTE[1], **look)
    ax.set_ylim(0.0, HEADROOM * float((kept + beyond).max()))


def _draw_area(data: NullData, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], ax: Axes) -> None:
    ax.fill_between(x, y, color=MUTED, alpha=0.3, linewidth=0, zorder=2)
    ax.plot(x, y, color=INK, linewidth=1.0, zorder=3)
    for beyond in ((x <= data.low), (x >= data.high)):
        if beyond.any():
            ax.fill_between(x[beyond], y[beyond], color=PALETTE[1], linewidth=0, zorder=2.5)


def _draw_zones(data: NullData, ax: Axes) -> None:
    """Shade the critical region over the whole height, since the probability in it is too small to be seen."""
    ends, half = data.limits, float(np.diff(data.values).min()) / 2 if data.discrete else 0.0  # of a bar
    for low, high in ((ends[0], data.low + half), (data.high - half, ends[1])):
        if not math.isnan(low) and not math.isnan(high):
            ax.axvspan(low, high, color=PALETTE[1], alpha=0.13, linewidth=0, zorder=0)
            edge = high if low == ends[0] else low
            ax.axvline(edge, color=PALETTE[1], linewidth=0.9, linestyle=(0, (4, 2)), zorder=1)
            free = max(_parts(low, high, data.observed), key=lambda part: part[1] - part[0])
            if (free[1] - free[0]) / (ends[1] - ends[0]) * size_in_inches(ax)[0] > ROOM_FOR_ALPHA:
                _write_alpha(data, sum(free) / 2, ax)


def _parts(low: float, high: float, at: float) -> tuple[tuple[float, float], ...]:
    """A zone, or its two parts if the observed statistic lies in it, whose line would cross the text."""
    return ((low, at), (at, high)) if low < at < high else ((low, high),)


def _write_alpha(data: NullData, x: float, ax: Axes) -> None:
    """Write in one side of the critical region how probable it is."""
    both = not (math.isnan(data.low) or math.isnan(data.high))
    text = f"{'at most α/2' if both else 'at most α'}\n= {data.alpha / (2 if both else 1):.3g}"
    at = ax.get_xaxis_transform()
    write(ax, text, (x, 0.6), ha="center", at=at, size=SMALL, color=DARK_ORANGE)


def _write_observed(data: NullData, ax: Axes) -> None:
    """Write the statistic and its p-value above the frame, where no line crosses them, towards the middle."""
    low, high = data.limits
    text = f"observed {_short(data.observed)}\n{formats.p_equals(data.p_value)}"
    at = {"ha": "left" if data.observed < (low + high) / 2 else "right", "va": "bottom", "at": ax.get_xaxis_transform()}
    write(ax, text, (data.observed, 1), offset=(0, 3), size=SMALL, **at)  # type: ignore[arg-type]
