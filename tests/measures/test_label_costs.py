"""Costs by label: pairs and matrices by hand, in any order, and labels that are not there."""

from __future__ import annotations

import pytest

from fairtrial.errors import InputError
from fairtrial.measures.operating_context import costs_by_label, with_label_costs

GROUND = ["high", "low", "mid"]


class TestWithLabelCosts:
    def test_by_hand(self):
        given = {"costs": {"yes": 30, "no": 1}, "positives": 0.1, "unit": "EUR"}
        assert with_label_costs(given, ["no", "yes"], 1) == {**given, "costs": (1, 30)}
        assert with_label_costs(given, ["no", "yes"], 0) == {**given, "costs": (30, 1)}

    def test_other_costs_stay(self):
        assert with_label_costs({"costs": [1, 30]}, ["no", "yes"], 1) == {"costs": [1, 30]}
        assert with_label_costs({"positives": 0.2}, ["no", "yes"], 1) == {"positives": 0.2}

    def test_several_classes(self):
        given = {"low": 1, "high": {"low": 9, "mid": 4}, "mid": {"low": 2}}
        assert with_label_costs({"costs": given}, GROUND, None)["costs"] == ((0, 9, 4), (1, 0, 1), (0, 2, 0))


class TestCostsByLabel:
    def test_labels_that_are_numbers(self):
        assert costs_by_label({"1": 30, 0: 1}, ["0", "1"], 1) == (1, 30)

    def test_right_decisions_that_cost_something_make_a_matrix(self):
        calls = {"stay": {"go": 10}, "go": {"stay": 200, "go": 110}}
        assert costs_by_label(calls, ["go", "stay"], 0) == ((110, 200), (10, 0))

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"yes": 30, "on": 1}, "by labels of the data, 'no' and 'yes', got 'on'"),
            ({"yes": 30, "no": {"maybe": 1}}, "got 'maybe'"),
            ({"yes": 30}, "for each true label, but 'no' has none; give it 0 if so"),
            ({"yes": "much", "no": 1}, "must be finite numbers"),
            ({"yes": float("nan"), "no": 1}, "must be finite numbers"),
        ],
    )
    def test_says_what_was_wrong(self, given, message):
        with pytest.raises(InputError, match=message):
            costs_by_label(given, ["no", "yes"], 1)
