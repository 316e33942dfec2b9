"""Text for LaTeX: no character of data is left that LaTeX would act on."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.tables import Strong
from fairtrial.tables.latex_text import SIGNS, broken, caption, escape, narrowest_width, pieces, text_width

ONE = "|".join(
    [*map(re.escape, sorted(SIGNS.values(), key=len, reverse=True)), r"\\anychar\{[0-9A-F]{4,6}\}\{.\}", r"\\kern0pt",
     r"[^\\{}$&#^_~%]"]
)  # fmt: skip
HARMLESS = re.compile(rf"(?:{ONE}|\\rightleft\{{(?:{ONE})*\}})*", re.DOTALL)


class TestEscape:
    @pytest.mark.parametrize(
        ("text", "escaped"),
        [
            ("50 % of a_b & c#1", r"50 \% of a\_b \& c\#1"),
            (r"\input{x}", r"\textbackslash{}input\{x\}"),
            ("$x^2$ ~ <y>", r"\$x\textasciicircum{}2\$ \textasciitilde{} \textless{}y\textgreater{}"),
            ("a---b – c", r"a-\kern0pt-\kern0pt-b \textendash{} c"),
            ("−0.5 ± ∞ ≤ 1", r"$-$0.5 $\pm$ $\infty$ $\leq$ 1"),
            ("χ² of µ", r"$\chi$$^2$ of $\mu$"),
            ("a\nb", "a b"),
            ("\x1b", r"\textbackslash{}x1b"),
            ("Demšar, Łódź, e\u0301", "Demšar, Łódź, é"),
            ("ę", r"\anychar{0119}{ę}"),
            ("😀", r"\anychar{1F600}{😀}"),
            ("a אב", r"a \rightleft{\anychar{05D0}{א}\anychar{05D1}{ב}}"),
        ],
    )
    def test_by_hand(self, text, escaped):
        assert escape(text) == escaped

    @given(st.text() | st.text(alphabet="\\{}$&#^_~%-`\"'<>|א数😀\x00\n"))
    def test_nothing_active_is_left(self, text):
        assert HARMLESS.fullmatch(escape(text))
        assert not re.search("--|<<|>>", escape(text))


class TestBroken:
    def test_only_long_words(self):
        long = "gradient_boosting_classifier"
        assert broken("gradient_boosting") == r"gradient\_boosting"
        assert broken(f"a {long}") == r"a gradient\_\allowbreak{}boosting\_\allowbreak{}classifier"
        assert broken(Strong("a_b"), 2) == r"\textbf{a\_b}"

    @given(st.text(min_size=1), st.integers(1, 30))
    def test_pieces_are_the_word(self, word, most):
        found = pieces(word, most)
        assert "".join(found) == word
        assert max(map(len, found)) <= most


class TestCaption:
    def test_a_caption_that_latex_can_not_hold_goes_on_below(self):
        assert caption("a_b") == (r"\caption{a\_b}", "")
        head, rest = caption("First sentence. " + "word " * 400)
        assert head == r"\caption{First sentence.}"
        assert rest.startswith(r"{\small word word")
        head, rest = caption("x" * 2500)
        assert (head.count("x"), rest.count("x")) == (1000, 1500)


class TestWidth:
    def test_by_hand(self):
        # cmr10, in em: M 0.917, i 0.278, digits 0.5
        assert text_width("M") == pytest.approx(0.917, abs=0.1)
        assert text_width("iii") == pytest.approx(0.833, abs=0.1)
        assert text_width("0123456789") == pytest.approx(5.0, abs=0.4)
        assert text_width(Strong("a")) > text_width("a")

    def test_a_line_may_end_in_a_long_word_and_behind_a_code(self):
        assert narrowest_width("gradient_boosting of", 12) == text_width("gradient_")
        assert narrowest_width("数据集", 12) < text_width("数据集")
