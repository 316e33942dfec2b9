import numpy as np
import pytest

from fairtrial.stats.several_methods.anova import contrasts, sphericity


class TestSphericity:
    def test_contrasts_are_orthonormal(self):
        c = contrasts(5)
        assert c @ c.T == pytest.approx(np.eye(4))
        assert c.sum(axis=1) == pytest.approx(np.zeros(4), abs=1e-12)

    def test_equal_variances_are_spherical(self):
        found = sphericity(np.eye(4) + 0.3, 20)
        assert (found.mauchly_w, found.greenhouse_geisser) == pytest.approx((1, 1))
        assert found.epsilon("huynh-feldt") == 1.0

    def test_mauchly_p_holds_its_level(self):
        # with 7 degrees of freedom and 4 contrasts: the formula's own p, not R's slip, is near 5 % in 4,000 samples
        rng = np.random.default_rng(1)
        p = [sphericity(np.cov(rng.normal(size=(8, 5)).T), 7).mauchly_p for _ in range(4000)]
        assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.011)
