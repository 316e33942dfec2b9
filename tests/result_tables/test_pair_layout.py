"""Labels of matrices."""

from __future__ import annotations

from fairtrial.result_tables.pairwise_matrix import labels_of


def test_short_names_are_titles():
    assert labels_of(["a", "b"]) == (("a", "b"), ("a", "b"))


def test_many_names_have_numbers():
    names = [f"method {i:02d}" for i in range(15)]
    assert labels_of(names)[1][:2] == ("1", "2")
    assert labels_of(names)[0][1] == "2 method 01"
