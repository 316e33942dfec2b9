import pytest

from fairtrial.design.layouts.generators import search_generators, word_lengths_of


def test_word_lengths_by_hand():
    # D = ABC: only ABCD; D = AB, E = AC: ABD, ACE and their product BCDE
    assert word_lengths_of((1, 2, 4, 7), 3) == (0, 0, 0, 1)
    assert word_lengths_of((1, 2, 4, 3, 5), 3) == (0, 0, 2, 1, 0)


def test_a_factor_twice_is_a_word_of_length_2():
    assert word_lengths_of((1, 2, 2), 2) == (0, 1, 0)


def test_a_constant_factor_is_a_word_of_length_1():
    assert word_lengths_of((1, 0), 1) == (1, 0)


@pytest.mark.parametrize("width", [1, 300])
def test_half_fractions_need_no_search(width):
    found = search_generators(4, 5, width=width)
    assert found[5].columns == (15,)
    assert found[5].word_lengths == (0, 0, 0, 0, 1)


def test_finds_as_many_different_fractions_as_the_catalogue_has():
    # Chen, Sun & Wu (1993) list all fractions in 16 runs: 3 of 5 factors, 4 of 6, and so on; of 13 to 15 there is one
    found = search_generators(4, 15, width=10_000)
    assert [found[k].different for k in range(5, 16)] == [3, 4, 5, 6, 5, 4, 3, 2, 1, 1, 1]


def test_the_number_of_factors_is_limited_by_the_runs():
    assert max(search_generators(3, 99)) == 7
