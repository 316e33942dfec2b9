import pytest
from scipy.stats import binom

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import (
    binomial_test,
    design_errors,
    minimum_detectable,
    power,
    sample_size,
    sign_test,
    simulated_power,
)


class TestErrors:
    @pytest.mark.parametrize(
        ("call", "said"),
        [
            (lambda: power("mcnemar", n=10, effect=0.1), "'mcnemar' needs disagreement, got disagreement=None"),
            (lambda: power("paired_t", n=10, effect=0.1, groups=3), "'paired_t' takes no groups, got groups=3"),
            (lambda: power("paired_t", n=1, effect=0.1), "n must be a number from 2 to .*, got 1"),
            (lambda: power("sign_test", n=10.5, effect=0.1), "n must be a whole number"),
            (lambda: power("sign_test", n=10, effect=0.6), r"effect must be at most 0.5 in size .*, got 0.6"),
            (lambda: power("anova", n=10, effect=0.6, groups=1), "groups must be"),
            (lambda: power("anova", n=10, effect=-0.6, groups=3), "has no direction"),
            (lambda: power("mcnemar", n=10, effect=0.1, disagreement=0), "disagreement must be"),
            (lambda: power("binomial_test", n=10, effect=0.1, proportion=1), "proportion must lie"),
            (lambda: sample_size("paired_t", effect=0.0), "effect must not be 0"),
            (lambda: sample_size("paired_t", effect=0.5, power=0.01), "power must lie strictly between"),
            (lambda: sample_size("corrected_t", effect=0.3, test_share=0.1), "at most 0.14"),
            (lambda: minimum_detectable("sign_test", n=5), "power must be at most 0 for n = 5, .* got 0.8"),
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
