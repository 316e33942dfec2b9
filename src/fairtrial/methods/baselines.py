"""Baselines that every method should beat: chance, the majority, the mean, and one rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from fairtrial.doors import door
from fairtrial.errors import UnknownName
from fairtrial.methods.decision_rules import ByCosts
from fairtrial.methods.method import Method
from fairtrial.tables import Column, Table


def _dummy(strategy: str) -> Callable[[], Any]:
    def make() -> Any:
        from sklearn.dummy import DummyClassifier

        return DummyClassifier(strategy=strategy)

    return make


def _mean() -> Any:
    from sklearn.dummy import DummyRegressor

    return DummyRegressor(strategy="mean")


def _one_rule() -> Any:
    from fairtrial.methods.estimators import OneRule

    return OneRule()


BASELINES: dict[str, tuple[Callable[[], Any], str, str]] = {
    "majority": (
        _dummy("prior"),
        "classes",
        "the most frequent class of the training data; the class shares as probabilities",
    ),
    "stratified": (_dummy("stratified"), "classes", "a random class, drawn with the shares of the training data"),
    "uniform": (_dummy("uniform"), "classes", "a random class, all equally likely"),
    "one_rule": (_one_rule, "classes", "1R: the one feature that classifies best (Holte 1993)"),
    "mean": (_mean, "values", "the mean of the training data"),
}


@door
def baseline(name: str) -> Method:
    """Make a baseline by its name.

    >>> baseline("majority").name
    'majority'
    """
    if name not in BASELINES:
        raise UnknownName.among("baseline", name, BASELINES)
    make, _, _ = BASELINES[name]
    return Method(name, make(), facts={"complexity": "trivial", "interpretable": "yes"})


BEST_POLICY = "best trivial policy"
"""The yardstick of studies with costs: the one decision for all cases that is cheapest on each training set."""


def trivial_policy(decide: ByCosts) -> Method:
    """The trivial policy that is cheapest on each training set: one class for all cases, by class shares and costs."""
    return Method(BEST_POLICY, _dummy("prior")(), yardstick=True, decide=replace(decide, by="costs"))


def yardstick_for(task: str) -> Method:
    """The baseline that a study without one is given: shown and to be beaten, but not ranked."""
    make, name = (_dummy("prior"), "majority") if task == "classes" else (_mean, "mean")
    return Method(name, make(), yardstick=True)


def is_baseline(method: Method) -> bool:
    """Whether a method is one of the trivial ones."""
    from sklearn.dummy import DummyClassifier, DummyRegressor

    from fairtrial.methods.estimators import OneRule

    return isinstance(method.estimator, (DummyClassifier, DummyRegressor, OneRule))


def compared_methods(methods: Sequence[Method], control: str | None = None, *, alone: bool = False) -> list[Method]:
    """The methods that are compared: no yardsticks, and none that learns nothing unless it is the control.

    A method that is the only other one is compared with what learns nothing, unless it is judged ``alone``.
    """
    from sklearn.dummy import DummyClassifier, DummyRegressor

    listed = [m for m in methods if not m.yardstick]
    trivial = [m for m in listed if isinstance(m.estimator, (DummyClassifier, DummyRegressor)) and m.name != control]
    others = [m for m in listed if m not in trivial]
    return others if len(others) > 1 or (others and alone) else listed


def to_table() -> Table:
    """All baselines, for ``fairtrial list baselines``."""
    rows = tuple((name, task, what) for name, (_, task, what) in BASELINES.items())
    columns = (Column("name", align="left"), Column("for", align="left"), Column("predicts", align="left"))
    return Table(columns=columns, rows=rows, caption="baselines")
