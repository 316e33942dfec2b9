"""A data set: the feature matrix, the target, and what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from fairtrial.data.fingerprint import fingerprint
from fairtrial.data.target import POSITIVE, choose_positive
from fairtrial.doors import door
from fairtrial.notices import Notice, check
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    import pandas as pd

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
