"""Cells of numbers taken apart, and put together again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.tables import Marked, PlusMinus, formats
from fairtrial.tables.number_cells import Number, NumberCell, number_cell


class TestNumberCell:
    @pytest.mark.parametrize(
        ("value", "text", "cell"),
        [
            (0.5, "0.500", NumberCell((Number("", "", "0", "500"),))),
            (-12000, "−12,000", NumberCell((Number("", "−", "12,000", ""),))),
            (1e-9, "<0.001", NumberCell((Number("<", "", "0", "001"),))),
            ((-1, 2), "−1.0, +2.0", NumberCell((Number("", "−", "1", "0"), Number("", "+", "2", "0")), ", ")),
            (Marked(0.5, "*"), "0.5*", NumberCell((Number("", "", "0", "5"),), tail="*")),
            (Marked(PlusMinus(3, 1, "2 s"), "v"), "3 ± 1 (2 s)v",
             NumberCell((Number("", "", "3", ""), Number("", "", "1", "")), " ± ", tail=" (2 s)v")),
            ("★ 0.5", "★ 0.5", NumberCell((Number("", "", "0", "5"),), lead="★ ")),
        ],
    )  # fmt: skip
    def test_by_hand(self, value, text, cell):
        assert number_cell(value, text) == cell

    @pytest.mark.parametrize("text", ["", "–", "failed", "1.5e−09", "3.2 s", "6.2 %", "1, 2, 3", "1 ± ", "12,00", "∞"])
    def test_what_is_not_a_number(self, text):
        assert number_cell(text, text) is None

    def test_a_mark_of_a_text_is_not_looked_for(self):
        assert number_cell(Marked(1.0, "*", text="failed"), "failed") is None

    @given(st.floats(-1e12, 1e12), st.integers(0, 6))
    def test_nothing_is_lost(self, value, digits):
        text = formats.fixed(digits)(value)
        (number,) = number_cell(value, text).numbers
        assert number.before + number.after == text
