"""Fixed models on one test set: the instances are the evidence, and the answer is about these models."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from fairtrial.design import Question
from fairtrial.errors import InputError
from fairtrial.measures import Predictions
from fairtrial.measures.ranking import Ranking
from fairtrial.results.readers.read_table import A_FRAME
from fairtrial.stats import (
    Interval,
    Outcome,
    auc_interval,
    mcnemar,
    mean_interval,
    measure_interval,
    measure_permutation,
    paired_bootstrap,
    paired_permutation,
    paired_t,
    proportion_interval,
)
from fairtrial.stats.distributions.rank_sums import Placements, placements, positives
from fairtrial.stats.outcome import Alternative
from fairtrial.stats.two_methods.delong import compare_areas
from fairtrial.verdict.claims.support import ByTest, NextStep
from fairtrial.verdict.designs.assumptions import of_t
from fairtrial.verdict.designs.compare_methods import Compared, answers, compare, own_delta, side_of, wanted_pairs
from fairtrial.verdict.designs.decide import one_by_one
from fairtrial.verdict.designs.one_dataset import scope_on, tables_on_one
from fairtrial.verdict.estimates import within_range
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.words import plural

COUNTED = ("accuracy", "error_rate")
MID_P = partial(mcnemar, method="mid-p")
REPLICATES = 9999
FEWER_REPLICATES = 1999  # where a resample costs as much as its instances, and these are many
MANY_INSTANCES = 2000
POWER = 0.8
MOST = 1e15  # instances; no number of them is named above
FEW = 200  # instances, below which skewed losses make a t-test err more often


@dataclass(frozen=True, slots=True)
class Way:
    """A way to compare models by instances: what is known of each model, a test of two, an interval of one."""

    name: str
    columns: Sequence[NDArray[Any]]
    test: Callable[..., Outcome]
    interval: Callable[..., Interval]
    over: str  # the number of instances or clusters, in words
    own: Sequence[NDArray[Any]] | None = None  # what intervals of one model are made of, if it is not the columns
    beware: tuple[str, ...] = ()  # how often the test errs

    def level(self, model: int) -> Interval:
        """The interval of one model by itself."""
        return self.interval((self.own or self.columns)[model])


def on_instances(evidence: Evidence, question: Question, adjust: str) -> Finding:
    """Compare all pairs, or each model with the control, by the test that fits the measure."""
    delta = own_delta(evidence, question)
    side = side_of(evidence, question, delta)
    way = _shiftable(evidence, question) if side.shift else way_of(evidence, question.level)
    k = len(evidence.methods)
    tests = one_by_one(
        way.columns[:k],
        wanted_pairs(evidence, question),
        test=way.test,
        names=evidence.methods,
        level=question.level,
        adjust=adjust,
        side=side,
    )
    compared = compare(evidence, question, tests, adjust, means=evidence.means[0, :k], delta=delta)
    beaten = tuple(_unbeaten(evidence, way, k + i, question.level) for i in range(len(evidence.yardsticks)))
    compared = replace(compared, unbeaten=beaten)
    undecided = compared.winner is None and any(p.decision == "undecided" for p in compared.pairs)
    about = ""
    if way.name == "paired t":
        a, b = compared.order[:2]
        about = of_t(np.asarray(way.columns[a], dtype=float) - np.asarray(way.columns[b], dtype=float))
    details = tuple(
        filter(
            None, (_counted(evidence, way) if way.test is not MID_P else "", compared.bonferroni, *way.beware, about)
        )
    )
    return compared.finding(
        scope_on(evidence, question, _such_instances(evidence, way)),
        (
            *answers(compared),
            *(_more_instances(compared, way) if undecided else ()),
            *([NextStep("say what matters")] if compared.winner is not None and compared.delta is None else []),
            ByTest(compared.family_in_words, way.name, _over(evidence, way), details),
        ),
        **tables_on_one(compared, f"over {way.over}"),
    )


def _unbeaten(evidence: Evidence, way: Way, yardstick: int, level: float) -> list[str] | None:
    """The models that don't clearly beat a yardstick, each tested by itself; None where that can't be tested."""
    if len(way.columns) <= yardstick or evidence.clustered:
        return None
    test = partial(way.test, level=level, alternative="greater" if evidence.sign > 0 else "less")
    tests = [test(way.columns[m], way.columns[yardstick]) for m in range(len(evidence.methods))]
    return [m for m, found in zip(evidence.methods, tests, strict=True) if not found.p_value < 1 - level]


def _counted(evidence: Evidence, way: Way) -> str:
    """What the test counts: how often only one of two models is right, or the instances in the clusters."""
    if evidence.clustered and evidence.cluster_weights is not None:
        return f"of {plural(evidence.in_clusters, 'instance')}; intervals from the means of clusters"
    if way.test is MID_P and len(evidence.methods) == 2:
        a, b = (np.asarray(column, dtype=bool) for column in way.columns[:2])
        if not evidence.measure.higher_is_better:
            a, b = ~a, ~b
        first, second = evidence.methods
        return f"only {first} is right on {int((a & ~b).sum())}, only {second} on {int((b & ~a).sum())}"
    return ""


def _over(evidence: Evidence, way: Way) -> str:
    """What was tested over; of two models also on how many instances only one of them is right."""
    counted = _counted(evidence, way) if way.test is MID_P else ""
    return f"{way.over}: {counted}" if counted else way.over


def _more_instances(compared: Compared, way: Way) -> Iterator[NextStep]:
    """How many instances would show the difference that matters between the two leading models."""
    unit = "clusters" if compared.evidence.clustered else "instances"
    a, b = compared.order[:2]
    names = compared.name(a), compared.name(b)
    if compared.delta is None or compared.evidence.losses is None:
        yield NextStep("say what matters", unit=unit, methods=names)
        return
    d = np.asarray(way.columns[a], dtype=float) - np.asarray(way.columns[b], dtype=float)
    level = 1 - (1 - compared.question.level) / max(1, compared.tests.family)
    z = float(ndtri((1 + level) / 2) + ndtri(POWER))
    yield NextStep("more data", math.ceil(min((z * float(d.std(ddof=1)) / compared.delta) ** 2, MOST)), unit, names)


def _such_instances(evidence: Evidence, way: Way) -> str:
    """The instances that the answer is about: like the 400 of a file, or those of 40 clusters."""
    name, count = evidence.datasets[0], f"{len(way.columns[0]):,}"
    these = "these" if name == A_FRAME else "the"
    such = f"those of {these} {way.over}" if evidence.clustered else f"{these} {count}"
    return f"on instances such as {such}{'' if name == A_FRAME else f' of {name}'}"


def _shiftable(evidence: Evidence, question: Question) -> Way:
    """The way by which models can be compared against a margin: a paired t over the losses of instances."""
    if evidence.losses is None:
        raise InputError(
            f"alternative='not worse' needs a measure that is an average over instances (such as accuracy, brier or "
            f"mae), got {evidence.measure.name!r}; ask for another measure, or leave alternative out"
        )
    return _by_t(evidence, evidence.losses, question.level)


def way_of(evidence: Evidence, level: float) -> Way:
    """The way to compare these models, or to estimate one, that fits the measure."""
    if evidence.losses is not None:
        return _by_losses(evidence, evidence.losses, level)
    if evidence.predictions is not None:
        return _by_predictions(evidence, evidence.predictions, level)
    raise InputError("instances can be compared only where the predictions of fixed models for them are there")


def _by_losses(evidence: Evidence, losses: NDArray[Any], level: float) -> Way:
    """McNemar (mid-p) where right and wrong are counted, a paired t over instances for other losses; clusters by flips.

    The mid-p form called models of equal accuracy different in at most 5.0 % (the exact one in 1 to 4 %, with 4 to 9
    points less power), and in up to 7.7 % given that they disagree on 16 instances.

    The signs of the differences of whole clusters are flipped: a t-test over clusters of unequal size erred in 6 to 7 %
    instead of 5 % in the lab.
    """
    over = plural(len(losses), "cluster" if evidence.clustered else "instance")
    if evidence.measure.name in COUNTED and not evidence.clustered:
        share = partial(_share, level=level)
        return Way("McNemar (mid-p)", list(losses.T), MID_P, share, over)
    if evidence.clustered:
        own, totals = partial(_mean, evidence=evidence, level=level), list(evidence.cluster_totals.T)
        return Way("sign flips of whole clusters", totals, paired_permutation, own, over, list(losses.T))
    return _by_t(evidence, losses, level)


def _by_t(evidence: Evidence, losses: NDArray[Any], level: float) -> Way:
    clusters = evidence.clustered
    over = plural(len(losses), "cluster" if clusters else "instance")
    columns, own = list((evidence.cluster_totals if clusters else losses).T), list(losses.T)
    few = ("worst case in the lab: 6 % at 5 %, with 30 skewed differences",) if len(losses) < FEW else ()
    return Way("paired t", columns, paired_t, partial(_mean, evidence=evidence, level=level), over, own, few)


def _share(losses: NDArray[Any], *, level: float) -> Interval:
    return proportion_interval(int(losses.sum()), len(losses), level=level)


def _mean(losses: NDArray[Any], *, evidence: Evidence, level: float) -> Interval:
    return within_range(mean_interval(losses, level=level), evidence.measure)


def _by_predictions(evidence: Evidence, predictions: Sequence[Predictions], level: float) -> Way:
    """DeLong for the area under the ROC curve of two classes; the bootstrap for whatever else is a measure."""
    first, facts = predictions[0], evidence.measure
    truth, over = first.truth, plural(len(first.truth), "instance")
    positive = first.declared
    if facts.name == "auc" and first.n_classes == 2:
        ranked = [p.shared(Ranking).scores[0] for p in predictions]
        one = partial(auc_interval, truth, positive=positive, level=level)
        return Way("DeLong", ranked, _Areas(positives(truth, positive)).compare, one, over)
    cheap = "label" in facts.needs or len(truth) <= MANY_INSTANCES
    replicates = REPLICATES if cheap else FEWER_REPLICATES
    one = partial(measure_interval, measure=facts.name, positive=positive, replicates=replicates, level=level)
    test = partial(_redrawn, truth, measure=facts.name, positive=positive, replicates=replicates)
    columns = [p.channel(facts.needs[0]) for p in predictions]
    how = (f"percentiles widened by t, {replicates:,} resamples",)
    return Way("paired bootstrap", columns, test, partial(one, truth), over, beware=how)


@dataclass(frozen=True, slots=True, eq=False)
class _Areas:
    """DeLong's test of many pairs of models: the scores of each are sorted once."""

    positive: NDArray[np.bool_]
    _found: dict[int, tuple[NDArray[Any], Placements]] = field(default_factory=dict)

    def compare(
        self, a: NDArray[Any], b: NDArray[Any], *, level: float, alternative: Alternative = "two-sided"
    ) -> Outcome:
        return compare_areas(self._placed(a), self._placed(b), alternative=alternative, level=level)

    def _placed(self, scores: NDArray[Any]) -> Placements:
        if id(scores) not in self._found:  # what is kept has its number to itself
            self._found[id(scores)] = scores, placements(self.positive, np.asarray(scores, dtype=float))
        return self._found[id(scores)][1]


def _redrawn(
    truth: NDArray[Any],
    first: NDArray[Any],
    second: NDArray[Any],
    *,
    measure: str,
    positive: int | None,
    replicates: int,
    level: float,
    alternative: Alternative = "two-sided",
) -> Outcome:
    """The paired bootstrap; a difference that no resample changes is tested by swapping predictions."""
    for test in (paired_bootstrap, measure_permutation):
        found = test(
            truth, first, second, measure=measure, positive=positive, replicates=replicates, level=level,
            alternative=alternative,
        )  # fmt: skip
        if not math.isnan(found.p_value):
            break
    return found
