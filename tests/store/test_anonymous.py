"""Anonymous copies: nothing of the machine is left in them, all else is as it was, and they go on like the original."""

from __future__ import annotations

import json
import platform
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.naive_bayes import GaussianNB
from study_changes import change

import fairtrial as ft
from fairtrial.cli import cli
from fairtrial.engine import run
from fairtrial.errors import InputError, StudyFileError
from fairtrial.results import read_study
from fairtrial.store import StudyFile, anonymous_copy, study_status

VERSION_5 = Path(__file__).parent / "files" / "version5.trial"


class Careless(GaussianNB):
    def __init__(self, folder: str = "") -> None:
        super().__init__()
        self.folder = folder

    def fit(self, X, y, sample_weight=None):
        warnings.warn(f"{self.folder}/cache.bin is old, on {platform.node()}", stacklevel=1)
        if X.shape[1] == 2:
            raise ValueError(f"{platform.node()} can't read '{self.folder}/cache.bin'")
        return super().fit(X, y, sample_weight)


def study(folder: Path, resampling: str = "3-fold") -> ft.Study:
    return ft.Study(
        f"Is anything in {folder}/notes.txt true?",
        datasets=[folder / "set2.csv", folder / "set3.csv"],
        methods=[
            ft.Method("careless", Careless(str(folder)), version="1", facts={"at": f"{folder}/w.bin"}),
            "majority",
        ],
        resampling=resampling,
    )


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> Path:
    """A study file with all that a careless user puts into it; labels look like paths."""
    folder = tmp_path_factory.mktemp("private")
    random = np.random.default_rng(0)
    for features in (2, 3):
        head = ",".join(f"x{i}" for i in range(features)) + ",y\n"
        labels = ("/var/log/mail", "/var/log/kernel")
        rows = (f"{','.join(map(str, random.normal(size=features)))},{labels[i % 2]}\n" for i in range(40))
        (folder / f"set{features}.csv").write_text(head + "".join(rows), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "argv", [f"{sys.prefix}/bin/fairtrial", "run", f"{folder}/my study.toml"])
        run(study(folder), folder / "a.trial", workers=0, progress=False).close()
    printed = f"looking at {folder}/cache.bin on {platform.node()}\n"  # it is caught in children only
    change(folder / "a.trial", "UPDATE trial SET output = ?", printed)
    read_study(folder / "a.trial").verdict()
    return folder / "a.trial"


@pytest.fixture
def copy(path, tmp_path) -> Path:
    with StudyFile(path) as file:
        return anonymous_copy(file, tmp_path / "blind.trial")


class TestAnonymousCopy:
    def test_nothing_of_the_machine_is_left_in_its_bytes(self, path, copy):
        places = [platform.node(), str(path.parent), str(Path.home()), sys.prefix, str(Path(ft.__file__).parent)]
        before, after = path.read_bytes(), copy.read_bytes()
        assert [place for place in places[:2] if place.encode() not in before] == []
        long = [place for place in places if len(place) > 5]  # a host called "vm" is among random bytes by chance
        assert [place for place in long if place.encode() in after] == []
        assert [p.name for p in copy.parent.iterdir()] == ["blind.trial"]

    def test_of_sessions_time_and_versions_are_left(self, path, copy):
        with StudyFile(path) as one, StudyFile(copy) as two:
            (before,), (after,) = one.sessions(), two.sessions()
        assert after == replace(before, host="", pid=0, command="")

    def test_what_methods_said_is_left_without_places(self, copy):
        with StudyFile(copy) as file:
            records = list(file.read())
            (facts, canonical) = (json.loads(file.query(f"SELECT {c} FROM {t}")[0][0]) for t, c in
                                  (("dataset", "facts"), ("method", "canonical")))  # fmt: skip
        bad = next(r for r in records if r.status == "failed")
        assert bad.error.startswith("ValueError: (host) can't read '…/cache.bin'\nTraceback")
        assert 'File "…/test_anonymous.py", line ' in bad.error
        assert bad.warnings == (("UserWarning: …/cache.bin is old, on (host)", 1),)
        assert bad.output == "looking at …/cache.bin on (host)\n"
        assert facts["source"] == "set2.csv"
        assert facts["classes"] == ["/var/log/kernel", "/var/log/mail"]  # labels are data
        assert canonical["estimator"]["of"]["params"]["folder"].startswith("…/private")

    @pytest.mark.slow
    def test_is_judged_and_reported_like_the_original(self, path, copy, tmp_path):
        one, two = read_study(path), read_study(copy)
        assert two.verdict().answer == one.verdict().answer
        assert one.verdict().absence.startswith("careless did not run on set2: all ")
        assert "(ValueError: (host) can't read '…/cache.bin')" in two.verdict().absence
        assert two.scores.equals(one.scores)
        assert two.predictions.equals(one.predictions)
        reports = [r.report(tmp_path / f"{n}.md").read_text(encoding="utf-8") for n, r in (("a", one), ("blind", two))]
        cut = [text.replace("a.trial", "blind.trial").replace("a-", "blind-").splitlines() for text in reports]
        differing = [line for line in cut[0] if line not in cut[1]]
        assert all("fairtrial run" in line for line in differing), differing

    @pytest.mark.slow
    def test_the_report_says_when_but_not_where(self, copy, tmp_path):
        text = read_study(copy).report(tmp_path / "full.md", full_provenance=True).read_text(encoding="utf-8")
        line = next(line for line in text.splitlines() if line.startswith("- **Run:**"))
        assert line.endswith(" UTC")

    def test_goes_on_where_the_original_was(self, path, copy):
        file = run(study(path.parent), copy, workers=0, progress=False)
        assert file.query("SELECT COUNT(*), SUM(attempts) FROM trial") == [(12, 12)]
        file.close()
        file = run(study(path.parent, "2x3-fold"), copy, workers=0, progress=False)
        assert file.query("SELECT COUNT(*), SUM(attempts) FROM trial") == [(24, 24)]
        file.close()

    def test_a_study_without_places_keeps_its_definition(self, tmp_path):
        plain = ft.Study(datasets=["iris"], methods=["majority", "one_rule"], resampling="3-fold")
        with run(plain, tmp_path / "a.trial", workers=0, progress=False) as file:
            anonymous_copy(file, tmp_path / "b.trial")
            with StudyFile(tmp_path / "b.trial") as copied:
                for query in (
                    "SELECT definition FROM study",
                    "SELECT canonical FROM method",
                    "SELECT facts FROM dataset",
                ):
                    assert copied.query(query) == file.query(query)
        run(plain, tmp_path / "b.trial", workers=0, progress=False).close()
        with StudyFile(tmp_path / "b.trial") as resumed:
            assert resumed.revision() == 1

    def test_its_status(self, copy):
        with StudyFile(copy) as file:
            assert " UTC\n" in str(study_status(file))

    def test_of_a_study_in_memory_and_of_an_older_file(self, tmp_path):
        plain = ft.Study(datasets=["iris"], methods=["majority", "one_rule"], resampling="3-fold")
        in_memory = plain.run(None, workers=0, progress=False)
        (copied,) = in_memory.export(anonymous=tmp_path / "m.trial")
        assert read_study(copied).verdict().sentence == in_memory.verdict().sentence
        old = read_study(VERSION_5)
        old.export(anonymous=tmp_path / "v1.trial")
        assert read_study(tmp_path / "v1.trial").scores.equals(old.scores)

    def test_a_file_that_is_there_stays(self, path, tmp_path):
        before = path.read_bytes()
        with StudyFile(path) as file:
            with pytest.raises(StudyFileError, match=r"a\.trial is there already; copy into a new file"):
                anonymous_copy(file, path)
            with pytest.raises(StudyFileError, match="is not a folder; create it first, or choose another"):
                anonymous_copy(file, tmp_path / "gone" / "b.trial")
        assert path.read_bytes() == before

    def test_a_folder_that_is_read_only(self, path, tmp_path, bound_by_permissions):
        tmp_path.chmod(0o555)
        with (
            StudyFile(path) as file,
            pytest.raises(StudyFileError, match=r"b\.trial can't be written: Permission denied"),
        ):
            anonymous_copy(file, tmp_path / "b.trial")
        tmp_path.chmod(0o755)


class TestCommand:
    def test_export(self, path, tmp_path):
        done = CliRunner().invoke(cli, ["export", str(path), "--anonymous", str(tmp_path / "blind.trial")])
        assert (done.exit_code, done.output) == (0, f"{tmp_path / 'blind.trial'}\n")
        assert str(path.parent).encode() not in (tmp_path / "blind.trial").read_bytes()

    def test_levels_are_for_tables(self, path, tmp_path):
        words = ["export", str(path), "--anonymous", str(tmp_path / "b.trial"), "--at", "label_noise=0.1"]
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 2
        assert "--at chooses among scores and predictions" in done.output

    def test_exported_tables_name_no_place(self, path, tmp_path):
        words = ["--scores", str(tmp_path / "s.csv"), "--predictions", str(tmp_path / "p.csv")]
        assert CliRunner().invoke(cli, ["export", str(path), *words]).exit_code == 0
        for name in ("s.csv", "p.csv"):
            text = (tmp_path / name).read_text(encoding="utf-8")
            assert not [place for place in (platform.node(), str(path.parent), sys.prefix) if place in text]

    def test_results_of_a_table_have_no_study_file(self, tmp_path):
        import pandas as pd

        scores = pd.DataFrame({"dataset": list("abcdef"), "A": [3, 4, 5, 6, 7, 8], "B": [1, 3, 4, 4, 6, 5.5]})
        with pytest.raises(
            InputError, match="anonymous= copies a study file, but these results come from a table; say"
        ):
            ft.read_scores(scores, measure="rmse").export(anonymous=tmp_path / "b.trial")
