"""Several measures at once over data sets."""

import numpy as np
import pytest

from fairtrial.lab.measure_worlds import SEVERAL, TWO, WORLDS, experiments


@pytest.mark.parametrize("world", WORLDS)
def test_all_methods_have_equal_means(world):
    draw, _ = WORLDS[world]
    means = draw(np.random.default_rng(0), 100_000, 3, 2).mean(axis=0)
    assert means == pytest.approx(np.zeros((3, 2)), abs=0.03)


def test_measures_of_a_method_are_correlated_and_methods_are_not():
    scores = WORLDS["normal scores"][0](np.random.default_rng(0), 50_000, 2, 2)
    found = np.corrcoef(scores.reshape(-1, 4).T)
    assert found[0, 1] == pytest.approx(0.7, abs=0.02)
    assert found[0, 2] == pytest.approx(0, abs=0.02)


def test_normal_scores_keep_the_level_exactly():
    experiment = next(e for e in experiments() if e.world == "normal scores, 2 measures × 8")
    counts = experiment.simulate(np.random.default_rng(1), 1000)
    for claim in (TWO, SEVERAL):
        false, runs = counts[claim]
        assert false / runs == pytest.approx(0.05, abs=0.021)


def test_only_normal_scores_have_a_limit():
    assert {e.world.split(",")[0] for e in experiments() if e.limits} == {"normal scores"}
