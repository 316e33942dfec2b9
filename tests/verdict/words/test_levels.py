"""Who leads and wins at which levels, in words."""

import pandas as pd
import pytest

from fairtrial.results import read_scores
from fairtrial.verdict.words.levels import LevelWords


def words(*values, factor="train_size"):
    return LevelWords((factor,), tuple({factor: v} for v in values))


class TestLevelWords:
    @pytest.mark.parametrize(
        ("places", "text"),
        [
            ([0], "at 10"),
            ([0, 1], "up to 20"),
            ([1, 2], "from 20 to 40"),
            ([2, 3], "from 40 on"),
            ([0, 2], "at 10 and 40"),
            ([0, 1, 2, 3], "at every level"),
        ],
    )
    def test_runs_of_levels(self, places, text):
        assert words(10, 20, 40, 80).where(places) == text

    def test_the_factor_is_named_once(self):
        assert words(0, 0.1, 0.2, factor="label_noise").where([1, 2], factor=True) == "from label_noise 10 % on"
        assert words(10, 20).where([0, 1], factor=True) == "at every level of train_size"

    def test_all_rows_come_last(self):
        assert words(20, 60, 1).where([1, 2]) == "from 60 on"

    def test_levels_without_an_order_are_listed(self):
        assert not words(0, 1, 2, factor="row_order").is_ordered
        assert not words(60, 20, 80).is_ordered
        assert words("gini", "entropy", "log", factor="criterion").where([1, 2]) == "at entropy and log"

    def test_several_factors(self):
        levels = tuple({"train_size": n, "label_noise": x} for n in (10, 20) for x in (0, 0.1))
        both = LevelWords(("train_size", "label_noise"), levels)
        assert both.where([0, 3]) == "at (train_size 10, label_noise 0 %) and (train_size 20, label_noise 10 %)"
        assert both.where([0, 1, 3], factor=True) == "at 3 of 4 combinations of levels"
        assert both.where([0, 1, 3]) == "at 3 of them"
        assert both.where([0, 1, 2, 3], factor=True) == "at every level"


class TestTwoFactors:
    def test_the_method_with_most_combinations_comes_first(self):
        rows = [
            (d, m, n, x, 0.5 + 0.01 * i + (0.1 if (m == "B") == (n == 20 or x > 0) else 0.0))
            for i, d in enumerate("abcdefg")
            for m in "AB"
            for n in (10, 20)
            for x in (0, 0.2)
        ]
        scores = pd.DataFrame(rows, columns=["dataset", "method", "train_size", "label_noise", "accuracy"])
        assert read_scores(scores, measure="accuracy").verdicts().sentence == (
            "B has the highest mean accuracy at 3 of 4 combinations of levels, and A at (train_size 10, label_noise "
            "0 %). A beats all others at (train_size 10, label_noise 0 %), and B at 3 of them."
        )


def test_levels_that_lack_data_sets_are_said_apart():
    rows = [
        {"dataset": f"d{i}", "method": m, "train_size": n, "value": 0.6 + 0.01 * i + lead + n / 1000}
        for n in (10, 20)
        for i in range(7 if n == 10 else 1)
        for m, lead in (("a", 0.05 + i / 500), ("b", 0.0))
    ]
    text = read_scores(pd.DataFrame(rows), measure="accuracy").verdicts().sentence
    assert "On :" not in text
    assert "On the data sets together: a has the highest mean accuracy" in text
