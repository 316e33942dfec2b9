"""The check of study files from the command line: an answer in the first line, and an exit code."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairtrial.cli import check_command, cli

OLD = Path(__file__).parents[1] / "store" / "files" / "version5.trial"


@pytest.fixture
def damaged(tmp_path):
    path = Path(shutil.copy(OLD, tmp_path / "damaged.trial"))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE trial SET status = 'oc' WHERE id = 2")
    return path


def check(*files):
    return CliRunner().invoke(cli, ["check", *map(str, files)])


class TestCheck:
    def test_a_whole_file(self):
        done = check(OLD)
        assert done.exit_code == 0
        assert done.stdout.splitlines()[0].startswith(f"{OLD} is whole: 40 trials, ")

    def test_one_of_several_is_damaged(self, damaged):
        done = check(damaged, OLD)
        assert done.exit_code == 1
        first, *others = done.stdout.splitlines()
        assert first.startswith(f"{damaged} is damaged: row 2 of its table 'trial' (the trial of ")
        assert any("is whole" in line for line in others)

    def test_a_file_that_is_not_there(self, tmp_path):
        assert "is not a file" in str(check(tmp_path / "a.trial").exception)

    def test_progress_on_large_files_only_and_only_on_a_terminal(self, monkeypatch):
        with check_command.progress_on(OLD) as shown:
            assert shown is None
        monkeypatch.setattr(check_command, "LARGE", 0)
        monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
        with check_command.progress_on(OLD) as shown:
            shown(10, 32)
            shown(32, 32)
