"""Scores from elsewhere: wide, long, a column per fold, WEKA's result files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fairtrial.choices import Rows
from fairtrial.design import Question
from fairtrial.doors import door
from fairtrial.resampling import Dependence, parse, score_unit
from fairtrial.results.how_read import Reading
from fairtrial.results.provenance import Provenance
from fairtrial.results.readers.declared_dependence import declared_dependence
from fairtrial.results.readers.long_scores import LongScores, complete_scores
from fairtrial.results.readers.reader_table import SCORES, reader_of
from fairtrial.results.readers.request import Request
from fairtrial.results.readers.score_shapes import levels_in
from fairtrial.results.readers.seed_scores import seeds_as_replicates, seeds_on_one_split
from fairtrial.results.results import Results
from fairtrial.results.score_measures import scale_notes

if TYPE_CHECKING:
    import pandas as pd


@door
def read_scores(
    source: str | Path | pd.DataFrame, *, measure: str | None = None, higher_is_better: bool | None = None,
    resampling: str | None = None, dataset: str | None = None, method: str | None = None, repeat: str | None = None,
    fold: str | None = None, value: str | None = None, methods: Sequence[str] | None = None,
    rows: Rows | None = None, sign: str | None = None, baseline: str | None = None,
) -> Results:  # fmt: skip
    """Results from a table of scores that exists already.

    The shape of the table is recognised. ``dataset``, ``method``, ``repeat``, ``fold`` and ``value`` name columns with
    unusual titles. The shapes are:

    - wide: a row per data set, a column per method (and perhaps a repeat or fold column);
    - a row per method and data set, a column per fold;
    - long: dataset, method, (factors,) (repeat, fold,) (measure,) value, or a column per measure; columns of factors
      are called as in a study, such as ``label_noise``, and each level is judged by itself (a table that fairtrial
      exported may have factors of any name);
    - a result file of WEKA's Experimenter (.arff).

    A registered ``measure``, whose direction is known, or ``higher_is_better`` must say what is better, here or in
    :meth:`Results.verdict`: the direction is never assumed. ``resampling="10x10-fold"`` names the split scheme. Without
    it the dependence between the scores of one data set is unknown, and inference is over data sets only. A column
    called ``seed``, or ``resampling="5 seeds"``, means several seeds on one fixed split. ``methods`` selects some
    of the methods. ``baseline`` names the method whose score replaces failed ones. An empty score, or a missing
    combination, is a failure: it is counted, never dropped silently. Text among the scores (``95%``, ``0.9±0.1``)
    is refused, unless it is a usual word for a failure, such as ``out of memory``.

    A published table in long form may have its uncertainties in a column ``standard_error``, ``standard_deviation`` or
    ``half_width`` (of a 95 % interval), and its signs in a column ``sign``, or in one that ``sign`` names. Tables of
    scores show them as they are; no test uses them.
    """
    request = Request(
        measure=measure, higher_is_better=higher_is_better, resampling=resampling, dataset=dataset, method=method,
        repeat=repeat, fold=fold, value=value, sign=sign, methods=methods, rows=rows,
    )  # fmt: skip
    read = reader_of(source, SCORES).read(source, request).with_any_score().of_methods(request.methods)
    found = complete_scores(seeds_as_replicates(read, resampling))
    scores, dependence = found.frame, dict(found.dependence)
    if resampling is None:
        unknown = dict.fromkeys(map(str, scores["dataset"].unique()), Dependence.unknown())
        dependence = unknown | seeds_on_one_split(scores) | dependence
    else:
        columns = ["repeat", "fold"] if score_unit([parse(resampling).dependence()]) == "split" else ["replicate"]
        for d, places in scores[columns].groupby(scores["dataset"], sort=False):
            dependence.setdefault(str(d), _dependence(resampling, len(places.drop_duplicates()), str(d)))
    replicate = ["replicate"] if scores["replicate"].nunique() > 1 else []
    columns = ["dataset", "method", *found.factors, *replicate, "repeat", "fold", "status"]
    failures = scores.loc[scores["status"] != "ok", columns]
    failures = failures.rename(columns={"status": "error"}).drop_duplicates().reset_index(drop=True)
    return Results(
        scores=scores,
        question=Question(measure=found.main),
        dependence=dependence,
        measures=found.measures,
        failures=failures,
        baseline=baseline,
        notes=(*scale_notes(found.measures, scores), *found.notes),
        provenance=Provenance(source=found.source, reader="read_scores", reading=request.given(), unit=found.unit),
        factors={factor: levels_in(scores[factor]) for factor in found.factors},
        published=found.published,
        reading=_reading(found, dependence),
    )


def _reading(found: LongScores, dependence: Mapping[str, Dependence]) -> Reading:
    """What was understood of the table: how much of what it holds, and what was decided."""
    scores = found.frame
    splits = len(scores[["replicate", "repeat", "fold"]].drop_duplicates())
    several = score_unit(list(dependence.values()))
    counts = [(scores["dataset"].nunique(), found.unit), (scores["method"].nunique(), "method"), (splits, several)]
    return Reading(tuple(pair for pair in counts if pair[1] != several or splits > 1), found.columns, found.remarks)


def _dependence(resampling: str, places: int, dataset: str) -> Dependence:
    """The declared dependence, which must fit the number of scores of a method on a data set."""
    return declared_dependence(resampling, dataset, places, "scores for each method on each data set")
