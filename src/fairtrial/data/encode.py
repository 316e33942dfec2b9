"""The default preprocessing: what makes nominal columns and missing values fit for any estimator.

It is fitted on the training rows of each split only, so nothing of the test rows leaks into it.

New rows in the form of a data set: the same columns, the same codes of categories; for models that are used.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from fairtrial.data.dataset import AnyArray, Dataset, Feature, FloatArray
from fairtrial.data.frames import FrameColumns, as_frame
from fairtrial.errors import InputError
from fairtrial.words import quoted, shown


def encoder_for(dataset: Dataset) -> Encoder | None:
    """The encoder that a data set needs; None if its columns are numeric and complete.

    >>> from fairtrial.data import datasets
    >>> iris, vote = datasets("iris", "vote")
    >>> encoder_for(iris) is None, encoder_for(vote).fit_transform(vote.X).shape
    (True, (435, 32))
    """
    if not dataset.needs_encoding:
        return None
    nominal = tuple(j for j, f in enumerate(dataset.features) if f.kind == "nominal")
    return Encoder(nominal=nominal, categories=tuple(len(dataset.features[j].categories) for j in nominal))


class Encoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A scikit-learn transformer: median for missing numbers, indicator columns for nominal features.

    ``nominal`` are the columns that hold codes, ``categories`` the number of categories of each. A numeric column stays
    one column; its missing values become the median of the training rows (0 if there is none). A nominal column becomes
    one column of 0 and 1 for each category seen in training; all of them are 0 for an unseen category and for a missing
    value. A feature of two categories without missing values in training becomes a single column.

    >>> X = np.array([[1.0, 0], [np.nan, 2], [4.0, 1], [6.0, np.nan]])
    >>> encoder = Encoder(nominal=(1,), categories=(4,)).fit(X)
    >>> encoder.transform([[np.nan, 2], [2.0, 3]])
    array([[4., 0., 0., 1.],
           [2., 0., 0., 0.]])
    >>> encoder.get_feature_names_out(["size", "colour"]).tolist()
    ['size', 'colour=0', 'colour=1', 'colour=2']
    """

    def __init__(self, nominal: tuple[int, ...] = (), categories: tuple[int, ...] = ()) -> None:
        self.nominal = nominal
        self.categories = categories

    def fit(self, X: Any, y: object = None) -> Encoder:  # noqa: ARG002  # scikit-learn passes y
        """Learn the medians and which categories occur, from these rows only."""
        matrix = _matrix(X)
        p = matrix.shape[1]
        if len(self.nominal) != len(self.categories) or any(not 0 <= j < p for j in self.nominal):
            raise InputError(
                f"nominal must be columns of a matrix with {p}, with one number of categories each, "
                f"got {shown(self.nominal)} and {self.categories!r}"
            )
        self.n_features_in_ = p
        self._nominal = np.array(self.nominal, dtype=np.intp)
        self._numeric = np.setdiff1d(np.arange(p), self._nominal)
        self._sizes = np.array(self.categories, dtype=np.intp)
        self._starts = np.concatenate(([0], np.cumsum(self._sizes)))[:-1].astype(np.intp)
        self.medians_ = _medians(matrix[:, self._numeric])
        self._place(self._seen(matrix))
        return self

    def transform(self, X: Any) -> FloatArray:
        """The rows as numbers; each row by itself, whatever the other rows are."""
        check_is_fitted(self, "medians_")
        matrix = _matrix(X)
        if matrix.shape[1] != self.n_features_in_:
            raise InputError(
                f"X has {matrix.shape[1]} features, but Encoder is expecting {self.n_features_in_} features as input"
            )
        out = np.zeros((matrix.shape[0], self.width_))
        numeric = matrix[:, self._numeric]
        out[:, self._numeric_out] = np.where(np.isnan(numeric), self.medians_, numeric)
        if self._nominal.size:
            column = self._column_of[self._flat(matrix)]
            rows, which = np.nonzero(column >= 0)
            out[rows, column[rows, which]] = 1.0
        return out

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """The columns of the output: ``size`` for a number, ``colour=2`` for the third category of a nominal one."""
        check_is_fitted(self, "medians_")
        names = [f"x{j}" for j in range(self.n_features_in_)] if input_features is None else list(input_features)
        if len(names) != self.n_features_in_:
            raise InputError(f"input_features should have length equal to {self.n_features_in_}, got {len(names)}")
        out: list[str] = [""] * self.width_
        for j, at in zip(self._numeric.tolist(), self._numeric_out.tolist(), strict=True):
            out[at] = str(names[j])
        for j, start, size in zip(self.nominal, self._starts.tolist(), self.categories, strict=True):
            for code in range(size):
                if self._column_of[start + code] >= 0:
                    out[self._column_of[start + code]] = f"{names[j]}={code}"
        return np.array(out, dtype=object)

    def _flat(self, matrix: FloatArray) -> npt.NDArray[np.intp]:
        """Numbers of categories, counted through all nominal columns; what is no category gets one past the end."""
        codes = matrix[:, self._nominal]
        known = (codes >= 0) & (codes < self._sizes)  # False for nan
        return np.where(known, codes + self._starts, self._sizes.sum()).astype(np.intp)

    def _seen(self, matrix: FloatArray) -> npt.NDArray[np.bool_]:
        """Which of the categories get a column of their own."""
        total = int(self._sizes.sum())
        flat = self._flat(matrix)
        seen = np.bincount(flat.ravel(), minlength=total + 1)[:total] > 0
        complete: npt.NDArray[np.bool_] = np.all(flat < total, axis=0)
        for start, size, full in zip(self._starts, self._sizes, complete, strict=True):
            present = start + np.flatnonzero(seen[start : start + size])
            if size == present.size == 2 and full:
                seen[present[0]] = False
        return seen

    def _place(self, seen: npt.NDArray[np.bool_]) -> None:
        """Give every output column its place, in the order of the input columns."""
        owner = np.concatenate((self._numeric, np.repeat(self._nominal, self._sizes)[seen]))
        place = np.empty(owner.size, dtype=np.intp)
        place[np.argsort(owner, kind="stable")] = np.arange(owner.size)
        self.width_ = int(owner.size)
        self._numeric_out = place[: self._numeric.size]
        self._column_of = np.full(seen.size + 1, -1, dtype=np.intp)
        self._column_of[:-1][seen] = place[self._numeric.size :]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _matrix(X: Any) -> FloatArray:
    if hasattr(X, "toarray"):
        raise InputError("X must be dense, got a sparse matrix; call its toarray() first")
    given = np.asarray(X)
    if given.dtype.kind == "c":
        raise InputError("X must be real numbers; Complex data not supported")
    matrix = given.astype(np.float64, copy=False)
    if matrix.ndim != 2:
        raise InputError(f"X must be a matrix (rows × features), got shape {matrix.shape}; Reshape your data")
    if 0 in matrix.shape:
        rows, columns = matrix.shape
        raise InputError(
            f"X has {rows} sample(s) and {columns} feature(s) (shape={matrix.shape}) while a minimum of 1 is required."
        )
    return matrix


def _medians(X: FloatArray) -> FloatArray:
    """The median of each column without its missing values; 0 where nothing is known."""
    ordered = np.sort(X, axis=0)  # nan last
    known = X.shape[0] - np.isnan(ordered).sum(axis=0)
    columns = np.arange(X.shape[1])
    middle = (ordered[np.maximum(known - 1, 0) // 2, columns] + ordered[known // 2, columns]) / 2
    return np.where(known > 0, middle, 0.0)


def new_rows(dataset: Dataset, X: Any) -> FloatArray:
    """The features of new rows as a matrix like ``dataset.X``: from a table with its columns, or from an array.

    Columns of a table are found by name, and others are left out; those of an array must be in the order of the data
    set. A category that the data set does not have counts as missing, and a warning says so.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"colour": ["red", "blue"] * 2, "size": [1.5, 2, 3, 4], "y": [0, 1, 1, 0]})
    >>> data = Dataset.from_frame(frame)
    >>> new_rows(data, pd.DataFrame({"size": [7.0], "colour": ["red"]}))
    array([[1., 7.]])
    """
    frame = as_frame(X)
    if frame is None:
        frame = _named(dataset, X)
    columns = FrameColumns(frame)
    lacking = [f.name for f in dataset.features if f.name not in columns.names]
    if lacking:
        raise InputError(f"X must have the columns of {dataset.name!r}, but lacks {quoted(lacking)}")
    made = [_numbers(f, columns) if f.kind == "numeric" else _codes(f, columns) for f in dataset.features]
    return np.column_stack(made) if made else np.empty((len(frame), 0))


def _named(dataset: Dataset, X: Any) -> Any:
    """An array as a table with the names of the data set's columns."""
    import pandas as pd

    array = np.asarray(X, dtype=object) if isinstance(X, (list, tuple)) else np.asarray(X)
    if array.ndim != 2 or array.shape[1] != dataset.p:
        raise InputError(
            f"X must be a table, or a matrix with the {dataset.p} columns of {dataset.name!r}, got {shown(X)} of shape "
            f"{array.shape}"
        )
    return pd.DataFrame(array, columns=[f.name for f in dataset.features])


def _numbers(feature: Feature, columns: FrameColumns) -> FloatArray:
    values = columns.raw(feature.name)
    if values.dtype != object:
        return values.astype(np.float64)
    try:
        return np.array([np.nan if v is None else float(v) for v in values])
    except (TypeError, ValueError):
        found = columns.feature(feature.name)  # text may hold dates
        if found is None or found[0].kind != "numeric":
            raise InputError(
                f"column {feature.name!r} must hold numbers, as in the data that were learned from, got text"
            ) from None
        for note in columns.notes:  # a sign or unit may be another than in the data that were learned from
            if note.about == f"column {feature.name!r}" and "holds" not in note.evidence:
                warnings.warn(note.text, stacklevel=2)
        return found[1]


def _codes(feature: Feature, columns: FrameColumns) -> FloatArray:
    """The codes of categories; nan where a value is missing or no category of the data set."""
    place = {category: float(code) for code, category in enumerate(feature.categories)}
    texts = list(map(_text, columns.raw(feature.name)))
    unknown = sorted({text for text in texts if text is not None and text not in place})
    if unknown:
        warnings.warn(
            f"column {feature.name!r} has {quoted(unknown)}, which did not occur in the data that were learned from: "
            "counted as missing",
            stacklevel=2,
        )
    return np.array([np.nan if text is None else place.get(text, np.nan) for text in texts])


def _text(value: AnyArray | object) -> str | None:
    """A category as text; None where it is missing."""
    if value is None or value != value:
        return None
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)
