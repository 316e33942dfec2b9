"""Words: what sentences are built from, and text of any origin, made fit to be shown and stored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.words import (
    error_line,
    from_spreadsheet,
    from_to,
    is_formula,
    listed,
    part_of,
    plural,
    quoted,
    shortened,
    spreadsheet_text,
    verb,
    visible,
    visible_lines,
)

ANY = st.text(st.characters(exclude_categories=()))


class TestVisible:
    def test_by_hand(self):
        assert visible_lines("a\nc\rd\x00\x1b[2J\x85 \udc80\u00a0é 🙂") == "a\nc\\rd\\x00\\x1b[2J\\x85 \\udc80 é 🙂"
        assert visible("a\nb\tc") == "a\\nb\\tc"

    @given(ANY)
    def test_can_be_written_and_stays_as_it_is(self, text):
        clean = visible(text)
        clean.encode("utf-8")
        assert clean.isprintable()
        assert visible(clean) == clean


class TestShortened:
    def test_what_is_short_stays(self):
        assert shortened("abc", 3) == "abc"

    @given(st.text(max_size=300), st.integers(60, 200))
    def test_keeps_to_the_length_both_ends_and_itself(self, text, most):
        short = shortened(text, most)
        assert len(short) <= most
        assert shortened(short, most) == short
        assert (short[:5], short[-5:]) == (text[:5], text[-5:])


class Mute(Exception):
    def __str__(self):
        raise RuntimeError


class TestErrorLine:
    @pytest.mark.parametrize(
        ("error", "line"),
        [
            (ValueError("a\nb"), "ValueError: a"),
            (KeyError("a"), "KeyError: 'a'"),
            (SystemExit(), "SystemExit: "),
            (Mute(), "Mute: it can't say what happened, since its text raises RuntimeError"),
        ],
    )
    def test_by_hand(self, error, line):
        assert error_line(error) == line


class TestSpreadsheets:
    @pytest.mark.parametrize("text", ["=1+1", "@SUM(A1)", "+1-2", "-x", "\t=1", "\r=1", "=", "+cmd|' /C calc'!A0"])
    def test_formulas(self, text):
        assert is_formula(text)
        assert spreadsheet_text(text) == "'" + text

    @pytest.mark.parametrize("text", ["", "a=b", "-1", "+1.5e3", "-inf", "+", "-", "'x", "a", "1-2", "--"[:1]])
    def test_what_is_none(self, text):
        assert not is_formula(text)

    @given(ANY)
    def test_come_back(self, text):
        assert from_spreadsheet(spreadsheet_text(text)) == text or text.startswith("'")


class TestListed:
    def test_by_hand(self):
        assert listed([]) == ""
        assert listed(["a"]) == "a"
        assert listed(["a", "b"]) == "a and b"
        assert listed(["a", "b", "c"], last="or") == "a, b or c"
        assert listed(range(5)) == "0, 1, 2, 3 and 4"
        assert listed(range(6)) == "0, 1, 2, 3, 4 and 1 other"
        assert listed(range(1234), most=1) == "0 and 1,233 others"
        assert listed(range(7), most=None) == "0, 1, 2, 3, 4, 5 and 6"

    def test_takes_what_can_be_read_only_once(self):
        assert quoted(iter("ab")) == "'a' and 'b'"


class TestNumbers:
    def test_nouns_and_verbs_agree_with_the_number(self):
        assert (plural(1, "class", "classes"), plural(12000, "class", "classes")) == ("1 class", "12,000 classes")
        assert (verb(1, "was", "were"), verb(0, "was", "were")) == ("was", "were")

    def test_parts_and_spans(self):
        assert part_of(1, 1000, "trial") == "1 of 1,000 trials"
        assert (from_to(1, 2), from_to("4", "4")) == ("1–2", "4")
