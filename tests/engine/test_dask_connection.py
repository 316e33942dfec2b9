"""The connection to a Dask cluster: quiet, found by a file, and what is said when nobody is there."""

import json
import logging
import subprocess
import sys
import threading
from types import SimpleNamespace

import bad_methods
import pytest
from dask_runs import OPTIONS, on, own_cluster, study_of
from engine_runs import done, until
from sklearn.naive_bayes import GaussianNB

from fairtrial.engine.executors import dask_executor
from fairtrial.engine.supplies import supplies_of
from fairtrial.errors import InputError, WorkerError

distributed = pytest.importorskip("distributed", reason="runs on a cluster need Dask: pip install 'fairtrial[dask]'")


class TestQuiet:
    def test_dask_says_nothing_beside_us_and_afterwards_what_it_did_before(self, capfd):
        log = logging.getLogger("distributed.client")
        with dask_executor.quiet():
            log.error("lost a worker")
        assert "lost a worker" not in capfd.readouterr().err
        levels = [handler.level for handler in logging.getLogger("distributed").handlers]
        assert all(level < logging.CRITICAL for level in levels)


@pytest.mark.slow
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
            supplies = supplies_of(study.plan(), say=said.append)
            with (
                pytest.raises(WorkerError, match="has no workers, for"),
                dask_executor.Dask(client).open(supplies) as cluster,
            ):
                cluster.run(study.plan().trials(), [].append, lambda: None)
        assert "has no workers; waiting for up to" in said[0]

    def test_no_scheduler(self, monkeypatch):
        monkeypatch.setattr(dask_executor, "CONNECT_SECONDS", 0.5)
        with (
            pytest.raises(WorkerError, match="no Dask scheduler answers at tcp"),
            dask_executor.connect("tcp://127.0.0.1:9"),
        ):
            pass


class TestWatch:
    @pytest.mark.parametrize(("answer", "unfit"), [(OSError("closed"), False), (ImportError("numpy"), True)])
    def test_a_worker_that_is_lost_while_it_is_asked_is_not_unfit(self, answer, unfit):
        watch = dask_executor.Watch(SimpleNamespace(scheduler=None, status="closed"), lambda _: None)
        watch._check_workers({"tcp://gone": answer})
        assert (watch._unfit is not None, watch._fit) == (unfit, {"tcp://gone"} if unfit else set())


class TestSchedulerFile:
    @pytest.mark.slow
    def test_it_leads_to_the_scheduler(self, client, tmp_path):
        file = tmp_path / "scheduler.json"
        file.write_text(json.dumps({"address": client.scheduler.address}))  # Dask's own may fail on what has run
        with dask_executor.connect(str(file)) as other:
            assert other.scheduler.address == client.scheduler.address

    @pytest.mark.slow
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
        with (
            pytest.raises(InputError, match=f"{said}.*; start a scheduler that writes it"),
            dask_executor.connect(str(file)),
        ):
            pass
