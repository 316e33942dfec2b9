"""The soak test: bad methods of every kind, while the run is killed and resumed again and again.

At the end every good trial is there once, every bad one has its reason, and the numbers are those of a quiet run in one
process. The short form takes less than a minute; `make soak` sets FAIRTRIAL_KILLS to 25 and kills Dask workers, too.
Then it starts the long form of many kills (soak_runs.py), of which the first two are made here.
"""

import contextlib
import io
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import bad_methods
import numpy as np
import psutil
import pytest
import soak_check
import soak_runs
from soak_check import Outcome
from soak_kills import kill_of
from soak_study import Execution

import fairtrial as ft
from fairtrial.design import load_study
from fairtrial.engine import run
from fairtrial.store import StudyFile

KILLS = int(os.environ.get("FAIRTRIAL_KILLS", "3"))
LONG = KILLS >= 20
EVERY, RESAMPLING = (8, "12x4-fold") if LONG else (3, "3-fold")  # each failure starts a process of its own
SECONDS, MEGABYTES = 3, 200  # a good trial may be slow where much else runs

HARMLESS = {  # what they do can be seen in this process, too
    **{"Majority": None, "Babbles": None},
    "Raises": "ValueError: did not converge",
    "Quits": "SystemExit: 3",
    "WrongLength": "InputError: predict must give one prediction for each of ",
    "Nonsense": "InputError: predict must give ",
    "Strings": "InputError: predict must give labels such as ",
    "NotANumber": "InputError: predict_proba must give numbers, but ",
    **{f"Unwritable.{how}": None for how in ("warning", "output", "surrogate", "keys", "order")},
    "Unwritable.error": "ValueError: bad \\ud800 text",
    "Unwritable.long": "ValueError: long long",
    "Unwritable.mute": "Mute: it can't say what happened",
    "Unwritable.abort": "Abort: enough",
    **{
        f"OddProbabilities.{how}": "InputError: predict_proba must " for how in ("sum", "negative", "above", "infinite")
    },
    **{f"OddLabels.{how}": "InputError: predict must " for how in ("unknown", "none", "nones", "objects", "missing")},
}
HARMFUL = {
    "Hangs": (f"TimeLimit: not done after {SECONDS} s",),
    "EatsMemory": (f"MemoryLimit: used more than {MEGABYTES} MB", f"TimeLimit: not done after {SECONDS} s"),
    "Segfaults": ("Died: the process was ended by SIGSEGV",),
    "Exits": ("Died: the process exited with code 7",),
    "Forks": ("Died: the process exited with code 5",),
    "ClosesItsConnection": ("Died: it closed its connection",),
    "Interrupts": ("KeyboardInterrupt: ",),
    "Garbles": ("Died: something else than its worker spoke on its connection",),
    "Doubles": (),  # its trials go well, and none of them twice
}

STUDY = f"""
datasets = ["labor", "numbers.csv"]
resampling = "{RESAMPLING}"
time_limit = {SECONDS}
memory_limit = "{MEGABYTES} MB"

[methods.forest]
use = "sklearn.ensemble.RandomForestClassifier"
n_estimators = 5

[methods.bayes]
use = "sklearn.naive_bayes.GaussianNB"
"""


@pytest.fixture
def folder(tmp_path) -> Path:
    """A study in TOML with all that it needs beside it."""
    shutil.copy(bad_methods.__file__, tmp_path)
    generator = np.random.RandomState(0)
    rows = np.column_stack([generator.normal(size=(80, 2)).round(2), generator.randint(0, 2, 80)])
    np.savetxt(tmp_path / "numbers.csv", rows, delimiter=",", header="a,b,target", comments="", fmt="%g")
    (tmp_path / "study.toml").write_text(STUDY + "".join(map(in_toml, (*HARMLESS, *HARMFUL))), encoding="utf-8")
    return tmp_path


def in_toml(method: str) -> str:
    """A bad method, or such a one with what it does after a dot."""
    name, _, how = method.partition(".")
    chosen = f'how = "{how}"\n' if how else ""
    return f'\n[methods."{method}"]\nuse = "bad_methods.{name}"\nevery = {EVERY}\n{chosen}'


@dataclass
class Soak:
    """One study that is run, killed and resumed."""

    folder: Path
    cluster: str | None = None
    chance: random.Random = field(default_factory=lambda: random.Random(int(time.time()) if LONG else 1))
    landed: dict[str, int] = field(default_factory=dict)
    process: subprocess.Popen | None = None

    @property
    def path(self) -> Path:
        return self.folder / "study.trial"

    def start(self, workers: int = 2) -> subprocess.Popen:
        where = ("--workers", str(workers)) if self.cluster is None else ("--cluster", self.cluster)
        command = [sys.executable, "-m", "fairtrial.cli", "run", "study.toml", "--no-report", "--quiet", *where]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, cwd=self.folder, **pipes)
        return self.process

    def stop_at_random(self, process: subprocess.Popen, how: signal.Signals) -> None:
        """Soon after this run has done something, or at any moment, also while it starts or writes its plan."""
        before, deadline = self.done(), time.monotonic() + self.chance.choice([0.2, 2.0, 60.0, 60.0])
        while self.done() == before and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(self.chance.uniform(0, 0.6))
        landed = process.poll() is None
        process.send_signal(how)
        process.communicate(timeout=120)
        if landed and process.returncode not in (0, 1):
            self.landed[how.name] = self.landed.get(how.name, 0) + 1

    def done(self) -> int:
        if not self.path.exists() or self.path.stat().st_size == 0:
            return 0
        with StudyFile(self.path) as file:
            return file.query("SELECT COUNT(*) FROM trial WHERE status <> 'waiting'")[0][0]

    def is_whole(self) -> bool:
        if not self.path.exists() or self.path.stat().st_size == 0:
            return True
        with StudyFile(self.path) as file:
            return file.query("PRAGMA quick_check") == [("ok",)]

    def soak(self, kills: int) -> str:
        """Kill it so many times, then let it end; gives what it printed."""
        seen = [0]
        for how in self.ways_to_die(kills):
            self.stop_at_random(self.start(workers=self.chance.choice([1, 2])), how)
            assert self.is_whole()
            seen.append(self.done())
        assert seen == sorted(seen)
        process = self.start()
        output, errors = process.communicate(timeout=3000)
        assert process.returncode == 1, errors  # a verdict, and some trials failed
        return output

    def ways_to_die(self, kills: int) -> Iterator[signal.Signals]:
        kinds = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGKILL)
        return (kinds[i % len(kinds)] for i in range(kills))

    def told(self) -> str:
        return f"{sum(self.landed.values())} kills landed: {self.landed}"


def check(path: Path, study: ft.Study) -> None:
    """Every good trial once, every bad one with its reason, and the numbers of a quiet run."""
    planned = len(study.plan())
    with StudyFile(path) as file:
        once = file.query("SELECT COUNT(*), COUNT(DISTINCT key), MIN(attempts), MAX(attempts) FROM trial")
        assert once == [(planned, planned, 1, 1)]
        assert file.query("SELECT COUNT(*) FROM array a JOIN trial t ON t.id = a.trial WHERE t.status <> 'ok'") == [
            (0,)
        ]
        found = outcomes(file)
    with contextlib.redirect_stdout(io.StringIO()):
        quiet = outcomes(run(only_harmless(study), None, workers=0, progress=False))
    assert {place: found[place] for place in quiet} == quiet
    for method, expected in HARMLESS.items():
        reasons = {reason for (m, _), (_, reason, _) in quiet.items() if m == method and reason}
        assert bool(reasons) == bool(expected), method
        assert all(reason.startswith(expected) for reason in reasons), method
    misbehaving = {split for (m, split), (status, _, _) in quiet.items() if (m, status) == ("Raises", "failed")}
    assert 0 < len(misbehaving) < len(study.plan().splits)
    for (method, split), (status, reason, arrays) in found.items():
        if HARMFUL.get(method) and split in misbehaving:
            assert status == "failed", method
            assert reason in HARMFUL[method], method
        elif method in HARMFUL:
            assert (status, arrays) == ("ok", quiet["Majority", split][2]), (method, reason)


def only_harmless(study: ft.Study) -> ft.Study:
    methods = [m for m in study.methods if m.name not in HARMFUL]
    return ft.Study(datasets=study.datasets, methods=methods, resampling=study.resampling, seed=study.seed)


def outcomes(file: StudyFile) -> dict:
    """All that must not depend on how it was run, by method and split."""
    rows = file.query(
        "SELECT t.key, m.name, d.name, s.repeat, s.fold FROM trial t JOIN method m ON m.id = t.method "
        "JOIN dataset d ON d.id = t.dataset JOIN split s ON s.id = t.split"
    )
    where = {key: (method, tuple(split)) for key, method, *split in rows}
    return {
        where[r.key]: (
            r.status,
            (r.error or "").split("\n")[0],
            sorted((channel, a.dtype, a.shape, a.data) for channel, a in r.arrays.items()),
        )
        for r in file.read()
    }


def left_over(folder: Path) -> list[psutil.Process]:
    """Processes that were started in the folder and live on."""
    found = []
    for process in psutil.process_iter():
        try:
            if Path(process.cwd()) == folder:
                found.append(process)
        except psutil.Error:
            continue
    return found


@pytest.fixture
def soak(folder) -> Iterator[Soak]:
    made = Soak(folder)
    yield made
    if made.process is not None and made.process.poll() is None:  # the test has failed
        made.process.kill()
        made.process.wait()


class TestSoak:
    @pytest.mark.slow
    def test_nothing_is_lost_and_nothing_is_done_twice(self, folder, soak):
        output = soak.soak(KILLS)
        print(soak.told())  # `make soak` shows it
        assert sum(soak.landed.values()) >= (20 if LONG else 2)
        assert "trials failed" in output
        check(soak.path, load_study(folder / "study.toml"))
        assert sorted(p.name for p in folder.glob("study.trial*")) == ["study.trial"]  # no log, no lock
        with StudyFile(soak.path) as file:
            sessions = len(file.sessions())
        again = run(load_study(folder / "study.toml"), soak.path, workers=0, progress=False)
        assert len(again.sessions()) == sessions  # nothing was left to do
        again.close()
        _, alive = psutil.wait_procs(left_over(folder), timeout=15)
        assert not alive

    @pytest.mark.skipif(not LONG, reason="in the long form only: make soak")
    def test_on_a_cluster_whose_workers_are_killed(self, folder, soak):
        import distributed

        study = folder / "study.toml"
        study.write_text(study.read_text(encoding="utf-8").replace("12x4-fold", "4x4-fold"), encoding="utf-8")
        options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
        with distributed.LocalCluster(**options) as local, distributed.Client(local) as client:
            soak.cluster = local.scheduler_address
            for _ in range(KILLS // 5):
                soak.stop_at_random(soak.start(), signal.SIGKILL)
                assert soak.is_whole()
            process = soak.start()
            lost = 0
            while process.poll() is None and lost < 5:
                before = soak.done()
                while soak.done() < before + 10 and process.poll() is None:
                    time.sleep(0.05)
                pids = [pid for pid in client.run(os.getpid, on_error="ignore").values() if isinstance(pid, int)]
                if process.poll() is None and pids:
                    os.kill(soak.chance.choice(pids), signal.SIGKILL)
                    lost += 1
            _, errors = process.communicate(timeout=3000)
            assert process.returncode == 1, errors
            print(soak.told(), f"and {lost} Dask workers were killed")
            assert lost == 5
        check(soak.path, load_study(folder / "study.toml"))


class TestManyKills:
    @pytest.mark.slow
    def test_two_kills_and_nothing_is_wrong(self, tmp_path):
        state = tmp_path / "soak.jsonl"
        command = [sys.executable, soak_runs.__file__, "--kills", "2", "--state", state, "--resampling", "2x10-fold"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout + done.stderr
        kept = soak_runs.kept(state)
        assert [(o.number, o.kind, o.phase, o.landed) for o in kept] == [
            (0, "parent", "run", True),
            (1, "child", "export", True),
        ]
        assert done.stdout.splitlines()[-2].startswith("2 kills in ")

    def test_each_kind_in_each_phase_once_in_24_kills(self):
        kills = [kill_of(number, seed=1) for number in range(48)]
        assert len({(k.kind, k.phase) for k in kills[24:]}) == 24
        assert kills[:24] != kills[24:]
        assert kill_of(30, seed=1) == kills[30]
        assert kill_of(30, seed=1).chance.random() == kills[30].chance.random() != kills[31].chance.random()

    def test_what_is_lost(self):
        received = [Execution("aa", 1, 9.8), Execution("bb", 1, 9.95), Execution("cc", 1, 9.7)]
        assert soak_check.lost(received, 10 - soak_check.TENTH, {b"\xcc"}) == ["aa 0.100 s"]

    def test_what_is_done_twice(self):
        keys = {"1": b"\xaa", "2": b"\xbb", "3": b"\xcc"}
        log = [Execution("1", 7, 1.0), Execution("2", 8, 1.1), Execution("1", 9, 1.2), Execution("2", 9, 1.3)]
        assert soak_check.twice(log, keys, (), killed={7}) == ["bb"]
        assert soak_check.twice([Execution("3", 7, 1.0)], keys, {b"\xcc"}, killed={7}) == ["cc"]

    def test_what_differs_and_what_is_left(self, tmp_path):
        label = [("label", "<i4", (1,), b"\1\0\0\0")]
        other = [("label", "<i4", (1,), b"\2\0\0\0")]
        assert soak_check.different({b"\xaa": label, b"\xbb": other}, {b"\xaa": label, b"\xbb": label}) == ["bb"]
        for name in ("a.trial", "a.trial-wal", "a.trial.9.part", "b.trial-wal"):
            (tmp_path / name).touch()
        assert soak_check.files_left(tmp_path, ["a.trial"]) == ["a.trial-wal", "a.trial.9.part"]

    def test_the_table(self):
        outcomes = [
            Outcome(0, "child", "run", True, 60.0, lost=["aa"]),
            Outcome(1, "child", "run"),
            Outcome(2, "parent", "merge", True),
        ]
        table = soak_check.table(outcomes).splitlines()
        assert table[0].split() == ["run", "merge", "export", "verdict"]
        assert next(line for line in table if line.startswith("child")).split() == ["child", "1", "0", "0", "0"]
        assert table[-1].startswith("2 kills in 1 min; 1 lost, 0 twice")
