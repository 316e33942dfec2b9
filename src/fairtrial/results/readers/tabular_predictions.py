"""A table of predictions, wide or long: the role of each column, and the predictions of each method.

Tables of predictions that can't be meant as they stand: refused in words, with what settles them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import FACTORS, level_text
from fairtrial.errors import InputError, UnknownName
from fairtrial.results.how_read import Found, Remark
from fairtrial.results.readers.predicted_columns import (
    INSTEAD,
    NAIVE_SCALE,
    MethodRows,
    Truth,
    classes_of,
    has_more_kinds,
    labels_of,
    quantile_columns,
    quantiles_of_models,
)
from fairtrial.results.readers.read_table import (
    check_names,
    check_roles,
    column_for,
    numbered,
    read_table,
    role_of,
    show_columns,
)
from fairtrial.results.readers.request import Request, Source, kind_of_name, one_spelling, words_in, words_of
from fairtrial.results.readers.score_shapes import (
    are_numbers,
    decorated_number,
    mostly_numbers,
    of_kinds,
    refuse_cells,
    text_cells,
)
from fairtrial.results.readers.summary_lines import describes_rows, summary_word
from fairtrial.results.readers.tabular_scores import without_stages
from fairtrial.results.readers.tested_sets import PredictedSets, TestedSet
from fairtrial.results.score_measures import is_known_measure
from fairtrial.words import is_number, listed, quoted, verb

if TYPE_CHECKING:
    import pandas as pd


ENOUGH_RANKED = 50_000  # instances of each class, whose area is off by less than 0.01
FEWEST_RANKED, CHANCE = 50, 0.1  # rows, and the distance of an area under the ROC curve from 0.5
REVERSED = 0.3  # area under the ROC curve below which numbers seem to be for the other class
MOSTLY = 0.9  # share of numbers in a truth that is meant to hold numbers


def refuse_rows_below(frame: pd.DataFrame, truth: str, instance: str | None, name: str) -> None:
    """Refuse rows that are no predictions: a total or a remark below them would become a class."""
    truths = frame[truth]
    strange = np.zeros(len(frame), dtype=np.bool_)
    if truths.dtype.kind not in "iufb":
        texts = of_kinds(truths, lambda kinds: ~are_numbers(kinds))
        if (~texts & truths.notna()).mean() >= MOSTLY and not any(map(decorated_number, truths[texts].map(str))):
            strange = texts  # decorated numbers are refused as such
        counts = truths.value_counts()
        once = {str(t) for t in counts.index[counts == 1] if summary_word(str(t))}
        strange = strange | of_kinds(truths, lambda kinds: kinds.astype(str).isin(once).to_numpy())
    if instance is not None and frame[instance].dtype.kind not in "iufb":
        ends = {str(entry) for entry in frame[instance].iloc[-5:]}
        totals = [e for e in ends if summary_word(e) or is_known_measure(e)]
        strange = strange | frame[instance].astype(str).isin(totals).to_numpy()
    if strange.any():
        rows = np.flatnonzero(strange)
        shown = ", ".join(str(c) for c in frame.iloc[rows[0]].dropna().tolist()[:3])
        raise InputError(
            f"{name}: each row must be an instance, but {verb(len(rows), 'row', 'rows')} {listed((rows + 1).tolist())} "
            f"below the titles {verb(len(rows), 'looks', 'look')} like a summary or a remark ({shown}); remove "
            f"{verb(len(rows), 'it', 'them')}"
        )


def refuse_odd_scores(channels: Mapping[str, Mapping[str, Any]], dataset: str, truth: Truth, *, ask: bool) -> None:
    """Refuse columns that may be no predictions beside others that are: an age, a cost; ``ask``: nobody named them."""
    if truth.classes:
        odd = [m for m, own in channels.items() if set(own) == {"score"}]
        odd = odd if 0 < len(odd) < len(channels) else _by_chance(channels, truth)
    else:
        odd = _far_off(channels, truth.truth)
    if odd and ask:
        others = [m for m in channels if m not in odd]
        raise InputError(
            f"the numbers of {quoted(odd)} on {dataset!r} may be predictions or not: they are not like those of "
            f"{quoted(others)}; name the methods: methods={others!r} (--methods {','.join(others)}), with {odd[0]!r} "
            "among them if it is one"
        )


def _by_chance(channels: Mapping[str, Mapping[str, Any]], truth: Truth) -> list[str]:
    """The methods whose numbers rank two classes as chance does, where all others are clearly better."""
    if truth.positive is None or len(truth.truth) < FEWEST_RANKED:
        return []
    positive = truth.truth == truth.positive
    shares = {m: own["probability"][:, truth.positive] for m, own in channels.items() if "probability" in own}
    areas = {m: _area(numbers, positive) for m, numbers in shares.items()}
    odd = [m for m, area in areas.items() if abs(area - 0.5) < CHANCE]
    rest = [area for m, area in areas.items() if m not in odd]
    return odd if rest and min(rest) > 0.5 + 2 * CHANCE else []


def _far_off(channels: Mapping[str, Mapping[str, Any]], truth: NDArray[np.float64]) -> list[str]:
    """The methods whose numbers are far off where those of others are near: they may be no predictions."""
    off = {m: float(np.sqrt(np.mean((own["value"] - truth) ** 2))) for m, own in channels.items() if "value" in own}
    far = [m for m, error in off.items() if error > 2 * truth.std()]
    return far if any(error < truth.std() for error in off.values()) else []


def refuse_different_levels(channels: Mapping[str, Mapping[str, Any]], dataset: str) -> None:
    """Refuse methods that predict quantiles of different levels: their losses can't be compared."""
    levels = {m: tuple(own["levels"][0].tolist()) for m, own in channels.items() if "levels" in own}
    for method, own in levels.items():
        first = next(iter(levels))
        if own != levels[first]:
            shown = " and ".join(f"{m!r} ({', '.join(f'{q:g}' for q in levels[m])})" for m in (first, method))
            raise InputError(
                f"all methods must have predicted quantiles of the same levels, but {shown} differ on {dataset!r}; "
                "leave out the columns of levels that only one has"
            )


def refuse_reversed(channels: Mapping[str, Mapping[str, Any]], truth: Truth, positive: object, dataset: str) -> None:
    """Refuse numbers that all rank the other class first, where nobody said of which class they are."""
    if positive is not None or truth.positive is None or len(truth.classes) != 2:
        return
    of_class = [
        own["probability"][:, truth.positive] if "probability" in own else own.get("score") for own in channels.values()
    ]
    areas = [_area(numbers, truth.truth == truth.positive) for numbers in of_class if numbers is not None]
    if areas and max(areas) < REVERSED:
        raise InputError(
            f"the numbers predicted for {dataset!r} rank the class {truth.classes[truth.positive]!r} last; if they are "
            f"for the other one, say positive={truth.classes[1 - truth.positive]!r}, else "
            f"positive={truth.classes[truth.positive]!r} (--positive)"
        )


def _area(numbers: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    """The area under the ROC curve, by ranks; of very many instances of a class that of some, evenly spaced."""
    import pandas as pd

    classes = (np.flatnonzero(positive == is_positive) for is_positive in (True, False))
    rows = np.concatenate([own[:: max(len(own) // ENOUGH_RANKED, 1)] for own in classes])
    numbers, positive = numbers[rows], positive[rows]
    ranks = pd.Series(numbers).rank().to_numpy()
    n, m = int(positive.sum()), int((~positive).sum())
    return float((ranks[positive].sum() - n * (n + 1) / 2) / (n * m))


def refuse_decorated(truth: pd.Series, dataset: str) -> None:
    """Refuse decorated numbers such as '3.5*', which would make a class of each number."""
    strange = np.flatnonzero(text_cells(truth))
    if len(strange) and mostly_numbers(truth) and any(decorated_number(str(truth.iloc[row])) for row in strange):
        refuse_cells(
            repr(dataset), [(f"row {row}", str(truth.iloc[row])) for row in strange], "the truth's values", INSTEAD
        )


UNLABELLED = ("prediction", "predicted", "pred", "y_pred", "yhat")  # titles of the predictions in a long table
OF_LONG = ("label", "value", "score", "std", "positive", NAIVE_SCALE)
BESIDE = words_in("""
text prompt input sentence question answer comment comments note notes source url title body document passage content
latency threshold time seconds runtime duration tokens cost length chars words date timestamp weight confidence_interval
""")  # titles of what stands beside predictions
AT_A_MODEL = words_in(
    "prob proba conf confidence std sd lo hi low high lower upper resid residual err error time correct right wrong p0"
)
MOST_CLASSES = 20
ASCENDING = 0.9  # share of neighbouring quantiles that ascend with their levels; others cross
FEWEST_MISSES, NEAR_MISS, FAR_MISS = 10, 0.5, 0.75  # wrong predictions, and how far they are off, as a share of chance


def read_prediction_table(source: Source, request: Request) -> PredictedSets:
    """The predictions in a table, a file or a frame, of each method on each data set."""
    frame, name, notes = read_table(source, (request.dataset, request.method))
    roles = _find_roles(frame, request, name)
    check_roles(asdict(roles))
    check_names(frame, {role: column for role, column in asdict(roles).items() if role != "truth"}, name)
    refuse_rows_below(frame, roles.truth, roles.instance, name)
    if frame[roles.truth].isna().any():
        empty = int(frame[roles.truth].isna().sum())
        raise InputError(f"{name}: the truth must be known, but {empty} rows of {roles.truth!r} are empty")
    frame, stages = without_stages(frame, roles.fold, name)
    frame, joined = _one_name_each(frame, roles)
    frame, copies = _without_copies(frame, roles, name)
    frame, quantiles = _with_quantiles(frame, roles, request)
    frame, methods, unused = _chosen_methods(frame, roles, request, name, quantiles)
    unused += [Remark("quantiles", tuple(own.values())) for own in (methods or {}).values() if own]
    sets = tuple(_parts(frame, roles, methods, request, name))
    columns = {role: column for role, column in asdict(roles).items() if column is not None}
    return PredictedSets(
        sets,
        name,
        has_folds=roles.fold is not None,
        notes=notes,
        columns=columns,
        remarks=(*stages, *unused, *joined, *copies),
    )


Models: TypeAlias = dict[str, dict[float, str]]
"""The models of a wide table, each with its columns of quantiles by level; mostly there are none."""


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

    def places(self) -> list[str]:
        """The columns that tell predictions apart."""
        return [c for c in (self.dataset, self.method, self.repeat, self.fold, self.instance) if c]

    def needs_repeat(self, frame: pd.DataFrame) -> bool:
        """Whether a column of repeats tells instances apart that nothing else does."""
        if self.repeat is None or frame[self.repeat].nunique() < 2:
            return False
        if self.instance is None:
            return self.method is None
        without = frame[[c for c in self.places() if c != self.repeat]].duplicated()
        return bool(without.any()) and not frame[self.places()].duplicated().any()


def _find_roles(frame: pd.DataFrame, request: Request, name: str) -> _Roles:
    t = column_for(frame, "truth", request.truth)
    if t is None:
        raise InputError(
            f"{name}: no column holds the true values; columns found: {show_columns(frame)}; "
            "try read_predictions(path, truth='…')"
        )
    found = _Roles(
        truth=t,
        dataset=column_for(frame, "dataset", request.dataset, [t]),
        method=column_for(frame, "method", request.method, [t]),
        instance=column_for(frame, "instance", request.instance, [t]),
        repeat=column_for(frame, "repeat", request.repeat, [t]),
        fold=column_for(frame, "fold", request.fold, [t]),
        cluster=column_for(frame, "cluster", request.cluster, [t]),
    )
    return found if request.repeat or request.resampling or found.needs_repeat(frame) else replace(found, repeat=None)


def _one_name_each(frame: pd.DataFrame, roles: _Roles) -> tuple[pd.DataFrame, list[Remark]]:
    """The rows with one spelling of the name of each data set and method."""
    remarks = []
    for column, noun in ((roles.dataset, "data set"), (roles.method, "method")):
        if column is not None:
            names, joined = one_spelling(frame[column].astype(str))
            frame = frame.assign(**{column: names})
            remarks += [Remark("one name", spellings, noun) for spellings in joined]
    return frame, remarks


def _without_copies(frame: pd.DataFrame, roles: _Roles, name: str) -> tuple[pd.DataFrame, list[Remark]]:
    """The rows without copies of instances; an instance with two different rows is refused."""
    if roles.instance is None or roles.method is not None:  # a long table is checked method by method
        return frame, []
    again = frame.duplicated(roles.places())
    if not again.any():
        return frame, []
    copies = frame.duplicated()
    if not copies[again].all():
        first = frame.loc[again & ~copies, roles.instance].iloc[0]
        raise InputError(
            f"{name}: each instance must be there once, but {str(first)!r} of {roles.instance!r} has several rows; "
            "name the columns that tell them apart (repeat='…', fold='…', dataset='…'), or remove them"
        )
    return frame[~again].reset_index(drop=True), [
        Remark("copies", why=f"by {roles.instance!r}", count=int(again.sum()))
    ]


def _with_quantiles(frame: pd.DataFrame, roles: _Roles, request: Request) -> tuple[pd.DataFrame, Models]:
    """The quantile columns of each model of a wide table; the median is the column of a model that has no other.

    Titles such as gpt:0.2 may be of a model at several temperatures: quantiles ascend, and are of numbers.
    """
    truth = frame[roles.truth]
    of_numbers = truth.dtype.kind in "iuf" and (request.task() == "values" or bool((truth % 1 != 0).any()))
    if roles.method is not None or not of_numbers:
        return frame, {}
    numeric = [str(c) for c in frame.columns if c not in roles.taken() and frame[c].dtype.kind in "iuf"]
    found = {
        model: own
        for model, own in quantiles_of_models(numeric).items()
        if (np.diff(frame[list(own.values())].to_numpy(dtype=float), axis=1) >= 0).mean() >= ASCENDING
    }
    medians = {m: frame[own[0.5]] for m, own in found.items() if 0.5 in own and m not in frame.columns}
    return frame.assign(**medians), found


def _chosen_methods(
    frame: pd.DataFrame, roles: _Roles, request: Request, name: str, quantiles: Models
) -> tuple[pd.DataFrame, Models | None, list[Remark]]:
    """The rows and columns of the methods, and the columns that are not used; None: methods are in rows."""
    wanted = request.methods
    of_quantiles = {c for own in quantiles.values() for c in own.values()} | ({NAIVE_SCALE} if not wanted else set())
    others = [str(c) for c in frame.columns if c not in roles.taken()]
    if roles.method is None:
        others = list(dict.fromkeys([*(c for c in others if c not in of_quantiles), *quantiles]))
    known = others if roles.method is None else list(frame[roles.method].unique())
    for method in wanted or ():
        if method not in known:
            raise UnknownName.among("method in this file", method, known)
    if roles.method is not None:
        frame = frame if wanted is None else frame[frame[roles.method].isin(list(wanted))].reset_index(drop=True)
        used = {*OF_LONG, *quantile_columns(others).values()}
        aside = [c for c in others if c not in used and not c.startswith("p_") and c.lower() not in UNLABELLED]
        return frame, None, [Remark("not used", tuple(aside))] if aside else []
    models = [c for c in others if c in quantiles or not _is_beside(frame, c, roles)] if wanted is None else [*wanted]
    if not models:
        raise InputError(f"{name}: no column holds predictions; columns found: {show_columns(frame)}")
    aside = [c for c in others if c not in models]
    return frame, {m: quantiles.get(m, {}) for m in models}, [Remark("not used", tuple(aside))] if aside else []


def _is_beside(frame: pd.DataFrame, title: str, roles: _Roles) -> bool:
    """Whether a column of a wide table is none of predictions: called so, or free text that no truth has."""
    words = words_of(title)
    if role_of(title) in ("repeat", "fold", "instance", "dataset") or summary_word(title) == "sure":
        return True
    if words and (words[-1] in BESIDE or set(words) <= BESIDE | {"s", "ms", "sec", "usd"}):
        return True
    if words[:1] == words_of(roles.truth) and len(words) > 1:
        return True  # the truth in another form
    models = (words_of(str(c)) for c in frame.columns if c != title and c not in roles.taken())
    plain = [[w for w in own if w not in ("pred", "p1")] for own in models]
    if any(own and words[: len(own)] == own and set(words[len(own) :]) & AT_A_MODEL for own in plain):
        return True  # it belongs to a model
    classes = set(map(str, frame[roles.truth].unique()))
    holds_numbers = frame[title].dtype.kind in "iufb"
    many = holds_numbers and has_more_kinds(frame[title], len(classes))
    texts = [] if many else list(dict.fromkeys(map(str, frame[title].dropna().unique())))
    if not many and set(texts) <= classes:
        return False
    if holds_numbers:
        numbers = frame[title].dtype.kind in "iu" and frame[title].is_unique and len(frame) > MOST_CLASSES
        counts = numbers and bool((frame[title].diff().dropna() == 1).all())
        return counts or (describes_rows(title) and not kind_of_name(title))
    strange = [text for text in texts if text not in classes and not is_number(text)]
    return len(strange) > 2 * len(classes) + 5 and len(strange) > 0.5 * len(texts)


def _parts(
    frame: pd.DataFrame, roles: _Roles, methods: Models | None, request: Request, name: str
) -> Iterator[TestedSet]:
    if roles.dataset is None:
        yield _test_set(frame, roles, methods, Path(name).stem, request)
        return
    for dataset, own in frame.groupby(roles.dataset, sort=False):
        yield _test_set(own.reset_index(drop=True), roles, methods, str(dataset), request)


def _test_set(frame: pd.DataFrame, roles: _Roles, methods: Models | None, dataset: str, request: Request) -> TestedSet:
    per_method, positive, task = _by_method(frame, roles, methods, dataset), request.positive, request.task()
    if positive is None and roles.method is not None and "positive" in frame.columns:
        positive = next(iter(frame["positive"].dropna()), None)
    first = next(iter(per_method.values())).rows
    column = first[roles.truth]
    refuse_decorated(column, dataset)
    if _task(column, per_method, task, dataset) == "values":
        truth = Truth(column.to_numpy(dtype=float))
    else:
        classes = labels_of(column).texts
        truth = classes_of(column, positive, dataset, any(own.ranks(classes) for own in per_method.values()))
    notes = list(truth.notes)
    found = {m: own.channels(truth, f"{m!r} on {dataset!r}") for m, own in per_method.items()}
    channels = {m: own for m, (own, _) in found.items()}
    refuse_different_levels(channels, dataset)
    refuse_odd_scores(channels, dataset, truth, ask=request.methods is None and roles.method is None)
    refuse_reversed(channels, truth, request.positive, dataset)
    for method, own_channels in channels.items():
        if strange := int((own_channels.get("label", np.zeros(1)) == -1).sum()):
            notes.append(f"{method} on {dataset}: predictions that are none of the classes count as wrong ({strange})")
    return TestedSet(
        dataset, truth.truth, truth.classes, truth.positive, numbered(first, roles.repeat), numbered(first, roles.fold),
        None if roles.cluster is None else numbered(first, roles.cluster), channels, tuple(notes),
        _remarks({m: remark for m, (_, remark) in found.items()}),
    )  # fmt: skip


def _remarks(found: Mapping[str, Found | None]) -> tuple[Remark, ...]:
    """What was found out about the numbers of each method, the same for several in one remark."""
    kinds = dict.fromkeys(kind for kind in found.values() if kind is not None)
    why = {"scores": "from 0 to 100, but worse than a guess as probabilities in percent"}
    return tuple(Remark(kind, tuple(m for m, k in found.items() if k == kind), why=why.get(kind, "")) for kind in kinds)


def _task(truth: pd.Series, per_method: Mapping[str, MethodRows], asked: str | None, dataset: str) -> str:
    """The task: that of the measure; else few different whole numbers are classes, unless fractions are predicted.

    Of many whole numbers the mistakes tell: numbers that are predicted wrongly are near the truth, classes are not.
    """
    import pandas as pd

    if pd.api.types.is_bool_dtype(truth) or not pd.api.types.is_numeric_dtype(truth):
        return "classes"
    if asked in ("classes", "values"):
        return asked
    if not (truth % 1 == 0).all():
        return "values"
    fractions = any(own.predicts_fractions() for own in per_method.values())
    if truth.nunique() <= MOST_CLASSES or fractions:
        return "values" if truth.nunique() > 2 and fractions else "classes"
    miss = np.concatenate([own.distances(truth.to_numpy(dtype=float)) for own in per_method.values()])
    usual = float(np.abs(np.subtract.outer(*[np.resize(truth.to_numpy(dtype=float), 500)] * 2)).mean())
    far = miss.mean() / usual if len(miss) >= FEWEST_MISSES else math.nan
    if truth.nunique() > 0.5 * len(truth) or far < NEAR_MISS:
        return "values"
    if far > FAR_MISS:
        return "classes"
    raise InputError(
        f"the truth of {dataset!r} has {truth.nunique()} different whole numbers, which may be classes or values; name "
        "a measure: measure='accuracy' for classes, measure='rmse' for values (--measure)"
    )


def _by_method(frame: pd.DataFrame, roles: _Roles, methods: Models | None, dataset: str) -> dict[str, MethodRows]:
    """The rows of each method, instances in one order."""
    if methods is not None:
        places = frame[sorted({*roles.taken(), *({NAIVE_SCALE} & set(frame.columns))})]
        titles = {m: {column: f"q{level:.15g}" for level, column in own.items()} for m, own in methods.items()}
        rows = {m: places.join(frame[list(own)].rename(columns=own)) if own else places for m, own in titles.items()}
        return {m: MethodRows(rows[m], frame.get(m)) for m in methods}
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
