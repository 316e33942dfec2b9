"""How a method decides between classes where mistakes have costs: by the costs, or at a tuned threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError
from fairtrial.measures.operating_context import Balance, Costs, cost_matrix, expected_shares

if TYPE_CHECKING:
    from fairtrial.data import Dataset
    from fairtrial.methods.method import Method

Decide = Literal["auto", "costs", "tuned", "labels"]
DECIDE: tuple[Decide, ...] = ("auto", "costs", "tuned", "labels")
INNER = "5-fold"
"""The inner splits on which a threshold is tuned, unless a search inside the method has its own."""


@dataclass(frozen=True, slots=True)
class ByCosts:
    """Decisions by costs, as a study declares them for a method.

    ``by="costs"``: the class whose expected cost is lowest, given the predicted probabilities. ``"tuned"``: a threshold
    of the positive class's probability (or score), chosen inside each training set. ``costs`` and ``prior`` are those
    of :func:`fairtrial.measures.expected_cost`.
    """

    by: Literal["costs", "tuned"]
    costs: Costs
    prior: Balance = None

    def canonical(self) -> dict[str, object]:
        """What identifies these decisions, as plain data."""
        given = {"by": self.by, "costs": self.costs, "prior": self.prior}
        return {name: _listed(value) for name, value in given.items() if value is not None}

    def rule(self, classes: Sequence[object], positive: int | None) -> DecisionRule:
        """The rule for the classes of a data set."""
        shares = None if self.prior is None else expected_shares(self.prior, len(classes), positive)
        return DecisionRule(
            self.by, np.asarray(classes), cost_matrix(self.costs, len(classes), positive), shares, positive
        )


@dataclass(frozen=True, slots=True, eq=False)
class DecisionRule:
    """Decisions on one data set: its classes, ``matrix[j, k]`` (the cost of predicting k if j is true), and shares.

    ``shares`` are those of the classes where the method will be used; None for those of the training data.
    """

    by: Literal["costs", "tuned"]
    classes: NDArray[Any]
    matrix: NDArray[np.float64]
    shares: NDArray[np.float64] | None = None
    positive: int | None = None

    def weighed(self, target: NDArray[Any]) -> NDArray[np.float64]:
        """The costs, those of each true class times how much more frequent it will be than in the training data."""
        if self.shares is None:
            return self.matrix
        there = np.array([(target == label).mean() for label in self.classes])
        times = np.divide(self.shares, there, out=np.ones_like(there), where=there > 0)
        return np.asarray(self.matrix * times[:, None])


def rule_of(method: Method, dataset: Dataset) -> DecisionRule | None:
    """The rule by which a method decides on a data set; None where its labels are taken as they are."""
    if not isinstance(method.decide, ByCosts):
        return None
    positive = None if dataset.positive is None else dataset.classes.index(dataset.positive)
    return method.decide.rule(dataset.classes, positive)


def threshold_fits_of(method: Method) -> int:
    """The number of fits on inner splits by which a trial tunes its threshold; 0 if it tunes none."""
    if not isinstance(method.decide, ByCosts) or method.decide.by != "tuned":
        return 0
    from fairtrial.methods.tuning import as_inner, reachable

    found = reachable(method.estimator)
    scheme = as_inner(INNER if found is None else found[1].inner).dependence()
    return scheme.repeats * scheme.folds


def with_decisions(estimator: Any, rule: DecisionRule) -> Any:
    """The estimator with its decisions around it; a search inside it decides by the costs too, to score by them.

    Inside of searches no threshold is tuned, which would take a search in each of their fits.
    """
    from fairtrial.methods.estimators import Decided
    from fairtrial.methods.tuning import reachable

    found = reachable(estimator)
    if found is not None and hasattr(found[1].estimator, "predict_proba"):
        search = found[1]
        search.estimator = Decided(search.estimator, replace(rule, by="costs"))
        if rule.by == "costs":
            return estimator
    return Decided(estimator, rule)


def check_rule(name: str, estimator: Any, rule: DecisionRule) -> None:
    """Refuse decisions that a method can't make on a data set, with the ways out."""
    if rule.by == "tuned" and len(rule.classes) != 2:
        raise InputError(
            f"decide='tuned' of method {name!r} tunes a threshold, which is for two classes, but there are "
            f"{len(rule.classes)}; let the costs decide (decide='costs'), best with calibrated probabilities"
        )
    if hasattr(estimator, "predict_proba") or (rule.by == "tuned" and hasattr(estimator, "decision_function")):
        return
    scores = hasattr(estimator, "decision_function") and len(rule.classes) == 2
    tune = "tune a threshold of its scores (decide='tuned'), " if scores else ""
    raise InputError(
        f"method {name!r} must predict probabilities, from which the costs decide, but it has no predict_proba; "
        f"{tune}wrap it in scikit-learn's CalibratedClassifierCV, or take its labels as they are (decide='labels')"
    )


def _listed(value: object) -> object:
    return [_listed(v) for v in value] if isinstance(value, (list, tuple)) else value
