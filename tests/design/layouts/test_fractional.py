import numpy as np
import pytest
from made_axes import ranges

from fairtrial.design.layouts import Axis, Fractional
from fairtrial.design.layouts.fractional import minimum_aberration
from fairtrial.errors import InputError

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


class TestResolution:
    # Montgomery, Design and Analysis of Experiments, table of 2^(k−p): smallest number of runs
    @pytest.mark.parametrize(
        ("factors", "resolution", "runs"),
        [
            (3, 3, 4),
            (4, 4, 8),
            (5, 3, 8),
            (5, 5, 16),
            (6, 4, 16),
            (6, 6, 32),
            (7, 3, 8),
            (7, 4, 16),
            (7, 7, 64),
            (8, 4, 16),
            (8, 5, 64),
            (9, 3, 16),
            (9, 4, 32),
            (9, 5, 128),
            (9, 6, 128),
            (10, 5, 128),
            (11, 4, 32),
            (11, 5, 128),
            (15, 3, 16),
            (15, 4, 32),
        ],
    )
    def test_takes_the_smallest_number_of_runs(self, factors, resolution, runs):
        found = Fractional(resolution=resolution).fraction(LETTERS[:factors])
        assert found.runs == runs
        assert found.resolution >= resolution

    def test_without_options_it_is_4(self):
        assert Fractional().fraction("ABCDEF").resolution == 4

    def test_a_resolution_that_only_all_combinations_have(self):
        assert Fractional(resolution=4).fraction("ABC").resolution is None
        assert Fractional(resolution=6).fraction("ABCDE").runs == 32

    def test_beyond_the_table_it_is_an_error(self):
        with pytest.raises(InputError, match=r"of 14 factors in at most 128 runs .* \(14 factors reach resolution 4\)"):
            Fractional(resolution=5).fraction(LETTERS[:14])
        with pytest.raises(InputError, match="of 22 factors"):
            Fractional().fraction(LETTERS[:22])

    @pytest.mark.parametrize("factors", [1, 2])
    def test_few_factors_are_a_full_factorial(self, factors):
        assert Fractional().fraction(LETTERS[:factors]).runs == 2**factors


class TestLayOut:
    def test_by_hand(self):
        # D = ABC, in standard order
        coded = Fractional(runs=8).lay_out(ranges(4), seed=1)
        assert coded.rows[:3].tolist() == [[-1, -1, -1, -1], [1, -1, -1, 1], [-1, 1, -1, 1]]
        assert coded.notes == (
            "8 of 16 runs, resolution 4: D = ABC",
            "AB is mixed with CD",
            "AC is mixed with BD",
            "AD is mixed with BC",
        )

    def test_listed_levels(self):
        coded = Fractional(runs=4).lay_out([Axis("rate"), Axis("kernel", 2), Axis("scaling", 2)], seed=1)
        assert coded.rows.tolist() == [[-1, 0, 1], [1, 0, 0], [-1, 1, 0], [1, 1, 1]]
        assert coded.notes[1] == "rate is mixed with kernel × scaling"

    def test_center_points(self):
        coded = Fractional(runs=8, center=3).lay_out(ranges(4), seed=1)
        assert len(coded.rows) == 11
        assert not coded.rows[8:].any()
        with pytest.raises(InputError, match="with center points layout needs factors with a range, but 'k' have"):
            Fractional(runs=4, center=1).lay_out([*ranges(2), Axis("k", 2)], seed=1)

    def test_blocks_with_center_points_in_each(self):
        coded = Fractional(runs=16, blocks=4, center=2).lay_out(ranges(6), seed=1)
        assert np.bincount(coded.block).tolist() == [6, 6, 6, 6]
        assert coded.notes[-1].endswith("mixed with blocks")

    def test_a_full_factorial_says_so(self):
        assert Fractional(resolution=5).lay_out(ranges(3), seed=1).notes == (
            "it is a full factorial: no effects are mixed",
        )

    def test_three_levels_are_refused(self):
        with pytest.raises(InputError, match=r"exactly 2 levels, but 'a' has 3; full factorial and D-optimal"):
            Fractional().lay_out([Axis("a", 3), Axis("b", 2), Axis("c", 2)], seed=1)

    @pytest.mark.parametrize(
        ("factors", "runs", "says"),
        [(8, 4, "choose 16, 32, 64 or 128 runs"), (3, 16, "runs must be at most 8"), (21, 64, "Plackett–Burman")],
    )
    def test_sizes_that_are_not_there(self, factors, runs, says):
        with pytest.raises(InputError, match=says):
            minimum_aberration(LETTERS[:factors], runs)
