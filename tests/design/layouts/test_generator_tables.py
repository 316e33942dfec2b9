"""The table of fractions against published catalogues, and against our own search."""

import itertools
import json
from math import comb
from pathlib import Path

import pytest
from offenders import for_each

from fairtrial.design.layouts import Fractional
from fairtrial.design.layouts.generators import (
    MINIMUM_ABERRATION,
    highest_resolution,
    search_generators,
    word_lengths_of,
)

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "layouts.json").read_text(encoding="utf-8"))


def size(case):
    return f"{case['factors']} in {case['runs']}"


@for_each("case", GOLDEN["fractions"], ids=size)
def test_is_that_of_the_catalogue(case):
    """Runs, resolution and word-length pattern, as far as the catalogue prints it; sources in layouts.json."""
    found = Fractional(runs=case["runs"]).fraction(LETTERS[: case["factors"]])
    assert len(found.rows) == case["runs"]
    assert found.resolution == case["resolution"] == highest_resolution(case["factors"], case["runs"])
    shown = case["words"][: case["factors"]]
    assert list(found.word_lengths[: len(shown)]) == shown
    assert not any(case["words"][case["factors"] :])


def test_every_fraction_of_the_table_is_compared():
    compared = {(case["runs"], case["factors"]) for case in GOLDEN["fractions"]}
    kept = {(runs, k) for runs, table in MINIMUM_ABERRATION.items() for k in table}
    assert kept - compared == {(4, 3)}
    assert len(compared) >= 40
    assert {case["source"] for case in GOLDEN["fractions"]} <= set(GOLDEN["sources"])


@pytest.mark.parametrize("factors", [13, 14, 15])
def test_saturated_fractions_are_shortened_hamming_codes(factors):
    # words of length w of the Hamming code [15, 11], of which C(15 − w, s) / C(15, s) avoid s positions
    hamming = {3: 35, 4: 105, 5: 168, 6: 280, 7: 435}
    left_out = 15 - factors
    expected = [n * comb(15 - w, left_out) // comb(15, left_out) for w, n in hamming.items()]
    found = Fractional(runs=16).fraction(LETTERS[:factors])
    assert list(found.word_lengths[2:7]) == expected


def exhaustive(base, factors):
    """The smallest word-length pattern over all sets of columns."""
    start = tuple(1 << bit for bit in range(base))
    others = [c for c in range(1, 2**base) if c.bit_count() > 1]
    return min(word_lengths_of((*start, *more), base) for more in itertools.combinations(others, factors - base))


@pytest.mark.slow
@for_each(
    ("base", "factors"),
    [(2, 3), *((3, k) for k in range(4, 8)), *((4, k) for k in range(5, 16)), (5, 6), (5, 7), (5, 8)],
)
def test_no_other_generators_have_less_aberration(base, factors):
    found = Fractional(runs=2**base).fraction(LETTERS[:factors])
    assert found.word_lengths == exhaustive(base, factors)


@pytest.mark.slow
@pytest.mark.parametrize(("base", "width"), [(4, 300), (5, 300), (6, 300), (7, 150)])
def test_the_search_finds_nothing_better(base, width):
    found = search_generators(base, 20, width=width)
    for factors, best in found.items():
        assert Fractional(runs=2**base).fraction(LETTERS[:factors]).word_lengths == best.word_lengths, factors
        assert best.different < width or base > 5, "up to 32 runs the search leaves out nothing that looks different"
