"""The truth of a table of predictions: its classes, which of two is the positive one, or its values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError, UnknownName
from fairtrial.notices import Note

if TYPE_CHECKING:
    import pandas as pd

POSITIVE_CLASS = "positive class"  # what a note is about, which matters only to measures that look at one class
CODED = (("0", "1"), ("-1", "1"), ("False", "True"))


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The truth as class numbers (or values), the classes, which of two is positive, and what was decided."""

    truth: NDArray[Any]
    classes: tuple[str, ...] = ()
    positive: int | None = None
    notes: tuple[str, ...] = ()


def classes_of(column: pd.Series, positive: object, dataset: str, ranked: bool) -> Truth:
    """A truth of classes; ``ranked``: some method gives numbers instead of labels, so the positive class matters."""
    import pandas as pd

    codes, classes = labels_of(column), tuple(sorted(set(labels_of(column))))
    truth = np.searchsorted(np.asarray(classes), np.asarray(codes)).astype(np.int64)
    if len(classes) < 2:
        raise InputError(f"the truth must have at least two classes, but all of {dataset!r} are {classes[0]!r}")
    if len(classes) > 2:
        numeric = pd.api.types.is_numeric_dtype(column)
        note = (
            f"{dataset}: the {len(classes)} whole numbers of the truth are taken as classes (measure='rmse' for values)"
        )
        return Truth(truth, classes, None, (note,) if numeric else ())
    if positive is not None:
        if label_text(positive) not in classes:
            raise UnknownName.among("class (given as positive)", str(positive), classes)
        return Truth(truth, classes, classes.index(label_text(positive)))
    if ranked:
        if classes not in CODED:
            raise InputError(
                f"the numbers predicted for {dataset!r} must be for one class, but the class is unknown; "
                f"say positive={classes[1]!r} or positive={classes[0]!r} (--positive)"
            )
        return Truth(truth, classes, 1, (_positive(f"{dataset}: positive class: {classes[1]!r} (none was declared)"),))
    rarer = int(np.bincount(truth)[1] <= np.bincount(truth)[0])
    note = f"{dataset}: positive class: {classes[rarer]!r}, the rarer of the two (none was declared)"
    return Truth(truth, classes, rarer, (_positive(note),))


def _positive(text: str) -> Note:
    """A note on the positive class."""
    return Note(text, about=POSITIVE_CLASS)


def label_text(value: object) -> str:
    """A label as text: 1 and 1.0 are the same label.

    >>> label_text(1.0), label_text(1), label_text("a")
    ('1', '1', 'a')
    """
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    return str(value)


def labels_of(column: pd.Series) -> list[str]:
    """The labels of a column as text."""
    return [label_text(v) for v in column]
