"""The far side of a cluster: a Dask worker performs a batch of trials.

Dask can't end a task that hangs or uses all memory, and a crash would end the Dask worker. So the worker only hosts the
child processes of the local executor, one for each of its threads, which keep data sets and methods from batch to
batch. Limits and crashes cost the same as on one machine.
"""

from __future__ import annotations

import os
import pickle
import platform
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from fairtrial.design import Trial
from fairtrial.engine.executors.processes import Pool
from fairtrial.engine.gauges import SHARE, cores
from fairtrial.engine.supplies import Limits, PickledSupplies
from fairtrial.errors import WorkerError
from fairtrial.resampling import Split
from fairtrial.store import Record, versions
from fairtrial.words import listed

LOOK_SECONDS = 1.0  # between two looks whether anybody still waits for a batch
IDLE_SECONDS = 60.0  # that children are kept without work, in case the end of the run was not reported


@dataclass(frozen=True, slots=True)
class Job:
    """All that batches of one run share. Dask workers must have the package ``versions``; None accepts any."""

    run: str
    versions: Mapping[str, str] | None
    conditions: bytes
    limits: Limits
    path: tuple[str, ...]


def perform_batch(job: bytes, datasets: Mapping[int, bytes], methods: Mapping[int, bytes], batch: bytes) -> bytes:
    """Perform a batch in a child process of this Dask worker and return its records, pickled.

    Arguments are pickled too. They are unpickled only after the package versions were compared, since with other
    versions this may fail.
    """
    host = _host(pickle.loads(job))
    trials, splits = pickle.loads(batch)
    return pickle.dumps(host.perform(trials, datasets, methods, splits), protocol=5)


def stop(run: str) -> None:
    """End all children of a run, even those that perform trials."""
    with _lock:
        host = _hosts.pop(run, None)
    if host is not None:
        host.stop()


class Host:
    """The children of one run on this Dask worker, as many as there were batches at a time."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.stopped = False
        self._lock = threading.Lock()
        self._free: list[Pool] = []
        self._at_work = 0
        self._since = time.monotonic()
        threading.Thread(target=self._stop_when_idle, daemon=True).start()

    def perform(
        self, trials: list[Trial], datasets: Mapping[int, bytes], methods: Mapping[int, bytes], splits: dict[int, Split]
    ) -> list[Record]:
        """Perform a batch in a child that is free, or in a new one."""
        supplies = PickledSupplies(datasets, methods, splits, self.job.conditions, self.job.limits, self.job.path)
        records: list[Record] = []
        with self._pool() as pool:
            pool.supplies = supplies
            pool.run(trials, records.append, _StillWanted(self))
            pool.supplies = PickledSupplies({}, {}, {})  # the child has its own copies now, and Dask keeps one
        return records

    @contextmanager
    def _pool(self) -> Iterator[Pool]:
        """A pool of one child, kept for the next batch; after an error it has ended and is not kept."""
        with self._lock:
            self._at_work += 1
            pool = self._free.pop() if self._free else _child()
        try:
            yield pool
        except BaseException:
            with self._lock:
                self._at_work -= 1
            raise
        with self._lock:
            self._at_work -= 1
            self._since = time.monotonic()
            self._free.append(pool)
        if self.stopped:
            self.stop()

    def stop(self) -> None:
        """End the children that are free; those that perform trials end at their next tick."""
        with self._lock:
            self.stopped = True
            free, self._free = self._free, []
        for pool in free:
            pool.close()

    def _stop_when_idle(self) -> None:
        """End the children when they had no work for a while: a submitting process that was killed reports no end."""
        while not self.stopped:
            time.sleep(LOOK_SECONDS)
            if not self._at_work and time.monotonic() - self._since > IDLE_SECONDS:
                stop(self.job.run)


def _child() -> Pool:
    """A pool of one child with one core for each thread of the Dask worker, or as many as its environment says."""
    return Pool(PickledSupplies({}, {}, {}), 1, cores=cores() if SHARE in os.environ else 1, keep=True)


class _StillWanted:
    """A tick that ends a batch when its run is over, or when Dask has given it up because nobody waits for it."""

    def __init__(self, host: Host) -> None:
        from distributed import get_worker

        self.host = host
        self.worker = get_worker()
        self.task = self.worker.get_current_task()
        self.looked = time.monotonic()

    def __call__(self) -> None:
        now = time.monotonic()
        if now - self.looked > LOOK_SECONDS:
            self.looked = now
            task = self.worker.state.tasks.get(self.task)
            if task is None or task.state == "cancelled":
                raise WorkerError("nobody waits for this batch any more")
        if self.host.stopped:
            raise WorkerError("the run is over")


_hosts: dict[str, Host] = {}
_lock = threading.Lock()


def _host(job: Job) -> Host:
    with _lock:
        if job.run not in _hosts:
            _check_versions(job)
            _hosts[job.run] = Host(job)
        return _hosts[job.run]


def _check_versions(job: Job) -> None:
    wanted, here = job.versions or {}, versions()
    other = [f"{name} {here[name]} instead of {wanted[name]}" for name in wanted if here[name] != wanted[name]]
    if other:
        raise WorkerError(
            f"the Dask worker on {platform.node()} has other versions than this process ({listed(other, most=None)}), "
            "which may change the numbers; install the same, or go on with --accept-versions (accept_versions=True)"
        )
