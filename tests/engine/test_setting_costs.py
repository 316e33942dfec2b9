"""The cost of settings that a pilot did not try."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.engine.pilot import MOST_TRIED, predicted_seconds, tried_settings

GRID = [{"trees": t, "depth": d, "kind": k} for t in (10, 100, 1000) for d in (2, 4, 8) for k in ("a", "b", "c", None)]


def seconds(setting) -> float:
    """Costs that are products of what each factor does, over three orders of magnitude."""
    kind = {"a": 1.0, "b": 5.0, "c": 0.2, None: 2.0}[setting["kind"]]
    return 1e-3 * setting["trees"] * setting["depth"] * kind


class TestTriedSettings:
    def test_all_where_they_are_few(self):
        assert tried_settings(GRID[:20]) == list(range(20))

    def test_of_many_each_category_and_both_ends_of_numbers(self):
        tried = [GRID[i] for i in tried_settings(GRID)]
        assert len(tried) == MOST_TRIED < len(GRID)
        assert {s["kind"] for s in tried} == {"a", "b", "c", None}
        assert {2, 8} <= {s["depth"] for s in tried}

    def test_nested_levels_too(self):
        nested = [{"model": "svm", "C": c} for c in range(1, 40)] + [{"model": "tree", "depth": 3}]
        assert 39 in tried_settings(nested)

    @given(st.lists(st.fixed_dictionaries({"a": st.integers(0, 5), "b": st.sampled_from("xyz")}), max_size=120))
    def test_each_once_and_not_many(self, settings):
        tried = tried_settings(settings)
        assert len(set(tried)) == len(tried) <= max(MOST_TRIED, 5)
        assert not settings or tried


class TestPredictedSeconds:
    def test_products_are_found_again(self):
        tried = set(tried_settings(GRID))
        known = [seconds(s) if i in tried else math.nan for i, s in enumerate(GRID)]
        for setting, cost in zip(GRID, predicted_seconds(GRID, known), strict=True):
            assert cost == pytest.approx(seconds(setting), rel=0.02)

    def test_what_was_measured_stays(self):
        assert predicted_seconds([{"a": 1}, {"a": 2}], [0.3, 7.0]) == [0.3, 7.0]

    def test_a_factor_that_exists_somewhere_only(self):
        nested = [{"model": "svm", "C": 1}, {"model": "svm", "C": 100}, {"model": "tree"}, {"model": "svm", "C": 10}]
        made = predicted_seconds(nested, [1.0, 100.0, 0.001, math.nan])
        assert made[3] == pytest.approx(10.0, rel=0.02)

    def test_a_trial_that_failed_says_nothing_of_the_others(self):
        assert predicted_seconds([{"a": 1}, {"a": 2}, {"a": 3}], [0.0, 2.0, math.nan])[2] == pytest.approx(2.0)
        assert predicted_seconds([{"a": 1}, {"a": 2}], [0.0, math.nan]) == [0.0, 0.0]
