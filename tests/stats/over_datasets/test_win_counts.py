import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import better_on_how_many, win_tie_loss

pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20)


class TestWinTieLoss:
    def test_by_hand(self):
        # 3 wins, 2 ties, 1 loss: 4 of 6 after splitting; P(B >= 4) = (15 + 6 + 1)/64
        found = win_tie_loss([2, 2, 2, 1, 1, 0], [1, 1, 1, 1, 1, 1])
        assert found.details == {"wins": 3, "ties": 2, "losses": 1}
        assert found.effect.estimate == pytest.approx(4 / 6)
        assert found.p_value == pytest.approx(44 / 64)

    def test_demsar(self, golden):
        case = golden["win_tie_loss_demsar"]
        found = win_tie_loss(case["inputs"]["y"], case["inputs"]["x"])
        assert found.n == 14
        # 11 of 14; R 4.2.2: binom.test(11, 14)
        assert found.p_value == pytest.approx(0.05737305, rel=1e-6)
        assert (found.effect.low, found.effect.high) == pytest.approx((0.4920243, 0.9534207), abs=1e-6)

    @settings(max_examples=50)
    @given(pairs, st.sampled_from([0.8, 0.9, 0.95]))
    def test_p_and_interval_agree_and_swapping_mirrors(self, scores, level):
        a, b = zip(*scores, strict=True)
        found, turned = win_tie_loss(a, b, level=level), win_tie_loss(a, b, level=level, higher_is_better=False)
        assert (0.5 not in found.effect) == (found.p_value < 1 - level)
        assert found.details["wins"] == turned.details["losses"] == sum(x > y for x, y in scores)
        assert found.effect.estimate == pytest.approx(1 - turned.effect.estimate)

    def test_all_equal(self):
        found = win_tie_loss([1], [1])
        assert (found.p_value, found.effect.estimate) == (1, 0.5)


def enumerated_count(p, alpha):
    """Closed testing with Bonferroni: the largest u such that all sets of N − u' + 1 are rejected, for u' up to u."""
    n, count = len(p), 0
    for u in range(1, n + 1):
        sets = itertools.combinations(p, n - u + 1)
        if max(min(1, (n - u + 1) * min(s)) for s in sets) < alpha:
            count = u
        else:
            break
    return count


class TestBetterOnHowMany:
    def test_by_hand(self):
        # sorted 0.01, 0.02, 0.5: 3·0.01, 2·0.02, 0.5
        found = better_on_how_many([0.5, 0.01, 0.02])
        assert found.details["p_partial"] == pytest.approx([0.03, 0.04, 0.5])
        assert found.statistic == 2
        assert (found.effect.low, found.effect.high) == (2, 3)
        assert found.details["which"] == ["1", "2"]
        # Fisher for u = 2: −2 ln(0.02 · 0.5) = 9.2103; with 4 degrees of freedom exp(−x/2)(1 + x/2)
        fisher = better_on_how_many([0.5, 0.01, 0.02], combine="fisher")
        x = -math.log(0.01)
        assert fisher.details["p_partial"][1] == pytest.approx(math.exp(-x) * (1 + x), rel=1e-10)

    def test_against_r(self):
        # R 4.2.2: p <- c(.001,.004,.02,.2,.6); pchisq(-2*rev(cumsum(rev(log(p)))), 2*(5:1), lower.tail=FALSE)
        found = better_on_how_many([0.6, 0.001, 0.02, 0.2, 0.004], combine="fisher")
        assert found.details["p_partial"] == pytest.approx(
            [5.835553e-05, 0.003228942, 0.06054366, 0.3744316, 0.6], rel=1e-6
        )

    @settings(max_examples=60)
    @given(st.lists(st.integers(0, 40), min_size=1, max_size=7))
    def test_bonferroni_is_the_closed_test(self, hundredths):
        p = [h / 400 for h in hundredths]
        assert better_on_how_many(p).statistic == enumerated_count(p, 1 - 0.95)

    @settings(max_examples=40)
    @given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.randoms())
    def test_order_does_not_matter_and_the_bound_agrees_with_p(self, p, random):
        for combine in ("bonferroni", "fisher"):
            found = better_on_how_many(p, combine=combine)
            shuffled = better_on_how_many(random.sample(p, len(p)), combine=combine)
            assert shuffled.details["p_partial"] == pytest.approx(found.details["p_partial"])
            assert (found.effect.low >= 1) == (found.p_value < 1 - 0.95)  # a little more than 0.05

    def test_the_bound_holds(self):
        # 20 data sets, better on 5: the bound exceeds 5 in at most 5 % of studies
        rng = np.random.default_rng(0)
        p = rng.uniform(size=(2000, 20))
        p[:, :5] *= 1e-6
        for combine in ("bonferroni", "fisher"):
            over = np.mean([better_on_how_many(row, combine=combine).statistic > 5 for row in p[:500]])
            assert over < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 500)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"but 1 of 2 values does not; leave those data sets out"):
            better_on_how_many([0.1, math.nan])
        with pytest.raises(InputError, match=r"combine must be 'bonferroni' or 'fisher', got 'stouffer'"):
            better_on_how_many([0.1], combine="stouffer")
        with pytest.raises(InputError, match=r"names must be 2 different names"):
            better_on_how_many([0.1, 0.2], names=["a"])
