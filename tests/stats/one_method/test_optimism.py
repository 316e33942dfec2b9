"""The .632 and .632+ estimates and what they are made of."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import bootstrap_error, no_information_rate, out_of_bag_error

errors = st.floats(0, 1)


class TestBootstrapError:
    def test_by_hand(self):
        # R = (0.3 - 0.1) / (0.5 - 0.1) = 0.5, w = 0.632 / (1 - 0.184)
        found = bootstrap_error(0.1, 0.3, 0.5)
        assert found.overfitting == pytest.approx(0.5)
        assert found.weight == pytest.approx(0.632 / 0.816)
        assert found.plain == pytest.approx(0.0368 + 0.1896)
        assert found.plus == pytest.approx(0.1 + 0.2 * 0.632 / 0.816)

    @given(errors, errors, errors)
    def test_lies_between_what_it_is_made_of(self, apparent, out_of_bag, no_information):
        found = bootstrap_error(apparent, out_of_bag, no_information)
        assert 0 <= found.overfitting <= 1
        assert 0.632 - 1e-12 <= found.weight <= 1 + 1e-12
        parts = apparent, min(out_of_bag, no_information)
        assert min(parts) - 1e-12 <= found.plus <= max(parts) + 1e-12

    @given(errors, errors)
    def test_without_overfitting_both_agree(self, apparent, less):
        out_of_bag = apparent * less  # not above the apparent error
        found = bootstrap_error(apparent, out_of_bag, 1.0)
        assert found.plus == pytest.approx(found.plain)

    def test_without_a_no_information_rate(self):
        found = bootstrap_error(0.1, 0.3)
        assert math.isnan(found.plus)
        assert str(found) == ".632 0.2264 (apparent 0.1000, out of bag 0.3000)"

    def test_as_a_table(self):
        found = bootstrap_error(0.05, 0.2, 0.5)
        assert [row[0] for row in found.to_table().rows][:2] == [".632+", ".632"]
        assert found.to_dict()["plus"] == found.plus

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((-0.1, 0.2, 0.5), "apparent must be an error rate, a finite number of at least 0, got -0.1"),
            ((0.1, math.nan, 0.5), "out_of_bag must be an error"),
            ((0.1, 0.2, -1), "no_information must be a finite number"),
            ((0.1, 0.2, math.inf), "no_information must be a finite number"),
        ],
    )
    def test_what_is_no_error(self, arguments, message):
        with pytest.raises(InputError, match=message):
            bootstrap_error(*arguments)
        with pytest.raises(InputError, match="weight must lie strictly between 0 and 1"):
            bootstrap_error(0.1, 0.2, weight=63.2)


class TestNoInformationRate:
    def test_by_hand(self):
        # truth a 3/4, b 1/4; predicted a 1/4, b 2/4, c 1/4: 3/4 · 3/4 + 1/4 · 2/4
        assert no_information_rate(list("aaab"), list("abbc")) == pytest.approx(0.6875)
        # all pairs of 1, 2 and 1, 5: squares 0 16 1 9, distances 0 4 1 3
        assert no_information_rate([1, 2], [1, 5], loss="squared") == pytest.approx(26 / 4)
        assert no_information_rate([1, 2], [1, 5], loss="absolute") == pytest.approx(2)

    @given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30))
    def test_is_the_mean_over_all_pairs(self, pairs):
        y, p = np.array(pairs).T
        every = np.subtract.outer(y, p)
        for loss, each in (("zero-one", every != 0), ("squared", every**2), ("absolute", np.abs(every))):
            assert no_information_rate(y, p, loss=loss) == pytest.approx(each.mean(), abs=1e-12)

    def test_errors(self):
        with pytest.raises(InputError, match="of one length, got 2 and 3"):
            no_information_rate([1, 2], [1, 2, 3])
        with pytest.raises(UnknownName, match="no loss is called 'square'; did you mean 'squared'"):
            no_information_rate([1], [1], loss="square")
        with pytest.raises(InputError, match="predicted must be finite"):
            no_information_rate([1.0], [math.nan], loss="squared")


class TestOutOfBagError:
    def test_by_hand(self):
        nan = math.nan
        # instance 0: 1/2, instance 1: 1, instance 2 never out of bag; the mean of the samples' own errors would be 2/3
        assert out_of_bag_error([[1, 1, nan], [0, nan, nan], [nan, 1, nan]]) == pytest.approx(0.75)

    def test_errors(self):
        with pytest.raises(InputError, match="samples in rows and instances in columns"):
            out_of_bag_error([0.1, 0.2])
        with pytest.raises(InputError, match="out of bag at least once"):
            out_of_bag_error([[math.nan, math.nan]])
        with pytest.raises(InputError, match="got 1 infinite loss"):
            out_of_bag_error([[math.inf, 0]])

    def test_one_nearest_neighbour_on_noise(self):
        # the example of the paper: labels have nothing to do with the features, so the true error is 0.5
        from sklearn.neighbors import KNeighborsClassifier

        from fairtrial.data import Dataset
        from fairtrial.resampling import Bootstrap

        random = np.random.default_rng(1)
        X, y = random.normal(size=(60, 3)), np.repeat([0, 1], 30)
        losses = np.full((60, 60), np.nan)
        for b, split in enumerate(Bootstrap(60).splits(Dataset.from_arrays(X, y.astype(str)), seed=1)):
            model = KNeighborsClassifier(1).fit(X[split.train], y[split.train])
            losses[b, split.test] = model.predict(X[split.test]) != y[split.test]
        fitted = KNeighborsClassifier(1).fit(X, y).predict(X)
        found = bootstrap_error(float(np.mean(fitted != y)), out_of_bag_error(losses), no_information_rate(y, fitted))
        assert found.apparent == 0
        assert found.plain < 0.37
        assert found.plus == pytest.approx(0.5, abs=0.08)
