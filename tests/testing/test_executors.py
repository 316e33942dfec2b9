"""The contract of executors: all of ours keep it, and it catches what breaks it."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest

import fairtrial as ft
from fairtrial.engine.executors.serial import InThisProcess
from fairtrial.errors import ContractError
from fairtrial.store import Packed
from fairtrial.testing import check_executor, executors


def broken(executor) -> str:
    """What the contract says of an executor."""
    try:
        check_executor(executor)
    except ContractError as error:
        return str(error)
    return ""


@pytest.mark.slow
class TestOurs:
    @pytest.mark.parametrize("executor", [ft.Serial(), ft.Processes(1), ft.Processes(2)], ids=repr)
    def test_here(self, executor):
        assert broken(executor) == ""

    def test_on_a_cluster(self):
        distributed = pytest.importorskip("distributed", reason="needs Dask: pip install 'fairtrial[dask]'")
        options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
        with distributed.LocalCluster(**options) as local, distributed.Client(local) as client:
            assert broken(ft.Dask(client)) == ""


@dataclass(frozen=True)
class Flawed:
    """The serial executor with a flaw, given by its name."""

    flaw: str
    keeps_limits: bool = False
    keeps_exclusive_timing: bool = False

    @contextmanager
    def open(self, supplies, /):
        if self.flaw == "leaves a process":
            subprocess.Popen([sys.executable, "-c", "import time; time.sleep(20)"])
        yield FlawedRuns(supplies, self.flaw)


class FlawedRuns:
    def __init__(self, supplies, flaw):
        self.here, self.flaw, self.runs = InThisProcess(supplies), flaw, 0

    def run(self, trials, done, tick):
        self.runs += 1
        getattr(self, self.flaw.replace(" ", "_"), self.here.run)(list(trials), done, tick)

    def loses_one(self, trials, done, tick):
        self.here.run(trials[1:], done, tick)

    def hands_over_twice(self, trials, done, tick):
        self.here.run([*trials, trials[0]], done, tick)

    def never_ticks(self, trials, done, tick):
        self.here.run(trials, done, lambda: None)

    def works_once(self, trials, done, tick):
        self.here.run(trials if self.runs == 1 else [], done, tick)

    def swallows_errors(self, trials, done, tick):
        try:
            self.here.run(trials, done, tick)
        except Exception:  # noqa: BLE001
            tick()

    def forgets_levels(self, trials, done, tick):
        self.here.run([replace(t, levels={}) for t in trials], done, tick)

    def forgives_failures(self, trials, done, tick):
        label = {"label": Packed("<i4", (0,), b"")}
        mended = lambda r: done(r if r.status == "ok" else replace(r, status="ok", error=None, arrays=label))  # noqa: E731
        self.here.run(trials, mended, tick)

    def measures_nothing(self, trials, done, tick):
        self.here.run(trials, lambda r: done(replace(r, resources={})), tick)

    def breaks_off(self, trials, done, tick):
        raise OSError("no route to host")

    def reports_from_another_thread(self, trials, done, tick):
        with ThreadPoolExecutor(1) as threads:
            threads.submit(self.here.run, trials, done, tick).result()

    def turns_the_order(self, trials, done, tick):
        self.here.run(trials[::-1], done, tick)

    def shares_a_process(self, trials, done, tick):
        with ThreadPoolExecutor(4) as threads:
            for record in threads.map(self.here.perform, trials):
                done(record)
                tick()


class TestCheckExecutor:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("executor", "sentence"),
        [
            (Flawed("loses one"), "every trial must have one record, but of 32 trials 1 had none and 0 had several"),
            (Flawed("hands over twice"), "every trial must have one record, but of 32 trials 0 had none and 1 had"),
            (Flawed("never ticks"), "tick must be called while trials run, but never was"),
            (Flawed("works once"), "run must perform 5 more trials while it is open, got 0 records"),
            (Flawed("swallows errors"), "an error in done must come out of run as it is, got none"),
            (Flawed("forgets levels"), "predictions must be those of Serial(), bit for bit, but "),
            (Flawed("shares a process"), "others, such as draws on "),
            (Flawed("forgives failures"), "must be 'ValueError: did not converge', got 'ok'"),
            (Flawed("measures nothing"), "lacks fit_cpu, fit_time, model_size, predict_cpu and predict_time"),
            (
                Flawed("breaks off"),
                "no executor may raise on trials that it can perform, got OSError: no route to host",
            ),
            (Flawed("reports from another thread"), "done and tick must be called in the thread that called run"),
            (
                Flawed("turns the order", keeps_exclusive_timing=True),
                "keeps_exclusive_timing is declared, so that trials must run one at a time in the order given",
            ),
        ],
        ids=lambda given: given.flaw if isinstance(given, Flawed) else "",
    )
    def test_finds_the_flaw(self, executor, sentence):
        assert sentence in broken(executor)

    @pytest.mark.slow
    def test_finds_processes_that_live_on(self, monkeypatch):
        monkeypatch.setattr(executors, "ENDING_SECONDS", 0.2)
        found = broken(Flawed("leaves a process"))
        assert "leaving it must end all processes that it started, but process " in found
        assert found.count("lives on") == 3  # after a run, without one, and after an error

    @pytest.mark.slow
    def test_finds_limits_that_are_not_kept(self, monkeypatch):
        monkeypatch.setattr(executors, "OVER_TIME", 0.1)
        found = broken(Flawed("none", keeps_limits=True))
        for what in ("takes longer than its time limit", "uses more than its memory limit", "ends its process"):
            assert f"keeps_limits is declared, so that a trial that {what} must be 'failed', got 'ok'" in found
        assert "is in order" not in found

    @pytest.mark.parametrize("given", ["tcp://x", ft.Serial])
    def test_something_else(self, given):
        with pytest.raises(ContractError, match="an executor must have keeps_limits, keeps_exclusive_timing and open"):
            check_executor(given)
