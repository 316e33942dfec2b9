"""Worlds that break assumptions."""

import numpy as np
import pytest

from fairtrial.lab.hard_worlds import RealTable, families, read_tables, real_tables, skewed
from fairtrial.stats import wilcoxon


class TestRealTable:
    def test_is_centred_on_the_first_method(self):
        table = RealTable("t", np.random.default_rng(0).normal([0, 3, 1], 1, (40, 3)))
        moved = table.centred([1, 0, 2])
        for j in (1, 2):
            assert wilcoxon(moved[:, 0], moved[:, j]).effect.estimate == pytest.approx(0, abs=1e-9)

    def test_reads_tables_with_enough_rows_and_methods(self, tmp_path):
        lines = ["dataset,a,b,c,d,e", *(f"d{i},1,2,3,4,{i}" for i in range(20))]
        (tmp_path / "good.csv").write_text("\n".join(lines))
        (tmp_path / "short.csv").write_text("\n".join(lines[:9]))
        (found,) = read_tables([tmp_path / "good.csv", tmp_path / "short.csv"])
        assert (found.name, found.scores.shape) == ("good", (20, 5))

    def test_its_rows_are_judged(self):
        table = RealTable("t", np.random.default_rng(0).normal(size=(40, 6)))
        experiment = next(iter(real_tables([table])))
        counts = experiment.simulate(np.random.default_rng(1), 3)
        assert set(counts) == set(experiment.limits)


class TestFamilies:
    def test_versions_taken_for_data_sets_make_false_winners(self):
        experiment = next(e for e in families() if "90 %" in e.world)
        counts = experiment.simulate(np.random.default_rng(2), 150)
        versions, _ = counts["each version one unit, sole winner: a false one"]
        units, runs = counts["each family one unit, sole winner: a false one"]
        assert versions > 0.1 * runs
        assert units <= runs * (0.05 + 2 * np.sqrt(0.0475 / runs))


class TestSkewed:
    def test_is_shown_and_has_no_limit(self):
        experiment = next(iter(skewed()))
        assert not experiment.limits
        assert len(experiment.simulate(np.random.default_rng(0), 2)) == 2
