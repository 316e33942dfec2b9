"""Codes such as 007, and decimal commas."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.data import read_dataset, spellings
from fairtrial.data.spellings import has_padded_numbers, with_decimal_commas


class TestCodes:
    def test_007_and_7_are_two_classes(self, write):
        data = read_dataset(write("t.csv", "x,y\n" + "1,007\n2,7\n" * 3))
        assert data.classes == ("007", "7")

    def test_labels_of_23_digits(self, write):
        one, other = "12345678901234567890123", "12345678901234567890124"
        data = read_dataset(write("t.csv", f"x,y\n1,{one}\n2,{other}\n" * 1 + f"3,{one}\n4,{other}\n"))
        assert data.classes == (one, other)
        values = read_dataset(write("t.csv", f"x,y\n1,{one}\n2,{one[:-1]}\n3,5\n"), task="values")
        assert values.target.tolist() == [float(one), float(one[:-1]), 5.0]

    def test_features_are_numbers(self, write):
        data = read_dataset(write("t.csv", "x,z,y\n007,18446744073709551615,a\n7,1,b\n08,2,a\n1,3,b\n"))
        assert [f.kind for f in data.features] == ["numeric", "numeric"]
        np.testing.assert_array_equal(data.X, [[7, 2.0**64], [7, 1], [8, 2], [1, 3]])

    @pytest.mark.parametrize(
        "others", [("1.5", "-2", "3e2"), ("\x1c.81", "2", "3"), ("-12345678901234567890124", "?", "7")]
    )
    def test_a_number_of_23_digits_among_others_leaves_a_feature_numeric(self, write, others):
        cells = ("12345678901234567890123", *others)
        data = read_dataset(write("t.csv", "x,y\n" + "".join(f"{c},{'ab'[i % 2]}\n" for i, c in enumerate(cells))))
        assert data.features[0].kind == "numeric"
        np.testing.assert_array_equal(data.X[:, 0], [np.nan if c == "?" else float(c.strip()) for c in cells])

    def test_groups_are_names(self, write):
        text = "who,x,y\n" + "".join(f"{who},{i},{'ab'[i % 2]}\n" for i, who in enumerate(("01", "1", "01", "1")))
        assert read_dataset(write("t.csv", text), groups="who").groups.tolist() == ["01", "1", "01", "1"]

    def test_padded_numbers_at_the_border_of_blocks(self, monkeypatch):
        monkeypatch.setattr(spellings, "BLOCK", 4)
        assert all(has_padded_numbers(b"a" * n + b",07,b", ",") for n in range(9))
        assert not any(has_padded_numbers(b"a" * n + b",0.7,100,a07", ",") for n in range(9))


class TestDecimalCommas:
    def test_beside_a_column_with_points(self, write):
        # "1.5" once kept all commas of the file from being decimal, and the column became nominal
        data = read_dataset(write("t.csv", "x;version;y\n0,5;1.5;a\n1,25;1.7;b\n-3;2.0;a\n,5;2.1;b\n"))
        assert data.features[0].kind == "numeric"
        assert data.X[:, 0].tolist() == [0.5, 1.25, -3.0, 0.5]
        assert not any("comma" in note.text for note in data.notes)

    @pytest.mark.parametrize(
        ("delimiter", "kind", "told"),
        [
            (
                ";",
                "numeric",
                "column 'x' is read with a decimal comma: 1,234 is 1.234, not 1234; write numbers with a point",
            ),
            ("\t", "nominal", "column 'x' is read as text: 1,234 may mean 1.234 or 1234; write numbers with a point"),
        ],
    )
    def test_what_may_be_thousands_is_told(self, write, delimiter, kind, told):
        data = read_dataset(write("t.csv", f"x{delimiter}y\n" + "".join(f"1,234{delimiter}{c}\n" for c in "abab")))
        assert data.features[0].kind == kind
        assert told in [note.text for note in data.notes]

    def test_one_sure_cell_decides_for_the_table(self, write):
        data = read_dataset(write("t.csv", "x\tz\ty\n1,234\t0,5\ta\n2,345\t1,5\tb\n1,000\t2\ta\n9,999\t3\tb\n"))
        assert data.X[:, 0].tolist() == [1.234, 2.345, 1.0, 9.999]

    def test_in_quotes_between_commas(self, write):
        data = read_dataset(write("t.csv", 'x,y\n"0,5",a\n"1,5",b\n2,a\n3,b\n'))
        assert data.X[:, 0].tolist() == [0.5, 1.5, 2, 3]
        assert any("read with a decimal comma: 0,5 is 0.5, not 05" in note.text for note in data.notes)


def test_separators_of_units_around_a_number_are_spaces():
    # found by `make fuzz` (scores, seed 14719): Python strips them from a text, but float does not
    frame, _ = with_decimal_commas(pd.DataFrame({"x": ["\x1f,87", "0,5"]}), ";", ())
    assert frame["x"].tolist() == [0.87, 0.5]


def column_of(*cells):
    """A file with a column x of these cells beside numbers and classes; cells may hold commas."""
    return "a,x,y\n" + "".join(f'{i % 7}.5,"{cell}",{"ab"[i % 2]}\n' for i, cell in enumerate(cells))


class TestNumbersOfText:
    """Columns of numbers with signs and units once became nominal with a category per row, or were left out."""

    @pytest.mark.parametrize(
        ("cells", "numbers", "told"),
        [
            (("$1.5", "$20", "-$3.5", "?"), (1.5, 20, -3.5, np.nan), "without '$': '-$3.5' is -3.5"),
            (("1,5 €", "20 €", "3 €"), (1.5, 20, 3), "without '€': '1,5 €' is 1.5"),
            (("3%", "4.5 %", "0%"), (3, 4.5, 0), "without '%': '4.5 %' is 4.5"),
            (("2 kg", "3kg", "10 kg"), (2, 3, 10), "without 'kg': '2 kg' is 2"),
            (("USD 5", "USD 6.5", "USD 7"), (5, 6.5, 7), "without 'USD'"),
            (("20 °C", "-3 °C", "5 °C"), (20, -3, 5), "without '°C'"),
            (tuple(f"{i} apples" for i in range(12)), tuple(range(12)), "without 'apples'"),
            (("1,000.5", "999", "12,000"), (1000.5, 999, 12000), ": '1,000.5' is 1000.5"),
            (("1,234", "1,234,567", "5"), (1234, 1234567, 5), ": '1,234,567' is 1234567"),
            (("1 000", "999", "12 000,5"), (1000, 999, 12000.5), ": '12 000,5' is 12000.5"),
            (("1\u00a0000", "1\u202f000", "5"), (1000, 1000, 5), "is 1000"),
            (("1'000", "999.5", "1’000"), (1000, 999.5, 1000), "is 1000"),
            (("1.234,5", "999", "1.234.567"), (1234.5, 999, 1234567), ": '1.234,5' is 1234.5"),
            (("(1.5)", "2", "(3)"), (-1.5, 2, -3), ": '(1.5)' is -1.5"),
            (("($1,000.50)", "$2", "$3"), (-1000.5, 2, 3), "without '$': '($1,000.50)' is -1000.5"),
            (("−3", "2", "−0.5"), (-3, 2, -0.5), ": '−0.5' is -0.5"),
        ],
    )
    def test_numbers(self, write, cells, numbers, told):
        data = read_dataset(write("t.csv", column_of(*cells, *cells)))
        np.testing.assert_array_equal(data.X[:, 1], [*numbers, *numbers])
        [note] = [n for n in data.notes if "column 'x' is read as numbers" in n.text]
        assert note.severity == "note"
        assert told in note.text

    @pytest.mark.parametrize(
        ("cells", "told"),
        [
            (
                ("2 kg", "300 g"),
                "its numbers are written in different ways, as '2 kg' and '300 g'; write all in one unit",
            ),
            (("$2", "€3"), "as '$2' and '€3'"),
            (("€1.5M", "€500K"), "as '€1.5M' and '€500K'"),
            (("2.5 kg", "3"), "as '2.5 kg' and '3'"),
            (("0,5", "1.25"), "as '0,5' and '1.25'"),
            (
                ("1", "2", "3", "4", "unknown"),
                "is mostly numbers, but 'unknown' among them makes it text; write missing",
            ),
            (("1", "2", "3", "4", "<0.5"), "but '<0.5' among them makes it text"),
            ((*map(str, range(10)), *"-" * 9), "but '-' among them makes it text"),
        ],
    )
    def test_text_with_a_warning(self, write, cells, told):
        data = read_dataset(write("t.csv", column_of(*cells, *cells)))
        assert data.features[1].kind == "nominal"
        [note] = [n for n in data.notes if told in n.text]
        assert note.severity == "warning"

    @pytest.mark.parametrize(
        "cells",
        [("1st", "2nd", "3rd"), ("12A", "12B", "13C"), ("2", "3", "5more"), ("4 cyl", "6 cyl"), ("10-20", "20-30"),
         (">50K", "<=50K"), ("1/2", "3/4"), ("12:30", "13:45"), ("v1", "v2"), ("a", "b", "1")],
    )  # fmt: skip
    def test_categories_stay_as_they_are(self, write, cells):
        data = read_dataset(write("t.csv", column_of(*cells, *cells)))
        assert data.features[1].categories == tuple(sorted(cells))
        assert not any("'x'" in note.text for note in data.notes)

    def test_what_may_be_thousands_is_text(self, write):
        data = read_dataset(write("t.csv", column_of(*["$1,234", "$2,345"] * 2)))
        assert "column 'x' is read as text: $1,234 may mean $1.234 or $1234; write numbers with a point" in [
            note.text for note in data.notes
        ]

    def test_a_note_on_commas_is_given_once(self, write):
        notes = read_dataset(write("t.csv", column_of(*["1,234"] * 4))).notes
        assert sum("may mean" in note.text for note in notes) == 1

    def test_the_note_shows_a_text_that_is_no_plain_number(self, write):
        # found by the fuzzer of data, seed 434
        data = read_dataset(write("t.csv", column_of("0.0604", "1 000", "0.25", "0.5")))
        assert "column 'x' is read as numbers: '1 000' is 1000" in [note.text for note in data.notes]

    def test_points_beside_decimal_commas(self, write):
        rows = "".join(f"{i},5;{i + 1}.500;{i}.25;{'ab'[i % 2]}\n" for i in range(4))
        [note] = [n for n in read_dataset(write("t.csv", f"w;x;z;y\n{rows}")).notes if n.severity == "warning"]
        assert note.sentence == (
            "column 'x' is read with a decimal point, and others with a decimal comma: 1.500 may also mean 1500"
        )
