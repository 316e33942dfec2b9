"""The list of output formats: light, complete, and all that another format needs."""

from __future__ import annotations

import subprocess
import sys
import types

import pytest

from fairtrial.errors import InputError, UnknownName
from fairtrial.tables import Answer, Document, Heading, Picture, Show, leave_out, output_formats
from fairtrial.tables.output_formats import FORMATS, Format, file_endings, format_called, format_of_file


class TestList:
    def test_is_had_without_anything_heavy(self):
        heavy = ("numpy", "pandas", "matplotlib", "fairtrial.tables.table", "json", "csv", "html")
        program = f"import sys, fairtrial.tables.output_formats; print([m for m in {heavy} if m in sys.modules])"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"

    @pytest.mark.parametrize("form", FORMATS.values(), ids=str)
    def test_every_format_has_a_renderer(self, form):
        assert callable(form.render)
        assert bool(form.endings) == bool(form.pictures)

    def test_unknown_names(self):
        with pytest.raises(UnknownName, match="no format is called 'markdown'; known are: csv, html"):
            format_called("markdown")


class TestFiles:
    @pytest.mark.parametrize(
        ("name", "how"),
        [("a.html", "html"), ("A.HTM", "html"), ("a.md", "md"), ("a.b.markdown", "md"), ("a.tex", "latex")],
    )
    def test_by_ending(self, name, how):
        assert format_of_file(name).name == how

    def test_other_endings(self):
        with pytest.raises(InputError, match=r"must end with .html, .md or .tex, got 'x.docx'; try 'x.html'"):
            format_of_file("x.docx")
        with pytest.raises(InputError, match=r"got 'report'; try 'report.html'"):
            format_of_file("report")
        assert file_endings() == ".html, .md or .tex"


class TestAnotherFormat:
    def test_is_a_row_and_a_module(self, monkeypatch):
        def render(document: Document, show: Show = leave_out) -> str:
            return " ".join(show(b) if isinstance(b, Picture) else b.text.upper() for b in document.blocks)

        module = types.ModuleType("fairtrial.tables.render_shout")
        module.render = render
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(output_formats.FORMATS, "shout", Format("shout", endings=(".loud",), pictures="svg"))
        document = Document((Answer("yes"), Heading("why"), Picture("t", "c", None)))
        assert document.render("shout", lambda _: "x-1.svg") == "YES WHY x-1.svg"
        assert format_of_file("x.loud").name == "shout"
        assert file_endings() == ".html, .loud, .md or .tex"
