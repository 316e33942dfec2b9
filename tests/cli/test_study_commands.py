"""Runs from the command line that meet: one writes at a time, and what was left by one that died is taken over."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fairtrial.store import StudyFile

METHOD = """
import time
from sklearn.naive_bayes import GaussianNB

class Slow(GaussianNB):
    def fit(self, X, y):
        time.sleep(0.05)
        return super().fit(X, y)

class Quick(GaussianNB):
    fails = 1
    def fit(self, X, y):
        Quick.fails -= 1
        if Quick.fails >= 0:
            raise ValueError("the first time")
        return super().fit(X, y)
"""

STUDY = """
datasets = ["iris"]
resampling = "{resampling}"
timing = "exclusive"
[methods.slow]
use = "slow_method.{name}"
threads = true
"""


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "slow_method.py").write_text(METHOD, encoding="utf-8")
    (tmp_path / "study.toml").write_text(STUDY.format(resampling="40x5-fold", name="Slow"), encoding="utf-8")
    (tmp_path / "small.toml").write_text(STUDY.format(resampling="3-fold", name="Quick"), encoding="utf-8")
    return tmp_path


def command(folder: Path, *options: str, study: str = "study.toml") -> list[str]:
    return [sys.executable, "-m", "fairtrial.cli", "run", str(folder / study), "--no-report", "--quiet", *options]


def done(path: Path) -> int:
    if not path.exists() or path.stat().st_size == 0:
        return 0
    with StudyFile(path) as file:
        return file.query("SELECT COUNT(*) FROM trial WHERE status = 'ok'")[0][0]


def until_some_are_done(process: subprocess.Popen, path: Path, more_than: int = 0) -> None:
    deadline = time.monotonic() + 60
    while done(path) <= more_than:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)


class TestTwoRuns:
    @pytest.mark.slow
    def test_the_second_is_told_who_writes_and_a_dead_writer_is_no_obstacle(self, folder):
        path = folder / "study.trial"
        first = subprocess.Popen(command(folder), stdout=subprocess.DEVNULL)
        try:
            until_some_are_done(first, path)
            second = subprocess.run(command(folder), capture_output=True, text=True, check=False)
            assert second.returncode == 2
            expected = f"fairtrial: {path} is being written by process {first.pid} on "
            assert second.stderr.startswith(expected)
            assert second.stderr.strip().endswith("wait for it, stop it, or run into another file")
        finally:
            first.kill()
            first.wait()
        lock = path.with_name("study.trial.lock")
        assert f"process {first.pid} on" in lock.read_text()  # what is left of it; the system has freed it
        before = done(path)
        third = subprocess.Popen(command(folder), stderr=subprocess.PIPE, text=True)
        try:
            until_some_are_done(third, path, before)
        finally:
            third.send_signal(signal.SIGTERM)  # as a cluster does at the end of a job: as orderly as Ctrl-C
            assert third.wait(30) == 130
        assert third.stderr.read().strip() == "fairtrial: stopped; what was done is kept: run again to go on"
        assert not lock.exists()
        assert not path.with_name("study.trial-wal").exists()
        assert done(path) > before


class TestOptions:
    @pytest.mark.slow
    def test_retries(self, folder):
        options = ("--workers", "0", "--retries", "1", "--format", "json")
        ran = subprocess.run(command(folder, *options, study="small.toml"), capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr
        assert json.loads(ran.stdout)
        with StudyFile(folder / "small.trial") as file:
            assert sorted(file.query("SELECT attempts FROM trial")) == [(1,)] * 5 + [(2,)]
            assert file.definition().timing == "exclusive"
            assert file.definition().methods[0].threads is True

    @pytest.mark.slow
    def test_exclusive_timing_and_many_workers(self, folder):
        ran = subprocess.run(command(folder, "--workers", "3"), capture_output=True, text=True, check=False)
        assert ran.returncode == 2
        assert "timing='exclusive' runs one trial at a time, which Processes(workers=3) can't keep" in ran.stderr
        assert not (folder / "study.trial").exists()


class TestDemo:
    def test_a_folder_that_cannot_be_made(self, tmp_path):
        from click.testing import CliRunner

        from fairtrial.cli import cli
        from fairtrial.errors import InputError

        (tmp_path / "file").touch()
        error = CliRunner().invoke(cli, ["demo", "--into", str(tmp_path / "file" / "demo")]).exception
        assert isinstance(error, InputError)
        assert "can't be written (Not a directory); choose another folder" in str(error)
