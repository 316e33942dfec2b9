"""Response surfaces whose truth is known."""

import numpy as np
import pytest

from fairtrial.lab.surface_worlds import BOOTSTRAP, REGION, SLOPE, SurfaceWorld, experiments, of_runs, over_datasets


def least(runs):
    return runs * (0.95 - 3 * np.sqrt(0.05 * 0.95 / runs))


class TestWorld:
    def test_the_true_point_by_hand(self):
        # slopes 0.012 + 0.01y − 0.06x and −0.008 + 0.01x − 0.04y: x = 4/23, y = −0.2 + x/4
        x, y = SurfaceWorld("maximum").point()
        assert x == pytest.approx(0.01 / 0.0575)
        assert y == pytest.approx(-0.2 + x / 4)

    def test_skewed_coefficients_have_the_same_mean(self):
        table = SurfaceWorld("maximum", skewed=True).scores(np.random.default_rng(1), 40_000)
        plain = SurfaceWorld("maximum").scores(np.random.default_rng(2), 40_000)
        assert table.mean(axis=0) == pytest.approx(plain.mean(axis=0), abs=2e-3)


@pytest.mark.slow
def test_regions_hold_and_a_bootstrap_does_not():
    counts = over_datasets(SurfaceWorld("maximum"), 8).simulate(np.random.default_rng(3), 120)
    assert counts[REGION][0] >= least(120)
    assert counts[SLOPE][0] >= least(120)
    assert counts[BOOTSTRAP][0] < counts[REGION][0]


@pytest.mark.slow
def test_single_runs():
    counts = of_runs(SurfaceWorld("ridge")).simulate(np.random.default_rng(4), 60)
    assert counts[REGION][0] >= least(60)


def test_every_limit_belongs_to_a_claim_that_is_counted():
    every = list(experiments())
    assert len(every) == 10
    for experiment in (every[0], every[-1]):
        assert set(experiment.limits) <= set(experiment.simulate(np.random.default_rng(0), 1))
