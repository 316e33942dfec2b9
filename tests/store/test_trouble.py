"""What can happen to a study file on a real disk: it is said, nothing is destroyed, and the study goes on after."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import fairtrial as ft
from fairtrial.engine import run
from fairtrial.errors import StudyFileError
from fairtrial.results import read_study
from fairtrial.store import Packed, Record, StudyFile

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


def small_study(**changes: object) -> ft.Study:
    options: dict = {"datasets": ["iris", "labor"], "methods": ["majority", "one_rule"], "resampling": "5-fold"}
    return ft.Study(**{**options, **changes})


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> bytes:
    """A study file that is done."""
    path = tmp_path_factory.mktemp("whole") / "a.trial"
    run(small_study(), path, workers=0, progress=False).close()
    return path.read_bytes()


def numbers(path: Path) -> dict:
    with StudyFile(path) as file:
        return {r.key: {c: a.data for c, a in r.arrays.items()} for r in file.read()}


class TestCutOff:
    PAGE = 4096

    @pytest.mark.parametrize("write", [False, True], ids=["reading", "writing"])
    @pytest.mark.parametrize("left", [1, 50, 100, 3000, PAGE, 3 * PAGE + 77, -2 * PAGE, -PAGE - 1, -PAGE, -2000, -1])
    def test_is_refused_and_left_as_it_is(self, tmp_path, whole, left, write):
        assert len(whole) > 10 * self.PAGE
        path = tmp_path / "cut.trial"
        path.write_bytes(whole[:left])
        with pytest.raises(StudyFileError, match=r"cut\.trial (was cut off|is damaged|can't be opened as a study)"):
            StudyFile(path, write=write)
        assert path.read_bytes() == whole[:left]
        assert [p.name for p in tmp_path.iterdir()] == ["cut.trial"]  # no lock, no log

    def test_says_how_much_is_left_and_what_to_do(self, tmp_path, whole):
        path = tmp_path / "cut.trial"
        path.write_bytes(whole[:-1])
        expected = rf"it has {len(whole) - 1:,} of {len(whole):,} bytes; take a copy of it that is whole, or run"
        with pytest.raises(StudyFileError, match=expected):
            read_study(path)

    def test_nothing_left_at_all(self, tmp_path):
        path = tmp_path / "empty.trial"
        path.touch()
        with pytest.raises(StudyFileError, match="is empty; run a study into it"):
            StudyFile(path)
        run(small_study(), path, workers=0, progress=False).close()  # as after a crash before the first write
        assert len(numbers(path)) == 20

    def test_the_whole_file_is_accepted(self, tmp_path, whole):
        """Also with a log beside it, in which the newest pages are, or bytes after its end."""
        path = tmp_path / "whole.trial"
        path.write_bytes(whole + b"\0" * 100)
        with StudyFile(path, write=True) as file:
            file.begin_session()
            assert path.with_name("whole.trial-wal").stat().st_size > 0
            with StudyFile(path) as reader:
                assert len(reader.sessions()) == 2
        assert len(numbers(path)) == 20

    def test_what_a_crash_left_in_the_log_is_no_lack(self, tmp_path):
        """The file alone has no tables yet: all is in the log. Copied together they are whole."""
        path = tmp_path / "a.trial"
        with StudyFile(path, write=True) as file:
            file.register(small_study().plan())
            for side in ("", "-wal"):
                shutil.copy(f"{path}{side}", f"{tmp_path / 'copy.trial'}{side}")
        with StudyFile(tmp_path / "copy.trial", write=True) as copy:
            assert copy.query("SELECT COUNT(*) FROM trial") == [(20,)]


class TestDamagedInside:
    def test_an_array(self, tmp_path, whole):
        with_blob = bytearray(whole)
        path = tmp_path / "a.trial"
        path.write_bytes(whole)
        with StudyFile(path) as file:
            ((blob,),) = file.query("SELECT data FROM array WHERE length(data) > 20 ORDER BY random() LIMIT 1")
        place = whole.index(blob)
        with_blob[place + len(blob) - 6 : place + len(blob)] = b"\xff" * 6
        path.write_bytes(with_blob)
        with pytest.raises(StudyFileError, match=r"in its table 'array' \(of the trial of"), StudyFile(path) as file:
            [a.unpack() for r in file.read() for a in r.arrays.values()]

    def test_a_page(self, tmp_path, whole):
        path = tmp_path / "a.trial"
        for page in range(1, len(whole) // 4096, 3):
            path.write_bytes(whole[: page * 4096] + os.urandom(4096) + whole[(page + 1) * 4096 :])
            try:
                read_study(path).verdict()
            except StudyFileError as error:
                assert "damaged" in str(error)  # noqa: PT017 - a page that nobody reads does no harm


@pytest.mark.usefixtures("bound_by_permissions")
class TestReadOnly:
    def test_a_file(self, tmp_path, whole):
        path = tmp_path / "a.trial"
        path.write_bytes(whole)
        path.chmod(0o444)
        larger = small_study(resampling="2x5-fold")
        with pytest.raises(StudyFileError, match=r"a\.trial can't be written: it is read-only; allow writing"):
            run(larger, path, workers=0, progress=False)
        assert path.read_bytes() == whole
        assert [p.name for p in tmp_path.iterdir()] == ["a.trial"]
        assert len(numbers(path)) == 20
        path.chmod(0o644)
        run(larger, path, workers=0, progress=False).close()
        assert len(numbers(path)) == 40

    def test_a_folder(self, tmp_path, whole):
        path = tmp_path / "a.trial"
        path.write_bytes(whole)
        tmp_path.chmod(0o555)
        with pytest.raises(StudyFileError, match="can't be written: Permission denied; choose a folder"):
            StudyFile(path, write=True)
        assert len(numbers(path)) == 20
        tmp_path.chmod(0o755)

    def test_a_folder_that_is_not_there(self, tmp_path):
        with pytest.raises(StudyFileError, match="can't be written: No such file or directory; choose a folder"):
            small_study().run(tmp_path / "gone" / "a.trial")


class TestNewer:
    def test_is_left_as_it_is(self, tmp_path, whole):
        newer = bytearray(whole)
        newer[60:64] = (99).to_bytes(4, "big")  # user_version
        path = tmp_path / "newer.trial"
        path.write_bytes(newer)
        for write in (False, True):
            with pytest.raises(
                StudyFileError, match=r"made by a newer fairtrial \(file version 99, ours \d+\); update"
            ):
                StudyFile(path, write=write)
        assert path.read_bytes() == newer
        assert [p.name for p in tmp_path.iterdir()] == ["newer.trial"]


SCRIPT = """
import sys
import time
import numpy as np
import fairtrial as ft
from fairtrial.data import Dataset
from sklearn.naive_bayes import GaussianNB

class Slow(GaussianNB):
    def fit(self, X, y):
        time.sleep(0.01)  # so that records are written several times
        return super().fit(X, y)

generator = np.random.RandomState(0)
X = generator.normal(size=(3000, 3))
data = Dataset.from_arrays(X, (X[:, 0] + generator.normal(size=3000) > 0).astype(int), name="large")
methods = ["majority", ft.Method("slow", Slow(), version="1")]
study = ft.Study(datasets=[data], methods=methods, resampling="20x5-fold")
try:
    study.run(sys.argv[1], workers=0, progress=False)
except ft.StudyFileError as error:
    sys.exit(str(error))
"""


def performed(path: Path, *, most: int | None = None, within: Sequence[str] = ()) -> subprocess.CompletedProcess:
    """The script in a process of its own, within another command, with no more than so many bytes for each file."""
    limit = None if most is None else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    command = [*within, sys.executable, "-c", SCRIPT, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=limit)


def done(path: Path) -> int:
    with StudyFile(path) as file:
        return file.query("SELECT COUNT(*) FROM trial WHERE status = 'ok'")[0][0]


@pytest.fixture(scope="module")
def quiet(tmp_path_factory) -> Path:
    """What the script leaves where there is room."""
    path = tmp_path_factory.mktemp("quiet") / "a.trial"
    assert performed(path).returncode == 0
    return path


class TestFullDisk:
    def test_a_limit_on_the_size_of_files(self, tmp_path, quiet):
        """EFBIG: what a quota or `ulimit -f` does."""
        path = tmp_path / "a.trial"
        full = performed(path, most=int(0.6 * quiet.stat().st_size))
        assert full.returncode == 1
        assert full.stderr.startswith(f"{path} can't be ")
        assert "what was written before is safe" in full.stderr
        assert "run again" in full.stderr
        assert 0 < done(path) < 200
        assert not path.with_name("a.trial.lock").exists()
        assert performed(path).returncode == 0
        assert numbers(path) == numbers(quiet)

    def test_no_room_for_the_plan(self, tmp_path):
        path = tmp_path / "a.trial"
        full = performed(path, most=20_000)
        assert full.returncode == 1
        assert full.stderr.startswith(f"{path} can't be ")
        run(small_study(), path, workers=0, progress=False).close()
        assert len(numbers(path)) == 20

    def test_a_disk_without_room(self, tmp_path, quiet):
        """ENOSPC, on a small file system in memory, where one may be mounted."""
        probe = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", str(tmp_path)]
        if shutil.which("unshare") is None or subprocess.run(probe, capture_output=True, check=False).returncode:
            pytest.skip("this system lets nobody mount a file system of their own")
        small, kept = tmp_path / "small", tmp_path / "kept"
        small.mkdir()
        kept.mkdir()
        mount = f"mount -t tmpfs -o size={int(0.6 * quiet.stat().st_size)} none {small}"
        then_copy = f'{mount} && "$0" "$@"; cp {small}/* {kept}'
        full = performed(small / "a.trial", within=["unshare", "-rm", "sh", "-c", then_copy])
        assert "a.trial can't be written: the disk is full; what was written before is safe: make room" in full.stderr
        path = kept / "a.trial"
        assert not path.with_name("a.trial.lock").exists()
        assert 0 < done(path) < 200
        assert performed(path).returncode == 0
        assert numbers(path) == numbers(quiet)


class TestRemoved:
    def test_with_its_folder_in_mid_run(self, tmp_path):
        from sklearn.naive_bayes import GaussianNB

        folder = tmp_path / "folder"
        folder.mkdir()

        class Removes(GaussianNB):
            def fit(self, X, y):
                shutil.rmtree(folder)
                return super().fit(X, y)

        removes = small_study(methods={"removes": ft.Method("removes", Removes(), version="1")})
        with pytest.raises(StudyFileError, match=r"a\.trial was removed or replaced while .*; run again to begin anew"):
            run(removes, folder / "a.trial", workers=0, progress=False)
        assert not folder.exists()
        folder.mkdir()
        run(small_study(), folder / "a.trial", workers=0, progress=False).close()
        assert len(numbers(folder / "a.trial")) == 20

    def test_another_file_in_its_place_is_not_written_to(self, tmp_path, whole):
        path = tmp_path / "a.trial"
        file = StudyFile(path, write=True)
        plan = small_study().plan()
        file.register(plan)
        other = tmp_path / "other"
        other.write_bytes(whole)
        other.replace(path)
        record = Record(plan.trial(0).key, "ok", arrays={"label": Packed.of(np.zeros(3))})
        with pytest.raises(StudyFileError, match="was removed or replaced"):
            file.append([record])
        file.close()
        assert path.read_bytes() == whole
