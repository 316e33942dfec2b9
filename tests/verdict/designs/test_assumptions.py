"""The assumptions of t, which are said and choose nothing."""

from __future__ import annotations

import numpy as np
import pytest
from made_scores import folds
from scipy import stats as scipy_stats

from fairtrial.results import read_scores
from fairtrial.verdict.designs.assumptions import of_t, shapiro_francia


class TestShapiroFrancia:
    def test_level_and_power(self):
        rng = np.random.default_rng(1)
        normal = [shapiro_francia(rng.normal(size=20)) < 0.05 for _ in range(1000)]
        skewed = [shapiro_francia(rng.exponential(size=20)) < 0.05 for _ in range(200)]
        assert 0.035 < np.mean(normal) < 0.065
        assert np.mean(skewed) > 0.7

    def test_near_shapiro_wilk(self):
        # scipy 1.17: shapiro; the two are close for samples that are not near the border
        x = np.random.default_rng(3).gamma(2, size=40)
        assert np.log10(shapiro_francia(x)) == pytest.approx(np.log10(scipy_stats.shapiro(x).pvalue), abs=0.7)

    @pytest.mark.parametrize("x", [np.ones(10), np.arange(4.0)])
    def test_undefined(self, x):
        assert np.isnan(shapiro_francia(x))


class TestOfT:
    def test_words(self):
        rng = np.random.default_rng(1)
        assert "these 20 are continuous, nearly normal" in of_t(np.sin(np.arange(20.0)) + np.arange(20) / 5)
        assert "which matters little for more than 30" in of_t(rng.exponential(size=100))
        assert "of 2 values only" in of_t(np.repeat([0.0, 1.0], 10))

    def test_on_the_full_page_only(self):
        scores = folds({m: 0.8 + np.random.default_rng(i).normal(0, 0.02, 10) for i, m in enumerate("ab")})
        verdict = read_scores(scores, measure="accuracy", resampling="10-fold").verdict()
        assert "t assumes random differences" in str(verdict.full).replace("\n          ", " ")
        assert "t assumes" not in str(verdict)
