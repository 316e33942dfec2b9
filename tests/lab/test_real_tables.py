"""Rows of real tables of scores."""

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.lab.real_tables import LIMITS, TWO_BEST, RealTable, experiments, moved_difference, read_tables, simulate
from fairtrial.stats import wilcoxon

LINES = ["dataset,a,b,c,d,e", *(f"d{i},1,2,3,4,{i + 1}" for i in range(20))]


class TestRealTable:
    def test_typical_differences_are_pseudo_medians(self):
        scores = np.random.default_rng(0).normal([0, 3, 1], 1, (40, 3))
        found = RealTable("t", scores).typical_differences()
        assert found[1, 2] == wilcoxon(scores[:, 1], scores[:, 2]).effect.estimate
        assert np.array_equal(found, -found.T)

    def test_truth_is_that_of_the_moved_table(self):
        scores = np.random.default_rng(1).exponential([1, 3, 2], (40, 3))
        table = RealTable("t", scores)
        typical = table.typical_differences()
        moved = scores + typical[0]
        assert wilcoxon(moved[:, 0], moved[:, 1]).effect.estimate == pytest.approx(0, abs=1e-9)
        left = wilcoxon(moved[:, 1], moved[:, 2]).effect.estimate
        assert moved_difference(typical, [0, 1, 2]) == pytest.approx(left, abs=1e-9)
        assert abs(left) > 1e-3


class TestReadTables:
    def test_takes_tables_with_enough_rows_and_methods(self, tmp_path):
        (tmp_path / "good.csv").write_text("\n".join(LINES))
        (tmp_path / "short.csv").write_text("\n".join(LINES[:9]))
        (found,) = read_tables([tmp_path / "good.csv", tmp_path / "short.csv"])
        assert (found.name, found.scores.shape) == ("good", (20, 5))

    def test_leaves_out_rows_with_missing_scores(self, tmp_path):
        (tmp_path / "t.csv").write_text("\n".join([*LINES, "d20,1,,3,4,5"]))
        assert read_tables([tmp_path / "t.csv"])[0].scores.shape == (20, 5)

    def test_takes_logarithms_of_errors(self, tmp_path):
        (tmp_path / "t.csv").write_text("\n".join(LINES))
        (found,) = read_tables([tmp_path / "t.csv"], log=True)
        assert (found.name, found.scores[0].tolist()) == ("t (logarithms)", np.log([1, 2, 3, 4, 1]).tolist())

    def test_says_what_was_wrong(self, tmp_path):
        (tmp_path / "t.csv").write_text("\n".join([*LINES, "d20,1,0,3,4,5"]))
        with pytest.raises(InputError, match=r"must be above 0, got 0 or less in .*t\.csv"):
            read_tables([tmp_path / "t.csv"], log=True)


class TestSimulate:
    def test_counts_every_claim_with_a_limit(self):
        table = RealTable("t", np.random.default_rng(0).normal(size=(40, 6)))
        experiment = next(iter(experiments([table])))
        assert set(LIMITS) <= set(experiment.simulate(np.random.default_rng(1), 3))

    @pytest.mark.slow
    def test_errs_as_seldom_as_it_should_among_methods_with_large_differences(self):
        # without the move the best of these would win in every run; a single test errs in 5 % of 80 runs
        table = RealTable("t", np.random.default_rng(0).normal(np.arange(5) * 9, 1, (60, 5)))
        counts = simulate(table, 10, np.random.default_rng(1), 80)
        assert counts["sole winner: a false one"][0] <= 4
        assert counts["joint intervals: all hold"][0] >= 70
        assert 1 <= counts[TWO_BEST][0] <= 10
