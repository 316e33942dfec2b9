"""Reports say nothing of the machine and its user, unless asked to."""

from __future__ import annotations

import importlib.resources
import platform
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.cli import cli
from fairtrial.design import load_study
from fairtrial.report import write_report
from fairtrial.results import Results, read_study
from fairtrial.store import StudyFile


class Careless(GaussianNB):
    """Names files and hosts in warnings and errors."""

    def __init__(self, folder: str = "") -> None:
        super().__init__()
        self.folder = folder

    def fit(self, X, y, sample_weight=None):  # type: ignore[no-untyped-def]
        where = f"{self.folder}/cache/model.bin"
        warnings.warn(f"{where} is old, on {platform.node()}", stacklevel=1)
        if X.shape[1] == 2:
            raise ValueError(f"{platform.node()} can't read '{where}'")
        return super().fit(X, y, sample_weight)


def places(folder: Path) -> set[str]:
    """What must not be seen."""
    return {platform.node(), str(folder), str(Path.home()), sys.prefix, str(Path(ft.__file__).parent)}


def seen(text: str, folder: Path) -> set[str]:
    plain = text.replace(r"\_", "_").replace(r"\-", "-").replace("\\", "")  # as escaped for LaTeX and Markdown
    return {place for place in places(folder) if place in text or place in plain}


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study file with all that a careless user puts into it."""
    folder = tmp_path_factory.mktemp("private")
    random = np.random.default_rng(0)
    for features in (2, 3):
        head = ",".join(f"x{i}" for i in range(features)) + ",y\n"
        rows = (f"{','.join(map(str, random.normal(size=features)))},{'no' if i % 2 else 'yes'}\n" for i in range(40))
        (folder / f"set{features}.csv").write_text(head + "".join(rows), encoding="utf-8")
    study = ft.Study(
        f"Is anything in {folder}/notes.txt true?",
        datasets=[folder / "set2.csv", folder / "set3.csv"],
        methods=[
            ft.Method("careless", Careless(str(folder)), version="1", facts={"weights": f"{folder}/weights.bin"}),
            "majority",
        ],
        resampling="3-fold",
    )
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", [f"{sys.prefix}/bin/fairtrial", "run", f"{folder}/my study.toml"])
        study.run(folder / "a.trial", workers=0, progress=False)
    return folder / "a.trial"


@pytest.fixture(scope="module")
def results(path: Path) -> Results:
    return read_study(path)


@pytest.mark.slow
class TestReport:
    @pytest.mark.parametrize("ending", ["html", "md", "tex"])
    def test_names_no_host_and_no_folder(self, results: Results, path: Path, ending: str, tmp_path: Path) -> None:
        text = write_report(results, tmp_path / f"report.{ending}").read_text(encoding="utf-8")
        assert seen(text, path.parent) == set()
        assert "model.bin" in text
        assert "set2.csv" in text
        assert "weights.bin" in text
        assert "fairtrial run" in text
        assert "my study.toml" in text

    def test_names_all_where_it_is_asked_to(self, results: Results, path: Path, tmp_path: Path) -> None:
        text = results.report(tmp_path / "full.html", full_provenance=True).read_text(encoding="utf-8")
        assert platform.node() in text
        for name in ("cache/model.bin", "set2.csv", "weights.bin", "my study.toml", "notes.txt"):
            assert f"{path.parent}/{name}" in text

    def test_on_the_command_line(self, path: Path, tmp_path: Path) -> None:
        for words, expected in (([], set()), (["--full-provenance"], {platform.node(), str(path.parent)})):
            out = tmp_path / "report.html"
            done = CliRunner().invoke(cli, ["report", str(path), "--out", str(out), *words])
            assert done.exit_code == 0, done.output
            assert seen(out.read_text(encoding="utf-8"), path.parent) >= expected
            assert bool(seen(out.read_text(encoding="utf-8"), path.parent)) == bool(expected)

    def test_with_levels(self, path: Path, tmp_path: Path) -> None:
        study = ft.Study(
            datasets=[path.with_name("set2.csv"), path.with_name("set3.csv")],
            methods=[ft.Method("careless", Careless(str(path.parent)), version="1"), "majority"],
            resampling="3-fold",
            factors={"label_noise": [0, 0.2]},
        )
        leveled = study.run(None, workers=0, progress=False)
        for full in (False, True):
            text = leveled.report(tmp_path / "levels.html", full_provenance=full).read_text(encoding="utf-8")
            assert bool(seen(text, path.parent)) == full

    @pytest.mark.slow
    def test_of_the_demo(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """With fewer folds; `make demo` runs it whole."""
        demo = Path(ft.__file__).with_name("demo.toml")
        assert len(load_study(demo).plan()) == 1320
        fewer = demo.read_text(encoding="utf-8").replace('"2x10-fold"', '"3-fold"')
        (tmp_path / "package").mkdir()
        (tmp_path / "package" / "demo.toml").write_text(fewer, encoding="utf-8")
        whole = importlib.resources.files
        monkeypatch.setattr(
            "importlib.resources.files", lambda name: tmp_path / "package" if name == "fairtrial" else whole(name)
        )
        done = CliRunner().invoke(cli, ["demo", "--into", str(tmp_path / "demo")])
        assert done.exit_code == 0, done.output
        with StudyFile(tmp_path / "demo" / "demo.trial") as file:
            assert file.query("SELECT COUNT(*) FROM trial") == [(198,)]
        text = (tmp_path / "demo" / "report.html").read_text(encoding="utf-8")
        assert "demo.trial" in text
        assert seen(text, tmp_path) == set()
