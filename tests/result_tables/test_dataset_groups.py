"""Groups of data sets by their names."""

from __future__ import annotations

import pytest

from fairtrial.result_tables.averages import groups_of, starts_of_groups


@pytest.mark.parametrize("names", [[], ["a/b"], ["a/x", "a/y"], ["a/x", "b"], ["a/x/1", "a/y/2"], ["/x", "/y"]])
def test_no_groups(names):
    assert groups_of(names) is None


def test_groups():
    assert groups_of(["b / x", "a/x", "b/y", "a/y"]) == [("b", "x"), ("a", "x"), ("b", "y"), ("a", "y")]


def test_starts():
    assert starts_of_groups([]) == starts_of_groups(["a"]) == ()
    assert starts_of_groups(["a", "b", "b", "a"]) == (1, 3)
