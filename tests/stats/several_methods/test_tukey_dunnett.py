import math
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import adjust, dunnett, paired_t, pairwise_t, tukey

GROUPS = {"a": [4.1, 5, 4.6], "b": [6.2, 5.9, 6.6, 6.1, 7], "c": [4.9, 5.2, 5, 5.8]}
scores = st.floats(-1, 1).map(lambda v: round(v, 2))
samples = st.lists(st.lists(scores, min_size=2, max_size=5), min_size=3, max_size=4)


class TestTukey:
    def test_unequal_groups_have_no_one_hsd(self):
        found = tukey([[4.1, 5, 4.6], [6.2, 5.9, 6.6, 6.1, 7]])
        assert found.adjusted == "Tukey-Kramer"
        assert math.isnan(found.details["hsd"])

    @settings(max_examples=15)
    @given(samples)
    def test_intervals_agree_with_p(self, groups):
        found = tukey(groups)
        for outcome, p, interval in zip(found.outcomes, found.p_adjusted, found.simultaneous, strict=True):
            if p == p and abs(p - 0.05) > 1e-8:
                assert (0 not in interval) == (p < 0.05)
            if outcome.p_value == outcome.p_value and abs(outcome.p_value - 0.05) > 1e-8:
                assert (0 not in outcome.effect) == (outcome.p_value < 0.05)
                assert p >= outcome.p_value * (1 - 1e-9)

    def test_blocks_take_the_folds_out(self):
        # R 4.2.2: TukeyHSD(aov(y ~ m + f), "m") on x below
        x = {"A": [1, 4, 6, 9], "B": [2, 6, 7, 11], "C": [2, 5, 9, 10]}
        found = tukey(x, blocks=True)
        assert found.p_adjusted == pytest.approx(R_BLOCKS, rel=1e-6)
        assert min(found.p_adjusted) < min(tukey(x).p_adjusted)
        with pytest.raises(InputError, match=r"blocks=True needs groups of equal size.*got \[3, 5, 4\]"):
            tukey(GROUPS, blocks=True)

    def test_two_methods_in_blocks_are_a_paired_t(self):
        a, b = [0.82, 0.80, 0.86, 0.84], [0.80, 0.79, 0.81, 0.80]
        assert tukey([a, b], blocks=True).p_adjusted[0] == pytest.approx(paired_t(a, b).p_value)

    def test_shared_folds_widen(self):
        # q = 1, K = 3: variances of means (1/3 + 1) instead of 1/3
        groups = [[1, 2, 3], [5, 6, 10], [2, 2, 5]]
        plain, corrected = tukey(groups), tukey(groups, test_share=0.5)
        assert corrected.outcomes[0].statistic == pytest.approx(plain.outcomes[0].statistic / 2)
        assert corrected.details["hsd"] == pytest.approx(2 * plain.details["hsd"])
        assert "not independent" in plain.notes[0]
        assert corrected.notes == ()

    def test_no_spread(self):
        found = tukey([[1, 1], [1, 1], [2, 2]])
        assert found.p_adjusted[0] == 1.0
        assert math.isnan(found.p_adjusted[1])
        assert not found.different().any()
        assert "their variance is zero" in found.notes[-1]

    def test_prints_and_pickles(self):
        found = tukey(GROUPS)
        assert str(pickle.loads(pickle.dumps(found))) == str(found)
        assert "intervals hold for all pairs together" in str(found)
        assert len(found.to_dict()["simultaneous"]) == 3


# R 4.2.2: y <- c(x$A, x$B, x$C); TukeyHSD(aov(y ~ m + f), "m")$m[, 4]
R_BLOCKS = (0.0658964326479, 0.0658964326479, 1.0000000000000)


class TestDunnett:
    def test_unbalanced_against_multcomp(self):
        # R 4.2.2, multcomp 1.4-22: summary(glht(aov(x ~ f), mcp(f = "Dunnett")), adjusted(abseps = 1e-7)), confint
        found = dunnett(GROUPS, 0)
        assert found.p_adjusted == pytest.approx((0.000530455309628919, 0.126786592670266818), abs=2e-6)
        assert [i.low for i in found.simultaneous] == pytest.approx([0.978544738736347, -0.193792975635637], abs=1e-3)
        greater = dunnett(GROUPS, "a", alternative="greater")
        assert greater.p_adjusted == pytest.approx((0.00026525641428099, 0.06349969066350947), abs=2e-6)
        assert greater.simultaneous[0].high == math.inf

    @pytest.mark.slow
    @settings(max_examples=10)
    @given(samples, st.sampled_from(["two-sided", "greater", "less"]))
    def test_intervals_agree_with_p(self, groups, alternative):
        found = dunnett(groups, 1, alternative=alternative)
        for p, interval in zip(found.p_adjusted, found.simultaneous, strict=True):
            if p == p and abs(p - 0.05) > 1e-8:
                assert (0 not in interval) == (p < 0.05)

    def test_turning_the_scores_turns_the_sides(self):
        turned = {name: [-x for x in values] for name, values in GROUPS.items()}
        greater, less = dunnett(GROUPS, "a", alternative="greater"), dunnett(turned, "a", alternative="less")
        assert greater.p_adjusted == pytest.approx(less.p_adjusted)

    def test_cheaper_than_all_pairs(self):
        assert dunnett(GROUPS, "a").p_adjusted[0] < tukey(GROUPS).p_adjusted[0]

    def test_says_what_was_wrong(self):
        with pytest.raises(UnknownName, match="no method is called 'd'"):
            dunnett(GROUPS, "d")
        with pytest.raises(InputError, match="control must be the name of a method or its number from 0 to 2, got 3"):
            dunnett(GROUPS, 3)

    def test_one_sided_p_of_a_method_on_the_wrong_side(self):
        # found in review: it was 1 for all of them
        # two comparisons with a gap of nothing: P(max ≥ 0) = 1 − (1/4 + asin(1/2)/2π) = 2/3, whatever the variance
        groups = [[1.0, 2.0, 3.0], [1.5, 2.0, 2.5], [0.0, 2.0, 4.0]]
        assert dunnett(groups, 0, alternative="greater").p_adjusted == pytest.approx((2 / 3, 2 / 3), rel=1e-9)
        lower = dunnett([[5.0, 6.0, 7.0], [4.0, 5.5, 6.0], [9.0, 9.5, 8.0]], 0, alternative="greater")
        assert 2 / 3 < lower.p_adjusted[0] < 1


class TestPairwiseT:
    def test_by_hand(self):
        # 002 leaves out K: K = 3 folds, variance (2 + 2 + 8) / 6 = 2, t = (2 - 4) / sqrt(2 * 2 / 3)
        found = pairwise_t([[1, 2, 3], [3, 4, 5], [0, 2, 4]])
        assert found.outcomes[0].statistic == pytest.approx(-2 / math.sqrt(2 * 2 / 3))
        assert found.outcomes[0].df == 6

    def test_against_r(self):
        # R 4.2.2: pairwise.t.test(x, f, p.adjust = "none", pool.sd = TRUE)
        found = pairwise_t(GROUPS)
        p = [0.000291635065362127, 0.076144582324363913, 0.003445754286586477]
        assert [o.p_value for o in found.outcomes] == pytest.approx(p, rel=1e-9)
        assert found.p_adjusted == pytest.approx(adjust(p, "holm"))

    @given(samples, st.floats(0.1, 10), st.floats(-3, 3))
    def test_scale_and_shift_change_nothing(self, groups, scale, shift):
        there, back = pairwise_t(groups), pairwise_t([[scale * x + shift for x in g] for g in groups])
        assert there.p_adjusted == pytest.approx(back.p_adjusted, rel=1e-6, nan_ok=True)

    def test_far_tail(self):
        found = pairwise_t([[0, 1e-9] * 40, [1, 1 + 1e-9] * 40])
        assert found.outcomes[0].p_value == 0.0
        assert found.outcomes[0].log10_p < -600
