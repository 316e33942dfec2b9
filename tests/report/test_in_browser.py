"""The page in Chromium: nothing runs but its script, tables are sorted and copied, it fits phones and paper.

Without Chromium these tests are skipped. ``make axe`` fetches the accessibility checker that one of them needs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from browser import CHROMIUM, Browser, browser
from report_cases import HARD

from fairtrial.report import write_report
from fairtrial.results import read_scores
from fairtrial.tables import Column, Document, Heading, PlusMinus, Source, Strong, Table, formats

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]
AXE = os.environ.get("FAIRTRIAL_AXE", "")

TABLE = Table(
    (Column("method", align="left"), Column("mean", formats.fixed(2)), Column("time", formats.duration), Column("p_1")),
    (
        ("b | c", PlusMinus(0.9, 0.1), 0.02, Strong("★ 3")),
        ("a", PlusMinus(0.85, 0.2), 3.0, "−2"),
        ("d", float("nan"), 0.5, "1,770"),
        ("all", PlusMinus(0.1, 0.1), 9.0, 0),
    ),
    caption="the caption",
    rule_before=(3,),
)
CELLS = "Array.from(document.querySelectorAll('tbody tr'), row => row.cells[{column}].textContent)"
PRESS = "document.querySelectorAll('thead button')[{column}].click()"
COPY = """new Promise(done => {
  navigator.clipboard.writeText = async text => done(text);
  Array.from(document.querySelectorAll('.copy button')).find(b => b.textContent === 'NAME').click();
})"""

BROKEN_WORDS = """(() => {
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  document.querySelectorAll('details').forEach(part => part.open = true);
  while (walk.nextNode()) {
    if (!walk.currentNode.parentElement.closest('thead')) continue;
    for (const word of walk.currentNode.data.matchAll(/\\w+/g)) {
      const range = document.createRange();
      range.setStart(walk.currentNode, word.index);
      range.setEnd(walk.currentNode, word.index + word[0].length);
      if (range.getClientRects().length > 1) found.push(word[0]);
    }
  }
  return found;
})()"""
"""The words of titles that are broken into lines."""


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("small") / "page.html"
    blocks = (
        Heading("One", "one"),
        TABLE,
        Heading("Two", "two"),
        Source("% <b> & more", "latex"),
        Heading("3", "three"),
    )
    file.write_text(Document(blocks, title="t").render("html"), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on scores with names of every kind, for methods and data sets."""
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"dataset": HARD, **{name: random.random(len(HARD)) for name in HARD}})
    return write_report(read_scores(frame, measure="accuracy"), tmp_path_factory.mktemp("hard") / "page.html")


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on methods with usual names."""
    random = np.random.default_rng(3)
    methods = ("forest", "logistic", "neighbours", "LogisticRegression")
    frame = pd.DataFrame({"dataset": list("abcdefgh"), **{m: random.normal(0.8, 0.05, 8) for m in methods}})
    return write_report(read_scores(frame, measure="accuracy"), tmp_path_factory.mktemp("usual") / "page.html")


class TestScript:
    def test_sorts_by_number_up_down_and_back(self, tab: Browser, small: Path) -> None:
        tab.open(small)
        names = CELLS.format(column=0)
        for expected, order in [
            (["b | c", "d", "a", "all"], "ascending"),
            (["a", "d", "b | c", "all"], "descending"),
            (["b | c", "a", "d", "all"], None),
        ]:
            tab.run(PRESS.format(column=2))
            assert tab.run(names) == expected  # the row below the line stays there
            assert tab.run("document.querySelectorAll('thead th')[2].getAttribute('aria-sort')") == order
            assert tab.run("Array.from(document.querySelectorAll('tr'), r => r.className).join('')") == "rule"

    def test_undefined_values_come_last(self, tab: Browser, small: Path) -> None:
        tab.open(small)
        tab.run(PRESS.format(column=1))
        assert tab.run(CELLS.format(column=0)) == ["a", "b | c", "d", "all"]
        tab.run(PRESS.format(column=1))
        assert tab.run(CELLS.format(column=0)) == ["b | c", "a", "d", "all"]

    def test_reads_signs_stars_and_thousands(self, tab: Browser, small: Path) -> None:
        tab.open(small)
        tab.run(PRESS.format(column=3))
        assert tab.run(CELLS.format(column=0)) == ["a", "b | c", "d", "all"]

    def test_says_what_it_did(self, tab: Browser, small: Path) -> None:
        tab.open(small)
        tab.run(PRESS.format(column=0))
        assert tab.run("document.getElementById('said').textContent") == "sorted by method, ascending"

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("CSV", TABLE.to_csv()),
            ("LaTeX", TABLE.to_latex()),
            ("Markdown", TABLE.to_markdown().partition("\n\n")[2] + "\n"),
            ("Copy", "% <b> & more"),
        ],
    )
    def test_copies_what_the_other_formats_write(self, tab: Browser, small: Path, name: str, expected: str) -> None:
        tab.open(small)
        assert tab.run(COPY.replace("NAME", name)) == expected

    def test_copies_a_figure_that_stands_alone(self, tab: Browser, hard: Path) -> None:
        tab.open(hard)
        svg = tab.run(COPY.replace("NAME", "SVG"))
        assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
        assert "color: rgb(27, 30, 35)" in svg

    def test_folded_parts_are_opened_on_paper(self, tab: Browser, hard: Path) -> None:
        tab.open(hard)
        tab.run("window.dispatchEvent(new Event('beforeprint'))")
        opened = tab.run("Array.from(document.querySelectorAll('main details[open] > summary'), s => s.textContent)")
        assert opened[0] == "How the test was chosen"
        assert "How to read this" not in opened
        tab.run("window.dispatchEvent(new Event('afterprint'))")
        assert tab.run("document.querySelectorAll('main details[open]').length") == 0


class TestPage:
    @pytest.mark.parametrize("width", [390, 1280])
    def test_fits_the_screen_and_runs_nothing_else(self, tab: Browser, hard: Path, width: int) -> None:
        tab.errors.clear()
        tab.requests.clear()
        tab.open(hard, width)
        assert tab.run("document.documentElement.scrollWidth") <= width
        assert tab.errors == []
        assert tab.requests == [hard.as_uri()]

    def test_names_are_read_as_they_were_written(self, tab: Browser, hard: Path) -> None:
        tab.open(hard)
        shown = tab.run("Array.from(document.querySelectorAll('#datasets tbody th'), cell => cell.textContent)")
        assert shown == list(HARD)

    def test_a_script_in_a_page_does_not_run(self, tab: Browser, small: Path, tmp_path: Path) -> None:
        stranger = tmp_path / "page.html"
        text = small.read_text(encoding="utf-8").replace("</main>", "<script>document.title = 'mine'</script></main>")
        stranger.write_text(text, encoding="utf-8")
        tab.open(stranger)
        assert tab.run("document.title") == "t"
        assert any("Content Security Policy" in error for error in tab.errors)
        tab.errors.clear()

    def test_phones_see_that_there_is_more(self, tab: Browser, hard: Path) -> None:
        shown = "getComputedStyle(document.querySelector('#datasets .hint')).display"
        tab.open(hard, 390)
        tab.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert tab.run(shown) == "block"
        side = "getComputedStyle(document.querySelector('.SIDE')).display"
        assert tab.run(side.replace("SIDE", "side")) == "none"
        assert tab.run(side.replace("SIDE", "contents")) == "block"
        tab.open(hard, 1280)
        assert tab.run(side.replace("SIDE", "side")) == "block"
        assert tab.run(side.replace("SIDE", "contents")) == "none"

    @pytest.mark.parametrize("width", [390, 1280])
    def test_figures_fit_and_words_of_titles_stay_whole(self, tab: Browser, usual: Path, width: int) -> None:
        tab.open(usual, width)
        shown = tab.run("Array.from(document.querySelectorAll('figure svg'), e => e.getBoundingClientRect().width)")
        visible = [size for size in shown if size]
        assert visible
        assert max(visible) <= min(width, 1000) + 10  # names and numbers beside the axes may need a little more
        assert min(visible) > (250 if width == 390 else 500)
        hidden = tab.run("Array.from(document.querySelectorAll('header .frame.more'), e => e.textContent)")
        assert hidden == [] or width == 390  # the page of the verdict is seen whole
        assert tab.run(BROKEN_WORDS) == []

    def test_colours_follow_the_reader(self, tab: Browser, small: Path) -> None:
        colour = "getComputedStyle(document.body).backgroundColor"
        tab.open(small)
        assert tab.run(colour) == "rgb(255, 255, 255)"
        tab.open(small, dark=True)
        assert tab.run(colour) == "rgb(20, 23, 27)"

    @pytest.mark.skipif(not AXE, reason="axe-core is not there; `make axe` fetches it")
    @pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, False), (1280, True), (390, True)])
    def test_no_serious_finding_of_axe(
        self, tab: Browser, pages: dict[str, str], hard: Path, width: int, dark: bool
    ) -> None:
        file = hard.with_name("study.html")
        file.write_text(pages["study"], encoding="utf-8")
        for page in (hard, file):
            tab.open(page, width, dark=dark)
            tab.run("document.querySelectorAll('details').forEach(details => { details.open = true; })")
            tab.run(Path(AXE).read_text(encoding="utf-8") + "; 0")
            found = json.loads(tab.run("axe.run().then(found => JSON.stringify(found))"))
            assert len(found["passes"]) > 20
            grave = [v for v in found["violations"] if v["impact"] in ("serious", "critical")]
            assert [(v["id"], v["nodes"][0]["html"]) for v in grave] == []


class TestSize:
    def test_a_large_table_scrolls_inside_the_page(self, tab: Browser, tmp_path: Path) -> None:
        random = np.random.default_rng(4)
        columns = (Column("data set", align="left"), *(Column(f"method number {j:02d}") for j in range(60)))
        rows = tuple((f"data set {i:03d}", *random.random(60).tolist()) for i in range(120))
        page = Document((Heading("All", "all"), Table(columns, rows, caption="scores")), title="t").render("html")
        assert len(page) < 750_000
        file = tmp_path / "page.html"
        file.write_text(page, encoding="utf-8")
        tab.open(file)
        frame = "document.querySelector('.scroll')"
        assert tab.run(f"{frame}.clientHeight") < 900
        assert tab.run(f"{frame}.scrollHeight") > 3000
        tab.run(f"{frame}.scrollTo(500, 500)")
        first = f"{frame}.querySelector('thead th').getBoundingClientRect()"
        outer = f"{frame}.getBoundingClientRect()"
        assert tab.run(f"[{first}.left - {outer}.left, {first}.top - {outer}.top]") == [0, 0]  # titles and names stay
