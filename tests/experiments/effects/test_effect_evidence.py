"""Scores of settings after the failure policy."""

import numpy as np
import pandas as pd
import pytest
from made_effects import TWO, crossed, planted, row

from fairtrial.errors import InputError
from fairtrial.experiments.effects.effect_evidence import gather_settings
from fairtrial.results import read_scores


def with_baseline(table, value=0.2):
    """The table with a baseline that has no setting."""
    own = table.drop_duplicates(["dataset", "fold"]).assign(method="base", depth=np.nan, rate=np.nan, value=value)
    return pd.concat([table, own], ignore_index=True)


class TestGatherSettings:
    def test_a_failed_trial_is_scored_as_the_baseline_and_said(self):
        table = with_baseline(crossed(planted, TWO, datasets=7))
        table.loc[2, ["value", "status"]] = np.nan, "failed"
        found = read_scores(table, measure="accuracy", baseline="base").effects()
        assert len(found.settings) == 4
        assert found.scores[0, 2] == 0.2
        assert any(n.severity == "doubt" and "1 of 35 trials failed" in n.sentence for n in found.notices)
        assert "Beware    1 of 35 trials failed" in str(found)
        assert "scored as the baseline 'base'" in str(found)

    def test_dropped_data_sets(self):
        table = crossed(planted, TWO, datasets=8)
        table.loc[2, ["value", "status"]] = np.nan, "failed"
        found = read_scores(table, measure="accuracy").effects(failures="drop")
        assert found.units == tuple(f"d{i}" for i in range(1, 8))

    def test_without_a_policy_that_can_be_applied(self):
        table = crossed(planted, TWO, datasets=7)
        table.loc[2, ["value", "status"]] = np.nan, "failed"
        with pytest.raises(InputError, match="no baseline"):
            read_scores(table, measure="accuracy").effects()

    def test_replicates_are_averaged_on_each_split(self):
        rows = [
            row("d0", "m", {"depth": d}, 0.5 + 0.1 * (d == 12) + 0.01 * seed, fold=fold, replicate=seed)
            for d in (3, 12)
            for fold in range(3)
            for seed in range(2)
        ]
        gathered = gather_settings(read_scores(pd.DataFrame(rows), measure="accuracy", resampling="3-fold"))
        assert gathered.evidence.folds[0] == pytest.approx(np.tile([0.505, 0.605], (3, 1)))
        assert gathered.seeds is not None
        assert gathered.seeds.shape == (1, 3, 2, 2)
        assert gathered.seeds[0, 1, 1] == pytest.approx([0.51, 0.61])

    def test_levels_of_the_training_data_are_settings(self):
        rows = [
            row(f"d{i}", "m", {"label_noise": n, "depth": d}, 0.5 + 0.1 * (d == 12) - n + i / 100)
            for i in range(7)
            for n in (0, 0.2)
            for d in (3, 12)
        ]
        gathered = gather_settings(read_scores(pd.DataFrame(rows), measure="accuracy"))
        assert {(s["label_noise"], s["depth"]) for s in gathered.settings} == {(0, 3), (0, 12), (0.2, 3), (0.2, 12)}
        at = [dict(s) for s in gathered.settings].index({"label_noise": 0.2, "depth": 12})
        assert gathered.evidence.means[3, at] == pytest.approx(0.43)
