"""The report: well-formed, self-contained, escaped, complete, for every door and in every format."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.report import contents_of, report_html, write_report
from fairtrial.results import Results, read_scores

EVIL = "<script>alert(1)</script>"
QUOTES = "a\"b'c & $x_1$"
VOID = {"meta", "br", "hr", "img", "input", "link"}
DOORS = ("study", "scores", "predictions", "few")


class Page(HTMLParser):
    """Tags, attributes and text of a page; every tag must be closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag, f"</{tag}> closes another"

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="session")
def pages(request: pytest.FixtureRequest) -> dict[str, str]:
    found = {}
    for door in DOORS:
        results: Results = request.getfixturevalue(door)
        found[door] = report_html(contents_of(results, results.verdict()))
    return found


@pytest.mark.parametrize("door", DOORS)
class TestEveryPage:
    def test_is_well_formed(self, pages: dict[str, str], door: str) -> None:
        page = Page(pages[door])
        assert page.open == []
        ids = [a["id"] for _, a in page.tags if a.get("id")]
        assert len(ids) == len(set(ids))
        for _, attributes in page.tags:
            if "aria-labelledby" in attributes:
                assert attributes["aria-labelledby"] in ids
        referred = re.findall(r'(?:url\(|href=")#([\w.-]+)', pages[door])
        assert set(referred) <= set(ids)

    def test_loads_nothing_and_runs_nothing(self, pages: dict[str, str], door: str) -> None:
        page = Page(pages[door])
        assert not {"script", "link", "img", "iframe", "object", "base"} & {tag for tag, _ in page.tags}
        for tag, attributes in page.tags:
            assert "src" not in attributes
            assert not any(name.startswith("on") for name in attributes)
            href = attributes.get("href") or ""
            assert tag == "a" or href == "" or href.startswith("#")
        assert "@import" not in pages[door]
        assert not re.search(r"url\((?!#)", pages[door])

    def test_suits_phones_readers_and_printers(self, pages: dict[str, str], door: str) -> None:
        page = Page(pages[door])
        assert page.all("html")[0]["lang"] == "en"
        assert any(a.get("name") == "viewport" for a in page.all("meta"))
        assert "prefers-color-scheme: dark" in pages[door]
        assert "@media print" in pages[door]
        headings = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h\d", tag)]
        assert headings[0] == 1
        assert headings.count(1) == 1
        assert all(b <= a + 1 for a, b in pairwise(headings))
        assert all(a.get("aria-label") for a in page.all("svg"))

    def test_answers_first(self, pages: dict[str, str], door: str, request: pytest.FixtureRequest) -> None:
        sentence = request.getfixturevalue(door).verdict().sentence
        text = Page(pages[door].partition("<main>")[0]).text
        assert " ".join(sentence.split()) in text

    def test_names_are_text(self, pages: dict[str, str], door: str) -> None:
        assert "<script" not in pages[door]


class TestStudyPage:
    def test_has_every_section_in_the_order_of_reading(self, study: Results) -> None:
        anchors = [section.anchor for section in contents_of(study, study.verdict()).sections]
        assert anchors == [
            "verdict",
            "why",
            "checked",
            "stable",
            "datasets",
            "measures",
            "failures",
            "warnings",
            "materials",
            "provenance",
            "references",
        ]

    def test_names_and_errors_come_back_as_they_were(self, pages: dict[str, str]) -> None:
        text = Page(pages["study"]).text
        for name in (EVIL, QUOTES, "Is <moody> any good?", f"no luck with {EVIL}", "I am moody <b>today</b>"):
            assert name in text

    def test_failures_have_reason_count_and_policy(self, study: Results, pages: dict[str, str]) -> None:
        section = next(s for s in contents_of(study, study.verdict()).sections if s.anchor == "failures")
        assert section.tables[0].rows == ((QUOTES, QUOTES, 3, f"ValueError: no luck with {EVIL}"),)
        assert "scored as the baseline 'majority' on those splits" in section.text[0]
        assert "second line" not in pages["study"]

    def test_the_best_is_bold_and_has_a_sign(self, study: Results, pages: dict[str, str]) -> None:
        verdict = study.verdict()
        table = next(s for s in contents_of(study, verdict).sections if s.anchor == "datasets").tables[0]
        means = verdict.evidence.means[:, :3]
        for row, cells in zip(means, table.rows, strict=True):
            marked = [i for i, cell in enumerate(cells[1:4]) if str(cell).startswith("★")]
            assert marked == [i for i in range(3) if row[i] == row.max()]
        assert '<td class="right best">★ 0.' in pages["study"]

    def test_methods_show_what_differs_from_the_defaults(self, pages: dict[str, str]) -> None:
        text = Page(pages["study"]).text
        assert "sklearn.tree.DecisionTreeClassifier(max_depth=2)" in text
        assert "criterion" not in text
        for fact in ("interpretable", "complexity", "majority (yardstick)"):
            assert fact in text

    def test_provenance(self, pages: dict[str, str]) -> None:
        text = Page(pages["study"]).text
        for fact in ("3-fold, stratified by class, made before the run", "Seed", "scikit-learn", "numpy"):
            assert fact in text

    def test_other_measures_have_a_direction(self, pages: dict[str, str]) -> None:
        text = Page(pages["study"]).text
        assert "log loss ↓" in text
        assert "accuracy ↑" in text

    def test_other_measures_follow_the_failure_policy(self, study: Results) -> None:
        verdict = study.verdict()
        table = next(s for s in contents_of(study, verdict).sections if s.anchor == "measures").tables[0]
        shown = {row[0]: str(row[1]).removeprefix("★ ") for row in table.rows}
        means = dict(zip(verdict.evidence.columns, verdict.evidence.means.mean(axis=0), strict=True))
        failed = {m: "†" if verdict.evidence.stood_in(m) else "" for m in means}
        assert list(failed.values()).count("†") == 1
        assert shown == {method: f"{mean:.3f}{failed[method]}" for method, mean in means.items()}
        assert table.notes[1].startswith("† 3 of 72 trials failed: ")
        assert table.notes[2:] == (
            "fit time of failed trials: the limit that cut them off, or the largest of the other methods",
        )

    def test_null_hypothesis_and_references(self, pages: dict[str, str]) -> None:
        text = Page(pages["study"]).text
        assert "Null hypothesis For each pair of methods: the differences" in text
        assert "Demšar, J. (2006)" in text
        assert "doi.org/10.2307/3001968" in text


class TestWhatMatters:
    @pytest.mark.parametrize(("smallest", "said"), [(0.01, "stated with the study"), (0.02, "when the verdict was")])
    def test_says_when_it_was_said(self, study: Results, smallest: float, said: str) -> None:
        contents = contents_of(study, study.verdict(smallest_difference=smallest))
        facts = dict(next(s for s in contents.sections if s.anchor == "why").facts)
        assert said in facts["What matters"]


class TestOtherDoors:
    def test_what_is_unknown_is_left_out(self, scores: Results) -> None:
        anchors = {section.anchor for section in contents_of(scores, scores.verdict()).sections}
        assert not anchors & {"failures", "warnings", "materials", "measures"}

    def test_findings_per_data_set(self, pages: dict[str, str]) -> None:
        page = Page(pages["few"])
        assert len(page.all("details")) >= 3
        assert "accuracy on y" in page.text

    def test_a_verdict_with_other_questions(self, scores: Results) -> None:
        contents = contents_of(scores, scores.verdict(control="B"))
        assert contents.question == "How do the others compare with B in accuracy?"


class TestWrite:
    def test_says_where_and_takes_the_results_own_question(self, scores: Results, tmp_path: Path) -> None:
        written = write_report(scores, str(tmp_path / "x.html"))
        assert written == tmp_path / "x.html"
        assert scores.verdict().sentence.split("<")[0] in written.read_text(encoding="utf-8")
        assert [p.name for p in tmp_path.iterdir()] == ["x.html"]

    def test_results_have_it(self, scores: Results, tmp_path: Path) -> None:
        assert scores.report(tmp_path / "x.html").exists()

    def test_markdown(self, study: Results, tmp_path: Path) -> None:
        text = write_report(study, tmp_path / "x.md").read_text(encoding="utf-8")
        assert text.startswith("# Is \\<moody\\> any good?")
        assert "<script" not in text.replace("\\<", "")
        assert "| tree |" in text
        assert sorted(p.name for p in tmp_path.iterdir()) == ["x-1.png", "x-2.png", "x-3.png", "x.md"]
        assert all(f"](<x-{n}.png>)" in text for n in (1, 2, 3))

    def test_latex(self, study: Results, tmp_path: Path) -> None:
        text = write_report(study, tmp_path / "x.tex").read_text(encoding="utf-8")
        assert r"\$x\_1\$" in text
        assert r"$\star$" in text
        assert "★" not in text
        assert text.count(r"\begin{tabular}") == text.count(r"\end{adjustbox}") > 4
        for kind in ("table", "figure", "itemize", "description", "enumerate", "document"):
            assert text.count(rf"\begin{{{kind}}}") == text.count(rf"\end{{{kind}}}") > 0
        assert (tmp_path / "x-1.pdf").exists()

    def test_latex_compiles(self, study: Results, tmp_path: Path, pdflatex: Callable[[Path], None]) -> None:
        pdflatex(write_report(study, tmp_path / "x.tex"))

    def test_a_report_that_is_there_stays_when_the_new_one_fails(
        self, scores: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        target = tmp_path / "x.html"
        target.write_text("old")

        def full(*_: object, **__: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "write_text", full)
        with pytest.raises(InputError, match=r"x.html' can't be written \(No space left on device\)"):
            write_report(scores, target)
        assert [p.name for p in tmp_path.iterdir()] == ["x.html"]
        assert target.read_bytes() == b"old"

    def test_an_unknown_ending(self, scores: Results, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"must end with .html, .md or .tex, got 'x.docx'; try 'x.html'"):
            write_report(scores, tmp_path / "x.docx")

    def test_a_folder_that_is_not_there(self, scores: Results, tmp_path: Path) -> None:
        with pytest.raises(InputError, match="needs a folder to be in"):
            write_report(scores, tmp_path / "no" / "x.html")

    def test_a_folder_in_its_place(self, scores: Results, tmp_path: Path) -> None:
        (tmp_path / "x.html").mkdir()
        with pytest.raises(InputError, match=r"x.html' can't be written \(Is a directory\); choose another place"):
            write_report(scores, tmp_path / "x.html")

    @pytest.mark.usefixtures("bound_by_permissions")
    def test_a_folder_that_is_read_only(self, scores: Results, tmp_path: Path) -> None:
        tmp_path.chmod(0o500)
        with pytest.raises(InputError, match="can't be written"):
            write_report(scores, tmp_path / "x.html")


class TestDidNotRun:
    """A method that never ran is named before the answer, and has no number on the page."""

    @pytest.fixture
    def absent(self) -> Results:
        random = np.random.default_rng(8)
        frame = pd.DataFrame({"dataset": [f"d{i}" for i in range(9)], **{m: random.random(9) for m in "ABC"}})
        frame["never <b>"] = [0.9, *[None] * 8]
        frame.loc[3, "B"] = None
        return read_scores(frame, measure="accuracy", baseline="C")

    @pytest.mark.parametrize("ending", ["html", "md", "tex"])
    def test_before_the_answer(self, absent: Results, tmp_path: Path, ending: str) -> None:
        page = write_report(absent, tmp_path / f"r.{ending}").read_text(encoding="utf-8")
        first = page.index("has no score on 8 of 9 data sets, so nothing is said about it.")
        assert first < page.index(absent.verdict().answer.split(" ")[0], first)
        assert first < page.index("methods")
        assert "never <b>" not in page
        assert ("$\\dagger$" if ending == "tex" else "†") in page

    def test_tables(self, absent: Results) -> None:
        verdict = absent.verdict()
        means = next(s for s in contents_of(absent, verdict).sections if s.anchor == "datasets").tables[0]
        assert [c.title for c in means.columns] == ["data set", "A", "B", "C"]
        assert str(means.rows[3][2]) == "failed"
        assert "left out: never <b> has no score" in means.notes
