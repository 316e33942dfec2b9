"""A report is written whole or not at all, and says where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fairtrial.errors import InputError
from fairtrial.report import write_report
from fairtrial.results import Results

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


class TestWrite:
    def test_says_where_and_takes_the_results_own_question(self, scores: Results, tmp_path: Path) -> None:
        written = write_report(scores, str(tmp_path / "x.html"))
        assert written == tmp_path / "x.html"
        assert scores.verdict().sentence.split("<")[0] in written.read_text(encoding="utf-8")
        assert [p.name for p in tmp_path.iterdir()] == ["x.html"]

    def test_results_have_it(self, scores: Results, tmp_path: Path) -> None:
        assert scores.report(tmp_path / "x.html").exists()

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


class TestMarkdown:
    def test_of_a_study(self, study: Results, tmp_path: Path) -> None:
        text = write_report(study, tmp_path / "x.md").read_text(encoding="utf-8")
        assert text.startswith("# Is \\<moody\\> any good?")
        assert text.endswith("\n")
        assert "<script" not in text.replace("\\<", "")
        assert "| tree |" in text
        assert sorted(p.name for p in tmp_path.iterdir()) == ["x-1.png", "x-2.png", "x.md"]
        assert all(f"](<x-{n}.png>)" in text for n in (1, 2))


class TestLatex:
    def test_of_a_study(self, study: Results, tmp_path: Path) -> None:
        text = write_report(study, tmp_path / "x.tex").read_text(encoding="utf-8")
        assert r"\$x\_1\$" in text
        assert r"\bfseries 0." in text
        assert text.count(r"\begin{table}") == text.count(r"\end{table}") > 4
        for kind in ("table", "figure", "description", "enumerate", "document"):
            assert text.count(rf"\begin{{{kind}}}") == text.count(rf"\end{{{kind}}}") > 0
        assert (tmp_path / "x-1.pdf").exists()

    def test_compiles(self, study: Results, tmp_path: Path, compiled: Callable[..., list[str]]) -> None:
        assert compiled(write_report(study, tmp_path / "x.tex")) == []


class TestDidNotRun:
    """A method that never ran is named before the answer, and has no number on the page."""

    @pytest.mark.parametrize("ending", ["html", "md", "tex"])
    def test_before_the_answer(self, absent: Results, tmp_path: Path, ending: str) -> None:
        page = write_report(absent, tmp_path / f"r.{ending}").read_text(encoding="utf-8")
        first = page.index("has no score on 8 of 9 data sets, so nothing is said about it.")
        assert first < page.index(absent.verdict().answer.split(" ")[0], first)
        assert first < page.index("methods")
        assert "never <b>" not in page
        assert ("$\\dagger$" if ending == "tex" else "†") in page
