"""Guards of data: what must hold of a data set before anything is learned from it, and what should be known of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairtrial.data.spellings import alike
from fairtrial.notices import Notice, guard
from fairtrial.tables import formats
from fairtrial.words import quoted, shown

if TYPE_CHECKING:
    from fairtrial.data.dataset import Dataset

IMBALANCED = 0.9
"""The share of one class from which on a method that ignores all others looks accurate."""

PLACEHOLDERS = (99, 999, 9999, 99999, 999999)
"""Numbers that stand for missing values in many files, also with a minus."""


@guard(stage="data", sees="column names")
def repeated_names(names: Sequence[str], where: str) -> Iterator[Notice]:
    """Columns of one table that have the same name."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        yield Notice(
            f"the columns of {where} must have different names, got more than one {quoted(twice)}",
            "refusal",
            evidence={"names": twice},
            remedy="rename them",
        )


@guard(stage="data", sees="known values")
def missing_values(missing: npt.NDArray[np.bool_], what: str, where: str) -> Iterator[Notice]:
    """A target, group, order or weight that is missing in some row."""
    if missing.any():
        rows = np.flatnonzero(missing).tolist()
        yield Notice(
            f"the {what} of {where!r} must have a value in every row, but {missing.sum()} of {missing.size} are "
            f"missing (counting from 0: rows {quoted(rows)})",
            "refusal",
            about=where,
            evidence={"missing": len(rows), "rows": missing.size},
            remedy="leave those rows out or fill them in",
        )


@guard(stage="data", sees="new dataset")
def unusable_features(data: Dataset) -> Iterator[Notice]:
    """A feature matrix without rows or columns, or whose columns are not described."""
    if data.X.ndim != 2:
        yield _refusal(data, f"X of {data.name!r} must be a matrix (rows × features), got shape {data.X.shape}")
    elif data.n == 0:
        yield _refusal(data, f"{data.name!r} must have rows, got none", "check the file or the filter that made it")
    elif data.p == 0:
        sentence = f"{data.name!r} must have at least one feature besides the target, got none"
        yield _refusal(data, sentence, "add columns; in a text file, commas, semicolons or tabs must separate them")
    elif len(data.features) != data.p:
        sentence = f"{data.name!r} must have a Feature for each column, got {len(data.features)} for {data.p}"
        yield _refusal(data, sentence)
    yield from repeated_names([f.name for f in data.features], repr(data.name))


@guard(stage="data", sees="new dataset")
def unequal_lengths(data: Dataset) -> Iterator[Notice]:
    """A target, groups, order or weights with more or fewer entries than there are rows."""
    parts: dict[str, npt.NDArray[Any] | None] = {
        "target": data.target,
        "groups": data.groups,
        "order": data.order,
        "weights": data.weights,
    }
    for part, values in parts.items():
        if values is not None and values.shape != (data.n,):
            rule = f"the {part} of {data.name!r} must have one entry for each of {data.n} rows, got {values.shape}"
            yield _refusal(data, rule)


@guard(stage="data", sees="new dataset")
def infinite_features(data: Dataset) -> Iterator[Notice]:
    """Features that hold infinite values."""
    infinite: npt.NDArray[np.bool_] = np.any(np.isinf(data.X), axis=0)
    if infinite.any():
        names = [f.name for f, bad in zip(data.features, infinite.tolist(), strict=True) if bad]
        yield _refusal(
            data,
            f"the features of {data.name!r} must be finite, but {quoted(names)} hold infinite values",
            "replace them by a missing value or a large number, or leave the column out",
            features=names,
        )


@guard(stage="data", sees="new dataset")
def unusable_classes(data: Dataset) -> Iterator[Notice]:
    """A single class, a class with a single instance, or a positive class that is none of two."""
    if data.task != "classes":
        return
    labels, counts = np.unique(data.target, return_counts=True)
    if tuple(labels.tolist()) != data.classes:
        rule = f"the classes of {data.name!r} must be its sorted labels, got {quoted(data.classes)}"
        yield _refusal(data, rule)
    if labels.size == 1:
        yield _refusal(
            data,
            f"the target of {data.name!r} must have at least two classes, but every row is {labels.tolist()[0]!r}",
            "choose another target column or more rows",
        )
    single = labels[counts == 1].tolist()
    if single:
        yield _refusal(
            data,
            f"each class of {data.name!r} must have at least two instances (one to learn from, one to test on), "
            f"but there is only one of {quoted(single)}",
            "merge such a class with another, leave its row out, or say task='values' if the target is a quantity",
            classes=[str(label) for label in single],
        )
    if data.positive is not None and (labels.size != 2 or data.positive not in data.classes):
        known = quoted(data.classes)
        rule = f"positive must be one of two classes, got {shown(data.positive)} where {data.name!r} has {known}"
        yield _refusal(data, rule)


@guard(stage="data", sees="new dataset")
def unusable_values(data: Dataset) -> Iterator[Notice]:
    """A numeric target that is infinite somewhere, or the same everywhere."""
    if data.task != "values":
        return
    infinite = np.flatnonzero(~np.isfinite(data.target)).tolist()
    if infinite:
        rule = f"the target of {data.name!r} must be finite, but rows {quoted(infinite)} are not"
        yield _refusal(data, rule, "leave those rows out", rows=len(infinite))
    elif data.target.min() == data.target.max():
        rule = f"the target of {data.name!r} must vary, but every row is {float(data.target[0])!r}"
        yield _refusal(data, rule, "choose another target column")


@guard(stage="data", sees="new dataset")
def unusable_weights(data: Dataset) -> Iterator[Notice]:
    """Weights that are negative or infinite."""
    if data.weights is not None and not (np.isfinite(data.weights).all() and (data.weights >= 0).all()):
        yield _refusal(data, f"the weights of {data.name!r} must be finite and not negative")


def _refusal(data: Dataset, sentence: str, remedy: str = "", **evidence: Any) -> Notice:
    return Notice(sentence, "refusal", data.name, evidence, remedy)


@guard(stage="data", sees="dataset")
def reader_choices(data: Dataset) -> Iterator[Notice]:
    """Choices that the reader of a file made for the user: target, task, positive class, columns that it left out."""
    for note in data.notes:
        yield Notice(f"{data.name}: {note.sentence}", note.severity, data.name, note.evidence, note.remedy)


@guard(stage="data", sees="dataset")
def alike_labels(data: Dataset) -> Iterator[Notice]:
    """Categories or classes that differ only in capitals, spaces or characters that look the same."""
    columns = {f"feature {f.name!r}": f.categories for f in data.features if f.kind == "nominal"}
    for what, labels in {**columns, "target": tuple(map(str, data.classes))}.items():
        same = alike(labels)
        if same:
            yield Notice(
                f"{data.name}: the {what} has {quoted(same[0])}, which look alike and are {len(same[0])} categories",
                about=data.name,
                evidence={"labels": same},
                remedy="write them in one way if they mean the same",
            )


@guard(stage="data", sees="dataset")
def placeholder_numbers(data: Dataset) -> Iterator[Notice]:
    """Numbers such as -999 and 9999 far from all others of their column, which may stand for missing values."""
    columns = [(f.name, data.X[:, j]) for j, f in enumerate(data.features) if f.kind == "numeric"]
    for name, values in [*columns, *([("target", data.target)] if data.task == "values" else [])]:
        for end in (float(np.fmin.reduce(values)), float(np.fmax.reduce(values))):
            rows = int((values == end).sum()) if abs(end) in PLACEHOLDERS else 0
            if rows > 1 and _is_far(end, values):
                yield Notice(
                    f"{data.name}: {rows} values of column {name!r} are {end:g}, far from others: they may be missing",
                    about=data.name,
                    evidence={"column": name, "value": end, "rows": rows},
                    remedy="write missing values as ? or leave them empty",
                )


def _is_far(end: float, values: npt.NDArray[np.float64]) -> bool:
    """Whether a value is farther from all others than these are from each other."""
    others = values[~np.isnan(values) & (values != end)]
    return others.size > 0 and bool(np.abs(others - end).min() > max(np.ptp(others), abs(end) / 2))


@guard(stage="data", sees="dataset")
def imbalanced_classes(data: Dataset) -> Iterator[Notice]:
    """One class that has nearly all instances, so that a method may ignore the others and look accurate."""
    share = max(data.balance.values(), default=0.0)
    if share >= IMBALANCED:
        yield Notice(
            f"{data.name}: {formats.percent(share)} of the instances are of one class, where accuracy says little",
            "note",
            about=data.name,
            evidence={"share": share},
            remedy="look at average_recall",
        )
