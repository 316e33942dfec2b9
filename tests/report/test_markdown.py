"""The report as Markdown, with its pictures beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.report import contents_of, report_markdown, write_report
from fairtrial.results import Results

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


class TestMarkdown:
    def test_of_a_study(self, study: Results, tmp_path: Path) -> None:
        text = write_report(study, tmp_path / "x.md").read_text(encoding="utf-8")
        assert text.startswith("# Is \\<moody\\> any good?")
        assert "<script" not in text.replace("\\<", "")
        assert "| tree |" in text
        assert sorted(p.name for p in tmp_path.iterdir()) == ["x-1.png", "x-2.png", "x-3.png", "x.md"]
        assert all(f"](<x-{n}.png>)" in text for n in (1, 2, 3))

    def test_without_files_there_are_no_pictures(self, few: Results) -> None:
        text = report_markdown(contents_of(few, few.verdict()))
        assert "![" not in text
        assert "### y" in text  # depth that a page would fold away
        assert text.endswith("\n")
