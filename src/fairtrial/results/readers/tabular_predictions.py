"""A table of predictions, wide or long: the role of each column, and the predictions of each method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design import FACTORS, level_text
from fairtrial.errors import InputError
from fairtrial.results.readers.predicted_columns import INSTEAD, MethodRows
from fairtrial.results.readers.read_table import (
    check_names,
    check_roles,
    column_for,
    numbered,
    read_table,
    show_columns,
)
from fairtrial.results.readers.request import Request, Source
from fairtrial.results.readers.tested_sets import PredictedSets, TestedSet
from fairtrial.results.readers.text_cells import decorated_number, mostly_numbers, refuse_cells, text_cells
from fairtrial.results.readers.truth_column import Truth, classes_of, labels_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_prediction_table"]

UNLABELLED = ("prediction", "predicted", "pred", "y_pred", "yhat")  # titles of the predictions in a long table
MOST_CLASSES = 20


def read_prediction_table(source: Source, request: Request) -> PredictedSets:
    """The predictions in a table, a file or a frame, of each method on each data set."""
    frame, name, notes = read_table(source, (request.dataset, request.method))
    roles = _find_roles(frame, request, name)
    check_roles(asdict(roles))
    check_names(frame, {role: column for role, column in asdict(roles).items() if role != "truth"}, name)
    if frame[roles.truth].isna().any():
        empty = int(frame[roles.truth].isna().sum())
        raise InputError(f"{name}: the truth must be known, but {empty} rows of {roles.truth!r} are empty")
    sets = tuple(_parts(frame, roles, request.positive, request.task(), name))
    return PredictedSets(sets, name, has_folds=roles.fold is not None, notes=notes)


@dataclass(frozen=True, slots=True)
class _Roles:
    truth: str
    dataset: str | None
    method: str | None
    instance: str | None
    repeat: str | None
    fold: str | None
    cluster: str | None

    def taken(self) -> set[str]:
        return {
            c for c in (self.truth, self.dataset, self.method, self.instance, self.repeat, self.fold, self.cluster) if c
        }


def _find_roles(frame: pd.DataFrame, request: Request, name: str) -> _Roles:
    t = column_for(frame, "truth", request.truth)
    if t is None:
        raise InputError(
            f"{name}: no column holds the true values; columns found: {show_columns(frame)}; "
            "try read_predictions(path, truth='…')"
        )
    numbers_repeats = request.repeat or request.resampling
    return _Roles(
        truth=t,
        dataset=column_for(frame, "dataset", request.dataset, [t]),
        method=column_for(frame, "method", request.method, [t]),
        instance=column_for(frame, "instance", request.instance, [t]),
        repeat=column_for(frame, "repeat", request.repeat, [t]) if numbers_repeats else None,
        fold=column_for(frame, "fold", request.fold, [t]),
        cluster=column_for(frame, "cluster", request.cluster, [t]),
    )


def _parts(frame: pd.DataFrame, roles: _Roles, positive: object, task: str | None, name: str) -> Iterator[TestedSet]:
    if roles.dataset is None:
        yield _test_set(frame, roles, Path(name).stem, positive, task)
        return
    for dataset, own in frame.groupby(roles.dataset, sort=False):
        yield _test_set(own.reset_index(drop=True), roles, str(dataset), positive, task)


def _test_set(frame: pd.DataFrame, roles: _Roles, dataset: str, positive: object, task: str | None) -> TestedSet:
    per_method = _by_method(frame, roles, dataset)
    if positive is None and roles.method is not None and "positive" in frame.columns:
        positive = next(iter(frame["positive"].dropna()), None)
    first = next(iter(per_method.values())).rows
    column = first[roles.truth]
    _refuse_decorated(column, dataset)
    if _task(column, per_method, task) == "values":
        truth = Truth(column.to_numpy(dtype=float))
    else:
        classes = set(labels_of(column))
        truth = classes_of(column, positive, dataset, any(own.ranks(classes) for own in per_method.values()))
    notes = list(truth.notes)
    channels = {m: own.channels(truth, f"{m!r} on {dataset!r}") for m, own in per_method.items()}
    for method, own_channels in channels.items():
        if strange := int((own_channels.get("label", np.zeros(1)) == -1).sum()):
            notes.append(f"{method} on {dataset}: predictions that are none of the classes count as wrong ({strange})")
    return TestedSet(
        dataset, truth.truth, truth.classes, truth.positive, numbered(first, roles.repeat), numbered(first, roles.fold),
        None if roles.cluster is None else numbered(first, roles.cluster), channels, tuple(notes),
    )  # fmt: skip


def _refuse_decorated(truth: pd.Series, dataset: str) -> None:
    """Refuse decorated numbers such as '3.5*', which would make a class of each number."""
    strange = np.flatnonzero(text_cells(truth))
    if len(strange) and mostly_numbers(truth) and any(decorated_number(str(truth.iloc[row])) for row in strange):
        refuse_cells(
            repr(dataset), [(f"row {row}", str(truth.iloc[row])) for row in strange], "the truth's values", INSTEAD
        )


def _task(truth: pd.Series, per_method: Mapping[str, MethodRows], asked: str | None) -> str:
    """The task: that of the measure; else few different whole numbers are classes, unless fractions are predicted."""
    import pandas as pd

    if pd.api.types.is_bool_dtype(truth) or not pd.api.types.is_numeric_dtype(truth):
        return "classes"
    if asked in ("classes", "values"):
        return asked
    if not (truth % 1 == 0).all() or truth.nunique() > MOST_CLASSES:
        return "values"
    fractions = any(own.predicts_fractions() for own in per_method.values())
    return "values" if truth.nunique() > 2 and fractions else "classes"


def _by_method(frame: pd.DataFrame, roles: _Roles, dataset: str) -> dict[str, MethodRows]:
    """The rows of each method, instances in one order."""
    if roles.method is None:
        models = [str(c) for c in frame.columns if c not in roles.taken()]
        if not models:
            raise InputError(f"no column holds predictions; columns found: {show_columns(frame)}")
        places = frame[sorted(roles.taken())]
        return {m: MethodRows(places, frame[m]) for m in models}
    if roles.instance is None:
        raise InputError(f"long predictions need a column that numbers the instances; columns: {show_columns(frame)}")
    order = [c for c in (roles.repeat, roles.fold, roles.instance) if c]
    found = {
        str(m): own.sort_values(order).reset_index(drop=True) for m, own in frame.groupby(roles.method, sort=False)
    }
    _check_instances(found, order, roles.truth, dataset)
    title = _unlabelled(frame)
    return {m: MethodRows(own, None if title is None else own[title]) for m, own in found.items()}


def _unlabelled(frame: pd.DataFrame) -> str | None:
    """The column of a long table that has predictions and does not say of which kind, where no other says."""
    if {"label", "value", "score"} & set(frame.columns):
        return None
    return next((str(c) for c in frame.columns if str(c).lower() in UNLABELLED), None)


def _check_instances(found: Mapping[str, pd.DataFrame], order: list[str], truth: str, dataset: str) -> None:
    """Refuse instances that a method has twice, or that some methods lack."""
    for method, own in found.items():
        if again := int(own.duplicated(order).sum()):
            _refuse_levels(own)
            raise InputError(
                f"each instance must be predicted once, but {method!r} has {again} of {dataset!r} again; "
                "name the columns that tell them apart (repeat='…', fold='…')"
            )
    first_name, first = next(iter(found.items()))
    for method, own in found.items():
        same = len(own) == len(first) and all((own[c] == first[c]).all() for c in [*order, truth])
        if not same:
            raise InputError(
                f"all methods must have predicted the same instances, but {method!r} and {first_name!r} differ on "
                f"{dataset!r} ({len(own)} and {len(first)} rows)"
            )


def _refuse_levels(own: pd.DataFrame) -> None:
    """Refuse predictions at several levels of a factor: to take levels for repeats would mix them."""
    for name in [c for c in own.columns if c in FACTORS and own[c].nunique() > 1]:
        at = f"{name}={level_text(own[name].iloc[0])}"
        raise InputError(
            f"these predictions are at several levels of {name}; choose a level first: keep the rows of one, or "
            f"export one, as results.at({at}).export(…) (command line: fairtrial export --at {at})"
        )
