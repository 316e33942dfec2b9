"""Runs on a real Dask cluster of separate processes: the local engine's numbers, and nothing is lost with a worker."""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import bad_methods
import psutil
import pytest
from click.testing import CliRunner
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.engine import dask_executor, run
from fairtrial.errors import InputError, WorkerError
from fairtrial.store import StudyFile

distributed = pytest.importorskip("distributed", reason="runs on a cluster need Dask: pip install 'fairtrial[dask]'")

OPTIONS = {"dashboard_address": ":0", "silence_logs": 50}


@pytest.fixture(scope="module")
def client():
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, **OPTIONS}
    with distributed.LocalCluster(**options) as local, distributed.Client(local) as client:
        yield client


def study_of(methods: dict, datasets=("labor",), resampling: str = "6-fold", **options: object) -> ft.Study:
    return ft.Study(datasets=list(datasets), methods=methods, resampling=resampling, **options)


def numbers(file: StudyFile) -> dict:
    """Everything that must not depend on how the study ran."""
    return {
        r.key: (r.status, (r.error or "").split("\n")[0], [(c, a.shape, a.data) for c, a in sorted(r.arrays.items())])
        for r in file.read()
    }


def on(client, study: ft.Study, path: object = None, **options: object) -> StudyFile:
    return run(study, path, client=client, progress=False, **options)


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
        results = study.run(tmp_path / "bad.trial", client=client, progress=False)
        failures = results.failures.groupby("method")["error"].agg(lambda e: {t.split("\n")[0] for t in e}).to_dict()
        assert failures == {
            "Hangs": {"TimeLimit: not done after 1 s"},
            "Segfaults": {"Died: the process was ended by SIGSEGV"},
        }
        assert len(results.failures) == 2  # of 18 trials, on the one split that they don't like
        assert len(results.failures["fold"].unique()) == 1

    def test_two_threads_of_one_worker_have_a_child_each(self):
        """Also in the cheapest of clusters: one Dask worker, in this very process."""
        study = study_of({"bayes": GaussianNB()}, resampling="5x6-fold")
        seen = set()
        local = distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, **OPTIONS)
        with local, distributed.Client(local) as client:
            watched = dask_executor.Cluster(supplies(study), client)
            records: list = []
            tick = lambda: seen.update(workers_below(os.getpid()))  # noqa: E731
            watched.run(study.plan().trials(), records.append, tick)
        assert len(records) == 60
        assert len(seen) == 2


class TestQuiet:
    def test_dask_says_nothing_beside_us_and_afterwards_what_it_did_before(self, capfd):
        log = logging.getLogger("distributed.client")
        with dask_executor._quiet():
            log.error("lost a worker")
        assert "lost a worker" not in capfd.readouterr().err
        levels = [handler.level for handler in logging.getLogger("distributed").handlers]
        assert all(level < logging.CRITICAL for level in levels)


def supplies(study: ft.Study):
    from fairtrial.engine.run import _supplies

    return _supplies(study.plan())


def workers_below(process: int) -> list[int]:
    """Our own worker processes that some process has."""
    found = []
    for child in psutil.Process(process).children():
        try:
            if "fairtrial.worker" in child.cmdline():
                found.append(child.pid)
        except psutil.Error:
            continue
    return found


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
        watched = dask_executor.Cluster(supplies(study_of({"bayes": GaussianNB()})), client)
        first = watched._thing("data", 0)
        (holder,) = client.who_has(first)[first.key]
        os.kill(client.run(os.getpid, workers=[holder])[holder], signal.SIGKILL)
        until(lambda: first.status != "finished")
        records: list = []
        watched.run(study_of({"bayes": GaussianNB()}).plan().trials(), records.append, lambda: None)
        assert [r.status for r in records] == ["ok"] * 12

    def test_a_trial_that_ends_its_worker_every_time_is_found(self, client, tmp_path, monkeypatch):
        monkeypatch.setattr(dask_executor, "MOST_LOSSES", 1)
        client.run_on_scheduler(allow_no_failures)
        client.wait_for_workers(2, timeout=20)
        methods = {"kills": bad_methods.KillsItsHost(), "Majority": bad_methods.Majority()}
        results = study_of(methods).run(tmp_path / "kills.trial", client=client, progress=False)
        assert set(results.failures["method"]) == {"kills"}
        assert len(results.failures) == 1
        assert results.failures["error"].iloc[0].startswith("Died: its Dask worker was lost")


def allow_no_failures(dask_scheduler) -> None:
    """Else Dask itself tries a task four times, each time with a new worker."""
    dask_scheduler.allowed_failures = 0


def done(path: object) -> int:
    try:
        with StudyFile(path) as file:
            return file.query("SELECT COUNT(*) FROM trial WHERE status = 'ok'")[0][0]
    except OSError:
        return 0


def until(true, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert true()


class TestNobodyThere:
    def test_the_scheduler_goes_away(self, tmp_path, monkeypatch):
        monkeypatch.setattr(dask_executor, "WITHOUT_SCHEDULER_SECONDS", 1.0)
        study = study_of({"slow": bad_methods.Slow(0.05)}, ["iris"], "20x6-fold")
        path = tmp_path / "gone.trial"
        scheduler, worker, address = own_cluster(tmp_path)
        try:
            with distributed.Client(address) as client:

                def kill() -> None:
                    until(lambda: done(path) > 5)
                    scheduler.kill()

                threading.Thread(target=kill, daemon=True).start()
                with pytest.raises(WorkerError, match=r"connection to the Dask scheduler .* what was done is kept"):
                    on(client, study, path)
        finally:
            for process in (scheduler, worker):
                process.kill()
                process.wait()
        assert 5 < done(path) < 120
        assert not path.with_name("gone.trial.lock").exists()

    def test_no_workers(self, monkeypatch):
        monkeypatch.setattr(dask_executor, "WITHOUT_WORKERS_SECONDS", 0.5)
        monkeypatch.setattr(dask_executor, "QUIET_SECONDS", 0.1)
        said: list[str] = []
        with distributed.LocalCluster(n_workers=0, **OPTIONS) as local, distributed.Client(local) as client:
            study = study_of({"bayes": GaussianNB()})
            waiting = dask_executor.Cluster(supplies(study), client, say=said.append)
            with pytest.raises(WorkerError, match="has no workers, for"):
                waiting.run(study.plan().trials(), [].append, lambda: None)
        assert "has no workers; waiting for up to" in said[0]

    def test_no_scheduler(self, monkeypatch):
        monkeypatch.setattr(dask_executor, "CONNECT_SECONDS", 0.5)
        with (
            pytest.raises(WorkerError, match="no Dask scheduler answers at tcp"),
            dask_executor.connect("tcp://127.0.0.1:9"),
        ):
            pass


def own_cluster(folder, *path):
    """A scheduler and a worker as people start them, and the address; ``path`` comes first for the worker."""
    file = folder / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    scheduler = subprocess.Popen(
        [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", file], **quiet
    )
    before = os.environ.get("PYTHONPATH", "")  # and not this process's sys.path: it travels with the study
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, path), before])}
    worker = subprocess.Popen(
        [*dask, "worker", "--scheduler-file", file, "--nthreads", "1", "--no-nanny", "--no-dashboard"],
        env=environment,
        **quiet,
    )
    until(file.exists)
    return scheduler, worker, json.loads(file.read_text())["address"]


class TestKilled:
    def test_the_cluster_notices(self, tmp_path):
        """Nobody else would end a trial that hangs, and has no time limit, when the submitting process is gone."""
        script = tmp_path / "script.py"
        script.write_text(HANGS.format(folder=str(Path(__file__).parent)))
        scheduler, worker, address = own_cluster(tmp_path)
        try:
            submitting = subprocess.Popen([sys.executable, script, address])
            until(lambda: workers_below(worker.pid))
            submitting.kill()
            submitting.wait()
            until(lambda: not workers_below(worker.pid))
        finally:
            for process in (scheduler, worker):
                process.kill()
                process.wait()


HANGS = """
import sys
sys.path.insert(0, {folder!r})
import bad_methods, distributed, fairtrial as ft
study = ft.Study(datasets=["labor"], methods={{"hangs": bad_methods.Hangs(every=1)}}, resampling="2-fold")
study.run(client=distributed.Client(sys.argv[1]), progress=False)
"""


class TestOtherWorkers:
    def test_other_versions_are_refused_unless_accepted(self, client, monkeypatch):
        here = dask_executor.versions()
        monkeypatch.setattr(dask_executor, "versions", lambda: {**here, "numpy": "1.0"})
        with pytest.raises(WorkerError, match=r"other versions .*numpy .* instead of 1.0.*--accept-versions"):
            on(client, study_of({"bayes": GaussianNB()}))
        assert len(list(on(client, study_of({"bayes": GaussianNB()}), accept_versions=True).read())) == 12

    def test_they_need_fairtrial(self, tmp_path):
        shadow = tmp_path / "shadow"
        shadow.mkdir()
        shadow.joinpath("fairtrial.py").write_text("raise ModuleNotFoundError('not there')")
        scheduler, worker, address = own_cluster(tmp_path, shadow)
        try:
            with (
                distributed.Client(address) as client,
                pytest.raises(WorkerError, match=r"can't import fairtrial \(ModuleNotFoundError: not there\)"),
            ):
                on(client, study_of({"bayes": GaussianNB()}))
        finally:
            for process in (scheduler, worker):
                process.kill()
                process.wait()


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


class TestSchedulerFile:
    def test_it_leads_to_the_scheduler(self, client, tmp_path):
        file = tmp_path / "scheduler.json"
        file.write_text(json.dumps({"address": client.scheduler.address}))  # Dask's own may fail on what has run
        with dask_executor.connect(str(file)) as other:
            assert other.scheduler.address == client.scheduler.address

    def test_one_that_is_not_there_is_not_waited_for(self, tmp_path):
        toml, file = tmp_path / "study.toml", tmp_path / "nope.json"
        toml.write_text('datasets = ["labor"]\nresampling = "3-fold"\nmethods = ["one_rule"]\n')
        command = [sys.executable, "-m", "fairtrial.cli", "run", toml, "--cluster", file, "--no-report"]
        found = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert found.returncode == 2
        said = " ".join(found.stderr.split())
        assert "nope.json can't be read (No such file or directory); start a scheduler" in said
        assert "Traceback" not in found.stderr

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"", "must be JSON, but is not"),
            (b"\xff\xfe", "must be JSON, but is not"),
            (b"[1]", "must have an 'address' in text, got None"),
            (b'{"address": 8786}', "must have an 'address' in text, got 8786"),
        ],
    )
    def test_another_file(self, tmp_path, content, said):
        file = tmp_path / "other.json"
        file.write_bytes(content)
        with pytest.raises(InputError, match=f"{said}.*; start a scheduler that writes it"), dask_executor.connect(str(file)):
            pass


class TestInput:
    def test_workers_and_client(self, client):
        with pytest.raises(InputError, match="workers can't be given with a client"):
            study_of({"bayes": GaussianNB()}).run(client=client, workers=2)

    def test_not_a_client(self):
        with pytest.raises(InputError, match=r"client must be a dask.distributed.Client .*got 'tcp://x'"):
            study_of({"bayes": GaussianNB()}).run(client="tcp://x", progress=False)
