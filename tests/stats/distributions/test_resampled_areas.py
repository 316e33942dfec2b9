import numpy as np
import pytest
from example_data import SCORES, TRUTH, N
from sklearn.metrics import roc_auc_score

from fairtrial.stats.distributions.resampled_measures import Areas, model_predictions


def areas(models):
    return Areas.of(model_predictions(TRUTH, tuple(models), "auc", None))


class TestAreas:
    def test_observed_against_scikit_learn(self):
        assert areas(SCORES).observed() == pytest.approx([roc_auc_score(TRUTH, s) for s in SCORES])

    def test_leaving_each_out_against_scikit_learn(self):
        left_out, counts = areas(SCORES[:1]).leave_one_out()
        plain = [roc_auc_score(np.delete(TRUTH, i), np.delete(SCORES[0], i)) for i in range(N)]
        assert np.sort(np.repeat(left_out[:, 0], counts.astype(int))) == pytest.approx(np.sort(plain))

    @pytest.mark.slow
    def test_replicates_scatter_like_resamples(self):
        found = areas(SCORES).replicates(np.random.default_rng(4), 4000)
        random, plain = np.random.default_rng(5), []
        for _ in range(400):
            rows = random.integers(0, N, N)
            plain.append([roc_auc_score(TRUTH[rows], s[rows]) for s in SCORES])
        assert found.mean(axis=0) == pytest.approx(np.mean(plain, axis=0), abs=0.01)
        assert found.std(axis=0) == pytest.approx(np.std(plain, axis=0), rel=0.15)

    def test_the_same_ranking_is_the_same_area_on_every_resample(self):
        found = areas([SCORES[0], 3 * SCORES[0] + 1]).replicates(np.random.default_rng(6), 200)
        assert np.array_equal(found[:, 0], found[:, 1])
