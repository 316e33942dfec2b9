"""Joint sign flips of means: the largest lead of a rival, and its distribution."""

from __future__ import annotations

import numpy as np
import pytest

from fairtrial.stats.post_hoc.joint_flips import mean_flips, strongest

RNG = np.random.default_rng


class TestMeanFlips:
    def test_by_hand(self):
        # the second is ahead by 1, 2, 2: sum 5, root of the sum of squares 3
        flips = mean_flips(np.array([[0.0, 1], [1, 3], [2, 4]]))
        assert flips.statistics == pytest.approx(np.array([[0, 5 / 3], [-5 / 3, 0]]))
        # of the 8 flips 5/3 is reached by one, 1/3 by three (±1 ±2 ±2: 5, 3, 1, 1, −1, −1, −3, −5)
        assert flips.rivals()[0].values == pytest.approx(np.array([-5, -3, -1, -1, 1, 1, 3, 5]) / 3)
        assert flips.rivals()[0].p(5 / 3) == 1 / 8

    def test_t_is_a_growing_function_of_the_statistic(self):
        scores = RNG(0).normal(size=(12, 6)) + np.arange(6) * 0.2
        d = scores[:, 1:] - scores[:, [0]]
        t = d.mean(axis=0) / (d.std(axis=0, ddof=1) / np.sqrt(12))
        assert np.argsort(mean_flips(scores).statistics[0, 1:]).tolist() == np.argsort(t).tolist()

    def test_random_flips_agree_with_all_flips(self):
        scores = RNG(1).normal(size=(13, 3))
        exact = mean_flips(scores)
        drawn = mean_flips(np.vstack([scores, np.zeros(3)]), draws=20_000)  # a row of zeros changes nothing but n
        assert exact.exact
        assert not drawn.exact
        for all_, some in zip(exact.rivals(), drawn.rivals(), strict=True):
            assert some.p(1.5) == pytest.approx(all_.p(1.5), abs=0.02)

    def test_equal_methods_have_no_lead(self):
        flips = mean_flips(np.ones((9, 3)))
        assert (flips.statistics == 0).all()
        assert [maxima.p(0.0) for maxima in flips.rivals()] == [1.0, 1.0, 1.0]


def test_strongest_leaves_the_method_itself_out():
    assert strongest(np.array([[9.0, -1, -2], [1, 9, -3], [2, 3, 9]])) == [-1, 1, 3]
