import numpy as np
import pytest

from fairtrial.stats.bayes.hierarchical import effective_size, potential_scale_reduction


@pytest.fixture(scope="module")
def chains():
    """Four autoregressions on a generator of whole numbers, so that R can be given the same."""
    x, state = np.empty((200, 4, 1)), 12345
    for j in range(4):
        value = 0.0
        for i in range(200):
            state = (1103515245 * state + 12345) % 2**31
            value = 0.7 * value + state / 2**31 - 0.5
            x[i, j] = value
    return x


class TestChains:
    def test_against_r(self, chains):
        # posterior 1.4.0, R 4.2.2: rhat_basic(x), ess_basic(x); that adds a last odd lag, we don't
        assert potential_scale_reduction(chains) == pytest.approx([1.0099210846], abs=1e-9)
        assert effective_size(chains) == pytest.approx([147.12], rel=0.02)

    def test_independent_draws_are_worth_their_number(self):
        x = np.random.default_rng(0).normal(size=(2000, 4, 3))
        assert effective_size(x) == pytest.approx([8000] * 3, rel=0.1)

    def test_an_autoregression_is_worth_what_theory_says(self):
        random = np.random.default_rng(0)
        x = np.zeros((20_000, 4, 1))
        for i in range(1, len(x)):
            x[i] = 0.5 * x[i - 1] + random.normal(size=(4, 1))
        assert effective_size(x) == pytest.approx([80_000 * (1 - 0.5) / (1 + 0.5)], rel=0.08)

    def test_chains_apart_are_seen(self):
        x = np.random.default_rng(0).normal(size=(500, 4, 1)) + np.array([0, 0, 0, 3])[None, :, None]
        assert potential_scale_reduction(x)[0] > 1.3
        assert effective_size(x)[0] < 30

    def test_what_never_moves_is_nan(self):
        assert np.isnan(effective_size(np.ones((50, 4, 1)))).all()
