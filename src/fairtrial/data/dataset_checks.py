"""What must hold of a data set before anything is learned from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.words import quoted

if TYPE_CHECKING:
    from fairtrial.data.dataset import Dataset

__all__ = ["check", "refuse_duplicates", "refuse_missing"]


def check(data: Dataset) -> None:
    """Raise InputError with the first thing that is wrong."""
    _check_features(data)
    _check_lengths(data)
    _check_finite(data)
    if data.task == "classes":
        _check_classes(data)
    else:
        _check_values(data)
    if data.weights is not None and not (np.isfinite(data.weights).all() and (data.weights >= 0).all()):
        raise InputError(f"the weights of {data.name!r} must be finite and not negative")


def refuse_duplicates(names: Sequence[str], where: str) -> None:
    """Column names must differ."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(
            f"the columns of {where} must have different names, got more than one {quoted(twice)}; rename them"
        )


def refuse_missing(missing: npt.NDArray[np.bool_], what: str, where: str) -> None:
    """Target, groups, order and weights must be known in every row."""
    if missing.any():
        rows = quoted(np.flatnonzero(missing).tolist())
        raise InputError(
            f"the {what} of {where!r} must have a value in every row, but {missing.sum()} of {missing.size} are "
            f"missing (counting from 0: rows {rows}); leave those rows out or fill them in"
        )


def _check_features(data: Dataset) -> None:
    if data.X.ndim != 2:
        raise InputError(f"X of {data.name!r} must be a matrix (rows × features), got shape {data.X.shape}")
    if data.n == 0:
        raise InputError(f"{data.name!r} must have rows, got none; check the file or the filter that made it")
    if data.p == 0:
        raise InputError(f"{data.name!r} must have at least one feature besides the target, got none; add columns")
    if len(data.features) != data.p:
        raise InputError(f"{data.name!r} must have a Feature for each column, got {len(data.features)} for {data.p}")
    refuse_duplicates([f.name for f in data.features], repr(data.name))


def _check_lengths(data: Dataset) -> None:
    parts: dict[str, npt.NDArray[Any] | None] = {
        "target": data.target,
        "groups": data.groups,
        "order": data.order,
        "weights": data.weights,
    }
    for part, values in parts.items():
        if values is not None and values.shape != (data.n,):
            raise InputError(
                f"the {part} of {data.name!r} must have one entry for each of {data.n} rows, got {values.shape}"
            )


def _check_finite(data: Dataset) -> None:
    infinite: npt.NDArray[np.bool_] = np.any(np.isinf(data.X), axis=0)
    if infinite.any():
        names = [f.name for f, bad in zip(data.features, infinite.tolist(), strict=True) if bad]
        raise InputError(
            f"the features of {data.name!r} must be finite, but {quoted(names)} hold infinite values; "
            "replace them by a missing value or a large number, or leave the column out"
        )


def _check_classes(data: Dataset) -> None:
    labels, counts = np.unique(data.target, return_counts=True)
    if tuple(labels.tolist()) != data.classes:
        raise InputError(f"the classes of {data.name!r} must be its sorted labels, got {quoted(data.classes)}")
    if labels.size == 1:
        raise InputError(
            f"the target of {data.name!r} must have at least two classes, but every row is {labels.tolist()[0]!r}; "
            "choose another target column or more rows"
        )
    single = labels[counts == 1].tolist()
    if single:
        raise InputError(
            f"each class of {data.name!r} must have at least two instances (one to learn from, one to test on), "
            f"but there is only one of {quoted(single)}; merge such a class with another, leave its row out, "
            "or say task='values' if the target is a quantity"
        )
    if data.positive is not None and (labels.size != 2 or data.positive not in data.classes):
        raise InputError(
            f"positive must be one of two classes, got {data.positive!r} where {data.name!r} has {quoted(data.classes)}"
        )


def _check_values(data: Dataset) -> None:
    if not np.isfinite(data.target).all():
        rows = quoted(np.flatnonzero(~np.isfinite(data.target)).tolist())
        raise InputError(f"the target of {data.name!r} must be finite, but rows {rows} are not; leave those rows out")
    if data.target.min() == data.target.max():
        raise InputError(
            f"the target of {data.name!r} must vary, but every row is {float(data.target[0])!r}; "
            "choose another target column"
        )
