"""The null distribution of a test, with the observed statistic and the critical region: how a p-value comes about."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.special import fdtri, gammaln, ndtri, stdtrit

from fairtrial.errors import InputError
from fairtrial.figures.fitting import fewer_ticks, figure_of_width, with_remarks
from fairtrial.figures.inputs import number_row
from fairtrial.figures.style import INK, MUTED, PALETTE, SMALL, box_axes, size_in_inches, wrap, write
from fairtrial.stats import Outcome
from fairtrial.stats.distributions.binomial import sign_critical
from fairtrial.stats.distributions.signed_rank import pairs_used, signed_rank_critical, signed_ranks, subset_sums
from fairtrial.stats.outcome import Alternative, check_alternative, check_level
from fairtrial.stats.score_arrays import differences, paired_scores
from fairtrial.tables import formats
from fairtrial.tables.render_json import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "NullData",
    "binomial_null",
    "curve_null",
    "draw_null_distribution",
    "flips_null",
    "null_distribution_figure",
    "signed_rank_null",
]

WIDTH, HEIGHT = 5.0, 2.3
MOST_BARS = 100  # beyond which values are drawn together, in bins
POINTS = 401
FLIPS = 9999
BINS = 60
ROOM_FOR_ALPHA = 0.75  # inches
DARK_ORANGE = "#a84800"  # text that can be read on the shaded region
HEADROOM = 1.35  # room above the distribution, for text
NEGLIGIBLE = 1e-6  # of the largest height: where the axis of a discrete distribution ends


@dataclass(frozen=True, slots=True)
class NullData:
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

    def to_dict(self) -> dict[str, Any]:
        return plain(asdict(self))  # type: ignore[return-value]


def _short(value: float) -> str:
    """A number in few digits: large ones with one decimal at most, others with four digits.

    >>> _short(5563.0), _short(80.5), _short(-0.71879)
    ('5563', '80.5', '−0.7188')
    """
    text = f"{value:.4g}" if abs(value) < 1000 else f"{value:.1f}".removesuffix(".0")
    return text.replace("-", "−")


def signed_rank_null(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    outcome: Outcome,
    *,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    of: str = "the first",
) -> NullData:
    """The exact null distribution of Wilcoxon's rank sum of the data sets on which ``of`` has the larger scores.

    Signs are assigned to the observed ranks in all ways, tied ranks included. Zero differences are ranked and have no
    sign, as verdicts do (Pratt). ``outcome`` is the result of the test.

    >>> from fairtrial.stats import wilcoxon
    >>> a, b = [3, 5, 2, 6, 4, 9], [1, 4, 2, 3, 8, 4]
    >>> data = signed_rank_null(a, b, wilcoxon(a, b, zeros="pratt"))
    >>> data.observed, sum(data.heights)   # |d| = 2 1 0 3 4 5 has ranks 3 2 1 4 5 6; without the 5 of the loss: 15
    (15.0, 1.0)
    """
    check_alternative(alternative)
    whole = differences(*paired_scores(first, second)).whole
    ranks = signed_ranks(pairs_used(whole, "pratt"), "pratt")
    if not len(ranks.ranks):
        raise InputError("the scores of both methods are equal on every data set, so that nothing is tested")
    total = int(ranks.ranks.sum())
    counts, exponent = subset_sums(ranks.ranks, total + 1)
    chances = np.ldexp(counts, exponent - len(ranks.ranks))
    sums = np.flatnonzero(chances)
    critical = signed_rank_critical(ranks.ranks, _each(alpha, alternative))
    low, high = _both_ends(critical, total, alternative)
    return NullData(
        test=outcome.test,
        null=outcome.null,
        statistic=f"sum of the ranks of data sets on which {of} is better",
        values=tuple((sums / 2).tolist()),
        heights=tuple(chances[sums].tolist()),
        discrete=True,
        observed=ranks.plus / 2,
        low=low / 2,
        high=high / 2,
        alpha=alpha,
        p_value=outcome.p_value,
    )


def binomial_null(
    wins: int,
    losses: int,
    outcome: Outcome,
    *,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    statistic: str = "number of wins",
) -> NullData:
    """The null distribution of a count that is as likely to rise as not: the sign test's wins, McNemar's instances.

    >>> from fairtrial.stats import mcnemar
    >>> data = binomial_null(12, 3, mcnemar([[60, 12], [3, 25]]))
    >>> data.observed, data.low, data.high, data.rejected
    (12.0, 3.0, 12.0, True)
    """
    check_alternative(alternative)
    n = wins + losses
    if n == 0:
        raise InputError("the two methods never differ, so that there is nothing to count")
    i = np.arange(n + 1, dtype=np.float64)
    chances = np.exp(gammaln(n + 1) - gammaln(i + 1) - gammaln(n - i + 1) - n * math.log(2))
    low, high = _both_ends(sign_critical(n, _each(alpha, alternative)), n, alternative)
    return NullData(
        outcome.test, outcome.null, statistic, tuple(i.tolist()), tuple(chances.tolist()), True,
        float(wins), low, high, alpha, outcome.p_value,
    )  # fmt: skip


def curve_null(outcome: Outcome, *, alpha: float = 0.05, sign: float = 1.0) -> NullData:
    """The null distribution of a t, z or F statistic, by the degrees of freedom of an outcome.

    ``sign`` −1 turns the statistic around, where the pair is shown from its second method.

    >>> from fairtrial.stats import paired_t
    >>> data = curve_null(paired_t([0.82, 0.80, 0.86, 0.84], [0.80, 0.79, 0.81, 0.80]))
    >>> data.observed, data.high, data.rejected   # t with 3 degrees of freedom
    (3.2863, 3.1824, True)
    """
    if not math.isfinite(outcome.statistic):
        raise InputError(f"the statistic of the {outcome.test} test is undefined: {outcome.notes[-1]}")
    if isinstance(outcome.df, tuple):
        return _f_null(outcome, (float(outcome.df[0]), float(outcome.df[1])), alpha)
    df = math.inf if outcome.df is None else float(outcome.df)
    turned: dict[Alternative, Alternative] = {"greater": "less", "less": "greater", "two-sided": "two-sided"}
    side = outcome.alternative if sign > 0 else turned[outcome.alternative]
    each = _each(alpha, side)
    critical = -float(ndtri(each) if math.isinf(df) else stdtrit(df, each))
    observed = sign * outcome.statistic
    reach = max(4.0, 1.1 * critical, 1.1 * abs(observed))
    x = np.linspace(-reach, reach, POINTS)
    name = "z" if math.isinf(df) else f"t ({df:g} degrees of freedom)"
    return NullData(
        test=outcome.test,
        null=outcome.null,
        statistic=name,
        values=tuple(x.tolist()),
        heights=tuple(_t_density(x, df).tolist()),
        discrete=False,
        observed=observed,
        low=math.nan if side == "greater" else -critical,
        high=math.nan if side == "less" else critical,
        alpha=alpha,
        p_value=outcome.p_value,
    )


def flips_null(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    outcome: Outcome,
    *,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    seed: int = 0,
) -> NullData:
    """The null distribution of a mean difference whose signs are flipped at random, as a histogram of draws."""
    check_alternative(alternative)
    a, b = paired_scores(first, second)
    d = a - b
    random = np.random.default_rng(seed)
    means = np.sort([float((random.choice((-1.0, 1.0), len(d)) * d).mean()) for _ in range(FLIPS)])
    if means[0] == means[-1]:
        raise InputError("all differences are zero, so that nothing is tested")
    counts, edges = np.histogram(means, BINS)
    width = float(edges[1] - edges[0])
    place = max(int(_each(alpha, alternative) * (FLIPS + 1)) - 1, 0)
    note = f"drawn from {FLIPS:,} random flips of signs"
    return NullData(
        test=outcome.test,
        null=outcome.null,
        statistic="mean difference",
        values=tuple(((edges[1:] + edges[:-1]) / 2).tolist()),
        heights=tuple((counts / FLIPS / width).tolist()),
        discrete=False,
        observed=float(d.mean()),
        low=math.nan if alternative == "greater" else float(means[place]),
        high=math.nan if alternative == "less" else float(means[-1 - place]),
        alpha=alpha,
        p_value=outcome.p_value,
        notes=(note,),
    )


def _each(alpha: float, alternative: Alternative) -> float:
    """The probability of one side of the critical region."""
    check_level(1 - alpha)
    return alpha / 2 if alternative == "two-sided" else alpha


def _both_ends(critical: int, total: int, alternative: Alternative) -> tuple[float, float]:
    """The ends of the critical region of a count from 0 to ``total``, from the critical value of its lower side."""
    if critical < 0:
        return math.nan, math.nan
    low = math.nan if alternative == "greater" else float(critical)
    return low, math.nan if alternative == "less" else float(total - critical)


def _t_density(x: npt.NDArray[np.float64], df: float) -> npt.NDArray[np.float64]:
    if math.isinf(df):
        return np.asarray(np.exp(-(x**2) / 2) / math.sqrt(math.tau))
    log = float(gammaln((df + 1) / 2) - gammaln(df / 2)) - 0.5 * math.log(df * math.pi)
    return np.asarray(np.exp(log - (df + 1) / 2 * np.log1p(x**2 / df)))


def _f_null(outcome: Outcome, df: tuple[float, float], alpha: float) -> NullData:
    a, b = df
    critical = float(fdtri(a, b, 1 - alpha))
    x = np.linspace(1e-6, 1.15 * max(critical, outcome.statistic), POINTS)
    log = (a / 2) * math.log(a) + (b / 2) * math.log(b) + float(gammaln((a + b) / 2) - gammaln(a / 2) - gammaln(b / 2))
    heights = np.exp(log + (a / 2 - 1) * np.log(x) - (a + b) / 2 * np.log(b + a * x))
    return NullData(
        outcome.test, outcome.null, f"F ({a:g} and {b:g} degrees of freedom)", tuple(x.tolist()),
        tuple(heights.tolist()), False, outcome.statistic, math.nan, critical, alpha, outcome.p_value,
    )  # fmt: skip


def with_notes(data: NullData, notes: Sequence[str]) -> NullData:
    """The data with more notes, which stand below the figure."""
    return replace(data, notes=(*data.notes, *notes))


def null_distribution_figure(data: NullData, width: float = WIDTH) -> Figure:
    """The distribution as a Figure of this width in inches."""
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
    write(ax, title, (0, 1), offset=(0, 6), va="bottom", at="axes fraction")


def _reject(data: NullData, x: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    return np.asarray((x <= data.low) | (x >= data.high))  # nan is neither


def _draw_bars(data: NullData, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], ax: Axes) -> None:
    """Draw a bar for each value, or for bins of many; what is in the critical region stands on top of the rest."""
    rejected = _reject(data, x)
    step, (low, high) = float(np.diff(x).min()) if len(x) > 1 else 1.0, data.limits
    step *= max(math.ceil((high - low) / (MOST_BARS * step)), 1)  # whole steps, so that bins hold equally many values
    edges = np.arange(low, high + step, step) if len(x) > 1 else x + np.array([-0.5, 0.5])
    kept, beyond = (np.histogram(x, edges, weights=np.where(part, y, 0.0))[0] for part in (~rejected, rejected))
    places = (edges[1:] + edges[:-1]) / 2
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
    ends = data.limits
    for low, high in ((ends[0], data.low), (data.high, ends[1])):
        if not math.isnan(low) and not math.isnan(high):
            ax.axvspan(low, high, color=PALETTE[1], alpha=0.13, linewidth=0, zorder=0)
            edge = high if high == data.low else low
            ax.axvline(edge, color=PALETTE[1], linewidth=0.9, linestyle=(0, (4, 2)), zorder=1)
            if (high - low) / (ends[1] - ends[0]) * size_in_inches(ax)[0] > ROOM_FOR_ALPHA:
                _write_alpha(data, (low + high) / 2, ax)


def _write_alpha(data: NullData, x: float, ax: Axes) -> None:
    """Write in one side of the critical region how probable it is."""
    both = not (math.isnan(data.low) or math.isnan(data.high))
    text = f"{'at most α/2' if both else 'at most α'}\n= {data.alpha / (2 if both else 1):.3g}"
    at = ax.get_xaxis_transform()
    write(ax, text, (x, 0.6), ha="center", at=at, size=SMALL, color=DARK_ORANGE)


def _write_observed(data: NullData, ax: Axes) -> None:
    """Write the statistic and its p-value beside its line, on the side where the next line is further off."""
    ends = [end for end in (*data.limits, data.low, data.high) if not math.isnan(end)]
    before = data.observed - max((end for end in ends if end <= data.observed), default=data.limits[0])
    after = min((end for end in ends if end >= data.observed), default=data.limits[1]) - data.observed
    left = before > after
    text = f"observed {_short(data.observed)}\n{formats.p_equals(data.p_value)}"
    at = ax.get_xaxis_transform()
    side = {"ha": "right" if left else "left", "va": "top", "at": at, "size": SMALL}
    write(ax, text, (data.observed, 0.98), offset=(-4 if left else 4, 0), **side)  # type: ignore[arg-type]
