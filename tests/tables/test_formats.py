"""Number formats: what a person reads."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from offenders import for_each

from fairtrial.tables import Column, Table, formats
from fairtrial.tables.formats import (
    AtMost,
    ClosedAbove,
    ClosedBelow,
    auto,
    count,
    duration,
    ends,
    enough,
    fixed,
    over,
    p_equals,
    p_value,
    percent,
    signed,
    significant,
    span,
)

inf, nan = float("inf"), float("nan")
EVERY = [auto, fixed(3), signed(3), enough(3), enough(3, sign=True), significant(3), p_value, percent, count, duration]


def number(text: str) -> float:
    return float(text.replace("−", "-").replace(",", ""))


class TestEveryFormat:
    @for_each("write", EVERY)
    @for_each("value", [nan, np.float64(nan), np.float32(nan)])
    def test_undefined_is_a_dash_and_never_a_number(self, write, value):
        assert write(value) == "–"

    @for_each("write", EVERY)
    def test_none_is_an_empty_cell(self, write):
        assert write(None) == ""

    @for_each("write", EVERY)
    def test_zero_has_no_sign(self, write):
        assert write(-0.0) == write(0.0)
        assert write(-0.0)[0] not in "−-+"

    @pytest.mark.slow
    @settings(max_examples=60)
    @given(st.floats())
    @pytest.mark.parametrize("write", EVERY)
    def test_takes_every_float_and_has_no_ascii_minus(self, write, value):
        assert "-" not in write(value)
        assert "nan" not in write(value)

    @pytest.mark.parametrize("write", [fixed(2), signed(2), enough(2), enough(2, sign=True), significant(3), count])
    def test_infinity(self, write):
        assert write(inf).endswith("∞")
        assert write(-inf) == "−∞"


class TestAuto:
    @pytest.mark.parametrize(
        ("value", "written"),
        [
            ("iris", "iris"),
            ("-1 nan", "-1 nan"),
            (np.str_("12"), "12"),
            (12000, "12,000"),
            (np.int64(12000), "12,000"),
            (-3, "−3"),
            (True, "yes"),
            (np.bool_(False), "no"),
            (0.12345, "0.1235"),
            (np.float64(0.5), "0.5000"),
            (10**400, f"{10**400:,}"),
            ([1, 2], "[1, 2]"),
        ],
    )
    def test_by_hand(self, value, written):
        assert auto(value) == written


class TestFixed:
    @pytest.mark.parametrize(
        ("value", "written"), [(0.91249, "0.912"), (-0.0004, "0.000"), (-0.0006, "−0.001"), (2, "2.000")]
    )
    def test_by_hand(self, value, written):
        assert fixed(3)(value) == written

    @given(st.floats(-1e9, 1e9), st.integers(0, 6))
    def test_is_the_value_to_half_a_unit_of_the_last_digit(self, value, digits):
        assert number(fixed(digits)(value)) == pytest.approx(value, abs=0.51 * 10**-digits)


class TestSigned:
    @pytest.mark.parametrize(
        ("value", "written"), [(0.0125, "+0.013"), (-0.008, "−0.008"), (0.0004, "0.000"), (inf, "+∞")]
    )
    def test_by_hand(self, value, written):
        assert signed(3)(value) == written


class TestSignificant:
    @pytest.mark.parametrize(
        ("value", "written"),
        [
            (0, "0"),
            (1234.5, "1230"),
            (0.00012345, "0.000123"),
            (0.00099996, "0.00100"),  # rounding up adds no digit
            (0.9999, "1.00"),
            (9.999, "10.0"),
            (-0.5, "−0.500"),
            (999_999, "1e+06"),
            (1_000_000, "1e+06"),
            (9.9999e-5, "0.000100"),
            (1.5e-9, "1.5e−09"),
            (1.5e300, "1.5e+300"),
            (5e-324, "4.94e−324"),
        ],
    )
    def test_by_hand(self, value, written):
        assert significant(3)(value) == written

    @given(st.floats(-1e307, 1e307).filter(lambda x: x != 0), st.integers(1, 8))
    def test_is_the_value_to_its_digits(self, value, digits):
        assert number(significant(digits)(value)) == pytest.approx(value, rel=0.51 * 10 ** (1 - digits), abs=5e-324)

    @given(st.floats(1e-4, 9e5), st.integers(2, 5))
    def test_never_more_digits_than_asked_behind_the_point(self, value, digits):
        written = significant(digits)(value)
        if "." in written:
            assert len(written.replace(".", "").lstrip("0")) == digits


class TestPValue:
    @pytest.mark.parametrize(
        ("value", "written"),
        [
            (1, "1.000"),
            (0.0213, "0.021"),
            (0.001, "0.001"),
            (0.00099, "<0.001"),
            (3e-16, "<0.001"),
            (0.0, "<0.001"),
            (nan, "–"),
            (None, ""),
        ],
    )
    def test_by_hand(self, value, written):
        assert p_value(value) == written

    @given(st.floats(0, 1))
    def test_never_says_zero(self, p):
        assert re.search("[1-9]", p_value(p))
        assert re.search("[1-9]", p_equals(p))

    @given(st.floats(1e-300, 1))
    def test_is_the_value_about(self, p):
        written = number(p_equals(p).removeprefix("p = "))
        assert written == pytest.approx(p, rel=0.06, abs=5e-4 if p >= 0.001 else 5.1e-5 if p >= 1e-4 else 0)
        assert number(p_value(p).removeprefix("<")) == pytest.approx(max(p, 0.001), abs=5e-4)


class TestPercent:
    @pytest.mark.parametrize(
        ("share", "written"),
        [
            (0, "0 %"),
            (1e-9, "<0.1 %"),
            (0.0005, "0.1 %"),
            (0.0625, "6.2 %"),
            (0.0996, "10 %"),
            (0.5, "50 %"),
            (0.994, "99 %"),
            (0.999, "99.9 %"),
            (0.99999, ">99.9 %"),
            (1, "100 %"),
            (-0.05, "−5.0 %"),
            (-0.0001, ">−0.1 %"),
            (2.5, "250 %"),
        ],
    )
    def test_by_hand(self, share, written):
        assert percent(share) == written

    @given(st.floats(0, 1, exclude_min=True, exclude_max=True))
    def test_none_and_all_are_said_of_none_and_all_only(self, share):
        assert percent(share) not in ("0 %", "0.0 %", "100 %")


class TestEnds:
    def test_by_hand(self):
        assert ends(signed(2))((-0.1, 0.254)) == "−0.10 … +0.25"
        assert ends(signed(2))(ClosedAbove((-0.1, 0.0))) == "−0.10 … ≤ 0"
        assert ends(fixed(2))(ClosedBelow((1.0, 1.2))) == "≥ 1.00 … 1.20"
        assert ends(signed(2))((-inf, inf)) == "−∞ … +∞"

    def test_nothing_and_words_stay_what_they_are(self):
        assert ends(fixed(1))(None) == ""
        assert ends(fixed(1))("open") == "open"

    def test_a_column_has_decimals_enough_for_each_row(self):
        write = over(ends(enough(2)), [(0.1, 0.5), ClosedAbove((-0.0004, 0.0))])
        assert write((0.1, 0.5)).count("0") >= 2
        assert "≤" in write(ClosedAbove((-0.0004, 0.0)))


class TestSpan:
    def test_by_hand(self):
        assert span(signed(2))((-0.1, 0.254)) == "−0.10, +0.25"
        assert span(fixed(1))((float("inf"), float("nan"))) == "∞, –"

    def test_nothing_and_words_stay_what_they_are(self):
        assert span(fixed(1))(None) == ""
        assert span(fixed(1))("open") == "open"


class TestCount:
    @pytest.mark.parametrize(
        ("value", "written"),
        [(0, "0"), (4800, "4,800"), (-1234, "−1,234"), (2.6, "3"), (2**53 + 1, "9,007,199,254,740,993")],
    )
    def test_by_hand(self, value, written):
        assert count(value) == written


class TestDuration:
    @pytest.mark.parametrize(
        ("seconds", "written"),
        [
            (0, "0 s"),
            (2.5e-5, "25 µs"),
            (0.00999, "10 ms"),
            (0.0042, "4.2 ms"),
            (0.9994, "999 ms"),
            (0.9996, "1.0 s"),
            (3.21, "3.2 s"),
            (9.96, "10 s"),
            (59.4, "59 s"),
            (59.96, "1 min 0 s"),
            (75, "1 min 15 s"),
            (119.6, "2 min 0 s"),
            (3599.4, "59 min 59 s"),
            (3599.9, "1 h 0 min"),
            (8000, "2 h 13 min"),
            (86399.7, "1 d 0 h"),
            (200000, "2 d 7 h"),
            (inf, "∞"),
            (-5, "−5.0 s"),
        ],
    )
    def test_by_hand(self, seconds, written):
        assert duration(seconds) == written

    @given(st.floats(1e-6, 1e7))
    def test_no_unit_is_full(self, seconds):
        full = {"µs": 1000, "ms": 1000, "s": 60, "min": 60, "h": 24}
        for amount, unit in re.findall(r"([\d.]+) (µs|ms|s|min|h)\b", duration(seconds)):
            assert float(amount) < full[unit]

    @given(st.floats(1e-6, 1e7))
    def test_is_the_value_about(self, seconds):
        units = {"µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400}
        parts = re.findall(r"([\d.]+) (\w+)", duration(seconds))
        total = sum(float(amount) * units[unit] for amount, unit in parts)
        assert total == pytest.approx(seconds, rel=0.055 if len(parts) == 1 else 0.042)


class TestEnough:
    @pytest.mark.parametrize(
        ("value", "written"),
        [
            (0.9125, "0.912"),
            (0.0004, "0.00040"),
            (-0.00042, "−0.00042"),
            (0.00099, "0.001"),
            (0.000012, "1.2e−05"),
            (0.0, "0.000"),
            (1e-17, "0.000"),  # float noise
            (0.0006, "0.001"),
            (5, "5.000"),
        ],
    )
    def test_by_hand(self, value, written):
        assert enough(3)(value) == written

    def test_with_its_sign(self):
        assert [enough(3, sign=True)(v) for v in (0.0125, 0.0004, -0.0004, 3e-9, 0)] == [
            "+0.013", "+0.00040", "−0.00040", "+3.0e−09", "0.000",
        ]  # fmt: skip

    def test_all_of_a_column_have_as_many_decimals(self):
        write = over(enough(3), [0.5, 0.0004, None, nan, inf])
        assert [write(v) for v in (0.5, 0.0004, None, nan, inf)] == ["0.50000", "0.00040", "", "–", "∞"]

    def test_what_would_take_too_many_has_an_exponent(self):
        write = over(enough(3), [0.5, 0.0000004])
        assert [write(v) for v in (0.5, 0.0000004)] == ["0.500", "4.0e−07"]

    def test_in_intervals(self):
        assert span(enough(3))((0.0001, 0.0007)) == "0.00010, 0.00070"
        write = over(span(enough(3, sign=True)), [(-0.0002, 0.1), None, (0.2, 0.3)])
        assert [write(v) for v in ((-0.0002, 0.1), None, (0.2, 0.3))] == [
            "−0.00020, +0.10000",
            "",
            "+0.20000, +0.30000",
        ]

    def test_tables_are_aligned(self):
        columns = Column("difference", enough(3)), Column("interval", span(enough(3)))
        table = Table(columns, ((0.0123, (0.0102, 0.02)), (0.0004, (0.0, 0.001))))
        assert table.cells() == [["0.01230", "0.010, 0.020"], ["0.00040", "0.000, 0.001"]]

    @given(st.floats(-2, 2))
    def test_what_is_not_zero_is_not_written_as_zero(self, value):
        has_digit = any(c in "123456789" for c in enough(3)(value))
        assert has_digit or abs(value) < 1e-12


class TestPValues:
    def test_bounds(self):
        assert p_value(AtMost(0.00005)) == "<0.001"
        assert p_value(AtMost(0.002)) == "≤0.002"
        assert p_equals(AtMost(0.00005)) == "p ≤ 5.0e−05"
        assert p_equals(5e-324) == "p = 4.9e−324"
        assert p_equals(0.0) == "p < 1e−300"
        assert p_equals(AtMost(0.002)) == "p ≤ 0.002"
        assert p_equals(0.002) == "p = 0.002"
        assert p_equals(nan) == "p = –"

    def test_tables_of_all_kinds(self):
        table = Table((Column("p", p_value),), ((AtMost(0.00005),), (AtMost(0.002),)))
        assert "<0.001\n≤0.002" in table.to_text()
        assert "&lt;0.001" in table.to_html()
        assert "<0.001 \\\\\n\\le 0.002" in table.to_latex()
        assert r"\<0.001" in table.to_markdown()
        assert "\n5e-05" in table.to_csv().replace("\r", "")
        assert '"p": 5e-05' in table.to_json()


class TestHalfWidth:
    def test_by_hand(self):
        assert formats.half_width((0.1, 0.5)) == pytest.approx(0.2)
        assert formats.half_width((None, 0.5)) is None

    def test_ends_that_would_look_equal_are_told_apart(self):
        write = formats.span(formats.enough(3))
        assert write((0.00061, 0.00089)) == "0.00061, 0.00089"
        assert write((0.041, 0.049)) == "0.041, 0.049"
        assert write((0.04, 0.04)) == "0.040, 0.040"
        assert write((-np.inf, np.inf)) == "−∞, ∞"


class TestDecimals:
    def test_by_hand(self):
        assert [formats.decimals(2)(v) for v in (0.126, 0.0, -0.004, nan, None)] == [
            "0.13",
            "0.00",
            "−4.0e−03",
            "–",
            "",
        ]
        assert [formats.decimals(-3)(v) for v in (54678, 400, np.inf)] == ["55000", "4.0e+02", "∞"]

    def test_two_digits_of_the_median_uncertainty(self):
        assert formats.decimals_for([0.0637, 0.028, 0.011]) == 3
        assert formats.decimals_for([4.5, 12, 30]) == 0
        assert formats.decimals_for([0.0996]) == 2  # 0.10

    def test_nothing_is_written_as_0(self):
        assert formats.decimals_for([0.0637, 0.028, 0.0003]) == 4
        assert formats.decimals_for([0.0637, 0.028], [0.0004]) == 4
        assert formats.decimals_for([0.0637, 0.028], [1e-9]) == 3  # it has an exponent

    def test_no_uncertainty(self):
        assert formats.decimals_for([]) is formats.decimals_for([nan, 0.0, np.inf]) is None


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0.0″"), (59.94, "59.9″"), (59.96, "1.0′"), (3596, "59.9′"), (3598, "1.0 h"), (259_200, "72.0 h"),
     (0.002, "2.0e−03″"), (None, ""), (float("nan"), "–")],
)  # fmt: skip
def test_durations_with_signs(seconds, text):
    assert formats.signed_duration(seconds) == text


def test_all_public_formats_are_tested():
    own = {name for name, thing in vars(formats).items() if getattr(thing, "__module__", "") == formats.__name__}
    assert {name for name in own if not name.startswith("_")} == {
        "AtMost", "ClosedAbove", "ClosedBelow", "auto", "by_uncertainty", "count", "decimals",
        "decimals_for", "duration", "ends", "enough", "fixed", "half_width", "over", "p_equals", "p_value", "percent",
        "signed", "signed_duration", "significant", "span",
    }  # fmt: skip
