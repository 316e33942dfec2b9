"""HTML read back by a parser: data never becomes a tag."""

from __future__ import annotations

import base64
import hashlib

from hypothesis import given
from hypothesis import strategies as st
from made_tables import SMALL, Texts

from fairtrial.tables import (
    Answer,
    Column,
    Document,
    Facts,
    Folded,
    Heading,
    Numbers,
    Paragraph,
    Picture,
    Point,
    Points,
    References,
    Source,
    Strong,
    Table,
)
from fairtrial.words import visible

TABLE = Table((Column("a", align="left"), Column("b")), (("x" * 23, Strong("★ 0.9")), ("y" * 24, 1), ("z" * 60, 2)))


def words(page: str) -> list[str]:
    return [text.strip() for text in Texts(page).texts if text.strip()]


class TestPart:
    def test_by_hand(self):
        facts = Facts((("Test", "none"), ("Checked", Point(True, "splits")), ("Checked", Point(False, "few"))))
        html = Document((Answer("a < b."), Paragraph((Strong("c"), " too")), facts)).render("html")
        assert html.splitlines() == [
            '<p class="answer"><strong>a &lt; b.</strong></p>',
            "<p><strong>c</strong> too</p>",
            '<dl class="facts">',
            "<dt>Test</dt><dd>none</dd>",
            "<dt>Checked</dt><dd>✓ splits</dd><dd>! few</dd>",
            "</dl>",
        ]

    def test_pictures_that_nobody_shows_are_left_out(self):
        assert Document((Picture("t", "c", None),)).render("html") == ""

    def test_long_texts_may_be_broken(self):
        html = TABLE.to_html()
        assert '<td class="left">xxx' in html
        assert '<td class="left long">yyy' in html
        assert '<td class="left longer">zzz' in html
        assert '<td class="right"><strong>★ 0.9</strong></td>' in html


class TestPage:
    def test_has_a_header_and_sections(self):
        blocks = (
            Answer("yes"),
            Numbers((("3", "sets"),)),
            Heading("Why", "why"),
            TABLE,
            Heading("Else"),
            Paragraph("p"),
        )
        page = Document(blocks, title="Which & <why>?").render("html")
        assert page.startswith("<!DOCTYPE html>")
        assert "<title>Which &amp; &lt;why&gt;?</title>" in page
        header, _, main = page.partition('<main id="main">')
        assert "<dt>sets</dt><dd>3</dd>" in header
        assert '<section id="why" aria-labelledby="why-title">\n<h2 id="why-title">Why</h2>' in main
        assert "<section>\n<h2>Else</h2>\n<p>p</p>\n</section>" in main

    def test_captions_and_notes_of_tables_do_not_scroll(self):
        page = Document((Table((Column("a"),), ((1,),), caption="here", notes=("there",)),), title="t").render("html")
        scroll = '<div class="scroll" tabindex="0" role="group" aria-label="here">'
        assert f'<p class="caption">here</p>\n<div class="frame">{scroll}<table>' in page
        assert '</div></div>\n<p class="note">there</p>' in page

    def test_folded_tables_and_sources(self):
        page = Document((Heading("h"), Folded("more", (TABLE, Source(TABLE, "latex")))), title="t").render("html")
        inside = page.partition("<details>")[2].partition("</section>")[0]
        assert "<summary>more</summary>" in inside
        assert '<div class="scroll"' in inside
        start = '<div class="source"><pre data-as="LaTeX" tabindex="0" role="group" aria-label="LaTeX">'
        assert start + r"% needs \usepackage{booktabs" in inside

    def test_a_work_without_an_address_has_no_link(self):
        page = Document((References((("Fisher (1925)", ""), ("b", "https://doi.org/1"))),), title="t").render("html")
        assert "<li>Fisher (1925)</li>" in page
        assert '<li>b <a href="https://doi.org/1" rel="noreferrer">doi.org/1</a></li>' in page

    def test_long_tables_stay_folded_on_paper(self):
        long = Table((Column("a"),), ((1,),) * 61)
        blocks = (Folded("short", (TABLE,)), Folded("long", (long,)), Folded("to copy", (Source("x", "latex"),)))
        page = Document(blocks, title="t").render("html")
        assert "<details>\n<summary>short</summary>" in page
        assert '<details class="aside">\n<summary>long</summary>' in page
        assert '<details class="aside">\n<summary>to copy</summary>' in page

    def test_contents_are_listed_where_there_are_several_sections(self):
        three = tuple(Heading(text, text) for text in ("a", "b<", "c"))
        page = Document(three, title="t").render("html")
        links = '<ol><li><a href="#a">a</a></li><li><a href="#b&lt;">b&lt;</a></li><li><a href="#c">c</a></li></ol>'
        assert page.count(links) == 2
        assert "Contents" not in Document(three[:2], title="t").render("html")

    def test_only_its_own_script_may_run(self):
        page = Document((Heading("h"),), title="t</script><script>alert(1)").render("html")
        script = page.partition("<script>")[2].partition("</script>")[0]
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"script-src 'sha256-{digest}'" in page
        assert page.count("<script") == 1

    def test_pictures_are_shown_in_their_place(self):
        picture = Picture("Dots & lines", "All <of> them.", None)
        page = Document((picture,), title="t").render("html", lambda shown: f"<svg>{shown.title[:4]}</svg>")
        assert 'aria-label="Dots &amp; lines"><svg>Dots</svg></div></div>' in page
        assert "<figcaption><b>Dots &amp; lines.</b> All &lt;of&gt; them.</figcaption>" in page

    def test_pictures_say_how_to_read_and_to_make_them(self):
        picture = Picture("t", "c", None, explain="Dots & lines.", call="results.figure('dots')")
        page = Document((picture,), title="t").render("html", lambda _: "<svg></svg>")
        assert "<summary>How to read this</summary><p>Dots &amp; lines.</p>" in page
        assert '<pre data-as="Python">results.figure(&#x27;dots&#x27;)</pre>' in page

    @given(st.text(alphabet="<>&\"'ab/= \x00\x1b\u2028", max_size=30))
    def test_data_never_becomes_a_tag(self, name):
        blocks = (
            Answer(name), Paragraph((name, Strong(name))), Facts(((name, name),)), Points((Point(False, name),)),
            Numbers(((name, name),)), Heading(name, "x"), References(((name, name),)), Folded(name, (Paragraph(name),)),
        )  # fmt: skip
        plain = Texts(Document(blocks, title="t").map_text(lambda _: "x").render("html"))
        assert Texts(Document(blocks, title=name or "t").render("html")).tags == plain.tags
        assert visible(name).strip() in {text.strip() for text in Texts(Document(blocks).render("html")).texts}


class TestTable:
    def test_by_hand(self):
        parsed = Texts(SMALL.to_html())
        expected = ["accuracy, mean over 10 folds", "method", "accuracy", "forest", "0.904", "bayes", "–", "mean"]
        assert [t.strip() for t in parsed.texts if t.strip()] == [*expected, "one note"]
        assert SMALL.to_html().count('class="rule"') == 1

    @given(st.text(alphabet="<>&\"'ab/= \x00\x1b\u2028", max_size=30))
    def test_data_never_becomes_a_tag_and_is_read_back(self, name):
        table = Table((Column(name),), ((name,),), caption=name, notes=(name,))
        parsed = Texts(table.to_html())
        assert set(parsed.tags) <= {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "p"}
        assert parsed.texts[parsed.tags.index("td")].strip() == visible(name).strip()
