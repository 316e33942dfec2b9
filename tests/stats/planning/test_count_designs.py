import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from fairtrial.stats import power, sample_size
from fairtrial.stats.planning.designs import DESIGNS

COUNTS = ("mcnemar", "sign_test", "binomial_test")


def design_of(test, **changed):
    arguments = {"level": 0.95, "alternative": "two-sided", "strict": True, "groups": 0, "proportion": 0.4}
    return DESIGNS[test](**arguments | {"disagreement": 0.3, "test_share": np.nan} | changed)


def mcnemar_power(n, effect, disagreement, level):
    """The definition: over all numbers of disagreements, those wins of the first method that a sign test rejects."""
    total, share = 0.0, 0.5 + effect / disagreement / 2
    for m in range(n + 1):
        wins = np.arange(m + 1)
        rejected = (binom.cdf(wins, m, 0.5) < (1 - level) / 2) | (binom.sf(wins - 1, m, 0.5) < (1 - level) / 2)
        total += binom.pmf(m, n, disagreement) * binom.pmf(wins, m, share)[rejected].sum()
    return total


class TestMcNemar:
    @pytest.mark.parametrize(("n", "effect", "disagreement"), [(40, 0.1, 0.3), (75, -0.2, 0.5), (60, 0.3, 1.0)])
    def test_by_its_definition(self, n, effect, disagreement):
        found = power("mcnemar", n=n, effect=effect, disagreement=disagreement).power
        assert found == pytest.approx(mcnemar_power(n, effect, disagreement, 0.95), rel=1e-10)

    def test_a_small_effect_needs_many_instances(self):
        found = sample_size("mcnemar", effect=0.004, disagreement=0.05)
        assert found.n == 24992  # by the search of the version before, one n after the other
        assert found.power == pytest.approx(0.800012062591956, rel=1e-12)


class TestPowersOfManyN:
    @pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
    @pytest.mark.parametrize("test", COUNTS)
    def test_each_is_that_of_its_n(self, test, alternative):
        design, n = design_of(test, alternative=alternative), np.arange(60, 1200, 57)
        plain = [design.tails(one, 0.07).total for one in n.tolist()]
        assert design.powers(n, 0.07) == pytest.approx(plain, rel=1e-9, abs=1e-12)

    @settings(max_examples=15)
    @given(st.sampled_from(COUNTS), st.sampled_from([0.1, 0.2, 0.25]), st.floats(0.4, 0.9))
    def test_from_the_sample_size_on_the_power_stays(self, test, effect, wanted):
        design = design_of(test)
        extra = {name: getattr(design, name) for name in design.needs}
        n = sample_size(test, effect=effect, power=wanted, **extra).n
        assert design.tails(n - 1, effect).total < wanted
        assert all(design.tails(later, effect).total >= wanted for later in range(n, n + 40))
