import json
from pathlib import Path

import numpy as np
import pytest
from made_axes import ranges

from fairtrial.design.layouts import Fractional, FullFactorial, RegularFraction
from fairtrial.design.layouts.generators import block_columns, block_words, divided, with_centers
from fairtrial.errors import InputError

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
FRF2 = json.loads((Path(__file__).parents[2] / "golden" / "layouts.json").read_text(encoding="utf-8"))["frf2"]


def full(k):
    return RegularFraction(tuple(LETTERS[:k]), k, tuple(1 << i for i in range(k)))


class TestByHand:
    def test_two_blocks_by_the_longest_interaction(self):
        block, notes = divided(full(3), 2)
        assert block.tolist() == ((full(3).rows.prod(axis=1) + 1) / 2).tolist()
        assert notes == ()

    def test_four_blocks_of_a_2_to_3_cost_three_interactions(self):
        # ABC and any other: of AB, AC and BC at least one is mixed; with AB and AC it is all three, without ABC
        block, notes = divided(full(3), 4)
        assert np.bincount(block).tolist() == [2, 2, 2, 2]
        assert notes[0].endswith("mixed with blocks")

    def test_words(self):
        block, notes = divided(full(4), ("ABC", "-BCD"))  # their product is AD
        assert np.bincount(block).tolist() == [4, 4, 4, 4]
        assert notes == ("AD is mixed with blocks",)

    def test_one_block_is_none(self):
        assert divided(full(3), 1) == (None, ())

    def test_main_effects_are_never_lost(self):
        for k, blocks in ((4, 2), (4, 4), (4, 8), (5, 4), (5, 8), (6, 8), (7, 16)):
            fraction = full(k)
            assert all(len(word) == 2 for word in block_words(fraction, block_columns(fraction, blocks)))


@pytest.mark.parametrize("case", [case for case in FRF2 if "blocks" in case], ids=lambda case: case["call"])
def test_against_frf2(case):
    names = tuple(LETTERS[: case["factors"]])
    fraction = Fractional(generators=case["generators"]).fraction(names)
    block, notes = divided(fraction, tuple(case["blocks"]))
    assert np.bincount(block).tolist() == [case["runs"] // 4] * 4
    mixed = notes[0].removesuffix(" are mixed with blocks").replace(" and ", ", ").split(", ") if notes else []
    assert sorted(mixed) == case["with_blocks"]


# Montgomery, table of blocks for 2^k: no interaction of two factors is mixed with so many blocks
@pytest.mark.parametrize(("k", "blocks"), [(3, 2), (4, 2), (5, 2), (5, 4), (6, 2), (6, 4), (6, 8), (7, 8)])
def test_no_interaction_of_two_factors_is_lost_where_none_need_be(k, blocks):
    fraction = full(k)
    assert block_words(fraction, block_columns(fraction, blocks)) == ()


class TestErrors:
    @pytest.mark.parametrize("blocks", [3, 16, 6])
    def test_numbers(self, blocks):
        with pytest.raises(InputError, match="power of 2 from 2 to 4"):
            divided(full(3), blocks)

    def test_nothing_to_divide(self):
        with pytest.raises(InputError, match="at least 4 runs to divide, but there are 2"):
            divided(full(1), 2)

    def test_more_blocks_than_interactions(self):
        fraction = Fractional(runs=8).fraction("ABCDEFG")
        with pytest.raises(InputError, match="would be mixed with main effects"):
            block_columns(fraction, 2)

    @pytest.mark.parametrize("words", [("AB", "AB"), ("AB", "BC", "AC")])
    def test_dependent_words(self, words):
        with pytest.raises(InputError, match="must be independent"):
            divided(full(4), words)

    def test_words_of_main_effects(self):
        with pytest.raises(InputError, match="must not be mixed with main effects, but they are with C"):
            divided(full(3), ("AB", "ABC"))

    def test_three_levels(self):
        with pytest.raises(InputError, match="levels must be 2"):
            FullFactorial(levels=3, blocks=2).lay_out(ranges(3), seed=1)


def test_centers_without_blocks():
    rows, block = with_centers(np.ones((2, 3)), None, 2)
    assert block is None
    assert rows.tolist() == [[1, 1, 1], [1, 1, 1], [0, 0, 0], [0, 0, 0]]
