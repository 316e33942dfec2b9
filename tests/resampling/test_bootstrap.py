"""Bootstrap: drawn with replacement, tested out of bag."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made import digests, valued

from fairtrial.data import datasets
from fairtrial.errors import InputError
from fairtrial.resampling import Bootstrap

IRIS = datasets("iris")[0]


class TestBootstrap:
    def test_by_hand(self):
        # of two instances the only draws with something out of bag are 0, 0 and 1, 1
        drawn = {tuple(s.train_rows().tolist()) for s in Bootstrap(50).splits(valued(2), 1)}
        assert drawn == {(0, 0), (1, 1)}

    @settings(max_examples=40)
    @given(st.integers(2, 40), st.integers(0, 2**40))
    def test_tests_all_that_was_not_drawn(self, n, seed):
        for split in Bootstrap(3).splits(valued(n), seed):
            assert len(split.train) == n
            assert set(split.test.tolist()) == set(range(n)) - set(split.train.tolist())
            assert split.n_test > 0

    def test_leaves_out_what_theory_says(self):
        # (1 - 1/n)^n of the instances, 0.366 for n = 150
        shares = [s.n_test / 150 for s in Bootstrap(400).splits(IRIS, 1)]
        assert np.mean(shares) == pytest.approx((1 - 1 / 150) ** 150, abs=0.005)
        assert np.mean(shares) == pytest.approx(Bootstrap().dependence().test_share, abs=0.01)
        assert Bootstrap().dependence().test_share == pytest.approx(math.exp(-1))

    def test_every_instance_is_drawn_equally_often(self):
        drawn = np.concatenate([s.train for s in Bootstrap(2000).splits(valued(12), 1)])
        assert np.bincount(drawn) / 2000 == pytest.approx(1, abs=0.1)

    def test_more_samples_extend_a_study(self):
        assert digests(Bootstrap(3), IRIS) == digests(Bootstrap(8), IRIS)[:3]
        assert len(set(digests(Bootstrap(200), IRIS))) == 200

    def test_the_splits_of_all_time(self):
        assert digests(Bootstrap(2), IRIS)[1] == "748f85008b9050c5a01373c99de29652"

    @pytest.mark.parametrize("samples", [0, -1, 2.5, True])
    def test_bad_numbers_of_samples(self, samples):
        with pytest.raises(InputError, match="samples must be a whole number of at least 1"):
            Bootstrap(samples)

    def test_the_apparent_split_comes_last(self):
        *drawn, last = Bootstrap(3, apparent=True).splits(IRIS, 1)
        assert [s.digest() for s in drawn] == [s.digest() for s in Bootstrap(3).splits(IRIS, 1)]
        assert (last.repeat, last.fold) == (0, -1)
        assert (last.train_rows() == np.arange(150)).all()
        assert (last.test == np.arange(150)).all()
        with pytest.raises(InputError, match="apparent must be true or false, got 'yes'"):
            Bootstrap(3, apparent="yes")
