"""Decisions by costs: the class that is cheapest to predict, given probabilities, and thresholds of two classes."""

from __future__ import annotations

import numpy as np

from fairtrial.measures.fold_axis import FloatArray, IntArray
from fairtrial.measures.operating_context import Costs, checked_per, cost_matrix
from fairtrial.measures.probabilities import Probabilities
from fairtrial.measures.registry import examples, measure

EQUAL = 1e-12
"""Expected costs that differ by less, as a part of the largest cost, are equal: rounding must not decide."""


def cheapest_classes(probabilities: FloatArray, matrix: FloatArray) -> IntArray:
    r"""The class with the lowest expected cost :math:`\sum_j p_j C_{jk}`, for each row of probabilities.

    ``matrix[j, k]`` is the cost of predicting k when j is true. Of equally cheap classes the most probable one is
    taken, then the first.

    Reference: Elkan (2001), The foundations of cost-sensitive learning, IJCAI 17:973-978.

    >>> cheapest_classes(np.array([[0.9, 0.1], [0.5, 0.5]]), np.array([[0, 1], [3, 0]]))  # from 1 / (1 + 3) on
    array([0, 1])
    """
    expected = probabilities @ matrix
    cheapest = expected <= expected.min(axis=1, keepdims=True) + EQUAL * np.abs(matrix).max()
    return np.asarray(np.where(cheapest, probabilities, -1.0).argmax(axis=1))


def implied_threshold(matrix: FloatArray, positive: int) -> float:
    """The probability of the positive class of two from which on predicting it is the cheaper decision.

    Above 1: never; 0 or less: always; nan if no decision costs anything.

    >>> implied_threshold(np.array([[0.0, 1.0], [30.0, 0.0]]), positive=1)  # 1 / 31
    0.0323
    """
    negative = 1 - positive
    alarm = float(matrix[negative, positive] - matrix[negative, negative])
    miss = float(matrix[positive, negative] - matrix[positive, positive])
    if alarm + miss > 0:
        return alarm / (alarm + miss)
    return float("nan") if alarm == miss == 0 else -np.inf if alarm < 0 else np.inf


def cheapest_cut(scores: FloatArray, extra: FloatArray) -> float:
    """The cut of scores at which the total cost is lowest, if instances from it on are predicted positive.

    ``extra`` is what predicting each instance positive costs more than predicting it negative. The cut lies in the
    middle between two scores; ∞ means none positive, −∞ all. Of equally cheap cuts the highest is taken.

    >>> cheapest_cut(np.array([0.9, 0.8, 0.4, 0.1]), np.array([-5.0, 1.0, -5.0, 1.0]))
    0.25
    """
    falling = np.argsort(-scores, kind="stable")
    ranked, total = scores[falling], np.concatenate(([0.0], np.cumsum(extra[falling])))
    cuts = np.concatenate(([0], np.flatnonzero(ranked[1:] < ranked[:-1]) + 1, [len(ranked)]))
    lowest = total[cuts].min() + EQUAL * np.abs(extra).sum()
    best = int(cuts[np.flatnonzero(total[cuts] <= lowest)[0]])
    if best in (0, len(ranked)):
        return np.inf if best == 0 else -np.inf
    return float(ranked[best - 1] + ranked[best]) / 2


@measure(
    "Decision cost",
    of=Probabilities,
    worst=np.inf,
    best=0.0,
    per_instance=True,
    use_when="costs are known only after the run: decisions are made anew from the stored probabilities",
    beware="the probabilities are not calibrated: then the threshold that the costs imply is wrong",
)
def decision_cost(p: Probabilities, *, costs: Costs = None, per: float = 1, unit: str = "") -> FloatArray:
    r"""Mean cost of the decisions that the costs imply, given the predicted probabilities.

    .. math:: \frac1n \sum_i C_{y_i d_i}, \qquad d_i = \arg\min_k \sum_j p_{ij} C_{jk}

    For two classes the positive one is predicted from the probability
    :math:`c_{fp} / (c_{fp} + c_{fn})` on. ``costs``, ``per`` and ``unit`` are those of :func:`expected_cost`, which
    takes the predicted labels as they are. Undefined (nan) when a fold is empty.

    Reference: Elkan (2001), The foundations of cost-sensitive learning, IJCAI 17:973-978.

    >>> truth, probability = [1, 1, 0, 0], [0.9, 0.2, 0.3, 0.1]
    >>> decision_cost(truth, probability, costs=(1, 19))  # positive from 0.05 on: two false alarms
    0.5
    >>> decision_cost(truth, probability, costs=(1, 1))  # from 0.5 on: one miss
    0.25
    """
    k = p.predictions.n_classes
    matrix = cost_matrix(costs, k, p.predictions.positive if k != 2 else _positive(p))
    decided = cheapest_classes(p.matrix, matrix)
    return checked_per(per, unit) * p.mean(matrix[p.predictions.truth, decided])


def _positive(p: Probabilities) -> int:
    return 1 if p.predictions.positive is None else p.predictions.positive


__test__ = examples(__name__)
