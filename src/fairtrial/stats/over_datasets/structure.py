"""What differences have to do with the kind of data set: a property that separates them, and groups that are alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.arguments import is_whole
from fairtrial.stats.bibliography import LAUSEN_SCHUMACHER_1992, MANTEL_1967, PHIPSON_SMYTH_2010
from fairtrial.stats.procedures import OVER_DATASETS, procedure
from fairtrial.stats.score_arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    doubled_ranks_in_rows,
    numbers,
    random_draws,
    score_table,
    whole_values,
)
from fairtrial.words import part_of, plural, shown, verb

SEPARATES_NOTHING = "differences between methods are independent of all properties of data sets"
ALIKE_BY_CHANCE = "data sets of one group have no more alike differences between methods than others"
MOST_CUTS = 9
CLIPPED = 3.0  # standard deviations: a single difference counts no more than this
EQUAL = 1e-9  # standardised statistics that are closer than this are equal but for rounding
AT_ONCE = 2**21  # numbers in memory at a time


@dataclass(frozen=True, slots=True)
class Separation:
    """The property of data sets by which differences between methods are most clearly separated.

    ``above`` has the data sets (row numbers) whose numeric ``property`` is above ``cut``, or which have the ``label``.
    ``pair`` is the column of differences, ``inside`` their median on these data sets and ``outside`` on the others.
    ``p_value`` is adjusted for all ``tried`` combinations of property, cut and pair.
    """

    property: str
    cut: float | None
    above: tuple[int, ...]
    label: str | None
    pair: int
    inside: float
    outside: float
    p_value: float
    tried: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class Side(NamedTuple):
    """One way to divide the data sets in two."""

    property: str
    cut: float | None
    label: str | None
    above: BoolArray


@procedure(
    question=OVER_DATASETS,
    null=SEPARATES_NOTHING,
    assumes="independent data sets",
    references=(LAUSEN_SCHUMACHER_1992, PHIPSON_SMYTH_2010),
)
def separating_property(
    differences: npt.ArrayLike,
    properties: Mapping[str, npt.ArrayLike],
    *,
    draws: int = 4999,
    seed: int = 0,
    fewest: int = 3,
) -> Separation | None:
    r"""Find the property of data sets on which differences between methods depend most clearly, with its p-value.

    Null hypothesis: the differences between methods are independent of all these properties of data sets.

    ``differences`` has data sets in rows and pairs of methods in columns. ``properties`` has for each name a number or
    a label for each data set. A numeric property divides the data sets at up to 9 cuts between its values, spread over
    its quantiles; a text divides those with one label from all others. At least ``fewest`` data sets lie on each side.
    For each division into :math:`m` and :math:`N - m` data sets and each pair, with midranks :math:`R_i` of the
    differences,

    .. math:: z = \frac{\sum_{i \in \text{side}} (R_i - \bar R)}
                       {\sqrt{\frac{m (N - m)}{N (N - 1)} \sum_i (R_i - \bar R)^2}}.

    Of a numeric property also the trend is looked at, Spearman's correlation with the differences times
    :math:`\sqrt{N - 1}`, which finds gradual dependence with more power; it is described by the best cut.

    The result is the division with the largest :math:`|z|`. This maximum is compared with those after ``draws`` random
    permutations of the data sets, which keep the differences of a data set together:
    :math:`p = (1 + \text{as large}) / (1 + \text{drawn})`. So p holds for the whole search, and the smallest p of the
    rank-sum tests does not. p says that the differences depend on some property. Other properties that go along with
    it may be the cause.

    A property with a missing or infinite value is left out, and so is one that does not divide. Pairs whose differences
    are all equal say nothing. If nothing can be tried, the result is None.

    References: Lausen & Schumacher (1992), Biometrics 48:73-85, doi:10.2307/2532740; Phipson & Smyth (2010),
    doi:10.2202/1544-6115.1585.

    >>> rows = [120, 150, 200, 300, 420, 600, 1500, 4000, 9000, 20000]
    >>> differences = [[-0.03], [-0.02], [-0.04], [-0.01], [-0.02], [0.01], [0.03], [0.02], [0.05], [0.04]]
    >>> found = separating_property(differences, {"rows": rows, "source": list("aabbabbaab")})
    >>> found.property, found.cut, found.above
    ('rows', 510.0, (5, 6, 7, 8, 9))
    >>> found.inside, found.outside, found.p_value < 0.05
    (0.03, -0.02, True)
    """
    random = random_draws(draws, seed)
    if not is_whole(fewest) or fewest < 1:
        raise InputError(f"fewest must be a whole number of at least 1, got {fewest!r}")
    d = _rows_of(differences)
    n = len(d)
    named = _by_name("properties", properties, n)
    sides = [side for name, values in named.items() for side in _divisions(name, values, int(fewest))]
    ranks = doubled_ranks_in_rows(np.array([whole_values(column) for column in d.T])).T - (n + 1.0)
    lengths = np.sqrt((ranks**2).sum(axis=0))
    told = lengths > 0
    if not sides or not told.any():
        return None
    indicators = np.array([side.above for side in sides], dtype=np.float64)
    m = indicators.sum(axis=1, keepdims=True)
    indicators *= np.sqrt(n * (n - 1) / (m * (n - m)))
    trends = {
        name: _trend(values)
        for name, values in named.items()
        if any(s.property == name and s.cut is not None for s in sides)
    }
    indicators = np.vstack([indicators, *trends.values()]) if trends else indicators
    standard = ranks[:, told] / lengths[told]
    z = np.abs(indicators @ standard)
    largest = float(z.max()) - EQUAL
    side, pair = map(int, np.argwhere(z >= largest)[0])
    extreme = 0
    for places in _permutations(random, n, draws, (n + len(indicators)) * standard.shape[1]):
        moved = indicators @ standard[places.T].reshape(n, -1)
        drawn = np.maximum(moved.max(axis=0), -moved.min(axis=0)).reshape(len(places), -1).max(axis=1)
        extreme += int((drawn >= largest).sum())
    if side >= len(sides):  # a trend is described by the best cut of its property
        own = [i for i, s in enumerate(sides) if s.property == list(trends)[side - len(sides)]]
        side = own[int(z[own, pair].argmax())]
    best, column = sides[side], int(np.flatnonzero(told)[pair])
    return Separation(
        property=best.property,
        cut=best.cut,
        above=tuple(np.flatnonzero(best.above).tolist()),
        label=best.label,
        pair=column,
        inside=float(np.median(d[best.above, column])),
        outside=float(np.median(d[~best.above, column])),
        p_value=(1 + extreme) / (1 + draws),
        tried=z.size,
    )


def _trend(values: list[Any]) -> FloatArray:
    """The midranks of a property, standardised as the divisions are."""
    ranks = doubled_ranks_in_rows(whole_values(numbers(values, "a property"))[None])[0] - (len(values) + 1.0)
    return np.asarray(ranks * np.sqrt((len(values) - 1) / (ranks**2).sum()))


def _rows_of(differences: npt.ArrayLike) -> FloatArray:
    d = numbers(differences, "differences")
    if d.ndim != 2 or 0 in d.shape:
        raise InputError(
            f"differences must have data sets in rows and pairs of methods in columns, got an array of shape {d.shape}"
        )
    bad = ~np.isfinite(d).all(axis=1)
    if bad.any():
        raise InputError(
            f"differences must be finite, but {part_of(int(bad.sum()), len(d), 'row')} "
            f"{verb(int(bad.sum()), 'is', 'are')} not; leave those data sets out"
        )
    return d


def _by_name(argument: str, given: Mapping[str, Any], n: int) -> dict[str, list[Any]]:
    """The values of each name, one for each data set."""
    if not isinstance(given, Mapping):
        raise InputError(
            f"{argument} must be a mapping from names to values, one for each data set, got {shown(given)}"
        )
    found = {str(name): np.asarray(values, dtype=object) for name, values in given.items()}
    for name, values in found.items():
        if values.shape != (n,):
            raise InputError(
                f"{argument} must have one value for each of {plural(n, 'data set')}, "
                f"but {name!r} has an array of shape {values.shape}"
            )
    return {name: values.tolist() for name, values in found.items()}


def _is_missing(value: object) -> bool:
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def _divisions(name: str, values: list[Any], fewest: int) -> Iterator[Side]:
    """All divisions by one property, none of them twice."""
    if any(map(_is_missing, values)):
        return
    if any(isinstance(value, str) for value in values):
        labels = np.array([str(value) for value in values])
        known, counts = np.unique(labels, return_counts=True)
        wide = known[(counts >= fewest) & (len(labels) - counts >= fewest)].tolist()
        for label in wide[:1] if len(known) == 2 else wide:  # of two labels each divides as the other does
            yield Side(name, None, str(label), labels == label)
        return
    x = numbers(values, f"property {name!r}")
    ordered = np.sort(x)
    below = np.arange(fewest, len(x) - fewest + 1)  # how many values may lie below a cut
    below = below[ordered[below - 1] < ordered[below]] if len(below) else below
    if not np.isfinite(x).all() or len(below) == 0:
        return
    wanted = np.arange(1, MOST_CUTS + 1) / (MOST_CUTS + 1) * len(x)
    nearest = below[np.abs(below[:, None] - wanted).argmin(axis=0)] if len(below) > MOST_CUTS else below
    for place in np.unique(nearest).tolist():
        low, high = float(ordered[place - 1]), float(ordered[place])
        yield Side(name, low + (high - low) / 2, None, x >= high)


def _permutations(random: np.random.Generator, n: int, draws: int, each: int) -> Iterator[IntArray]:
    """Random orders of n data sets in rows, in blocks; ``each`` is how many numbers are made from one order."""
    step = max(AT_ONCE // each, 1)
    for first in range(0, draws, step):
        size = min(step, draws - first)
        yield random.permuted(np.tile(np.arange(n), (size, 1)), axis=1)


@dataclass(frozen=True, slots=True)
class Clustering:
    """The grouping of data sets whose groups have the most alike differences between methods.

    ``correlation`` is that of two data sets of one group, beyond that of data sets of different groups. ``z`` is how
    many standard deviations the likeness within groups lies above that of random groups. ``p_value`` is adjusted for
    all groupings.
    """

    grouping: str
    correlation: float
    z: float
    p_value: float

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@procedure(
    question=OVER_DATASETS,
    null=ALIKE_BY_CHANCE,
    assumes="data sets that are exchangeable if groups mean nothing",
    references=(MANTEL_1967, PHIPSON_SMYTH_2010),
)
def clustering(
    scores: npt.ArrayLike, groupings: Mapping[str, Sequence[object]], *, draws: int = 1999, seed: int = 0
) -> Clustering | None:
    r"""Test whether data sets of one group (one source, one domain) have differences between methods that are alike.

    Null hypothesis: data sets of one group have no more alike differences between methods than any others. If they
    have, they are not independent, and there are fewer independent data sets than rows.

    ``scores`` has data sets in rows and methods in columns; ``groupings`` has for each name the group of each data set.
    The profile :math:`x_i` of a data set holds its scores minus their mean. Each column of the profiles is centred,
    divided by its standard deviation, and cut off at ±3. The statistic of a grouping is the sum of products over all
    pairs within groups (Mantel's statistic), standardised by its mean and standard deviation under random permutations
    of the data sets:

    .. math:: T = \sum_{i < j \text{ of one group}} x_i \cdot x_j, \qquad z = \frac{T - \bar T^*}{s(T^*)}.

    The grouping with the largest z is reported. The same ``draws`` permutations give the largest z of all groupings by
    chance, and :math:`p = (1 + \text{as large}) / (1 + \text{drawn})`. The correlation within groups is

    .. math:: \hat\rho = \frac{c_{\text{in}} - c_{\text{out}}}{c_{\text{own}} - c_{\text{out}}},

    with the mean products of two profiles of one group, of two groups, and of each profile with itself.

    Columns that are all equal are left out; a missing group is a group of one, and groups of one have no pairs. A
    grouping without pairs, or with one group for all, can't be tried. If none can, the result is None.

    References: Mantel (1967), Cancer Research 27:209-220; Phipson & Smyth (2010), doi:10.2202/1544-6115.1585.

    >>> scores = [[9, 5, 1], [8, 5, 2], [9, 6, 2], [1, 5, 9], [2, 6, 8], [1, 6, 9], [5, 1, 6], [4, 1, 5], [5, 2, 5]]
    >>> groups = {"source": ["uci"] * 3 + ["web"] * 3 + ["own"] * 3, "size": list("sml") * 3}
    >>> found = clustering(scores, groups)
    >>> found.grouping, found.correlation, found.p_value < 0.05
    ('source', 0.9683, True)
    """
    random = random_draws(draws, seed)
    x = score_table(scores).scores
    profiles, n = _profiles(x), len(x)
    grouped = {name: _members(labels) for name, labels in _by_name("groupings", groupings, n).items()}
    grouped = {name: found for name, found in grouped.items() if len(found[0]) and found[1][0] < n}
    if not grouped or not profiles.shape[1]:
        return None
    own = (profiles**2).sum(axis=1)
    observed = np.array([_within(profiles[None], own[None], *members)[0] for members in grouped.values()])
    drawn = np.concatenate(
        [
            np.column_stack([_within(profiles[places], own[places], *members) for members in grouped.values()])
            for places in _permutations(random, n, draws, profiles.size)
        ]
    )
    mean, deviation = drawn.mean(axis=0), drawn.std(axis=0)
    varies = deviation > EQUAL * own.sum()
    if not varies.any():
        return None
    z, by_chance = ((t[..., varies] - mean[varies]) / deviation[varies] for t in (observed, drawn))
    best = int(z.argmax())
    extreme = int((by_chance.max(axis=1) >= z[best] - EQUAL).sum())
    name = [name for name, used in zip(grouped, varies, strict=True) if used][best]
    pairs = float((grouped[name][1] * (grouped[name][1] - 1) / 2).sum())
    inside = float(observed[varies][best])
    total = (float((profiles.sum(axis=0) ** 2).sum()) - float(own.sum())) / 2
    outside = (total - inside) / (n * (n - 1) / 2 - pairs)
    return Clustering(
        grouping=name,
        correlation=(inside / pairs - outside) / (float(own.mean()) - outside),
        z=float(z[best]),
        p_value=(1 + extreme) / (1 + draws),
    )


def _profiles(scores: FloatArray) -> FloatArray:
    """The differences of each row from its mean, studentised over rows and cut off; without columns that are equal."""
    unit = float(np.abs(scores).max()) or 1.0
    centred = scores / unit - (scores / unit).mean(axis=1, keepdims=True)
    centred -= centred.mean(axis=0)
    deviation = centred.std(axis=0)
    varies = deviation > EQUAL
    return np.asarray(np.clip(centred[:, varies] / deviation[varies], -CLIPPED, CLIPPED))


def _members(labels: list[Any]) -> tuple[IntArray, IntArray]:
    """The rows of all groups of two or more, group by group, and the sizes of these groups, the largest first."""
    groups: dict[object, list[int]] = {}
    for i, label in enumerate(labels):
        if not _is_missing(label):
            groups.setdefault(label, []).append(i)
    several = sorted((rows for rows in groups.values() if len(rows) > 1), key=len, reverse=True)
    return (
        np.array([i for rows in several for i in rows], dtype=np.int64),
        np.array([len(rows) for rows in several], dtype=np.int64),
    )


def _within(profiles: FloatArray, own: FloatArray, rows: IntArray, sizes: IntArray) -> FloatArray:
    """The sum of products over pairs within groups, for many orders: half of the squared sums without own squares."""
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    sums = np.add.reduceat(profiles[:, rows], starts, axis=1)
    return np.asarray(((sums**2).sum(axis=(1, 2)) - own[:, rows].sum(axis=1)) / 2)
