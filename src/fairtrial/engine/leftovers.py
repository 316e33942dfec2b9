"""What trials leave behind in a process that others need, or that goes on: thread pools, threads and open files.

Each is read and set back like an aspect of the state (:mod:`fairtrial.engine.process_state`). What can't be ended is
reported once.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from typing import Any

SHARE_OF_LOOKS = 1 / 500  # of the time, for looking for thread pools that were loaded: a look takes about 10 ms
MOST_FILES = 32  # that trials may leave open: joblib keeps ten for its processes
JOIN_SECONDS = 0.05


class Pools:
    """The thread pools of BLAS and OpenMP, with the threads that each had when it was first seen."""

    def __init__(self) -> None:
        self._modules = 0
        self._next = 0.0
        self._found: list[tuple[Any, int]] = []

    def changed(self) -> tuple[str, ...]:
        if len(sys.modules) != self._modules and time.perf_counter() >= self._next:
            self._look()
        return tuple(pool.filepath for pool, threads in self._found if pool.num_threads != threads)

    def set_back(self, _: tuple[str, ...]) -> None:
        for pool, threads in self._found:
            if pool.num_threads != threads:
                pool.set_num_threads(threads)

    def _look(self) -> None:
        """Look for libraries that came with modules imported since the last look."""
        from threadpoolctl import ThreadpoolController

        begun = time.perf_counter()
        known = {pool.filepath for pool, _ in self._found}
        pools = ThreadpoolController().lib_controllers
        self._found += [(pool, pool.num_threads) for pool in pools if pool.filepath not in known]
        self._modules = len(sys.modules)
        self._next = time.perf_counter() + (time.perf_counter() - begun) / SHARE_OF_LOOKS


class Threads:
    """The threads that code of one's own has started and left behind; libraries may keep theirs, such as joblib."""

    def __init__(self) -> None:
        self._known = set(threading.enumerate())

    def left(self) -> tuple[str, ...]:
        new = set(threading.enumerate()) - self._known
        return tuple(sorted(thread.name for thread in new if not _is_of_a_library(thread)))

    def end(self, _: tuple[str, ...]) -> None:
        """Wait a moment for those that are about to end; others are known from now on, so that one trial is blamed."""
        for thread in set(threading.enumerate()) - self._known:
            thread.join(0 if _is_of_a_library(thread) else JOIN_SECONDS)
        left = self.left()
        self._known = set(threading.enumerate())
        if left:
            raise RuntimeError(f"{left} run on")


def _is_of_a_library(thread: threading.Thread) -> bool:
    """Whether a thread runs code of an installed package, or of a pool of the standard library."""
    run = getattr(thread, "function", None) or getattr(thread, "_target", None) or type(thread).run
    name = getattr(getattr(run, "func", run), "__module__", None) or "__main__"
    file = name != "__main__" and getattr(sys.modules.get(name), "__file__", None)
    return bool(file) and any(
        f"/{part}/" in str(file) for part in ("site-packages", "dist-packages", "concurrent", "multiprocessing")
    )


class Files:
    """The number of open descriptors: a few more than at first are a library's, many would be lacking to others."""

    def __init__(self) -> None:
        self._most = _descriptors() + MOST_FILES

    def too_many(self) -> bool:
        return _descriptors() > self._most

    def collect(self, _: bool) -> None:
        gc.collect()  # files of estimators that are in cycles of references
        if self.too_many():
            self.__init__()  # type: ignore[misc]  # one trial is blamed
            raise RuntimeError("files are open")


def _descriptors() -> int:
    try:
        return len(os.listdir("/dev/fd"))  # noqa: PTH208 - quicker
    except OSError:
        return 0


class StandardFiles:
    """What is behind the descriptors 0, 1 and 2, kept open under other numbers."""

    def __init__(self) -> None:
        self._kept = {n: os.dup(n) for n in range(3) if _file_behind(n) is not None}

    def __del__(self) -> None:
        for kept in self._kept.values():
            os.close(kept)

    def behind(self) -> tuple[tuple[int, int] | None, ...]:
        return tuple(map(_file_behind, self._kept))

    def set_back(self, _: object) -> None:
        for number, kept in self._kept.items():
            os.dup2(kept, number)


def _file_behind(descriptor: int) -> tuple[int, int] | None:
    try:
        found = os.fstat(descriptor)
    except OSError:
        return None
    return found.st_dev, found.st_ino
