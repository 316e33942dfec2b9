"""A property of data sets that separates differences between methods, and groups of data sets that are alike."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from fairtrial.errors import InputError
from fairtrial.stats import clustering, separating_property

RNG = np.random.default_rng


class TestSeparatingProperty:
    def test_by_hand(self):
        # 3 rows above 2.5 of 6 have the ranks 4, 5, 6: all 20 choices of 3 are as likely, and 2 are as extreme
        found = separating_property([[1], [2], [3], [5], [6], [9]], {"size": [1, 1, 1, 4, 4, 4]}, draws=9999)
        assert (found.property, found.cut, found.above, found.label) == ("size", 2.5, (3, 4, 5), None)
        assert (found.inside, found.outside, found.pair, found.tried) == (6, 2, 0, 2)  # a cut and the trend
        assert found.p_value == pytest.approx(0.1, abs=0.012)

    def test_labels(self):
        d = np.array([[0, 5], [0, 6], [0, 7], [1, 1], [0, 2], [1, 3], [0, 2.5], [1, 1.5], [1, 1.2], [1, 2.2]])
        source = list("uuuwwwvvvx")  # x is too rare to be tried
        found = separating_property(d, {"source": source})
        assert (found.property, found.cut, found.label, found.above) == ("source", None, "u", (0, 1, 2))
        assert (found.pair, found.inside, found.outside, found.tried) == (1, 6, 2, 6)

    def test_two_labels_divide_once(self):
        found = separating_property(np.arange(8.0)[:, None], {"kind": list("ababbaba")})
        assert (found.label, found.tried) == ("a", 1)

    def test_against_every_permutation_by_scipy(self):
        # scipy 1.17: rank sums of the two sides; the largest |z| over 2 properties × cuts × 2 pairs, for 7! orders
        d = np.round(RNG(5).normal(size=(7, 2)) + np.array([[0.0]] * 4 + [[1.5]] * 3), 1)
        first, second = np.array([1, 2, 3, 4, 5, 6, 7]), np.array([3, 1, 2, 9, 9, 4, 7])
        sides = [first > 3.5, first > 4.5, second > 3.5, second > 5.5]
        ranks = scipy_stats.rankdata(d, axis=0) - 4

        def largest(rows):
            z = [
                abs(rows[side].sum(axis=0)) / np.sqrt(side.sum() * (~side).sum() / (7 * 6) * (ranks**2).sum(axis=0))
                for side in sides
            ]
            trends = [
                abs(rank(x) @ rows) / (np.sqrt((rank(x) ** 2).sum() * (ranks**2).sum(axis=0) / 6))
                for x in (first, second)
            ]
            return max(np.max(z), np.max(trends))

        def rank(x):
            return scipy_stats.rankdata(x) - 4

        observed = largest(ranks)
        p = np.mean([largest(ranks[list(order)]) >= observed - 1e-9 for order in permutations(range(7))])
        found = separating_property(d, {"first": first, "second": second}, draws=9999)
        assert found.tried == 12
        assert found.p_value == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / 9999))

    @given(st.randoms(use_true_random=False))
    def test_order_of_data_sets_and_monotone_properties_do_not_matter(self, random):
        d = RNG(3).normal(size=(12, 2))
        size = np.arange(1.0, 13)
        d[:, 1] += 3 * (size > 8)
        order = random.sample(range(12), 12)
        found = separating_property(d[order], {"size": np.log(size[order])}, draws=99)
        assert sorted(size[order][list(found.above)].tolist()) == [9, 10, 11, 12]
        assert found.pair == 1

    def test_one_search_in_many_properties_keeps_its_level(self):
        # 600 searches where nothing depends on anything; 4 standard errors
        random, found = RNG(8), []
        for _ in range(600):
            d = random.normal(size=(20, 3)) + random.normal(size=(20, 1))
            known = {"a": random.normal(size=20), "b": random.integers(0, 5, 20), "c": random.integers(0, 3, 20)}
            found.append(separating_property(d, known | {"c": known["c"].astype(str)}, draws=99).p_value <= 0.05)
        assert np.mean(found) <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / 600)

    def test_at_most_nine_cuts_spread_over_the_quantiles(self):
        d = RNG(1).normal(size=(100, 1))
        assert separating_property(d, {"size": range(100)}, draws=9).tried == 10
        assert separating_property(d, {"size": np.arange(100) % 5}, draws=9).tried == 5

    def test_missing_and_infinite_values_leave_a_property_out(self):
        d = np.arange(8.0)[:, None]
        known = {"size": [*range(7), np.nan], "rate": [*range(7), np.inf], "name": [*"aaaabbb", None]}
        assert separating_property(d, known) is None
        assert separating_property(d, known | {"flag": [True] * 4 + [False] * 4}).property == "flag"

    def test_nothing_to_try(self):
        d = np.arange(8.0)[:, None]
        assert separating_property(d, {}) is None
        assert separating_property(d, {"size": [1] * 8}) is None
        assert separating_property(d[:5], {"size": range(5)}) is None
        assert separating_property(np.full((8, 2), 0.3), {"size": range(8)}) is None

    def test_binary_fractions_do_not_break_ties(self):
        d = np.array([0.3, 0.1 + 0.2] * 4)[:, None]
        assert separating_property(d, {"size": range(8)}) is None

    def test_says_what_was_wrong(self):
        d = np.arange(8.0)[:, None]
        with pytest.raises(InputError, match="differences must have data sets in rows"):
            separating_property([1, 2, 3], {})
        with pytest.raises(InputError, match="differences must be finite, but 1 of 2 rows is not"):
            separating_property([[1], [np.nan]], {})
        with pytest.raises(InputError, match="one value for each of 8 data sets, but 'size' has an array of shape"):
            separating_property(d, {"size": [1, 2]})
        with pytest.raises(InputError, match="properties must be a mapping from names to values"):
            separating_property(d, [1, 2])
        with pytest.raises(InputError, match="fewest must be a whole number of at least 1, got 0"):
            separating_property(d, {}, fewest=0)


def alike(random, rho, k=5, sizes=(2, 3, 4, 5, 6, 2, 3)):
    """Scores in groups, with this correlation within each, and the groups."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    common = random.normal(size=(len(sizes), k))[labels]
    return math.sqrt(rho) * common + math.sqrt(1 - rho) * random.normal(size=common.shape), labels.tolist()


class TestClustering:
    def test_by_hand(self):
        # profiles of two methods are ± 1 times a number: 3 1 −1 −3 / √5, in two columns, once up and once down
        # products within groups: 3 · 1 and −1 · −3, times 2 / 5; of profiles with themselves on average 5 · 2 / 5
        # the 3 ways to make two pairs of 4 rows have the sums 3 + 3, −3 − 3 and −9 − 1, times 2 / 5
        found = clustering([[3, -3], [1, -1], [-1, 1], [-3, 3]], {"pair": [1, 1, 2, 2]}, draws=9999)
        inside, outside, own = 3 * 2 / 5, (-3 - 9 - 1 - 3) / 4 * 2 / 5, 5 * 2 / 5
        assert found.correlation == pytest.approx((inside - outside) / (own - outside))
        assert found.p_value == pytest.approx(1 / 3, abs=0.02)
        sums = np.array([6, -6, -10])
        assert found.z == pytest.approx((6 - sums.mean()) / sums.std(), abs=0.05)

    def test_the_sum_over_pairs_against_the_plain_loop(self):
        scores, labels = alike(RNG(2), 0.3)
        x = scores - scores.mean(axis=1, keepdims=True)
        x = np.clip((x - x.mean(axis=0)) / x.std(axis=0), -3, 3)
        products = x @ x.T
        i, j = np.triu_indices(len(x), 1)
        same = np.array(labels)[i] == np.array(labels)[j]
        inside, outside, own = products[i, j][same].mean(), products[i, j][~same].mean(), np.diag(products).mean()
        random, sums = RNG(0), []
        for _ in range(2000):
            order = random.permutation(len(x))
            sums.append(products[order[i], order[j]][same].sum())
        found = clustering(scores, {"source": labels})
        assert found.correlation == pytest.approx((inside - outside) / (own - outside))
        assert found.z == pytest.approx((inside * same.sum() - np.mean(sums)) / np.std(sums), rel=0.1)

    def test_the_correlation_is_found(self):
        random = RNG(4)
        found = [clustering(*self.planted(random, 0.4), draws=99).correlation for _ in range(60)]
        assert np.mean(found) == pytest.approx(0.4, abs=0.04)

    @staticmethod
    def planted(random, rho):
        scores, labels = alike(random, rho, sizes=random.integers(2, 7, 28))
        return scores, {"source": labels, "shuffled": random.permutation(labels).tolist()}

    def test_power_where_it_is_planted(self):
        random = RNG(6)
        found = [clustering(*self.planted(random, 0.4), draws=199) for _ in range(40)]
        assert all(f.grouping == "source" and f.p_value <= 0.05 for f in found)

    def test_error_rate_over_several_groupings(self):
        random, rejected = RNG(7), []
        for _ in range(800):
            scores, labels = alike(random, 0.0, sizes=random.integers(1, 6, 8))
            scores = scores**3 + 5 * random.normal(size=(len(scores), 1))
            groups = {"a": labels, "b": random.integers(0, 3, len(labels)).tolist()}
            rejected.append(clustering(scores, groups, draws=99).p_value <= 0.05)
        assert np.mean(rejected) <= 0.05 + 4 * math.sqrt(0.05 * 0.95 / 800)

    @given(st.floats(-1e3, 1e3), st.sampled_from([1e-150, 1.0, 1e150]))
    def test_levels_of_data_sets_units_and_names_of_groups_do_not_matter(self, level, unit):
        scores, labels = alike(RNG(3), 0.5)
        moved = (scores + level * np.arange(len(scores))[:, None] / 10) * unit
        one = clustering(scores, {"source": labels}, draws=99)
        other = clustering(moved, {"source": [f"group {label}" for label in labels]}, draws=99)
        assert (other.z, other.correlation) == pytest.approx((one.z, one.correlation), rel=1e-6)
        assert other.p_value == one.p_value

    def test_missing_groups_and_groups_of_one_count_nothing(self):
        scores, labels = alike(RNG(3), 0.5, sizes=(3, 3, 3, 1, 1))
        one = clustering(scores, {"source": labels}, draws=99)
        assert clustering(scores, {"source": [*labels[:9], None, float("nan")]}, draws=99) == one

    def test_equal_columns_are_left_out(self):
        scores, labels = alike(RNG(3), 0.5)
        centred = scores - scores.mean(axis=1, keepdims=True)
        one = clustering(scores, {"source": labels}, draws=99)
        other = clustering(np.column_stack([centred, np.zeros(len(scores))]), {"source": labels}, draws=99)
        assert other.correlation == pytest.approx(one.correlation)

    def test_nothing_to_test(self):
        scores, labels = alike(RNG(3), 0.5)
        assert clustering(scores, {}) is None
        assert clustering(scores, {"own": range(len(scores))}) is None
        assert clustering(scores, {"all": ["x"] * len(scores)}) is None
        assert clustering(np.ones((25, 3)) * np.arange(25)[:, None], {"source": labels}) is None

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="table must have at least 2 data sets"):
            clustering([[1], [2]], {})
        with pytest.raises(InputError, match="groupings must have one value for each of 2 data sets, but 'source' has"):
            clustering([[1, 2], [2, 3]], {"source": [1]})
        with pytest.raises(InputError, match="groupings must be a mapping"):
            clustering([[1, 2], [2, 3]], [1, 2])
