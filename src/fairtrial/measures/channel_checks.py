"""Checks of arrays that all measures share: one length, numbers, nothing missing, valid class labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairtrial.errors import InputError
from fairtrial.measures.fold_axis import FloatArray, IntArray
from fairtrial.words import listed, quoted, shown, verb

T = TypeVar("T")
Labels = NDArray[np.generic]
Classes: TypeAlias = ArrayLike | Sequence[object] | None
"""All classes in their order; None stands for the labels that occur, sorted."""

LARGEST = 1e150  # the sum of the squares of many such numbers is still finite


def is_number(value: object) -> bool:
    """Whether a value is a single real number that numpy can compute with; text, Fractions and 10**400 are not."""
    return isinstance(value, (float, np.floating)) or (
        isinstance(value, (int, np.integer)) and abs(int(value)) < 2**1000
    )


def check_kind(name: str, value: object, kinds: type | tuple[type, ...], must: str) -> None:
    """Refuse an argument of another class, with the words that say what it must be."""
    if not isinstance(value, kinds):
        raise InputError(f"{name} must be {must}, got {_start(value)}")


def list_of(name: str, values: Iterable[T], must: str) -> list[T]:
    """The entries of an argument that must be a list; a single text is not."""
    if isinstance(values, str) or not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0:
        raise InputError(f"{name} must be a list of {must}, got {_start(values)}")
    return list(values)


def one_length(arrays: Mapping[str, ArrayLike | None]) -> None:
    """Refuse arrays that are empty, or not all of the same length."""
    same_rows(arrays)
    first = next(iter(arrays))
    needed = {name: () if a is None else a for name, a in arrays.items() if a is not None or name == first}
    (_, n), *others = [(name, _length(name, a)) for name, a in needed.items()]
    if n == 0:
        raise InputError(f"{first} must be a sequence with at least one instance, got an empty one or a single value")
    for name, m in others:
        if m != n:
            raise InputError(f"{first} and {name} must be of one length, got {n} and {m}")


def same_rows(arrays: Mapping[str, Any]) -> None:
    """Refuse masked entries, and indexes that differ: numpy would ignore masks, and match rows by position."""
    same_index(arrays)
    for name, a in arrays.items():
        if isinstance(a, np.ma.MaskedArray) and (masked := np.ma.getmaskarray(a)).any():
            raise InputError(
                f"{name} must have a value in every row, but {rows(masked)} masked; leave such rows out of all arrays"
            )


def same_index(arrays: Mapping[str, Any]) -> None:
    """Refuse pandas objects of the same length whose indexes differ."""
    (first, given), *others = [(name, a) for name, a in arrays.items() if hasattr(a, "iloc")] or [("", None)]
    for name, other in others:
        if len(other) == len(given) and not other.index.equals(given.index):
            raise InputError(
                f"{first} and {name} must have the same index, in the same order, got two that differ; align them first"
            )


def _length(name: str, values: ArrayLike) -> int:
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError(f"{name} must be a sequence of single values, got rows of unequal length") from None
    return len(array) if array.ndim else 0


def numbers(name: str, values: ArrayLike, *, infinite: bool = False) -> FloatArray:
    """Convert to float64; refuse nan, and infinities unless they are allowed, and name their rows."""
    try:
        if hasattr(values, "dtype") and np.iscomplexobj(values):
            raise TypeError  # numpy would only warn, and drop the imaginary part
        array = np.asarray(values, dtype=float)
    except OverflowError:
        raise InputError(f"{name} must be numbers up to 1.8e308, but one is larger; change the unit") from None
    except (TypeError, ValueError, ArithmeticError):
        raise InputError(f"{name} must be numbers, got {_start(values)}") from None
    bad = np.isnan(array) if infinite else ~np.isfinite(array)
    if bad.any() and array.ndim == 0:
        raise InputError(f"{name} must be a {'number' if infinite else 'finite number'}, got {values!r}")
    if bad.any():
        raise InputError(f"{name} must be {'numbers' if infinite else 'finite'}, but {rows(bad)} not")
    return array


def _start(values: object) -> str:
    shown = repr(values)
    return shown if len(shown) <= 80 else shown[:77] + "…"


def weights_of(weights: ArrayLike | None) -> FloatArray | None:
    """Check the weights of instances: one per instance, finite, not negative."""
    if weights is None:
        return None
    array = numbers("weights", weights)
    if array.ndim != 1:
        raise InputError(f"weights must be one number per instance, got an array of shape {array.shape}")
    if (array < 0).any():
        raise InputError(f"weights must not be negative, but {rows(array < 0)}")
    largest = array.max(initial=0.0)
    return (
        array if largest == 0 or 1e-100 < largest < 1e100 else array / largest
    )  # products of extreme weights would overflow


def check_squares(name: str, values: FloatArray) -> None:
    """Refuse numbers whose squares can't be summed: a single one would make a measure undefined for all instances."""
    vast = np.abs(values) > LARGEST
    if vast.any():
        raise InputError(
            f"{name} must give numbers up to {LARGEST:g}, whose squares are finite, but {rows(vast)} larger"
        )


def codes_of(name: str, values: ArrayLike, n_classes: int, *, lowest: int = 0) -> NDArray[np.integer[Any]]:
    """Check class codes, whole numbers from ``lowest`` to ``n_classes − 1``, and keep their dtype."""
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "iub":
        raise InputError(f"{name} must be a list of class codes (whole numbers), got {array!r}")
    if len(array) and (array.min() < lowest or array.max() >= n_classes):
        outside = (array < lowest) | (array >= n_classes)
        raise InputError(f"{name} must hold class codes from {lowest} to {n_classes - 1}, but {rows(outside)} not")
    return array.view(np.uint8) if array.dtype.kind == "b" else array


def labels(name: str, values: ArrayLike) -> Labels:
    """Check class labels: an array of numbers or of text, none missing."""
    try:
        array = np.asarray(values)
    except ValueError as error:  # rows of unequal length
        raise InputError(f"{name} must be a list of class labels, got {shown(values)}") from error
    if array.ndim != 1:
        raise InputError(f"{name} must be a list of class labels, got an array of shape {array.shape}")
    if array.dtype.kind == "O":
        array = _from_objects(name, array)
    if array.dtype.kind in "Vc":
        raise InputError(f"{name} must be class labels, numbers or text, got values of type {array.dtype}")
    if array.dtype.kind == "f":
        _refuse_fractions(name, array)
    return array.astype(np.intp) if array.dtype.kind == "b" else array


def encode(truth: Labels, predicted: Labels | None, classes: Classes) -> tuple[Labels, list[IntArray]]:
    """Find the classes and the codes of truth and predictions; −1 for a prediction that is none of the classes.

    Without ``classes``, the classes are all labels that occur, sorted. If no other labels than 0 and 1 occur, the
    classes are 0 and 1.
    """
    given = [truth] if predicted is None else [truth, predicted]
    known = _distinct(given) if classes is None else labels("classes", cast(ArrayLike, classes))
    _check_kinds(*given, known)
    codes = [_code(a, known) for a in given]
    if (codes[0] < 0).any():
        raise InputError(f"truth must hold only the classes {quoted(known.tolist())}, but {rows(codes[0] < 0)} not")
    return known, codes


def position(positive: object, known: Labels) -> int | None:
    """The code of the positive class."""
    if positive is None:
        return None
    single = isinstance(positive, str | bytes | int | float | np.generic)
    where = np.flatnonzero(known == positive).tolist() if single else []
    if not where:
        raise InputError(f"positive must be one of the classes {quoted(known.tolist())}, got {positive!r}")
    return where[0]


def rows(bad: NDArray[np.bool_]) -> str:
    """The rows that an error is about, with their verb: "row 3 is", "rows 3 and 5 are"."""
    where = np.flatnonzero(bad if bad.ndim < 2 else bad.any(axis=1))
    return f"{verb(len(where), 'row', 'rows')} {listed(where)} {verb(len(where), 'is', 'are')}"


def is_missing(label: object) -> bool:
    """Whether a label is None, nan, or one of pandas' missing values."""
    not_a_number = isinstance(label, float) and label != label
    return label is None or not_a_number or type(label).__name__ in ("NAType", "NaTType")


def _from_objects(name: str, array: NDArray[np.object_]) -> Labels:
    missing = np.array([is_missing(x) for x in array], dtype=bool)
    if missing.any():
        raise InputError(f"{name} must have a label in every row, but {rows(missing)} missing")
    if len({isinstance(x, str) for x in array}) > 1:
        raise InputError(f"{name} must be labels of one kind, got both numbers and text")
    try:
        plain = np.array(array.tolist())
    except ValueError:  # lists inside
        raise InputError(f"{name} must be a sequence of single values, got {_start(array.tolist())}") from None
    if plain.ndim != 1:
        raise InputError(f"{name} must be a sequence of single values, got {_start(array.tolist())}")
    return plain if plain.dtype.kind in "biufUS" else plain.astype(str)


def _refuse_fractions(name: str, array: Labels) -> None:
    values = numbers(name, array)
    fractions = values != np.floor(values)
    if fractions.any():
        raise InputError(
            f"{name} must be class labels, but {rows(fractions)} fractional; use auc for scores, "
            "brier or log_loss for probabilities, rmse or mae for numbers"
        )


def _check_kinds(*arrays: Labels) -> None:
    if len({a.dtype.kind in "US" for a in arrays}) > 1:
        raise InputError("truth, predicted and classes must be labels of one kind, got numbers and text")


def _distinct(given: list[Labels]) -> Labels:
    _check_kinds(*given)
    seen = np.unique(np.concatenate([np.unique(a) for a in given]))
    zero_one = seen.dtype.kind in "iuf" and np.isin(seen, (0, 1)).all()
    return np.array([0, 1]) if zero_one else seen


def _code(array: Labels, known: Labels) -> IntArray:
    order = np.argsort(known, kind="stable")
    place = np.searchsorted(known, array, sorter=order).clip(max=len(known) - 1)
    found: IntArray = order[place]
    return np.where(known[found] == array, found, -1)
