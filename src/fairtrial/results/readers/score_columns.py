"""Finding out the shape of a table of scores: the role of each column, by its title, its content, or the request.

Which way round a table lies, by evidence: are its rows data sets or methods?
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.choices import Rows
from fairtrial.design import FACTORS
from fairtrial.errors import InputError
from fairtrial.results.how_read import Remark
from fairtrial.results.prediction_source import COLUMNS
from fairtrial.results.readers.read_table import (
    A_FRAME,
    BETWEEN_LEVELS,
    SEEDS,
    STAGES,
    TESTS,
    UNTITLED,
    check_names,
    check_roles,
    column_for,
    role_of,
    show_columns,
)
from fairtrial.results.readers.request import Request, kind_of_name, leaning, words_in, words_of
from fairtrial.results.readers.score_shapes import (
    FoldColumns,
    LongShape,
    MeasureColumns,
    Places,
    ScoreShape,
    WideShape,
    holds_scores,
    mostly_numbers,
    tells_failures,
)
from fairtrial.results.readers.summary_lines import describes_rows, summary_word
from fairtrial.results.score_measures import is_known_measure, is_vague, same_measure
from fairtrial.words import quoted

if TYPE_CHECKING:
    import pandas as pd


TITLE = 5.5  # the weight of a title that says what rows are: more than names on one side (4), less than on both


def lies_by(title: str, rows: Sequence[str], columns: Sequence[str], numbers: NDArray[np.float64], file: str) -> Rows:
    """What the rows of a table are, from the title above their names, the names of both, and their numbers.

    Data sets differ more than methods do, and there are more of them. Where the evidence is too weak, or contradicts
    itself, it is asked for.

    >>> lies_by("Data set", ["C4", "1R"], ["IR", "LA", "MU"], np.array([[93.8, 77.2, 100], [95.9, 87.4, 98.4]]), "t")
    'methods'
    """
    by_title = _says(title)
    by_names = leaning(rows) - leaning(columns)
    score = by_title + by_names + _by_numbers(numbers)
    if abs(score) >= 1:
        return "datasets" if score > 0 else "methods"
    shown = repr(title) if title != UNTITLED else "no title"
    raise InputError(
        f"{file}: the rows may be data sets or methods ({shown} above {rows[0]!r}, beside {columns[0]!r}), and neither "
        "names nor numbers tell; say rows='datasets' or rows='methods' (--rows)"
    )


def _says(title: str) -> float:
    r"""What a title says of the rows: positive for data sets; ``algorithm \ dataset`` names rows and columns.

    >>> _says("Dataset"), _says("Model name"), _says("algorithm \\ dataset"), _says("x")
    (5.5, -5.5, -5.5, 0.0)
    """
    parts = [part for part in re.split(r"[\\/|↓→]|\bvs\b", title) if part.strip()]
    roles = [role_of(part) for part in parts[:1] if title != UNTITLED]
    return TITLE * (("dataset" in roles) - ("method" in roles))


def _by_numbers(numbers: NDArray[np.float64]) -> float:
    """What the numbers say: which of the two differ more, and of which there are more."""
    more = 0.5 * np.sign(numbers.shape[0] - numbers.shape[1])
    whole = numbers[~np.isnan(numbers).any(axis=1)]
    if whole.shape[0] < 3 or whole.shape[1] < 2:
        return float(more)
    if whole.min() > 0 and whole.max() > 50 * whole.min():
        whole = np.log(whole)
    down, across = whole.mean(axis=1).std(ddof=1), whole.mean(axis=0).std(ddof=1)
    return float(more + (down > 1.5 * across) - (across > 1.5 * down))


QUANTITIES = words_in("""
score scores elo rating winrate win rate mrr q025 q975 low high lower upper tokens time seconds s ms cost price latency
alpha dropout lr epochs batch depth
memory mb gb flops improvability loss error errors count counts votes avg rank imputed normalized
""")


def refuse_quantities(titles: Sequence[str], name: str) -> None:
    """Refuse a board of methods whose columns are quantities, not data sets."""
    strange = [c for c in titles if set(words_of(c)) & QUANTITIES or is_known_measure(c)]
    if strange and not any(kind_of_name(c) == "data set" for c in strange):
        raise InputError(
            f"{name}: the rows are methods, so the other columns must be data sets, but {quoted(strange)} "
            f"{'seems' if len(strange) == 1 else 'seem'} to be something else; name the one column with scores, "
            f"value={strange[0]!r} (--columns value={strange[0]}), or say rows='methods' (--rows) if all are data sets"
        )


def find_shape(frame: pd.DataFrame, request: Request, name: str = "the table") -> ScoreShape:
    """The shape of a table called ``name``, with the role of each column; the request may name columns."""
    places = _find_places(frame, request, name)
    if places.method is not None and places.dataset is not None:
        if request.rows is not None:
            raise InputError(
                f"{name}: rows={request.rows!r} is for a table with data sets or methods in its titles, but this one "
                f"has columns of both ({places.dataset!r} and {places.method!r}); leave it out (--rows)"
            )
        return _shape_of_rows(frame, places, request)
    return _shape_of_grid(frame, places, request, name)


def _find_places(frame: pd.DataFrame, request: Request, name: str) -> Places:
    """The columns that say where scores belong; a table with one column of names has it as that of its data sets."""
    given = [c for c in (request.dataset, request.method, request.repeat, request.fold, request.value) if c is not None]
    d = column_for(frame, "dataset", request.dataset, [c for c in (request.method, request.value) if c is not None])
    m = column_for(frame, "method", request.method, [*_named(d), *given])
    f = column_for(frame, "fold", request.fold, [*_named(d), *_named(m), *given])
    w = column_for(frame, "measure", None, [*_named(d), *_named(m), *given])
    r = column_for(frame, "repeat", request.repeat, [*_named(d), *_named(m), *_named(f), *given])
    if d is None and m is None:
        d = _first_text(frame, [*_named(f), *_named(w), *_named(r), *given])
    if d is None and m is None and f is None and r is None:
        raise InputError(
            f"{name}: no column says which data set a score belongs to; columns found: {show_columns(frame)}; "
            "try read_scores(path, dataset='…', method='…', value='…')"
        )
    if m is None and d is not None and request.repeat is None and r is not None and w is None:
        r = r if frame.duplicated([*_named(d), *_named(f)]).any() else None  # it numbers nothing: see _aside
    roles = {"dataset": d, "method": m, "measure": w, "fold": f, "repeat": r}
    check_roles(roles | {"value": request.value})
    check_names(frame, roles | {"repeat": None}, name)
    s = _replicates(frame, [c for c in (d, m, r, f, w) if c]) if r is not None else None
    if m is None or d is None:
        return Places(d, m, r, f, w, replicate=s)
    return Places(d, m, r, f, w, _factors(frame, [c for c in (d, m, s, r, f, w) if c]), s)


def _replicates(frame: pd.DataFrame, others: Sequence[str]) -> str | None:
    """The column of replicates beside repeats: that of an export, or seeds that are needed to tell scores apart."""
    if "replicate" in frame.columns and "replicate" not in others:
        return "replicate"
    seed = next((str(c) for c in frame.columns if "_".join(words_of(str(c))) in SEEDS and c not in others), None)
    return seed if seed is not None and frame.duplicated(list(others)).any() else None


def _shape_of_rows(frame: pd.DataFrame, places: Places, request: Request) -> ScoreShape:
    """The shape of a table whose rows name data set and method."""
    d, m, r, f, w, x = (
        places.dataset, places.method, places.repeat, places.fold, places.measure, places.factors
    )  # fmt: skip
    x = x if places.replicate is None else (*x, places.replicate)
    rest = tuple(
        c
        for c in map(str, frame.columns)
        if c not in (d, m, r, f, w, *x) and holds_scores(frame[c]) and "_".join(words_of(c)) not in SEEDS
    )
    others = [c for c in (d, m, f, w, *x) if c]
    if r is not None and request.repeat is None and not frame.duplicated(others).any():
        places = replace(places, repeat=None)  # a seed, say: taken as a repeat it would leave holes
    check_names(frame, {"repeat": places.repeat}, "the table")
    asked, value = request.measure, request.value
    named = tuple(c for c in rest if asked is not None and c.lower() == asked.lower())
    if value is None and w is None and named:
        return MeasureColumns(places, named)
    v = column_for(frame, "value", value, [c for c in (d, m, r, f, w, *x) if c])
    if v is not None and (value is not None or holds_scores(frame[v])):
        return LongShape(places, (v,), unread=_unread(frame, [*places.titles(), v]))
    measures = tuple(c for c in rest if is_known_measure(c))
    if measures:
        own = replace(places, measure=None)
        return MeasureColumns(own, measures, unread=_unread(frame, [*own.titles(), *measures]))
    if len(rest) > 1 and r is None and f is None and (request.resampling or _are_numbered(rest)):
        own, folds = replace(places, measure=None), tuple(c for c in rest if not summary_word(c))
        remark = Remark("splits", folds)
        unread = _unread(frame, [*own.titles(), *folds])
        return FoldColumns(own, folds, request.resampling, unread=unread, remarks=(remark,))
    raise _unknown_shape(frame, places)


def _shape_of_grid(frame: pd.DataFrame, places: Places, request: Request, name: str) -> ScoreShape:
    """The shape of a table with one column of names, or none: a grid of methods and data sets, or of measures."""
    label = places.dataset or places.method
    explicit = request.rows or ("datasets" if request.dataset else "methods" if request.method else None)
    rest, aside = _scored(frame, places, request)
    sole = Path(name).stem if name not in ("the table", A_FRAME) else "the data"
    if not rest:
        raise _unknown_shape(frame, places)
    if label is None:
        own, parts = replace(places, sole=sole), _parts(rest, request)
        kept = tuple(c for c in rest if not parts or c in parts)
        unread = _unread(frame, [*places.titles(), *kept])
        one = Remark("one data set", (sole,))
        return WideShape(own, kept, unread=unread, parts=tuple(parts.values()), remarks=(one,))
    if request.value in rest:
        unread = _unread(frame, [*places.titles(), str(request.value)])
        return _one_of_a_kind(frame, places, (str(request.value),), unread, explicit, sole, name)
    measures = [c for c in rest if is_known_measure(c) or is_vague(c)]
    _refuse_titles(rest, label, request, name)
    rest, trained = _without_stages(rest)
    aside = (*aside, *trained)
    if parts := _parts(rest, request):
        kept = tuple(c for c in rest if c in parts)
        shape = WideShape(places, kept, unread=_unread(frame, [*places.titles(), *kept]), parts=tuple(parts.values()))
    elif request.methods is None and (len(measures) == len(rest) or len(measures) > max(2, 0.6 * len(rest))):
        return _one_of_a_kind(frame, places, rest, aside, explicit, sole, name)
    else:
        _refuse_measures(rest, request, name)
        shape = WideShape(places, rest, unread=aside)
    rows = explicit or lies_by(label, _texts(frame, label), list(dict.fromkeys(shape.names())),
                               _numbers(frame, places, label, shape.values), name)  # fmt: skip
    _refuse_several(frame, places, label, "data set" if rows == "datasets" else "method")
    if rows == "methods" and explicit is None:
        refuse_quantities(shape.names(), name)
    own = (
        replace(places, dataset=label, method=None)
        if rows == "datasets"
        else replace(places, dataset=None, method=label)
    )
    if rows == "methods" and shape.parts == () and _are_numbered(rest) and not leaning(rest) and places.fold is None:
        one = Remark("one data set", (sole,))
        return FoldColumns(
            replace(own, sole=sole, measure=None),
            rest,
            request.resampling,
            unread=aside,
            remarks=(one, Remark("splits", rest)),
        )
    return replace(shape, places=own, remarks=(*shape.remarks, *_turned(label, rows, explicit)))


def _turned(label: str, rows: Rows, explicit: Rows | None) -> list[Remark]:
    """What is worth saying of the way round: methods in rows, or against what the title says."""
    against = explicit is None and role_of(label) == ("dataset" if rows == "methods" else "method")
    why = f"by names and numbers, though their title is {label!r}" if against else ""
    if rows == "methods":
        return [Remark("methods in rows", why=why)]
    return [Remark("title", (label,), "column of data sets")] if against else []


def _scored(frame: pd.DataFrame, places: Places, request: Request) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns of a grid with scores, and those that are not used: words, sizes of data sets, seeds."""
    wanted = set(request.methods or ())
    others = [str(c) for c in frame.columns if c not in places.titles()]
    rest = tuple(c for c in others if c in wanted or (holds_scores(frame[c]) and not _aside(frame, c)))
    return rest, tuple(c for c in others if c not in rest)


def _aside(frame: pd.DataFrame, title: str) -> bool:
    """Whether a column of numbers is none of scores: it describes rows, numbers them, or says which runs failed."""
    whole = frame[title].dtype.kind in "iub"
    return (describes_rows(title) and not kind_of_name(title)) or (
        whole and (role_of(title) in ("repeat", "fold", "instance") or tells_failures(title))
    )


def _one_of_a_kind(
    frame: pd.DataFrame, places: Places, rest: tuple[str, ...], aside: tuple[str, ...], explicit: Rows | None,
    sole: str, name: str,
) -> ScoreShape:  # fmt: skip
    """A column for each measure and one of names: of the data sets of one method, or of methods on one data set."""
    label = str(places.dataset or places.method)
    by_names = leaning(_texts(frame, label))
    role = {"datasets": "dataset", "methods": "method", None: role_of(label)}[explicit]
    if explicit is None and (role == "dataset") is (by_names < 0) and by_names and role:
        role = ""  # the title says this, the names say that
    role = role or ("dataset" if by_names > 0 else "method" if by_names < 0 else "")
    if not role:
        raise InputError(
            f"{name}: the columns {quoted(rest)} are measures, and the rows may be data sets of one method or methods "
            "on one data set; say rows='datasets' or rows='methods' (--rows)"
        )
    _refuse_several(frame, places, label, "data set" if role == "dataset" else "method")
    if role == "dataset":
        own, said = replace(places, dataset=label, method=None, sole="the method"), "one method"
    else:
        own, said = replace(places, dataset=None, method=label, sole=sole), "one data set"
    remarks = (Remark("one method" if said == "one method" else "one data set", (own.sole,)),)
    if len(rest) == 1 and not is_known_measure(rest[0]):
        return LongShape(own, rest, unread=aside, remarks=remarks)
    measures = tuple(c for c in rest if is_known_measure(c))
    return MeasureColumns(replace(own, measure=None), measures, unread=_unread(frame, [*own.titles(), *measures]),
                          remarks=remarks)  # fmt: skip


def _refuse_titles(titles: Sequence[str], label: str, request: Request, name: str) -> None:
    """Refuse second columns of one title, which pandas numbers, and a table that is titled by another measure."""
    again = [c for c in titles if (m := re.fullmatch(r"(.+)\.[1-9]", c)) and m[1] in titles]
    if again:
        raise InputError(
            f"{name}: each column must have a title of its own, but {again[0]!r} is a second {again[0][:-2]!r}; rename "
            "it, or remove it"
        )
    numbered = [c for c in titles if re.search(r"[\s_.-](fold|split|cv)[\s_-]?\d+$", c.lower())]
    if len(numbered) > 1 and request.methods is None:
        raise InputError(
            f"{name}: the columns {quoted(numbered)} seem to be splits of methods; give a row for each score, with "
            "columns dataset, method, fold and value"
        )
    known = request.measure is not None and is_known_measure(label) and is_known_measure(request.measure)
    if known and not same_measure(label, str(request.measure)):
        raise InputError(f"{name} is titled {label!r}, but measure={request.measure!r} is asked; name that one")


def _without_stages(titles: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns of test scores, and those of training and validation beside them."""
    words = {c: words_of(c) for c in titles}
    rest = {c: [w for w in own if w not in STAGES | TESTS] for c, own in words.items()}
    tested = [rest[c] for c in titles if not set(words[c]) & STAGES]
    aside = tuple(c for c in titles if set(words[c]) & STAGES and rest[c] and rest[c] in tested)
    return tuple(c for c in titles if c not in aside), aside


def _parts(titles: Sequence[str], request: Request) -> dict[str, tuple[str, str]]:
    """Name and measure of each title that has both, such as ``svm_auc`` or ``AUC (svm)``; empty if titles are names."""
    found = {title: part for title in titles if (part := _part(title))}
    measures = {measure.lower() for _, measure in found.values()}
    asked = request.measure is None or any(same_measure(m, request.measure) for m in measures)
    if not asked and len(found) == len(titles) > 1 and request.methods is None:
        raise InputError(
            f"the titles {quoted(titles)} name {quoted(sorted(measures))}, but measure={request.measure!r} is asked; "
            f"name that measure, or the methods if these are names of methods: methods={list(titles)[:3]!r} (--methods)"
        )
    several = len(measures) > 1 and len({name for name, _ in found.values()}) < len(found)
    return found if asked and found and (several or len(found) == len(titles)) else {}


def _part(title: str) -> tuple[str, str] | None:
    if BETWEEN_LEVELS in title:
        first, second = (part.strip() for part in title.split(BETWEEN_LEVELS, 1))
        cut = [(first, second), (second, first)]
    else:
        words = [(m.start(), m.end()) for m in re.finditer(r"[^\s_()\[\]:/.~|-]+", title)]
        cut = [(title[: words[n][0]], title[words[n][0] :]) for n in range(1, len(words))]
        cut += [(title[words[n][0] :], title[: words[n][0]]) for n in range(1, len(words))]
    trimmed = [tuple(part.strip(" _()[]:/.~|-") for part in pair) for pair in cut]
    return next(((a, b) for a, b in trimmed if a and is_known_measure(b) and not is_known_measure(a)), None)


def _refuse_measures(titles: Sequence[str], request: Request, name: str) -> None:
    """Refuse measures among methods: which of the columns are compared?"""
    strange = [c for c in titles if is_known_measure(c) and kind_of_name(c) != "method"]
    if strange and request.methods is None:
        others = [c for c in titles if c not in strange]
        raise InputError(
            f"{name}: columns of scores must be methods, but {quoted(strange)} {'is' if len(strange) == 1 else 'are'} "
            f"called like a measure, beside {quoted(others)}; name the methods: methods={others[:3]!r} (--methods "
            f"{','.join(others[:3])})"
        )


def _refuse_several(frame: pd.DataFrame, places: Places, label: str, noun: str) -> None:
    """Refuse several rows of one name that nothing tells apart."""
    again = frame.duplicated([c for c in (label, places.measure) if c])
    case = column_for(frame, "instance", None, places.titles())
    if places.repeat is None and places.fold is None and again.any() and case is not None and noun == "method":
        raise InputError(
            f"each method must have one row, but {frame.loc[again, label].iloc[0]!r} has one for each {case!r}; to "
            f"compare over these, say dataset={case!r} (--columns dataset={case})"
        )
    if places.repeat is None and places.fold is None and again.any():
        raise InputError(
            f"each {noun} must have one row, but {frame.loc[again, label].iloc[0]!r} has several; columns found: "
            f"{show_columns(frame)}; name the column that numbers them, as in read_scores(path, repeat='…') "
            "(--columns repeat=…)"
        )


def _numbers(frame: pd.DataFrame, places: Places, label: str, values: Sequence[str]) -> NDArray[np.float64]:
    """The means of the rows of each name, in its columns; of the first measure where there are several."""
    import pandas as pd

    some = frame.iloc[:5000]
    some = some if places.measure is None else some[some[places.measure] == some[places.measure].iloc[0]]
    numbers = some[list(values)].apply(pd.to_numeric, errors="coerce")
    means: NDArray[np.float64] = numbers.groupby(some[label].astype(str), sort=False).mean().to_numpy(dtype=float)
    return means


def _texts(frame: pd.DataFrame, label: str) -> list[str]:
    return [str(name) for name in frame[label].unique() if not summary_word(str(name))] or [str(frame[label].iloc[0])]


def _unread(frame: pd.DataFrame, used: Sequence[str]) -> tuple[str, ...]:
    """The titles of the columns that are not used; some columns that an export has are not worth a word."""
    known = {*used, "status", "n_train", "n_test", "reason", "sign", "replicate"}
    return tuple(str(c) for c in frame.columns if c not in known)


def _named(column: str | None) -> list[str]:
    """The column as a list, which is empty where there is none."""
    return [] if column is None else [column]


def _unknown_shape(frame: pd.DataFrame, places: Places) -> InputError:
    return InputError(
        f"the shape of this table is unknown; columns found: {show_columns(frame)}; try "
        f"read_scores(path, dataset={places.dataset or '…'!r}, method={places.method or '…'!r}, value='…', fold='…'), "
        "or resampling='10x10-fold' where each column is a fold"
    )


def _are_numbered(titles: Sequence[str]) -> bool:
    """Whether titles are one word and a number: s0, s1, …; fold 1, fold 2, …; 0, 1, …; summaries may stand beside them.

    >>> _are_numbered(["s0", "s1", "s10", "mean"]), _are_numbered(["kappa", "mcc"])
    (True, False)
    """
    found = [re.fullmatch(r"(.*?)\d+", t) for t in titles if not summary_word(t)]
    return len(found) > 1 and all(found) and len({f[1] for f in found if f}) == 1


def _factors(frame: pd.DataFrame, others: Sequence[str]) -> tuple[str, ...]:
    """The columns that hold levels of factors: called like a factor, and needed to tell scores apart.

    In a table that fairtrial exported, the columns between method and replicate are factors, whatever their names.
    """
    titles = [str(c) for c in frame.columns]
    if set(COLUMNS) <= set(titles):
        between = titles[titles.index("method") + 1 : titles.index("replicate")]
        return tuple(c for c in between if c not in others)
    called = tuple(c for c in titles if c in FACTORS and c not in others)
    return called if called and frame.duplicated(others).any() else ()


def _first_text(frame: pd.DataFrame, taken: Sequence[str]) -> str | None:
    """The first column that is not one of numbers, if only columns that describe rows stand before it."""
    for c in map(str, frame.columns):
        if c in taken or (_aside(frame, c) and mostly_numbers(frame[c])):
            continue
        return None if mostly_numbers(frame[c]) else c
    return None
