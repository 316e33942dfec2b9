import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial import stats
from fairtrial.errors import InputError

effects_on_splits = stats.effects_on_splits


class TestEffectsOnSplits:
    def test_by_hand(self):
        # e = 1, 2, 3: mean 2, variance 1, k = 3, q = 1/2, doubled: t = 2 / sqrt(1/3 + 1)
        found = effects_on_splits([[1, 0], [2, 1], [3, -1]], test_share=1 / 3, overlap=2.0)
        assert found.outcomes[0].statistic == pytest.approx(2 / np.sqrt(4 / 3))
        assert found.p_adjusted[0] == pytest.approx(2 * found.outcomes[0].p_value)
        assert found.spread == pytest.approx((1.0, 1.0))

    def test_against_r(self):
        # R 4.2.2: e <- c(.02,.03,.03,.02,.04); s <- sqrt((1/5 + 1.75/9) * var(e)); 2*pt(-mean(e)/s, 4);
        # mean(e) + c(-1, 1) * qt(1 - .05/4, 4) * s; 1.75/9 is overlap times test over training size
        effects = [[0.02, 0.01], [0.03, -0.01], [0.03, 0.00], [0.02, 0.02], [0.04, -0.01]]
        found = effects_on_splits(effects, test_share=0.1, overlap=1.75)
        assert found.outcomes[0].p_value == pytest.approx(0.00597073748559154)
        assert (found.intervals[0].low, found.intervals[0].high) == pytest.approx(
            (0.00963294354824324, 0.0463670564517568)
        )

    def test_a_single_effect_is_the_corrected_t(self):
        a, b = np.array([0.82, 0.80, 0.86, 0.84]), np.array([0.80, 0.79, 0.81, 0.80])
        pair = stats.corrected_t(a, b, test_share=0.25)
        found = effects_on_splits((a - b)[:, None], test_share=0.25)
        assert found.p_adjusted[0] == pytest.approx(pair.p_value)
        assert found.intervals[0].low == pytest.approx(pair.effect.low)

    @settings(max_examples=50)
    @given(st.lists(st.lists(st.integers(-5, 9), min_size=3, max_size=3), min_size=3, max_size=8))
    def test_intervals_agree_with_adjusted_p(self, table):
        found = effects_on_splits(np.array(table, dtype=float), test_share=0.2)
        for p, interval in zip(found.p_adjusted, found.intervals, strict=True):
            if p == p and abs(p - 0.05) > 1e-9:
                assert (p < 0.05) == (0 not in interval)

    def test_three_levels(self):
        model = stats.factorial_model({"k": ["a", "b", "c"]})
        scores = np.array([[1, 2, 5], [1, 3, 5], [2, 2, 6], [1, 2, 4]])
        found = effects_on_splits(model.values(scores), test_share=0.1)
        assert found.terms["k"] == pytest.approx(2 * min(o.p_value for o in found.outcomes))

    def test_zero_and_constant_effects(self):
        found = effects_on_splits([[0, 1], [0, 1], [0, 1]], test_share=0.1)
        assert found.p_adjusted[0] == 1
        assert np.isnan(found.p_adjusted[1])
        assert found.active().tolist() == [False, False]
        assert any("variance is zero" in note for note in found.notes)

    def test_says_that_it_is_about_one_data_set(self):
        assert "one data set" in effects_on_splits([[1], [2]], test_share=0.5).notes[-1]

    def test_one_split(self):
        with pytest.raises(InputError, match="at least two splits"):
            effects_on_splits([[1, 2, 3]], test_share=0.1)

    @pytest.mark.parametrize("share", [0, 1, "0.1"])
    def test_share(self, share):
        with pytest.raises(InputError, match="test_share must lie strictly between 0 and 1"):
            effects_on_splits([[1], [2]], test_share=share)
