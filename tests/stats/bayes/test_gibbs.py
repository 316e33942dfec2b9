import numpy as np
import pytest

from fairtrial.stats.bayes.hierarchical import CHAINS, Folds, Gibbs


def data_sets(means, spread=1.0, folds=20):
    """Data sets with so many folds, whose scores are as if they were independent."""
    q, means = len(means), np.asarray(means)
    n = np.full(q, float(folds))
    return Folds(n, means, n * spread**2, 1 / n, 1.0, 100.0, 1000.0, 1000.0, ())


class TestFolds:
    def test_what_a_data_set_alone_gives_its_difference(self):
        # 20 folds of variance 1: t with 18 degrees of freedom and scale √(20 · 1/20 / 18)
        data = data_sets([0.0, 1.0])
        assert data.own_df.tolist() == [18, 18]
        assert data.own_scale == pytest.approx([np.sqrt(1 / 18)] * 2)


class TestGibbs:
    @pytest.mark.slow
    def test_finds_the_middle_of_the_population(self):
        means = np.linspace(-2, 4, 30)  # the middle is 1
        chains, size = Gibbs(data_sets(means), np.random.default_rng(1)).run(200)
        assert chains.shape[1:] == (CHAINS, 3 + 2 * 30)
        assert (size >= 200).all()
        assert chains[:, :, 0].mean() == pytest.approx(1.0, abs=0.1)
        deltas, sigmas = chains[:, :, 3:33].mean(axis=(0, 1)), chains[:, :, 33:].mean(axis=(0, 1))
        assert np.corrcoef(deltas, means)[0, 1] > 0.99
        assert deltas.std() < means.std()  # drawn together, towards the middle
        assert sigmas == pytest.approx(1.0, abs=0.15)

    @pytest.mark.slow
    def test_the_same_seed_gives_the_same_draws(self):
        first, again = (Gibbs(data_sets([0.0, 0.5, 1.0]), np.random.default_rng(3)).run(20)[0] for _ in range(2))
        assert np.array_equal(first, again)
