"""Two different learners of equal expected accuracy."""

import numpy as np
import pytest

from fairtrial.lab.learner_worlds import SHIFT_LEFT, Rivals, rival_experiments


@pytest.mark.parametrize(("n", "folds"), [key for key in SHIFT_LEFT if key[0] == 100])
def test_both_are_equally_accurate(n, folds):
    generator = np.random.default_rng(7)
    means = np.array([Rivals(n, folds).scores(generator, 1).mean(axis=(1, 2)) for _ in range(800)])
    d = means[:, 0] - means[:, 1]
    assert d.mean() == pytest.approx(0, abs=3 * d.std() / np.sqrt(800))
    assert 0.65 < means.mean() < 0.7


def test_the_noise_is_what_makes_them_equal():
    clear = Rivals(100, 10)
    assert clear.noise == pytest.approx(np.sqrt((0.35 / 0.2285) ** 2 - 1))


def test_every_limit_belongs_to_a_claim_that_is_counted():
    for experiment in rival_experiments():
        assert set(experiment.limits) <= set(experiment.simulate(np.random.default_rng(0), 2))
