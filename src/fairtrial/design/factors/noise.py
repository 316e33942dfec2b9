"""Noise: wrong targets and wrong feature values in training rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fairtrial.design.factors.level_values import Number
from fairtrial.design.factors.training_factor import Share, Training


class LabelNoise(Share):
    """The share of training rows whose target is made wrong.

    A class is replaced by one of the other classes, all equally likely; a value is replaced by that of another training
    row. The number of wrong targets is the share times the number of rows, rounded.

    >>> LabelNoise([0, 0.05, 0.1, 0.2]).changes(0)
    False
    """

    name = "label_noise"
    title = "share of training rows with a wrong target"

    def vary(self, training: Training, level: Number, draw: np.random.RandomState) -> Training:
        n = training.dataset.n
        chance, other = draw.random_sample(n)[training.rows], draw.random_sample(n)[training.rows]
        order = np.argsort(chance, kind="stable")
        wrong = order[: round(level * len(order))]
        target = training.target.copy()
        if training.dataset.task == "classes":
            k = len(training.dataset.classes)
            step = 1 + np.floor(other[wrong] * (k - 1)).astype(np.intp)
            target[wrong] = np.asarray(training.dataset.classes)[(training.codes[wrong] + step) % k]
        else:
            ring = np.argsort(other, kind="stable")
            next_in_ring = np.empty_like(ring)
            next_in_ring[ring] = np.roll(ring, -1)
            target[wrong] = training.target[next_in_ring[wrong]]
        return replace(training, target=target)


class FeatureNoise(Share):
    """The share of feature values in the training rows that are replaced by those of random training rows.

    Each value is replaced with this probability, by the value of the same feature in another row. So numbers,
    categories and missing values are treated alike, and each feature keeps its distribution (after Zhu & Wu 2004,
    doi:10.1007/s10462-004-0751-8).

    >>> FeatureNoise([0, 0.1]).write(0.1)
    '10 %'
    """

    name = "feature_noise"
    title = "share of feature values that are replaced in training rows"

    def vary(self, training: Training, level: Number, draw: np.random.RandomState) -> Training:
        n, p, rows = training.dataset.n, training.dataset.p, training.rows
        chance = draw.random_sample((n, p))[rows]
        giver = np.floor(draw.random_sample((n, p))[rows] * len(rows)).astype(np.intp)
        own = np.repeat(rows[:, None], p, axis=1) if training.donors is None else training.donors
        return replace(training, donors=np.where(chance < level, rows[giver], own).astype(np.int32))
