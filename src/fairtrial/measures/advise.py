"""Advice on which measure to choose, given the data, the outputs of the methods, their use and the objective.

To choose a measure is to assume something: accuracy assumes that the test data look like the application, average
recall that any class balance is equally likely, the F-measure that true negatives don't matter. Each recommendation
states its assumption as its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairtrial.choices import OBJECTIVES, Objective
from fairtrial.doors import door
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import channel_checks
from fairtrial.measures.operating_context import check_context, in_context
from fairtrial.measures.registry import check_classes, get
from fairtrial.tables import Column, Shown, Table
from fairtrial.words import is_one_of, quoted

if TYPE_CHECKING:
    from fairtrial.data import Dataset

Role: TypeAlias = Literal["decide by", "also report", "avoid"]

RARE = 0.10
MOST_CLASSES = 20
OUTPUTS = ("label", "score", "probability", "value", "std")


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A measure, its role (decide by it, also report it, or avoid it), and the reason."""

    measure: str
    role: Role
    reason: str


@dataclass(frozen=True, slots=True)
class Advice(Shown):
    """Recommended measures with their reasons; the first is the one to decide by.

    >>> print(advise_measure([1] * 5 + [0] * 500))
    Decide by average_recall: a class has only 1.0 % of the instances, and average recall weights all classes equally.
    objective: predict the right class as often as possible; 2 classes, the rarest 1.0 %
    measure         role         why
    average_recall  decide by    a class has only 1.0 % of the instances, and average recall weights all classes equally
    mcc             also report  one number for the whole confusion matrix; 0 is chance
    f_measure       also report  it shows how well the rare class is found, if the others don't matter
    accuracy        avoid        always predicting the largest class reaches 0.990
    """

    recommendations: tuple[Recommendation, ...]
    objective: Objective
    situation: str

    @property
    def measure(self) -> str:
        """The name of the measure to decide by."""
        return self.recommendations[0].measure

    def to_table(self) -> Table:
        """All recommendations with their reasons, as a table."""
        columns = tuple(Column(t, align="left") for t in ("measure", "role", "why"))
        rows = tuple((r.measure, r.role, r.reason) for r in self.recommendations)
        return Table(columns, rows, caption=f"objective: {OBJECTIVES[self.objective]}; {self.situation}")

    def to_dict(self) -> dict[str, object]:
        """All recommendations as plain data."""
        return self.to_table().to_dict() | {"measure": self.measure, "objective": self.objective}

    def __str__(self) -> str:
        first = self.recommendations[0]
        return f"Decide by {first.measure}: {first.reason}.\n{self.to_table()}"


@dataclass(frozen=True, slots=True)
class _Situation:
    """The facts that the advice depends on: class shares, outputs of the methods, context."""

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


@door
def advise_measure(
    data: Dataset | ArrayLike | None = None,
    *,
    objective: Objective | None = None,
    context: Mapping[str, object] | None = None,
    outputs: Collection[str] = OUTPUTS,
) -> Advice:
    """Recommend measures for some data, with reasons.

    data
        A data set or its name, or true labels or numbers; None stands for two equally frequent classes.
    objective
        ``"classify"`` (for classes, the default), ``"find"`` positives, ``"rank"``, ``"probabilities"``; ``"values"``
        (for numbers, the default), ``"distribution"``; ``"cost"`` of training and predicting.
    context
        The operating context, if it differs from these data: ``positives`` (the share of positives, ``"uniform"`` if
        any share is equally likely, or ``"beta(2, 5)"``) and ``costs`` (of a false positive and of a false negative).
    outputs
        What the methods predict: ``label``, ``score``, ``probability``; ``value``, ``std``.

    >>> advise_measure(["yes", "no"] * 20, context={"positives": 0.02, "costs": [1, 30]}).measure
    'expected_cost(costs=(1, 30), prior=0.02, per=1000)'
    >>> advise_measure([0.5, 1.7, 2.2], objective="distribution").measure
    'nlpd'
    """
    check_context(context or {})
    for output in outputs:
        if not is_one_of(output, OUTPUTS):
            raise UnknownName.among("output", output, OUTPUTS)
    situation = _Situation(_shares(data), frozenset(outputs), context or {})
    aim = _objective(objective, situation)
    _check_context(situation, aim)
    found = _ALWAYS[aim] if aim in _ALWAYS else tuple(_BY_SITUATION[aim](situation))
    if not _can(found[0].measure, situation.outputs):
        raise InputError(
            f"the objective {aim!r} needs methods that predict a {' and a '.join(get(found[0].measure).needs)}, "
            f"but outputs has {quoted(sorted(situation.outputs)) or 'none'}; choose another objective"
        )
    usable = [r for r in found if r.role == "avoid" or _can(r.measure, situation.outputs)]
    return Advice(tuple(usable), aim, str(situation))


def _check_context(s: _Situation, aim: Objective) -> None:
    """Refuse a context that does not fit the objective or the number of classes."""
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
    """The share of each class; empty for a numeric target."""
    if data is None:
        return (0.5, 0.5)
    from fairtrial.data import Dataset, datasets  # imported here, so that measures can be imported without it

    data = datasets(data)[0] if isinstance(data, str) else data
    if isinstance(data, Dataset):
        counts = np.bincount(data.codes) if data.task == "classes" else np.zeros(0)
    else:
        channel_checks.same_rows({"data": data})
        try:
            target = np.asarray(data)
        except ValueError:  # rows of unequal length
            target = np.empty((0, 0))
        if target.ndim != 1 or len(target) == 0:
            raise InputError(f"data must be a data set or a list of true labels or numbers, got {data!r}")
        counts = (
            np.zeros(0) if _numeric(target) else np.unique(channel_checks.labels("data", target), return_counts=True)[1]
        )
    if len(counts) == 1:
        raise InputError("data must have at least two classes, but all instances are of the same class")
    return tuple((counts / counts.sum()).tolist()) if len(counts) else ()


def _numeric(target: NDArray[Any]) -> bool:
    """Whether a target is numeric: it has fractions, or more distinct whole numbers than classes could be."""
    if target.dtype.kind not in "iuf":
        return False
    return bool((channel_checks.numbers("data", target) % 1 != 0).any()) or len(np.unique(target)) > MOST_CLASSES


def _objective(given: Objective | None, situation: _Situation) -> Objective:
    usual: Objective = "classify" if situation.classes else "values"
    if given is None:
        return usual
    if not is_one_of(given, OBJECTIVES):
        raise UnknownName.among("objective", given, OBJECTIVES)
    numeric = given in ("values", "distribution")
    if given != "cost" and numeric != (not situation.classes):
        kind = f"{situation.classes} classes" if situation.classes else "a numeric target"
        raise InputError(f"the objective {given!r} does not fit {kind}; leave objective out, or choose another")
    return given


def _classify(s: _Situation) -> Iterator[Recommendation]:
    if s.context.get("costs") is not None:
        yield from _cost_sensitive(s)
        return
    positives = s.context.get("positives")
    if positives is not None:
        name = in_context("accuracy", s.context)
        if name == "expected_accuracy":
            reason = "any class balance is equally likely, and average recall is the expected accuracy then"
            yield Recommendation("average_recall", "decide by", reason)
        else:
            reason = (
                "the class balance in deployment differs from that of the data: this is the accuracy at that balance"
            )
            yield Recommendation(name, "decide by", reason)
            reason = "it does not depend on how well the class balance in deployment is known"
            yield Recommendation("average_recall", "also report", reason)
        yield Recommendation("accuracy", "avoid", "it holds only for the class balance of the test data")
        return
    if s.rarest < RARE:
        yield from _unbalanced(s)
        return
    reason = "the test data are assumed to have the class balance in deployment, and all mistakes to cost the same"
    yield Recommendation("accuracy", "decide by", reason)
    yield Recommendation("average_recall", "also report", "in case the class balance in deployment is another one")
    if s.classes > 2:
        yield Recommendation("kappa", "also report", "agreement beyond what chance alone would give")
    yield Recommendation("log_loss", "also report", "it shows differences that labels are too coarse to show")


def _unbalanced(s: _Situation) -> Iterator[Recommendation]:
    share = f"{100 * s.rarest:.1f} %"
    reason = f"a class has only {share} of the instances, and average recall weights all classes equally"
    yield Recommendation("average_recall", "decide by", reason)
    yield Recommendation("mcc", "also report", "one number for the whole confusion matrix; 0 is chance")
    name = "f_measure" if s.classes == 2 else "f_measure(average='macro')"
    yield Recommendation(name, "also report", "it shows how well the rare class is found, if the others don't matter")
    reason = f"always predicting the largest class reaches {max(s.shares):.3f}"
    yield Recommendation("accuracy", "avoid", reason)


def _cost_sensitive(s: _Situation) -> Iterator[Recommendation]:
    name = in_context("accuracy", s.context)
    yield Recommendation(
        name, "decide by", "the costs of mistakes are known, so the cost per instance is what to minimise"
    )
    if s.classes == 2:
        yield Recommendation("recall", "also report", "it shows the part of the cost that comes from missed positives")
        yield Recommendation("fpr", "also report", "it shows the part of the cost that comes from false alarms")
    yield Recommendation("accuracy", "avoid", "it assumes that all mistakes cost the same")


def _find(s: _Situation) -> Iterator[Recommendation]:
    name = "f_measure" if s.classes == 2 else "f_measure(average='macro')"
    yield Recommendation(name, "decide by", "it combines precision and recall; true negatives don't count")
    yield Recommendation("precision", "also report", "the share of alarms that are right")
    yield Recommendation("recall", "also report", "the share of positives that are found")
    yield Recommendation("average_precision", "also report", "precision and recall over all thresholds at once")
    yield Recommendation("accuracy", "avoid", "it consists mostly of true negatives, which don't matter here")


def _rank(s: _Situation) -> Iterator[Recommendation]:
    reason = "it is the share of pairs (positive, negative) that are ranked correctly"
    yield Recommendation("auc", "decide by", reason)
    if s.rarest < RARE:
        yield Recommendation(
            "average_precision", "also report", "positives are rare, and only the top of the ranking is read"
        )
    yield Recommendation("partial_auc", "also report", "in case only few false alarms are acceptable")
    if s.classes == 2:
        reason = "a threshold can be set so that this equals the share of positives"
        yield Recommendation("predicted_positive_rate", "also report", reason)
    yield Recommendation("accuracy", "avoid", "it evaluates one threshold, which is not chosen yet")


_ALWAYS: dict[Objective, tuple[Recommendation, ...]] = {
    "probabilities": (
        Recommendation(
            "log_loss", "decide by", "a proper score: honest probabilities score best, and confident mistakes cost most"
        ),
        Recommendation("brier", "also report", "a proper score that no single instance can ruin"),
        Recommendation(
            "calibration_error",
            "also report",
            "it shows whether events with a probability of 70 % happen in 70 % of the cases",
        ),
        Recommendation("information_score", "also report", "the bits gained over knowing only the class shares"),
        Recommendation("auc", "avoid", "it sees only the order of the probabilities, not their size"),
    ),
    "values": (
        Recommendation(
            "rmse", "decide by", "large errors count more than in proportion, and the best prediction is the mean"
        ),
        Recommendation("mae", "also report", "errors count in proportion to their size, so outliers matter less"),
        Recommendation(
            "nrmse", "also report", "it has no unit, for data sets of different scales; predicting the mean gives 1"
        ),
        Recommendation("nlpd", "also report", "in case the uncertainty of a prediction matters too"),
        Recommendation("mape", "avoid", "unless all targets are far from zero and relative errors are what matters"),
    ),
    "distribution": (
        Recommendation("nlpd", "decide by", "a proper score of both the predicted value and its uncertainty"),
        Recommendation(
            "crps", "also report", "a proper score in the unit of the target that no single instance can ruin"
        ),
        Recommendation("rmse", "also report", "it evaluates the predicted values alone"),
    ),
    "cost": (
        Recommendation("fit_time", "decide by", "wall-clock time of training"),
        Recommendation(
            "predict_time_per_1000", "also report", "the time of predictions, whatever the size of the test set"
        ),
        Recommendation("peak_memory", "also report", "it shows whether the method fits into the memory of a machine"),
        Recommendation("model_size", "also report", "the size of what has to be stored and loaded"),
    ),
}
_BY_SITUATION: dict[Objective, Callable[[_Situation], Iterator[Recommendation]]] = {
    "classify": _classify,
    "find": _find,
    "rank": _rank,
}
