import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.stats.factorial.model_terms import condition, factor_columns, merged, model_terms, sequential_bases

NAN = float("nan")
NESTED = {"model": ["svm", "svm", "tree", "tree"], "C": [-1, 1, NAN, NAN], "depth": [NAN, NAN, -1, 1]}


def terms(design, order=2, **more):
    return list(model_terms(factor_columns(design, None, None), order, all_pairs=False, **more))


class TestModelTerms:
    def test_simple_effects_come_first(self):
        design = {"A": [-1, 0, 1, -1, 1], "B": [-1, 1, 1, 1, -1]}
        assert [term.name for term in terms(design)] == ["A", "B", "A²", "A × B"]
        assert [term.name for term in terms(design, order=1)] == ["A", "B", "A²"]

    def test_nested_factors_do_not_interact_with_their_parent_or_with_factors_they_never_meet(self):
        found = terms(NESTED)
        assert [term.name for term in found] == ["model", "C", "depth"]
        assert [term.within for term in found] == ["", "model = svm", "model = tree"]

    def test_a_condition_of_two_levels_leaves_an_interaction_with_the_parent(self):
        design = {"model": ["svm", "svm", "logistic", "logistic", "tree"], "C": [-1, 1, -1, 1, NAN]}
        found = terms(design)
        assert [term.name for term in found] == ["model", "C", "model × C"]
        assert found[2].columns.shape == (5, 1)  # two of the three levels
        assert found[2].within == "model = logistic or svm"

    def test_nested_twice_and_siblings(self):
        design = {
            "model": ["tree", "svm", "svm", "svm", "svm"],
            "C": [NAN, -1, 1, -1, 1],
            "kernel": [None, "linear", "linear", "rbf", "rbf"],
            "gamma": [NAN, NAN, NAN, -1, 1],
        }
        found = {term.name: term.within for term in terms(design, order=1)}
        assert found == {"model": "", "C": "model = svm", "kernel": "model = svm", "gamma": "kernel = rbf"}

    def test_an_interaction_has_the_product_of_degrees_of_freedom(self):
        found = terms({"A": ["a", "b", "c"] * 4, "B": ["u", "u", "u", "v", "v", "v", "w", "w", "w", "w", "u", "v"]})
        assert [term.columns.shape[1] for term in found] == [2, 2, 4]


class TestMerged:
    def test_a_half_fraction(self):
        a, b = np.array([-1, 1, -1, 1]), np.array([-1, -1, 1, 1])
        found, lost = merged(terms({"A": a, "B": b, "C": -a * b}, order=3))
        assert {term.name: term.aliases for term in found} == {"A": ("− B × C",), "B": ("− A × C",), "C": ("− A × B",)}
        assert list(lost) == ["A × B × C"]
        assert "mixed with the mean" in lost["A × B × C"]

    def test_curvature_by_centre_points_is_shared_by_all_factors(self):
        design = {"A": [-1, 1, -1, 1, 0], "B": [-1, -1, 1, 1, 0]}
        found, _ = merged(terms(design))
        assert {term.name: term.aliases for term in found}["A²"] == ("+ B²",)


class TestCondition:
    def test_no_single_factor_explains_it(self):
        factors = factor_columns({"A": [-1, 1, -1, 1], "B": [-1, -1, 1, 1]}, None, None)
        assert condition(np.array([True, False, False, False]), factors) == "the settings in which it exists"


class TestSequentialBases:
    @settings(max_examples=30)
    @given(st.integers(0, 2**32 - 1))
    def test_bases_are_orthonormal_and_hold_all_that_was_given(self, seed):
        random = np.random.default_rng(seed)
        first = random.normal(size=(8, 2))
        second = np.column_stack([first @ [1, 2], random.normal(size=8)])  # one column is not new
        start = np.full((8, 1), 1 / np.sqrt(8))
        bases = sequential_bases([first, second], start)
        assert [basis.shape[1] for basis in bases] == [2, 1]
        whole = np.hstack([start, *bases])
        assert np.allclose(whole.T @ whole, np.eye(4), atol=1e-9)
        assert np.allclose(whole @ whole.T @ second, second)

    def test_nothing_new(self):
        start = np.full((4, 1), 0.5)
        assert sequential_bases([np.ones((4, 1))], start)[0].shape == (4, 0)
