"""Where the locks and process groups of Linux and macOS are missing, as on Windows, everything but running works."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from fairtrial.design import Study

LACKING = """
import builtins, os, signal, sys

class Lacking:
    def find_spec(self, name, path=None, target=None):
        if name in ("fcntl", "resource", "termios", "pwd", "grp", "syslog"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in ("fcntl", "resource", "termios", "pwd", "grp", "syslog"):
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Lacking())
for name in ("killpg", "getpgrp", "setsid", "fork", "pread", "pwrite", "sched_getaffinity", "sysconf"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGALRM", "SIGKILL", "alarm"):
    delattr(signal, name)
opened = os.open
def without_proc(path, *rest, **more):
    if str(path).startswith("/proc"):
        raise FileNotFoundError(path)
    return opened(path, *rest, **more)
os.open = without_proc
"""


def there(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run code in a process that lacks them."""
    whole = LACKING + textwrap.dedent(code)
    return subprocess.run([sys.executable, "-c", whole], cwd=folder, capture_output=True, text=True)


@pytest.fixture
def folder(tmp_path):
    rows = [f"d{i},{0.9 - 0.01 * i},{0.8 - 0.01 * i}" for i in range(8)]
    (tmp_path / "scores.csv").write_text("\n".join(["dataset,a,b", *rows]), encoding="utf-8")
    Study(datasets=["iris"], methods=["majority", "one_rule"], resampling="2-fold").run(
        tmp_path / "a.trial", workers=0, progress=False
    )
    return tmp_path


@pytest.mark.slow
class TestWithout:
    def test_scores_are_judged(self, folder):
        done = there(
            """
            import fairtrial as ft
            verdict = ft.read_scores("scores.csv", measure="accuracy").verdict()
            print(verdict.winner, "wins:", verdict.sentence)
            """,
            folder,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("a wins: a is typically better than b in accuracy")

    def test_a_study_file_is_read_judged_reported_and_merged(self, folder):
        done = there(
            """
            import fairtrial as ft
            from fairtrial.store import StudyFile, study_status, merge_studies
            results = ft.read_study("a.trial")
            print(results.verdict().sentence)
            results.report("report.html")
            print(study_status(StudyFile("a.trial")))
            """,
            folder,
        )
        assert done.returncode == 0, done.stderr
        assert (folder / "report.html").stat().st_size > 10_000

    @pytest.mark.parametrize("command", [["compare", "scores.csv", "--measure", "accuracy"], ["compare", "a.trial"]])
    def test_the_command_line(self, folder, command):
        code = f"import sys; sys.argv = ['fairtrial', *{command!r}]; from fairtrial.cli import main; main()"
        done = there(code, folder)
        assert done.returncode == 0, done.stderr

    def test_running_says_what_it_needs(self, folder):
        done = there(
            """
            import fairtrial as ft
            study = ft.Study(datasets=["iris"], methods=["majority"], resampling="2-fold")
            for options in ({"path": "new.trial"}, {"path": "new.trial", "workers": 0}):
                try:
                    study.run(progress=False, **options)
                except ft.FairtrialError as error:
                    print(error)
            print(len(study.run(None, workers=0, progress=False).scores) > 0)
            """,
            folder,
        )
        assert done.returncode == 0, done.stderr
        first, second, in_memory = done.stdout.splitlines()
        assert first.startswith("worker processes need Linux or macOS")
        assert second.startswith("new.trial can't be written: study files are written on Linux and macOS only")
        assert in_memory == "True"
