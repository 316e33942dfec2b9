"""Predictions from elsewhere: of several models, on the same instances, whoever made them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import FACTORS, Question
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import computable, get
from fairtrial.resampling import Dependence, parse
from fairtrial.results.readers.read_table import column_for, read_table, show_columns
from fairtrial.results.readers.table_predictions import TablePredictions, TestedSet
from fairtrial.results.readers.text_cells import has_numbers, is_decorated, mostly_numbers, refuse_cells, text_cells
from fairtrial.results.results import Results

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_predictions"]

SAID = ("prediction", "predicted", "pred", "y_pred", "yhat")  # what a long table may call its predictions
CODED = (("0", "1"), ("-1", "1"), ("False", "True"))
MOST_CLASSES = 20
DEFAULTS = {"classes": ("accuracy", "average_recall"), "values": ("rmse", "mae", "r2")}

INSTEAD = "take out what can't be predicted, for all methods"


def read_predictions(
    source: str | Path | pd.DataFrame,
    *,
    truth: str | None = None,
    measure: str | None = None,
    dataset: str | None = None,
    method: str | None = None,
    instance: str | None = None,
    repeat: str | None = None,
    fold: str | None = None,
    cluster: str | None = None,
    resampling: str | None = None,
    positive: object = None,
) -> Results:
    """Results from per-instance predictions of several models on the same test set or sets.

    - wide: a row per instance, the column ``truth``, and a column per model. A model's column holds labels, or
      numbers: with two classes, shares between 0 and 1 are probabilities of the positive one, other numbers are scores
      that are higher for it. The positive class is ``positive``, else 1 of 0 and 1 (or −1 and 1, or True);
    - long: dataset, instance, method, truth, and ``label`` or ``value`` or ``score`` or ``p_<class>`` columns; besides
      ``value`` perhaps ``std``, the standard deviation of a predicted distribution (empty for methods without one).

    A label that is none of the classes is wrong. Whole numbers of at most 20 kinds are taken as classes, unless
    ``measure`` is one for numeric targets. All models must have predicted the same instances.

    In a long table a column ``positive`` may say, per data set, which class is the positive one.

    ``cluster`` names a column whose equal entries belong together (one patient, one document): such rows are not
    independent evidence. Without ``fold`` these are fixed models on one
    test set, and the verdict speaks of the models, not of the algorithms that made them.
    """
    frame, name = read_table(source)
    t = column_for(frame, "truth", truth)
    if t is None:
        raise InputError(
            f"{name}: no column holds the true values; columns found: {show_columns(frame)}; "
            "try read_predictions(path, truth='…')"
        )
    roles = _Roles(
        truth=t,
        dataset=column_for(frame, "dataset", dataset, [t]),
        method=column_for(frame, "method", method, [t]),
        instance=column_for(frame, "instance", instance, [t]),
        repeat=column_for(frame, "repeat", repeat, [t]) if repeat or resampling else None,
        fold=column_for(frame, "fold", fold, [t]),
        cluster=column_for(frame, "cluster", cluster, [t]),
    )
    if frame[t].isna().any():
        raise InputError(f"{name}: the truth must be known, but {int(frame[t].isna().sum())} rows of {t!r} are empty")
    sets = tuple(_parts(frame, roles, positive, None if measure is None else get(measure).task, name))
    tasks = {s.task for s in sets}
    if len(tasks) > 1:
        raise InputError(f"{name}: all data sets must have one task, but some have classes and some have values")
    made = TablePredictions(sets)
    chosen = _measures(measure, made, tasks.pop())
    about = "algorithm" if roles.fold is not None or resampling else "model"
    return Results(
        scores=made.scores(chosen),
        question=Question(measure=chosen[0], about=about),  # type: ignore[arg-type]
        dependence={s.dataset: _dependence(s, resampling) for s in sets},
        measures={m: get(m) for m in chosen},
        failures=_no_failures(),
        datasets={s.dataset: s.facts() for s in sets},
        notes=tuple(dict.fromkeys(n for s in sets for n in s.notes)),
        provenance={"source": name},
        source=made,
    )


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


def _dependence(s: TestedSet, resampling: str | None) -> Dependence:
    """What was declared, checked against how many folds there are."""
    places = len(np.unique(np.stack([s.repeat, s.fold]), axis=1).T)
    if resampling is None:
        return Dependence("one test set", 1, 1) if places == 1 else Dependence.unknown()
    declared = parse(resampling).dependence().counted(places)
    wanted = declared.repeats * declared.folds
    if wanted and places != wanted:
        raise InputError(
            f"resampling={resampling!r} means {wanted} test sets, but {s.dataset!r} has {places}; "
            "name the columns that number them (repeat='…', fold='…')"
        )
    return declared


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
    first = next(iter(per_method.values()))
    _refuse_decorated(first[roles.truth], dataset)
    if _task(first[roles.truth], per_method, task) == "values":
        told = _Truth(first[roles.truth].to_numpy(dtype=float))
    else:
        ranked = any(_gives_numbers(own, set(_labels(first[roles.truth]))) for own in per_method.values())
        told = _truth(first[roles.truth], positive, dataset, ranked)
    notes = list(told.notes)
    channels = {m: _channels(own, m, told.classes, told.positive, dataset) for m, own in per_method.items()}
    for method, own_channels in channels.items():
        if strange := int((own_channels.get("label", np.zeros(1)) == -1).sum()):
            notes.append(f"{method} on {dataset}: predictions that are none of the classes count as wrong ({strange})")
    return TestedSet(
        dataset, told.truth, told.classes, told.positive, _codes(first, roles.repeat), _codes(first, roles.fold),
        None if roles.cluster is None else _codes(first, roles.cluster), channels, tuple(notes),
    )  # fmt: skip


def _refuse_decorated(truth: pd.Series, dataset: str) -> None:
    """Among numbers, '3.5*' would make a class of each of them."""
    strange = np.flatnonzero(text_cells(truth))
    if len(strange) and mostly_numbers(truth) and any(is_decorated(str(truth.iloc[row])) for row in strange):
        refuse_cells(
            repr(dataset), [(f"row {row}", str(truth.iloc[row])) for row in strange], "the truth's values", INSTEAD
        )


def _task(truth: pd.Series, per_method: Mapping[str, pd.DataFrame], asked: str | None) -> str:
    """As the measure asks; else whole numbers of few kinds are classes, unless fractions are predicted."""
    import pandas as pd

    if pd.api.types.is_bool_dtype(truth) or not pd.api.types.is_numeric_dtype(truth):
        return "classes"
    if asked in ("classes", "values"):
        return asked
    if not (truth % 1 == 0).all() or truth.nunique() > MOST_CLASSES:
        return "values"
    fractions = any(_has_fractions(own[c]) for own in per_method.values() for c in ("", "value") if c in own.columns)
    return "values" if truth.nunique() > 2 and fractions else "classes"


def _has_fractions(column: pd.Series) -> bool:
    import pandas as pd

    return pd.api.types.is_numeric_dtype(column) and bool((column.dropna() % 1 != 0).any())


def _gives_numbers(own: pd.DataFrame, classes: set[str]) -> bool:
    """Whether a method's single column, or its column of scores, ranks instances for one class."""
    import pandas as pd

    column = own.get("", own.get("score"))
    return column is not None and pd.api.types.is_numeric_dtype(column) and not set(_labels(column)) <= classes


def _by_method(frame: pd.DataFrame, roles: _Roles, dataset: str) -> dict[str, pd.DataFrame]:
    """For each method a frame with the truth and its own prediction columns, instances in one order."""
    if roles.method is None:
        models = [str(c) for c in frame.columns if c not in roles.taken()]
        if not models:
            raise InputError(f"no column holds predictions; columns found: {show_columns(frame)}")
        keep = sorted(roles.taken())
        return {m: frame[keep].assign(**{"": frame[m]}) for m in models}
    order = [c for c in (roles.repeat, roles.fold, roles.instance) if c]
    said = next((c for c in frame.columns if str(c).lower() in SAID), None)
    if said is not None and not {"label", "value", "score"} & set(frame.columns):
        frame = frame.rename(columns={said: ""})
    if roles.instance is None:
        raise InputError(f"long predictions need a column that numbers the instances; columns: {show_columns(frame)}")
    found = {
        str(m): own.sort_values(order).reset_index(drop=True) for m, own in frame.groupby(roles.method, sort=False)
    }
    for method, own in found.items():
        if again := int(own.duplicated(order).sum()):
            _one_level(own)
            raise InputError(
                f"each instance must be predicted once, but {method!r} has {again} of {dataset!r} again; "
                "name the columns that tell them apart (repeat='…', fold='…')"
            )
    first_name, first = next(iter(found.items()))
    for method, own in found.items():
        same = len(own) == len(first) and all((own[c] == first[c]).all() for c in [*order, roles.truth])
        if not same:
            raise InputError(
                f"all methods must have predicted the same instances, but {method!r} and {first_name!r} differ on "
                f"{dataset!r} ({len(own)} and {len(first)} rows)"
            )
    return found


def _one_level(own: pd.DataFrame) -> None:
    """Refuse predictions at several levels of a factor: to take levels for repeats would mix them."""
    for name in [c for c in own.columns if c in FACTORS and own[c].nunique() > 1]:
        at = f"{name}={own[name].iloc[0]:g}"
        raise InputError(
            f"these predictions are at several levels of {name}; choose a level first: keep the rows of one, or "
            f"export one, as results.at({at}).export(…) (command line: fairtrial export --at {at})"
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Truth:
    """The truth as class numbers (or values), the classes, which of two is positive, and what was decided."""

    truth: NDArray[Any]
    classes: tuple[str, ...] = ()
    positive: int | None = None
    notes: tuple[str, ...] = ()


def _truth(column: pd.Series, positive: object, dataset: str, ranked: bool) -> _Truth:
    """A truth of classes; ``ranked``: some method gives numbers instead of labels, so the positive class matters."""
    import pandas as pd

    codes, classes = _labels(column), tuple(sorted(set(_labels(column))))
    truth = np.searchsorted(np.asarray(classes), np.asarray(codes)).astype(np.int64)
    if len(classes) < 2:
        raise InputError(f"the truth must have at least two classes, but all of {dataset!r} are {classes[0]!r}")
    if len(classes) > 2:
        numeric = pd.api.types.is_numeric_dtype(column)
        note = (
            f"{dataset}: the {len(classes)} whole numbers of the truth are taken as classes (measure='rmse' for values)"
        )
        return _Truth(truth, classes, None, (note,) if numeric else ())
    if positive is not None:
        if _text(positive) not in classes:
            raise UnknownName.among("class (given as positive)", str(positive), classes)
        return _Truth(truth, classes, classes.index(_text(positive)))
    if ranked:
        if classes not in CODED:
            raise InputError(
                f"the numbers predicted for {dataset!r} must be for one class, but nobody said which; "
                f"say positive={classes[1]!r} or positive={classes[0]!r} (--positive)"
            )
        return _Truth(truth, classes, 1, (f"{dataset}: positive class: {classes[1]!r} (none was declared)",))
    rarer = int(np.bincount(truth)[1] <= np.bincount(truth)[0])
    note = f"{dataset}: positive class: {classes[rarer]!r}, the rarer of the two (none was declared)"
    return _Truth(truth, classes, rarer, (note,))


def _text(value: object) -> str:
    """A label as text: 1 and 1.0 are the same label."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    return str(value)


def _labels(column: pd.Series) -> list[str]:
    return [_text(v) for v in column]


def _channels(
    own: pd.DataFrame, method: str, classes: tuple[str, ...], positive: int | None, dataset: str
) -> dict[str, NDArray[Any]]:
    """What one method said: from its single column (wide), or from label, value, score and p_<class> columns (long)."""
    import pandas as pd

    single = own[""] if "" in own.columns else None
    there = set(own.columns[own.notna().any()])  # a column may be there for other methods only
    given = {c: own[c] for c in ("label", "value", "score") if single is None and c in there}
    shares = [own[f"p_{c}"] for c in classes if f"p_{c}" in there]
    if single is not None:
        given = {_kind(single, classes): single}
    for column in (*given.values(), *shares):
        if column.isna().any():
            raise InputError(f"{method!r} on {dataset!r}: {int(column.isna().sum())} predictions are empty")
    found: dict[str, NDArray[Any]] = {}
    for kind, column in given.items():
        if kind == "label":
            known = {c: i for i, c in enumerate(classes)}
            found["label"] = np.asarray([known.get(v, -1) for v in _labels(column)], dtype=np.int64)
        elif classes and not pd.api.types.is_numeric_dtype(column) and not has_numbers(column):
            strange = next((v for v in _labels(column) if v not in classes), "")
            raise InputError(
                f"{method!r} on {dataset!r} must predict one of the classes {', '.join(classes[:5])}, or give numbers, "
                f"but there is {strange!r}"
            )
        else:
            found[kind] = _numbers(column, f"{method!r} on {dataset!r}", "predictions")
    if classes and len(shares) == len(classes):
        where = f"{method!r} on {dataset!r}"
        found["probability"] = np.column_stack([_numbers(s, where, f"probabilities ({s.name})") for s in shares])
    elif positive is not None and "score" in found and _are_shares(found["score"]):
        found["probability"] = _two_columns(found.pop("score"), positive)
    if "probability" in found and "label" not in found:
        found["label"] = found["probability"].argmax(axis=1).astype(np.int64)
    if "value" in found and "std" in there:
        found["std"] = _deviations(own["std"], method, dataset)
    if not found:
        raise InputError(f"{method!r} on {dataset!r}: no column holds predictions; columns: {show_columns(own)}")
    return found


def _numbers(column: pd.Series, where: str, what: str) -> NDArray[np.float64]:
    """A column as numbers; cells that are text are named."""
    import pandas as pd

    values: NDArray[np.float64] = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float)
    strange = np.flatnonzero(np.isnan(values))
    refuse_cells(where, [(f"row {row}", str(column.iloc[row])) for row in strange], what, INSTEAD)
    return values


def _deviations(column: pd.Series, method: str, dataset: str) -> NDArray[np.float64]:
    import pandas as pd

    values: NDArray[np.float64] = pd.to_numeric(column, errors="coerce").to_numpy(dtype=float)
    bad = ~(np.isfinite(values) & (values >= 0))
    if bad.any():
        raise InputError(
            f"{method!r} on {dataset!r}: std must be a number of at least 0 for each instance, "
            f"but {bad.sum()} are not, such as {column[bad].iloc[0]}"
        )
    return values


def _kind(column: pd.Series, classes: tuple[str, ...]) -> str:
    """What a model's single column holds: values, labels (perhaps of no class), or scores of the positive class."""
    import pandas as pd

    if not classes:
        return "value"
    labels = set(_labels(column.dropna()))
    if labels <= set(classes):
        return "label"
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        return "label" if len(classes) > 2 and not _has_fractions(column) else "score"
    return "label" if labels & set(classes) else "score"


def _are_shares(values: NDArray[Any]) -> bool:
    return bool(((values >= 0) & (values <= 1)).all())


def _two_columns(shares: NDArray[Any], positive: int) -> NDArray[Any]:
    columns = [1 - shares, shares] if positive == 1 else [shares, 1 - shares]
    return np.column_stack(columns)


def _codes(frame: pd.DataFrame, column: str | None) -> NDArray[np.int64]:
    import pandas as pd

    if column is None:
        return np.zeros(len(frame), dtype=np.int64)
    return np.asarray(pd.factorize(frame[column], sort=True)[0], dtype=np.int64)


def _measures(asked: str | None, made: TablePredictions, task: str) -> list[str]:
    """The one that was asked for, then the usual ones that can be computed for all."""
    channels = set.intersection(*(set(c) for s in made.sets for c in s.channels.values()))
    usual = DEFAULTS[task] + (("auc", "log_loss") if task == "classes" else ())
    wanted = [get(asked).name] if asked else []
    found = list(dict.fromkeys([*wanted, *computable(usual, channels)]))
    if not found:
        shown = "; ".join(f"{m}: {', '.join(c)}" for s in made.sets[:1] for m, c in s.channels.items())
        raise InputError(f"no usual measure can be computed for all methods ({shown}); name one with measure='…'")
    return found


def _no_failures() -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(columns=["dataset", "method", "repeat", "fold", "error"])
