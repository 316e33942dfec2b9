"""Scores from elsewhere: wide, long, a column per fold, WEKA's result files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design import Question
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure
from fairtrial.resampling import Dependence, parse
from fairtrial.results.readers.read_table import read_table
from fairtrial.results.readers.score_shapes import (
    ScoreColumns,
    is_known_measure,
    levels_in,
    long_form,
    refuse_text,
)
from fairtrial.results.results import COLUMNS, Results
from fairtrial.results.score_measures import UNNAMED, facts_of, same_measure, scale_notes

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["read_scores"]

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
    - long: dataset, method, (factors,) (repeat, fold,) (measure,) value, or a column per measure; columns of factors
      are called as in a study, such as ``label_noise``, and each level is judged by itself;
    - a result file of WEKA's Experimenter (.arff).

    ``measure`` (registered, so that its direction is known) or ``higher_is_better`` must say what is better, if not
    here then in :meth:`Results.verdict`: it is never assumed. ``resampling="10x10-fold"`` says what the folds are;
    without it nobody knows how the scores of one data set hang together, and inference is over data sets only.
    ``methods`` picks some of the methods. ``baseline`` names the method whose score stands in for failed ones.
    A score that is empty, or a combination that is not there, is a failure: counted, never dropped silently.
    Text among the scores (``95%``, ``0.9±0.1``, ``out of memory``) is refused, unless it is a usual word for a failure.
    """
    path = None if not isinstance(source, (str, Path)) else Path(source)
    factors: tuple[str, ...] = ()
    if path is not None and path.suffix.lower() == ".arff":
        from fairtrial.results.readers.weka import read_weka

        table = read_weka(path)
        long, name, facts = table.long, path.name, table.measures
        dependence, notes = dict(table.dependence), []
        main = _among(measure, facts) if measure else table.main
    else:
        frame, name = read_table(source)
        columns = ScoreColumns.found(
            frame, dataset=dataset, method=method, repeat=repeat, fold=fold, value=value, measure=measure,
            resampling=resampling,
        )  # fmt: skip
        refuse_text(frame, columns, methods, name)
        long = long_form(frame, columns, measure or UNNAMED.name, resampling)
        facts = _all_facts(long, higher_is_better, measure, name, named=columns.measures_known)
        main = _among(measure, facts) if measure and columns.measures_known else next(iter(facts))
        dependence, notes = {}, [*columns.notes(frame), *_summary_rows(long), *_left_out(long, facts)]
        long, factors = long[long["measure"].isin(facts)], columns.factors
    if methods is not None:
        long = _only(long, methods)
    long, empty = _with_any_score(_checked(long, name, factors), factors)
    scores = _complete(long, factors)
    if path is not None and path.suffix.lower() == ".arff":
        scores = _undefined_where_others_are_there(scores)
    for d in dict.fromkeys(scores["dataset"]):
        dependence.setdefault(str(d), _dependence(resampling, scores[scores["dataset"] == d], str(d)))
    failures = scores.loc[scores["status"] != "ok", ["dataset", "method", *factors, "repeat", "fold", "status"]]
    failures = failures.rename(columns={"status": "error"}).drop_duplicates().reset_index(drop=True)
    return Results(
        scores=scores,
        question=Question(measure=main),
        dependence=dependence,
        measures=facts,
        failures=failures,
        baseline=baseline,
        notes=(*scale_notes(facts), *notes, *empty),
        provenance={"source": name},
        factors={factor: levels_in(scores[factor]) for factor in factors},
    )


def _checked(long: pd.DataFrame, name: str, factors: Sequence[str]) -> pd.DataFrame:
    places = ["dataset", "method", *factors, "repeat", "fold", "measure"]
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


def _with_any_score(long: pd.DataFrame, factors: Sequence[str]) -> tuple[pd.DataFrame, list[str]]:
    """Without data sets on which no method has a score of a measure: there is nothing to compare, nor to stand in."""
    there = long.groupby(["dataset", "measure", *factors])["value"].transform(lambda v: v.notna().any())
    gone = long.loc[~there, ["dataset", "measure"]].drop_duplicates()
    notes = []
    for measure, own in gone.groupby("measure", sort=False):
        more = f" and {len(own) - 4} more" if len(own) > 4 else ""
        notes.append(f"no method has a score of {measure} on {', '.join(own['dataset'][:4])}{more}: left out")
    return long[there], notes


def _complete(long: pd.DataFrame, factors: Sequence[str]) -> pd.DataFrame:
    """Every method on every split of every data set; what is not there is a failure, and says so."""
    import pandas as pd

    splits = long[["dataset", *factors, "repeat", "fold", "measure"]].drop_duplicates()
    full = splits.merge(pd.DataFrame({"method": pd.unique(long["method"])}), how="cross")
    joined = full.merge(
        long, how="left", on=["dataset", "method", *factors, "repeat", "fold", "measure"], indicator=True
    )
    told = joined["status"] == "ok" if "status" in joined else False  # it ran: the measure is undefined there
    joined["status"] = np.where(joined["_merge"] == "left_only", "not there", "no score")
    joined.loc[joined["value"].notna() | told, "status"] = "ok"
    for column in ("n_train", "n_test"):
        if column not in joined:
            joined[column] = np.nan
    return joined.assign(replicate=0)[[*COLUMNS[:2], *factors, *COLUMNS[2:]]]


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


def _all_facts(
    long: pd.DataFrame, higher: bool | None, asked: str | None, source: str, *, named: bool
) -> dict[str, Measure]:
    """The facts of all measures; among several, those of unknown direction are left out unless one was asked for.

    ``named``: the table says what its scores measure.
    """
    found = list(dict.fromkeys(long["measure"]))
    wanted = [m for m in found if asked is None or same_measure(m, asked)]
    if not wanted:
        raise UnknownName.among("measure in this file", asked, found)
    if len(found) > 1:
        found = [m for m in found if is_known_measure(m) or (m in wanted and asked is not None)] or found
    if asked is None and higher is None and not named:
        return {UNNAMED.name: UNNAMED}  # whoever asks for a verdict may still say
    return {
        m: facts_of(m, higher if m in wanted else None, asked, long.loc[long["measure"] == m, "value"], source)
        for m in found
    }


def _among(name: str, facts: dict[str, Measure]) -> str:
    """The measure of that name, of that name in other letters, or by its registered alias."""
    for known in facts:
        if same_measure(known, name):
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
    places = len(scores[["repeat", "fold"]].drop_duplicates())
    declared = parse(resampling).dependence().counted(places)
    wanted = declared.repeats * declared.folds
    if wanted and places != wanted:
        raise InputError(
            f"resampling={resampling!r} means {wanted} scores for each method on each data set, "
            f"but {dataset!r} has {places}"
        )
    return declared
