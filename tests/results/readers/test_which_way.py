"""Which way round a table lies, by evidence."""

from __future__ import annotations

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.results.readers.score_columns import lies_by

LEVEL = np.array([[95, 93, 94.0], [70, 71, 72], [80, 82, 79], [60, 61, 62]])  # rows differ more than columns


@pytest.mark.parametrize(("title", "rows", "columns", "lies"), [
    ("dataset", "pqrs", "xyz", "datasets"),  # the title
    ("Approach", "pqrs", "xyz", "methods"),
    ("untitled", ["iris", "wine", "zoo", "glass"], ["svm", "nb", "u"], "datasets"),  # the names
    ("dataset", ["svm", "nb", "rf", "C4.5"], ["iris", "wine", "zoo"], "methods"),  # both names, against the title
    ("untitled", "pqrs", "xyz", "datasets"),  # the numbers
])  # fmt: skip
def test_evidence(title, rows, columns, lies):
    assert lies_by(title, list(rows), list(columns), LEVEL, "t.csv") == lies


def test_turning_the_table_turns_the_answer():
    assert lies_by("x", list("xyz"), list("pqrs"), LEVEL.T, "t.csv") == "methods"


def test_it_asks_where_nothing_tells():
    flat = np.array([[0.5, 0.6, 0.7], [0.6, 0.7, 0.5], [0.7, 0.5, 0.6]])
    with pytest.raises(InputError, match=r"the rows may be data sets or methods \('x' above 'p', beside 'u'\)"):
        lies_by("x", list("pqr"), list("uvw"), flat, "t.csv")


def test_it_asks_where_title_and_names_contradict_each_other():
    with pytest.raises(InputError, match="say rows='datasets' or rows='methods'"):
        lies_by("dataset", ["svm", "nb", "rf"], list("pqrs"), LEVEL.T, "t.csv")
