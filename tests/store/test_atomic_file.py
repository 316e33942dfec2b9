"""A file that is made of others appears when it is complete, and never in the place of another."""

import os
import signal
import subprocess
import sys

import pytest
from store_studies import TREE, scores

from fairtrial.errors import StudyFileError
from fairtrial.store import merge_studies
from fairtrial.store.paths import new_file, part_beside


class TestMerging:
    @pytest.mark.slow
    def test_a_file_that_is_there(self, ran, into):
        into.write_text("mine")
        with pytest.raises(StudyFileError, match="is there already; merge into a new file"):
            merge_studies([ran("a"), ran("b", methods=TREE)], into)
        assert into.read_text() == "mine"

    def test_a_folder_that_is_missing(self, ran, tmp_path):
        with pytest.raises(StudyFileError, match=r"no/z.trial can't be written: .*no is not a folder; create it first"):
            merge_studies([ran("a"), ran("b", methods=TREE)], tmp_path / "no" / "z.trial")

    @pytest.mark.slow
    def test_killed_before_the_end_there_is_no_half_study(self, ran, into):
        a, b = ran("a"), ran("b", methods=TREE)
        code = (
            "import os; from fairtrial.store import merge; "
            "merge._Merging._verdicts = lambda self: os.kill(os.getpid(), 9); "
            f"merge.merge_studies([{str(a)!r}, {str(b)!r}], {str(into)!r})"
        )
        assert subprocess.run([sys.executable, "-c", code]).returncode == -signal.SIGKILL
        assert not into.exists()
        merge_studies([a, b], into)
        assert len(scores(into)) == 18
        assert [p.name for p in into.parent.glob(f"{into.name}*")] == [into.name]  # what the kill left is gone, too


class TestNewFile:
    def test_gets_its_name_when_it_is_complete(self, tmp_path):
        target = tmp_path / "a.trial"
        with new_file(target, "copy") as beside:
            beside.write_text("whole")
            assert not target.exists()
        assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"a.trial": "whole"}

    def test_an_error_leaves_nothing(self, tmp_path):
        with pytest.raises(ZeroDivisionError), new_file(tmp_path / "a.trial", "copy"):
            1 / 0  # noqa: B018
        assert list(tmp_path.iterdir()) == []

    def test_a_file_that_has_come_meanwhile_stays(self, tmp_path):
        target = tmp_path / "a.trial"
        making = new_file(target, "copy")
        making.__enter__().write_text("mine")
        target.write_text("theirs")
        with pytest.raises(StudyFileError, match="made by somebody else meanwhile; copy into a new file"):
            making.__exit__(None, None, None)
        assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"a.trial": "theirs"}


class TestPartBeside:
    def test_what_a_killed_process_left_is_removed_and_nothing_else(self, tmp_path):
        target, gone = tmp_path / "a.csv", subprocess.Popen([sys.executable, "-c", ""])
        gone.wait()
        ours = part_beside(target, ".csv")
        abandoned = ours.with_name(ours.name.replace(f"-{os.getpid()}-", f"-{gone.pid}-"))
        elsewhere = ours.with_name(f"a.csv.01234567-{gone.pid}-aa.csv.part")  # of a process on another host
        mine = tmp_path / "a.csv.part"
        for path in (ours, abandoned, abandoned.with_name(f"{abandoned.name}-journal"), elsewhere, mine):
            path.touch()
        again = part_beside(target, ".csv")
        assert again not in (ours, target)
        assert again.name.endswith(".csv.part")
        assert set(tmp_path.iterdir()) == {ours, elsewhere, mine}
