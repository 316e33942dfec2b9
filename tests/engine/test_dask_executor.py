"""Runs on a real Dask cluster of separate processes: the local engine's numbers, and nothing is lost with a worker."""

import os
import signal
import subprocess
import sys
import threading
import time

import bad_methods
import pytest
from click.testing import CliRunner
from dask_runs import on, study_of, workers_below
from engine_runs import done, numbers, until
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.engine import run
from fairtrial.engine.executors import dask_executor
from fairtrial.engine.supplies import supplies_of
from fairtrial.errors import InputError

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


distributed = pytest.importorskip("distributed", reason="runs on a cluster need Dask: pip install 'fairtrial[dask]'")


class TestCluster:
    def test_the_numbers_are_those_of_the_local_engine(self, client, tmp_path):
        methods = {"forest": RandomForestClassifier(5), "bayes": GaussianNB()}
        study = study_of(methods, ["iris", "labor"], "2x6-fold")
        file = on(client, study, tmp_path / "dask.trial")
        assert numbers(file) == numbers(run(study, workers=0, progress=False))
        assert file.query("SELECT COUNT(*), COUNT(DISTINCT key) FROM trial WHERE status = 'ok'") == [(72, 72)]
        assert len(on(client, study, tmp_path / "dask.trial").sessions()) == 1  # nothing is done twice
        assert children(client) == []

    def test_bad_methods_cost_only_their_own_trials(self, client, tmp_path):
        names = ("Majority", "Hangs", "Segfaults")
        study = study_of({n: getattr(bad_methods, n)(every=4) for n in names}, time_limit=1.0)
        results = study.run(tmp_path / "bad.trial", executor=ft.Dask(client), progress=False)
        failures = results.failures.groupby("method")["error"].agg(lambda e: {t.split("\n")[0] for t in e}).to_dict()
        assert failures == {
            "Hangs": {"TimeLimit: not done after 1 s"},
            "Segfaults": {"Died: the process was ended by SIGSEGV"},
        }
        assert len(results.failures) == 2  # of 18 trials, on the one split that they don't like
        assert len(results.failures["fold"].unique()) == 1


def children(client) -> list[int]:
    return [child for process in client.run(os.getpid).values() for child in workers_below(process)]


class TestLostWorker:
    def test_its_trials_are_run_elsewhere(self, client, tmp_path):
        """kill -9 of a Dask worker in mid-run; its nanny starts another."""
        study = study_of({"slow": bad_methods.Slow(0.05), "bayes": GaussianNB()}, ["iris"], "3x6-fold")
        killed: list[int] = []
        path = tmp_path / "lost.trial"

        def kill() -> None:
            while done(path) < 10:
                time.sleep(0.02)
            victim = next(iter(client.run(os.getpid).values()))
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        file = on(client, study, path)
        killer.join(10)
        assert len(killed) == 1
        assert file.query("SELECT status, COUNT(*) FROM trial GROUP BY status") == [("ok", 54)]
        assert numbers(file) == numbers(run(study, workers=0, progress=False))

    def test_data_that_only_it_had_are_sent_again(self, client):
        """The one worker that has them dies before any other asked for them."""
        client.wait_for_workers(2, timeout=20)
        plan, records = study_of({"bayes": GaussianNB()}).plan(), []
        with ft.Dask(client).open(supplies_of(plan)) as cluster:
            first = cluster._thing("data", 0)
            (holder,) = client.who_has(first)[first.key]
            os.kill(client.run(os.getpid, workers=[holder])[holder], signal.SIGKILL)
            until(lambda: first.status != "finished")
            cluster.run(plan.trials(), records.append, lambda: None)
        assert [r.status for r in records] == ["ok"] * 12

    def test_a_trial_that_ends_its_worker_every_time_is_found(self, client, tmp_path, monkeypatch):
        monkeypatch.setattr(dask_executor, "MOST_LOSSES", 1)
        client.run_on_scheduler(allow_no_failures)
        client.wait_for_workers(2, timeout=20)
        methods = {"kills": bad_methods.KillsItsHost(), "Majority": bad_methods.Majority()}
        results = study_of(methods).run(tmp_path / "kills.trial", executor=ft.Dask(client), progress=False)
        assert set(results.failures["method"]) == {"kills"}
        assert len(results.failures) == 1
        assert results.failures["error"].iloc[0].startswith("Died: its Dask worker was lost")


def allow_no_failures(dask_scheduler) -> None:
    """Else Dask itself tries a task four times, each time with a new worker."""
    dask_scheduler.allowed_failures = 0


class TestCommandLine:
    def test_cluster(self, client, tmp_path):
        from fairtrial.cli import cli

        toml = tmp_path / "study.toml"
        toml.write_text('datasets = ["labor"]\nresampling = "3-fold"\nmethods = ["one_rule"]\n')
        address = client.scheduler.address
        found = CliRunner().invoke(cli, ["run", str(toml), "--cluster", address, "--no-report"], catch_exceptions=False)
        assert f"Dask at {address}, " in found.output
        assert done(tmp_path / "study.trial") == 3

    def test_help_does_not_import_dask(self):
        code = "import sys, fairtrial.cli, fairtrial.engine; sys.exit('dask' in sys.modules)"
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class TestInput:
    def test_not_a_client(self):
        with pytest.raises(InputError, match=r"client must be a dask.distributed.Client .*got 'tcp://x'"):
            ft.Dask("tcp://x")
