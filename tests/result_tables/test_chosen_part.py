"""The part of results that a table is about."""

from __future__ import annotations

import pytest
from made_results import by_means

from fairtrial.errors import InputError
from fairtrial.result_tables.chosen_part import chosen_part


def test_some_methods_in_their_order():
    assert chosen_part(by_means(), methods=["boosted", "tree"]).method_names() == ("boosted", "tree")


def test_one_data_set():
    part = chosen_part(by_means(), "b")
    assert part.dataset_names() == ("b",)
    assert len(part.scores) == 3


def test_a_control_that_is_left_out_is_no_control():
    from dataclasses import replace

    results = by_means(baseline="tree")
    results = replace(results, question=replace(results.question, control="tree"))
    part = chosen_part(results, methods=["boosted", "bagged"])
    assert part.question.control is None
    assert part.baseline is None


@pytest.mark.parametrize("methods", [[], ["tree", "tree"]])
def test_each_method_once(methods):
    with pytest.raises(InputError, match="methods must name each method once, and at least one"):
        chosen_part(by_means(), methods=methods)
