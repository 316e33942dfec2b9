"""Guards of methods: a yardstick that was added, and unequal tuning."""

from __future__ import annotations

from dataclasses import replace

from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.design.plan_guards import added_yardstick, is_compared, unequal_searches
from fairtrial.methods import as_methods, baseline

BAYES = as_methods({"bayes": GaussianNB()})[0]
TUNED = as_methods({"tuned": ft.tuned(GaussianNB(), {"var_smoothing": [1e-9, 0.1]})})[0]


class TestAddedYardstick:
    def test_is_told_unless_it_was_listed(self):
        listed = baseline("majority")
        (found,) = added_yardstick([BAYES, replace(listed, yardstick=True)])
        assert found.text == "'majority' is added as a yardstick: every method should beat it"
        assert (found.severity, found.about) == ("note", "majority")
        assert list(added_yardstick([BAYES, listed])) == []


class TestUnequalSearches:
    def test_by_hand(self):
        (found,) = unequal_searches([TUNED, BAYES, baseline("majority")])
        assert found.text.startswith("tuned is tuned over 2 configurations, bayes over none")
        assert found.evidence == {"configurations": {"tuned": 2, "bayes": 0}}

    def test_equal_ones_and_baselines_do_not_count(self):
        assert list(unequal_searches([TUNED, baseline("majority")])) == []


class TestIsCompared:
    def test_methods_are_and_baselines_are_not(self):
        assert [is_compared(m) for m in (BAYES, baseline("majority"))] == [True, False]
