"""Files of levels."""

from __future__ import annotations

import pytest

from fairtrial.design.question import read_levels
from fairtrial.errors import InputError


class TestReadLevels:
    @pytest.mark.parametrize(
        "text",
        ["data set,accuracy\niris,0.96\nwine, 0.97\n", "iris,0.96\n\nwine,0.97", "name;level\niris;0.96\nwine;0.97\n"],
    )
    def test_by_hand(self, tmp_path, text):
        (tmp_path / "levels.csv").write_text(text, encoding="utf-8-sig")
        assert read_levels(tmp_path / "levels.csv") == {"iris": 0.96, "wine": 0.97}

    def test_units_are_kept(self, tmp_path):
        (tmp_path / "levels.csv").write_text("iris,96%\nwine,0.97\n")
        assert read_levels(tmp_path / "levels.csv") == {"iris": "96%", "wine": 0.97}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (
                "iris,0.96\nwine,high\n",
                r"must be a data set and its level \(iris,0.96\), but line 2 is \['wine', 'high'\]",
            ),
            ("iris,0.96\nwine\n", r"but line 2 is \['wine'\]"),
            ("iris,nan\n", r"but line 1 is \['iris', 'nan'\]"),
            ("iris,0.96\niris,0.95\n", r"must have each data set once, but line 2 has 'iris' again"),
            (
                "iris;0,96\nwine;0,97\n",
                r"line 1 of levels.csv: a number must have a decimal point, got '0,96'; write 0.96",
            ),
            ("data set,level\n", r"must have a line with data set and level \(iris,0.96\), but it has none"),
        ],
    )
    def test_says_what_was_wrong(self, tmp_path, text, message):
        (tmp_path / "levels.csv").write_text(text)
        with pytest.raises(InputError, match=message):
            read_levels(tmp_path / "levels.csv")

    def test_no_file_and_no_text(self, tmp_path):
        with pytest.raises(InputError, match=r"none\.csv can't be read: No such file"):
            read_levels(tmp_path / "none.csv")
        (tmp_path / "bytes.csv").write_bytes(b"iris,\xff\n")
        with pytest.raises(InputError, match=r"bytes\.csv must be UTF-8 text"):
            read_levels(tmp_path / "bytes.csv")
