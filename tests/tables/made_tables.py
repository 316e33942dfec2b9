"""Tables that several files of this room write down, and what reads them back."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import strategies as st

from fairtrial.tables import Column, Table, formats

inf, nan = float("inf"), float("nan")
NASTY = 'a|b_*c*`d`<script>&amp;\\{x}$y$%#~^\x1b[31m\x00\r"q" [z](u)'
HARD = (
    "a & b <c> _d_ %e #f", "\"quoted\" 'x' `y`", "emoji 😀 party", "שלום עולם", "مرحبا", "数据集", "x" * 80,
    "a very long name of " * 4, "C:\\path\\file{x}~^$y$", "Łódź ąęéñ ðþ naïve", "Лес", "χ² α→β ≤ ≥", "p--q---r",
    "[0.1]", "*", "gradient_boosting_classifier_with_a_long_name", "−", "“smart”",
)  # fmt: skip
"""Names that break what does not expect them."""

SMALL = Table(
    columns=(Column("method", align="left"), Column("accuracy", formats.fixed(3), key="acc")),
    rows=(("forest", 0.90412345), ("bayes", nan), ("mean", None)),
    caption="accuracy, mean over 10 folds",
    notes=("one note",),
    rule_before=(2,),
)
# what people put into tables, and what they should not
cells = st.one_of(st.none(), st.integers(), st.floats(), st.text(max_size=12))


def one_cell(text: str) -> Table:
    return Table(columns=(Column("x", align="left"), Column("y")), rows=((text, 1),))


class Texts(HTMLParser):
    """The texts and tags of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.texts.append("")

    def handle_data(self, data):
        if self.texts:
            self.texts[-1] += data
