"""What a Dask worker does: children of its own, which end with the run, and only under the same versions."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from dask_runs import OPTIONS, on, own_cluster, study_of, workers_below
from engine_runs import until
from sklearn.naive_bayes import GaussianNB

from fairtrial.engine.executors import dask_executor
from fairtrial.engine.supplies import supplies_of
from fairtrial.errors import WorkerError

distributed = pytest.importorskip("distributed", reason="runs on a cluster need Dask: pip install 'fairtrial[dask]'")


class TestKilled:
    @pytest.mark.slow
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
study.run(executor=ft.Dask(distributed.Client(sys.argv[1])), progress=False)
"""


class TestOtherWorkers:
    @pytest.mark.slow
    def test_other_versions_are_refused_unless_accepted(self, client, monkeypatch):
        here = dask_executor.versions()
        monkeypatch.setattr(dask_executor, "versions", lambda: {**here, "numpy": "1.0"})
        with pytest.raises(WorkerError, match=r"other versions .*numpy .* instead of 1.0.*--accept-versions"):
            on(client, study_of({"bayes": GaussianNB()}))
        assert len(list(on(client, study_of({"bayes": GaussianNB()}), accept_versions=True).read())) == 12

    @pytest.mark.slow
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


class TestHost:
    @pytest.mark.slow
    def test_two_threads_of_one_worker_have_a_child_each(self):
        """Also in the cheapest of clusters: one Dask worker, in this very process."""
        study = study_of({"bayes": GaussianNB()}, resampling="5x6-fold")
        seen = set()
        local = distributed.LocalCluster(n_workers=1, threads_per_worker=2, processes=False, **OPTIONS)
        with local, distributed.Client(local) as client:
            records: list = []
            tick = lambda: seen.update(workers_below(os.getpid()))  # noqa: E731
            with dask_executor.Dask(client).open(supplies_of(study.plan())) as cluster:
                cluster.run(study.plan().trials(), records.append, tick)
        assert len(records) == 60
        assert len(seen) == 2
