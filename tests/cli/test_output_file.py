"""Files to write that can't be written are refused before any work."""

from __future__ import annotations

from pathlib import Path

import pytest
from calling import fairtrial

from fairtrial.cli.output_file import any_file, figure_file, report_file, table_file
from fairtrial.errors import InputError


class TestOutputFile:
    @pytest.mark.parametrize(
        ("kind", "name"),
        [
            (figure_file, "a.PNG"), (figure_file, "a.jpg"), (report_file, "r.html"), (report_file, "r.markdown"),
            (table_file, "s.csv.gz"), (table_file, "-"), (any_file, "no ending"),
        ],
    )  # fmt: skip
    def test_names_that_are_accepted(self, kind, name, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        assert kind.convert(name, None, None) == Path(name)

    @pytest.mark.parametrize(
        ("kind", "name", "why"),
        [
            (figure_file, "a.xyz", r"'a.xyz' can't be written: its name must end in .png, .pdf or .svg"),
            (figure_file, "figure", r"its name must end in .png, .pdf or .svg"),
            (report_file, "r.pdf", r"its name must end in .md, .tex or .html"),
            (table_file, "s.xlsx", r"its name must end in .csv, .csv.gz or .parquet"),
            (report_file, "no/r.html", r"there is no folder 'no'; make it first, or choose another folder"),
            (any_file, "folder", r"it is a folder; add the name of a file"),
            (any_file, "x" * 300, r"choose another name"),
            (any_file, "a\0b", r"choose another name"),
        ],
    )
    def test_names_that_are_refused(self, kind, name, why, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "folder").mkdir()
        with pytest.raises(InputError, match=why):
            kind.convert(name, None, None)

    def test_a_folder_without_permission(self, tmp_path, monkeypatch):
        monkeypatch.setattr("os.access", lambda path, _: Path(path) not in (tmp_path, tmp_path / "a"))
        with pytest.raises(InputError, match="permission denied; choose a folder that you can write to"):
            any_file.convert(str(tmp_path / "a"), None, None)


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["compare", "nothing.csv", "--report", "r.pdf"], "--report"),
        (["compare", "nothing.csv", "--figure", "f.xyz"], "--figure"),
        (["gate", "nothing.csv", "--summary", "no/s.md"], "--summary"),
        (["gate", "nothing.csv", "--junit", "no/j.xml"], "--junit"),
        (["report", "nothing.trial", "--out", "r.pdf"], "--out"),
        (["draw", "nothing.trial", "roc", "--out", "r.xyz"], "--out"),
        (["table", "nothing.csv", "scores", "--out", "no/t.tex"], "--out"),
        (["export", "nothing.trial", "--scores", "s.xls"], "--scores"),
        (["export", "nothing.trial", "--predictions", "s.xls"], "--predictions"),
        (["export", "nothing.trial", "--anonymous", "no/a.trial"], "--anonymous"),
        (["plan", "nothing.toml", "--figure", "f.xyz"], "--figure"),
        (["run", "nothing.toml", "--into", "no/a.trial"], "--into"),
        (["merge", "nothing.trial", "--into", "no/a.trial"], "--into"),
        (["choose", "--write", "no/study.toml"], "--write"),
        (["lab", "--into", "no/lab.jsonl"], "--into"),
    ],
)
def test_every_command_looks_at_its_output_before_its_input(arguments, option, tmp_path):
    done = fairtrial(tmp_path, *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(f"fairtrial: {option} ")
    assert "can't be written" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "begins"),
    [
        ("t.tex", [], "% needs"),
        ("t.md", [], "\n|"),
        ("t.csv", [], ",b"),
        ("t.dat", ["--format", "csv"], ",b"),
    ],
)
def test_the_ending_of_a_table_tells_its_format(name, options, begins, tmp_path):
    (tmp_path / "s.csv").write_text("dataset,a,b\n" + "".join(f"d{i},0.{i}5,0.{i}3\n" for i in range(1, 8)))
    done = fairtrial(tmp_path, "table", "s.csv", "scores", "--measure", "auc", "--out", name, *options)
    assert done.returncode == 0, done.stderr
    assert begins in "\n" + (tmp_path / name).read_text(encoding="utf-8")


@pytest.mark.slow
def test_an_ending_that_tells_no_format(tmp_path):
    done = fairtrial(tmp_path, "table", "s.csv", "scores", "--measure", "auc", "--out", "t")
    assert done.returncode == 2
    assert "'t' must end in .txt, .csv, .json, .md, .markdown, .tex, .html or .htm, or --format must" in done.stderr
