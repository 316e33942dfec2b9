"""Which measure to choose: from the data, what the methods offer, where they will be used, and the objective.

The choice states assumptions: accuracy that the test data look like the application, average recall that any class
balance is as likely, F-measure that true negatives don't matter. The reasons say them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairtrial.choices import OBJECTIVES, Objective
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import channel_checks
from fairtrial.measures.operating_context import check_context, in_context
from fairtrial.measures.registry import check_classes, get
from fairtrial.tables import Column, Table

if TYPE_CHECKING:
    from fairtrial.data import Dataset

__all__ = ["Advice", "Recommendation", "advise_measure"]

Role: TypeAlias = Literal["measure", "beside it", "not"]

RARE = 0.10
MOST_CLASSES = 20
OUTPUTS = ("label", "score", "probability", "value", "std")


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A measure, whether to decide by it, look at it beside, or keep away from it, and why."""

    measure: str
    role: Role
    reason: str


@dataclass(frozen=True, slots=True)
class Advice:
    """What to measure, the first being what to decide by.

    >>> print(advise_measure([1] * 5 + [0] * 500))
    Decide by average_recall: a class has only 1.0 % of the instances, and average recall counts all classes alike.
    objective: predict the right class as often as possible; 2 classes, the rarest 1.0 %
    measure         role       why
    average_recall  measure    a class has only 1.0 % of the instances, and average recall counts all classes alike
    mcc             beside it  one number for the whole matrix that is 0 by chance
    f_measure       beside it  how well the rare class is found, if the others don't matter
    accuracy        not        always predicting the largest class reaches 0.990
    """

    recommendations: tuple[Recommendation, ...]
    objective: Objective
    situation: str

    @property
    def measure(self) -> str:
        """The name of the measure to decide by."""
        return self.recommendations[0].measure

    def to_table(self) -> Table:
        """All recommendations with their reasons."""
        columns = tuple(Column(t, align="left") for t in ("measure", "role", "why"))
        rows = tuple((r.measure, r.role, r.reason) for r in self.recommendations)
        return Table(columns, rows, caption=f"objective: {OBJECTIVES[self.objective]}; {self.situation}")

    def to_dict(self) -> dict[str, object]:
        """Plain data."""
        return self.to_table().to_dict() | {"measure": self.measure, "objective": self.objective}

    def __str__(self) -> str:
        first = self.recommendations[0]
        return f"Decide by {first.measure}: {first.reason}.\n{self.to_table()}"

    def _repr_html_(self) -> str:
        return self.to_table().to_html()


@dataclass(frozen=True, slots=True)
class _Situation:
    """All that the advice depends on."""

    shares: tuple[float, ...]
    outputs: frozenset[str]
    context: Mapping[str, object] = field(default_factory=dict)

    @property
    def classes(self) -> int:
        return len(self.shares)

    @property
    def rarest(self) -> float:
        return min(self.shares, default=1.0)

    def __str__(self) -> str:
        if not self.shares:
            return "a numeric target"
        return f"{self.classes} classes, the rarest {100 * self.rarest:.1f} %"


def advise_measure(
    data: Dataset | ArrayLike | None = None,
    *,
    objective: str | None = None,
    context: Mapping[str, object] | None = None,
    outputs: Collection[str] = OUTPUTS,
) -> Advice:
    """Recommend measures, with reasons.

    data
        A data set, or its true labels or numbers; None: two classes that occur alike.
    objective
        ``"classify"`` (for classes, the default), ``"find"`` positives, ``"rank"``, ``"probabilities"``; ``"values"``
        (for numbers, the default), ``"distribution"``; ``"cost"`` of training and predicting.
    context
        Where the methods will be used, if not on data with the class balance of these: ``positives`` (the share of
        positives, ``"uniform"`` if any is as likely, ``"beta(2, 5)"``) and ``costs`` (of a false positive and of a
        false negative).
    outputs
        What the methods offer: ``label``, ``score``, ``probability``; ``value``, ``std``.

    >>> advise_measure(["yes", "no"] * 20, context={"positives": 0.02, "costs": [1, 30]}).measure
    'expected_cost(costs=(1, 30), prior=0.02)'
    >>> advise_measure([0.5, 1.7, 2.2], objective="distribution").measure
    'nlpd'
    """
    check_context(context or {})
    for output in outputs:
        if output not in OUTPUTS:
            raise UnknownName.among("output", output, OUTPUTS)
    situation = _Situation(_shares(data), frozenset(outputs), context or {})
    aim = _objective(objective, situation)
    _check_context(situation, aim)
    found = _ALWAYS[aim] if aim in _ALWAYS else tuple(_BY_SITUATION[aim](situation))
    if not _can(found[0].measure, situation.outputs):
        raise InputError(
            f"the objective {aim!r} needs methods that give a {' and a '.join(get(found[0].measure).needs)}, "
            f"but outputs are {sorted(situation.outputs)}; choose another objective"
        )
    usable = [r for r in found if r.role == "not" or _can(r.measure, situation.outputs)]
    return Advice(tuple(usable), aim, str(situation))


def _check_context(s: _Situation, aim: Objective) -> None:
    """A context changes what is best only where classes are predicted, and must be for as many as there are."""
    if not s.context:
        return
    if aim != "classify":
        raise InputError(f"a context is for the objective 'classify', not for {aim!r}; leave one of them out")
    try:
        check_classes(in_context("accuracy", s.context), s.classes)
    except InputError as error:
        raise InputError(f"the context does not fit {s.classes} classes: {error}") from None


def _can(name: str, outputs: frozenset[str]) -> bool:
    facts = get(name)
    return facts.from_trials or facts.can_use(outputs)


def _shares(data: Dataset | ArrayLike | None) -> tuple[float, ...]:
    """The shares of the classes; none for a numeric target."""
    if data is None:
        return (0.5, 0.5)
    from fairtrial.data import Dataset  # here, so that measures alone don't load it

    if isinstance(data, Dataset):
        counts = np.bincount(data.codes) if data.task == "classes" else np.zeros(0)
    else:
        channel_checks.same_rows({"data": data})
        target = np.asarray(data)
        if target.ndim != 1 or len(target) == 0:
            raise InputError(f"data must be a data set or a row of true labels or numbers, got {data!r}")
        counts = (
            np.zeros(0) if _numeric(target) else np.unique(channel_checks.labels("data", target), return_counts=True)[1]
        )
    if len(counts) == 1:
        raise InputError("data must have at least two classes, but all instances are of one")
    return tuple((counts / counts.sum()).tolist()) if len(counts) else ()


def _numeric(target: NDArray[Any]) -> bool:
    """Fractions, or whole numbers of many kinds."""
    if target.dtype.kind not in "iuf":
        return False
    return bool((channel_checks.numbers("data", target) % 1 != 0).any()) or len(np.unique(target)) > MOST_CLASSES


def _objective(given: str | None, situation: _Situation) -> Objective:
    usual: Objective = "classify" if situation.classes else "values"
    if given is None:
        return usual
    if given not in OBJECTIVES:
        raise UnknownName.among("objective", given, OBJECTIVES)
    numeric = given in ("values", "distribution")
    if given != "cost" and numeric != (not situation.classes):
        kind = f"{situation.classes} classes" if situation.classes else "a numeric target"
        raise InputError(f"the objective {given!r} does not fit {kind}; leave it out, or choose another")
    return given


def _classify(s: _Situation) -> Iterator[Recommendation]:
    if s.context.get("costs") is not None:
        yield from _cost_sensitive(s)
        return
    positives = s.context.get("positives")
    if positives is not None:
        name = in_context("accuracy", s.context)
        if name == "expected_accuracy":
            reason = "any class balance is as likely, and average recall is the accuracy to be expected then"
            yield Recommendation("average_recall", "measure", reason)
        else:
            reason = "the class balance in use is not the one here: accuracy is taken for that balance"
            yield Recommendation(name, "measure", reason)
            yield Recommendation("average_recall", "beside it", "whether that depends on how well the balance is known")
        yield Recommendation("accuracy", "not", "it holds for the class balance of the test data only")
        return
    if s.rarest < RARE:
        yield from _unbalanced(s)
        return
    reason = "the class distribution is taken to be the one in use, and all mistakes to cost the same"
    yield Recommendation("accuracy", "measure", reason)
    yield Recommendation("average_recall", "beside it", "if the class balance in use may be any other")
    if s.classes > 2:
        yield Recommendation("kappa", "beside it", "what is left when agreement by chance is taken off")
    yield Recommendation("log_loss", "beside it", "differences that labels are too coarse to show")


def _unbalanced(s: _Situation) -> Iterator[Recommendation]:
    share = f"{100 * s.rarest:.1f} %"
    reason = f"a class has only {share} of the instances, and average recall counts all classes alike"
    yield Recommendation("average_recall", "measure", reason)
    yield Recommendation("mcc", "beside it", "one number for the whole matrix that is 0 by chance")
    name = "f_measure" if s.classes == 2 else "f_measure(average='macro')"
    yield Recommendation(name, "beside it", "how well the rare class is found, if the others don't matter")
    reason = f"always predicting the largest class reaches {max(s.shares):.3f}"
    yield Recommendation("accuracy", "not", reason)


def _cost_sensitive(s: _Situation) -> Iterator[Recommendation]:
    name = in_context("accuracy", s.context)
    yield Recommendation(name, "measure", "it is known what mistakes cost, so that is what to save")
    if s.classes == 2:
        yield Recommendation("recall", "beside it", "where the cost comes from: positives that are missed")
        yield Recommendation("fpr", "beside it", "where the cost comes from: false alarms")
    yield Recommendation("accuracy", "not", "it takes all mistakes to cost the same")


def _find(s: _Situation) -> Iterator[Recommendation]:
    name = "f_measure" if s.classes == 2 else "f_measure(average='macro')"
    yield Recommendation(name, "measure", "precision and recall in one; true negatives don't count")
    yield Recommendation("precision", "beside it", "how many of the alarms are right")
    yield Recommendation("recall", "beside it", "how many of the positives are found")
    yield Recommendation("average_precision", "beside it", "the same for all thresholds at once")
    yield Recommendation("accuracy", "not", "true negatives, which don't matter here, make most of it")


def _rank(s: _Situation) -> Iterator[Recommendation]:
    reason = "it is the share of pairs in order, and linear in the accuracy of a random split of the ranking"
    yield Recommendation("auc", "measure", reason)
    if s.rarest < RARE:
        yield Recommendation(
            "average_precision", "beside it", "positives are rare, and the top of the list is what is read"
        )
    yield Recommendation("partial_auc", "beside it", "if only few false alarms can be borne")
    if s.classes == 2:
        reason = "the threshold can be set so that it equals the share of positives"
        yield Recommendation("predicted_positive_rate", "beside it", reason)
    yield Recommendation("accuracy", "not", "it judges one threshold, which is not chosen yet")


_ALWAYS: dict[Objective, tuple[Recommendation, ...]] = {
    "probabilities": (
        Recommendation("log_loss", "measure", "a proper score: honest probabilities are best, sure mistakes hurt"),
        Recommendation("brier", "beside it", "a proper score that no single row can ruin"),
        Recommendation("calibration_error", "beside it", "whether 70 % happens in 70 % of the cases"),
        Recommendation("information_score", "beside it", "bits gained over knowing the class shares only"),
        Recommendation("auc", "not", "alone: it sees the order of the probabilities, not their size"),
    ),
    "values": (
        Recommendation(
            "rmse", "measure", "large errors count more than in proportion, and the mean is to be predicted"
        ),
        Recommendation("mae", "beside it", "errors in proportion to their size: less moved by outliers"),
        Recommendation("nrmse", "beside it", "data sets of different scales: 1 is predicting the mean"),
        Recommendation("nlpd", "beside it", "if how sure a prediction is matters too"),
        Recommendation("mape", "not", "unless no target is near zero and errors are thought of in per cent"),
    ),
    "distribution": (
        Recommendation("nlpd", "measure", "it judges the predicted value and how sure it was, in one proper score"),
        Recommendation("crps", "beside it", "a proper score in units of the target that no single row can ruin"),
        Recommendation("rmse", "beside it", "the predicted values alone"),
    ),
    "cost": (
        Recommendation("fit_time", "measure", "wall-clock time of training"),
        Recommendation(
            "predict_time_per_1000", "beside it", "what predictions cost, whatever the size of the test set"
        ),
        Recommendation("peak_memory", "beside it", "whether it fits the machine"),
        Recommendation("model_size", "beside it", "what has to be stored and loaded"),
    ),
}
_BY_SITUATION: dict[Objective, Callable[[_Situation], Iterator[Recommendation]]] = {
    "classify": _classify,
    "find": _find,
    "rank": _rank,
}
