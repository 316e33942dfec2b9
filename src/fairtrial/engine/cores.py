"""Cores: the number that this process may use, and the share of them that a trial gets.

A worker's share is all cores divided by the workers. joblib, and with it scikit-learn's ``n_jobs=-1``, keeps to it by
itself. BLAS and OpenMP use one thread, whatever the share is, unless the method asks for more: sums that are split
among threads add up in another order, and the last digits would depend on the number of workers.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

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
