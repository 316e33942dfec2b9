"""1R: by hand after Holte (1993)."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from fairtrial.data import datasets
from fairtrial.errors import InputError
from fairtrial.methods.estimators import OneRule

nan = np.nan
# The weather data: Witten, Frank & Hall (2011), Data Mining, 3rd edition, table 1.2; rules of 1R in table 4.1.
WEATHER = pd.DataFrame(
    {
        "outlook": ["s", "s", "o", "r", "r", "r", "o", "s", "s", "r", "s", "o", "o", "r"],
        "temperature": ["h", "h", "h", "m", "c", "c", "c", "m", "c", "m", "m", "m", "h", "m"],
        "humidity": ["h", "h", "h", "h", "n", "n", "n", "h", "n", "n", "n", "h", "n", "h"],
        "windy": ["f", "t", "f", "f", "f", "t", "t", "f", "f", "f", "t", "t", "f", "t"],
    }
).astype("category")
PLAY = np.array(["n", "n", "y", "y", "y", "n", "y", "n", "y", "y", "y", "y", "y", "n"])
TEMPERATURE = np.array([64, 65, 68, 69, 70, 71, 72, 72, 75, 75, 80, 81, 83, 85.0])
# Witten et al., section 4.1: the temperatures with their classes, in order
PLAY_BY_TEMPERATURE = np.array(["y", "n", "y", "y", "y", "n", "n", "y", "y", "y", "n", "y", "y", "n"])


def column(values) -> np.ndarray:
    return np.asarray(values, dtype=float)[:, None]


class TestOneRule:
    def test_nominal_by_hand(self):
        # table 4.1: outlook errs 4 times of 14 (sunny no, overcast yes, rainy yes), as does humidity: the first wins
        rule = OneRule().fit(WEATHER, PLAY)
        assert rule.feature_ == 0
        assert (rule.predict(WEATHER) != PLAY).sum() == 4
        one_each = WEATHER.iloc[[0, 2, 3]]
        assert rule.predict(one_each).tolist() == ["n", "y", "y"]
        # sunny: 3 no, 2 yes; overcast: 4 yes; rainy: 2 no, 3 yes
        np.testing.assert_allclose(rule.predict_proba(one_each), [[0.6, 0.4], [0, 1], [0.4, 0.6]])

    def test_numeric_by_hand(self):
        # section 4.1, min_bucket 3: 64–70 yes (4 of 5), 71–75 yes (3 of 5), 80–85 (2 of 4): the first two are joined
        rule = OneRule(min_bucket=3).fit(column(TEMPERATURE), PLAY_BY_TEMPERATURE)
        assert rule.cuts_.tolist() == [77.5]
        assert rule.predict(column([60, 77, 78, 99])).tolist() == ["y", "y", "n", "n"]

    def test_min_bucket_by_hand(self):
        # a a b a a | b b: with 1 every change is a cut; with 3 the running interval needs three of a class first
        x, y = column([1, 2, 3, 4, 5, 6, 7]), np.array(list("aabaabb"))
        assert OneRule(min_bucket=1).fit(x, y).cuts_.tolist() == [2.5, 3.5, 5.5]
        assert OneRule(min_bucket=3).fit(x, y).cuts_.tolist() == [5.5]
        assert OneRule(min_bucket=6).fit(x, y).cuts_.tolist() == []

    def test_neighbours_with_one_class_are_joined(self):
        # min_bucket 3: aaa | baa, both a: one interval, also when it is the last
        assert OneRule(min_bucket=3).fit(column(range(6)), list("aaabaa")).cuts_.tolist() == []
        # aaa | baaa | bbb: the first two
        assert OneRule(min_bucket=3).fit(column(range(10)), list("aaabaaabbb")).cuts_.tolist() == [6.5]

    def test_no_cut_between_equal_values(self):
        rule = OneRule(min_bucket=1).fit(column([1, 1, 1, 2, 2]), list("aabbb"))
        assert rule.cuts_.tolist() == [1.5]
        assert rule.predict(column([1, 2])).tolist() == ["a", "b"]

    def test_cut_between_neighbouring_floats_keeps_them_apart(self):
        low = 1.0
        for _ in range(4):  # the middle of two neighbours is rounded to either
            high = np.nextafter(low, 2)
            rule = OneRule(min_bucket=1).fit(column([low, high]), ["a", "b"])
            assert rule.predict(column([low, high])).tolist() == ["a", "b"]
            low = high

    def test_huge_values_do_not_overflow(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rule = OneRule(min_bucket=1).fit(column([1.5e308, 1.7e308]), ["a", "b"])
        assert rule.predict(column([1.5e308, 1.7e308])).tolist() == ["a", "b"]

    def test_against_a_stump_where_one_cut_is_best(self):
        # scikit-learn's DecisionTreeClassifier(max_depth=1) of the same version; a clean threshold has one answer
        random = np.random.default_rng(1)
        X = random.normal(size=(200, 3))
        y = (X[:, 1] > 0.3).astype(int)
        rule, stump = OneRule().fit(X, y), DecisionTreeClassifier(max_depth=1).fit(X, y)
        assert rule.feature_ == stump.tree_.feature[0]
        assert rule.cuts_[0] == pytest.approx(stump.tree_.threshold[0], abs=1e-6)

    def test_contract_of_scikit_learn(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a check that is skipped
            checks = check_estimator(OneRule())
        assert sum(check["status"] == "passed" for check in checks) > 25
        assert {check["status"] for check in checks} <= {"passed", "skipped"}

    @pytest.mark.slow
    @settings(max_examples=50)
    @given(
        st.lists(st.tuples(st.sampled_from([0, 1, 2, 3, nan]), st.sampled_from("abc")), min_size=2, max_size=30),
        st.integers(1, 6),
    )
    def test_predicts_a_commonest_class_of_its_cell_and_shares_sum_to_one(self, pairs, min_bucket):
        x, y = column([p[0] for p in pairs]), np.array([p[1] for p in pairs])
        rule = OneRule(min_bucket=min_bucket).fit(x, y)
        shares = rule.predict_proba(x)
        np.testing.assert_allclose(shares.sum(axis=1), 1)
        # never worse than the majority on what it was trained on
        assert np.mean(rule.predict(x) == y) >= max(np.mean(y == c) for c in "abc") - 1e-12

    @settings(max_examples=30)
    @given(st.permutations(range(14)))
    def test_order_of_the_rows_does_not_matter(self, order):
        a = OneRule(min_bucket=2).fit(column(TEMPERATURE), PLAY_BY_TEMPERATURE)
        b = OneRule(min_bucket=2).fit(column(TEMPERATURE[order]), PLAY_BY_TEMPERATURE[order])
        np.testing.assert_array_equal(a.cuts_, b.cuts_)

    def test_missing_is_a_value_of_its_own(self):
        x = column([1, 2, 3, nan, nan])
        rule = OneRule().fit(x, list("aaabb"))
        assert rule.predict(x).tolist() == list("aaabb")
        frame = pd.DataFrame({"c": pd.Categorical(["u", "u", None, None])})
        assert OneRule().fit(frame, list("aabb")).predict(frame).tolist() == list("aabb")

    def test_missing_only_when_predicting_gets_the_commonest_class(self):
        rule = OneRule(min_bucket=1).fit(column([1, 2, 3]), list("abb"))
        assert rule.predict([[nan]]).tolist() == ["b"]
        np.testing.assert_allclose(rule.predict_proba([[nan]]), [[1 / 3, 2 / 3]])

    def test_unseen_category_gets_the_commonest_class(self):
        rule = OneRule().fit(pd.DataFrame({"c": pd.Categorical(list("uuvvv"), categories=list("tuvw"))}), list("aabbb"))
        new = pd.DataFrame({"c": pd.Categorical(["t", "w", "z", None, "u"])})
        assert rule.predict(new).tolist() == ["b", "b", "b", "b", "a"]

    def test_categories_are_known_by_value_not_by_position(self):
        rule = OneRule().fit(pd.DataFrame({"c": pd.Categorical(list("uuvv"))}), list("aabb"))
        other = pd.DataFrame({"c": pd.Categorical(["v", "u"], categories=["v", "u"])})
        assert rule.predict(other).tolist() == ["b", "a"]

    def test_columns_of_text_and_names_that_are_not_text(self):
        frame = pd.DataFrame({0: ["u", "u", "v", None], 1: [1.0, 2.0, 3.0, 4.0]})
        rule = OneRule().fit(frame, list("aabc"))
        assert rule.feature_ == 0
        assert rule.predict(frame).tolist() == list("aabc")

    def test_leaves_the_frame_as_it_was(self):
        before = WEATHER.copy()
        OneRule().fit(WEATHER, PLAY).predict(WEATHER)
        pd.testing.assert_frame_equal(WEATHER, before)

    def test_ties_go_to_the_first(self):
        # both features are equally good, both classes equally common
        x = np.array([[0, 0], [0, 0], [1, 1], [1, 1]])
        rule = OneRule().fit(x, list("abab"))
        assert rule.feature_ == 0
        assert rule.predict(x).tolist() == ["a"] * 4

    def test_one_class_only(self):
        assert OneRule().fit(column([1, 2]), ["a", "a"]).predict([[9]]).tolist() == ["a"]

    def test_iris_is_told_by_its_petals(self):
        # the petals are columns 2 and 3
        data = datasets("iris")[0]
        rule = OneRule().fit(data.frame(), data.codes)
        assert rule.feature_ in (2, 3)
        assert 0.93 < rule.score(data.frame(), data.codes) < 0.97

    @pytest.mark.parametrize("min_bucket", [0, -1, 1.5, "6", None])
    def test_bad_min_bucket(self, min_bucket):
        with pytest.raises(InputError, match="min_bucket must be a whole number of at least 1, got"):
            OneRule(min_bucket=min_bucket).fit([[1], [2]], [0, 1])
