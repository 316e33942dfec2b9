import math

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.stats.arguments import check_option, check_seed, is_whole, number, share_ratio


class TestNumber:
    @pytest.mark.parametrize("nothing", ["0.5", None, [0.5], 1j, np.array([0.5]), math.nan])
    def test_what_is_none_is_nan(self, nothing):
        assert math.isnan(number(nothing))
        assert not is_whole(nothing)

    def test_others_are_themselves(self):
        assert [number(v) for v in (2, 0.5, np.float32(0.5), np.int8(3), 10**400)] == [2, 0.5, 0.5, 3, math.inf]
        assert number(-(10**400)) == -math.inf, "else it would be a seed of at least 0"
        assert is_whole(3.0)
        assert is_whole(np.int64(3))
        assert not is_whole(math.inf)

    def test_seeds_are_whole(self):
        check_seed(np.uint32(7))
        for seed in (None, -1, 1.0, "1", math.nan):
            with pytest.raises(InputError, match="seed must be a whole number of at least 0, got"):
                check_seed(seed)


class TestShareRatio:
    def test_by_hand(self):
        assert share_ratio(0.1) == pytest.approx(1 / 9)
        assert share_ratio(None) == 0

    @pytest.mark.parametrize("share", [0, 1, -0.1, math.nan, "0.1"])
    def test_says_what_was_wrong(self, share):
        with pytest.raises(InputError, match="test_share must lie strictly between 0 and 1"):
            share_ratio(share)


class TestCheckOption:
    def test_lists_the_options(self):
        check_option("zeros", "drop", ("drop", "split"))
        with pytest.raises(InputError, match=r"^zeros must be 'drop' or 'split', got 'drp'$"):
            check_option("zeros", "drp", ("drop", "split"))
