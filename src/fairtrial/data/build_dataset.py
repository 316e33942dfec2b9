"""From columns of any source to a Dataset: which column plays which role, and what was decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from fairtrial.data.dataset import (
    DEFAULT_TARGETS,
    EXACT,
    AnyArray,
    Dataset,
    Feature,
    FloatArray,
    Task,
    as_labels,
    as_numbers,
    choose_positive,
    guess_task,
    is_missing,
    narrow,
)
from fairtrial.data.spellings import numbers_of_text
from fairtrial.errors import InputError, UnknownName
from fairtrial.notices import Notice, check
from fairtrial.words import is_one_of, quoted, shown


class Columns(Protocol):
    """A source of columns: a DataFrame, an ARFF file."""

    @property
    def names(self) -> list[str]: ...
    @property
    def notes(self) -> list[Notice]: ...
    def default_target(self) -> tuple[str, Notice]: ...
    def raw(self, name: str) -> AnyArray:
        """The values of a column, nan or None where missing."""
        ...

    def declared(self, name: str) -> tuple[str, ...]:
        """The categories that the source declares for a column."""
        ...

    def feature(self, name: str) -> tuple[Feature, FloatArray] | None:
        """The column for the feature matrix; None if it is left out (the notes then say why)."""
        ...


@dataclass(frozen=True, slots=True)
class Roles:
    """The user's declarations: the target, its task and positive class, and optional groups, order and weights."""

    target: str | None = None
    task: Task | None = None
    positive: object = None
    groups: str | npt.ArrayLike | None = None
    order: str | npt.ArrayLike | None = None
    weights: str | npt.ArrayLike | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.target, str | None):
            raise InputError(
                f"target must be the name of a column, got {shown(self.target)}; give values that are no column "
                "with the others as a pair (X, y)"
            )
        if self.task is not None and not is_one_of(self.task, ("classes", "values")):
            raise InputError(f"task must be 'classes' or 'values', got {shown(self.task)}")


def default_target(names: Sequence[str]) -> tuple[str, Notice]:
    """A column named target, class or y, else the last; and the note that says so.

    >>> print(default_target(["Class", "age"])[1].text)
    target: column 'Class' (none was declared; taken for its name)
    >>> print(default_target(["age", "churned"])[1].text)
    target: the last column, 'churned' (none was declared)
    """
    for wanted in DEFAULT_TARGETS:
        for name in names:
            if name.strip().lower() == wanted:
                return name, target_note(name, f"column {name!r} (none was declared; taken for its name)")
    return names[-1], target_note(names[-1], f"the last column, {names[-1]!r} (none was declared)")


def target_note(column: str, which: str) -> Notice:
    """The note that says which column was taken for the target."""
    return Notice(f"target: {which}", "note", "target", {"column": column})


def from_columns(columns: Columns, roles: Roles, *, name: str, source: str, notes: Sequence[Notice] = ()) -> Dataset:
    """Make a Dataset from columns that play these roles."""
    check("column names", columns.names, repr(name))
    if not columns.names:
        raise InputError(f"{name!r} must have columns, got none")
    remarks = list(notes)
    target = roles.target
    if target is None:
        target, note = columns.default_target()
        remarks.append(note)
    taken = [target] + [role for role in (roles.groups, roles.order, roles.weights) if isinstance(role, str)]
    for column in taken:
        if column not in columns.names:
            raise UnknownName.among(f"column of {name!r}", column, columns.names)
    found = [columns.feature(column) for column in columns.names if column not in taken]
    kept = [pair for pair in found if pair is not None]
    truth = columns.raw(target)
    X = np.column_stack([values for _, values in kept]) if kept else np.empty((len(truth), 0))
    resolved = Roles(
        target,
        roles.task,
        roles.positive,
        *(columns.raw(r) if isinstance(r, str) else r for r in (roles.groups, roles.order, roles.weights)),
    )
    remarks += [note for note in columns.notes if note not in remarks]
    return _build(
        X,
        truth,
        tuple(feature for feature, _ in kept),
        resolved,
        name=name,
        source=source,
        notes=remarks,
        declared=columns.declared(target),
    )


def from_arrays(
    X: Any,
    y: Any,
    roles: Roles,
    *,
    name: str,
    feature_names: Sequence[str] | None,
    source: str,
    notes: Sequence[Notice] = (),
) -> Dataset:
    """Make a Dataset from a matrix of numbers and a target, each an array or of any library of tables."""
    from fairtrial.data.frames import as_frame, as_series, series_values

    frame, column = as_frame(X), as_series(y)
    if feature_names is None and frame is not None:
        feature_names = [str(c) for c in frame.columns]
    if hasattr(X, "toarray"):
        raise InputError(f"X of {name!r} must be a dense matrix, got {shown(X)}, which is sparse; give X.toarray()")
    try:
        if frame is None:
            matrix = np.array(X, dtype=np.float64)
        else:
            matrix = frame.to_numpy(dtype=np.float64, na_value=np.nan, copy=True)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(
            f"X of {name!r} must be a matrix of numbers ({error}); text columns need from_frame"
        ) from error
    if matrix.ndim != 2:
        raise InputError(f"X of {name!r} must be a matrix (rows × features), got an array of shape {matrix.shape}")
    names = [f"x{j}" for j in range(matrix.shape[1])] if feature_names is None else list(feature_names)
    features = tuple(Feature(n, "numeric") for n in names)
    target = _array(y, "y", name) if column is None else series_values(column)
    return _build(matrix, target, features, roles, name=name, source=source, notes=list(notes), declared=())


def _build(
    X: FloatArray,
    target: AnyArray,
    features: tuple[Feature, ...],
    roles: Roles,
    *,
    name: str,
    source: str,
    notes: list[Notice],
    declared: tuple[str, ...],
) -> Dataset:
    if target.ndim != 1:
        raise InputError(f"the target of {name!r} must be one column, got an array of shape {target.shape}")
    if target.size == 0:
        raise InputError(f"{name!r} must have rows, got none; check the file or the filter that made it")
    check("known values", is_missing(target), "target", name)
    values, remarks = _target_numbers(narrow(target), roles)
    notes = [*notes, *remarks]
    guessed, note = guess_task(values)
    task: Task = roles.task or guessed
    notes = [*notes, note] if note is not None and roles.task is None else notes
    matrix = np.ascontiguousarray(X, dtype=np.float64)
    groups = _groups(roles, name)
    order, weights = _numbers(roles.order, "order", name), _numbers(roles.weights, "weights", name)
    if task == "values":
        if roles.positive is not None:
            raise InputError(
                f"positive must be left out for a target of values ({name!r}), got {shown(roles.positive)}"
            )
        numbers = as_numbers(values, "target", name)
        return Dataset(name, matrix, numbers, task, features, (), None, groups, order, weights, source, tuple(notes))
    labels = as_labels(values, name).copy()
    classes = tuple(np.unique(labels).tolist())
    absent = [c for c in declared if c not in {str(k) for k in classes}]
    positive, chosen = choose_positive(labels, classes, roles.positive, name)
    said = (*notes, *_absent_classes(absent), *([] if chosen is None else [chosen]))
    return Dataset(name, matrix, labels, task, features, classes, positive, groups, order, weights, source, said)


def _target_numbers(values: AnyArray, roles: Roles) -> tuple[AnyArray, list[Notice]]:
    """A target of texts as numbers if it is a quantity such as $1.5; labels stay as they are."""
    if values.dtype.kind != "U" or roles.task == "classes" or roles.positive is not None:
        return values, []
    texts, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    numbers, notice = numbers_of_text(roles.target or "target", dict(zip(texts.tolist(), counts.tolist(), strict=True)))
    if numbers:
        made = np.array(list(map(numbers.__getitem__, texts.tolist())))[place]
        if roles.task != "values" and (notice is None or guess_task(made)[0] == "classes"):
            return values, []
        values = made
    return values, [] if notice is None else [notice]


def _absent_classes(absent: list[str]) -> Iterator[Notice]:
    if absent:
        sentence = f"classes that are declared but never occur, left out: {quoted(absent)}"
        yield Notice(sentence, "note", "classes", {"classes": absent})


def _groups(roles: Roles, name: str) -> AnyArray | None:
    """Identifiers of groups: text or whole numbers."""
    if roles.groups is None:
        return None
    values = _entries(roles.groups, "groups", name)
    values = narrow(values)
    if values.dtype.kind == "f":
        whole = bool((np.isfinite(values) & (np.trunc(values) == values) & (np.abs(values) < EXACT)).all())
        return values.astype(np.int64) if whole else np.array([repr(v) for v in values.tolist()])
    return values.astype(np.int64) if values.dtype.kind == "b" else values


def _array(values: npt.ArrayLike, what: str, name: str) -> AnyArray:
    try:
        return np.array(values)
    except ValueError as error:  # rows of unequal length
        raise InputError(f"{what} of {name!r} must have one entry per row, got {shown(values)}") from error


def _entries(role: npt.ArrayLike, what: str, name: str) -> AnyArray:
    """Groups, order or weights as an array with an entry for each row, none missing."""
    values = _array(role, what, name)
    if values.ndim != 1:
        raise InputError(f"{what} of {name!r} must be a column or have one entry per row, got {shown(role)}")
    check("known values", is_missing(values), what, name)
    return values


def _numbers(role: str | npt.ArrayLike | None, what: str, name: str) -> FloatArray | None:
    if role is None:
        return None
    values = _entries(role, what, name)
    if values.dtype.kind != "M":
        values = narrow(values)
    if values.dtype.kind == "U" and what == "order":
        values = _dates(values, name)
    if values.dtype.kind == "M":
        values = values.astype("datetime64[us]").astype(np.int64) / 86400e6
    return as_numbers(values, what, name)


def _dates(text: AnyArray, name: str) -> AnyArray:
    try:
        return text.astype("datetime64[us]")
    except ValueError as error:
        raise InputError(
            f"the order of {name!r} must be numbers or dates like 2024-01-31, got text ({error}); convert it"
        ) from error
