"""Guards of training scores: methods that fit the rows they learned from much closer than new ones.

Guards of decisions by costs: whether they were made by these costs, and whether the probabilities can be trusted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.measures import Probabilities
from fairtrial.measures.decisions import implied_threshold
from fairtrial.measures.name_options import parse, written
from fairtrial.measures.operating_context import cost_matrix, costs_of
from fairtrial.methods import ByCosts
from fairtrial.notices import Notice, guard
from fairtrial.tables import formats
from fairtrial.verdict.guards.trivial_policies import amount
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results import Results
    from fairtrial.verdict.evidence import Evidence


MUCH_BETTER = 0.25  # of the way from the trivial to the perfect score
MUCH_SMALLER = 1.5  # the error on test rows, in units of that on training rows
MOST_TIMES = 10.0  # a ratio that counts as no more than this: an error of 0 makes it infinite
STANDARD_ERRORS = 3.0  # that a mean gap must exceed
REMEDY = "more data or a simpler model may help; a score taken on training rows is worthless as an estimate"

FloatArray = NDArray[np.float64]


@guard(stage="verdict", sees="results")
def train_test_gap(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Methods that do much better on the rows they learned from than on test rows, on most data sets.

    It looks only at studies with ``training_scores=True``, and not at costs. The gap of a method on a data set is the
    part of the way from the trivial to the perfect score that it loses between its training rows and test rows;
    for measures that are compared by ratios, it is the ratio. It is large from 0.25 and from 1.5 on. A method is
    reported if its gap is large on more than half of the data sets, and its mean gap is above three standard errors
    (:func:`_noise`), which matters for few and small data sets. A gap that is large on half of them or on average, but
    not clearly, is neither reported nor denied: 1.00 and 0.677 on 18 instances may be chance, and may be no chance.

    The limits are from 10-fold cross-validation of 12 learners on the bundled data and on simulated regressions. On
    the 11 data sets with classes the typical gap in accuracy was 0.03 for naive Bayes, 0.05 for logistic regression,
    0.08 for trees of depth 3, 0.16 for a forest and 0.29 for 1-nearest-neighbour and full trees; on the noisy ones of
    them (breast-cancer, credit-g, pima-diabetes) these two had 0.8 to 1.2. The ratio of the RMSE was 1.0 to 1.2 for
    ridge regression, 1.1 to 1.5 for trees of depth 3, 2.4 to 2.7 for a forest, and infinite for full trees.
    """
    if evidence.measure.from_trials or not evidence.measure.directed:
        return
    measured = [g for g in _gaps(results, evidence) if len(g.sizes)]
    large = [g for g in measured if g.is_large]
    if large:
        yield Notice(
            _sentence(large, evidence),
            evidence={"measure": evidence.measure.name, "methods": {g.method: g.to_dict() for g in large}},
            remedy=REMEDY,
        )
    elif len(measured) == len(evidence.methods) and not any(g.may_be_large for g in measured):
        yield Notice("no method fits its training rows much closer than new ones", "fine")


@dataclass(frozen=True, slots=True, eq=False)
class _Gap:
    """The gap of one method: its scores, the size and the standard error of the gap on each data set."""

    method: str
    training: FloatArray
    test: FloatArray
    sizes: FloatArray
    noise: FloatArray
    limit: float

    @property
    def is_large(self) -> bool:
        """Whether the gap is large on most data sets, and not by chance."""
        n = len(self.sizes)
        error = math.sqrt(float(np.square(self.noise).sum())) / n
        most = 2 * int((self.sizes >= self.limit).sum()) > n
        return most and bool(self.sizes.mean() >= STANDARD_ERRORS * error)

    @property
    def may_be_large(self) -> bool:
        """Whether the gap is large on half of the data sets or on average, be it by chance."""
        return 2 * int((self.sizes >= self.limit).sum()) >= len(self.sizes) or bool(self.sizes.mean() >= self.limit)

    def to_dict(self) -> dict[str, Any]:
        return {"training": float(self.training.mean()), "test": float(self.test.mean()), "datasets": len(self.sizes)}


def _gaps(results: Results, evidence: Evidence) -> Iterator[_Gap]:
    """The gap of each method that is compared, on the data sets where it has training scores."""
    from fairtrial.results.analyses.training_gap import mean_scores

    means = mean_scores(results, evidence.measure)
    if not len(means):
        return
    by_ratio = evidence.measure.compare == "log-ratio"
    room = np.ones(len(evidence.datasets)) if by_ratio else _room(results, evidence)
    noise = _noise(results, evidence, room)
    limit = math.log(MUCH_SMALLER) if by_ratio else MUCH_BETTER
    for method in evidence.methods:
        training, test = _scores(means[means["method"] == method], evidence.datasets)
        sizes = evidence.sign * (_log_ratio(training, test) if by_ratio else (training - test) / room)
        known = np.isfinite(sizes) & np.isfinite(noise)
        yield _Gap(method, training[known], test[known], sizes[known], noise[known], limit)


def _scores(means: pd.DataFrame, datasets: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    """The mean scores on training and test rows of each data set; nan where there are none."""
    own = means.set_index("dataset").reindex(list(datasets))
    return own["training"].to_numpy(dtype=float), own["test"].to_numpy(dtype=float)


def _log_ratio(training: FloatArray, test: FloatArray) -> FloatArray:
    """The logarithm of the ratio, at most that of 10; 0 where both are 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.log(training) - np.log(test)
    most = math.log(MOST_TIMES)
    return np.where((training == 0) & (test == 0), 0.0, np.clip(ratio, -most, most))


def _room(results: Results, evidence: Evidence) -> FloatArray:
    """The way from the trivial to the perfect score on each data set; nan where it is not known.

    The trivial score is that of the baseline, or the middle of the measure's range where no baseline has a score.
    """
    best, worst = evidence.measure.best, evidence.measure.worst
    middle = (best + worst) / 2 if math.isfinite(best) and math.isfinite(worst) else math.nan
    trivial = np.full(len(evidence.datasets), middle)
    if results.baseline in evidence.columns:
        scores = evidence.means[:, evidence.columns.index(results.baseline)]
        trivial = np.where(np.isfinite(scores), scores, trivial)
    room = evidence.sign * (best - trivial)
    return np.where(room > 0, room, np.nan)


def _noise(results: Results, evidence: Evidence, room: FloatArray) -> FloatArray:
    r"""The standard error of the gap on each data set, roughly: :math:`\sqrt{\max(1, (1 - r) / r) / n}`.

    With :math:`n` test instances (each counted once) and the trivial score at a share :math:`1 - r` of the range, it is
    that of an accuracy near the trivial one; of the logarithm of an error it is a generous value.
    """
    whole = abs(evidence.measure.best - evidence.measure.worst)
    share = room / whole if math.isfinite(whole) else np.ones_like(room)
    used = results.scores[results.scores["measure"] == evidence.measure.name]
    repeats = used.groupby(["dataset", "method", "replicate", "repeat"], sort=False)["n_test"].sum()
    tested = repeats.groupby("dataset").max().reindex(list(evidence.datasets)).to_numpy(dtype=float)
    return np.asarray(np.sqrt(np.maximum(1.0, (1 - share) / share) / tested))


def _sentence(large: Sequence[_Gap], evidence: Evidence) -> str:
    """What was found, with its numbers: of one method in words, of several as a list."""
    name, n = evidence.measure.name, max(len(g.sizes) for g in large)
    by_ratio = evidence.measure.compare == "log-ratio" and n > 1
    over = "" if n == 1 else f" ({'median' if by_ratio else 'mean'} of {plural(n, 'data set')})"
    if len(large) == 1:
        who, (training, test) = f"{large[0].method} fits its training rows much closer than new ones", _means(large[0])
        if by_ratio:
            return f"{who}: its {name} on test rows is {_times(large[0])} times that on training rows{over}"
        return f"{who}: {name} {training} on its training rows, {test} on test rows{over}"
    who = f"{plural(len(large), 'method')} fit their training rows much closer than new ones"
    if by_ratio:
        each = listed(f"{g.method} ({_times(g)} times)" for g in large)
        return f"{who}, by their {name} on test rows, in units of that on training rows{over}: {each}"
    each = listed(f"{g.method} ({', '.join(_means(g))})" for g in large)
    return f"{who}, by their {name} on training rows and on test rows{over}: {each}"


def _means(gap: _Gap) -> tuple[str, str]:
    """The means on training rows and on test rows."""
    write = formats.significant(3)
    return write(float(gap.training.mean())), write(float(gap.test.mean()))


def _times(gap: _Gap) -> str:
    """The median ratio of the scores on test rows and on training rows."""
    typical = math.exp(float(np.median(gap.sizes)))
    return f"more than {MOST_TIMES:g}" if typical >= MOST_TIMES else formats.significant(2)(typical)


UNLIKELY = 3.5  # standard errors between the promised and the actual cost, from which on calibration is off
NOTABLE = 0.2  # of the actual cost
TRIVIAL = ("sklearn.dummy.", "fairtrial.methods.one_rule.")


@guard(stage="verdict", sees="results")
def decided_by_costs(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Costs by which the labels were not decided, and labels that were decided by costs, under another measure."""
    if results.source is None or "label" not in evidence.measure.needs:
        return
    costs, by = costs_of(evidence.measure.name), _decisions(results)
    if costs is None:
        if decided := [m for m in evidence.methods if by.get(m)]:
            yield Notice(
                f"the labels of {listed(decided)} were decided by costs, and {evidence.measure.name} is that of these "
                "decisions",
                evidence={"methods": decided},
            )
        return
    wanted = {name: value for name, value in _canonical(costs).items() if name != "by"}
    as_wanted = [m for m in evidence.columns if {n: v for n, v in (by.get(m) or {}).items() if n != "by"} == wanted]
    right = [m for m in evidence.methods if m in as_wanted]
    wrong = [m for m in evidence.columns if m not in as_wanted and (by.get(m) or not _is_trivial(results, m))]
    if wrong:
        declared = results.definition is not None and costs_of(results.definition.measures[0]) == costs
        give = "leave decide='labels' out" if declared else "give the costs to the question of the study"
        yield Notice(
            f"the labels of {listed(wrong)} were not decided by these costs, but as if all mistakes cost the same, or "
            "by other costs",
            "doubt",
            evidence={"methods": wrong},
            remedy=f"{give}, so that methods decide by the costs; or take the measure "
            f"{_from_probabilities(evidence.measure.name)}, which decides from the stored probabilities",
        )
    if right:
        yield Notice(_how(results, evidence, right, by), "fine", evidence={"methods": right})


def _how(results: Results, evidence: Evidence, methods: list[str], by: Mapping[str, Any]) -> str:
    """How methods decide, in words."""
    parts = []
    if implied := [m for m in methods if by[m]["by"] == "costs"]:
        parts.append(f"{listed(implied)} by {_threshold(results, evidence)}")
    if tuned := [m for m in methods if by[m]["by"] == "tuned"]:
        parts.append(f"{listed(tuned)} by a threshold that is tuned inside each training set")
    return f"decisions come from predicted probabilities: {'; '.join(parts)}"


def _threshold(results: Results, evidence: Evidence) -> str:
    """The threshold that the costs imply, in words."""
    facts, given = results.datasets[evidence.datasets[0]], costs_of(evidence.measure.name) or {}
    if len(facts["classes"]) != 2 or facts["positive"] is None or "prior" in given:
        return "the lowest expected cost"
    threshold = implied_threshold(cost_matrix(given["costs"], 2, facts["positive"]), facts["positive"])  # type: ignore[arg-type]
    if not math.isfinite(threshold):
        return "the lowest expected cost"
    return f"the threshold that the costs imply ({formats.significant(3)(threshold)})"


@guard(stage="verdict", sees="results")
def promised_costs(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Probabilities that promise another cost than the decisions have that the costs imply: they are not calibrated."""
    given = costs_of(evidence.measure.name)
    if given is None or "prior" in given or results.source is None:
        return
    by = _decisions(results)
    for method in (m for m in evidence.methods if by.get(m) and by[m]["by"] == "costs"):
        found = {d: _promise(results, d, method, given["costs"]) for d in evidence.datasets}
        off = {d: (promised, actual) for d, (promised, actual, is_off) in found.items() if is_off}
        if off:
            dataset, (promised, actual) = max(off.items(), key=lambda item: abs(item[1][1] - item[1][0]))
            per = float(parse(evidence.measure.name)[1].get("per", 1))  # type: ignore[arg-type]
            write = formats.significant(3)
            more = f", and likewise on {plural(len(off) - 1, 'other data set')}" if len(off) > 1 else ""
            two = len(results.datasets[dataset]["classes"]) == 2
            rule, tune = ("threshold", "tune its threshold (decide='tuned'), or ") if two else ("decisions", "")
            yield Notice(
                f"the probabilities of {method} are not calibrated, so the {rule} that the costs imply may be wrong "
                f"for it: on {dataset} they promise a cost of {write(per * promised)}, and its decisions cost "
                f"{amount(evidence.measure, per * actual)}{more}",
                "doubt",
                about=method,
                evidence={"promised": promised, "actual": actual, "datasets": list(off)},
                remedy=f"{tune}calibrate {method} (CalibratedClassifierCV)",
            )


def _promise(results: Results, dataset: str, method: str, costs: Any) -> tuple[float, float, bool]:
    """The mean cost that the probabilities promise for the decisions, the actual one, and whether they differ clearly.

    If the probabilities are right, each case's cost has the promised mean, and the variance that follows from them too.
    The cases of one repeat are independent tests of that.
    """
    assert results.source is not None
    own = results.scores.query("dataset == @dataset and method == @method and status == 'ok'")
    if not len(own):
        return math.nan, math.nan, False
    predicted = results.source.predictions(dataset, method, int(own["repeat"].min()))
    if not {"label", "probability"} <= set(predicted.channels) or (predicted.channels["label"] < 0).any():
        return math.nan, math.nan, False
    matrix = cost_matrix(costs, predicted.n_classes, predicted.positive)
    decided: NDArray[np.int32] = predicted.channels["label"]
    probabilities, costs_then = predicted.shared(Probabilities).matrix, matrix[:, decided].T
    promised = (probabilities * costs_then).sum(axis=1)
    variance = (probabilities * costs_then**2).sum(axis=1) - promised**2
    error = math.sqrt(max(0.0, float(variance.sum()))) / len(promised)
    mean, actual = float(promised.mean()), float(matrix[predicted.truth, decided].mean())
    return mean, actual, abs(actual - mean) > max(UNLIKELY * error, NOTABLE * abs(actual))


def _decisions(results: Results) -> dict[str, Any]:
    """How each method decides, by its name; empty where nothing is known of the methods."""
    return {m.name: m.canonical.get("decide") for m in results.definition.methods} if results.definition else {}


def _canonical(costs: Mapping[str, Any]) -> dict[str, object]:
    return ByCosts("costs", **costs).canonical()


def _is_trivial(results: Results, method: str) -> bool:
    """Whether a method is a baseline, which is what its name says."""
    known = results.definition.method(method) if results.definition else None
    estimator = known.canonical["estimator"] if known else None
    return isinstance(estimator, Mapping) and str(estimator.get("class", "")).startswith(TRIVIAL)


def _from_probabilities(measure: str) -> str:
    given = {name: value for name, value in parse(measure)[1].items() if name in ("costs", "per", "unit")}
    return written("decision_cost", given)
