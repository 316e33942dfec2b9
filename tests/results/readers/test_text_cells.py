"""Cells that should be numbers and are text."""

from __future__ import annotations

import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.results.readers.score_shapes import (
    decorated_number,
    holds_scores,
    mostly_numbers,
    refuse_cells,
    text_cells,
)


class TestDecoratedNumber:
    @pytest.mark.parametrize(
        ("text", "number"),
        [
            ("95%", "95"),
            ("95.5 %", "95.5"),
            ("99.2*", "99.2"),
            ("0.9±0.1", "0.9"),
            ("0.9 +/- 0.1", "0.9"),
            (r"$0.9 \pm 0.1$", "0.9"),
            (r"\textbf{0.93}", "0.93"),
            ("<b>0.93</b>", "0.93"),
            ("**0.931±0.000 (41s)**", "0.931"),
            ("0.93 (2)", "0.93"),
            ("0.93 [0.91, 0.95]", "0.93"),
            ("0.93a", "0.93"),
            ("−0.5†", "-0.5"),
            ("1,5", "1.5"),
            ("12,345", "12345"),
            ("1,234.5", "1234.5"),
            ("0,676", "0.676"),  # no thousand begins with 0
            ("-0,676*", "-0.676"),
            ("~1e-3", "1e-3"),
        ],
    )
    def test_numbers(self, text, number):
        assert decorated_number(text) == number

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "UCI",
            "10-fold",
            "2019-03-01",
            "iris 2",
            "3 classes",
            "32x32",
            "v2",
            "1/2",
            "OUT OF MEMORY",
            "%",
            "> 24h",
            "<.001",
            "≥ 5",
            "≤3",
            "5>",
        ],
    )
    def test_other_text(self, text):
        assert decorated_number(text) is None


class TestHoldsScores:
    @pytest.mark.parametrize(
        ("cells", "scores"),
        [
            ([0.9, 0.8], True),
            (["0.9", "timeout", None], True),
            (["timeout", "crash"], True),
            (["95%", "96%"], True),
            (["OUT OF MEMORY", "OUT OF MEMORY"], True),
            (["0.9", "odd", "strange", "text"], True),
            (["0.9", "very", "odd", "strange", "text"], False),
            (["Full", "Partial", "None", "None"], False),
            (["UCI", "OpenML 42"], False),
            ([True, False], False),
        ],
    )
    def test_by_hand(self, cells, scores):
        assert holds_scores(pd.Series(cells)) is scores

    def test_names_with_some_numbers_are_not_mostly_numbers(self):
        assert not mostly_numbers(pd.Series(["1", "wine", "iris"]))
        assert mostly_numbers(pd.Series(["1", "2", "iris"]))

    def test_which_cells(self):
        assert text_cells(pd.Series(["0.9", "timeout", None, "95%", "N/A", "odd"])).tolist() == [
            False, False, False, True, False, True,
        ]  # fmt: skip


class TestRefuseCells:
    def test_nothing_to_refuse(self):
        assert refuse_cells("a.csv", iter([])) is None
        with pytest.raises(InputError, match=r"a\.csv"):
            refuse_cells("a.csv", iter([("row 2, column b", "x")]))

    def test_remedies(self):
        message = (
            r"^a.csv: scores must be numbers, but 2 cells are not \(iris, a: '95%'; iris, b: 'see text'\); write plain "
            r"numbers \(95 instead of '95%'\), leave the cell of a failed run empty, take out what holds no scores$"
        )
        with pytest.raises(InputError, match=message):
            refuse_cells("a.csv", [("iris, a", "95%"), ("iris, b", "see text")])
