"""Measured costs of a trial: time, memory, and the size of its model.

Cores: the number that this process may use, and the share of them that a trial gets.

A worker's share is all cores divided by the workers. joblib, and with it scikit-learn's ``n_jobs=-1``, keeps to it by
itself. BLAS and OpenMP use one thread, whatever the share is, unless the method asks for more: sums that are split
among threads add up in another order, and the last digits would depend on the number of workers.
"""

from __future__ import annotations

import ctypes
import functools
import os
import pickle
import tempfile
import time
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Any

from fairtrial.words import error_line

ON_REQUEST = frozenset({"model_size"})  # resources that take more than a few microseconds to record


def on_request(measures: Iterable[str]) -> frozenset[str]:
    """The measures of a study that trials record only on request."""
    return ON_REQUEST.intersection(measures)


class Gauges:
    """The readings of one trial, under the names of resources in its record.

    ``extra`` names resources that are read on request; ``exact`` traces allocations instead of using the high-water
    mark of the process.
    """

    def __init__(self, extra: Collection[str] = (), *, exact: bool = False) -> None:
        self.extra = extra
        self.exact = exact
        self.readings: dict[str, float] = {}
        self._since = (0.0, 0.0)

    def start(self) -> None:
        """Start the clocks."""
        self._since = time.perf_counter(), time.process_time()

    def lap(self, name: str) -> None:
        """Record wall and CPU time since the clocks were started, or since the last lap."""
        wall, cpu = self._since
        self._since = time.perf_counter(), time.process_time()
        self.readings[f"{name}_time"] = self._since[0] - wall
        self.readings[f"{name}_cpu"] = self._since[1] - cpu

    def memory(self) -> AbstractContextManager[object]:
        """A context that records its peak memory, if the operating system can tell."""
        if self.exact:
            return self._traced()
        mark = _high_water_mark(os.getpid())
        return nullcontext() if mark is None else _Marked(mark, self.readings)

    @contextmanager
    def _traced(self) -> Iterator[None]:
        """A context that records the largest number of bytes allocated inside it and held at one time, in all threads.

        Tracing costs about 50 ms, and slows down methods that allocate often, such as trees.
        """
        from memray import FileDestination, FileFormat, FileReader, Tracker

        with tempfile.TemporaryFile() as file:  # without a name, so that a killed process leaves no file
            path = f"/dev/fd/{file.fileno()}"
            destination = FileDestination(path, overwrite=True, compress_on_exit=False)
            with Tracker(destination=destination, file_format=FileFormat.AGGREGATED_ALLOCATIONS):
                yield
            file.seek(0)
            with FileReader(path) as reader:
                self.readings["peak_memory"] = float(reader.metadata.peak_memory)

    def model(self, estimator: Any) -> None:
        """Record the size of a fitted estimator, if that is requested and the estimator can be pickled."""
        if "model_size" not in self.extra:
            return
        try:
            self.readings["model_size"] = float(pickled_size(estimator))
        except Exception as error:  # noqa: BLE001 - pickling runs the estimator's own code; the predictions stand
            text = f"model_size is unknown, since the model can't be pickled: {error_line(error)}"
            warnings.warn(text, stacklevel=2)


def return_free_memory() -> None:
    """Return memory that was freed to the system: a trial that used it again would not raise the mark (glibc)."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


class _HighWaterMark:
    """The high-water mark of this process's memory since its last reset (Linux).

    The files stay open, which halves the cost to about 30 µs a trial.
    """

    def __init__(self) -> None:
        self._reset = os.open("/proc/self/clear_refs", os.O_WRONLY)
        self._now = os.open("/proc/self/statm", os.O_RDONLY)
        self._all = os.open("/proc/self/status", os.O_RDONLY)
        self._page = os.sysconf("SC_PAGE_SIZE")

    def set_back(self) -> int:
        """Lower the mark to the bytes in use now, and return these."""
        os.pwrite(self._reset, b"5", 0)  # 5 is the mark's number, man 5 proc
        return int(os.pread(self._now, 100, 0).split()[1]) * self._page

    def read(self) -> int:
        """The mark, in bytes."""
        _, _, after = os.pread(self._all, 4096, 0).partition(b"VmHWM:")
        return 1024 * int(after.split(maxsplit=1)[0])


class _Marked:
    """A context that records how far it raises the memory of this process.

    The value is a lower bound: memory that the process kept from earlier trials is used again and does not raise it.
    The mark (VmHWM of /proc/self/status) is reset for the whole process; with workers=0 that is the process of the
    caller.
    """

    def __init__(self, mark: _HighWaterMark, readings: dict[str, float]) -> None:
        self._mark = mark
        self._readings = readings

    def __enter__(self) -> None:
        self._before = self._mark.set_back()

    def __exit__(self, *_: object) -> None:
        self._readings["peak_memory"] = float(max(0, self._mark.read() - self._before))


@functools.cache
def _high_water_mark(process: int) -> _HighWaterMark | None:  # noqa: ARG001 - the key of the cache
    """The mark of the process with that number: after a fork, the open files are still those of the parent."""
    try:
        mark = _HighWaterMark()
        mark.set_back()
        mark.read()
    except (OSError, ValueError, IndexError):
        return None
    return mark


def pickled_size(value: object) -> int:
    """The number of bytes in the pickle of a value; large arrays are counted without a copy.

    >>> pickled_size(b"x" * 1000), len(pickle.dumps(b"x" * 1000, protocol=5))
    (1018, 1018)
    """
    counter = _Counter()
    pickle.Pickler(counter, protocol=5).dump(value)
    return counter.bytes


class _Counter:
    """A file that only counts the bytes that are written to it."""

    def __init__(self) -> None:
        self.bytes = 0

    def write(self, part: Any) -> None:
        self.bytes += memoryview(part).nbytes


SHARE = "LOKY_MAX_CPU_COUNT"  # the variable that joblib reads
THREADS = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR")


def cores() -> int:
    """Cores that this process may use: those that it is bound to, or fewer where LOKY_MAX_CPU_COUNT says so."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = os.environ.get(SHARE, "")
    return max(1, min(here, int(limit))) if limit.isdecimal() else here


def share(workers: int) -> int:
    """Cores for each worker, if this machine has ``workers`` of them."""
    return max(1, cores() // workers)


def environment(share: int) -> Mapping[str, str]:
    """Environment variables for a worker process, read by its libraries when they are imported."""
    one = {f"{library}_NUM_THREADS": "1" for library in THREADS}
    return {**one, "VECLIB_MAXIMUM_THREADS": "1", SHARE: str(share)}


def threads_for(wanted: bool) -> AbstractContextManager[Any]:
    """A context in which BLAS and OpenMP use this process's share of cores; without effect unless ``wanted``."""
    if not wanted:
        return nullcontext()
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[Any] = threadpool_limits(cores())
    return limits
