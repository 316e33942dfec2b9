import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats import minimum_detectable, power, sample_size
from fairtrial.stats.planning.designs import DESIGNS

MORE = {
    "corrected_t": {"test_share": 0.1},
    "binomial_test": {"proportion": 0.3},
    "two_proportions": {"proportion": 0.3},
    "mcnemar": {"disagreement": 0.6},
    "anova": {"groups": 4},
    "repeated_anova": {"groups": 4},
    "friedman": {"groups": 4},
}
names = pytest.mark.parametrize("name", DESIGNS)


class TestAgainstR:
    """R 4.2.2; the binomial ones by adding up dbinom where the exact p-value is at most 0.05."""

    def test_t(self):
        # the call in R is: power.t.test(n = 20, delta = .6, type = "paired", strict = TRUE)
        assert power("paired_t", n=20, effect=0.6).power == pytest.approx(0.7210050996, rel=1e-6)
        # the call in R is: power.t.test(n = 15, delta = .5, type = "one.sample", alternative = "one.sided")
        found = power("one_sample_t", n=15, effect=0.5, alternative="greater")
        assert found.power == pytest.approx(0.5780554911, rel=1e-6)
        assert power("one_sample_t", n=15, effect=-0.5, alternative="less").power == pytest.approx(found.power)

    def test_corrected_t(self):
        # the call in R is: c <- qt(.975, 9); ncp <- .8 / sqrt(1/10 + 1/9); 1 - pt(c, 9, ncp) + pt(-c, 9, ncp)
        assert power("corrected_t", n=10, effect=0.8, test_share=0.1).power == pytest.approx(0.3437051388, rel=1e-6)

    def test_counts(self):
        assert power("mcnemar", n=200, effect=0.05, disagreement=0.15).power == pytest.approx(0.3733274607, rel=1e-8)
        assert power("mcnemar", n=50, effect=0.1, disagreement=0.3).power == pytest.approx(0.1787257444, rel=1e-8)
        assert power("sign_test", n=20, effect=0.3).power == pytest.approx(0.8042079657, rel=1e-8)
        assert power("binomial_test", n=30, effect=0.15, proportion=0.2).power == pytest.approx(0.345217737, rel=1e-8)
        assert power("binomial_test", n=40, effect=-0.1, proportion=0.2).power == pytest.approx(0.2228265991, rel=1e-8)
        assert sample_size("sign_test", effect=0.25).n == 35
        assert minimum_detectable("mcnemar", n=500, disagreement=0.1).effect == pytest.approx(0.04067108233, rel=1e-6)

    def test_ranks(self):
        # the call in R is: power.t.test(n = 12 * 3 / pi, delta = 1, type = "one.sample", strict = TRUE)
        assert power("wilcoxon", n=12, effect=1.0).power == pytest.approx(0.8647982141, rel=1e-6)
        assert minimum_detectable("wilcoxon", n=12).effect == pytest.approx(0.914179026, rel=1e-6)
        # 1 - pf(qf(.95, 3, 27), 3, 27, ncp = 40 * .3^2), and with ncp times 12 / (5 pi)
        assert power("repeated_anova", n=10, effect=0.3, groups=4).power == pytest.approx(0.2849917938, rel=1e-6)
        assert power("friedman", n=10, effect=0.3, groups=4).power == pytest.approx(0.2237189505, rel=1e-6)

    def test_two_proportions(self):
        found = power("two_proportions", n=100, effect=0.15, proportion=0.6)
        assert found.power == pytest.approx(0.6250050248, rel=1e-8)


class TestByHand:
    def test_sign(self):
        # of 6 data sets all must be won or all lost
        found = power("sign_test", n=6, effect=0.4)
        assert found.power == pytest.approx(0.9**6 + 0.1**6)
        assert found.type_1 == pytest.approx(2 / 64)
        assert found.type_s == pytest.approx(0.1**6 / (0.9**6 + 0.1**6))
        assert found.type_2 == 1 - found.power

    def test_mcnemar(self):
        # 6 instances, all disagree: a sign test of 6
        found = power("mcnemar", n=6, effect=0.8, disagreement=1.0)
        assert found.power == pytest.approx(0.9**6 + 0.1**6)

    def test_too_few_data_sets_find_nothing(self):
        for name in ("sign_test", "wilcoxon"):
            found = power(name, n=5, effect=0.5)
            assert found.power == 0
            assert "no p-value can be below 0.05" in found.notes[0]
            assert power(name, n=5, effect=0.5, alternative="greater").power > 0
            assert power(name, n=6, effect=0.5).power > 0

    def test_a_p_value_of_exactly_one_less_the_level_is_not_below_it(self):
        # 5 wins of 5: p = 2/32 = 1 − 0.9375, which sign_test does not reject either
        assert power("sign_test", n=5, effect=0.3, level=0.9375).power == 0
        assert "no p-value can be below" in power("wilcoxon", n=5, effect=0.3, level=0.9375).notes[0]
        assert power("sign_test", n=np.float64(5), effect=0.3, level=0.93).power == pytest.approx(0.8**5 + 0.2**5)

    @pytest.mark.parametrize(
        ("n", "effect", "level", "wrong"),
        # scipy 1.17: quad over s of chi's density times norm.sf(c s + shift), relative tolerance 1e-11
        [
            (5, 3, 0.999, 9.206579404203821e-17),
            (10, 3, 0.95, 2.334193933160918e-27),
            (100, 3, 0.9, 1.6654801902746705e-217),
        ],
    )
    def test_a_wrong_sign_in_the_far_tail(self, n, effect, level, wrong):
        assert power("paired_t", n=n, effect=effect, level=level).type_s == pytest.approx(wrong, rel=1e-7)

    def test_far_off_effects(self):
        assert power("paired_t", n=2, effect=1e300).power == pytest.approx(1)
        assert power("paired_t", n=2, effect=-1e300).power == pytest.approx(1)

    def test_many_degrees_of_freedom(self):
        # R 4.2.2: both tails of pt(…, 99999, ncp = 0.0005 * sqrt(1e5)) beyond qt(0.975, 99999)
        assert power("paired_t", n=10**5, effect=0.0005).power == pytest.approx(0.0528686779336077, rel=1e-10)

    def test_a_level_below_one_half(self):
        # whose critical value is negative; R 4.2.2: 1 - pt(qt(0.3, 9), 9, ncp = -0.5 * sqrt(10))
        found = power("paired_t", n=10, effect=-0.5, level=0.3, alternative="greater")
        assert found.power == pytest.approx(0.148190481371875, rel=1e-9)


class TestEveryDesign:
    @names
    def test_without_effect_it_is_the_type_1_error(self, name):
        found = power(name, n=30, effect=0.0, **MORE.get(name, {}))
        assert found.power == found.type_1
        assert found.type_1 <= 0.05 + 1e-9
        if not DESIGNS[name].counts:
            assert found.type_1 == pytest.approx(0.05)

    @names
    def test_sample_size_is_enough_and_one_less_is_not(self, name):
        effect = 1.2 if name == "corrected_t" else 0.25
        found = sample_size(name, effect=effect, power=0.7, **MORE.get(name, {}))
        assert found.power >= 0.7
        assert power(name, n=found.n - 1, effect=effect, **MORE.get(name, {})).power < 0.7
        for more in range(1, 12):
            assert power(name, n=found.n + more, effect=effect, **MORE.get(name, {})).power >= 0.7

    @names
    def test_the_detectable_effect_is_detected(self, name):
        found = minimum_detectable(name, n=40, power=0.6, **MORE.get(name, {}))
        assert found.power == pytest.approx(0.6, abs=1e-6)
        assert found.effect > 0

    @names
    def test_prints_and_tells_its_facts(self, name):
        found = power(name, n=30, effect=0.2, **MORE.get(name, {}))
        assert str(found).startswith("power 0.")
        assert found.meaning in str(found)
        assert json.loads(json.dumps(found.to_dict()))["type_2"] == pytest.approx(1 - found.power)
        assert found.to_table().rows[0][0] == name

    @pytest.mark.slow
    @names
    @given(effect=st.floats(0.0, 0.29), more=st.floats(0.0, 0.1))
    def test_more_effect_more_power(self, name, effect, more):
        less, greater = (power(name, n=25, effect=e, **MORE.get(name, {})).power for e in (effect, effect + more))
        assert less <= greater + 1e-9

    @pytest.mark.parametrize(
        "name", [n for n in DESIGNS if DESIGNS[n].signed and n not in ("binomial_test", "two_proportions")]
    )
    def test_the_sign_of_the_effect_doesnt_matter(self, name):
        there, back = (power(name, n=25, effect=e, **MORE.get(name, {})) for e in (0.2, -0.2))
        assert there.power == pytest.approx(back.power)
        assert there.type_s == pytest.approx(back.type_s)

    @pytest.mark.parametrize("name", [n for n in DESIGNS if DESIGNS[n].signed])
    def test_less_mirrors_greater(self, name):
        found = minimum_detectable(name, n=40, alternative="less", power=0.6, **MORE.get(name, {}))
        assert found.effect < 0
        assert found.power == pytest.approx(0.6, abs=1e-6)
        other = power(name, n=40, effect=found.effect, alternative="greater", **MORE.get(name, {}))
        assert other.power < 0.05
