"""JSON by hand: strict and unrounded."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_tables import SMALL, cells, inf, nan

from fairtrial.tables import Column, Table
from fairtrial.tables.render_json import plain, render


class TestJson:
    def test_by_hand(self):
        assert json.loads(SMALL.to_json()) == {
            "caption": "accuracy, mean over 10 folds",
            "rows": [
                {"method": "forest", "acc": 0.90412345},
                {"method": "bayes", "acc": None},
                {"method": "mean", "acc": None},
            ],
            "notes": ["one note"],
        }

    @given(st.lists(st.tuples(cells), max_size=5))
    def test_is_strict_json_and_unrounded(self, rows):
        def refuse(constant):
            raise AssertionError(constant)

        read = json.loads(Table((Column("a"),), tuple(rows)).to_json(), parse_constant=refuse)
        for (value,), row in zip(rows, read["rows"], strict=True):
            assert row["a"] == plain(value)

    def test_text_of_any_data(self):
        data = {"a": nan, 1: [np.int64(2), np.array([0.5, nan]), (True, inf)]}
        assert json.loads(render(data)) == {"a": None, "1": [2, [0.5, None], [True, "inf"]]}


class TestPlain:
    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (np.float64(0.1), 0.1),
            (np.bool_(True), True),
            (np.str_("a"), "a"),
            (-inf, "-inf"),
            (np.float32(nan), None),
            (np.array([[1, 2]]), [[1, 2]]),
            (1 + 2j, "(1+2j)"),
        ],
    )
    def test_by_hand(self, value, expected):
        assert plain(value) == expected
        assert type(plain(value)) is type(expected)
