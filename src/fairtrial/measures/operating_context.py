"""Operating contexts: expected accuracy and cost under another class balance and other costs than in the test data.

A context is a class balance (the share of positives) and the costs of mistakes. Each may be known exactly, or only by
its distribution: accuracy and cost are linear in both, so their expectation needs only the mean of the distribution.

Costs of mistakes by label, as people know them, brought into the order of the classes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks, name_options
from fairtrial.measures.confusion_matrix import Confusion, class_shares
from fairtrial.measures.fold_axis import FloatArray, ratio
from fairtrial.measures.predictions import Prior
from fairtrial.measures.registry import examples, find_entry, measure, resolve
from fairtrial.words import is_number, quoted, shown


def with_label_costs(
    context: Mapping[str, object], classes: Sequence[object], positive: int | None
) -> dict[str, object]:
    """The context with costs that were given by label brought into the order of the classes.

    ``{"no": 1, "yes": 30}`` is what a mistake costs if that label is true; ``{"yes": {"no": 30}}`` says it for each
    true and predicted label, and what is not named costs 0.

    >>> with_label_costs({"costs": {"yes": 30, "no": 1}}, ["no", "yes"], positive=1)
    {'costs': (1, 30)}
    >>> with_label_costs({"costs": {"a": 2, "b": 1, "c": {"a": 9}}}, ["a", "b", "c"], positive=None)
    {'costs': ((0, 2, 2), (1, 0, 1), (9, 0, 0))}
    """
    costs = context.get("costs")
    if not isinstance(costs, Mapping):
        return dict(context)
    return {**context, "costs": costs_by_label(costs, list(map(str, classes)), positive)}


def costs_by_label(given: Mapping[object, object], classes: list[str], positive: int | None) -> tuple[object, ...]:
    """The costs as a pair (false positive, false negative) where two classes allow it, else as a matrix."""
    by_label = {str(label): cost for label, cost in given.items()}
    inner = {str(label) for cost in by_label.values() if isinstance(cost, Mapping) for label in cost}
    if strange := sorted((set(by_label) | inner) - set(classes)):
        raise InputError(f"costs must be given by labels of the data, {quoted(classes)}, got {strange[0]!r}")
    if missing := [label for label in classes if label not in by_label]:
        raise InputError(f"costs must be given for each true label, but {missing[0]!r} has none; give it 0 if so")
    rows = [_cost_row(by_label[label], i, classes) for i, label in enumerate(classes)]
    costs = [cost for row in rows for cost in row]
    if not all(channel_checks.is_number(cost) and np.isfinite(cost) for cost in costs):
        raise InputError(f"costs must be finite numbers, or numbers by predicted label, got {shown(given)}")
    if len(classes) == 2 and positive is not None and rows[0][0] == rows[1][1] == 0 and min(costs) >= 0:
        return rows[1 - positive][positive], rows[positive][1 - positive]
    return tuple(rows)


def _cost_row(given: object, own: int, classes: list[str]) -> tuple[float, ...]:
    """The costs of one true label, by predicted label."""
    if not isinstance(given, Mapping):
        return tuple(0 if k == own else given for k in range(len(classes)))  # type: ignore[misc]
    by_label = {str(label): cost for label, cost in given.items()}
    return tuple(by_label.get(label, 0) for label in classes)


@dataclass(frozen=True, slots=True)
class Beta:
    """A Beta distribution of a share: of positives, or of the cost of false positives in the sum of both costs.

    Its mean is ``a / (a + b)``; the larger ``a + b``, the narrower it is. ``Beta(1, 1)`` is uniform. Inside a
    measure's name, and in a file, it is written ``'beta(2, 5)'``.

    >>> Beta(2, 6).mean
    0.25
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        if not all(isinstance(x, (int, float)) and 0 < x < np.inf for x in (self.a, self.b)):
            raise InputError(f"a and b of a Beta distribution must be above 0, got {self.a!r} and {self.b!r}")

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    def __repr__(self) -> str:
        return repr(f"beta({self.a!r}, {self.b!r})")


Balance: TypeAlias = Prior | str | Beta
"""A class balance: the share of the positive class or of all classes, ``"uniform"``, or a :class:`Beta`."""

Costs: TypeAlias = Sequence[float] | Sequence[Sequence[float]] | FloatArray | str | Beta | None
"""The costs of mistakes: (false positive, false negative), a matrix, or a distribution of the former's share."""

_BETA = re.compile(r"\s*beta\(\s*([^,\s]+)\s*,\s*([^,\s]+)\s*\)\s*", re.IGNORECASE)


def _distribution(name: str, given: object) -> Beta | None:
    """The distribution that was given, or None for plain numbers."""
    if isinstance(given, Beta):
        return given
    if not isinstance(given, str):
        return None
    if given.strip().lower() == "uniform":
        return Beta(1, 1)
    match = _BETA.fullmatch(given)
    if match and all(map(is_number, match.groups())):
        return Beta(float(match[1]), float(match[2]))
    raise InputError(f"{name} must be {NUMBERS[name]}, 'uniform' or 'beta(a, b)', got {given!r}")


SHARES = "a share such as 0.02, the shares of all classes"
NUMBERS = {"prior": SHARES, "positives": SHARES, "costs": "[1, 30] (of a false positive and of a false negative)"}


def expected_shares(prior: Balance, n_classes: int, positive: int | None) -> FloatArray:
    """The expected share of each class; ``"uniform"`` means that any class balance is equally likely.

    >>> expected_shares("beta(1, 3)", 2, positive=1), expected_shares("uniform", 4, positive=None)
    (array([0.75, 0.25]), array([0.25, 0.25, 0.25, 0.25]))
    """
    spread = _distribution("prior", prior)
    if spread is None:
        return class_shares(prior, n_classes, positive)  # type: ignore[arg-type]
    if spread == Beta(1, 1):
        return np.full(n_classes, 1 / n_classes)
    return class_shares(spread.mean, n_classes, positive)


def cost_matrix(costs: Costs, n_classes: int, positive: int | None) -> FloatArray:
    """The cost of predicting class k when class j is true: ``matrix[j, k]``.

    Two numbers are the costs of a false positive and of a false negative. A distribution (two classes) is that of the
    share of the former in the sum of both, which is taken as 2: then a fixed share of ½ gives the error rate.

    >>> cost_matrix((1, 5), 2, positive=1)
    array([[0., 1.],
           [5., 0.]])
    """
    if costs is None:
        return 1 - np.eye(n_classes)
    spread = _distribution("costs", costs)
    numbers = (2 * spread.mean, 2 - 2 * spread.mean) if spread is not None else costs
    given = channel_checks.numbers("costs", numbers)  # type: ignore[arg-type]
    if given.shape == (2,) and given.min() < 0:
        raise InputError(f"costs of a false positive and of a false negative must not be negative, got {costs!r}")
    if given.shape == (2,) and n_classes == 2:
        false_positive, false_negative = given.tolist()
        pair = [[0.0, false_positive], [false_negative, 0.0]]
        return np.array(pair if positive == 1 else [row[::-1] for row in pair[::-1]])
    if given.shape != (n_classes, n_classes):
        must = "two numbers (of a false positive, of a false negative) or " if n_classes == 2 else ""
        raise InputError(
            f"costs must be {must}a matrix of {n_classes} rows (true class) and {n_classes} columns (predicted), "
            f"got {costs!r}"
        )
    return given


@measure(
    "Expected accuracy",
    of=Confusion,
    worst=0.0,
    best=1.0,
    undefined="a class with a share above 0 has no instance",
    use_when="the class balance in deployment differs from that of the test data, or is not known",
    beware="classes are recognised less well in deployment: it assumes the recalls of the test data",
    aliases=("accuracy_in_context",),
)
def expected_accuracy(c: Confusion, *, prior: Balance = "uniform") -> FloatArray:
    r"""Expected accuracy under another class balance, which may be known only roughly.

    .. math:: \mathbb E[\text{acc}] = \sum_k \mathbb E[\pi_k]\, \text{recall}_k
              = \mathbb E[\text{pos}] \cdot \text{tpr} + (1 - \mathbb E[\text{pos}]) \cdot \text{tnr}

    ``prior`` is the share of the positive class, the shares of all classes, ``"uniform"`` (any balance is equally
    likely: this gives the average recall) or a :class:`Beta` distribution of the share of positives. Undefined (nan)
    when a class with a share above 0 has no instance.

    Reference: Flach (2012), Machine Learning, Cambridge University Press, example 12.1.

    >>> truth, predicted = [1] * 80 + [0] * 20, [1] * 60 + [0] * 40  # recalls 3/4 and 1, accuracy 0.8
    >>> expected_accuracy(truth, predicted), expected_accuracy(truth, predicted, prior=0.1)
    (0.875, 0.975)
    >>> expected_accuracy(truth, predicted, prior=Beta(3, 1))
    0.8125
    """
    return _over(expected_shares(prior, c.n_classes, c.positive), c.recalls)


@measure(
    "Expected cost",
    of=Confusion,
    worst=np.inf,
    best=0.0,
    undefined="a class with a share above 0 has no instance",
    use_when="different mistakes have different costs, and the costs are known",
    beware="the costs are guesses: then use context maps or cost curves",
    aliases=("cost", "misclassification_cost"),
)
def expected_cost(
    c: Confusion, *, costs: Costs = None, prior: Balance = None, per: float = 1, unit: str = ""
) -> FloatArray:
    r"""Mean cost of the predictions, per instance or per 1,000 of them.

    .. math:: \sum_j \pi_j \sum_k C_{jk}\, P(\hat y = k \mid y = j)

    ``costs`` are the costs of a false positive and of a false negative, or a matrix :math:`C` (rows: the true class).
    With two classes it may be a distribution (``"uniform"``, :class:`Beta`) of the cost of false positives as a share
    of the sum of both costs, which is then taken as 2. Without ``costs`` each mistake costs 1: the error rate.
    ``prior`` is the class balance as in :func:`expected_accuracy`; by default that of the instances. ``per=1000`` gives
    the cost of 1,000 instances; ``unit`` names the unit of the costs, such as "EUR", and is only shown. A prediction
    that is none of the classes costs as much as the most expensive mistake for its true class. Undefined (nan) when a
    class with a share above 0 has no instance.

    Reference: Drummond & Holte (2006), Machine Learning 65:95-130, doi:10.1007/s10994-006-8199-5.

    >>> truth, predicted = [1, 1, 1, 1, 0, 0], [1, 1, 1, 0, 1, 0]
    >>> expected_cost(truth, predicted, costs=(1, 5))  # one false positive, one false negative, six instances
    1.0
    >>> expected_cost(truth, predicted, costs=(1, 5), prior=0.1)  # 0.1 · 1/4 · 5 + 0.9 · 1/2 · 1
    0.575
    """
    matrix = cost_matrix(costs, c.n_classes, c.positive) * checked_per(per, unit)
    paid = (c.counts * matrix).sum(axis=2) + c.elsewhere * matrix.max(axis=1)
    if prior is None:
        return ratio(paid.sum(axis=1), c.total)
    return _over(expected_shares(prior, c.n_classes, c.positive), ratio(paid, c.actual))


def checked_per(per: float, unit: str) -> float:
    """Check the number of instances that a cost is for, and the unit of the cost."""
    if not (channel_checks.is_number(per) and 0 < per < np.inf):
        raise InputError(f"per must be a number of instances above 0, such as 1000, got {per!r}")
    if not isinstance(unit, str):
        raise InputError(f"unit must be a text, such as 'EUR', got {unit!r}")
    return per


def _over(shares: FloatArray, per_class: FloatArray) -> FloatArray:
    """The mean over classes with these shares; a class whose share is 0 is left out, even if undefined."""
    return np.asarray(np.where(shares > 0, shares * per_class, 0.0).sum(axis=1))


def in_context(name: str, context: Mapping[str, object]) -> str:
    """The name of a measure in an operating context: ``positives`` (a class balance), ``costs``, or both.

    Accuracy becomes expected accuracy, and with costs expected cost, per 1,000 cases. A label measure that depends on
    the class balance is computed for the balance of the context. Other measures stay as they are.

    >>> in_context("accuracy", {"positives": 0.02}), in_context("precision", {"positives": 0.02})
    ('expected_accuracy(prior=0.02)', 'precision(prior=0.02)')
    >>> in_context("accuracy", {"positives": 0.02, "costs": [1, 30]})
    'expected_cost(costs=(1, 30), prior=0.02, per=1000)'
    """
    check_context(context)
    given = {key: _tuple(context[key]) for key in ("costs", "positives") if context.get(key) is not None}
    plain, own = resolve(name)
    combine = {"combine": own["combine"]} if "combine" in own else {}
    prior = {"prior": given["positives"]} if "positives" in given else {}
    if "costs" in given:
        if plain not in ABOUT_MISTAKES:
            raise InputError(
                f"costs in the context need the measure 'expected_cost', but it is {name!r}; leave one of them out"
            )
        shown = {"unit": context["unit"]} if context.get("unit") else {}
        return _named("expected_cost", {"costs": given["costs"], **prior, "per": PER, **shown, **combine})
    stays = plain in INDEPENDENT_OF_BALANCE and own.get("average") in (None, "macro")
    if not prior or stays or "label" not in find_entry(plain).facts.needs:
        return _named(plain, own)
    if plain == "accuracy":
        return _named("expected_accuracy", {**prior, **combine})
    if plain not in LINEAR and _distribution("positives", given["positives"]) is not None:
        if plain != "error_rate":
            raise InputError(
                f"{plain} is not linear in the class balance, so it can't be averaged over a distribution of it; "
                "give the share of positives as a number"
            )
        plain = "expected_cost"  # with its default costs, this is the error rate
    return _named(plain, {**own, **prior})


PER = 1000
"""The number of cases whose cost a context with costs is about."""
ABOUT_MISTAKES = ("accuracy", "error_rate", "expected_accuracy", "expected_cost")
LINEAR = ("expected_accuracy", "expected_cost")
INDEPENDENT_OF_BALANCE = ("average_recall", "g_mean", "informedness", "recall", "specificity", "fpr", "fnr")


def _named(plain: str, given: Mapping[str, object]) -> str:
    return find_entry(name_options.written(plain, given)).facts.name


def check_context(context: Mapping[str, object]) -> None:
    """Refuse a context that has anything but valid ``positives``, ``costs`` and a ``unit`` of the costs."""
    if not isinstance(context, Mapping) or not set(context) <= {"positives", "costs", "unit"}:
        raise InputError(
            "context may have 'positives' (0.02, 'uniform', 'beta(2, 5)'), 'costs' ([1, 30], or {'no': 1, 'yes': 30} "
            f"by true label) and 'unit' ('EUR'), got {shown(context)}"
        )
    positives, costs, unit = context.get("positives"), context.get("costs"), context.get("unit")
    if unit is not None and (not isinstance(unit, str) or costs is None):
        raise InputError(f"unit must be the unit of costs, such as 'EUR', beside costs, got {shown(unit)}")
    if positives is not None:
        try:
            expected_shares(_tuple(positives), np.size(positives) if np.ndim(positives) else 2, 1)  # type: ignore[arg-type]
        except InputError as error:
            raise InputError(str(error).replace("prior must", "positives must")) from None
    if isinstance(costs, Mapping):
        costs_by_label(costs, list(map(str, costs)), None)
    elif costs is not None:
        try:
            cost_matrix(_tuple(costs), len(costs) if _is_matrix(costs) else 2, 1)  # type: ignore[arg-type]
        except InputError as error:
            labels = "; by true label they are {'no': 1, 'yes': 30}" if str(error).startswith("costs must be") else ""
            raise InputError(f"{error}{labels}") from None


def costs_of(name: str) -> dict[str, object] | None:
    """The costs and the class balance in the name of a measure of costs; None for other measures.

    >>> costs_of("expected_cost(costs=(1, 30), per=1000)"), costs_of("accuracy")
    ({'costs': (1, 30)}, None)
    """
    try:
        plain, given = resolve(name)
    except InputError:  # a measure of imported scores may have any name
        return None
    if plain != "expected_cost" or given.get("costs") is None:
        return None
    return {option: given[option] for option in ("costs", "prior") if given.get(option) is not None}


def _is_matrix(costs: object) -> bool:
    return isinstance(costs, list | tuple) and any(isinstance(row, list | tuple) for row in costs)


def _tuple(value: object) -> object:
    return tuple(_tuple(v) for v in value) if isinstance(value, list | tuple) else value


__test__ = examples(__name__)
