"""Advantages whose parts are known."""

import numpy as np
import pytest

from fairtrial.lab.ablation_worlds import AMOUNTS, MEANS, Components, experiments, on_learners
from fairtrial.lab.effect_worlds import Factors

RUNS = 60


def lowest(runs):
    return runs * (0.93 - 2.5 * np.sqrt(0.93 * 0.07 / runs))


class TestComponents:
    @pytest.mark.parametrize("kind", AMOUNTS)
    def test_amounts_have_their_means(self, kind):
        drawn = AMOUNTS[kind](np.random.default_rng(2), 20_000)
        assert drawn.mean(axis=0) == pytest.approx(MEANS, abs=0.05)

    def test_scores_of_all_combinations(self):
        assert Components("normal amounts", 9).scores(np.random.default_rng(0)).shape == (9, 8)


@pytest.mark.slow
@pytest.mark.parametrize("world", [Components("normal amounts", 8), Components("exponential amounts", 12)])
def test_all_parts_hold(world):
    name = f"{world.amounts}, 3 components × {world.datasets} data sets"
    experiment = next(e for e in experiments() if e.world == name)
    counts = experiment.simulate(np.random.default_rng(5), RUNS)
    assert counts["bootstrap-t: all parts hold"][0] >= lowest(RUNS)
    assert counts["bootstrap-t: all interactions hold"][0] >= lowest(RUNS)


@pytest.mark.slow
def test_t_intervals_miss_where_components_matter_on_a_few_data_sets():
    worlds = {experiment.world: experiment for experiment in experiments()}
    rare = worlds["amounts on two of five data sets, 3 components × 12 data sets"]
    counts = rare.simulate(np.random.default_rng(6), RUNS)
    assert counts["t, Bonferroni: all parts hold"][0] < counts["bootstrap-t: all parts hold"][0]


@pytest.mark.slow
def test_an_inert_component_of_a_learner_is_rarely_called():
    counts = on_learners(Factors("LDA", 100), 8).simulate(np.random.default_rng(7), RUNS)
    assert counts["bootstrap-t: an inert component is called"][0] <= RUNS * (0.05 + 2 * np.sqrt(0.05 * 0.95 / RUNS))
    assert counts["bootstrap-t: the active component is called"][0] > RUNS / 3
