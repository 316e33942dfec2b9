"""Arrays of scores: checked, rounded and ranked in one place.

Binary fractions break ties that exist on paper: ``0.3 - 0.2`` is a little less than ``0.8 - 0.7``. So scores are
rounded before they are ranked or compared for equality. The rule is the section "Rounding before ranking" of
docs/statistics.md; :func:`differences`, :func:`whole_values` and :class:`ScoreTable` carry it out. Rounded scores are
kept as whole numbers, so that everything computed from them (ties, Walsh averages, bounds of an interval) is exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures.channel_checks import same_index
from fairtrial.words import listed, part_of, verb

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

DIGITS = 12
"""The number of significant digits that scores are rounded to before they are ranked."""

MORE_DIGITS = 6  # a common unit of 12 + 6 digits of the largest score: sums of two such numbers fit into 64 bits
MOST_DRAWS = 10**9
LARGEST_EXACT_POWER = 22  # 10.0**22 is the last power of ten that a double holds exactly


def index_list(indices: list[int]) -> str:
    """Indices in words, for messages about entries of an array.

    >>> index_list([1]), index_list([0, 2])
    ('index 1', 'indices 0 and 2')
    """
    return f"{verb(len(indices), 'index', 'indices')} {listed(indices)}"


def sample(values: npt.ArrayLike, name: str = "values") -> FloatArray:
    """Check one list of finite numbers, and return it as an array."""
    array = numbers(values, name)
    if array.ndim != 1 or array.size == 0:
        raise InputError(f"{name} must be a list of at least one number, got an array of shape {array.shape}")
    bad = np.flatnonzero(~np.isfinite(array)).tolist()
    if bad:
        raise InputError(
            f"{name} must be finite, but {part_of(len(bad), array.size, 'entry', 'entries')} "
            f"{verb(len(bad), 'is', 'are')} not ({index_list(bad)}); leave such entries out or find out why"
        )
    return array


def paired_scores(a: npt.ArrayLike, b: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Check two lists of scores over the same data sets (or folds) in the same order, and return them as arrays."""
    first, second = numbers(a, "a"), numbers(b, "b")
    if first.ndim != 1 or second.ndim != 1:
        raise InputError(f"a and b must be lists of scores, got arrays of shapes {first.shape} and {second.shape}")
    if len(first) != len(second):
        raise InputError(f"a and b must be of one length, got {len(first)} and {len(second)}")
    if len(first) == 0:
        raise InputError("a and b must hold at least one pair of scores, got none")
    same_index({"a": a, "b": b})
    bad = np.flatnonzero(~(np.isfinite(first) & np.isfinite(second))).tolist()
    if bad:
        raise InputError(
            f"a and b must be finite, but {part_of(len(bad), len(first), 'pair')} "
            f"{verb(len(bad), 'is', 'are')} not ({index_list(bad)}); "
            "choose a failure policy or leave those data sets out"
        )
    return first, second


@dataclass(frozen=True, slots=True)
class Differences:
    """Paired differences, rounded, as whole multiples of one unit.

    >>> d = differences(np.array([0.768, 0.931]), np.array([0.763, 0.936]))
    >>> d.whole.tolist(), d.value(d.whole[0])
    ([5000000000, -5000000000], 0.005)
    """

    whole: IntArray
    exponent: int

    def value(self, whole: float) -> float:
        """The difference of scores that is this number of units."""
        return float(self._in_scores(np.asarray(whole, dtype=np.float64)))

    def values(self) -> FloatArray:
        """All differences, in the unit of the scores."""
        return self._in_scores(self.whole.astype(np.float64))

    def _in_scores(self, whole: FloatArray) -> FloatArray:
        power = DIGITS - 1 - self.exponent
        if 0 <= power <= LARGEST_EXACT_POWER:
            return np.asarray(whole / 10.0**power)
        return np.asarray(whole / 10.0 ** (DIGITS - 1) * 10.0**self.exponent)


def differences(a: FloatArray, b: FloatArray) -> Differences:
    """The paired differences ``a - b``, each rounded to 12 significant digits of the larger score of its own pair.

    Rounding by the own pair keeps one huge score from making ties among small ones. All differences are stored in one
    unit, the finest that a pair needs, but at most 18 digits below the largest score, since whole numbers of 64 bits
    hold no more. A difference that is smaller than this unit counts as one unit: the two scores are not equal.
    """
    own = np.where((a == 0) & (b == 0), NO_SCORE, _exponents(np.column_stack([a, b])))
    whole, exponent = _differences_in_rows(a[None], b[None], own[None])
    return Differences(whole[0], int(exponent[0]))


@dataclass(frozen=True, slots=True, eq=False)
class PairDifferences:
    """The differences of all pairs of ``k`` methods, a pair in each row, in the order of all lists of pairs.

    Each row has a unit of its own, with its ``exponents``, as :class:`Differences` have it.
    """

    whole: IntArray
    exponents: IntArray
    k: int

    def with_method(self, i: int) -> tuple[IntArray, IntArray]:
        """The rows of a method's pairs with the others, in their order, and the sign that makes them its own leads."""
        j = np.delete(np.arange(self.k), i)
        low, high = np.minimum(i, j), np.maximum(i, j)
        return low * (2 * self.k - low - 1) // 2 + high - low - 1, np.where(j > i, 1, -1)

    def in_scores(self, whole: FloatArray, rows: IntArray | slice = slice(None)) -> FloatArray:
        """Numbers of units of some rows, one for each, as differences of scores."""
        exponents = self.exponents[rows]
        power = DIGITS - 1 - exponents
        exact = (power >= 0) & (power <= LARGEST_EXACT_POWER)
        coarse = whole / TENS[DIGITS - 1 + TENTH] * TENS[exponents + TENTH]
        return np.asarray(np.where(exact, whole / TENS[np.where(exact, power, 0) + TENTH], coarse))


TENTH = 323  # the place of 10⁰ among the powers of ten
TENS = np.array([10.0**power for power in range(-TENTH, 309)])
ROWS_OF = 2**17  # differences that are looked at together, while they are near the processor
NO_SCORE = -(10**6)  # the exponent of 0


def pair_differences(columns: FloatArray) -> PairDifferences:
    """The :func:`differences` of all pairs of methods (rows of ``columns``).

    >>> pair_differences(np.array([[0.9, 0.5], [0.8, 0.5], [0.7, 0.1]])).whole // 10**10
    array([[10,  0],
           [20, 40],
           [10, 40]])
    """
    k, n = columns.shape
    first, second = np.triu_indices(k, 1)
    own = np.where(columns == 0, NO_SCORE, _exponents(np.abs(columns).reshape(-1, 1)).reshape(k, n))
    whole, exponents = np.empty((len(first), n), dtype=np.int64), np.empty(len(first), dtype=np.int64)
    for rows in blocks_of_rows(len(first), n):
        i, j = first[rows], second[rows]
        whole[rows], exponents[rows] = _differences_in_rows(columns[i], columns[j], np.maximum(own[i], own[j]))
    return PairDifferences(whole, exponents, k)


def blocks_of_rows(rows: int, width: int) -> Iterator[slice]:
    """Blocks of rows that are near the processor together."""
    size = max(ROWS_OF // max(width, 1), 1)
    return (slice(start, start + size) for start in range(0, rows, size))


def _differences_in_rows(a: FloatArray, b: FloatArray, own: IntArray) -> tuple[IntArray, IntArray]:
    """The rounded differences, in each row as whole multiples of one unit, and the exponents of these.

    ``own`` is the exponent of the larger score of each pair of scores, NO_SCORE where both are 0.
    """
    largest = own.max(axis=1)
    own = np.where(own == NO_SCORE, np.where(largest == NO_SCORE, 0, largest)[:, None], own)
    least, most = own.min(axis=1), own.max(axis=1)
    unit = 10.0 ** (own[:, :1] if (least == most).all() else own)
    rounded = np.rint((a / unit - b / unit) * 10.0 ** (DIGITS - 1))
    if (least == most).all():
        return rounded.astype(np.int64), least
    # scores of opposite signs are up to twice as far apart, which leaves room for one digit less
    opposite = (np.abs(rounded) > 10.0**DIGITS).any(axis=1)
    exponent = np.maximum(least, most - MORE_DIGITS + opposite)
    up, down = np.maximum(own - exponent[:, None], 0), np.clip(exponent[:, None] - own, 0, 2 * DIGITS)
    coarse = np.where(down > 0, np.rint(rounded / 10.0**down), rounded)
    coarse = np.where(coarse == 0, np.sign(rounded), coarse)
    return coarse.astype(np.int64) * 10**up, exponent


def whole_values(values: FloatArray) -> FloatArray:
    """Values of independent samples as whole numbers, rounded to 12 significant digits of the largest of all.

    >>> whole_values(np.array([0.3 - 0.2, 0.1])).tolist()
    [100000000000.0, 100000000000.0]
    """
    largest = float(np.abs(values).max()) or 1.0
    if largest < 1e-200:
        return whole_values(values * 1e100)  # smaller powers of ten do not have full precision
    unit = 10.0 ** math.floor(math.log10(largest))
    return np.asarray(np.rint(values / unit * 10.0 ** (DIGITS - 1)))


def doubled_midranks(values: npt.NDArray[np.generic]) -> IntArray:
    """Twice the rank of each value, the smallest first; equal values share the mean of their ranks.

    >>> doubled_midranks(np.array([30, 10, 20, 20])).tolist()
    [8, 2, 5, 5]
    """
    ordered = np.sort(values)
    return np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right") + 1


def doubled_ranks_in_rows(values: npt.NDArray[np.generic]) -> IntArray:
    """:func:`doubled_midranks` of each row, for all rows at once: tied values get the middle of their positions."""
    order = values.argsort(axis=1)
    below, up_to = tied_places(np.take_along_axis(values, order, axis=1))
    doubled = np.empty(values.shape, dtype=np.int64)
    np.put_along_axis(doubled, order, below + up_to + 1, axis=1)
    return doubled


def tied_places(ordered: npt.NDArray[np.generic]) -> tuple[IntArray, IntArray]:
    """How many values of their row are smaller, and how many are at most as large; rows are ascending.

    >>> [places.tolist() for places in tied_places(np.array([[1, 5, 5, 9]]))]
    [[[0, 1, 1, 3]], [[1, 3, 3, 4]]]
    """
    places = np.arange(ordered.shape[1])
    starts, ends = np.ones(ordered.shape, dtype=np.bool_), np.ones(ordered.shape, dtype=np.bool_)
    starts[:, 1:] = ends[:, :-1] = ordered[:, 1:] != ordered[:, :-1]
    if starts.all():
        return np.broadcast_to(places, ordered.shape), np.broadcast_to(places + 1, ordered.shape)
    first = np.maximum.accumulate(np.where(starts, places, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, places, places[-1])[:, ::-1], axis=1)[:, ::-1]
    return first, last + 1


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Scores of several methods (columns) on the same data sets (rows)."""

    scores: FloatArray
    names: tuple[str, ...]

    @property
    def n(self) -> int:
        return int(self.scores.shape[0])

    @property
    def k(self) -> int:
        return int(self.scores.shape[1])

    def doubled_ranks(self, *, higher_is_better: bool) -> IntArray:
        """Twice the rank of each method on each data set; rank 1 is the best, tied methods share the mean rank.

        Each row is rounded to 12 significant digits of its own largest score, since data sets may differ in scale.
        """
        unit = 10.0 ** _exponents(self.scores)[:, None]
        whole = np.rint(self.scores / unit * 10.0 ** (DIGITS - 1))
        return doubled_ranks_in_rows(-whole if higher_is_better else whole)

    def whole(self) -> IntArray:
        """The scores as whole multiples of one unit, each row rounded to 12 digits of its own largest score.

        The unit is the finest that a row needs, but at most 15 digits below the largest score of the table, so that
        sums over a row fit into 64 bits.
        """
        own = _exponents(self.scores)
        unit = int(max(own.min(), own.max() - 3))
        rounded = np.rint(self.scores / 10.0 ** own[:, None] * 10.0 ** (DIGITS - 1))
        down = np.clip(unit - own, 0, 2 * DIGITS)[:, None]
        whole = np.where(down > 0, np.rint(rounded / 10.0**down), rounded).astype(np.int64)
        return cast(IntArray, whole * 10 ** np.maximum(own - unit, 0)[:, None])


def score_table(table: npt.ArrayLike, names: Sequence[str] | None = None) -> ScoreTable:
    """Check a table of scores: a 2-D array or DataFrame with data sets in rows and methods in columns.

    >>> score_table([[0.9, 0.8], [0.7, 0.6]], names=["forest", "bayes"]).names
    ('forest', 'bayes')
    """
    scores = numbers(table, "table")
    if scores.ndim != 2 or min(scores.shape) < 2:
        raise InputError(
            f"table must have at least 2 data sets (rows) and 2 methods (columns), got an array of shape {scores.shape}"
        )
    missing = ~np.isfinite(scores)
    if missing.any():
        rows = np.flatnonzero(missing.any(axis=1)).tolist()
        raise InputError(
            f"table must be finite, but {part_of(int(missing.sum()), missing.size, 'score')} "
            f"{verb(int(missing.sum()), 'is', 'are')} not ({verb(len(rows), 'row', 'rows')} {listed(rows)}); "
            "choose a failure policy or leave those data sets out"
        )
    return ScoreTable(scores, method_names(names, getattr(table, "columns", range(scores.shape[1]))))


def method_names(names: Iterable[object] | None, columns: Iterable[object], argument: str = "names") -> tuple[str, ...]:
    """The given names of the methods, or else those of the columns; one for each column, all different."""
    own = [str(c) for c in columns]
    try:
        found = own if names is None else [str(name) for name in names]
    except TypeError:
        raise InputError(f"{argument} must be a list of {len(own)} names, one for each column, got {names!r}") from None
    if len(found) != len(own) or len(set(found)) != len(found):
        raise InputError(f"{argument} must be {len(own)} different names, one for each column, got {found!r}")
    return tuple(found)


def which_column(control: str | int, names: tuple[str, ...]) -> int:
    """The position of the control among the methods, from its name or its number."""
    if isinstance(control, str):
        if control not in names:
            raise UnknownName.among("method", control, names)
        return names.index(control)
    if isinstance(control, bool) or not isinstance(control, Integral) or not 0 <= control < len(names):
        raise InputError(
            f"control must be the name of a method or its number from 0 to {len(names) - 1}, got {control!r}"
        )
    return int(control)


def random_draws(draws: int, seed: int, least: int = 1) -> np.random.Generator:
    """Check the number of random draws and the seed, and return the random generator."""
    if isinstance(draws, bool) or not isinstance(draws, Integral) or draws < least:
        raise InputError(f"draws must be a whole number of at least {least}, got {draws!r}")
    if draws > MOST_DRAWS:
        raise InputError(f"draws must be at most {MOST_DRAWS:,}, got more")
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise InputError(f"seed must be a whole number of at least 0, got {seed!r}")
    return np.random.default_rng(int(seed))


def numbers(values: object, name: str) -> FloatArray:
    """Convert values to an array of floats.

    Missing values (``None``, masked entries) become nan. Text and dates are refused, even text that looks like numbers.
    """
    try:
        if isinstance(values, np.ma.MaskedArray):
            values = np.where(np.ma.getmaskarray(values), np.nan, values.data)
        found = np.asarray(values)
        if found.dtype.kind == "O":
            found = np.array([_number(x) for x in found.flat], dtype=np.float64).reshape(found.shape)
        elif found.dtype.kind not in "biuf":
            raise TypeError(f"its type is {found.dtype}")
    except OverflowError:
        raise InputError(f"{name} must hold numbers up to 1.8e308, but one is larger; change the unit") from None
    except (TypeError, ValueError, ArithmeticError) as error:
        raise InputError(
            f"{name} must hold numbers only, but {error}; put names of data sets into the index of a DataFrame"
        ) from None
    return found.astype(np.float64, copy=False)


def _number(value: Any) -> float:
    if isinstance(value, str | bytes):
        raise TypeError(f"{value!r} is text")
    return (
        math.nan if value is None or type(value).__name__ == "NAType" else float(value)
    )  # NAType is that of pandas.NA


def _exponents(rows: FloatArray) -> IntArray:
    """The decimal exponent of the largest score of each row."""
    largest = np.abs(rows).max(axis=1)
    largest[largest == 0] = 1.0
    largest = np.maximum(largest, 1e-300)  # smaller powers of ten do not have full precision
    return cast(IntArray, np.floor(np.log10(largest)).astype(np.int64))


def unit_of(*values: FloatArray) -> float:
    """A power of two near the largest absolute value: in this unit squares neither overflow nor underflow.

    Dividing by a power of two rounds nothing.

    >>> unit_of(np.array([3.0, -5.0])), unit_of(np.array([1e300])) > 1e299
    (8.0, True)
    """
    largest = max(float(np.abs(v).max()) for v in values)
    return 2.0 ** min(max(math.frexp(largest)[1], -1000), 1000)
