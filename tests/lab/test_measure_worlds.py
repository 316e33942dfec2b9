"""Several measures at once over data sets."""

import numpy as np
import pytest

from fairtrial.lab.score_worlds import FEW, SEVERAL, TWO, WORLDS, measure_experiments


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


@pytest.mark.slow
def test_normal_scores_keep_the_level_exactly():
    experiment = next(e for e in measure_experiments() if e.world == "normal scores, 2 measures × 20")
    counts = experiment.simulate(np.random.default_rng(1), 1000)
    for claim in (TWO, SEVERAL, FEW):
        false, runs = counts[claim]
        assert false / runs == pytest.approx(0.05, abs=0.021)


def test_all_differences_are_tested_where_there_are_enough_data_sets():
    experiment = next(e for e in measure_experiments() if e.world == "normal scores, 2 measures × 8")
    assert set(experiment.simulate(np.random.default_rng(1), 2)) == {TWO, FEW}


def test_manova_has_a_limit_only_where_covariances_are_equal():
    assert {e.world.split(",")[0] for e in measure_experiments() if FEW in e.limits} == {"normal scores"}
    assert all(SEVERAL in e.limits for e in measure_experiments() if "varies more" in e.world)
    assert not any(e.limits for e in measure_experiments() if "skewed" in e.world or "tails" in e.world)
