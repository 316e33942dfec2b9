"""Names of any length: cut where people read them, whole where programs do, and different if they differ."""

from __future__ import annotations

import pytest

from fairtrial.tables import Column, Document, Paragraph, Source, Strong, Table
from fairtrial.tables.number_cells import ShortNames

LONG = tuple("m" * 50_000 + middle + "m" * 50_000 for middle in "AB")
TABLE = Table(
    (Column("method", align="left"), Column(LONG[0])),
    ((LONG[0], 1.5), (Strong(LONG[1]), "a " * 50_000)),
    caption=LONG[0],
)


class TestShortNames:
    def test_names_that_differ_in_the_middle_stay_different(self):
        short = ShortNames()
        shown = [short(name) for name in (*LONG, *LONG)]
        assert shown[:2] == shown[2:]
        assert shown[0] != shown[1]
        assert max(map(len, shown)) < 140

    def test_a_sentence_keeps_its_words(self):
        text = f"{LONG[1]} beats {LONG[0]} " + "again " * 500
        short = ShortNames()
        assert short.in_sentence(text) == f"{short(LONG[1])} beats {short(LONG[0])} " + "again " * 500

    def test_names_of_many_words_are_cut_in_tables(self):
        assert len(ShortNames()("a " * 50_000)) == 1000


@pytest.mark.parametrize("how", ["text", "md", "html", "latex"])
def test_what_people_read_is_short(how):
    document = Document((TABLE, Paragraph(LONG[1])), title=LONG[0])
    made = document.render(how)
    copies = made.index("<style") if how == "html" else 0  # the page also has the names as CSV
    assert len(made[: made.index("data-as", copies)] if how == "html" else made) < 50_000
    assert made.count("(no. 2)") >= 2  # in the table and in the paragraph


def test_what_programs_read_is_whole():
    shown = Document((TABLE,)).with_short_names().blocks[0]
    assert isinstance(shown, Table)
    assert shown.to_csv() == TABLE.to_csv()
    assert shown.to_dict()["rows"] == TABLE.to_dict()["rows"]
    assert shown.columns[1].key == LONG[0]
    assert Document((Source(LONG[0], "python"),)).with_short_names().blocks == (Source(LONG[0], "python"),)


def test_a_table_for_a_paper():
    assert len(TABLE.to_latex()) < 6000
    assert r"\textbf" in TABLE.to_latex()
