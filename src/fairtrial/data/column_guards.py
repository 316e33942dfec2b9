"""Guards of columns: features that give the target away, and columns that are no features at all."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairtrial.notices import Notice, guard
from fairtrial.tables import formats
from fairtrial.words import plural, quoted, verb

if TYPE_CHECKING:
    from fairtrial.data.dataset import Dataset, Feature, FloatArray

MOST_ROWS = 20_000
"""The number of rows that are looked at where there are more."""

FEWEST_ROWS = 20
"""The number of rows below which the order or the difference of values says little."""

FIRST_DATE = 1900_01_01  # the first of January 1900, as a number

DATES = "dates"
"""What the readers of files say of a column of dates: ``evidence["holds"]`` of their note."""

NEARLY, OTHERS = 0.01, 0.2
"""Errors as shares of the instances outside the largest class: a feature that gives the target away has at most 1 %,
where every other feature has at least 20 %."""

MONOTONE, COPY, OTHERS_RANK = 0.999, 0.9999, 0.95
"""Rank correlations with a target of values: of a feature that gives it away, of a copy, of all other features."""

BY_CHANCE = 1e-6
"""The probability below which a perfect feature is no chance."""

CODES = r"id|ids|uuid|guid|index|idx|key|code|nr|no|num|number|ref|rownames|row"
PEOPLE = (
    r"patient|subject|person|user|customer|client|participant|respondent|household|family|animal|speaker|student|child|"
    r"session|visit|device|sensor|specimen|donor|account|employee|member|player|author|writer|store|school|hospital|"
    r"site|centre|center|batch|cluster|group|block"
)
IDENTIFIER = re.compile(rf"(?:^|_)(?:{CODES})$|^(?:{CODES})_|^unnamed_0$")
BELONGING = re.compile(rf"(?:^|_)(?:{PEOPLE})s?(?:_?(?:{CODES}|name))?$|(?:^|_)(?:id|uuid)$")
TIME = re.compile(r"(?:^|_)(?:date|time|datetime|timestamp|day|when|epoch)(?:_|$)")

MANY_GROUPS, MOST_PER_GROUP, MOST_SHARE = 10, 50, 0.9
"""Groups are many (at least 10), have few rows (at most 50 on average), and repeat (at most 0.9 values per row)."""


@guard(stage="data", sees="dataset")
def revealing_feature(data: Dataset) -> Iterator[Notice]:
    """A feature that alone predicts the target, as a copy of it would, where no other feature comes near."""
    rows = row_sample(data.n)
    judge = _class_errors if data.task == "classes" else _rank_errors
    X = data.X[rows]
    if data.p < 2 or (found := judge(data, X, rows)) is None:
        return
    places, best, copies = found
    names = [data.features[j].name for j in places]
    capped = f" (of {data.n:,} rows, {len(rows):,} were looked at)" if len(rows) < data.n else ""
    many = len(names)
    what = (
        f"{verb(many, 'feature', 'features')} {quoted(names)} alone {verb(many, 'predicts', 'predict')} the target "
        f"({best}){capped}"
    )
    yield Notice(
        f"{data.name}: the {what}, as if made from it",
        "grave" if copies else "warning",
        about=data.name,
        evidence={"features": names, "is_copy": copies, "looked_at": len(rows)},
        remedy=f"leave {verb(many, 'it', 'them')} out, unless the value is known before the target is",
    )


def _class_errors(data: Dataset, X: FloatArray, rows: npt.NDArray[np.intp]) -> tuple[list[int], str, bool] | None:
    """The features from which the class follows, how well, and whether they are copies."""
    codes, counts = data.codes[rows], np.bincount(data.codes[rows])
    counts = counts[counts > 0]
    outside = len(rows) - int(counts.max())
    ways = math.lgamma(len(rows) + 1) - sum(math.lgamma(c + 1) for c in counts.tolist()) - math.lgamma(len(counts) + 1)
    if outside == 0 or math.log(X.shape[1]) - ways > math.log(BY_CHANCE):
        return None
    errors = np.array([_rule_errors(X[:, j], codes, f) for j, f in enumerate(data.features)])
    good = errors <= NEARLY * outside
    if not _are_few(good) or errors[~good].min() < OTHERS * outside:
        return None
    places = np.flatnonzero(good).tolist()
    copies = any(len(np.unique(X[:, j])) == len(counts) for j in places)
    accuracy = formats.percent(1 - float(errors[good].min()) / len(rows))
    return places, f"{accuracy} correct; no other feature comes near", copies


def _rule_errors(values: FloatArray, codes: npt.NDArray[np.int64], feature: Feature) -> float:
    """The number of instances that a rule on one feature gets wrong.

    The rule names the most frequent class of each value. A number of many values must also have few changes of class
    along its order: each instance in the wrong place makes two. Of a category, a value that occurs once says nothing.
    """
    order = np.argsort(values, kind="stable")
    ordered, labels = values[order], codes[order]
    new = np.concatenate([[True], (ordered[1:] != ordered[:-1]) & ~(np.isnan(ordered[1:]) & np.isnan(ordered[:-1]))])
    place, k = np.cumsum(new) - 1, int(codes.max()) + 1
    table = np.bincount(place * k + labels, minlength=(place[-1] + 1) * k).reshape(-1, k)
    wrong = len(values) - int(table.max(axis=1).sum())
    if feature.kind == "nominal":
        return float(wrong + (table.sum(axis=1) == 1).sum())
    changes = int((np.diff(table.argmax(axis=1)) != 0).sum())
    return wrong + max(0.0, (changes - (len(np.unique(codes)) - 1)) / 2)


def _rank_errors(data: Dataset, X: FloatArray, rows: npt.NDArray[np.intp]) -> tuple[list[int], str, bool] | None:
    """The features that rise or fall with the target."""
    if len(rows) < FEWEST_ROWS:
        return None
    target = ranks(data.target[rows])
    found = np.array([_correlation(ranks(X[:, j]), target) for j in range(X.shape[1])])
    good = found >= MONOTONE
    if not _are_few(good) or found[~good].max() > OTHERS_RANK:
        return None
    best, other = float(found[good].max()), float(found[~good].max())
    places = np.flatnonzero(good).tolist()
    return places, f"rank correlation {formats.auto(best)}; the best other has {formats.auto(other)}", best >= COPY


def _are_few(good: npt.NDArray[np.bool_]) -> bool:
    """Whether some features are good, but no more than a quarter of all: data may also be easy."""
    return bool(0 < good.sum() <= max(1, len(good) // 4) and not good.all())


@guard(stage="data", sees="dataset")
def date_columns(data: Dataset) -> Iterator[Notice]:
    """Dates that are used as features, or that say an order which is not declared."""
    names = date_names(data)
    if names:
        missing = ", and no order is declared: random splits train on the future" if data.order is None else ""
        declare = f"declare it (order={names[0]!r}) and test forward in time, or " if data.order is None else ""
        yield Notice(
            f"{data.name}: {verb(len(names), 'column', 'columns')} {quoted(names)} "
            f"{verb(len(names), 'is a date and used as a feature', 'are dates and used as features')}{missing}",
            about=data.name,
            evidence={"columns": names},
            remedy=f"{declare}leave {verb(len(names), 'it', 'them')} out",
        )


def date_names(data: Dataset) -> list[str]:
    """The features that are dates: by their reader, by values like 20240131, or by name and rising numbers."""
    said = {n.evidence.get("column") for n in data.notes if n.evidence.get("holds") == DATES}
    large = np.nan_to_num(data.X[:FEWEST_ROWS]).max(axis=0) >= FIRST_DATE  # most columns need no closer look
    return [
        f.name
        for j, f in enumerate(data.features)
        if f.name in said
        or (
            f.kind == "numeric"
            and data.n >= FEWEST_ROWS
            and (large[j] or TIME.search(_plain(f.name)))
            and _is_date(f.name, data.X[:, j])
        )
    ]


def _is_date(name: str, values: FloatArray) -> bool:
    known = values[~np.isnan(values)]
    if not known.size or known.min() <= 0 or len(np.unique(known[:1000])) < 10:
        return False
    named = TIME.search(_plain(name)) is not None
    since_1970 = known.min() >= 3e8 and known.max() <= 4e12  # seconds or milliseconds
    if named and (since_1970 or (np.diff(values) > 0).all()):
        return True
    if known.min() < FIRST_DATE or known.max() > 2100_12_31 or not _are_whole(known):
        return False
    month, day = known // 100 % 100, known % 100
    return bool(((month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)).all())


@guard(stage="data", sees="dataset")
def identifier_columns(data: Dataset) -> Iterator[Notice]:
    """Features that only name or count the rows: identifiers and row numbers."""
    if data.n < FEWEST_ROWS:
        return
    dates = set(date_names(data))
    found = {f.name: kind for f, kind in zip(data.features, _identities(data), strict=True) if kind}
    for kind in ("a row number", "an identifier"):
        names = [name for name in found if found[name] == kind and name not in dates]
        if names:
            several = {"a row number": "row numbers", "an identifier": "identifiers"}[kind]
            follows = any(_follows(data, data.X[:, [f.name for f in data.features].index(n)]) for n in names)
            predicts = f", and the target follows {verb(len(names), 'it', 'them')}" if follows else ""
            yield Notice(
                f"{data.name}: {verb(len(names), 'feature', 'features')} {quoted(names)} "
                f"{verb(len(names), f'is {kind}', f'are {several}')}{predicts}",
                "grave" if follows else "warning",
                about=data.name,
                evidence={"columns": names, "kind": kind, "target_follows": follows},
                remedy=f"leave {verb(len(names), 'it', 'them')} out",
            )


def _identities(data: Dataset) -> Iterator[str]:
    """What each feature is: a row number, an identifier, or neither."""
    first = data.X[:FEWEST_ROWS]  # most columns need no closer look
    steps = np.diff(first, axis=0)
    may_be = (np.trunc(first) == first).all(axis=0) | (steps > 0).all(axis=0) | (steps < 0).all(axis=0)
    for j, feature in enumerate(data.features):
        values = data.X[:, j]
        if not may_be[j] or np.isnan(values).any() or values[0] == values[-1]:
            yield ""
        elif feature.kind == "nominal":
            yield "an identifier" if len(np.unique(values)) == data.n else ""
        elif _counts(values):
            yield "a row number"
        elif _are_whole(values) and len(np.unique(values)) == data.n:
            dense = values.max() - values.min() < 1.5 * data.n
            yield "an identifier" if dense or IDENTIFIER.search(_plain(feature.name)) else ""
        else:
            yield ""


def _counts(values: FloatArray) -> bool:
    """Whether values rise or fall with every row: whole numbers, or all by the same step."""
    steps = np.diff(values)
    if not ((steps > 0).all() or (steps < 0).all()):
        return False
    return _are_whole(values) or bool(np.ptp(steps) <= 1e-6 * np.abs(steps).max())


def counts_or_dates(data: Dataset) -> npt.NDArray[np.bool_]:
    """Whether each feature is a row number, an identifier or a date: no property of the instances."""
    dates = set(date_names(data))
    return np.array([bool(kind) or f.name in dates for f, kind in zip(data.features, _identities(data), strict=True)])


def _follows(data: Dataset, values: FloatArray) -> bool:
    """Whether neighbours along these values have the same target far more often than others."""
    order = np.argsort(values, kind="stable")
    if data.task == "values":
        return _correlation(ranks(data.target[order][1:]), ranks(data.target[order][:-1])) > 6 / math.sqrt(data.n)
    same = float((np.diff(data.codes[order]) == 0).mean())
    expected = sum(share**2 for share in data.balance.values())
    return same - expected > 6 * math.sqrt(expected * (1 - expected) / data.n)


@guard(stage="data", sees="dataset")
def undeclared_groups(data: Dataset) -> Iterator[Notice]:
    """A column that names whom rows belong to (a patient, a user), which is not declared as groups."""
    if data.groups is not None or data.n < FEWEST_ROWS:
        return
    for j, feature in enumerate(data.features):
        values = data.X[:, j]
        if BELONGING.search(_plain(feature.name)) is None or np.isnan(values).any():
            continue
        if feature.kind == "numeric" and not _are_whole(values):
            continue
        counts = np.unique(values, return_counts=True)[1]
        if len(counts) < MANY_GROUPS or counts.mean() > MOST_PER_GROUP or len(counts) > MOST_SHARE * data.n:
            continue
        alike = _alike(data, values)
        told = " (within a value nearly all rows have the same target)" if alike else ""
        yield Notice(
            f"{data.name}: column {feature.name!r} has {plural(len(counts), 'value')} for {data.n:,} rows{told}, and "
            "looks like groups that are not declared: methods that know a group from training look good on its other "
            "rows",
            "grave" if alike else "warning",
            about=data.name,
            evidence={"column": feature.name, "groups": len(counts), "rows": data.n, "same_target": alike},
            remedy=f"declare it (groups={feature.name!r}) and use grouped folds; leave it out only if its rows are "
            "independent",
        )


def _alike(data: Dataset, group: FloatArray) -> bool:
    """Whether the rows of a group nearly always have one class, which rows of different groups do not."""
    if data.task == "values":
        return False
    order = np.lexsort((data.codes, group))
    inside = np.diff(group[order]) == 0
    same = float((np.diff(data.codes[order]) == 0)[inside].mean()) if inside.any() else 0.0
    return same >= 0.95 and max(data.balance.values()) <= 0.9


def row_sample(n: int, most: int = MOST_ROWS) -> npt.NDArray[np.intp]:
    """All rows, or as many as are looked at; always the same ones, in their order."""
    return np.arange(n) if n <= most else np.sort(np.random.RandomState(1).permutation(n)[:most])


def ranks(values: npt.NDArray[Any]) -> FloatArray:
    """The rank of each value from 0, equal ones with their mean; missing values are last.

    >>> ranks(np.array([5.0, 2.0, 5.0, 9.0]))
    array([1.5, 0. , 1.5, 3. ])
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    means: FloatArray = (ends - counts + ends - 1) / 2
    return means[place.reshape(-1)]


def _correlation(a: FloatArray, b: FloatArray) -> float:
    """The absolute correlation; 0 where one does not vary."""
    a, b = a - a.mean(), b - b.mean()
    size = float(np.sqrt((a @ a) * (b @ b)))
    return abs(float(a @ b)) / size if size else 0.0


def _plain(name: str) -> str:
    """A name in small letters, its words joined by underscores: patient_id of PatientID and of patient-id."""
    return re.sub(r"[\W_]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)).lower()


def _are_whole(values: FloatArray) -> bool:
    return bool((np.trunc(values) == values).all())
