import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_axes import ranges

from fairtrial.design.layouts import Axis, BestGuess, Fractional, FullFactorial, PlackettBurman, alias_structure


class TestAliasStructure:
    def test_against_r(self):
        # R 4.2.2: solve(t(X1) %*% X1) %*% t(X1) %*% X2
        rows = ((-1, -1, -1), (1, -1, 0.5), (-1, 1, 1), (1, 1, -1), (0, 0.5, 1), (0.5, 0, 0))
        found = alias_structure(BestGuess(rows).lay_out(ranges(3), seed=1))
        expected = [
            [0.0669165885661, -0.00532333645736, 0.229915651359],
            [-0.1128397375820, -0.11651358950328, -0.826916588566],
            [0.2020618556701, -0.82391752577320, -0.133195876289],
            [-0.8922211808810, 0.00431115276476, 0.201124648547],
        ]
        assert found.matrix == pytest.approx(np.array(expected), rel=1e-9)
        assert (found.effects, found.left_out) == (("mean", "A", "B", "C"), ("AB", "AC", "BC"))

    def test_regular_fractions_have_the_chains_of_their_words(self):
        layout = Fractional(runs=8)
        chains = layout.fraction("ABCDE").alias_sentences()
        found = alias_structure(layout.lay_out(ranges(5), seed=1)).sentences()
        assert found == tuple(chain for chain in chains if len(chain.split()[0]) == 1)

    def test_signs(self):
        layout = Fractional(generators={"C": "-AB"})
        assert alias_structure(layout.lay_out(ranges(3), seed=1)).sentences()[0] == "A is mixed with −BC"

    def test_plackett_and_burman_in_thirds(self):
        found = alias_structure(PlackettBurman(12).lay_out(ranges(4), seed=1))
        assert set(np.abs(found.matrix[1:]).ravel().round(9)) == {0, round(1 / 3, 9)}
        assert found.to_table().rows[0][:2] == ("A", "BC")

    def test_quadratic_effects_are_in_the_mean(self):
        found = alias_structure(FullFactorial(center=1).lay_out(ranges(2), seed=1), "interactions", "quadratic")
        assert found.sentences() == ("mean is mixed with 0.8 A² + 0.8 B²",)  # 4 of 5 runs at the ends

    def test_nothing_is_mixed_in_a_full_factorial(self):
        found = alias_structure(FullFactorial().lay_out([Axis("k", 3), Axis("A")], seed=1))
        assert found.sentences() == ()
        assert found.left_out == ("kA[1]", "kA[2]")

    def test_no_larger_model(self):
        assert alias_structure(FullFactorial().lay_out(ranges(2), seed=1), "main", "main").left_out == ()


@given(st.integers(0, 30))
def test_is_what_least_squares_does(seed):
    """A response that is made of left-out effects gives the estimates that the alias matrix says."""
    draw = np.random.RandomState(seed)
    coded = BestGuess(tuple(map(tuple, draw.uniform(-1, 1, (9, 3))))).lay_out(ranges(3), seed=1)
    left_out = draw.normal(size=3)
    a, b, c = coded.rows.T
    response = np.column_stack([a * b, a * c, b * c]) @ left_out
    fitted = np.linalg.lstsq(np.column_stack([np.ones(9), coded.rows]), response, rcond=None)[0]
    assert alias_structure(coded).matrix @ left_out == pytest.approx(fitted)
