"""Where a study file is: paths that are none, links, and what lies beside it."""

from pathlib import Path

import pytest

from fairtrial.design import Study
from fairtrial.errors import InputError, StudyFileError
from fairtrial.store import StudyFile
from fairtrial.store.paths import check_side_files


@pytest.fixture
def path(tmp_path):
    Study(datasets=["iris"], methods=["majority"], resampling="2-fold").run(
        tmp_path / "a.trial", workers=0, progress=False
    )
    return tmp_path / "a.trial"


class TestNames:
    @pytest.mark.parametrize("name", ["", " ", ":memory:", "file:a.trial", "file:a?mode=ro", "a\0b", Path()])
    @pytest.mark.parametrize("write", [False, True])
    def test_what_is_no_path(self, tmp_path, monkeypatch, name, write):
        monkeypatch.chdir(tmp_path)
        with pytest.raises(InputError, match="path must "):
            StudyFile(name, write=write)
        assert list(tmp_path.iterdir()) == []

    def test_a_path_of_the_wrong_kind(self):
        with pytest.raises(InputError, match=r"path must name a study file such as study\.trial, got 3"):
            StudyFile(3)

    @pytest.mark.parametrize("write", [False, True])
    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("/dev/null", "must be a study file, but it is a device or a pipe"),
            ("n" * 300, "can't be opened: File name too long"),
            ("p/" * 3000, "can't be opened: File name too long"),
            (".", "path must name a study file"),
            ("/", "must be a study file, but it is a folder"),
        ],
    )
    def test_what_is_no_file(self, name, message, write):
        with pytest.raises((StudyFileError, InputError), match=message):
            StudyFile(name, write=write)
        assert not Path("/dev/null-journal").exists()

    def test_links_that_lead_in_a_circle(self, tmp_path):
        (tmp_path / "a.trial").symlink_to(tmp_path / "b.trial")
        (tmp_path / "b.trial").symlink_to(tmp_path / "a.trial")
        with pytest.raises(StudyFileError, match=r"a\.trial can't be opened: "):
            StudyFile(tmp_path / "a.trial", write=True)

    def test_who_changes_the_folder_meanwhile(self, path, monkeypatch):
        monkeypatch.chdir(path.parent)
        with StudyFile("a.trial", write=True) as file:
            monkeypatch.chdir("/")
            file.append([])
            assert file.path == path.resolve()


class TestSideFiles:
    def test_a_journal_that_is_gone_by_the_time_it_is_looked_at(self, path, monkeypatch):
        """Another process notes a verdict just now: SQLite makes a journal and removes it."""
        path.with_name("a.trial-journal").write_bytes(b"")
        monkeypatch.setattr(Path, "open", lambda *_: (_ for _ in ()).throw(FileNotFoundError()))
        assert check_side_files(path) is None


class TestCheckKind:
    @pytest.mark.parametrize("ending", [".toml", ".csv"])
    def test_the_command_that_takes_it_is_named(self, tmp_path, ending):
        other = tmp_path / f"a{ending}"
        other.write_text("measures = ['accuracy']\n" * 100)
        command = {".toml": "run", ".csv": "compare"}[ending]
        with pytest.raises(StudyFileError) as caught:
            StudyFile(other)
        assert str(caught.value) == f"{other} is no study file (.trial); it is for `fairtrial {command} {other}`"

    def test_the_study_file_beside_it_is_named(self, path):
        path.with_suffix(".toml").write_text("measures = ['accuracy']\n")
        with pytest.raises(StudyFileError, match=r"a\.toml`; did you mean \S+a\.trial, which is beside it\?$"):
            StudyFile(path.with_suffix(".toml"))

    def test_a_study_file_may_have_any_name(self, path):
        with StudyFile(path.rename(path.with_suffix(".csv"))) as file:
            assert file.query("SELECT COUNT(*) FROM trial") == [(2,)]
