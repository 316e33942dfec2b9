"""Documents: blocks that are data, all their texts in one map, each result in every format."""

from __future__ import annotations

import pytest

from fairtrial.errors import InputError
from fairtrial.tables import (
    FORMATS,
    Answer,
    Column,
    Document,
    Facts,
    Folded,
    Heading,
    Marked,
    Numbers,
    Paragraph,
    Picture,
    Point,
    Points,
    References,
    Source,
    Strong,
    Table,
    render_result,
)

TABLE = Table(
    (Column("title"),),
    (("cell",), (Strong("bold"),), (Marked("value", text="word", note="note"),), (3,)),
    "caption",
    ("n",),
)
BLOCKS = (
    Heading("heading", "anchor"),
    Paragraph("text"),
    Paragraph(("text", Strong("strong"))),
    Answer("answer"),
    Numbers((("11", "sets"),)),
    Facts((("label", "text"), ("label", Point(True, "point")))),
    Points((Point(False, "point"),)),
    References((("text", "url"),)),
    TABLE,
    Picture("title", "caption", None),
    Source(TABLE, "md"),
    Folded("title", (Paragraph("text"), TABLE)),
)


class TestMapText:
    def test_reaches_every_text(self):
        changed = Document(BLOCKS, "title").map_text(str.upper)
        assert changed.title == "TITLE"
        table = Table(
            (Column("TITLE", key="title"),),
            (("CELL",), (Strong("BOLD"),), (Marked("VALUE", text="WORD", note="NOTE"),), (3,)),
            "CAPTION",
            ("N",),
        )
        assert changed.blocks == (
            Heading("HEADING", "anchor"),
            Paragraph(("TEXT",)),
            Paragraph(("TEXT", Strong("STRONG"))),
            Answer("ANSWER"),
            Numbers((("11", "SETS"),)),
            Facts((("LABEL", "TEXT"), ("LABEL", Point(True, "POINT")))),
            Points((Point(False, "POINT"),)),
            References((("TEXT", "url"),)),
            table,
            Picture("TITLE", "CAPTION", None),
            Source(table, "md"),
            Folded("TITLE", (Paragraph(("TEXT",)), table)),
        )
        assert isinstance(changed.blocks[2].pieces[1], Strong)
        assert isinstance(table.rows[1][0], Strong)


class TestBlocks:
    def test_facts_share_labels_that_follow_each_other(self):
        facts = Facts((("a", "1"), ("b", "2"), ("b", "3"), ("a", "4")))
        assert facts.groups() == [("a", ["1"]), ("b", ["2", "3"]), ("a", ["4"])]

    def test_empty_ones_are_false(self):
        assert not any((Facts(()), Points(()), Numbers(()), References(())))

    def test_points_have_a_mark(self):
        assert [str(Point(True, "a")), str(Point(False, "b"))] == ["✓ a", "! b"]

    def test_no_pictures_and_sources_on_paper(self):
        assert Folded("t", (Picture("t", "c", None), TABLE, Source(TABLE, "md"))).on_paper() == (TABLE,)


class Made:
    """A result with a word of its own for each way of being shown."""

    def to_document(self):
        return Document((Answer("all of it"),))

    def to_table(self):
        return TABLE

    def to_dict(self):
        return {"data": 1}


class TestRender:
    @pytest.mark.parametrize("how", FORMATS)
    def test_a_result_in_every_format(self, how):
        shown = {"document": "all of it", "table": "cell", "data": '"data": 1'}[FORMATS[how].shows]
        assert shown in render_result(Made(), how)

    def test_a_document_is_no_data(self):
        with pytest.raises(InputError, match="a document can't be written as 'json'"):
            Document(BLOCKS).render("json")

    def test_in_a_notebook_and_printed(self):
        document = Document((Answer("yes"),))
        assert document.render("html") in document._repr_html_()
        assert str(document) == document.to_text() == document.render("text") == "yes"
