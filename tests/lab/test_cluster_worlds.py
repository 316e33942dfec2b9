"""Questions that come in clusters."""

import numpy as np
import pandas as pd
import pytest

from fairtrial.lab.instance_worlds import FLIPS, cluster_experiments, cluster_rows
from fairtrial.results import read_predictions


class TestClusterRows:
    def test_are_those_of_verdicts(self):
        generator = np.random.default_rng(0)
        text, y = np.repeat(np.arange(5), [1, 4, 2, 7, 3]), generator.normal(size=17)
        frame = pd.DataFrame({"y": y, "text": text, "a": generator.normal(size=17), "b": generator.normal(size=17)})
        losses = read_predictions(frame, cluster="text").source.losses("mae", "a DataFrame")
        assert cluster_rows(np.abs(y - frame["a"].to_numpy()), text) == pytest.approx(losses["a"].to_numpy())

    def test_their_mean_is_the_mean_of_all(self):
        losses, cluster = np.array([1.0, 2.0, 6.0, 0.0]), np.array([0, 0, 1, 2])
        assert cluster_rows(losses, cluster).mean() == pytest.approx(losses.mean())


def test_questions_taken_for_independent_make_false_differences():
    experiment = next(e for e in cluster_experiments() if "20 clusters" in e.world)
    counts = experiment.simulate(np.random.default_rng(1), 200)
    assert counts["paired t over questions: a false difference"][0] > 60
    assert counts[FLIPS][0] < 25


def test_sign_flips_of_totals_are_exact():
    # with 10 clusters 2 of 1,024 flips are as extreme as the largest total, so that errors are at most 5 %
    experiment = next(e for e in cluster_experiments() if "10 clusters" in e.world)
    made, runs = experiment.simulate(np.random.default_rng(2), 600)[FLIPS]
    assert 0.02 < made / runs < 0.05 + 2 * np.sqrt(0.0475 / runs)
