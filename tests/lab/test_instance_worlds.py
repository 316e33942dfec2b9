"""Fixed models on one test set."""

import numpy as np
import pytest
from offenders import for_each

from fairtrial import measures
from fairtrial.lab.instance_worlds import F1, LOSSES, WILSON, area, draw_answers, experiments, predict
from fairtrial.stats import mcnemar


def world(part):
    return next(e for e in experiments() if part in e.world)


def share(part, claim, runs=400):
    made, of = world(part).simulate(np.random.default_rng(3), runs)[claim]
    return made / of


@for_each("experiment", list(experiments()), ids=lambda e: e.world)
def test_every_limit_belongs_to_a_claim_that_is_counted(experiment):
    assert set(experiment.limits) <= set(experiment.simulate(np.random.default_rng(0), 2))


class TestAnswers:
    def test_disagree_as_often_as_they_should(self):
        first, second = draw_answers(np.random.default_rng(0), 40_000, 0.2, 0.1)
        assert np.mean(first > second) == pytest.approx(0.2, abs=0.01)
        assert np.mean(first < second) == pytest.approx(0.1, abs=0.01)
        assert np.mean(first & second) == pytest.approx(0.7 * 0.8, abs=0.01)

    def test_the_exact_test_errs_as_often_as_its_own_distribution_says(self):
        # 100 % disagreement on 30 instances: p < 0.05 for at most 9 or at least 21 of 30, which has probability 0.0428
        generator = np.random.default_rng(1)
        p = [mcnemar(*draw_answers(generator, 30, 0.5, 0.5)).p_value for _ in range(3000)]
        assert np.mean(np.array(p) < 0.05) == pytest.approx(0.0428, abs=0.011)


class TestOneShare:
    def test_by_hand(self):
        # p = 0.98, n = 30: Wilson's interval holds 0.98 for 28, 29 or 30 right, which has probability 0.9783
        assert share("0.98, 30 instances", WILSON, 3000) == pytest.approx(0.9783, abs=0.008)

    def test_the_normal_interval_is_far_too_short_near_one(self):
        # it is a point for 30 of 30, which has probability 0.545
        assert share("0.98, 30 instances", "normal approximation: holds", 3000) < 0.5


@pytest.mark.parametrize("kind", LOSSES)
def test_losses_have_equal_means(kind):
    first, second = LOSSES[kind](np.random.default_rng(2), 100_000)
    assert first.mean() == pytest.approx(0, abs=0.02)
    assert second.mean() == pytest.approx(0, abs=0.02)


def test_intervals_that_do_not_overlap_are_too_careful():
    assert share("losses, normal, 100", "two intervals that do not overlap: a false difference") < 0.02


def test_areas_are_known():
    generator = np.random.default_rng(4)
    truth = np.arange(20_000) % 2
    assert measures.auc(truth, generator.normal(size=20_000) + 2.5 * truth) == pytest.approx(area(2.5), abs=0.005)


def test_f1_is_known():
    truth = (np.arange(100_000) < 40_000).astype(int)
    predicted = predict(truth, np.random.default_rng(5).random(100_000))
    assert measures.f1(truth, predicted, positive=1) == pytest.approx(F1, abs=0.005)
