"""Two equal learners on one data set."""

import numpy as np
import pytest

from fairtrial.lab.learner_worlds import EXPECTED, Blocks, experiments, rejects, simulate
from fairtrial.stats import corrected_t


class TestRejects:
    def test_is_the_corrected_t_test(self):
        d = np.random.default_rng(1).normal(0.8, 1, (60, 20))
        p = [corrected_t(row, np.zeros(20), test_share=0.1).p_value for row in d]
        assert rejects(d, 10, 1.0, 0.05).tolist() == [float(value < 0.05) for value in p]
        assert 0 < rejects(d, 10, 1.0, 0.05).mean() < 1

    def test_without_spread(self):
        assert rejects(np.array([[0.0, 0.0], [0.1, 0.1]]), 2, 1.0, 0.05).tolist() == [0.0, 1.0]


class TestBlocks:
    def test_both_methods_are_equally_good_on_average(self):
        generator = np.random.default_rng(2)
        means = np.array([Blocks("LDA", 100, 5).scores(generator, 1).mean(axis=(1, 2)) for _ in range(300)])
        d = means[:, 0] - means[:, 1]
        assert abs(d.mean()) < 3 * d.std() / np.sqrt(300)

    def test_a_plain_t_test_on_ten_repeats_errs_in_half_of_the_runs(self):
        # and the factor that is recommended for repeats keeps 5 % even for 1-NN
        counts = simulate(Blocks("1-NN", 100, 10), np.random.default_rng(3), 200)
        assert counts["10×10-fold, plain paired t-test: a difference"][0] > 80
        assert counts["10×10-fold, factor 1.75: a difference"][0] <= 200 * (0.05 + 2 * np.sqrt(0.0475 / 200))


def test_every_limit_belongs_to_a_claim_that_is_counted():
    experiment = next(e for e in experiments() if e.limits)
    counted = experiment.simulate(np.random.default_rng(0), 2)
    assert set(experiment.limits) <= set(counted)


@pytest.mark.parametrize("learner", ["LDA", "tree"])
def test_five_by_two(learner):
    experiment = next(e for e in experiments() if e.world == f"{learner}, n = 100, 2-fold")
    assert set(experiment.simulate(np.random.default_rng(0), 2)) == {"5×2 cv F: a difference", "5×2 cv t: a difference"}


@pytest.mark.parametrize("learner", ["1-NN", "LDA", "naive Bayes"])
def test_expected_accuracies_are_those_of_other_runs(learner):
    generator = np.random.default_rng(99)
    means = [Blocks(learner, 100, 5).scores(generator, 1).mean() for _ in range(300)]
    error = np.std(means) / np.sqrt(300)
    assert np.mean(means) == pytest.approx(EXPECTED[learner, 100, 5, 0.35], abs=4 * error)
