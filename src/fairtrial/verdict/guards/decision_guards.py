"""Guards of decisions by costs: whether they were made by these costs, and whether the probabilities can be trusted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
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
    from fairtrial.results import Results
    from fairtrial.verdict.evidence import Evidence

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
