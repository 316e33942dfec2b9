"""Bootstrap resamples, the replicates of a statistic on them, and the bounds and p-values computed from replicates.

Sums of random subsets, which contain each element with probability ½: the null distribution of random signs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from fairtrial.errors import InputError
from fairtrial.stats.arguments import check_seed, number
from fairtrial.stats.distributions.tail import tail_share
from fairtrial.stats.outcome import Alternative
from fairtrial.stats.score_arrays import DIGITS, LARGEST_EXACT_POWER, MOST_DRAWS, FloatArray, IntArray
from fairtrial.words import plural

METHODS = {"bca": "BCa bootstrap", "percentile": "percentile bootstrap", "basic": "basic bootstrap"}
AT_ONCE = 2**17  # draws in memory at a time: few enough for the processor's cache
BLOCK = 256  # instances that one random byte can choose from
SMALLEST = 1e-9  # divisor of the BCa formula, which must stay positive also far out and with a large acceleration
FEW = 20  # values or instances: with fewer, the coverage of bootstrap intervals is below their level
MOST_GROUPS = 1000  # groups that the jackknife leaves out in turn, if there are more instances than that


def chunks(replicates: int, n: int) -> Iterator[int]:
    """The numbers of replicates of n instances to make at a time."""
    step = max(1, AT_ONCE // n)
    for first in range(0, replicates, step):
        yield min(step, replicates - first)


def _bytes(random: np.random.Generator, count: int) -> npt.NDArray[np.uint8]:
    """Random bytes, made eight at a time, which is five times as fast as ``random.bytes``."""
    return random.integers(0, 2**64 - 1, -(-count // 8), dtype=np.uint64, endpoint=True).view(np.uint8)[:count]


def resample_places(
    random: np.random.Generator, n: int, replicates: int, draws: int | IntArray | None = None
) -> IntArray:
    """The instances drawn with replacement from n, replicate by replicate; numbers grow by n with each replicate.

    ``draws`` is the number of draws in a replicate, one for all or one for each; n by default. First the number of
    draws in each block of 256 instances is drawn, then a random byte for each draw chooses one of them. This is exact,
    and twice as fast as drawing numbers from 0 to n − 1.
    """
    totals = np.broadcast_to(np.asarray(n if draws is None else draws), replicates)
    blocks, rest = divmod(n, BLOCK)
    each = random.multinomial(totals, np.array([BLOCK] * blocks + [rest]) / n)
    starts = np.arange(replicates)[:, None] * n + np.arange(blocks + 1) * BLOCK
    places = np.repeat(starts.ravel(), each.ravel())
    inside = _bytes(random, len(places)).astype(np.int64)
    if rest:  # the last block has fewer than 256 instances
        last = each[:, -1]
        where = np.repeat(np.cumsum(totals) - np.cumsum(last), last) + np.arange(last.sum())
        inside[where] = random.integers(0, rest, len(where))
    places += inside
    return places


def resample_counts(
    random: np.random.Generator, n: int, replicates: int, draws: int | IntArray | None = None
) -> IntArray:
    """The number of times that each of n instances is drawn with replacement, in each replicate: (replicates, n).

    >>> resample_counts(np.random.default_rng(1), 5, 2).sum(axis=1)
    array([5, 5])
    """
    places = resample_places(random, n, replicates, draws)
    return np.bincount(places, minlength=replicates * n).reshape(replicates, n)


def _rounded(values: FloatArray) -> FloatArray:
    """Values rounded to 12 significant digits of the largest, so that values that are equal on paper are equal."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest < 1e-290:
        return values
    digits = DIGITS - 1 - math.floor(math.log10(largest))
    if 0 <= digits <= LARGEST_EXACT_POWER:
        return np.asarray(np.rint(values * 10.0**digits) / 10.0**digits)
    return np.asarray(np.rint(values / 10.0**-digits) * 10.0**-digits)


@dataclass(frozen=True, slots=True, eq=False)
class Replicates:
    """The values of a statistic on all resamples, ascending; ``shares`` are their probabilities.

    Each of B randomly drawn replicates has the probability 1/(B + 1). The rest is left for the observed sample, which
    may lie anywhere, so that a p-value is never 0. If all resamples were listed, the probabilities sum to 1.
    """

    values: FloatArray
    shares: FloatArray
    drawn: bool = True

    @classmethod
    def of(cls, values: npt.ArrayLike) -> Replicates:
        """Replicates that were drawn at random."""
        ordered = np.sort(_rounded(np.asarray(values, dtype=np.float64)))
        return cls(ordered, np.full(len(ordered), 1 / (len(ordered) + 1)))

    @classmethod
    def listed(cls, values: FloatArray, shares: FloatArray) -> Replicates:
        """Replicates on all resamples that exist, with their probabilities."""
        values, order = _rounded(values), np.argsort(_rounded(values), kind="stable")
        return cls(values[order], shares[order], drawn=False)

    def at_most(self, value: float) -> float:
        """The probability of a replicate of at most ``value``; if drawn, with one more such replicate counted."""
        return float(self.shares[: np.searchsorted(self.values, value, "right")].sum()) + self._unseen

    def at_least(self, value: float) -> float:
        """The probability of a replicate of at least ``value``; if drawn, with one more such replicate counted."""
        return float(self.shares[np.searchsorted(self.values, value, "left") :].sum()) + self._unseen

    @property
    def _unseen(self) -> float:
        return 1 / (len(self.values) + 1) if self.drawn else 0.0

    def below(self, value: float, *, ties: Literal["half", "below"] = "half") -> float:
        """The share of replicates below ``value``; equal ones count half (or not at all)."""
        value = float(_rounded(np.append(self.values, value))[-1])
        lower, upper = (np.searchsorted(self.values, value, side) for side in ("left", "right"))
        share = float(self.shares[:lower].sum())
        share += float(self.shares[lower:upper].sum()) / 2 if ties == "half" else 0.0
        return share / float(self.shares.sum())

    def low(self, share: float) -> float:
        """The smallest value with ``at_most(value) ≥ share``; −∞ if there are too few replicates."""
        running = np.cumsum(self.shares) + self._unseen
        if share <= self._unseen:
            return -math.inf
        return float(self.values[min(int(np.searchsorted(running, share - 1e-12)), len(running) - 1)])

    def high(self, share: float) -> float:
        """The largest value with ``at_least(value) ≥ share``; ∞ if there are too few replicates."""
        return -self.mirrored(0.0).low(share)

    def mirrored(self, centre: float) -> Replicates:
        """The replicates reflected at ``centre``."""
        return Replicates(_rounded(2 * centre - self.values[::-1]), self.shares[::-1], self.drawn)

    def bound_error(self, share: float) -> float:
        """The Monte Carlo standard error of the bound at a share: half its change over two standard errors of it."""
        if not self.drawn:
            return 0.0
        error = math.sqrt(share * (1 - share) / len(self.values))
        return abs(self.low(min(share + error, 1.0)) - self.low(max(share - error, 2 * self._unseen))) / 2


@dataclass(frozen=True, slots=True)
class Corrections:
    """Efron's bias correction and acceleration, which determine the quantiles that BCa uses instead of α and 1 − α."""

    bias: float
    acceleration: float

    @classmethod
    def of(
        cls, replicates: Replicates, estimate: float, acceleration: float, *, ties: Literal["half", "below"] = "half"
    ) -> Corrections:
        """Corrections whose bias comes from the share of replicates below the estimate.

        Equal replicates count half, or not at all as in R's boot. If no replicate lies below, or all do, half a
        replicate is counted, since an infinite bias would leave no interval.
        """
        half = 1 / (2 * len(replicates.values) + 2)
        share = min(max(replicates.below(estimate, ties=ties), half), 1 - half)
        return cls(float(ndtri(share)), acceleration)

    def share(self, alpha: float) -> float:
        """The share of replicates that BCa cuts off for the nominal share ``alpha``.

        >>> Corrections(-0.0784124127331122, 0.03).share(0.025)
        0.0227867266
        """
        z = self.bias + float(ndtri(alpha))
        return float(ndtr(self.bias + z / max(1 - self.acceleration * z, SMALLEST)))

    def nominal(self, share: float) -> float:
        """The nominal share for which BCa cuts off this share of replicates; the inverse of :meth:`share`."""
        z = float(ndtri(share)) - self.bias
        return float(ndtr(z / max(1 + self.acceleration * z, SMALLEST) - self.bias))

    def nominal_error(self, share: float, count: int) -> float:
        """The Monte Carlo standard error of ``nominal(share)``, if share and bias come from ``count`` replicates.

        It is by the delta method: both are shares of the same replicates, below the value and below the estimate.
        """
        z, below = float(ndtri(share)), float(ndtr(self.bias))
        slope = 1 / max(1 + self.acceleration * (z - self.bias), SMALLEST) ** 2
        here, there = _density(z), _density(self.bias)
        own, of_bias = share * (1 - share) / here**2, below * (1 - below) / there**2
        both = (min(share, below) - share * below) / (here * there)
        variance = slope**2 * own + (slope + 1) ** 2 * of_bias - 2 * slope * (slope + 1) * both
        return _density(float(ndtri(self.nominal(share)))) * math.sqrt(max(variance, 0.0) / count)


def _density(z: float) -> float:
    """The density of the standard normal distribution."""
    return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)


def acceleration(left_out: FloatArray, counts: FloatArray | None = None) -> float:
    """The acceleration of BCa: a sixth of the skewness of the jackknife values; 0 if they are all equal.

    ``left_out`` is the statistic with each instance (or group of instances) left out in turn. ``counts`` is the number
    of instances of each kind, if equal instances are given once.
    """
    counts = np.ones(len(left_out)) if counts is None else counts
    influence = float(np.average(left_out, weights=counts)) - left_out
    influence = influence / (float(np.abs(influence).max()) or 1.0)  # scaled, so that cubes do not overflow
    spread = float(counts @ influence**2)
    return float(counts @ influence**3) / (6 * spread**1.5) if spread > 0 else 0.0


def bootstrap_bounds(
    replicates: Replicates,
    estimate: float,
    method: str,
    level: float,
    alternative: Alternative,
    corrections: Corrections,
    n: int | None = None,
) -> tuple[float, float]:
    """Bounds of the percentile, basic or BCa interval; widened by t if the number of instances is given."""
    tail = widened_tail(tail_share(level, alternative), n)
    source = replicates.mirrored(estimate) if method == "basic" else replicates
    shares = (tail, tail)
    if method == "bca":
        shares = corrections.share(tail), 1 - corrections.share(1 - tail)
    return (
        -math.inf if alternative == "less" else source.low(shares[0]),
        math.inf if alternative == "greater" else source.high(shares[1]),
    )


def widened_tail(tail: float, n: int | None) -> float:
    r"""The share of replicates to cut off so that the interval of a mean is about as wide as that of a t-test.

    Replicates have the standard deviation :math:`\sqrt{(n-1)/n}\,s` and no heavier tails for small n; so, as in
    Hesterberg (2015), section 4.3,

    .. math:: \alpha' = \Phi\!\left(\sqrt{n/(n-1)}\; t_{\alpha,\,n-1}\right).

    >>> widened_tail(0.025, 8), widened_tail(0.025, 100), widened_tail(0.025, None)
    (0.0057, 0.0231, 0.025)
    """
    return tail if n is None else float(ndtr(math.sqrt(n / (n - 1)) * stdtrit(n - 1, tail)))


def nominal_tail(share: float, n: int) -> float:
    """The nominal share that :func:`widened_tail` turns into this share; its inverse.

    >>> nominal_tail(widened_tail(0.025, 8), 8)
    0.025
    """
    return float(stdtr(n - 1, math.sqrt((n - 1) / n) * ndtri(share)))


def check_replicates(replicates: int, seed: int) -> None:
    """Check the number of replicates and the seed."""
    check_seed(seed)
    if not (hasattr(replicates, "__index__") and 99 <= number(replicates) <= MOST_DRAWS):
        raise InputError(f"replicates must be a whole number of at least 99 (9999 is usual), got {replicates!r}")


def small_sample_notes(n: int, noun: str) -> tuple[str, ...]:
    """A note for samples that are so small that bootstrap intervals are often too narrow."""
    note = f"{plural(n, noun)}: bootstrap intervals from fewer than {FEW} are often too narrow"
    return (note,) if n < FEW else ()


def monte_carlo_notes(
    found: Replicates, level: float, alternative: Alternative, n: int | None = None
) -> tuple[str, ...]:
    """A note with the Monte Carlo error of the bounds, if resamples were drawn."""
    if not found.drawn:
        return ()
    tail = widened_tail(tail_share(level, alternative), n)
    if found.low(tail) == -math.inf:
        return (f"{len(found.values):,} replicates are too few for a bound at this level",)
    error = max(found.bound_error(tail), found.mirrored(0.0).bound_error(tail))
    return (f"{len(found.values):,} replicates; Monte Carlo standard error of a bound: {error:.2g}",)


MANY = 4096  # elements: for more, sums of eight elements are made once and chosen by random bytes
BYTES = 2**25  # random bytes in memory at a time
TABLES = 128  # bytes whose 256 sums each, 256 kB together, stay in the processor's cache


def drawn_subsets(whole: IntArray, replicates: int, seed: int) -> tuple[IntArray, IntArray]:
    """The sum and size of random subsets.

    >>> sums, sizes = drawn_subsets(np.array([1, 10, 100]), 3, seed=1)
    >>> sums.tolist(), sizes.tolist()
    ([111, 111, 100], [3, 3, 1])
    """
    n = len(whole)
    parts = []
    for drawn in _random_bytes(n, replicates, np.random.default_rng(seed)):
        if n > MANY:
            parts.append((_chosen_sums(whole, drawn), _ones(drawn)))
        else:
            flipped = np.unpackbits(drawn, axis=1)[:, :n]
            parts.append(((flipped * whole).sum(axis=1), flipped.sum(axis=1, dtype=np.int64)))
    sums, sizes = (np.concatenate(column) for column in zip(*parts, strict=True))
    return sums, sizes


def _random_bytes(n: int, replicates: int, random: np.random.Generator) -> Iterator[npt.NDArray[np.uint8]]:
    """Random bytes for some replicates at a time: a row for each, a bit for each element, and 0 behind the last."""
    width, steps = -(-n // 8), list(chunks(replicates, n))
    together = max(BYTES // (width * steps[0]), 1) if n > MANY else 1
    for first in range(0, len(steps), together):
        drawn = [random.bytes(b * width) for b in steps[first : first + together]]
        rows = np.frombuffer(b"".join(drawn), np.uint8).reshape(-1, width).copy()
        rows[:, -1] &= np.uint8(256 - 2 ** (8 * width - n))
        yield rows


def _ones(drawn: npt.NDArray[np.uint8]) -> IntArray:
    """The number of ones in each row of bits."""
    if hasattr(np, "bitwise_count"):  # since numpy 2.0
        return np.asarray(np.bitwise_count(drawn).sum(axis=1, dtype=np.int64))
    return np.asarray(np.unpackbits(drawn, axis=1).sum(axis=1, dtype=np.int64))


def _chosen_sums(whole: IntArray, drawn: npt.NDArray[np.uint8]) -> IntArray:
    """The sums of the subsets: each byte chooses among the 256 sums of eight elements."""
    eights = np.append(whole, np.zeros(8 * drawn.shape[1] - len(whole), dtype=np.int64)).reshape(-1, 8)
    sums = np.zeros(len(drawn), dtype=np.int64)
    for first in range(0, len(eights), TABLES):
        table = _sums_of_eight(eights[first : first + TABLES])
        places = drawn[:, first : first + TABLES] + np.arange(0, len(table), 256, dtype=np.intp)
        sums += table.take(places).sum(axis=1)
    return sums


def _sums_of_eight(eights: IntArray) -> IntArray:
    """The sums of all subsets of the eight elements of each row, in the order of the bits of a byte."""
    sums = np.zeros((len(eights), 256), dtype=np.int64)
    for bit in range(8):  # the last element has the lowest bit
        size = 2**bit
        sums[:, size : 2 * size] = sums[:, :size] + eights[:, 7 - bit, None]
    return sums.ravel()
