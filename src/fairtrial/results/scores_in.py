"""Scores from elsewhere: wide, long, a column per fold, WEKA's result files."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.design import Question
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure, get, names
from fairtrial.resampling import Dependence, parse
from fairtrial.results.results import COLUMNS, Results
from fairtrial.results.tables_in import column_for, read_table, show_columns

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_scores"]

FAILURE_WORDS = ("", "-", "–", "—", "x", "fail", "failed", "failure", "error", "crash", "crashed", "timeout",
                 "time out", "oom", "memory", "memout", "dnf", "none", "n.a.", "na", "n/a", "nan")  # fmt: skip
SUMMARIES = ("average", "avg", "avg.", "mean", "median", "rank", "ranks", "average rank", "avg rank", "avg. rank",
             "mean rank", "total", "sum", "wins")  # fmt: skip


def read_scores(
    source: str | Path | pd.DataFrame,
    *,
    measure: str | None = None,
    higher_is_better: bool | None = None,
    resampling: str | None = None,
    dataset: str | None = None,
    method: str | None = None,
    repeat: str | None = None,
    fold: str | None = None,
    value: str | None = None,
    methods: Sequence[str] | None = None,
    baseline: str | None = None,
) -> Results:
    """Results from a table of scores that somebody made.

    The shape is found out; ``dataset``, ``method``, ``repeat``, ``fold`` and ``value`` name columns where their titles
    are unusual:

    - wide: a row per data set, a column per method (and perhaps a repeat or fold column);
    - a row per method and data set, a column per fold;
    - long: dataset, method, (repeat, fold,) (measure,) value, or a column per measure;
    - a result file of WEKA's Experimenter (.arff).

    ``measure`` (registered, so that its direction is known) or ``higher_is_better`` must say what is better: it is
    never assumed. ``resampling="10x10-fold"`` says what the folds are; without it nobody knows how the scores of one
    data set hang together, and inference is over data sets only. ``methods`` picks some of the methods.
    ``baseline`` names the method whose score stands in for failed ones.
    A score that is empty, or a combination that is not there, is a failure: counted, never dropped silently.
    """
    path = None if not isinstance(source, (str, Path)) else Path(source)
    if path is not None and path.suffix.lower() == ".arff":
        from fairtrial.results.weka import read_weka

        table = read_weka(path)
        long, name, facts = table.long, path.name, table.measures
        dependence, notes = dict(table.dependence), []
        main = _among(measure, facts) if measure else table.main
    else:
        frame, name = read_table(source)
        columns = _Columns.found(
            frame, dataset=dataset, method=method, repeat=repeat, fold=fold, value=value, measure=measure,
            resampling=resampling,
        )  # fmt: skip
        long = _long(frame, columns, measure or "score", resampling)
        facts = _all_facts(long, higher_is_better, measure, name)
        main = _among(measure, facts) if measure and columns.measures_known else next(iter(facts))
        dependence, notes = {}, [*columns.notes(frame), *_summary_rows(long), *_left_out(long, facts)]
        long = long[long["measure"].isin(facts)]
    if methods is not None:
        long = _only(long, methods)
    long, empty = _with_any_score(_checked(long, name))
    scores = _complete(long)
    if path is not None and path.suffix.lower() == ".arff":
        scores = _undefined_where_others_are_there(scores)
    for d in dict.fromkeys(scores["dataset"]):
        dependence.setdefault(str(d), _dependence(resampling, scores[scores["dataset"] == d], str(d)))
    failures = scores.loc[scores["status"] != "ok", ["dataset", "method", "repeat", "fold", "status"]]
    failures = failures.rename(columns={"status": "error"}).drop_duplicates().reset_index(drop=True)
    return Results(
        scores=scores,
        question=Question(measure=main),
        dependence=dependence,
        measures=facts,
        failures=failures,
        baseline=baseline,
        notes=(*_scale_notes(facts), *notes, *empty),
        provenance={"source": name},
    )


@dataclass(frozen=True, slots=True)
class _Columns:
    """Which column is what; ``values`` are methods, folds or measures, or the one column of a long table."""

    dataset: str
    method: str | None
    repeat: str | None
    fold: str | None
    measure: str | None
    values: tuple[str, ...]
    kind: str

    @property
    def measures_known(self) -> bool:
        return self.measure is not None or self.kind == "a column per measure"

    def notes(self, frame: pd.DataFrame) -> list[str]:
        """In a wide table a column that holds no scores may be a method all of whose scores were lost: say so."""
        used = {self.dataset, self.repeat, self.fold, self.measure, *self.values}
        rest = [str(c) for c in frame.columns if c not in used]
        if self.kind != "wide" or not rest:
            return []
        return [f"not read as scores, since hardly any entry is a number: {', '.join(map(repr, rest[:5]))}"]

    @classmethod
    def found(
        cls, frame: pd.DataFrame, *, dataset: str | None, method: str | None, repeat: str | None, fold: str | None,
        value: str | None, measure: str | None, resampling: str | None,
    ) -> _Columns:  # fmt: skip
        d = column_for(frame, "dataset", dataset) or _first_text(frame)
        if d is None:
            raise InputError(
                f"no column says which data set a score belongs to; columns found: {show_columns(frame)}; "
                "try read_scores(path, dataset='…', method='…', value='…')"
            )
        m = column_for(frame, "method", method, [d])
        f = column_for(frame, "fold", fold, [d])
        w = column_for(frame, "measure", None, [d])
        r = column_for(frame, "repeat", repeat, [d])
        rest = tuple(str(c) for c in frame.columns if c not in (d, m, r, f, w) and _is_number(frame[c]))
        if m is not None and repeat is None and not frame.duplicated([c for c in (d, m, f, w) if c]).any():
            r = None  # a seed, say, that tells nothing apart: taken as a repeat it would leave holes
        named = [c for c in rest if measure is not None and c.lower() == measure.lower()]
        if m is not None and value is None and w is None and named:
            return cls(d, m, r, f, None, tuple(named), "a column per measure")
        v = column_for(frame, "value", value, [d])
        if m is not None and v is not None and (value is not None or _is_number(frame[v])):
            return cls(d, m, r, f, w, (v,), "long")
        return cls._without_value(frame, d, m, r, f, w, rest, resampling)

    @classmethod
    def _without_value(
        cls, frame: pd.DataFrame, d: str, m: str | None, r: str | None, f: str | None, w: str | None,
        rest: tuple[str, ...], resampling: str | None,
    ) -> _Columns:  # fmt: skip
        if m is None and rest:
            again = frame.duplicated([c for c in (d, w) if c])
            if r is None and f is None and again.any():
                twice = frame.loc[again, d].iloc[0]
                raise InputError(
                    f"each data set must have one row, but {twice!r} has several; "
                    f"columns found: {show_columns(frame)}; "
                    "name the column that numbers them, as in read_scores(path, repeat='…')"
                )
            return cls(d, None, r, f, w, rest, "wide")
        measures = tuple(c for c in rest if _is_known(c))
        if m is not None and measures:
            return cls(d, m, r, f, None, measures, "a column per measure")
        if m is not None and len(rest) > 1 and r is None and f is None and (resampling or _are_numbered(rest)):
            return cls(d, m, None, None, None, rest, "a column per fold")
        raise InputError(
            f"the shape of this table can't be made out; columns found: {show_columns(frame)}; try "
            f"read_scores(path, dataset={d!r}, method={m or '…'!r}, value='…', fold='…'), "
            "or resampling='10x10-fold' where each column is a fold"
        )


def _known_measures() -> set[str]:
    return {n for known in names() for n in (known, *get(known).aliases)}


def _are_numbered(titles: Sequence[str]) -> bool:
    """s0, s1, …; fold 1, fold 2, …; 0, 1, …: one word and a number.

    >>> _are_numbered(["s0", "s1", "s10"]), _are_numbered(["kappa", "mcc"])
    (True, False)
    """
    found = [re.fullmatch(r"(.*?)\d+", t) for t in titles]
    return all(found) and len({f[1] for f in found if f}) == 1


def _is_number(column: pd.Series) -> bool:
    """Scores: numbers, or text of which at least half are numbers, or nothing but numbers and words for failures."""
    import pandas as pd

    if pd.api.types.is_bool_dtype(column):
        return False
    if pd.api.types.is_numeric_dtype(column):
        return True
    numbers = pd.to_numeric(column, errors="coerce").notna()
    lost = column.isna() | column.astype(str).str.strip().str.lower().isin(FAILURE_WORDS)
    return bool(numbers.mean() >= 0.5 or (numbers | lost).all())


def _first_text(frame: pd.DataFrame) -> str | None:
    first = frame.columns[0]
    return None if _is_number(frame[first]) else str(first)


def _long(frame: pd.DataFrame, columns: _Columns, measure: str, resampling: str | None) -> pd.DataFrame:
    """The table as dataset, method, repeat, fold, measure, value; one row per score."""
    import pandas as pd

    ids = [c for c in (columns.dataset, columns.method, columns.repeat, columns.fold, columns.measure) if c]
    if columns.kind == "long":
        long = frame.rename(columns={columns.values[0]: "value"})[[*ids, "value"]].copy()
    else:
        long = frame.melt(id_vars=ids, value_vars=list(columns.values), var_name="column", value_name="value")
    made = pd.DataFrame({
        "dataset": long[columns.dataset].astype(str),
        "method": long[columns.method or "column"].astype(str),
        "repeat": _numbers(long, columns.repeat),
        "fold": _numbers(long, columns.fold),
        "measure": measure,
        "value": pd.to_numeric(long["value"], errors="coerce").astype(float),
    })  # fmt: skip
    if columns.measure is not None:
        made["measure"] = long[columns.measure].astype(str)
    elif columns.kind == "a column per measure":
        made["measure"] = long["column"].astype(str)
    elif columns.kind == "a column per fold":
        position = long["column"].map({c: i for i, c in enumerate(columns.values)})
        per_repeat = parse(resampling).dependence().folds if resampling else len(columns.values)
        made["repeat"], made["fold"] = position // per_repeat, position % per_repeat
    return made


def _numbers(long: pd.DataFrame, column: str | None) -> Any:
    """Repeats and folds as whole numbers, in their own order where they are numbers, else as they come."""
    import pandas as pd

    if column is None:
        return 0
    codes, _ = pd.factorize(long[column], sort=True)
    return codes


def _checked(long: pd.DataFrame, name: str) -> pd.DataFrame:
    places = ["dataset", "method", "repeat", "fold", "measure"]
    twice = long.duplicated(places)
    if twice.any():
        row = long.loc[twice, places].iloc[0].to_dict()
        raise InputError(
            f"{name}: each score must be there once, but {int(twice.sum())} are there again, the first being {row}; "
            "name the column that tells them apart (repeat='…' or fold='…'), or remove them"
        )
    infinite = np.isinf(long["value"])
    if infinite.any():
        row = long.loc[infinite, places].iloc[0].to_dict()
        raise InputError(f"{name}: scores must be finite, but {int(infinite.sum())} are not, the first being {row}")
    if long["value"].isna().all():
        raise InputError(f"{name}: at least one score must be a number, but none is")
    return long


def _with_any_score(long: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Without data sets on which no method has a score of a measure: there is nothing to compare, nor to stand in."""
    there = long.groupby(["dataset", "measure"])["value"].transform(lambda v: v.notna().any())
    gone = long.loc[~there, ["dataset", "measure"]].drop_duplicates()
    notes = []
    for measure, own in gone.groupby("measure", sort=False):
        more = f" and {len(own) - 4} more" if len(own) > 4 else ""
        notes.append(f"no method has a score of {measure} on {', '.join(own['dataset'][:4])}{more}: left out")
    return long[there], notes


def _complete(long: pd.DataFrame) -> pd.DataFrame:
    """Every method on every split of every data set; what is not there is a failure, and says so."""
    import pandas as pd

    splits = long[["dataset", "repeat", "fold", "measure"]].drop_duplicates()
    full = splits.merge(pd.DataFrame({"method": pd.unique(long["method"])}), how="cross")
    joined = full.merge(long, how="left", on=["dataset", "method", "repeat", "fold", "measure"], indicator=True)
    joined["status"] = np.where(joined["_merge"] == "left_only", "not there", "no score")
    joined.loc[joined["value"].notna(), "status"] = "ok"
    for column in ("n_train", "n_test"):
        if column not in joined:
            joined[column] = np.nan
    return joined.assign(replicate=0)[list(COLUMNS)]


def _undefined_where_others_are_there(scores: pd.DataFrame) -> pd.DataFrame:
    """A trial with some measures has run: one that it lacks is undefined there, which is not a failure."""
    ran = scores.groupby(["dataset", "method", "repeat", "fold"])["value"].transform(lambda v: v.notna().any())
    return scores.assign(status=scores["status"].where(~ran, "ok"))


def _summary_rows(long: pd.DataFrame) -> list[str]:
    rows = [d for d in dict.fromkeys(long["dataset"]) if d.strip().lower() in SUMMARIES]
    return [f"{d!r} was read as a data set; if it sums up the others, remove that row" for d in rows]


def _left_out(long: pd.DataFrame, facts: dict[str, Measure]) -> list[str]:
    rest = [m for m in dict.fromkeys(long["measure"]) if m not in facts]
    return [f"left out, since nobody said which way is better: {', '.join(rest[:5])}"] if rest else []


def _all_facts(long: pd.DataFrame, higher: bool | None, asked: str | None, source: str) -> dict[str, Measure]:
    """The facts of all measures; among several, those of unknown direction are left out unless one was asked for."""
    found = list(dict.fromkeys(long["measure"]))
    wanted = [m for m in found if asked is None or _same_measure(m, asked)]
    if not wanted:
        raise UnknownName.among("measure in this file", asked, found)
    if len(found) > 1:
        found = [m for m in found if _is_known(m) or (m in wanted and asked is not None)] or found
    return {m: _facts(m, higher if m in wanted else None, asked, long, source) for m in found}


def _is_known(measure: str) -> bool:
    return measure.lower() in _known_measures()


def _same_measure(name: str, asked: str) -> bool:
    """The same name, in whatever letters, or two names of one registered measure."""
    if name.lower() == asked.lower():
        return True
    return _is_known(name) and _is_known(asked) and get(name.lower()).name == get(asked.lower()).name


def _facts(name: str, higher: bool | None, asked: str | None, long: pd.DataFrame, source: str) -> Measure:
    if _is_known(name):
        facts = get(name.lower())
        if higher is not None and higher != facts.higher_is_better:
            word = "higher" if facts.higher_is_better else "lower"
            raise InputError(
                f"{name} is known to be better when {word}; leave out higher_is_better, or name another measure"
            )
        return _rescaled(replace(facts, name=name), long.loc[long["measure"] == name, "value"])
    if higher is None:
        if asked is not None:
            unknown = UnknownName.among("measure", asked, _known_measures())
            raise InputError(f"{unknown}; or say which way is better: higher_is_better=True (--higher-is-better)")
        raise InputError(
            f"{source} does not say what its scores measure, so nobody knows which way is better; say "
            f"measure='accuracy' or higher_is_better=True (command line: --measure accuracy, or --higher-is-better / "
            f"--lower-is-better)"
        )
    worst, best = (-math.inf, math.inf) if higher else (math.inf, -math.inf)
    return Measure(name, name, needs=(), task="any", worst=worst, best=best)


def _rescaled(facts: Measure, values: pd.Series) -> Measure:
    """The same measure in percent, where the numbers can't be shares."""
    values = values.dropna()
    if values.empty:
        return facts
    top, bottom = float(values.max()), float(values.min())
    low, high = min(facts.worst, facts.best), max(facts.worst, facts.best)
    slack = 1e-9 * max(1.0, abs(high)) if math.isfinite(high) else 0.0
    if high == 1.0 and top <= 100.0 and (values > 1).mean() > 0.5 and bottom >= 100 * low:
        return replace(facts, worst=100 * facts.worst, best=100 * facts.best, unit="%", range="0 to 100")
    if top > high + slack or bottom < low - slack:
        raise InputError(
            f"{facts.name} lies between {low:g} and {high:g}, but the scores go from {bottom:g} to {top:g}; "
            "name another measure, or say higher_is_better=True or False instead"
        )
    return facts


def _scale_notes(facts: dict[str, Measure]) -> list[str]:
    return [f"{m.name} was read as a percentage" for m in facts.values() if m.unit == "%"]


def _among(name: str, facts: dict[str, Measure]) -> str:
    """The measure of that name, of that name in other letters, or by its registered alias."""
    for known in facts:
        if _same_measure(known, name):
            return known
    raise UnknownName.among("measure in this file", name, facts)


def _only(long: pd.DataFrame, methods: Sequence[str]) -> pd.DataFrame:
    known = set(long["method"])
    for m in methods:
        if m not in known:
            raise UnknownName.among("method in this file", m, known)
    return long[long["method"].isin(methods)]


def _dependence(resampling: str | None, scores: pd.DataFrame, dataset: str) -> Dependence:
    """What was declared, checked against how many scores there are."""
    if resampling is None:
        return Dependence.unknown()
    declared = parse(resampling).dependence()
    places = len(scores[["repeat", "fold"]].drop_duplicates())
    wanted = declared.repeats * declared.folds
    if places != wanted:
        raise InputError(
            f"resampling={resampling!r} means {wanted} scores for each method on each data set, "
            f"but {dataset!r} has {places}"
        )
    return declared
