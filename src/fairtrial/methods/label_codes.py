"""Estimators that need labels 0 … k−1: which ones are known, and where they are in a method."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

KNOWN = (
    "xgboost.sklearn.XGBClassifier",  # "Invalid classes inferred from unique values of `y`"
    "skorch.classifier.NeuralNetClassifier",  # the loss of torch takes positions of classes
)
"""Classes whose ``fit`` takes the labels 0 … k−1 only; those that inherit from them do so too."""


def needs_codes(estimator: Any) -> bool:
    """Whether the estimator that learns is one of those that take the labels 0 … k−1 only.

    >>> from sklearn.svm import SVC
    >>> needs_codes(SVC())  # takes labels of any kind
    False
    """
    while (inner := _inner(estimator)) is not None:
        estimator = inner
    return any(f"{kind.__module__}.{kind.__qualname__}" in KNOWN for kind in type(estimator).__mro__)


def code_labels(estimator: Any, classes: NDArray[Any]) -> Any:
    """The estimator with codes around what learns in it: the last step of a pipeline, what a search tunes.

    Searches and other steps keep the original labels, so that they score and weigh by them. The estimator is changed in
    place where it holds another one. ``classes`` are those of the data set.
    """
    from fairtrial.methods.estimators import CodedLabels

    inner = _inner(estimator)
    if inner is None:
        return CodedLabels(estimator, classes)
    coded = code_labels(inner, classes)
    if hasattr(estimator, "steps"):
        estimator.steps = [*estimator.steps[:-1], (estimator.steps[-1][0], coded)]
    else:
        estimator.estimator = coded
    return estimator


def _inner(estimator: Any) -> Any:
    """The estimator that is given the labels which this one is given; None if this one learns from them itself.

    Other people's classes may do anything with the estimator that they hold, so they count as learners. A frozen
    estimator has learnt from labels already.
    """
    if getattr(estimator, "steps", None):
        return estimator.steps[-1][1]
    module = type(estimator).__module__
    if module.startswith(("sklearn.", "fairtrial.")) and not module.startswith("sklearn.frozen"):
        held = getattr(estimator, "estimator", None)
        return held if hasattr(held, "fit") else None
    return None
