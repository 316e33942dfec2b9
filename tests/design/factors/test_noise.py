"""Noise in training rows: so much of it, nested over levels, and none in test rows."""

import numpy as np
import pytest
from varied_data import data_set, halves, training

from fairtrial.design import (
    FeatureNoise,
    LabelNoise,
    TrainingSize,
    varied,
)


class TestLabelNoise:
    @pytest.mark.parametrize(("level", "wrong"), [(0, 0), (0.05, 2), (0.1, 3), (0.2, 6), (0.99, 30)])
    def test_so_many_are_wrong(self, level, wrong):
        data = data_set(classes="abc")
        found = training(data, LabelNoise([level]), level)
        assert (found.target != data.target[found.rows]).sum() == wrong  # of 30, halves to the even

    def test_more_noise_spoils_the_same_and_more(self):
        data = data_set(classes="abc")
        some, more = (training(data, LabelNoise([x]), x) for x in (0.1, 0.3))
        flipped = some.target != data.target[some.rows]
        assert (more.target[flipped] == some.target[flipped]).all()

    def test_other_classes_are_as_likely(self):
        data = data_set(6000, classes="abc")
        found = training(data, LabelNoise([0.5]), 0.5)
        was, now = data.target[found.rows], found.target
        counts = [((was == x) & (now == y)).sum() for x in "abc" for y in "abc" if x != y]
        assert sum(counts) == 1500
        assert np.ptp(counts) < 5 * np.sqrt(250)

    def test_values_are_those_of_other_rows(self):
        data = data_set(values=True)
        found = training(data, LabelNoise([0.2]), 0.2)
        own = data.target[found.rows]
        wrong = found.target != own
        assert wrong.sum() == 6
        assert set(found.target[wrong]) <= set(own)

    def test_the_test_rows_stay(self):
        data = data_set()
        before = data.target.copy()
        training(data, LabelNoise([0.9]), 0.9)
        assert (data.target == before).all()


class TestFeatureNoise:
    def test_replaces_this_share_within_columns(self):
        data = data_set(2000)
        found = training(data, FeatureNoise([0.3]), 0.3)
        replaced = found.donors != found.rows[:, None]
        assert 0.27 < replaced.mean() < 0.33
        assert set(np.unique(found.donors)) <= set(found.rows)
        assert (found.target == data.target[found.rows]).all()

    def test_nested(self):
        some, more = (training(data_set(), FeatureNoise([x]), x) for x in (0.2, 0.5))
        replaced = some.donors != some.rows[:, None]
        assert (more.donors[replaced] == some.donors[replaced]).all()

    def test_after_a_smaller_size_donors_are_among_its_rows(self):
        data, split = data_set(), halves(data_set())
        factors = (TrainingSize([8]), FeatureNoise([0.5]))
        found = varied(data, split, factors, {"train_size": 8, "feature_noise": 0.5}, 1)
        assert found.donors.shape == (8, 3)
        assert set(found.donors.ravel()) <= set(found.rows)
        other = varied(data, split, factors[::-1], {"train_size": 8, "feature_noise": 0.5}, 1)
        assert other.donors.shape == (8, 3)
        assert set(other.donors.ravel()) - set(other.rows)  # noise first: from rows that were left out later
