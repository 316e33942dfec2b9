"""Factors that are inert by construction, on real learners."""

import numpy as np
import pytest

from fairtrial.lab.effect_worlds import BLOCK, BOTH, FOLDS, MODEL, SECOND, SETTINGS, Factors, experiments, on_one
from fairtrial.lab.effect_worlds import over_datasets as over
from fairtrial.stats import effects_on_splits

QUICK = ("1-NN", "LDA", "naive Bayes")


def allowed(runs):
    return runs * (0.05 + 2 * np.sqrt(0.05 * 0.95 / runs))


class TestFactors:
    def test_effects_by_hand(self):
        # accuracies at (0, 0), (0, 1), (1, 0), (1, 1): second (70 − 60 + 72 − 61)/2, block (61 + 72 − 60 − 70)/2
        values = MODEL.values([[0.60, 0.70, 0.61, 0.72]]).values[0]
        assert SETTINGS == ((0, 0), (0, 1), (1, 0), (1, 1))
        assert values[[BLOCK, SECOND, BOTH]] == pytest.approx([0.015, 0.105, 0.005])

    @pytest.mark.parametrize("learner", QUICK)
    def test_only_the_active_factor_has_an_effect(self, learner):
        generator = np.random.default_rng(5)
        means = [Factors(learner, 100).scores(generator, 1, 0.35).mean(axis=1) for _ in range(200)]
        values = MODEL.values(np.array(means)).values
        z = values.mean(axis=0) / (values.std(axis=0, ddof=1) / np.sqrt(200))
        assert np.abs(z[[BLOCK, BOTH]]).max() < 3.5
        assert z[SECOND] > 8

    def test_where_no_factor_matters_there_are_four_blocks(self):
        factors = Factors("LDA", 100, active=False)
        scores = factors.scores(np.random.default_rng(1), 2, 0.35)
        assert scores.shape == (4, 2 * FOLDS)
        assert len({tuple(row) for row in scores.tolist()}) == 4
        assert set(factors.inert) == {BLOCK, SECOND, BOTH}
        assert set(Factors("LDA", 100).inert) == {BLOCK, BOTH}


@pytest.mark.slow
@pytest.mark.parametrize("learner", QUICK)
def test_over_data_sets_inert_effects_are_rarely_called(learner):
    counts = over(Factors(learner, 100), 8).simulate(np.random.default_rng(7), 60)
    assert counts["effects over data sets: an inert effect is called"][0] <= allowed(60)
    assert counts["effects over data sets: the active factor is called"][0] > 20


@pytest.mark.slow
@pytest.mark.parametrize("learner", QUICK)
def test_on_one_data_set_the_correction_is_needed_and_enough(learner):
    counts = on_one(Factors(learner, 100, active=False)).simulate(np.random.default_rng(8), 60)
    assert counts["10-fold, factor 1: an inert effect is called"][0] <= allowed(60)
    assert counts["10×10-fold, factor 1.75: an inert effect is called"][0] <= allowed(60)
    assert counts["10×10-fold, plain t-test: an inert effect is called"][0] > 30


def test_claims_are_those_of_the_procedure():
    factors = Factors("LDA", 100)
    counts = on_one(factors).simulate(np.random.default_rng(9), 1)
    scores = factors.scores(np.random.default_rng(9), 10, 0.35)
    found = effects_on_splits(MODEL.values(scores.T), test_share=0.1, overlap=1.75).active()
    assert counts["10×10-fold, factor 1.75: the active factor is called"] == (int(found[SECOND]), 1)
    assert counts["10×10-fold, factor 1.75: an inert effect is called"] == (int(found[[BLOCK, BOTH]].any()), 1)


def test_every_limit_belongs_to_a_claim_that_is_counted():
    every = list(experiments())
    assert len(every) == 28
    for experiment in (every[0], every[-1]):
        assert set(experiment.limits) <= set(experiment.simulate(np.random.default_rng(0), 1))
