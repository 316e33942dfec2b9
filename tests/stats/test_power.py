"""Power by hand, against R 4.2.2 (calls in comments) and by simulation."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import (
    binomial_test,
    design_errors,
    mcnemar,
    minimum_detectable,
    paired_t,
    power,
    sample_size,
    sign_test,
    simulated_power,
    wilcoxon,
)
from fairtrial.stats.power.designs import DESIGNS

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
            assert "no p-value is below 0.05" in found.notes[0]
            assert power(name, n=5, effect=0.5, alternative="greater").power > 0
            assert power(name, n=6, effect=0.5).power > 0

    def test_a_p_value_of_exactly_one_less_the_level_is_not_below_it(self):
        # 5 wins of 5: p = 2/32 = 1 − 0.9375, which sign_test does not reject either
        assert power("sign_test", n=5, effect=0.3, level=0.9375).power == 0
        assert "no p-value is below" in power("wilcoxon", n=5, effect=0.3, level=0.9375).notes[0]
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


class TestSimulated:
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


class TestErrors:
    @pytest.mark.parametrize(
        ("call", "said"),
        [
            (lambda: power("mcnemar", n=10, effect=0.1), "mcnemar needs disagreement, got None"),
            (lambda: power("paired_t", n=10, effect=0.1, groups=3), "paired_t takes no groups, got 3"),
            (lambda: power("paired_t", n=1, effect=0.1), "n must be a number from 2 to .*, got 1"),
            (lambda: power("sign_test", n=10.5, effect=0.1), "n must be a whole number"),
            (lambda: power("sign_test", n=10, effect=0.6), r"effect must be at most 0.5, got 0.6"),
            (lambda: power("anova", n=10, effect=0.6, groups=1), "groups must be"),
            (lambda: power("anova", n=10, effect=-0.6, groups=3), "has no direction"),
            (lambda: power("mcnemar", n=10, effect=0.1, disagreement=0), "disagreement must be"),
            (lambda: power("binomial_test", n=10, effect=0.1, proportion=1), "proportion must lie"),
            (lambda: sample_size("paired_t", effect=0.0), "effect must not be 0"),
            (lambda: sample_size("paired_t", effect=0.5, power=0.01), "power must lie strictly between"),
            (lambda: sample_size("corrected_t", effect=0.3, test_share=0.1), "at most 0.14"),
            (lambda: minimum_detectable("sign_test", n=5), "no effect is found with power 0.8 and n = 5: at most 0"),
            (lambda: design_errors(0, 1), "effect must be finite and not 0"),
            (
                lambda: simulated_power(sign_test, lambda _: (), repeats=1),
                "repeats must be a whole number of at least 10",
            ),
        ],
    )
    def test_say_what_was_wrong(self, call, said):
        with pytest.raises(InputError, match=said):
            call()

    def test_unknown_test(self):
        with pytest.raises(UnknownName, match="did you mean 'paired_t'"):
            power("paired-t", n=10, effect=1)

    def test_proportions_are_rejected_where_their_p_value_is_small(self):
        for n in range(1, 25):
            p = [binomial_test(x, n, 0.3, method="doubled").p_value for x in range(n + 1)]
            rejected = [x for x in range(n + 1) if p[x] < 0.05]
            found = power("binomial_test", n=n, effect=0.2, proportion=0.3).power
            assert found == pytest.approx(binom.pmf(rejected, n, 0.5).sum() if rejected else 0.0, abs=1e-12)

    def test_exact_tests_reject_where_their_p_value_does(self):
        """The rejection region against p-values of the test itself, for every count."""
        for n in range(1, 25):
            rejected = [w for w in range(n + 1) if sign_test([1.0] * w + [0.0] * (n - w), [0.5] * n).p_value < 0.05]
            found = power("sign_test", n=n, effect=0.2).power
            assert found == pytest.approx(binom.pmf(rejected, n, 0.7).sum() if rejected else 0.0, abs=1e-12)
