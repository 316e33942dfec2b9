"""Results: scores of methods on data sets, wherever they come from."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, Unpack

from fairtrial.design import FAILURE_POLICIES, FailurePolicy, Level, Question, write_levels
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import ConfusionMatrix, ContextMap, Measure, Predictions, get, in_context, is_known
from fairtrial.resampling import Dependence
from fairtrial.results.analyses.method_curves import AnyCurve, FoldsOfCurves, confusion_of, contexts_of, curves_of
from fairtrial.results.analyses.scaling import Scaling, scaling_of
from fairtrial.results.export import LongTable, apart, kinds_of, write_long
from fairtrial.results.failure_policy import means_of
from fairtrial.results.score_measures import UNNAMED, direction_unknown, facts_of, is_unnamed, scale_notes
from fairtrial.tables import Column, Table, formats

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from fairtrial.results.analyses.bootstrap_errors import BootstrapErrors
    from fairtrial.results.analyses.cv_intervals import CvIntervals, IntervalMethod
    from fairtrial.verdict import Front, LevelVerdicts, Verdict

__all__ = ["COLUMNS", "PredictionSource", "Results"]

COLUMNS = (
    "dataset",
    "method",
    "replicate",
    "repeat",
    "fold",
    "measure",
    "value",
    "n_train",
    "n_test",
    "status",
)


class Asked(TypedDict, total=False):
    """What a verdict can be asked for; see :meth:`Results.verdict`."""

    measure: str | None
    control: str | None
    smallest_difference: float | None
    level: float | None
    domains: str | None
    context: Mapping[str, object] | None
    failures: FailurePolicy | None
    baseline: str | None
    adjust: str
    per_dataset: str | None


class PredictionSource(Protocol):
    """Stored predictions, from which any measure can be computed after the fact."""

    def scores(self, measures: Sequence[str]) -> pd.DataFrame: ...

    def frame(self) -> pd.DataFrame: ...

    def table(self) -> LongTable:
        """The same in parts, to be written."""
        ...

    def losses(self, measure: str, dataset: str) -> pd.DataFrame: ...

    def predictions(self, dataset: str, method: str, repeat: int | None = None) -> Predictions:
        """All that a method predicted on a data set, or in one repeat of it; folds are the test sets."""
        ...

    def at(self, levels: Mapping[str, Level]) -> PredictionSource:
        """Those of trials at some levels of the factors."""
        ...

    def datasets(self) -> set[str]:
        """The data sets that there are, or will be, predictions on."""
        ...

    def told(self) -> dict[str, Any]:
        """What results have of the trials themselves: ``warnings``, ``outputs`` and ``notes``."""
        ...


@dataclass(frozen=True, eq=False)
class Results:
    """Tidy scores and all that is needed to interpret them.

    ``scores`` has the columns :data:`COLUMNS`: one row per data set, method, split and measure; a failed trial is a
    row with status ``failed`` and no value. ``dependence`` says, per data set, how the scores hang together.
    Results at several levels of ``factors`` have a column for each, and are judged level by level (:meth:`verdicts`);
    ``chosen`` are the levels that :meth:`at` has chosen already.
    ``warnings`` and ``outputs`` count, per method, the trials that warned or printed something.
    """

    scores: pd.DataFrame
    question: Question
    dependence: Mapping[str, Dependence]
    measures: Mapping[str, Measure]
    failures: pd.DataFrame
    yardsticks: tuple[str, ...] = ()
    baseline: str | None = None
    policy: FailurePolicy = "baseline"
    facts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    datasets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    warnings: Mapping[str, int] = field(default_factory=dict)
    outputs: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    source: PredictionSource | None = None
    path: Path | None = None
    factors: Mapping[str, tuple[Level, ...]] = field(default_factory=dict)
    chosen: Mapping[str, Level] = field(default_factory=dict)

    @property
    def predictions(self) -> pd.DataFrame:
        """Per-instance predictions: dataset, method, repeat, fold, instance, truth, label, probabilities or value."""
        return self._source().frame()

    @property
    def tuning(self) -> pd.DataFrame:
        """One row per trial of a tuned method: the chosen parameters (``param_…``), inner score, configurations, cost.

        The inner score chose the best of many and is no estimate of its quality: ``scores`` has that.
        """
        from fairtrial.results.analyses.tuned_choices import chosen_frame

        return chosen_frame(self)

    @property
    def tried(self) -> pd.DataFrame:
        """One row per trial and configuration that a tuned method tried, best first, with its inner scores."""
        from fairtrial.results.analyses.tuned_choices import tried_frame

        return tried_frame(self)

    def tuning_table(self) -> Table | None:
        """Per method: how it was tuned, over how many configurations, what that took and what was chosen."""
        from fairtrial.results.analyses.tuned_choices import tuning_table

        return tuning_table(self)

    def levels(self) -> list[dict[str, Level]]:
        """The combinations of levels that there are results of, in the study's order; without factors one, empty."""
        there = {tuple(row) for row in self.scores[list(self.factors)].drop_duplicates().itertuples(index=False)}
        combinations = itertools.product(*self.factors.values())
        return [dict(zip(self.factors, c, strict=True)) for c in combinations if not self.factors or c in there]

    def at(self, levels: Mapping[str, Level] | None = None, **more: Level) -> Results:
        """The results at some levels: ``results.at(label_noise=0.1)``.

        Training sets that a level makes smaller are drawn anew in each split and overlap less: the correction for the
        dependence of the whole ones holds for them as well, and errs on the safe side.
        """
        chosen = {**(levels or {}), **more}
        for name, level in chosen.items():
            if name not in self.factors:
                raise UnknownName.among("factor of these results", name, self.factors)
            if level not in self.factors[name]:
                raise InputError(f"{name} must be one of {list(self.factors[name])} in these results, got {level!r}")
        source = None if self.source is None else self.source.at(chosen)
        scores, failures = (_only(frame, chosen) for frame in (self.scores, self.failures))
        planned = set(scores["dataset"]) if source is None else source.datasets()
        return replace(
            self,
            scores=scores,
            failures=failures,
            dependence={name: known for name, known in self.dependence.items() if name in planned},
            datasets={name: known for name, known in self.datasets.items() if name in planned},
            factors={name: own for name, own in self.factors.items() if name not in chosen},
            chosen={**self.chosen, **chosen},
            source=source,
            **({} if source is None else source.told()),
        )

    def _one_level(self) -> None:
        """Refuse what would mix levels."""
        if self.factors:
            name, levels = next(iter(self.factors.items()))
            raise InputError(
                f"these results are at several levels of {', '.join(self.factors)}; choose one, such as "
                f"results.at({name}={levels[0]}), or take results.verdicts(), which judges each (command line: --at)"
            )

    def _source(self) -> PredictionSource:
        if self.source is None:
            raise InputError("these results are scores without predictions, so nothing new can be computed from them")
        return self.source

    def dataset_names(self) -> tuple[str, ...]:
        """The data sets, in the order in which they came."""
        return tuple(dict.fromkeys(self.scores["dataset"]))

    def method_names(self) -> tuple[str, ...]:
        """The methods, yardsticks last."""
        names = dict.fromkeys(self.scores["method"])
        return tuple(sorted(names, key=lambda m: m in self.yardsticks))

    def with_measures(self, *names: str) -> Results:
        """These results with more measures, computed from the stored predictions; nothing is run."""
        import pandas as pd

        new = {get(n).name: get(n) for n in names if n not in self.measures and get(n).name not in self.measures}
        if not new:
            return self
        tasks = {facts["task"] for facts in self.datasets.values() if "task" in facts}
        for facts in new.values():
            if facts.task != "any" and tasks and facts.task not in tasks:
                raise InputError(f"{facts.name} is for {facts.task}, but these data sets have {' and '.join(tasks)}")
        scores = pd.concat([self.scores, self._source().scores(list(new))], ignore_index=True)
        return replace(self, scores=scores, measures={**self.measures, **new})

    def only_measures(self, *names: str) -> Results:
        """These results with no measures but these, which are computed where they are not there."""
        chosen = {facts.name: facts for facts in map(self.measure, names)}
        whole = self.with_measures(*(name for name in chosen if name not in self.measures))
        scores = whole.scores[whole.scores["measure"].isin(list(chosen))].reset_index(drop=True)
        return replace(whole, scores=scores, measures=chosen)

    def measure(self, name: str | None = None) -> Measure:
        """The facts of a measure of these results; None: of the question's."""
        if is_unnamed(self.measures):
            if name is None or name in self.measures:
                raise direction_unknown(self._table_name())
            return self._said(name).measures[name]
        if name is None:
            name = self.question.measure or next(iter(self.measures))
        if name in self.measures:
            return self.measures[name]
        for known, facts in self.measures.items():
            if known.lower() == name.lower() or name in facts.aliases:
                return facts
        if self.source is None:
            raise UnknownName.among("measure of these results", name, self.measures)
        if name == self.question.measure and not is_known(name):
            raise InputError(
                f"the question is asked of {name!r}, a measure of somebody's own; import the module that declares it "
                "first (command line: fairtrial --import MODULE …), or name another measure"
            )
        return get(name)

    def _said(self, name: str | None) -> Results:
        """Where a table doesn't say what its scores measure: these results with the measure that is asked for."""
        if name is None or name in self.measures or not is_unnamed(self.measures):
            return self
        facts = facts_of(name, None, name, self.scores["value"], self._table_name())
        return replace(
            self,
            scores=self.scores.assign(measure=name),
            measures={name: facts},
            question=replace(self.question, measure=name),
            notes=(*scale_notes({name: facts}), *self.notes),
        )

    def _table_name(self) -> str:
        return str(self.provenance.get("source", "the table"))

    def verdict(
        self,
        measure: str | None = None,
        *,
        control: str | None = None,
        smallest_difference: float | None = None,
        level: float | None = None,
        domains: str | None = None,
        context: Mapping[str, object] | None = None,
        failures: FailurePolicy | None = None,
        baseline: str | None = None,
        adjust: str = "holm",
        per_dataset: str | None = None,
    ) -> Verdict:
        """Answer the study's question; what is given here replaces a part of it.

        ``measure`` may also say what the scores of a table are that doesn't (:func:`read_scores`).

        ``context`` is where the methods will be used: ``{"positives": 0.02, "costs": [1, 30]}``.
        ``per_dataset="corrected_t"`` compares with the control on each data set, as WEKA's Experimenter does.
        """
        from fairtrial.verdict import judge

        if (said := self._said(measure)) is not self:
            return said.verdict(
                None, control=control, smallest_difference=smallest_difference, level=level, domains=domains,
                context=context, failures=failures, baseline=baseline, adjust=adjust, per_dataset=per_dataset,
            )  # fmt: skip
        self._one_level()
        if failures is not None and failures not in FAILURE_POLICIES:
            raise UnknownName.among("failure policy", str(failures), FAILURE_POLICIES)
        changes = {
            "control": control,
            "smallest_difference": smallest_difference,
            "level": level,
            "domains": domains,
            "context": context,
        }
        if measure is not None and context is None:
            changes["context"] = {}  # the study's context is for its own measure
        question = replace(self.question, **{k: v for k, v in changes.items() if v is not None})  # type: ignore[arg-type]
        facts, notes = self.measure(measure), self.notes
        if context is not None:
            asked, facts = facts, self.measure(in_context(facts.name, context))
            if asked.name == facts.name:
                notes = (*notes, f"{asked.name} does not depend on the class balance: the context changes nothing")
        results = self if facts.name in self.measures else self.with_measures(facts.name)
        results = replace(
            results,
            notes=notes,
            question=replace(question, measure=facts.name),
            policy=failures or self.policy,
            baseline=baseline or self.baseline,
        )
        return judge(results, adjust=adjust, per_dataset=per_dataset)

    def verdicts(self, **asked: Unpack[Asked]) -> LevelVerdicts:
        """A verdict at each level of the factors, with the same options as :meth:`verdict`."""
        from fairtrial.verdict import LevelVerdicts

        if not self.factors:
            raise InputError("these results have no factors with several levels; take results.verdict()")
        said = self._said(asked.get("measure"))
        if not said.levels():
            raise InputError("no trial has been run yet at any level of the factors; let the run go on")
        return LevelVerdicts.of(said, lambda levels: said.at(levels).verdict(**asked))

    def predicted(self, dataset: str, method: str, repeat: int | None = None) -> Predictions:
        """All that a method predicted on a data set, or in one repeat, for measures and curves of one's own.

        Folds are the test sets. Over several repeats each instance is there several times.
        """
        self._one_level()
        source = self._source()
        for kind, name, known in (("data set", dataset, self.dataset_names()), ("method", method, self.method_names())):
            if name not in known:
                raise UnknownName.among(f"{kind} of these results", name, known)
        repeats = self.scores.loc[self.scores["dataset"] == dataset, "repeat"]
        if repeat is not None and not (repeats == repeat).any():
            raise InputError(f"repeat must be one of {sorted(set(repeats))} on {dataset!r}, got {repeat!r}")
        return source.predictions(dataset, method, repeat)

    def curves(
        self,
        kind: str = "roc",
        *,
        dataset: str | None = None,
        methods: Sequence[str] | None = None,
        positive: object = None,
        folds: FoldsOfCurves = "merged",
    ) -> dict[str, AnyCurve]:
        """The curve of each method on one data set: roc, coverage, precision_recall, cost or reliability.

        ``folds="merged"`` makes one ranking of all test sets, though scores of different models need not be
        comparable (each instance counts once in each repeat; reliability is of the first repeat); ``"vertical"``,
        ``"horizontal"`` and ``"threshold"`` average the ROC curves of the test sets.
        With more than two classes ``positive`` is set against the rest.
        """
        self._one_level()
        return curves_of(self, kind, dataset=dataset, methods=methods, positive=positive, folds=folds)

    def confusion_matrix(self, method: str, dataset: str | None = None) -> ConfusionMatrix:
        """How often a method took which class for which, over all test sets of a data set."""
        self._one_level()
        return confusion_of(self, method, dataset)

    def contexts(
        self, dataset: str | None = None, *, thresholds: Literal["as predicted", "best"] = "as predicted"
    ) -> ContextMap:
        """Which method is cheapest for which class balance and cost ratio; nothing is run."""
        self._one_level()
        return contexts_of(self, dataset, thresholds=thresholds)

    def growth(
        self,
        measure: str = "fit_time",
        factor: str | None = None,
        *,
        at: float | None = None,
        dataset: str | None = None,
        methods: Sequence[str] | None = None,
    ) -> Scaling:
        """How a cost grows with ``train_size`` or ``feature_count``: the exponent of each method, with its interval.

        ``at`` predicts the cost at another size. Levels of other factors must have been chosen with :meth:`at`.
        """
        return scaling_of(self, measure, factor, at=at, dataset=dataset, methods=methods)

    def pareto(
        self,
        cost: str = "fit_time",
        measure: str | None = None,
        *,
        dataset: str | None = None,
        methods: Sequence[str] | None = None,
    ) -> Front:
        """Which methods are worth their cost: no other is as good and cheaper, or as cheap and better."""
        from fairtrial.verdict import front_of

        self._one_level()
        return front_of(self._said(measure), cost, measure, dataset=dataset, methods=methods)

    def figure(
        self,
        kind: str,
        *,
        dataset: str | None = None,
        methods: Sequence[str] | None = None,
        positive: object = None,
        folds: FoldsOfCurves = "merged",
        measure: str | None = None,
        factor: str | None = None,
        cost: str | None = None,
    ) -> Figure:
        """A picture of these results.

        Of one data set a kind of :meth:`curves`, ``"confusion"`` of one method, ``"contexts"``, or ``"growth"``
        (:meth:`growth`). Of one or several ``"levels"`` (a measure against the levels of a factor: learning curves) and
        ``"pareto"`` (:meth:`pareto`).
        """
        from fairtrial.figures import figure_of_results

        return figure_of_results(
            self._said(measure), kind, dataset=dataset, methods=methods, positive=positive, folds=folds,
            measure=measure, factor=factor, cost=cost,
        )  # fmt: skip

    def bootstrap_errors(self, measure: str | None = None) -> BootstrapErrors:
        """The .632 and .632+ estimates of each method's error, of a study with resampling ``".632 bootstrap 200"``."""
        from fairtrial.results.analyses.bootstrap_errors import bootstrap_errors

        self._one_level()
        return bootstrap_errors(self, measure=measure)

    def cv_intervals(
        self, measure: str | None = None, *, method: IntervalMethod = "auto", level: float = 0.95
    ) -> CvIntervals:
        """How sure each method's level is on each data set, by an interval that is valid for the resampling used.

        ``method`` is ``"nested"``, ``"clt"`` or ``"corrected-t"``; ``"auto"`` takes the first that the study allows.
        """
        from fairtrial.results.analyses.cv_intervals import cv_intervals

        self._one_level()
        return cv_intervals(self._said(measure), measure=measure, method=method, level=level)

    def export(
        self,
        *,
        scores: str | Path | None = None,
        predictions: str | Path | None = None,
        anonymous: str | Path | None = None,
    ) -> tuple[Path, ...]:
        """Write long tables of scores, of predictions, or of both, by the endings: .csv, .csv.gz or .parquet.

        :func:`read_scores` and :func:`read_predictions` can read them. Predictions are written part after part.
        ``anonymous`` is for a copy of the whole study file that names no host, command or folder, for blind review.
        """
        if scores is None and predictions is None and anonymous is None:
            raise InputError("nothing to export; say scores='scores.csv', predictions='predictions.csv', or both")
        apart(scores, predictions)
        wanted = [(scores, self._score_table)] if scores is not None else []
        wanted += [(predictions, self._source().table)] if predictions is not None else []
        written = [write_long(make(), path) for path, make in wanted]
        return (*written, *([] if anonymous is None else [self._anonymous(anonymous)]))

    def _anonymous(self, path: str | Path) -> Path:
        from fairtrial.store import anonymous_copy

        file = getattr(self.source, "file", None)
        if file is None:
            raise InputError(
                "anonymous= copies a study file, but these results come from a table; say scores= or predictions="
            )
        return anonymous_copy(file, path)

    def _score_table(self) -> LongTable:
        return LongTable(kinds_of(self.scores, list(self.scores.columns)), lambda: [self.scores])

    def report(self, path: str | Path, *, full_provenance: bool = False) -> Path:
        """Write the whole study as one page that needs no network.

        It names no host, and files by their base names; ``full_provenance`` keeps hosts, paths and command lines.
        """
        from fairtrial.report import write_report

        return write_report(self, path, full_provenance=full_provenance)

    def to_table(self) -> Table:
        """Means of the question's measure, after the failure policy: data sets in rows, methods in columns."""
        facts = self.measures[UNNAMED.name] if is_unnamed(self.measures) else self.measure()
        write, methods = formats.significant(4), list(self.method_names())
        rows: list[tuple[object, ...]] = []
        notes: dict[str, None] = {}
        for levels in self.levels():
            own = self.at(levels) if levels else self
            means, said = means_of(own, facts)
            place = (write_levels(levels),) if levels else ()
            names = dict.fromkeys(dataset for dataset, _ in means)
            rows += [(*place, name, *(means.get((name, m), math.nan) for m in methods)) for name in names]
            notes |= dict.fromkeys(f"{write_levels(levels)}: {note}" if levels else note for note in said)
        titles = ("level", "data set") if self.factors else ("data set",)
        columns = (*(Column(n, align="left") for n in titles), *(Column(m, write) for m in methods))
        caption = f"{facts.name}, mean over splits, per data set"
        return Table(columns=columns, rows=tuple(rows), caption=caption, notes=tuple(notes))

    def __str__(self) -> str:
        return self.to_table().to_text()

    def __repr__(self) -> str:
        return (
            f"Results({formats.plural(len(self.dataset_names()), 'data set')}, "
            f"{formats.plural(len(self.method_names()), 'method')}, "
            f"measures: {', '.join(self.measures)})"
        )

    def _repr_html_(self) -> str:
        return self.to_table().to_html()


def _only(frame: pd.DataFrame, levels: Mapping[str, Level]) -> pd.DataFrame:
    """The rows of some levels, without the columns that say so."""
    for name, level in levels.items():
        frame = frame[frame[name] == level]
    return frame.drop(columns=list(levels))
