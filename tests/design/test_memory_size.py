"""Amounts of memory, from Python as from TOML."""

import pytest

import fairtrial as ft
from fairtrial.design.study import as_bytes
from fairtrial.errors import InputError


class TestAsBytes:
    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            ("300 MB", 300 * 10**6),
            ("2gb", 2 * 10**9),
            (" 1.5 KiB ", 1536),
            ("7", 7),
            (7, 7),
            (1e6, 10**6),
            (None, None),
        ],
    )
    def test_by_hand(self, given, expected):
        assert as_bytes("memory_limit", given) == expected

    @pytest.mark.parametrize(
        "given", [0, -1, "0", "-1 MB", "1 PB", "MB", "1..2 MB", "", True, [1], float("inf"), "1e400"]
    )
    def test_says_what_was_wrong(self, given):
        with pytest.raises(InputError, match="memory_limit must be a number of bytes above 0 or a text such as '2 GB'"):
            as_bytes("memory_limit", given)

    def test_a_study_takes_it(self):
        study = ft.Study(datasets=["iris"], methods=["majority"], memory_limit="300 MB")
        assert study.memory_limit == 300_000_000
