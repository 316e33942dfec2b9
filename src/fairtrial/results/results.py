"""Results: scores of methods on data sets, wherever they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from fairtrial.choices import (
    Alternatives,
    Domains,
    Estimand,
    FailurePolicy,
    FigureOptions,
    FoldsOfCurves,
    TableOptions,
    VerdictOptions,
)
from fairtrial.definition import StudyDefinition
from fairtrial.design import Level, Question
from fairtrial.doors import door
from fairtrial.errors import InputError
from fairtrial.measures import ConfusionMatrix, ContextMap, Measure, Predictions
from fairtrial.resampling import Dependence
from fairtrial.results.at_levels import (
    level_combinations,
    refuse_several_levels,
    results_at,
    results_by_setting,
    results_of,
)
from fairtrial.results.export import export_results
from fairtrial.results.factor_answers import FactorAnswers
from fairtrial.results.how_read import Reading
from fairtrial.results.other_question import Asked, further_measures, single_measure, with_question
from fairtrial.results.prediction_source import PredictionSource, predicted_by, stored_predictions
from fairtrial.results.provenance import Provenance, Published
from fairtrial.results.score_measures import find_measure, mean_table, name_measure, only_measures, with_measures
from fairtrial.shown import drawn
from fairtrial.tables import Shown, Table
from fairtrial.words import nearest, no_attribute, plural

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from fairtrial.design import Study
    from fairtrial.results.analyses.bootstrap_errors import BootstrapErrors
    from fairtrial.results.analyses.cv_intervals import CvIntervals, IntervalMethod
    from fairtrial.results.analyses.final_model import FinalModel
    from fairtrial.results.analyses.instance_tests import McNemarTests
    from fairtrial.results.analyses.method_curves import Curves
    from fairtrial.results.analyses.order_effects import OrderEffects
    from fairtrial.results.analyses.scaling import Scaling
    from fairtrial.results.analyses.training_gap import TrainingGap
    from fairtrial.verdict import Front, LevelVerdicts, Verdict


@door
@dataclass(frozen=True, eq=False)
class Results(FactorAnswers, Shown):
    """Tidy scores and all that is needed to interpret them.

    ``scores`` has the columns :data:`COLUMNS`: one row per data set, method, split and measure. A failed trial is a row
    with status ``failed`` and no value. ``dependence`` says, for each data set, how the scores depend on each other.
    Results at several levels of ``factors`` have a column for each factor, and a verdict at each level
    (:meth:`verdicts`); ``chosen`` are the levels that :meth:`at` has selected already. ``warnings`` and ``outputs`` are
    the numbers of trials of each method that warned or printed something. ``definition`` is the study that was run,
    None for results from elsewhere. ``provenance`` says who ran it, or which table was read. ``asked`` is what a
    verdict was asked, in results that were prepared for one. ``named_by_setting``: :meth:`by_setting` made them.
    ``trivial`` are listed methods that learn nothing, which a verdict takes for yardsticks, too.
    ``published``: uncertainties and signs that a published table prints beside its scores. ``study`` is the study that
    made them, with its code and data; None if they were read from a file. ``reading`` is how a table from elsewhere
    was understood.
    """

    scores: pd.DataFrame
    question: Question
    dependence: Mapping[str, Dependence]
    measures: Mapping[str, Measure]
    failures: pd.DataFrame
    yardsticks: tuple[str, ...] = ()
    trivial: tuple[str, ...] = ()
    baseline: str | None = None
    policy: FailurePolicy = "baseline"
    facts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    datasets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    warnings: Mapping[str, int] = field(default_factory=dict)
    outputs: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    definition: StudyDefinition | None = None
    provenance: Provenance = field(default_factory=Provenance)
    source: PredictionSource | None = None
    path: Path | None = None
    factors: Mapping[str, tuple[Level, ...]] = field(default_factory=dict)
    chosen: Mapping[str, Level] = field(default_factory=dict)
    asked: Asked | None = None
    named_by_setting: bool = False
    published: Published = field(default_factory=Published)
    study: Study | None = None
    reading: Reading | None = None

    @property
    def predictions(self) -> pd.DataFrame:
        """Per-instance predictions: dataset, method, repeat, fold, instance, truth, label, probabilities or value."""
        return stored_predictions(self).frame()

    @property
    def tuning(self) -> pd.DataFrame:
        """One row per trial of a tuned method: the chosen parameters (``param_…``), inner score, configurations, cost.

        The inner score is the best of many, so it is too optimistic as an estimate of quality; see ``scores`` for that.
        """
        from fairtrial.results.analyses.tuned_choices import chosen_frame

        return chosen_frame(self)

    @property
    def tried(self) -> pd.DataFrame:
        """One row per trial and configuration that a tuned method tried, best first, with its inner scores."""
        from fairtrial.results.analyses.tuned_choices import tried_frame

        return tried_frame(self)

    @property
    def training_scores(self) -> pd.DataFrame:
        """The scores on rows that were learned from, as tidy as ``scores``: of studies with ``training_scores``."""
        from fairtrial.results.analyses.training_gap import training_frame

        return training_frame(self)

    def tuning_table(self) -> Table | None:
        """The tuning of each method: the search, the number of configurations, its cost, and the choice."""
        from fairtrial.results.analyses.tuned_choices import tuning_table

        return tuning_table(self)

    def levels(self) -> list[dict[str, Level]]:
        """The combinations of levels with results, in the study's order; without factors, one empty combination."""
        return level_combinations(self)

    def at(self, levels: Mapping[str, Level] | None = None, **more: Level) -> Results:
        """The results at some levels: ``results.at(label_noise=0.1)``; ``at(replicate=0)`` chooses a replicate.

        A method for which such a factor does not exist stays, since it is the same at all levels.

        If a level makes training sets smaller, the rows are drawn anew in each split, and the training sets overlap
        less than the whole ones. Tests keep the correction for the whole ones, which is then conservative.
        """
        return results_at(self, {**(levels or {}), **more})

    def only(self, *, methods: Sequence[str] | None = None, datasets: Sequence[str] | None = None) -> Results:
        """The results of some methods on some data sets: ``results.only(methods=["svm", "tree"])``; yardsticks stay."""
        return results_of(self, methods, datasets)

    def by_setting(self) -> Results:
        """These results with each setting of a method as a method of its own, such as ``forest (max_depth 3)``."""
        return results_by_setting(self)

    def variance_shares(self, measure: str | None = None) -> Table:
        """The shares of data sets, splits and seeds in the variance of each method's scores."""
        from fairtrial.results.analyses.score_variance import score_variance

        refuse_several_levels(self)
        return score_variance(name_measure(self, measure), measure)

    def dataset_names(self) -> tuple[str, ...]:
        """The data sets, in the order in which they came."""
        return tuple(self.scores["dataset"].unique())

    def method_names(self) -> tuple[str, ...]:
        """The methods, yardsticks last."""
        names = self.scores["method"].unique()
        return tuple(sorted(names, key=lambda m: m in self.yardsticks))

    def with_measures(self, *names: str) -> Results:
        """These results with more measures, computed from the stored predictions; nothing is run."""
        return with_measures(self, names)

    def only_measures(self, *names: str) -> Results:
        """These results with these measures alone, computed where they are not there yet."""
        return only_measures(self, names)

    def measure(self, name: str | None = None) -> Measure:
        """The facts of a measure of these results; None means the question's measure."""
        return find_measure(self, name)

    def verdict(
        self, measure: str | Sequence[str] | None = None, *, control: str | None = None,
        smallest_difference: float | str | Mapping[str, float | str] | None = None, level: float | None = None,
        claim: float | str | None = None, domains: Domains | None = None, alternative: Alternatives | None = None,
        estimand: Estimand | None = None, family: Mapping[str, Sequence[str]] | None = None,
        context: Mapping[str, object] | None = None, failures: FailurePolicy | None = None,
        baseline: str | None = None, pairs: bool | None = None, compare_trivial: bool | None = None,
        where: str | None = None, adjust: str = "best", per_dataset: str | None = None, test: str | None = None,
    ) -> Verdict:  # fmt: skip
        """Answer the study's question; an argument replaces the part of the question with that name.

        ``measure`` also names that of scores without a name (:func:`read_scores`). ``smallest_difference`` has a unit
        (``"0.5pp"``, or ``"5%"`` of ratios) or is in units of the measure. ``claim`` is a level of it: is the one
        method of these results better? ``context`` is where the methods will be used:
        ``{"positives": 0.02, "costs": [1, 30]}``. ``family`` names data sets that count as one,
        ``{"letters": ["letter-a", "letter-b"]}``. By default each method is compared with the best of the others;
        ``pairs=True`` compares all pairs, by intervals that hold for all of them together, and ``adjust`` names another
        adjustment of their p-values (:func:`fairtrial.stats.multiplicity`).
        ``per_dataset="corrected_t"`` compares with the control on each data set, as WEKA's Experimenter does. Methods
        that learn nothing are yardsticks, however they are called; ``compare_trivial=True`` compares them, too.

        ``where="n >= 1000"`` asks about the data sets with this property, and whether they differ from the others.

        ``measure=["recall", "fpr"]`` tests several measures at once. ``test`` asks for a test by name, where the design
        allows it: ``"five_by_two_f"``, ``"five_by_two_t"``, ``"repeated_anova"`` or ``"mcnemar"``.
        """
        from fairtrial.verdict.judge import judge

        compare_trivial = compare_trivial or per_dataset is not None or None  # the table of all methods and the control
        options = VerdictOptions(
            measure=measure, control=control, smallest_difference=smallest_difference, level=level, claim=claim,
            domains=domains, alternative=alternative, estimand=estimand, family=family, context=context,
            failures=failures, baseline=baseline, compare_trivial=compare_trivial, where=where,
        )  # fmt: skip
        also = further_measures(measure)
        if pairs and control is not None:
            raise InputError(f"pairs asks for all pairs, but control={control!r} for one method; leave one of them out")
        adjust = "simultaneous" if pairs and adjust == "best" else adjust
        return judge(with_question(self, options), adjust=adjust, per_dataset=per_dataset, test=test, also=also)

    def verdicts(self, **options: Unpack[VerdictOptions]) -> LevelVerdicts:
        """A verdict at each level of the factors, with the same options as :meth:`verdict`."""
        from fairtrial.verdict import LevelVerdicts

        return LevelVerdicts.over(name_measure(self, single_measure(options.get("measure"))), options)

    def order_effects(self, measure: str | None = None) -> OrderEffects:
        """By how much the order of training rows matters: the spread of scores over orders, beside that over splits.

        It needs a study with the factor ``row_order``: ``factors={"row_order": 4}``.
        """
        from fairtrial.results.analyses.order_effects import order_effects

        return order_effects(name_measure(self, measure), measure)

    def predicted(self, dataset: str, method: str, repeat: int | None = None) -> Predictions:
        """All predictions of a method on a data set, or in one repeat, for measures and curves of your own.

        Folds are the test sets. Over several repeats each instance occurs several times.
        """
        refuse_several_levels(self)
        return predicted_by(self, dataset, method, repeat)

    def curves(
        self, kind: str = "roc", *, dataset: str | None = None, methods: Sequence[str] | None = None,
        positive: object = None, folds: FoldsOfCurves = "merged",
    ) -> Curves:  # fmt: skip
        """The curve of each method on one data set: roc, coverage, precision_recall, cost or reliability.

        The result maps methods to curves; its ``notes`` say which trials and methods are left out.

        ``folds="merged"`` makes one ranking of all test sets, although scores of different models need not be
        comparable. Each instance counts once in each repeat; reliability uses only the first repeat. ``"vertical"``,
        ``"horizontal"`` and ``"threshold"`` average the ROC curves of the test sets. With more than two classes
        ``positive`` is compared with all others (one-vs-rest).
        """
        from fairtrial.results.analyses.method_curves import curves_of

        refuse_several_levels(self)
        return curves_of(self, kind, dataset=dataset, methods=methods, positive=positive, folds=folds)

    def confusion_matrix(self, method: str, dataset: str | None = None) -> ConfusionMatrix:
        """The confusion matrix of a method, over all test sets of a data set."""
        from fairtrial.results.analyses.tested_methods import confusion_of

        refuse_several_levels(self)
        return confusion_of(self, method, dataset)

    def mcnemar(
        self, *methods: str, dataset: str | None = None, repeat: int | None = None, level: float | None = None
    ) -> McNemarTests:
        """McNemar's test of two methods, or of all pairs, on each data set: on which instances is only one right?

        The first repeat is tested, or that with the number ``repeat``; the p-values of others are shown beside it.
        """
        from fairtrial.results.analyses.instance_tests import mcnemar_tests

        own = self.question.level if level is None else level
        return mcnemar_tests(self, methods, dataset=dataset, repeat=repeat, level=own)

    def contexts(
        self, dataset: str | None = None, *, thresholds: Literal["as predicted", "best"] = "as predicted"
    ) -> ContextMap:
        """The map of the method that is cheapest for each class balance and cost ratio; nothing is run."""
        from fairtrial.results.analyses.tested_methods import contexts_of

        refuse_several_levels(self)
        return contexts_of(self, dataset, thresholds=thresholds)

    def growth(
        self, measure: str = "fit_time", factor: str | None = None, *, at: float | None = None,
        dataset: str | None = None, methods: Sequence[str] | None = None,
    ) -> Scaling:  # fmt: skip
        """The growth of a cost with ``train_size`` or ``feature_count``: each method's exponent, with its interval.

        ``at`` is another size, for which the cost is predicted.
        """
        from fairtrial.results.analyses.scaling import scaling_of

        return scaling_of(self, measure, factor, at=at, dataset=dataset, methods=methods)

    def pareto(
        self, cost: str = "fit_time", measure: str | None = None, *,
        dataset: str | None = None, methods: Sequence[str] | None = None,
    ) -> Front:  # fmt: skip
        """The methods that are worth their cost: no other is as good and cheaper, or as cheap and better."""
        from fairtrial.verdict import front_of

        refuse_several_levels(self)
        return front_of(name_measure(self, measure), cost, measure, dataset=dataset, methods=methods)

    def figure(self, kind: str, **options: Unpack[FigureOptions]) -> Figure:
        """A figure of these results; notes below it say what is left out.

        ``kind`` is one of :data:`fairtrial.figures.KINDS` (``fairtrial list figures``); each takes some of the options.
        """
        return drawn("figure_of_results", name_measure(self, options.get("measure")), kind, **options)

    def table(self, name: str, **options: Unpack[TableOptions]) -> Table:
        """A table of these results, for every output format: ``print(results.table("scores"))``, ``.to_latex()``.

        ``name`` is one of :data:`fairtrial.result_tables.KINDS` (``fairtrial list tables``), which take some options.
        """
        from fairtrial.result_tables import table_of_results

        return table_of_results(name_measure(self, options.get("measure")), name, **options)

    def final_model(
        self, method: str, dataset: str | None = None, *, study: Study | str | Path | None = None,
        measure: str | None = None,
    ) -> FinalModel:  # fmt: skip
        """The method fitted on all rows of a data set, with the score that is to be expected: the cross-validated one.

        A study file keeps no code and no data: results that were read from one need the ``study``, or its TOML file.
        """
        from fairtrial.results.analyses.final_model import final_model

        return final_model(self, method, dataset, study=study, measure=measure)

    def bootstrap_errors(self, measure: str | None = None) -> BootstrapErrors:
        """The .632 and .632+ estimates of each method's error, of a study with resampling ``".632 bootstrap 200"``."""
        from fairtrial.results.analyses.bootstrap_errors import bootstrap_errors

        refuse_several_levels(self)
        return bootstrap_errors(self, measure=measure)

    def cv_intervals(
        self, measure: str | None = None, *, method: IntervalMethod = "auto", level: float = 0.95
    ) -> CvIntervals:
        """A confidence interval of each method's mean score on each data set, by a procedure that fits the resampling.

        ``method`` is ``"nested"``, ``"clt"`` or ``"corrected-t"``; ``"auto"`` takes the first that the study allows.
        """
        from fairtrial.results.analyses.cv_intervals import cv_intervals

        refuse_several_levels(self)
        return cv_intervals(name_measure(self, measure), measure=measure, method=method, level=level)

    def training_gap(self, measure: str | None = None) -> TrainingGap:
        """The mean score of each method on rows that it learned from and on test rows, for each data set."""
        from fairtrial.results.analyses.training_gap import training_gap

        refuse_several_levels(self)
        return training_gap(self, measure)

    def export(
        self, *, scores: str | Path | None = None, predictions: str | Path | None = None,
        anonymous: str | Path | None = None,
    ) -> tuple[Path, ...]:  # fmt: skip
        """Write long tables of scores, of predictions, or of both, by the endings: .csv, .csv.gz or .parquet.

        :func:`read_scores` and :func:`read_predictions` can read them. ``anonymous`` is the path of a copy of the whole
        study file without hosts, commands and folders, for blind review.
        """
        return export_results(self, scores, predictions, anonymous)

    def report(self, path: str | Path, *, full_provenance: bool = False) -> Path:
        """Write the whole study as one page that needs no network, without hosts, folders and command lines.

        ``full_provenance`` keeps them.
        """
        from fairtrial.report import write_report

        return write_report(self, path, full_provenance=full_provenance)

    def to_table(self) -> Table:
        """Means of the question's measure, after the failure policy: data sets in rows, methods in columns."""
        return mean_table(self)

    if not TYPE_CHECKING:  # type checkers would take every name for one

        def __getattr__(self, name: str) -> Any:
            near = ["figure"] if name in ("draw", "plot") else nearest(name, vars(Results))
            raise no_attribute("Results", name, "results", near)

    def __repr__(self) -> str:
        size = plural(len(self.dataset_names()), "data set"), plural(len(self.method_names()), "method")
        return f"Results({', '.join(size)}, measures: {', '.join(self.measures)})"


class _Scores:
    """A field of scores; those of a study file are computed from its predictions when they are first asked for."""

    def __get__(self, results: Any, of: type[Results]) -> pd.DataFrame:
        if results is None:
            raise AttributeError("scores")
        found = results.__dict__["scores"]
        if callable(found):
            found = results.__dict__["scores"] = found()
        return found

    def __set__(self, results: Any, scores: pd.DataFrame | Callable[[], pd.DataFrame]) -> None:
        results.__dict__["scores"] = scores


Results.scores = _Scores()
