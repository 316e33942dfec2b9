"""A data set: the feature matrix, the target, and what they mean.

The fingerprint of a data set's content: the same on every platform, whatever the data set is called.

The target: whether it has labels or numbers, and which class is positive.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from fairtrial.data.spellings import is_number
from fairtrial.doors import door
from fairtrial.errors import InputError
from fairtrial.notices import Notice, check
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import listed, plural, quoted, shown

if TYPE_CHECKING:
    import pandas as pd


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


VERSION = "fairtrial data 1"


def fingerprint(data: Dataset) -> str:
    """Hex of a 128-bit BLAKE2b over everything that can change what is learned or measured."""
    digest = hashlib.blake2b(digest_size=16)
    for part in _parts(data):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


def _parts(data: Dataset) -> Iterator[bytes]:
    features = [[f.name, f.kind, list(f.categories)] for f in data.features]
    yield _json([VERSION, data.task, list(data.X.shape), features, list(data.classes), data.positive])
    yield _numbers(data.X)
    yield _array(data.codes if data.task == "classes" else data.target)
    for optional in (data.groups, data.order, data.weights):
        yield b"" if optional is None else _array(optional)


def _array(values: npt.NDArray[Any]) -> bytes:
    if values.dtype.kind == "f":
        return b"f" + _numbers(values)
    if values.dtype.kind in "bi":
        return b"i" + np.ascontiguousarray(values, dtype="<i8").tobytes()
    return b"s" + _json(values.tolist())


def _numbers(values: npt.NDArray[Any]) -> bytes:
    """Numbers as little-endian doubles, with one form of nan."""
    return np.ascontiguousarray(np.where(np.isnan(values), np.nan, values), dtype="<f8").tobytes()


def _json(content: object) -> bytes:
    return json.dumps(content, separators=(",", ":")).encode("ascii")


AnyArray: TypeAlias = npt.NDArray[Any]
FloatArray: TypeAlias = npt.NDArray[np.float64]
Label: TypeAlias = str | int | bool
Task: TypeAlias = Literal["classes", "values"]


@dataclass(frozen=True, slots=True)
class Feature:
    """A column of the feature matrix; a nominal one holds codes that point into ``categories``.

    >>> Feature("colour", "nominal", ("blue", "red"))
    Feature(name='colour', kind='nominal', categories=('blue', 'red'))
    """

    name: str
    kind: Literal["numeric", "nominal"]
    categories: tuple[str, ...] = ()


@door
@dataclass(frozen=True, eq=False, repr=False)
class Dataset(Shown):
    """The data that methods learn from.

    Make one with :meth:`from_frame`, :meth:`from_arrays` or :func:`fairtrial.datasets`.
    ``X`` is a matrix of float64: nominal columns hold the codes 0, 1, … of their categories, missing values are nan.
    ``target`` holds the original labels (task ``"classes"``) or numbers (task ``"values"``), never missing. ``groups``
    (rows that belong together), ``order`` (time) and ``weights`` are None or one entry per row. ``notes`` are notices
    of choices that were made for the user: which column is the target, which class is positive, which columns were left
    out.

    >>> data = Dataset.from_arrays([[5.1, 1.4], [4.9, 1.5], [6.3, 6.0], [5.8, 5.1], [7.1, 5.9]],
    ...                            ["setosa", "setosa", "virginica", "virginica", "virginica"], name="flowers")
    >>> data
    Dataset('flowers', 5 × 2, 2 classes)
    >>> data.positive, data.codes
    ('setosa', array([0, 0, 1, 1, 1]))
    >>> print(data.notes[0].text)
    positive class: 'setosa', the rarer of the two (none was declared)
    """

    name: str
    X: FloatArray
    target: AnyArray
    task: Task
    features: tuple[Feature, ...]
    classes: tuple[Label, ...] = ()
    positive: Label | None = None
    groups: AnyArray | None = None
    order: FloatArray | None = None
    weights: FloatArray | None = None
    source: str = ""
    notes: tuple[Notice, ...] = ()

    def __post_init__(self) -> None:
        check("new dataset", self)
        for array in (self.X, self.target, self.groups, self.order, self.weights):
            if array is not None:
                array.flags.writeable = False  # else the fingerprint could become a lie

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        target: str | None = None,
        task: Task | None = None,
        positive: object = None,
        groups: str | npt.ArrayLike | None = None,
        order: str | npt.ArrayLike | None = None,
        weights: str | npt.ArrayLike | None = None,
        name: str = "data",
        source: str = "",
    ) -> Dataset:
        """Make one from a DataFrame, in which ``target``, ``groups``, ``order`` and ``weights`` name columns.

        Groups, order and weights may be arrays instead. Text and categorical columns become nominal, bools become 0 and
        1, and dates become days since 1970. Text that hardly ever repeats (names, identifiers, free text) is left out,
        and a note says so.

        >>> import pandas as pd
        >>> frame = pd.DataFrame({"colour": ["red", "blue", None, "red"], "size": [1.5, 2, 3, 4], "y": [0, 1, 0, 1]})
        >>> data = Dataset.from_frame(frame)
        >>> data.features[0].categories, data.X[:, 0]
        (('blue', 'red'), array([ 1.,  0., nan,  1.]))
        >>> print(data.notes[0].text)
        target: column 'y' (none was declared; taken for its name)
        """
        from fairtrial.data.build_dataset import Roles, from_columns
        from fairtrial.data.frames import FrameColumns

        roles = Roles(target, task, positive, groups, order, weights)
        return from_columns(FrameColumns(frame), roles, name=name, source=source)

    @classmethod
    def from_arrays(
        cls,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        *,
        name: str = "data",
        task: Task | None = None,
        positive: object = None,
        groups: npt.ArrayLike | None = None,
        order: npt.ArrayLike | None = None,
        weights: npt.ArrayLike | None = None,
        features: Sequence[str] | None = None,
        source: str = "",
    ) -> Dataset:
        """Make one from a matrix of numbers (nan where missing) and its target; ``features`` names the columns.

        >>> Dataset.from_arrays([[1.0], [2.0], [4.0]], [0.5, 1.5, 2.5]).task
        'values'
        """
        from fairtrial.data.build_dataset import Roles, from_arrays

        roles = Roles(None, task, positive, groups, order, weights)
        return from_arrays(X, y, roles, name=name, feature_names=features, source=source)

    @property
    def n(self) -> int:
        """Number of rows (instances)."""
        return int(self.X.shape[0])

    @property
    def p(self) -> int:
        """Number of columns (features)."""
        return int(self.X.shape[1])

    @property
    def raw(self) -> FloatArray:
        """The feature matrix as it is: codes in nominal columns, nan where missing."""
        return self.X

    @cached_property
    def codes(self) -> npt.NDArray[np.int64]:
        """The target as positions in ``classes``; empty for task ``"values"``."""
        if self.task == "values":
            return np.empty(0, dtype=np.int64)
        return np.searchsorted(np.asarray(self.classes), self.target).astype(np.int64)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the content, the same on every platform; the name, source and notes are not part of it."""
        return fingerprint(self)

    @cached_property
    def missing(self) -> float:
        """Share of the cells of ``X`` that are missing."""
        return float(np.isnan(self.X).mean())

    @property
    def needs_encoding(self) -> bool:
        """Whether a column is nominal or a value is missing: then most estimators need an :class:`~.encode.Encoder`."""
        return any(f.kind == "nominal" for f in self.features) or self.missing > 0

    @property
    def balance(self) -> dict[Label, float]:
        """The share of each class; empty for task ``"values"``.

        >>> Dataset.from_arrays([[1.0], [2.0], [4.0], [5.0], [6.0]], list("ababa")).balance
        {'a': 0.6, 'b': 0.4}
        """
        shares = np.bincount(self.codes, minlength=len(self.classes)) / self.n
        return dict(zip(self.classes, shares.tolist(), strict=True))

    def with_positive(self, positive: object) -> Dataset:
        """These data with another positive class.

        >>> Dataset.from_arrays([[1.0], [2.0], [4.0], [5.0], [6.0]], list("ababa")).with_positive("a").positive
        'a'
        """
        chosen, _ = choose_positive(self.target, self.classes, positive, self.name)
        return replace(self, positive=chosen, notes=tuple(n for n in self.notes if n.about != POSITIVE))

    def frame(self) -> pd.DataFrame:
        """The features as a DataFrame: nominal columns as categories with their names, the others as numbers."""
        return frame_of(self.features, self.X)

    def to_table(self) -> Table:
        """A short description: size, kinds of features, target."""
        nominal = sum(f.kind == "nominal" for f in self.features)
        kinds = [f"{self.p - nominal} numeric"] * (nominal < self.p) + [f"{nominal} nominal"] * (nominal > 0)
        rows: list[tuple[str, object]] = [
            ("instances", self.n),
            ("features", ", ".join(kinds)),
            ("missing", formats.percent(self.missing)),
            ("target", _describe_target(self)),
        ]
        if self.positive is not None:
            rows.append(("positive", str(self.positive)))
        given = [part for part in ("groups", "order", "weights") if getattr(self, part) is not None]
        rows += [("also", ", ".join(given))] if given else []
        rows.append(("fingerprint", self.fingerprint))
        columns = (Column("", align="left", key="what"), Column("", align="left", key="value"))
        return Table(columns, tuple(rows), caption=self.name, notes=tuple(n.text for n in self.notes))

    def __repr__(self) -> str:
        target = plural(len(self.classes), "class", "classes") if self.task == "classes" else "values"
        return f"Dataset({self.name!r}, {self.n} × {self.p}, {target})"


def frame_of(features: Sequence[Feature], X: FloatArray) -> pd.DataFrame:
    """A matrix of numbers and codes as a DataFrame, with nominal columns as categories."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for j, feature in enumerate(features):
        values = X[:, j]
        if feature.kind == "nominal":
            codes = np.where(np.isnan(values), -1, values).astype(np.int64)
            columns[feature.name] = pd.Categorical.from_codes(codes, categories=pd.Index(feature.categories))
        else:
            columns[feature.name] = values
    return pd.DataFrame(columns)


def _describe_target(data: Dataset) -> str:
    if data.task == "values":
        low, high = formats.auto(float(data.target.min())), formats.auto(float(data.target.max()))
        return f"values from {low} to {high}"
    shares = [f"{label} {formats.percent(share)}" for label, share in data.balance.items()]
    return f"{plural(len(shares), 'class', 'classes')}: {listed(shares)}"
