import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import sign_test

ALTERNATIVES = ["two-sided", "greater", "less"]
longer = st.lists(st.integers(-9, 12), min_size=1, max_size=25)
level = st.sampled_from([0.8, 0.9, 0.95])


class TestSignTest:
    def test_by_hand(self):
        # 3 wins, 1 loss: P(at least 3 of 4) = 5/16
        found = sign_test([2, 3, 4, 1], [1, 1, 1, 2])
        assert (found.details["wins"], found.details["losses"]) == (3, 1)
        assert found.p_value == 0.625
        assert found.effect.estimate == 1.5

    @settings(max_examples=60)
    @given(longer, st.sampled_from(["drop", "split"]), st.sampled_from(ALTERNATIVES), level)
    def test_the_interval_excludes_zero_exactly_when_p_is_small(self, d, ties, alternative, level):
        found = sign_test(d, [0] * len(d), ties=ties, alternative=alternative, level=level)
        assert (0 not in found.effect) == (found.p_value < 1 - level)

    @given(longer)
    def test_swapping_flips(self, d):
        there, back = sign_test(d, [0] * len(d)), sign_test([0] * len(d), d)
        assert there.p_value == back.p_value
        assert there.effect.low == -back.effect.high

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"ties must be 'drop' or 'split', got 'half'"):
            sign_test([1, 2], [2, 1], ties="half")
