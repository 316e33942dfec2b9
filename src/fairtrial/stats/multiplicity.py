"""Adjusted p-values of many tests, which control the family-wise error or the false discovery rate.

Adjusted p-values for all pairs of k methods, from the logical relations between their null hypotheses.

If methods 1 and 2 are equal, and methods 2 and 3 are equal, then so are 1 and 3. The set of true null hypotheses
therefore always consists of all pairs within the groups of some partition of the methods. There are far fewer
partitions than subsets of pairs, so that the adjustment can be smaller. The argument needs transitive hypotheses, such
as equal expected ranks among these methods.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.special import binom

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.bibliography import (
    BENJAMINI_HOCHBERG_1995,
    BENJAMINI_YEKUTIELI_2001,
    BERGMANN_HOMMEL_1988,
    FINNER_1993,
    GARCIA_HERRERA_2008,
    HOCHBERG_1988,
    HOLLAND_COPENHAVER_1987,
    HOLM_1979,
    HOMMEL_1988,
    LI_2008,
    MEIJER_2019,
    ROM_1990,
    SHAFFER_1986,
)
from fairtrial.stats.procedures import MANY_P_VALUES, procedure
from fairtrial.stats.score_arrays import FloatArray, IntArray, numbers
from fairtrial.words import is_one_of

MOST_METHODS = 20  # Bergmann and Hommel's procedure takes 3**k steps: 1 s for 16 methods, half a minute for 20


def method_count(pairs: int, how: str) -> int:
    """The number k of methods that have this number of pairs, k(k − 1)/2.

    >>> method_count(10, "shaffer")
    5
    """
    k = (1 + math.isqrt(1 + 8 * pairs)) // 2
    if k * (k - 1) // 2 != pairs:
        raise InputError(
            f"adjustment {how!r} needs the p-values of all k(k − 1)/2 pairs of k methods, got {pairs} p-values; "
            "use 'holm'"
        )
    return k


@lru_cache(maxsize=64)
def possible_true_counts(k: int) -> tuple[int, ...]:
    """The numbers of null hypotheses that can be true at the same time, among all pairs of k methods, ascending.

    >>> possible_true_counts(4)   # groups 1+1+1+1, 2+1+1, 2+2, 3+1, 4
    (0, 1, 2, 3, 6)
    """
    possible = [1] + [0] * k  # each number is a set of counts, one bit for each count
    for size in range(1, k + 1):
        for first in range(1, size + 1):
            possible[size] |= possible[size - first] << (first * (first - 1) // 2)
    return tuple(count for count in range(k * (k - 1) // 2 + 1) if possible[k] >> count & 1)


def shaffer(p: FloatArray) -> FloatArray:
    """Shaffer's adjusted p-values of all pairs: Holm's, with the number of hypotheses that can still be true.

    Holm multiplies the j-th smallest p-value by the number of hypotheses that are left; Shaffer multiplies it by the
    largest number of them that can be true at the same time.
    """
    m = len(p)
    counts = np.array(possible_true_counts(method_count(m, "shaffer")))
    left = counts[np.searchsorted(counts, np.arange(m, 0, -1), "right") - 1]
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(m)
    adjusted[order] = np.maximum.accumulate(left * p[order])
    return np.minimum(adjusted, 1.0)


def bergmann_hommel(p: FloatArray) -> FloatArray:
    """Bergmann and Hommel's adjusted p-values of all pairs, in the order (0, 1), (0, 2), …, (1, 2), ….

    A set of hypotheses that can be true together is a partition of the methods into groups. The adjusted p-value of a
    pair is the largest (number of pairs) × (smallest p-value) over all such sets that contain the pair.

    Groups are added in the order of their smallest p-value, from the largest down. ``most[S]`` is the largest number of
    pairs that the groups added so far can form from the methods of S, each method used once. Every group is added once,
    for all S that contain it: 3**k steps, however many partitions there are.
    """
    k = method_count(len(p), "bergmann_hommel")
    if k > MOST_METHODS:
        raise InputError(
            f"adjustment 'bergmann_hommel' can take at most {MOST_METHODS} methods, since its work triples with each, "
            f"got {k}; use 'shaffer'"
        )
    first, second = np.triu_indices(k, 1)
    masks = (1 << first) | (1 << second)
    size, smallest = _groups(p, masks, k)
    inside, everyone = size * (size - 1) // 2, (1 << k) - 1
    most = np.zeros(1 << k, dtype=np.int64)
    best = np.zeros(1 << k)
    groups = np.flatnonzero(size > 1)
    groups = groups[np.argsort(-smallest[groups], kind="stable")]
    starts = np.flatnonzero(np.diff(smallest[groups], prepend=np.inf))
    parts = _subsets(k)
    for start, end in zip(starts, [*starts[1:], len(groups)], strict=True):
        for group in groups[start:end].tolist():
            _add_group(group, int(inside[group]), everyone ^ group, most, parts)
        added = groups[:end]
        candidate = smallest[groups[start]] * (inside[added] + most[everyone ^ added])
        best[added] = np.maximum(best[added], candidate)
    values = np.array([best[groups[(groups & mask) == mask]].max() for mask in masks.tolist()])
    order = np.lexsort((values, p))
    adjusted = np.empty(len(p))
    # printed tables make the values monotone in p; pairs with equal p keep values of their own
    adjusted[order] = np.maximum.accumulate(values[order])
    return np.minimum(adjusted, 1.0)


def _groups(p: FloatArray, masks: IntArray, k: int) -> tuple[IntArray, FloatArray]:
    """For every set of methods, coded as bits: its number of methods, and the smallest p-value of the pairs inside."""
    size = np.zeros(1 << k, dtype=np.int64)
    smallest = np.full(1 << k, np.inf)
    everything = np.arange(1 << k)
    for method in range(k):
        size += everything >> method & 1
    for value, mask in zip(p.tolist(), masks.tolist(), strict=True):
        holds = (everything & mask) == mask
        smallest[holds] = np.minimum(smallest[holds], value)
    return size, smallest


def _subsets(k: int) -> tuple[list[IntArray], list[IntArray], int]:
    """All subsets of every mask of the lower and of the upper half of the methods, and the size of the lower half."""
    low = k // 2

    def subsets(mask: int, shift: int) -> IntArray:
        found = np.zeros(1, dtype=np.int64)
        for bit in range(mask.bit_length()):
            if mask >> bit & 1:
                found = np.concatenate([found, found | (1 << (bit + shift))])
        return found

    return [subsets(m, 0) for m in range(1 << low)], [subsets(m, low) for m in range(1 << (k - low))], low


def _add_group(
    group: int, pairs: int, others: int, most: IntArray, parts: tuple[list[IntArray], list[IntArray], int]
) -> None:
    """Update ``most`` for every set of methods that contains the group."""
    lower, upper, low = parts
    rest = np.add.outer(upper[others >> low], lower[others & ((1 << low) - 1)]).ravel()
    with_group = rest | group
    most[with_group] = np.maximum(most[with_group], most[rest] + pairs)


WORKS = {
    "holm": HOLM_1979,
    "sidak": HOLLAND_COPENHAVER_1987,
    "holm_sidak": HOLLAND_COPENHAVER_1987,
    "finner": FINNER_1993,
    "hochberg": HOCHBERG_1988,
    "hommel": HOMMEL_1988,
    "rom": ROM_1990,
    "li": LI_2008,
    "shaffer": SHAFFER_1986,
    "bergmann_hommel": BERGMANN_HOMMEL_1988,
    "bh": BENJAMINI_HOCHBERG_1995,
    "by": BENJAMINI_YEKUTIELI_2001,
}
"""The reference of each adjustment; Bonferroni's inequality needs none."""

ROM_MOST = 200  # p-values: the work of Rom's recursion grows with their number squared


@procedure(
    question=MANY_P_VALUES,
    assumes="depends on the adjustment, as its table says",
    references=(*dict.fromkeys(WORKS.values()), GARCIA_HERRERA_2008, MEIJER_2019),
)
def adjust(p_values: npt.ArrayLike, how: str = "holm") -> FloatArray:
    r"""Adjusted p-values of a family of m tests, in the order given, by any of 14 adjustments.

    Reject a null hypothesis where its adjusted p-value is below :math:`\alpha`. With
    :math:`p_{(1)} \le \dots \le p_{(m)}`:

    =================== ==================================================== ==================== ================
    ``how``             adjusted :math:`p_{(i)}`                             controls             holds under
    =================== ==================================================== ==================== ================
    ``none``            :math:`p_{(i)}`                                      nothing
    ``bonferroni``      :math:`m\,p_{(i)}`                                   family-wise error    always
    ``sidak``           :math:`1 - (1 - p_{(i)})^m`                          family-wise error    independence [1]
    ``holm``            :math:`\max_{j \le i} (m - j + 1)\,p_{(j)}`          family-wise error    always
    ``holm_sidak``      :math:`\max_{j \le i} 1 - (1 - p_{(j)})^{m-j+1}`     family-wise error    independence [1]
    ``finner``          :math:`\max_{j \le i} 1 - (1 - p_{(j)})^{m/j}`       family-wise error    independence [1]
    ``hochberg``        :math:`\min_{j \ge i} (m - j + 1)\,p_{(j)}`          family-wise error    independence [1]
    ``hommel``          the closed test with Simes' inequality               family-wise error    independence [1]
    ``rom``             step up with the constants of Rom (1990)             family-wise error    independence
    ``li``              :math:`p_{(i)} / (p_{(i)} + 1 - p_{(m)})`            see below
    ``shaffer``         :math:`\max_{j \le i} t_j\,p_{(j)}`                  family-wise error    transitive nulls
    ``bergmann_hommel`` :math:`\max \{|I| \min_{j \in I} p_j : i \in I\}`   family-wise error    transitive nulls
    ``bh``              :math:`\min_{j \ge i} m\,p_{(j)} / j`                false discovery rate independence [1]
    ``by``              ``bh`` times :math:`1 + \frac12 + \dots + \frac1m`   false discovery rate always
    =================== ==================================================== ==================== ================

    [1] The adjustment also holds under certain kinds of positive dependence. Comparisons with one control are
    positively dependent. All pairs are not: the differences a − b and b − c are negatively correlated.

    Adjusted p-values are at most 1. A p-value that is nan stays nan and still counts in m, as if it were 1: leaving it
    out would make the other adjusted p-values smaller because a test failed.

    All take n log n steps except ``rom`` (at most 200 p-values) and the two for all pairs.
    ``hommel`` and ``rom`` reject every hypothesis that ``hochberg`` rejects, but gain little over ``holm``.
    **``li`` is offered because textbooks have it; it is not recommended**, since the adjusted value of the smallest
    p-value depends on the largest p-value. If the largest is 1, nothing is rejected; if it is 0.06, hardly anything is
    adjusted.

    ``shaffer`` and ``bergmann_hommel`` take the p-values of all pairs of k methods, in the order (0, 1), (0, 2), …,
    (1, 2), …. They use that some null hypotheses can't be true without others: :math:`t_j` is the largest number of
    hypotheses, at most :math:`m - j + 1`, that can be true at the same time; I runs through all sets of hypotheses
    that can be true while all others are false. That needs **transitive** hypotheses, such as equal expected ranks
    (:func:`nemenyi`, ``pairwise(table, test="friedman")``). Wilcoxon's hypotheses are not transitive: A may tend to
    beat B, B to beat C, and C to beat A. Bergmann and Hommel's procedure has more power than Shaffer's. A running
    maximum makes it monotone, as in printed tables. It takes a second for 16 methods and accepts up to 20.

    References: Holm (1979), Scandinavian Journal of Statistics 6:65-70, https://www.jstor.org/stable/4615733;
    Holland & Copenhaver (1987), Biometrics 43:417-423; Finner (1993), JASA 88:920-923; Hochberg (1988),
    doi:10.1093/biomet/75.4.800; Hommel (1988), doi:10.1093/biomet/75.2.383; Rom (1990),
    doi:10.1093/biomet/77.3.663; Li (2008), Journal of Statistical Planning and Inference 138:1521-1527;
    Shaffer (1986), doi:10.1080/01621459.1986.10478341; Bergmann & Hommel (1988), in Multiple Hypotheses Testing,
    Springer, 100-115; García & Herrera (2008), JMLR 9:2677-2694, https://jmlr.org/papers/v9/garcia08a.html;
    Meijer, Krebs & Goeman (2019), doi:10.1002/bimj.201700316;
    Benjamini & Hochberg (1995), doi:10.1111/j.2517-6161.1995.tb02031.x; Benjamini & Yekutieli (2001),
    doi:10.1214/aos/1013699998.

    >>> adjust([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    >>> adjust([0.01, 0.04, 0.03], how="hochberg")
    array([0.03, 0.04, 0.04])
    >>> adjust([0.01, 0.04, 0.03], how="shaffer")   # of 3 null hypotheses 3, 1 or none can be true, never 2
    array([0.03, 0.04, 0.03])
    """
    if not is_one_of(how, (*ADJUSTMENTS, *ALL_PAIRS)):
        raise UnknownName.among("adjustment", how, (*ADJUSTMENTS, *ALL_PAIRS))
    p = numbers(p_values, "p_values")
    if p.ndim != 1 or ((p < 0) | (p > 1)).any():
        raise InputError(f"p_values must be a list of numbers from 0 to 1 (or nan), got {p_values!r}")
    if p.size == 0:
        return p
    filled = np.where(np.isnan(p), 1.0, p)
    if how in ALL_PAIRS:
        return np.where(np.isnan(p), np.nan, ALL_PAIRS[how](filled))
    order = np.argsort(filled, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(ADJUSTMENTS[how](filled[order]), 1.0)
    return np.where(np.isnan(p), np.nan, adjusted)


def _left(p: FloatArray) -> FloatArray:
    """The number of hypotheses that are left at each step of Holm's procedure: m, m − 1, …, 1."""
    return np.arange(len(p), 0, -1, dtype=np.float64)


def _step_up(p: FloatArray) -> FloatArray:
    """The running minimum from the largest p-value down."""
    backwards: FloatArray = np.minimum.accumulate(p[::-1])
    return backwards[::-1]


def _none(p: FloatArray) -> FloatArray:
    return p


def _bonferroni(p: FloatArray) -> FloatArray:
    return len(p) * p


def _any_of(p: FloatArray, m: FloatArray) -> FloatArray:
    """The probability 1 − (1 − p)^m that at least one of m independent tests rejects, accurate for small p."""
    with np.errstate(divide="ignore"):  # p = 1
        chance: FloatArray = -np.expm1(m * np.log1p(-p))
    return chance


def _sidak(p: FloatArray) -> FloatArray:
    return _any_of(p, np.full(len(p), float(len(p))))


def _holm_sidak(p: FloatArray) -> FloatArray:
    steps: FloatArray = np.maximum.accumulate(_any_of(p, _left(p)))
    return steps


def _finner(p: FloatArray) -> FloatArray:
    steps: FloatArray = np.maximum.accumulate(_any_of(p, len(p) / np.arange(1, len(p) + 1)))
    return steps


def _li(p: FloatArray) -> FloatArray:
    rest = p + (1 - p[-1])
    share: FloatArray = np.divide(p, rest, out=np.ones_like(p), where=rest > 0)
    return share


def _holm(p: FloatArray) -> FloatArray:
    steps: FloatArray = np.maximum.accumulate(_left(p) * p)
    return steps


def _hochberg(p: FloatArray) -> FloatArray:
    return _step_up(_left(p) * p)


def _hommel(p: FloatArray) -> FloatArray:
    """Hommel's adjusted p-values: Simes' test of the m largest p-values for every m (Wright 1992, Biometrics 48).

    The i-th adjusted p-value is the largest of Simes' values of the m largest p-values, or of m times the p-value where
    that is less and the p-value is not among them. The second grows with m, and Simes' value over m falls: one search
    finds where they cross (the idea of Meijer, Krebs & Goeman 2019, whose algorithm also takes n log n steps).
    """
    n = len(p)
    sizes = np.arange(n + 1)
    simes = np.append(0.0, _simes(p))  # by m
    simes[1] = 0.0  # Simes' test of the largest alone says nothing of the others
    falling = np.minimum.accumulate(np.append(np.inf, simes[2:] / sizes[2:]))  # of m = 1, 2, …
    crossing = len(falling) - np.searchsorted(falling[::-1], p, side="left")  # the largest m whose share reaches p
    alone = np.clip(np.minimum(crossing, n - 1 - np.arange(n)), 1, None)
    highest = np.append(np.maximum.accumulate(simes[::-1])[::-1], 0.0)  # of all from m on
    return np.asarray(np.maximum(alone * p, highest[alone + 1]))


def _simes(p: FloatArray) -> FloatArray:
    """Simes' p-value of the m largest of ascending p-values, for m = 1, 2, …: the least m p / rank among them.

    The place of the least does not fall when m falls. So the middle m of each stretch of m divides the places to be
    searched in two, and all stretches of a round are searched at once: n log n steps in all.
    """
    n = len(p)
    least, places = np.empty(n + 2), np.zeros(n + 2, dtype=np.intp)  # by n − m, between two ends
    places[n + 1] = n - 1
    low, high = np.array([0]), np.array([n + 1])
    while len(low):
        middle = (low + high) // 2
        start, stop = np.maximum(places[low], middle - 1), places[high] + 1
        lengths = stop - start
        first = np.cumsum(lengths) - lengths
        where = np.arange(int(lengths.sum())) - np.repeat(first - start, lengths)
        size = np.repeat(n + 1 - middle, lengths)
        values = size * p[where] / (where + 1 - (n - size))
        least[middle] = np.minimum.reduceat(values, first)
        reached = np.flatnonzero(values <= np.repeat(least[middle], lengths))
        places[middle] = where[reached[np.searchsorted(reached, first)]]
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        open_ = high - low > 1
        low, high = low[open_], high[open_]
    return np.asarray(least[n:0:-1])


def _rom(p: FloatArray) -> FloatArray:
    """Rom's adjusted p-values: the level at which Rom's constant equals the p-value, found by the secant method.

    The level lies between p itself and Hochberg's value, j p for the j-th largest p-value. The logarithm of a constant
    is almost a line in that of its level. The first guess solves j c = α + α² (j − 2) / (2 (j − 1)), the first terms of
    its series.
    """
    n = len(p)
    if n > ROM_MOST:
        raise InputError(f"adjustment 'rom' can take at most {ROM_MOST} p-values, got {n}; use 'hommel'")
    wanted, j = np.maximum(p[::-1], 1e-300), np.arange(1, n + 1)
    low, high = np.log(wanted), np.log(np.minimum(j * wanted, 1.0))
    bend = np.maximum((j - 2) / np.maximum(2 * (j - 1), 1), 0.0)
    guess = np.clip(np.log(2 * j * wanted / (1 + np.sqrt(1 + 4 * bend * j * wanted))), low, high)
    before, missed = high, _rom_constants(np.exp(high)) - np.log(wanted)
    done = beyond = missed < 0  # even level 1 does not reach the p-value
    for _ in range(100):
        error = _rom_constants(np.exp(guess)) - np.log(wanted)
        only_rounding = (np.abs(error) >= np.abs(missed)) & (np.abs(error) < 1e-11)
        done = done | (np.abs(error) < 1e-14) | only_rounding
        if done.all():
            break
        slope = np.divide(missed - error, before - guess, out=np.ones(n), where=before != guess)
        step = np.where(done, 0.0, error / np.maximum(slope, 0.5))
        before, missed, guess = guess, error, np.clip(guess - step, low, high)
    return np.where(p > 0, _step_up(np.exp(np.where(beyond, high, guess))[::-1]), 0.0)


def _rom_constants(level: FloatArray) -> FloatArray:
    """The logarithm of Rom's constant of the j-th largest p-value at the j-th level, by the recursion of Rom (1990).

    With a sum of powers :math:`s_i = \\alpha + \\dots + \\alpha^{i-1}`,
    :math:`i\\,c_i = s_i - \\sum_{d=2}^{i-1} \\binom{i}{d} c_{i-d+1}^d`. As soon as a constant is known, its powers are
    taken from all sums that they belong to; powers below the last digit are left out.
    """
    n = len(level)
    left = np.empty((n + 1, n))  # by i: what is left of the sum of powers
    powers = np.zeros(n)
    for i in range(1, n + 1):
        left[i] = level if i == 1 else powers
        powers = level * (1 + powers)
    found = np.empty(n)
    for i in range(1, n + 1):
        constant = left[i, i - 1 :] / i  # the levels before have what they need
        found[i - 1] = constant[0]
        if 1 < i < n:
            d = np.arange(2, min(_rom_terms(i, float(constant.max())), n - i + 1) + 1)
            taken = np.multiply.accumulate(np.broadcast_to(constant, (len(d) + 1, len(constant))), axis=0)[1:]
            left[i + 1 : i + len(d) + 1, i - 1 :] -= binom(i + d - 1, d)[:, None] * taken
    return np.log(found)


def _rom_terms(i: int, constant: float) -> int:
    """The number of powers of the i-th constant that change a sum of powers."""
    d, term = 1, constant * i
    while term > 1e-18 * constant:
        d += 1
        term *= constant * (i + d - 1) / d
    return d


def _bh(p: FloatArray) -> FloatArray:
    return _step_up(len(p) / np.arange(1, len(p) + 1) * p)


def _by(p: FloatArray) -> FloatArray:
    return _bh(p) * float((1.0 / np.arange(1, len(p) + 1)).sum())


ADJUSTMENTS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "none": _none,
    "bonferroni": _bonferroni,
    "sidak": _sidak,
    "holm": _holm,
    "holm_sidak": _holm_sidak,
    "finner": _finner,
    "hochberg": _hochberg,
    "hommel": _hommel,
    "rom": _rom,
    "li": _li,
    "bh": _bh,
    "by": _by,
}
"""Adjustments as functions of ascending p-values."""

ALL_PAIRS: dict[str, Callable[[FloatArray], FloatArray]] = {"shaffer": shaffer, "bergmann_hommel": bergmann_hommel}
"""Adjustments as functions of the p-values of all pairs of methods, in the order (0, 1), (0, 2), …."""

TITLES: dict[str, str] = {
    "none": "not adjusted",
    "bonferroni": "Bonferroni",
    "sidak": "Šidák",
    "holm": "Holm",
    "holm_sidak": "Holm-Šidák",
    "finner": "Finner",
    "hochberg": "Hochberg",
    "hommel": "Hommel",
    "rom": "Rom",
    "li": "Li",
    "shaffer": "Shaffer",
    "bergmann_hommel": "Bergmann-Hommel",
    "bh": "Benjamini-Hochberg",
    "by": "Benjamini-Yekutieli",
}
