"""The sole winner, and the set of methods that may be best."""

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.stats import best_set, sole_winner, wilcoxon

RNG = np.random.default_rng


class TestSoleWinner:
    def test_by_hand(self):
        # A leads both on all 6 data sets: each two-sided p is 2/64
        table = np.column_stack([np.arange(6.0) + 10, np.arange(6.0) * 0.9, np.arange(6.0)[::-1] * 1.3])
        found = sole_winner(table, names="ABC")
        assert found.p_value == 2 / 64
        assert found.details == {"candidate": "A", "winner": "A", "p_values": {"B": 2 / 64, "C": 2 / 64}}

    def test_the_largest_p_counts(self):
        table = RNG(1).normal([0, 0.2, 1.5, 0.3], 1, (15, 4))
        found = sole_winner(table)
        p = [wilcoxon(table[:, 2], table[:, j]).p_value for j in (0, 1, 3)]
        assert found.details["candidate"] == "2"
        assert found.p_value == pytest.approx(max(p))

    def test_forty_methods_need_no_more_data_sets(self):
        table = np.column_stack([RNG(2).normal(size=(10, 39)), np.full(10, 9.0)])
        assert sole_winner(table).details["winner"] == "39"

    def test_lower_may_be_better(self):
        table = np.column_stack([np.full(8, 1.0), RNG(3).uniform(2, 3, (8, 2))])
        assert sole_winner(table, higher_is_better=False).details["winner"] == "0"
        assert sole_winner(table).details["winner"] is None

    def test_a_cycle_has_no_candidate(self):
        rock, paper, scissors = [3.0, 1, 2] * 4, [1.0, 2, 3] * 4, [2.0, 3, 1] * 4
        found = sole_winner(np.column_stack([rock, paper, scissors]))
        assert (found.p_value, found.details["candidate"]) == (1.0, None)
        assert found.notes == ("no method is ahead of every other",)

    def test_equal_scores_have_no_winner(self):
        assert sole_winner(np.ones((9, 3))).p_value == 1.0


class TestBestSet:
    def test_by_hand(self):
        # two methods on 6 data sets, the first ahead on all: one-sided p = 1/64 that the second is as good
        table = np.column_stack([np.arange(6.0) + 3.5, np.arange(6.0) * 1.1])
        found = best_set(table, names="AB")
        assert found.members == ("A",)
        assert found.p_values == (1.0, 1 / 64)

    def test_holds_those_that_no_other_beats(self):
        table = RNG(0).normal([0, 0.1, 0, 3, 3.05], 1, (30, 5))
        assert best_set(table).members == ("3", "4")

    def test_lower_may_be_better(self):
        table = RNG(0).normal([0, 3, 6], 1, (12, 3))
        assert best_set(table).members == ("2",)
        assert best_set(table, higher_is_better=False).members == ("0",)

    def test_the_sole_winner_is_always_in_it(self):
        for seed in range(40):
            table = RNG(seed).normal([0, 0, 0, 1.2], 1, (8, 4))
            winner = sole_winner(table).details["winner"]
            assert winner is None or winner in best_set(table).members

    def test_equal_scores_leave_all_in(self):
        assert best_set(np.ones((9, 3))).members == ("0", "1", "2")

    def test_prints_who_may_be_best(self):
        text = str(best_set(RNG(0).normal([0, 3], 1, (12, 2)), names=["tree", "forest"]))
        assert "forest   1.000  yes" in text
        assert "the set holds the best method with a probability of 95 %" in text

    def test_means_by_hand(self):
        # the second is behind by 1, 2, 2 on three data sets: of 8 flips one reaches that
        table = np.array([[1.0, 0], [3, 1], [4, 2]])
        found = best_set(table, names="AB", estimand="mean", level=0.8)
        assert found.p_values == (1.0, 1 / 8)
        assert found.members == ("A",)
        assert found.rivals == ("B", "A")

    def test_a_few_large_leads_decide_the_mean_and_not_the_typical_lead(self):
        table = np.zeros((30, 2))
        table[:27, 0] = np.linspace(0.1, 0.2, 27)
        table[27:, 1] = 9
        assert best_set(table, names="AB").members == ("A",)
        assert "B" in best_set(table, names="AB", estimand="mean").members

    def test_names_the_rival_that_speaks_most_against_each(self):
        table = RNG(0).normal([0, 1, 4], 0.5, (12, 3))
        assert best_set(table, names="ABC").rivals[:2] == ("C", "C")
        assert best_set(table, names="ABC", estimand="mean").rivals[:2] == ("C", "C")

    def test_estimand_must_be_known(self):
        with pytest.raises(InputError, match=r"estimand must be 'typical' or 'mean', got 'median'"):
            best_set(np.ones((9, 3)), estimand="median")
