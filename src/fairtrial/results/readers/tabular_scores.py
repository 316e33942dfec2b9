"""A table of scores, whatever its shape: understood, checked for text among the scores, and brought into long form.

The columns of a published table that stand beside its scores: uncertainties and signs.

Scores of several random seeds: recognised by the title of a column, or declared as '5 seeds'.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure
from fairtrial.resampling import Dependence, Seeds, parse
from fairtrial.results.how_read import Remark
from fairtrial.results.provenance import SPREAD_TITLES, Cell, Published, unit_of
from fairtrial.results.readers.long_scores import LongScores, combination_codes
from fairtrial.results.readers.read_table import ROLES, SEEDS, STAGES, TESTS, column_for, read_table, role_of
from fairtrial.results.readers.request import Request, Source, one_spelling, words_of
from fairtrial.results.readers.score_columns import find_shape
from fairtrial.results.readers.score_shapes import (
    FoldColumns,
    Kept,
    LongShape,
    MeasureColumns,
    ScoreShape,
    WideShape,
    refuse_cells,
    tells_failures,
    why_failed,
)
from fairtrial.results.readers.summary_lines import Lines, summary_lines, summary_word
from fairtrial.results.score_measures import UNNAMED, facts_of, is_known_measure, measure_among, same_measure
from fairtrial.words import listed, quoted

if TYPE_CHECKING:
    import pandas as pd


def published_beside(frame: pd.DataFrame, shape: ScoreShape, sign: str | None) -> Published:
    """The uncertainties and signs of a table with a row for each score; ``sign`` may name the column of signs."""
    marks = column_for(frame, "sign", sign)
    titles = [c for c in frame.columns if str(c).lower() in SPREAD_TITLES]
    if not isinstance(shape, (LongShape, MeasureColumns)) or len(shape.values) > 1 or not (titles or marks):
        return Published()
    if len(titles) > 1:
        raise InputError(f"a table must have one column of uncertainties, but it has {quoted(titles)}; keep one")
    cells = _cells(frame, shape)
    spreads = _spreads(frame, cells, titles[0]) if titles else {}
    signs = {} if marks is None else {c: s for c, s in zip(cells, _texts(frame[marks]), strict=True) if s}
    return Published(
        kind=SPREAD_TITLES[str(titles[0]).lower()] if titles else "none",
        spreads=spreads,
        signs=signs,
        title="" if marks is None or marks.lower() in ROLES["sign"] else marks,
    )


def _cells(frame: pd.DataFrame, shape: LongShape | MeasureColumns) -> list[Cell]:
    places = shape.places
    measures = [""] * len(frame) if places.measure is None else frame[places.measure].astype(str)
    return list(zip(frame[places.dataset].astype(str), frame[places.method].astype(str), measures, strict=True))


def _texts(column: pd.Series) -> list[str]:
    return [str(text).strip() for text in column.fillna("")]


def _spreads(frame: pd.DataFrame, cells: list[Cell], title: str) -> dict[Cell, float]:
    """The uncertainty of each score; several scores of one method on a data set have none that is published."""
    import pandas as pd

    numbers = pd.to_numeric(frame[title], errors="coerce")
    strange = frame[title][numbers.isna() & frame[title].notna()]
    if len(strange) or (numbers < 0).any():
        wrong = strange.iloc[0] if len(strange) else numbers.min()
        raise InputError(f"{title} must hold numbers from 0 on, or nothing, got {wrong!r}")
    if len(set(cells)) < len(cells):
        raise InputError(
            f"{title} is for published tables with one score of each method on each data set, but some have several; "
            "remove that column: uncertainties are then estimated from the scores"
        )
    return {cell: float(s) for cell, s in zip(cells, numbers, strict=True) if s == s}


def is_seed(title: str) -> bool:
    """Whether a column of this title holds random seeds, or the scores of one of them.

    >>> [is_seed(title) for title in ("Seed", "random_seed", "seed 3", "run", "seedling")]
    [True, True, True, False, False]
    """
    return "_".join(words_of(title)).rstrip("0123456789").rstrip("_") in SEEDS


def seeds_in(shape: ScoreShape) -> str:
    """The column of the long form that numbers random seeds, by the titles of the table: repeat, fold or none."""
    if isinstance(shape, FoldColumns):
        return "fold" if is_seed(shape.values[0]) else ""
    return "repeat" if is_seed(shape.places.repeat or "") else ""


def seeds_as_replicates(scores: LongScores, resampling: str | None) -> LongScores:
    """The scores with their seeds as replicates, since seeds are neither repeats nor folds of a resampling.

    A ``resampling`` that names splits says that each seed drew a new one. Where no two methods share a seed, those of
    each method are numbered by themselves.
    """
    frame = scores.frame
    if resampling is None and scores.seeds_in:
        seeds, rest = frame[scores.seeds_in].to_numpy(), {scores.seeds_in: 0}
    elif resampling is not None and isinstance(parse(resampling), Seeds):
        places = [name for name in ("replicate", "repeat", "fold") if name in frame]
        seeds, rest = combination_codes(frame, places), {"repeat": 0, "fold": 0}
    else:
        return scores
    made = frame.assign(replicate=seeds, **rest)
    if (made.groupby("replicate")["method"].nunique() < 2).all():
        own = made.groupby(["dataset", "method", *scores.factors], dropna=False)["replicate"]
        made["replicate"] = own.rank(method="dense").to_numpy(dtype=np.int64) - 1
    return replace(scores, frame=made)


def seeds_on_one_split(scores: pd.DataFrame) -> dict[str, Dependence]:
    """The dependence of each data set, where all have one split only, and some have replicates on it; else nothing."""
    if scores["replicate"].nunique() < 2 or len(scores[["repeat", "fold"]].drop_duplicates()) > 1:
        return {}
    counts = scores.groupby("dataset", sort=False)["replicate"].nunique()
    return {str(name): Seeds(int(n)).dependence() for name, n in counts.items()}


def read_score_table(source: Source, request: Request) -> LongScores:
    """The scores of a table in a file or frame, in long form."""
    frame, name, notes = read_table(source, (request.dataset, request.method))
    _refuse_predictions(frame, request, name)
    shape, asked = find_shape(frame, request, name), request.measure
    _refuse_unused(shape, request, name)
    frame, stages = without_stages(frame, shape.places.fold or shape.places.repeat, name)
    frame, folds = _without_summary_folds(frame, shape)
    long, failed = _without_failed(shape.long_form(frame), frame, shape)
    left_out = list(_summaries(long, shape, request))
    long = _without(long, left_out)
    # Scores that are text are not failed runs: the error names them, unless their method is left out anyway.
    kept = Kept(set(long["dataset"].unique()), set(request.methods or long["method"].unique()))
    refuse_cells(name, shape.cells(frame, kept).texts())
    long, joined = _one_name_each(long)
    if not shape.names_measures:
        long["measure"] = asked or UNNAMED.name
    facts = _all_facts(long, request, name, named=shape.names_measures)
    published = published_beside(frame, shape, request.sign)
    printed = (*(SPREAD_TITLES if published.spreads else ()), *({request.sign, "sign"} if published.signs else ()))
    told = [] if not failed else [c for c in shape.unread if tells_failures(c)]
    unread = tuple(c for c in shape.unread if c not in (*printed, *told) and c.lower() not in printed)
    unused = (Remark("not used", unread),) if unread else ()
    return LongScores(
        long if set(long["measure"].unique()) <= set(facts) else long[long["measure"].isin(facts)],
        name,
        facts,
        main=measure_among(facts, asked) if asked and shape.names_measures else next(iter(facts)),
        notes=(*notes, *_left_out(long, facts)),
        factors=shape.places.factors,
        published=published,
        unit=unit_of(shape.places.dataset or ""),
        seeds_in=seeds_in(shape),
        columns=shape.places.roles(),
        remarks=(*shape.remarks, *left_out, *stages, *folds, *unused, *failed, *joined),
    )


def _refuse_unused(shape: ScoreShape, request: Request, name: str) -> None:
    """Refuse names of columns that this shape of table has no use for."""
    unused = {} if isinstance(shape, LongShape) else {"value": request.value}
    unused |= {} if isinstance(shape, (LongShape, MeasureColumns)) else {"sign": request.sign}
    for role, column in unused.items():
        if column is not None:
            raise InputError(
                f"{name}: {role}={column!r} is for a table with a row for each score, but this one has several scores "
                f"in a row; leave it out (--columns {role}=…)"
            )


def _refuse_predictions(frame: pd.DataFrame, request: Request, name: str) -> None:
    """Refuse predictions, which have a column of the truth: the error has the line to type."""
    truth = column_for(frame, "truth", None)
    says_scores = any(role_of(str(c)) in ("value", "measure") for c in frame.columns)
    if truth is None or says_scores or request.value or request.dataset or request.rows:
        return
    named = column_for(frame, "dataset", None) or column_for(frame, "method", None)
    if named is None or column_for(frame, "instance", None, (named,)) is not None:
        raise InputError(
            f"{name} looks like predictions, since it has a column {truth!r}; name it as the truth: "
            f"read_predictions(path, truth={truth!r}) (fairtrial compare {name} --truth {truth}), or say which "
            "column names the data sets if these are scores (dataset='…', --columns dataset=…)"
        )


def without_stages(frame: pd.DataFrame, title: str | None, name: str) -> tuple[pd.DataFrame, list[Remark]]:
    """The rows of the test set, where a column of splits tells training, validation and test: these are no repeats."""
    if title is None or frame[title].dtype.kind in "iufb":
        return frame, []
    entries = [str(entry) for entry in frame[title].unique()]
    stages = [entry for entry in entries if entry.strip().lower() in STAGES]
    if not stages:
        return frame, []
    if not any(entry.strip().lower() in TESTS for entry in entries):
        raise InputError(
            f"{name}: {title!r} must number splits that are alike, but it has {quoted(stages)}, which are no tests; "
            "keep the rows to compare by"
        )
    kept = frame[~frame[title].astype(str).isin(stages)].reset_index(drop=True)
    return kept, [Remark("left out", tuple(stages), title.lower(), "not the test set")]


def _without_summary_folds(frame: pd.DataFrame, shape: ScoreShape) -> tuple[pd.DataFrame, list[Remark]]:
    """The rows of folds and repeats; those that sum them up are left out (fold = mean, std, all)."""
    remarks = []
    for title in filter(None, (shape.places.fold, shape.places.repeat, shape.places.replicate)):
        if frame[title].dtype.kind in "iuf" and (frame[title] == -1).any() and (frame[title] >= 0).any():
            frame = frame[frame[title] != -1].reset_index(drop=True)
            remarks.append(Remark("left out", ("-1",), title.lower()))
        if frame[title].dtype.kind in "iufb":
            continue
        entries = [str(entry) for entry in frame[title].unique()]
        sums = [entry for entry in entries if summary_word(entry)]
        if sums and len(sums) < len(entries):
            frame = frame[~frame[title].astype(str).isin(sums)].reset_index(drop=True)
            remarks.append(Remark("left out", tuple(sums), title.lower()))
    return frame, remarks


def _summaries(long: pd.DataFrame, shape: ScoreShape, request: Request) -> Iterator[Remark]:
    """The data sets and methods of a table that sum up the others: methods first, since they would spoil averages."""
    in_titles = ("method" if shape.places.method is None else "dataset") if isinstance(shape, WideShape) else ""
    if request.methods is not None:
        long = long[long["method"].isin(request.methods)]
    first = long if "measure" not in long else long[long["measure"] == long["measure"].iloc[0]]
    for line, across, noun in (("method", "dataset", "method"), ("dataset", "method", "data set")):
        numbers, names = _grid(first, line, across)
        what = "column" if line == in_titles else "row"
        kept = request.methods if line == "method" else None
        found = list(summary_lines(Lines(names, numbers, what, noun), kept, ask=bool(in_titles)))
        if len(found) == len(names):
            found = []  # nothing would be left that they could sum up
        yield from (replace(remark, what=what if in_titles else noun) for remark in found)
        first = first[~first[line].isin([name for remark in found for name in remark.names])]


def _grid(long: pd.DataFrame, line: str, across: str) -> tuple[np.ndarray, list[str]]:
    """The means over splits of each line, in an array, and the names of the lines."""
    import pandas as pd

    rows, names = pd.factorize(long[line])
    columns, others = pd.factorize(long[across])
    values = long["value"].to_numpy(dtype=float)
    there = ~np.isnan(values)
    shape = (len(names), len(others))
    places = np.ravel_multi_index((rows[there], columns[there]), shape) if len(rows) else rows
    with np.errstate(all="ignore"):
        means = np.bincount(places, values[there], np.prod(shape)) / np.bincount(places, minlength=np.prod(shape))
    return means.reshape(shape), list(map(str, names))


def _without(long: pd.DataFrame, left_out: list[Remark]) -> pd.DataFrame:
    names = {name for remark in left_out for name in remark.names}
    if not names:
        return long
    return long[~(long["dataset"].isin(names) | long["method"].isin(names))].reset_index(drop=True)


def _without_failed(long: pd.DataFrame, frame: pd.DataFrame, shape: ScoreShape) -> tuple[pd.DataFrame, list[Remark]]:
    """The scores without those of runs that failed by a column of the table: a 0 beside *failed* is no score."""
    told = why_failed(frame, (*shape.places.titles(), *shape.values))
    if told is None or not (told[0] != "").any():
        return long, []
    reasons, title, unclear = told
    if isinstance(shape, WideShape):
        raise InputError(
            f"{title!r} says that a run failed ({reasons[reasons != ''].iloc[0]!r}), but not of which method; leave "
            "the scores of failed runs empty, and remove the column"
        )
    own = np.tile(reasons.to_numpy(dtype=object), len(long) // len(frame))
    scored = long["value"].notna().to_numpy()
    lost = (own != "") & scored & ~np.isin(own, unclear)
    made = long.assign(value=long["value"].mask(lost), reason=np.where(scored & ~lost, "", own))
    kept = sorted({text for text in unclear if (scored & (own == text)).any()})
    remarks = [Remark("failed", tuple(dict.fromkeys(own[lost].tolist())), count=int(lost.sum()))] if lost.any() else []
    return made, remarks + ([Remark("went well", tuple(kept), title)] if kept else [])


def _one_name_each(long: pd.DataFrame) -> tuple[pd.DataFrame, list[Remark]]:
    """The scores with one spelling of each name; spellings that differ only in case or spaces are joined."""
    remarks = []
    for column, noun in (("dataset", "data set"), ("method", "method")):
        names, joined = one_spelling(long[column])
        if joined:
            long = long.assign(**{column: names})
            remarks += [Remark("one name", spellings, noun) for spellings in joined]
    return long, remarks


def _all_facts(long: pd.DataFrame, request: Request, source: str, *, named: bool) -> dict[str, Measure]:
    """The facts of all measures of a table.

    If there are several measures, those of unknown direction are left out, except one that was requested. ``named``
    says whether the table names its measures.
    """
    asked, higher = request.measure, request.higher_is_better
    found = list(long["measure"].unique())
    wanted = [m for m in found if asked is None or same_measure(m, asked)]
    if not wanted:
        raise UnknownName.among("measure in this file", asked, found)
    if len(found) > 1:
        found = [m for m in found if is_known_measure(m) or (m in wanted and asked is not None)] or found
    if asked is None and higher is None and not named:
        return {UNNAMED.name: UNNAMED}  # whoever wants a verdict can still name the measure
    return {m: facts_of(m, higher if m in wanted else None, asked, long[long["measure"] == m], source) for m in found}


def _left_out(long: pd.DataFrame, facts: Mapping[str, Measure]) -> list[str]:
    rest = [m for m in long["measure"].unique() if m not in facts]
    return [f"left out, since it is not known which way is better: {listed(rest)}"] if rest else []
