"""The target: whether it has labels or numbers, and which class is positive."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fairtrial.data.number_spellings import is_number
from fairtrial.errors import InputError
from fairtrial.notices import Notice
from fairtrial.words import quoted, shown

if TYPE_CHECKING:
    from fairtrial.data.dataset import AnyArray, FloatArray, Label, Task

FEW = 20
DEFAULT_TARGETS = ("target", "class", "y")
POSITIVE = "positive class"
SMALLEST, LARGEST = np.iinfo(np.int64).min, np.iinfo(np.int64).max
EXACT = 2.0**53  # whole numbers from here on are not told apart by floats


def is_missing(values: AnyArray) -> npt.NDArray[np.bool_]:
    """Which entries are nan or None."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind in "mM":
        return np.isnat(values)
    if values.dtype.kind == "O":
        return np.array([v is None or v != v for v in values], dtype=bool)
    return np.zeros(values.shape, dtype=bool)


def narrow(values: AnyArray) -> AnyArray:
    """Python objects (none missing) as bool, int64, float64 or text; other types as text.

    >>> narrow(np.array([1, 2], dtype=object)).dtype.kind, narrow(np.array(["a", 2], dtype=object)).tolist()
    ('i', ['a', '2'])
    """
    if values.dtype.kind in "iu":
        return values.astype(np.int64) if _fit(values) else values.astype(str)
    if values.dtype.kind == "f":
        return values.astype(np.float64)
    if values.dtype.kind in "bU":
        return values
    kinds = {type(v) for v in values}
    if kinds <= {bool, np.bool_}:
        return values.astype(bool)
    if all(issubclass(k, (int, np.integer)) and k is not bool for k in kinds):
        return values.astype(np.int64) if _fit(values) else np.array([str(v) for v in values])
    if all(issubclass(k, (int, float, np.integer, np.floating)) and k is not bool for k in kinds):
        try:
            return values.astype(np.float64)
        except OverflowError:  # a whole number beyond the largest float
            return np.array([str(v) for v in values])
    return np.array([str(v) for v in values])


def _fit(whole: AnyArray) -> bool:
    """Whether whole numbers fit into 64 bits with a sign."""
    return bool(whole.size == 0 or (whole.min() >= SMALLEST and whole.max() <= LARGEST))


def guess_task(values: AnyArray) -> tuple[Task, Notice | None]:
    """Whether the target has classes or values, and a note for the user if it was a guess.

    Text and bools are classes. Whole numbers are classes if they have at most 20 distinct values, and not more than the
    square root of the number of rows (two values are always allowed). All other numbers are values.

    >>> task, note = guess_task(np.array([0, 1, 2] * 20))
    >>> print(note.text)
    task: classes, guessed: 3 distinct whole numbers in the target (if quantities, say task='values')
    >>> guess_task(np.arange(60.0))[0], guess_task(np.array(["a", "b"]))
    ('values', ('classes', None))
    """
    if values.dtype.kind in "bU":
        return "classes", None
    distinct = np.unique(values)
    whole = bool(np.all(np.trunc(distinct) == distinct))
    few = whole and distinct.size <= min(FEW, max(2.0, math.sqrt(values.size)))
    task: Task = "classes" if few else "values"
    kind = "whole numbers" if whole else "numbers"
    otherwise = "if quantities, say task='values'" if few else "if labels, say task='classes'"
    sentence = f"task: {task}, guessed: {distinct.size} distinct {kind} in the target ({otherwise})"
    return task, Notice(sentence, "note", "task", {"distinct": distinct.size})


def as_labels(values: AnyArray, where: str) -> AnyArray:
    """The original labels: text, int64 or bool; floats that are whole become int64."""
    if values.dtype.kind != "f":
        return values
    whole = np.isfinite(values) & (np.trunc(values) == values)
    if not whole.all():
        odd = values[~whole][:3].tolist()
        raise InputError(
            f"the class labels of {where!r} must be text, whole numbers or bools, got {quoted(odd)}; "
            "say task='values', or cut the target into classes first"
        )
    if (np.abs(values) >= EXACT).any():
        raise InputError(
            f"the class labels of {where!r} must be whole numbers below 2^53 or text, got {np.abs(values).max():g}, "
            "which is a float that can't be told from its neighbours; give labels as text, or say task='values'"
        )
    return values.astype(np.int64)


def as_numbers(values: AnyArray, what: str, where: str) -> FloatArray:
    """Numbers as float64; text is refused."""
    if values.dtype.kind == "U":
        odd = next((text for text in values.tolist() if not is_number(text)), values.tolist()[0])
        raise InputError(f"the {what} of {where!r} must be numbers, got text such as {odd!r}")
    return values.astype(np.float64)


def choose_positive(
    labels: AnyArray, classes: Sequence[Label], declared: object, where: str
) -> tuple[Label | None, Notice | None]:
    """The positive class of two: the declared one (``"1"`` also finds 1), or the rarer (or the later), with a note.

    >>> positive, note = choose_positive(np.array(["no", "no", "yes"]), ("no", "yes"), None, "churn")
    >>> print(note.text)
    positive class: 'yes', the rarer of the two (none was declared)
    """
    if len(classes) != 2:
        if declared is None:
            return None, None
        raise InputError(
            f"positive must be left out unless there are two classes; {where!r} has {len(classes)}, got "
            f"{shown(declared)}"
        )
    if declared is not None:
        if not np.isscalar(declared):
            raise InputError(f"positive must be a class of {where!r}, got {shown(declared)}")
        found: list[Label] = [c for c in classes if c == declared and type(c) is type(declared)]
        found += [c for c in classes if str(c) == str(declared)]
        if not found:
            raise InputError(
                f"positive must be one of the classes {quoted(classes)} of {where!r}, got {shown(declared)}"
            )
        return found[0], None
    first, second = classes
    ones = int((labels == first).sum())
    chosen = first if 2 * ones < labels.size else second
    why = "the later of two equally frequent" if 2 * ones == labels.size else "the rarer of the two"
    share = float((labels == chosen).mean())
    return chosen, Notice(
        f"{POSITIVE}: {chosen!r}, {why} (none was declared)", "note", POSITIVE, {"class": str(chosen), "share": share}
    )
