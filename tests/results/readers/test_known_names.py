"""Names by which a table shows what its rows and columns are."""

from __future__ import annotations

import pandas as pd
import pytest

from fairtrial.results.readers.request import kind_of_name, leaning, one_spelling


@pytest.mark.parametrize(
    "name", ["Iris", "breast-cancer-wisconsin", "credit-g", "ARC(25-shot)", "d7", "CIFAR-10", "wine.csv"]
)
def test_data_sets(name):
    assert kind_of_name(name) == "data set"


@pytest.mark.parametrize(
    "name", ["C4.5", "1R", "Random Forest", "XGBoost (tuned)", "svm_rbf", "gpt-4-turbo", "model_b"]
)
def test_methods(name):
    assert kind_of_name(name) == "method"


@pytest.mark.parametrize("name", ["alpha", "tree-0-a", "linear-7", "Average", "a"])
def test_names_that_say_nothing(name):
    assert kind_of_name(name) == ""


def test_few_known_names_lean_less():
    assert leaning(["iris", "x", "y", "z"]) == 2
    assert leaning(["iris", "svm"]) == 0


class TestOneSpelling:
    def test_case_spaces_and_unicode_forms(self):
        names = pd.Series(["Zoë", "Zoe\u0308", "NB", "nb ", "c"])
        made, joined = one_spelling(names)
        assert made.tolist() == ["Zoë", "Zoë", "NB", "NB", "c"]
        assert joined == [("Zoë", "Zoe\u0308"), ("NB", "nb ")]

    def test_names_of_their_own_stay(self):
        names = pd.Series(["monks-1", "monks-2", "monks1"])
        made, joined = one_spelling(names)
        assert made is names
        assert joined == []
