"""The simplex as data; then that it is drawn."""

import json
import math

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.figures import simplex_data, simplex_figure, view_of_results
from fairtrial.results import read_scores
from fairtrial.stats import bayes_sign, bayes_signed_rank

A = [0.81, 0.92, 0.77, 0.85, 0.90, 0.68, 0.74]
B = [0.79, 0.87, 0.78, 0.81, 0.84, 0.65, 0.66]
TABLE = pd.DataFrame({"dataset": list("abcdefg"), "forest": A, "bayes": B, "rule": np.array(B) - 0.1})


class TestSimplexData:
    def test_by_hand(self):
        # all means of two differences lie right of the region: all draws are in the corner of the first method
        found = bayes_signed_rank([0.9, 0.8, 0.7], [0.1, 0.1, 0.1], rope=0.01, prior=0)
        data = simplex_data(found, ("first", "second"))
        assert data.probabilities == (1.0, 0.0, 0.0)
        assert np.allclose(data.points, (0, 0))
        turned = simplex_data(bayes_signed_rank([0.1] * 3, [0.9, 0.8, 0.7], rope=0.01, prior=0), ("first", "second"))
        assert np.allclose(turned.points, (1, 0))
        equal = simplex_data(bayes_signed_rank([0.1] * 3, [0.1] * 3, rope=0.01), ("first", "second"))
        assert np.allclose(equal.points, (0.5, math.sqrt(3) / 2))

    def test_points_in_a_corner_s_region_are_as_frequent_as_its_probability(self):
        found = bayes_signed_rank(A, B, rope=0.03)
        data = simplex_data(found, ("forest", "bayes"))
        x, y = np.array(data.points).T
        to_corners = [np.hypot(x - cx, y - cy) for cx, cy in ((0, 0), (0.5, math.sqrt(3) / 2), (1, 0))]
        shares = np.bincount(np.argmin(to_corners, axis=0), minlength=3) / len(x)
        assert shares == pytest.approx(data.probabilities, abs=0.04)
        assert data.probabilities == (found.right, found.equivalent, found.left)

    def test_to_dict_is_plain(self):
        data = simplex_data(bayes_signed_rank(A, B, rope=0.01), ("forest", "bayes"))
        assert len(json.loads(json.dumps(data.to_dict()))["points"]) == 1500

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="posterior must have draws, but Bayesian sign is in closed form"):
            simplex_data(bayes_sign(A, B, rope=0.01), ("A", "B"))
        with pytest.raises(InputError, match="its rope is 0; give it a rope"):
            simplex_data(bayes_signed_rank(A, B), ("A", "B"))


class TestOfResults:
    results = read_scores(TABLE, measure="accuracy")

    def test_words(self):
        found = bayes_signed_rank(A, B, rope=0.03)
        words = view_of_results(self.results, "simplex", methods=["forest", "bayes"], smallest_difference=0.03).words
        assert f"forest is better by more than 0.03: probability {found.right:.3f}" in words
        assert f"they differ by at most 0.03: probability {found.equivalent:.3f}" in words
        assert "bayes is better by more than 0.03: probability < 0.001" in words

    def test_lower_is_better(self):
        errors = read_scores(TABLE.drop(columns="rule"), measure="error_rate")
        words = view_of_results(errors, "simplex", smallest_difference=0.03).words
        assert "bayes is better by more than 0.03: probability 0.734" in words

    def test_says_what_was_wrong(self):
        with pytest.raises(
            InputError, match=r"a simplex needs smallest_difference, .* of accuracy that matters, got None"
        ):
            self.results.figure("simplex", methods=["forest", "bayes"])
        with pytest.raises(InputError, match="a simplex compares two methods"):
            self.results.figure("simplex", smallest_difference=0.01)
        one = read_scores(TABLE[:1], measure="accuracy")
        with pytest.raises(InputError, match="of which it needs 2 at least, got 1"):
            one.figure("simplex", methods=["forest", "bayes"], smallest_difference=0.01)


class TestDrawing:
    def test_the_three_probabilities_are_written(self, drawn_whole):
        data = simplex_data(bayes_signed_rank(A, B, rope=0.03), ("forest", "x" * 80))
        shown = " ".join(drawn_whole(simplex_figure(data)))
        assert f"forest better {data.probabilities[0]:.3f}" in shown
        assert f"at most 0.03 apart {data.probabilities[1]:.3f}" in shown
        assert "… better < 0.001" in shown
