import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.design.layouts import Fractional, RegularFraction
from fairtrial.design.layouts.generators import word_column, word_lengths_of
from fairtrial.design.layouts.regular_fraction import as_product, short_names

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
FRF2 = json.loads((Path(__file__).parents[2] / "golden" / "layouts.json").read_text(encoding="utf-8"))["frf2"]


def frf2_fraction(case):
    names = tuple(LETTERS[: case["factors"]])
    if "generators" in case:
        return Fractional(generators=case["generators"]).fraction(names)
    return Fractional(runs=case["runs"]).fraction(names)


@st.composite
def fractions(draw):
    """Random columns beyond the base factors, with signs."""
    base = draw(st.integers(2, 4))
    others = [c for c in range(1, 2**base) if c.bit_count() > 1]
    more = draw(st.lists(st.sampled_from(others), unique=True, max_size=min(4, len(others))))
    columns = (*(1 << bit for bit in range(base)), *more)
    signs = tuple(draw(st.sampled_from([-1, 1])) for _ in columns)
    return RegularFraction(tuple(LETTERS[: len(columns)]), base, columns, signs)


class TestByHand:
    def test_a_quarter_of_five_factors(self):
        # D = AB, E = AC: I = ABD = ACE = BCDE (the product of the two)
        found = RegularFraction(tuple("ABCDE"), base=3, columns=(1, 2, 4, 3, 5))
        assert found.defining_words == ("ABD", "ACE", "BCDE")
        assert (found.resolution, found.word_lengths, found.runs) == (3, (0, 0, 2, 1, 0), 8)
        assert found.alias_chains() == (
            ("A", "BD", "CE"),
            ("B", "AD"),
            ("C", "AE"),
            ("D", "AB"),
            ("E", "AC"),
            ("BC", "DE"),
            ("BE", "CD"),
        )

    def test_rows_in_standard_order(self):
        found = RegularFraction(("a", "b", "c"), base=2, columns=(1, 2, 3))
        assert found.rows.tolist() == [[-1, -1, 1], [1, -1, -1], [-1, 1, -1], [1, 1, 1]]

    def test_the_other_half(self):
        # C = −AB: I = −ABC, and A is mixed with −BC
        found = RegularFraction(tuple("ABC"), base=2, columns=(1, 2, 3), signs=(1, 1, -1))
        assert found.defining_words == ("−ABC",)
        assert found.generators == ("C = −AB",)
        assert found.alias_sentences() == (
            "A is mixed with −BC",
            "B is mixed with −AC",
            "C is mixed with −AB",
        )
        assert (found.rows.prod(axis=1) == -1).all()

    def test_a_full_factorial_mixes_nothing(self):
        found = RegularFraction(("rate", "depth"), base=2, columns=(1, 2))
        assert (found.resolution, found.alias_chains(), found.generators) == (None, (), ())
        assert found.word_lengths == (0, 0)

    def test_real_names(self):
        found = RegularFraction(("rate", "depth", "leaf"), base=2, columns=(1, 2, 3))
        assert found.alias_sentences()[0] == "rate is mixed with depth × leaf"
        assert found.to_table().rows[0] == ("rate", "depth × leaf")

    def test_names_and_letters(self):
        assert short_names(["a", "bb"]) == ("A", "B")
        assert as_product(["C", "rate"], ["C", "rate"]) == "C × rate"


@pytest.mark.parametrize("case", FRF2, ids=lambda case: case["call"])
class TestAgainstFrF2:
    """Printed by R's FrF2 in its own tests; where from is in tests/golden/layouts.json."""

    def test_generators_and_word_lengths(self, case):
        found = frf2_fraction(case)
        assert found.runs == case["runs"]
        if "columns" in case:
            assert list(found.columns[found.base :]) == case["columns"]
        if "words" in case:
            assert list(found.word_lengths) == case["words"][: case["factors"]]

    def test_alias_chains(self, case):
        found = ["=".join(chain) for chain in frf2_fraction(case).alias_chains()]
        main = [chain for chain in found if len(chain.partition("=")[0]) == 1]
        if "main" in case:
            assert main == case["main"]
        if "two" in case:
            two = sorted(chain for chain in found if chain not in main)
            shown = sorted(case["two"])
            assert set(shown) <= set(two)
            assert len(case["two"]) == len(two) or case["call"] == "FrF2(16, 6)"  # str() shows the first four only


class TestProperties:
    @given(fractions())
    def test_defining_words_are_constant_over_the_runs_and_no_others_are(self, fraction):
        constant = []
        for size in range(1, len(fraction.names) + 1):
            for places in itertools.combinations(range(len(fraction.names)), size):
                product = fraction.rows[:, places].prod(axis=1)
                if abs(product.sum()) == fraction.runs:
                    sign = "−" if product[0] < 0 else ""
                    constant.append(sign + "".join(fraction.names[i] for i in places))
        assert list(fraction.defining_words) == constant

    @given(fractions())
    def test_word_lengths_by_macwilliams(self, fraction):
        assert fraction.word_lengths == word_lengths_of(fraction.columns, fraction.base)

    @given(fractions())
    def test_chains_are_what_rows_can_not_tell_apart(self, fraction):
        for chain in fraction.alias_chains():
            assert chain[0][0] != "−"
            signs = []
            for effect in chain:
                places = [fraction.names.index(letter) for letter in effect.lstrip("−")]
                signs.append((-1 if effect[0] == "−" else 1) * fraction.rows[:, places].prod(axis=1))
            assert all(np.array_equal(signs[0], other) for other in signs[1:])

    @given(fractions())
    def test_columns_are_balanced_and_orthogonal(self, fraction):
        assert np.array_equal(fraction.rows.T @ fraction.rows, fraction.runs * np.eye(len(fraction.names)))
        assert not fraction.rows.sum(axis=0).any()
        assert word_column(fraction, fraction.names[0]) == fraction.columns[0]
