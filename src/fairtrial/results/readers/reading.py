"""Scores from elsewhere: wide, long, a column per fold, WEKA's result files.

Predictions from elsewhere: several models, the same instances, any program.

The table of readers: a row for each kind of file or frame. The first row that fits is taken.

A new kind of file is a module with its reader, beside this one, and a row here. Study files are our own and have no
row: ``study_results.py`` reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from fairtrial.choices import Rows
from fairtrial.design import Question
from fairtrial.doors import door
from fairtrial.errors import InputError
from fairtrial.measures import computable, get
from fairtrial.resampling import Dependence, Seeds, parse, score_unit
from fairtrial.results.how_read import Reading
from fairtrial.results.provenance import Provenance
from fairtrial.results.readers.covariates import set_apart
from fairtrial.results.readers.long_scores import LongScores, complete_scores
from fairtrial.results.readers.request import Request, Source, declared_dependence
from fairtrial.results.readers.score_shapes import levels_in
from fairtrial.results.readers.tabular_predictions import read_prediction_table
from fairtrial.results.readers.tabular_scores import is_seed, read_score_table, seeds_as_replicates, seeds_on_one_split
from fairtrial.results.readers.tested_sets import PredictedSets, TablePredictions, TestedSet
from fairtrial.results.readers.weka import is_experimenter_file, read_experimenter
from fairtrial.results.results import Results
from fairtrial.results.score_measures import scale_notes
from fairtrial.results.trivial import trivial_in_sets, trivial_in_table

if TYPE_CHECKING:
    import pandas as pd


Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Reader(Generic[Made]):
    """A reader: the content that it reads, how that is recognised, the function, and the options that it takes.

    ``takes`` is None for one that takes all options of its kind.
    """

    content: str
    fits: Callable[[Source], bool]
    made_by: Callable[[Source, Request], Made]
    takes: tuple[str, ...] | None = None

    def read(self, source: Source, request: Request) -> Made:
        """Read a source; an option that says nothing to this reader is refused, so that none is ignored."""
        strange = [] if self.takes is None else [name for name in request.given() if name not in self.takes]
        if strange:
            raise InputError(
                f"{strange[0]} can't be used here: {self.content} says it itself; leave it out, got "
                f"{request.given()[strange[0]]!r}"
            )
        return self.made_by(source, request)


def _is_table(_: Source) -> bool:
    """True: anything else is taken for a table, and ``read_table`` refuses what is not one."""
    return True


SCORES: tuple[Reader[LongScores], ...] = (
    Reader(
        "a result file of WEKA's Experimenter (.arff)",
        is_experimenter_file,
        read_experimenter,
        ("measure", "methods", "baseline"),
    ),
    Reader("a table of scores in one of the shapes of score_shapes.py", _is_table, read_score_table),
)

PREDICTIONS: tuple[Reader[PredictedSets], ...] = (
    Reader("a table of predictions, wide or long", _is_table, read_prediction_table),
)


def reader_of(source: Source, readers: Sequence[Reader[Made]]) -> Reader[Made]:
    """The first of the readers that fits."""
    return next(reader for reader in readers if reader.fits(source))


@door
def read_scores(
    source: str | Path | pd.DataFrame, *, measure: str | None = None, higher_is_better: bool | None = None,
    resampling: str | None = None, dataset: str | None = None, method: str | None = None, repeat: str | None = None,
    fold: str | None = None, value: str | None = None, methods: Sequence[str] | None = None,
    rows: Rows | None = None, sign: str | None = None, baseline: str | None = None,
    covariates: Sequence[str] | None = None,
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
    is refused, unless it is a usual word for a failure, such as ``out of memory``. ``covariates`` names columns that
    describe data sets, such as their domain: a verdict looks whether differences depend on one of them.

    A published table in long form may have its uncertainties in a column ``standard_error``, ``standard_deviation`` or
    ``half_width`` (of a 95 % interval), and its signs in a column ``sign``, or in one that ``sign`` names. Tables of
    scores show them as they are; no test uses them.
    """
    request = Request(
        measure=measure, higher_is_better=higher_is_better, resampling=resampling, dataset=dataset, method=method,
        repeat=repeat, fold=fold, value=value, sign=sign, methods=methods, rows=rows, covariates=covariates,
    )  # fmt: skip
    apart = None if covariates is None else set_apart(source, covariates, (dataset, method))
    given = source if apart is None else apart.scores
    read = reader_of(given, SCORES).read(given, request).with_any_score().of_methods(request.methods)
    described = {} if apart is None else apart.by_dataset(read.columns.get("dataset"))
    read = read if apart is None else replace(read, source=apart.name)
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
        datasets={d: {"covariates": own} for d, own in described.items()},
        trivial=trivial_in_table(scores["method"].unique()),
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


DEFAULTS = {"classes": ("accuracy", "average_recall"), "values": ("rmse", "mae", "r2")}


@door
def read_predictions(
    source: str | Path | pd.DataFrame, *, truth: str | None = None, measure: str | None = None,
    dataset: str | None = None, method: str | None = None, instance: str | None = None, repeat: str | None = None,
    fold: str | None = None, cluster: str | None = None, resampling: str | None = None, positive: object = None,
    methods: Sequence[str] | None = None,
) -> Results:  # fmt: skip
    """Results from per-instance predictions of several models on the same test set or sets.

    - wide: a row per instance, the column ``truth``, and a column per model. A model's column holds labels or numbers.
      With two classes, numbers between 0 and 1 are probabilities of the positive class; other numbers are scores, which
      are higher for it. The positive class is ``positive``; by default it is 1 (of 0 and 1, or −1 and 1) or True;
    - long: dataset, instance, method, truth, and ``label`` or ``value`` or ``score`` or ``p_<class>`` columns; besides
      ``value`` perhaps ``std``, the standard deviation of a predicted distribution (empty for methods without one);
    - forecasts: quantiles stand in the columns ``q0.1``, ``q0.5``, … of a long table and ``model:0.1`` or
      ``model_q0.1`` of a wide one; ``naive_scale`` is the error of the naive forecast of the series, for ``mase``.

    A label that is none of the classes is wrong. Whole numbers of at most 20 kinds are taken as classes, unless
    ``measure`` is one for numeric targets; of more kinds, the mistakes tell (classes have no near misses). All models
    must have predicted the same instances. ``methods`` selects some of them; columns of text and of what a prediction
    cost are not used. :attr:`Results.reading` says how the table was understood.

    In a long table a column ``positive`` may say, per data set, which class is the positive one.

    ``cluster`` names a column whose equal entries belong together (one patient, one document): such rows are not
    independent evidence. Without ``fold`` these are fixed models on one
    test set, and the verdict is about the models, not about the algorithms that made them.
    """
    request = Request(
        truth=truth, measure=measure, dataset=dataset, method=method, instance=instance, repeat=repeat, fold=fold,
        cluster=cluster, resampling=resampling, positive=positive, methods=methods,
    )  # fmt: skip
    found = reader_of(source, PREDICTIONS).read(source, request)
    tasks = {s.task for s in found.sets}
    if len(tasks) > 1:
        raise InputError(
            f"{found.source}: all data sets must have one task, but some have classes and some have values"
        )
    made = TablePredictions(found.sets)
    chosen = _measures(measure, made, tasks.pop())
    return Results(
        scores=made.scores(chosen),
        question=Question(measure=chosen[0], about="algorithm" if found.has_folds or resampling else "model"),
        dependence={s.dataset: _dependence_of_set(s, resampling, found.columns.get("repeat")) for s in found.sets},
        measures={m: get(m) for m in chosen},
        failures=_no_failures(),
        trivial=trivial_in_sets(found.sets),
        datasets={s.dataset: s.facts() for s in found.sets},
        notes=tuple(dict.fromkeys([*found.notes, *(n for s in found.sets for n in s.notes)])),
        provenance=Provenance(source=found.source, reader="read_predictions", reading=request.given()),
        source=made,
        reading=_reading_of_sets(found),
    )


def _reading_of_sets(found: PredictedSets) -> Reading:
    """What was understood of the table: how much of what it holds, of which methods, and what was decided."""
    names = tuple(dict.fromkeys(method for s in found.sets for method in s.channels))
    instances = sum(len(s.truth) for s in found.sets)
    counts = ((len(found.sets), "data set"), (len(names), "method"), (instances, "instance"))
    of_sets = dict.fromkeys(remark for s in found.sets for remark in s.remarks)
    return Reading(counts, found.columns, (*found.remarks, *of_sets), names)


def _dependence_of_set(s: TestedSet, resampling: str | None, repeat: str | None) -> Dependence:
    """The declared dependence; without a declaration, that of one test set is known, and that of seeds as repeats."""
    places = s.places()[0].shape[1]
    if resampling is None:
        if is_seed(repeat or "") and places > 1 and not s.fold.any():
            return Seeds(places).dependence()
        return Dependence("one test set", 1, 1) if places == 1 else Dependence.unknown()
    remedy = "; name the columns that number them (repeat='…', fold='…')"
    return declared_dependence(resampling, s.dataset, places, "test sets", remedy)


def _measures(asked: str | None, made: TablePredictions, task: str) -> list[str]:
    """The measures: the requested one, then the usual ones that can be computed for all methods."""
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
