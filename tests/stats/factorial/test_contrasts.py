import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import factorial_model

NAN = float("nan")
SQUARE = {"A": [-1, 1, -1, 1], "B": [-1, -1, 1, 1]}
CUBE = dict(zip("ABC", np.array(list(itertools.product([-1, 1], repeat=3))).T.tolist(), strict=True))
# R 4.2.2: lm(y ~ A*K) with contr.sum, and tapply(y, list(A, K), mean)
A = ["a", "a", "a", "b", "b", "b", "b", "a", "b", "a", "a"]
K = ["x", "y", "z", "x", "y", "z", "z", "z", "x", "x", "y"]
Y = [3.1, 4.7, 5.2, 6.8, 4.4, 9.9, 8.7, 6.1, 7.3, 2.2, 5.5]


def effects(model, scores):
    found = model.values(scores)
    return dict(zip(found.names, found.values[0].tolist(), strict=True))


class TestByHand:
    def test_two_factors(self):
        # B at A low: 5 − 3, at A high: 10 − 4; A at B low: 4 − 3, at B high 10 − 5
        found = effects(factorial_model(SQUARE), [3, 4, 5, 10])
        assert found == {"A": 3.0, "B": 4.0, "A × B": 2.0}

    def test_levels_by_name_are_the_same_as_low_and_high(self):
        named = {"A": ["off", "on", "off", "on"], "B": [-1, -1, 1, 1]}
        assert effects(factorial_model(named), [3, 4, 5, 10]) == {"A": 3.0, "B": 4.0, "A × B": 2.0}

    def test_three_factor_interaction_has_the_same_standard_error_as_a_main_effect(self):
        model = factorial_model(CUBE, interactions=None)
        sizes = [np.linalg.norm(contrast.weights) for contrast in model.contrasts]
        assert sizes == pytest.approx([math.sqrt(4 / 8)] * 7)

    def test_three_levels(self):
        # means 2, 5, 11; in the other order the reference is another one
        design = {"kernel": ["linear", "rbf", "poly"] * 2}
        scores = [1, 4, 10, 3, 6, 12]
        first = factorial_model(design, levels={"kernel": ["linear", "rbf", "poly"]})
        assert effects(first, scores) == {"kernel (rbf − linear)": 3.0, "kernel (poly − linear)": 9.0}
        every = factorial_model(design, levels={"kernel": ["linear", "rbf", "poly"]}, against="all")
        assert effects(every, scores)["kernel (poly − rbf)"] == 6.0

    def test_linear_and_quadratic_part(self):
        found = effects(
            factorial_model({"depth": [-1, 0, 1]}), [1, 5, 7]
        )  # the mean of both ends is 4, 1 below the middle
        assert found == {"depth": 6.0, "depth²": -1.0}

    def test_nested_factors(self):
        # R: 2 * coef(lm(y ~ mm + s + C + d + mm:s + s:C + s:d)), columns 0 where a factor is absent; R 4.2.2
        design = {
            "model": ["svm"] * 4 + ["tree"] * 4,
            "scale": [-1, 1] * 4,
            "C": [-1, -1, 1, 1] + [NAN] * 4,
            "depth": [NAN] * 4 + [-1, -1, 1, 1],
        }
        found = effects(factorial_model(design), [70, 72, 75, 79, 66, 67, 68, 74])
        assert found == pytest.approx(
            {
                "model": -5.25,
                "scale": 3.25,
                "C within model = svm": 6.0,
                "depth within model = tree": 4.5,
                "model × scale": 0.25,
                "scale × C within model = svm": 1.0,
                "scale × depth within model = tree": 2.5,
            }
        )


class TestAgainstR:
    def test_unbalanced_with_interactions(self):
        found = effects(factorial_model({"A": A, "K": K}), Y)
        assert found == pytest.approx(
            {"A": 2.45, "K (y − x)": -0.1, "K (z − x)": 2.625, "A × K (y − x)": -2.55, "A × K (z − x)": -0.375}
        )

    def test_unbalanced_additive(self):
        found = effects(factorial_model({"A": A, "K": K}, interactions=1), Y)
        assert found == pytest.approx({"A": 2.84375, "K (y − x)": 0.490625, "K (z − x)": 2.625})

    def test_response_surface(self):
        # Montgomery, example 11.2; R 4.2.2: lm(y ~ x1 + x2 + I(x1^2) + I(x2^2) + x1:x2)
        x1 = [-1, -1, 1, 1, 0, 0, 0, 0, 0, 1.414, -1.414, 0, 0]
        x2 = [-1, 1, -1, 1, 0, 0, 0, 0, 0, 0, 0, 1.414, -1.414]
        y = [76.5, 77, 78, 79.5, 79.9, 80.3, 80, 79.7, 79.8, 78.4, 75.6, 78.5, 77]
        found = effects(factorial_model({"x1": x1, "x2": x2}), y)
        slopes = {"x1": 2 * 0.995050252588155, "x2": 2 * 0.515202795622151, "x1 × x2": 2 * 0.249999999999976}
        assert found == pytest.approx(slopes | {"x1²": -1.37644928259476, "x2²": -1.00133599838293}, rel=1e-8)


class TestAliases:
    def test_a_resolution_four_fraction(self):
        cube = np.array(list(itertools.product([-1, 1], repeat=3)))
        design = dict(zip("ABCD", [*cube.T.tolist(), cube.prod(axis=1).tolist()], strict=True))
        model = factorial_model(design)
        assert [c.label for c in model.contrasts] == [*"ABCD", "A × B + C × D", "A × C + B × D", "A × D + B × C"]
        assert "A × B is mixed with C × D: what is estimated is the sum" in model.notes

    def test_the_sum_is_what_is_estimated(self):
        a, b = np.array(SQUARE["A"]), np.array(SQUARE["B"])
        model = factorial_model({"A": a, "B": b, "C": a * b})
        assert effects(model, 3 * a / 2 + 5 * (b * a * b) / 2)["A + B × C"] == 8.0
        model = factorial_model({"A": a, "B": b, "C": -a * b})
        assert effects(model, 3 * a / 2 + 5 * (b * -a * b) / 2)["A − B × C"] == -2.0

    def test_a_long_chain_is_cut_in_labels_only(self):
        cube = np.array(list(itertools.product([-1, 1], repeat=3)))
        seven = [cube[:, list(some)].prod(axis=1) for n in (1, 2, 3) for some in itertools.combinations(range(3), n)]
        model = factorial_model(dict(zip("ABCDEFG", seven, strict=True)))
        assert model.contrasts[0].label.endswith("+ 1 other")
        assert len(model.contrasts[0].aliases) == 3

    def test_partial_aliasing_can_not_be_estimated(self):
        # Plackett and Burman's twelve runs: a main effect is mixed with a third of many interactions
        row = [1, 1, -1, 1, 1, 1, -1, -1, -1, 1, -1]
        runs = np.array([np.roll(row, i) for i in range(11)] + [[-1] * 11])
        model = factorial_model(runs)
        assert not any(c.is_estimable for c in model.contrasts)
        assert "x1 can't be estimated: it is mixed with x2 × x3, x2 × x4" in model.notes[0]
        with pytest.raises(InputError, match="must determine at least one effect, but x1 can't be estimated"):
            model.values(np.zeros((1, 12)))
        assert all(c.is_estimable for c in factorial_model(runs, interactions=1).contrasts)

    def test_what_can_be_estimated_is_kept(self):
        model = factorial_model({"A": [-1, -1, 1, 1], "B": [-1, 1, -1, 1], "C": [1, 1, 1, 1]})
        assert model.notes == ("C does not vary in this design",)
        assert model.values([[1, 2, 3, 4]]).names == ("A", "B", "A × B")


class TestBlocks:
    def test_differences_between_blocks_are_removed(self):
        # three blocks with levels 0, 10 and 20; the effect of A is 3 in each
        design = {"A": [-1, 1] * 3}
        scores = [0, 3, 10, 13, 20, 23]
        assert effects(factorial_model(design, blocks=[1, 1, 2, 2, 3, 3]), scores) == {"A": 3.0}
        unbalanced = {"A": [-1, 1, 1, 1, -1]}
        assert effects(factorial_model(unbalanced, blocks=["u", "u", "v", "v", "v"]), [0, 3, 13, 13, 10]) == {"A": 3.0}

    def test_what_is_mixed_with_blocks_is_named(self):
        blocks = np.array(list(CUBE.values())).prod(axis=0).tolist()
        model = factorial_model(CUBE, interactions=None, blocks=blocks)
        assert model.notes == ("A × B × C is mixed with blocks: it can't be estimated",)
        assert len(model.contrasts) == 6
        four = [2 * (a * b > 0) + (a * c > 0) for a, b, c in zip(*CUBE.values(), strict=True)]
        found = factorial_model(CUBE, blocks=four)
        assert [c.name for c in found.contrasts if c.is_estimable] == ["A", "B", "C"]
        assert "A × B can't be estimated: it is mixed with blocks" in found.notes

    def test_one_block_is_none(self):
        assert len(factorial_model(SQUARE, blocks=[1, 1, 1, 1]).terms) == 3

    def test_length(self):
        with pytest.raises(InputError, match="one block for each of the 4 settings, got 2"):
            factorial_model(SQUARE, blocks=[1, 2])


class TestMissing:
    def test_a_row_with_a_missing_score_is_fitted_to_the_others(self):
        model = factorial_model(CUBE, interactions=1)
        truth = 10 + np.array(CUBE["A"]) * 1.5 + np.array(CUBE["B"]) * 0.5
        found = model.values([truth, np.where(np.arange(8) == 3, NAN, truth)])
        assert found.values[1] == pytest.approx([3.0, 1.0, 0.0])
        assert found.notes == ("1 row with missing scores (1): fitted to the others",)

    def test_what_is_not_determined_is_nan_and_named(self):
        found = factorial_model(SQUARE).values([[1, 2, 3, 4], [1, 2, 3, NAN]])
        assert found.values.shape == (2, 3)
        assert np.isnan(found.values[1]).all()
        assert found.notes == ("row 1 has too few scores: A, B and A × B can't be estimated there",)
        assert np.isnan(factorial_model(SQUARE).values([[NAN] * 4]).values).all()


class TestErrors:
    @pytest.mark.parametrize(
        ("scores", "says"),
        [
            ([[1, 2, 3]], "a column for each of the 4 settings .* shape \\(1, 3\\)"),
            ([[1, 2, 3, math.inf]], "must be finite, or nan"),
            ([["a", "b", "c", "d"]], "numbers only"),
        ],
    )
    def test_scores(self, scores, says):
        with pytest.raises(InputError, match=says):
            factorial_model(SQUARE).values(scores)

    @pytest.mark.parametrize("interactions", [0, 1.5, "two"])
    def test_interactions(self, interactions):
        with pytest.raises(InputError, match="interactions must be a whole number of at least 1"):
            factorial_model(SQUARE, interactions=interactions)

    def test_too_many_effects(self):
        with pytest.raises(InputError, match="at most 2,000 effects"):
            factorial_model(np.random.default_rng(0).choice([-1, 1], size=(4, 13)), interactions=None)

    def test_against(self):
        with pytest.raises(InputError, match="against must be 'first' or 'all'"):
            factorial_model(SQUARE, against="last")


class TestProperties:
    @settings(max_examples=40)
    @given(st.lists(st.integers(-50, 50), min_size=8, max_size=8), st.permutations(range(8)))
    def test_the_order_of_settings_does_not_matter(self, scores, order):
        shuffled = {name: [column[i] for i in order] for name, column in CUBE.items()}
        there = effects(factorial_model(shuffled), [scores[i] for i in order])
        assert there == effects(factorial_model(CUBE), scores)

    @settings(max_examples=40)
    @given(st.lists(st.integers(-50, 50), min_size=8, max_size=8))
    def test_a_balanced_effect_is_the_difference_of_means(self, scores):
        y, a, b = np.array(scores), np.array(CUBE["A"]), np.array(CUBE["B"])
        found = effects(factorial_model(CUBE), scores)
        assert found["A"] == pytest.approx(y[a > 0].mean() - y[a < 0].mean())
        at = [y[(a > 0) & (b == s)].mean() - y[(a < 0) & (b == s)].mean() for s in (-1, 1)]
        assert found["A × B"] == pytest.approx((at[1] - at[0]) / 2)

    def test_equal_scores_have_no_effect_at_all(self):
        assert set(effects(factorial_model(CUBE), [0.1 + 0.2] * 8).values()) == {0.0}


def test_prints():
    assert "A × B" in str(factorial_model(SQUARE))
