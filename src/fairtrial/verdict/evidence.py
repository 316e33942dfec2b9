"""The evidence: scores of the compared methods on shared splits, after the failure policy, and what was done."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.choices import FailurePolicy
from fairtrial.design import write_levels
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure, Predictions, compute_on, pooled
from fairtrial.notices import Notice, look
from fairtrial.resampling import Dependence
from fairtrial.results.absentees import Absences, Absentee, DidNotRun, absences
from fairtrial.results.failure_policy import ABSENT, Grid, apply_policy, check_pairs, is_resource, marked
from fairtrial.results.prediction_source import why_undefined
from fairtrial.results.provenance import A_DATASET
from fairtrial.results.score_measures import is_known_measure
from fairtrial.results.trivial import may_be_trivial
from fairtrial.stats import Interval
from fairtrial.verdict.yardsticks.policy_answers import policies_of
from fairtrial.words import listed, part_of, plural, verb

if TYPE_CHECKING:
    from fairtrial.results import Results

FloatArray = NDArray[np.float64]
MOST_UNDEFINED = 0.10
SCALES_APART = 100.0  # the largest typical score of a data set, in units of the smallest


@dataclass(frozen=True, eq=False)
class Evidence:
    """Per data set a matrix of scores: splits in rows, methods in columns, yardsticks last.

    Nothing is missing for the methods; a yardstick may be undefined (the precision of a majority baseline).
    Of fixed models on one test set there are also the ``losses`` of all instances (or clusters), or, where the measure
    is not an average of losses, the ``predictions`` of each model. ``cluster_weights`` are the sizes of clusters, in
    units of their mean. ``nested`` gives the interval that a nested cross-validation was made for: of a method, on a
    data set, at a level.

    Methods that did not run (``absent``) are not in ``methods``. A method may have run in general, but not on some data
    sets (``absent_on``): over all data sets it is scored there by the failure policy, but :meth:`on` such a data set it
    is absent. ``failed`` is the number of scores given by the failure policy, of each data set (row) and method
    (column). ``scored`` says how they were scored; ``scored_alone`` and ``scored_on`` say it for verdicts in which each
    data set is judged by itself. ``beside`` is the evidence by further measures, if several are asked about at once.
    ``by_ratio``: errors of a measure that is not registered, on scales that differ so much that only ratios make sense.
    ``unit`` is the word for a data set, which may be a task or a question; ``dropped`` of them were left out, since
    they lack scores. ``at`` are the levels of factors that were chosen, in words; ``in_clusters`` is the number of
    instances in all clusters. ``only_answer``: the answer is compared with another, and nobody asks how stable it is.
    ``trivial`` says in words what a trivial policy does, by its name and the data set, where costs are compared.
    ``learn_nothing`` are the compared methods that learn nothing. ``where`` is the condition that chose the data sets.
    """

    measure: Measure
    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    yardsticks: tuple[str, ...]
    folds: tuple[FloatArray, ...]
    dependence: tuple[Dependence, ...]
    notices: tuple[Notice, ...] = ()
    policy: FailurePolicy = "baseline"
    losses: FloatArray | None = None
    predictions: tuple[Predictions, ...] | None = None
    cluster_weights: FloatArray | None = None
    nested: Callable[[str, str, float], Interval | None] | None = None
    absent: tuple[Absentee, ...] = ()
    absent_on: Mapping[str, tuple[Absentee, ...]] = field(default_factory=dict)
    failed: NDArray[np.int64] | None = None
    scored: str = ""
    scored_alone: str = ""
    scored_on: Mapping[str, str] = field(default_factory=dict)
    beside: tuple[Evidence, ...] = ()
    by_ratio: bool = False
    unit: str = A_DATASET
    dropped: int = 0
    at: str = ""
    in_clusters: int = 0
    only_answer: bool = False
    trivial: Mapping[tuple[str, str], str] = field(default_factory=dict)
    learn_nothing: tuple[str, ...] = ()
    where: str = ""

    @property
    def means(self) -> FloatArray:
        """Mean over splits: data sets in rows, methods and then yardsticks in columns."""
        return np.vstack([f.mean(axis=0) for f in self.folds])

    @property
    def as_ratio(self) -> bool:
        """Whether methods are compared by ratios over data sets, on the log scale; zeros don't allow it."""
        wanted = self.measure.compare == "log-ratio" or self.by_ratio
        return wanted and bool((self.means[:, : len(self.methods)] > 0).all())

    @property
    def scales(self) -> tuple[float, float]:
        """The typical size of the scores on the data set where it is smallest (but not 0), and where it is largest."""
        typical = np.median(np.abs(self.means[:, : len(self.methods)]), axis=1)
        return float(np.min(typical, where=typical > 0, initial=np.inf)), float(typical.max())

    @property
    def scales_apart(self) -> bool:
        """Whether a measure without bounds has scores of very different sizes on the data sets."""
        low, high = self.scales
        unbounded = not math.isfinite(self.measure.best - self.measure.worst)
        return unbounded and len(self.datasets) > 1 and high / low >= SCALES_APART

    @property
    def is_optimistic(self) -> bool:
        """Whether the methods were tested on their training data, which no test can make good; costs don't mind."""
        return any(d.optimistic for d in self.dependence) and not self.measure.from_trials

    @property
    def is_resource(self) -> bool:
        """Whether the measure is what trials cost: a trivial method is cheap, and one that failed must not seem so."""
        return is_resource(self.measure)

    @property
    def clustered(self) -> bool:
        """Whether the losses are those of clusters of instances."""
        return self.cluster_weights is not None

    @property
    def cluster_totals(self) -> FloatArray:
        """The totals of the losses in each cluster, scaled so that their mean is the overall mean."""
        assert self.losses is not None
        assert self.cluster_weights is not None
        return np.asarray(self.losses - self.losses.mean(axis=0) * (1 - self.cluster_weights[:, None]))

    @property
    def comparable(self) -> FloatArray:
        """The means on the scale on which differences over data sets make sense."""
        if not self.as_ratio:
            return self.means
        return np.log(np.where(self.means > 0, self.means, np.nan))

    @property
    def sign(self) -> float:
        """+1 where higher is better, −1 where lower is: times a difference, positive is better."""
        return 1.0 if self.measure.higher_is_better else -1.0

    @property
    def columns(self) -> tuple[str, ...]:
        return self.methods + self.yardsticks

    def gone(self, i: int, method: str) -> bool:
        """Whether a method did not run on a data set."""
        return any(a.method == method for a in self.absent_on.get(self.datasets[i], ()))

    def cell(self, i: int, method: str) -> object:
        """The mean of a method on a data set, for a table; it is marked if it contains failed trials."""
        if method not in self.columns:
            return marked(math.nan, 0, 0, self.measure, gone=True)
        m = self.columns.index(method)
        failed = 0 if self.failed is None else int(self.failed[i, m])
        gone = self.gone(i, method)
        return marked(float(self.folds[i].mean(axis=0)[m]), failed, len(self.folds[i]), self.measure, gone=gone)

    def stood_in(self, method: str) -> int:
        """How many scores of a method are not its own, over all data sets."""
        return 0 if self.failed is None else int(self.failed[:, self.columns.index(method)].sum())

    def overall(self, method: str, mean: float) -> object:
        """The mean of a method over data sets, for a table; it is marked if it contains failed trials."""
        return marked(mean, self.stood_in(method), sum(map(len, self.folds)), self.measure)

    def on(self, i: int) -> Evidence:
        """The evidence on one data set, of the methods that ran there."""
        absent = self.absent_on.get(self.datasets[i], ())
        names = {a.method for a in absent}
        columns = [m for m, name in enumerate(self.columns) if name not in names]
        return replace(
            self,
            datasets=(self.datasets[i],),
            methods=tuple(m for m in self.methods if m not in names),
            yardsticks=tuple(m for m in self.yardsticks if m not in names),
            folds=(self.folds[i][:, columns],),
            dependence=(self.dependence[i],),
            notices=(),
            absent=absent,
            absent_on={},
            failed=None if self.failed is None else self.failed[[i]][:, columns],
            scored=self.scored_on.get(self.datasets[i], ""),
        )

    def without(self, i: int) -> Evidence:
        """The evidence without one data set."""
        return self.only([j for j in range(len(self.datasets)) if j != i])

    def only(self, keep: Sequence[int]) -> Evidence:
        """The evidence on some data sets, by their numbers."""
        return replace(
            self,
            datasets=tuple(self.datasets[j] for j in keep),
            folds=tuple(self.folds[j] for j in keep),
            dependence=tuple(self.dependence[j] for j in keep),
            failed=None if self.failed is None else self.failed[list(keep)],
        )


def gather(results: Results, policy: FailurePolicy | None = None) -> Evidence:
    """The evidence for the question's measure under a failure policy (None: the study's own).

    Methods that did not run are set apart first, since no policy can score a method without results.
    """
    facts = results.measure(results.question.measure)
    _check_measure(facts, results)
    methods = results.method_names()
    for name in (results.question.control, results.baseline):
        if name is not None and name not in methods:
            raise UnknownName.among("method of these results", name, methods)
    policy = policy or results.policy
    absent = absences(results, facts.name)
    grid = _of_those_that_ran(Grid.of(results, facts.name, methods), results, absent, policy, facts)
    grid = _only_complete(grid)
    score = partial(apply_policy, policy=policy, baseline=results.baseline, facts=facts)
    alone = grid.without(absent.cells())
    grid = score(grid).averaged()
    methods = grid.methods
    yardsticks = _yardsticks(results, methods)
    compared = tuple(m for m in methods if m not in yardsticks)
    grid = _only_defined(grid, facts, np.isin(methods, compared), results)
    order = [methods.index(m) for m in compared + yardsticks]
    evidence = Evidence(
        measure=facts,
        datasets=grid.datasets,
        methods=compared,
        yardsticks=yardsticks,
        folds=tuple(grid.values[grid.owner == i][:, order] for i in range(len(grid.datasets))),
        dependence=tuple(
            dependence_of(results, facts, d, int((grid.owner == i).sum())) for i, d in enumerate(grid.datasets)
        ),
        notices=tuple(look("grid", results, grid)),
        policy=policy,
        nested=nested_intervals(results, facts),
        absent=absent.everywhere,
        absent_on={d: tuple(a for a in own if a.method in methods) for d, own in absent.on.items()},
        failed=grid.failed()[:, order],
        unit=results.provenance.unit,
        dropped=grid.dropped,
        trivial=policies_of(results, facts, grid.datasets),
        learn_nothing=tuple(m for m in compared if may_be_trivial(m)),
        at=write_levels(results.chosen),
        scored=grid.scored,
        scored_alone=_stand_ins_in_words(alone, score) if grid.scored else "",
        scored_on={d: _stand_ins_in_words(alone.on(d), score) for d in grid.datasets} if grid.scored else {},
    )
    return _with_instances(_on_one_scale(evidence, results), results)


def _yardsticks(results: Results, methods: tuple[str, ...]) -> tuple[str, ...]:
    """The methods that are shown and to be beaten; listed trivial ones are compared with a method that is alone."""
    added = tuple(m for m in methods if m in results.yardsticks and m != results.question.control)
    listed_ones = tuple(m for m in methods if m in results.trivial and m not in (*added, results.question.control))
    others = [m for m in results.method_names() if m not in (*added, *listed_ones)]
    alone = len(others) == 0 or (len(others) == 1 and results.question.claim is None)
    return added if alone else (*added, *listed_ones)


def _on_one_scale(evidence: Evidence, results: Results) -> Evidence:
    """Errors on very different scales are compared by ratios, as rmse is, unless a difference that matters is given."""
    registered = is_known_measure(evidence.measure.name)
    if registered or evidence.measure.higher_is_better or results.question.delta is not None:
        return evidence
    return replace(evidence, by_ratio=evidence.scales_apart)


def _stand_ins_in_words(grid: Grid, score: Callable[[Grid], Grid]) -> str:
    """The note on failed trials in a part of the scores, which may be too small to compare anything."""
    try:
        return score(grid).scored
    except InputError:
        return ""


def _of_those_that_ran(grid: Grid, results: Results, absent: Absences, policy: FailurePolicy, facts: Measure) -> Grid:
    """The scores of the methods that ran; an error if no method, or not the control, is left."""
    if not absent.everywhere:
        return grid
    check_pairs(grid)
    if policy == "refuse":
        apply_policy(grid, policy, None, facts)
    control = next((a for a in absent.everywhere if a.method == results.question.control), None)
    if control is not None:
        raise DidNotRun(
            f"all others are compared with the control, but {control}; name another control, or repair "
            f"{control.method!r} and run its trials again (--retry-failed)"
        )
    left = tuple(m for m in grid.methods if m not in absent.methods())
    if all(m in results.yardsticks and m != results.question.control for m in left):
        missing = listed([str(a) for a in absent.everywhere if a.method not in results.yardsticks])
        raise DidNotRun(f"no method is left to say something about: {missing}; repair them and run their trials again")
    return grid.only(left)


def nested_intervals(results: Results, facts: Measure) -> Callable[[str, str, float], Interval | None] | None:
    from fairtrial.results.analyses.cv_intervals import is_nested, nested_interval

    return partial(nested_interval, results, facts) if facts.per_instance and is_nested(results) else None


def _check_measure(facts: Measure, results: Results) -> None:
    """Refuse a measure without a direction, or one that is not an average over instances where folds have one."""
    if not facts.directed:
        raise InputError(
            f"{facts.name} has no better and worse: it describes methods, but can't decide between them; "
            "ask for another measure"
        )
    if facts.per_instance or facts.from_trials or facts.combine == "pooled" or results.source is None:
        return
    sizes = results.scores.loc[results.scores["measure"] == facts.name].groupby("dataset", sort=False)["n_test"].max()
    single = [str(name) for name, largest in sizes.items() if largest == 1]
    if single and (results.scores.groupby("dataset")["fold"].nunique()[single[0]] > 1):
        raise InputError(
            f"the test sets of {single[0]} have one instance each, and the mean of {facts.name} over them is not "
            f"{facts.name}; pool them: measure {_pooled_name(facts, results)!r}"
        )


def _pooled_name(facts: Measure, results: Results) -> str | None:
    """The name of the measure over all predictions of a repeat at once; None where there are no predictions."""
    if results.source is None or facts.from_trials or facts.combine == "pooled":
        return None
    return pooled(facts.name)


def dependence_of(results: Results, facts: Measure, dataset: str, splits: int) -> Dependence:
    """The dependence between the scores of a data set; its scheme says so if only some of the splits are there.

    A measure that is pooled over folds has one score for each repeat, and its variance can't be estimated.
    """
    known = results.dependence.get(dataset, Dependence.unknown())
    if facts.combine == "pooled" and not facts.from_trials:
        scheme = known.scheme if known.folds == 1 else f"{known.scheme}, folds pooled"
        return replace(known, scheme=scheme, folds=1, test_share=math.nan)
    planned = known.repeats * known.folds
    part = f"{splits} of {known.scheme}" if known.seeds else f"{splits} of {planned} splits of {known.scheme}"
    return replace(known, scheme=part) if splits < planned else known


def _with_instances(evidence: Evidence, results: Results) -> Evidence:
    """The evidence with what is known of single instances, where fixed models met one test set."""
    one_test = len(evidence.datasets) == 1 and len(evidence.folds[0]) == 1
    source = results.source
    failed = results.failures["method"].isin(evidence.columns).any()
    several = results.scores["replicate"].nunique() > 1  # models: none of them is the one that is asked about
    if not one_test or results.question.about != "model" or source is None or failed or several:
        return evidence
    name = evidence.datasets[0]
    sizes = results.datasets[name].get("cluster_sizes")
    weights = None if not sizes else np.array(sizes) * len(sizes) / sum(sizes)
    if evidence.measure.per_instance:
        losses = source.losses(evidence.measure.name, name)[list(evidence.columns)]
        return replace(evidence, losses=losses.to_numpy(), cluster_weights=weights, in_clusters=sum(sizes or ()))
    if weights is not None or evidence.measure.from_trials:
        return evidence
    predictions = tuple(source.predictions(name, method) for method in evidence.methods)
    return replace(evidence, predictions=predictions) if _can_be_redrawn(evidence, predictions) else evidence


def _can_be_redrawn(evidence: Evidence, predictions: tuple[Predictions, ...]) -> bool:
    """Whether the measure of these predictions is what the scores are, and all classes are there to be drawn."""
    measure, first = evidence.measure.name, predictions[0]
    unknown = any((p.channels["label"] < 0).any() for p in predictions if "label" in p.channels and p.n_classes)
    if unknown or (first.n_classes and len(np.unique(first.truth)) < first.n_classes):
        return False
    values = [compute_on(p, [measure])[measure][0] for p in predictions]
    return bool(np.allclose(values, evidence.means[0, : len(predictions)], rtol=1e-9, atol=1e-12))


def _only_complete(grid: Grid) -> Grid:
    """Splits that have been run for all methods."""
    complete = (grid.state != ABSENT).all(axis=1)
    if not complete.any():
        raise InputError("no split has been run for all methods yet; let the run go on (`fairtrial run` again)")
    if complete.all():
        return grid
    waiting = int((~complete).sum())
    count = f"{part_of(waiting, len(complete), grid.unit)} {verb(waiting, 'is', 'are')}"
    text = f"{count} not yet run for all methods and left out"
    lost = len(grid.datasets) - len(grid.keep(complete).datasets)
    without = f"; {plural(lost, 'data set')} {verb(lost, 'has', 'have')} none"
    return grid.keep(complete, text + (without if lost else ""))


def _only_defined(grid: Grid, facts: Measure, compared: NDArray[np.bool_], results: Results) -> Grid:
    """Splits on which the measure is defined for all compared methods; too few of them is a reason to stop."""
    lacking = ~np.isfinite(grid.values) & compared  # an infinite ratio can't be averaged either
    undefined: NDArray[np.bool_] = np.asarray(lacking.any(axis=1))
    if not undefined.any():
        return grid
    advice = f"pool the folds (measure {name!r}), " if (name := _pooled_name(facts, results)) else ""
    fewer = "use fewer folds, " if grid.unit == "split" else "use "
    for i, name in enumerate(grid.datasets):
        own = undefined[grid.owner == i]
        never = [m for m, gone in zip(grid.methods, lacking[grid.owner == i].all(axis=0), strict=True) if gone]
        why = why_undefined(results, facts, name, never[0]) if never else facts.undefined
        if never and len(own) > 1:
            where = f"for {never[0]} on all {len(own)} {grid.unit}s of {name}"
            raise InputError(f"{facts.name} is undefined {where}: {why}; take another measure")
        if own.mean() > MOST_UNDEFINED:
            raise InputError(
                f"{facts.name} is undefined on {part_of(int(own.sum()), len(own), grid.unit)} of {name} "
                f"({why}), too many to leave out; {advice}{fewer}another measure, or leave the data set out"
            )
    where = part_of(int(undefined.sum()), len(undefined), grid.unit)
    text = f"{facts.name} is undefined on {where} ({facts.undefined}): left out for all methods"
    return grid.keep(~undefined, text)
