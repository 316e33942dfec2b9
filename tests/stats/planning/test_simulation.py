import math

import numpy as np
import pytest

from fairtrial.stats import design_errors, mcnemar, paired_t, power, sign_test, simulated_power, wilcoxon


class TestSimulated:
    @pytest.mark.slow
    @pytest.mark.parametrize(("name", "test", "shift"), [("paired_t", paired_t, 0.7), ("wilcoxon", wilcoxon, 0.9)])
    def test_agrees_with_the_closed_form(self, name, test, shift):
        found = simulated_power(test, lambda r: (r.normal(shift, 1, 14), np.zeros(14)), repeats=800)
        assert found.power == pytest.approx(power(name, n=14, effect=shift).power, abs=4 * found.error + 0.02)

    def test_mcnemar(self):
        def instances(random):
            u = random.random(150)
            return u < 0.8, (u < 0.65) | (u > 0.97)  # only the first right: 0.15, only the second: 0.03

        found = simulated_power(mcnemar, instances, repeats=800, truth=0.12)
        assert found.power == pytest.approx(
            power("mcnemar", n=150, effect=0.12, disagreement=0.18).power, abs=4 * found.error
        )
        assert found.exaggeration > 1.0
        assert found.type_s == 0.0

    def test_p_values_alone_and_undefined_ones(self):
        found = simulated_power(lambda p: p, lambda r: (r.choice([0.01, 0.5, math.nan]),), repeats=600)
        assert found.power == pytest.approx(1 / 3, abs=0.08)
        assert found.error == pytest.approx(math.sqrt(found.power * (1 - found.power) / 600))
        assert "undefined" in found.notes[0]

    def test_seeds(self):
        def data(random):
            return random.normal(0.5, 1, 9), np.zeros(9)

        first, again, other = (simulated_power(sign_test, data, repeats=200, seed=s).power for s in (1, 1, 2))
        assert first == again
        assert first != other


class TestDesignErrors:
    # retrodesign of Gelman & Carlin (2014) with its means by integrate(), R 4.2.2
    @pytest.mark.parametrize(
        ("effect", "error", "df", "expected"),
        [
            (2, 8.1, math.inf, (0.05701294063, 0.2396176545, 9.536627594)),
            (0.1, 3.28, math.inf, (0.05010648209, 0.464422843, 76.68916411)),
            (1, 1.2, 10, (0.1026475939, 0.05852195172, 3.411914514)),
        ],
    )
    def test_against_r(self, effect, error, df, expected):
        found = design_errors(effect, error, df=df)
        assert (found.power, found.type_s, found.exaggeration) == pytest.approx(expected, rel=1e-7)

    def test_by_simulation(self):
        random = np.random.default_rng(0)
        estimates = 1.5 + 1.0 * random.normal(size=400_000)
        significant = estimates[np.abs(estimates) > 1.959964]
        found = design_errors(1.5, 1.0)
        assert found.exaggeration == pytest.approx(np.abs(significant).mean() / 1.5, rel=0.005)
        assert found.power == pytest.approx(len(significant) / 400_000, rel=0.01)

    def test_large_effects_are_not_exaggerated(self):
        found = design_errors(-10, 1)
        assert found.exaggeration == pytest.approx(1)
        assert found.type_s < 1e-30

    def test_without_a_mean(self):
        assert math.isnan(design_errors(1, 1, df=1).exaggeration)
