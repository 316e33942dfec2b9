"""Methods that change what they share with other methods, and methods that would notice it.

A module of its own, so that its classes have an import path in worker processes.
"""

from __future__ import annotations

import decimal
import gc
import locale
import multiprocessing
import os
import random
import resource
import signal
import socket
import sys
import warnings
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import sklearn
from bad_methods import Majority


def argmax(*_: object, **__: object) -> int:
    return 0


def fails(*_: object, **__: object) -> None:
    raise RuntimeError("somebody else's")


def lower(limit: int) -> None:
    _, hard = resource.getrlimit(limit)
    resource.setrlimit(limit, (16, hard))


def thread_pools() -> None:
    from threadpoolctl import threadpool_limits

    threadpool_limits(3)


def delete_norm() -> None:
    del np.linalg.norm


STATE = {
    "working directory": lambda: os.chdir("/"),
    "environment": lambda: os.environ.update(LEFT="behind", HOME="/nowhere"),
    "mask of new files": lambda: os.umask(0o777),
    "handlers of signals": lambda: signal.signal(signal.SIGUSR1, fails),
    "timers": lambda: signal.setitimer(signal.ITIMER_REAL, 1000),
    "resource limits": lambda: lower(resource.RLIMIT_NOFILE),
    "cores that may be used": lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}),
    "locale": lambda: locale.setlocale(locale.LC_ALL, "C.UTF-8"),
    "standard streams": lambda: setattr(sys, "stdin", None),
    "sys.path": lambda: sys.path.insert(0, "/nowhere"),
    "sys.meta_path": sys.meta_path.clear,
    "sys.excepthook": lambda: setattr(sys, "excepthook", fails),
    "warning filters": lambda: warnings.simplefilter("error"),
    "trace function": lambda: sys.settrace(lambda *_: None),
    "profile function": lambda: sys.setprofile(lambda *_: None),
    "recursion limit": lambda: sys.setrecursionlimit(700),
    "switch interval": lambda: sys.setswitchinterval(0.5),
    "garbage collection": gc.disable,
    "timeout of sockets": lambda: socket.setdefaulttimeout(0.001),
    "start method of processes": lambda: multiprocessing.set_start_method("spawn", force=True),
    "decimal context": lambda: setattr(decimal.getcontext(), "prec", 2),
    "numpy's errors": lambda: np.seterr(all="raise"),
    "numpy's print options": lambda: np.set_printoptions(precision=1),
    "numpy's global generator": lambda: np.random.set_bit_generator(np.random.PCG64(1)),
    "options of scikit-learn": lambda: sklearn.set_config(assume_finite=True, transform_output="pandas"),
    "options of pandas": lambda: pd.set_option("display.max_rows", 3),
    "threads of BLAS or OpenMP": thread_pools,
}
"""What changes each aspect of the process, by its name."""

PATCHES = {
    "numpy.argmax": lambda: setattr(np, "argmax", argmax),
    "numpy.pi": lambda: setattr(np, "pi", 3.0),
    "numpy.linalg.norm": delete_norm,
    "numpy._core.fromnumeric._wrapfunc": lambda: setattr(np._core.fromnumeric, "_wrapfunc", fails),
    "sklearn.base.ClassifierMixin.score": lambda: setattr(sklearn.base.ClassifierMixin, "score", fails),
    "sklearn.base.ClassifierMixin.fitted": lambda: setattr(sklearn.base.ClassifierMixin, "fitted", fails),
    "sklearn.utils.validation.check_array": lambda: setattr(sklearn.utils.validation, "check_array", fails),
    f"{pd.DataFrame.__module__}.DataFrame.mean": lambda: setattr(pd.DataFrame, "mean", fails),
    "builtins.sum": lambda: setattr(__import__("builtins"), "sum", fails),
    "random.random": lambda: setattr(random, "random", fails),
    "sys.modules['numpy.linalg']": lambda: sys.modules.update({"numpy.linalg": ModuleType("numpy.linalg")}),
}
"""What replaces each attribute of a library, by its full name."""


class Leaks(Majority):
    """Changes ``what`` when it is fitted, on splits that ``every`` picks; "state" is all of the state."""

    def __init__(self, what: str = "state", every: int = 1) -> None:
        self.what = what
        self.every = every

    def misbehave(self) -> None:
        for change in STATE.values() if self.what == "state" else [PATCHES[self.what]]:
            change()


class Notices(Majority):
    """Fails where others have left something behind."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Notices:
        noticed = {
            "environment": "LEFT" in os.environ,
            "working directory": Path.cwd() == Path("/"),
            "handlers of signals": signal.getsignal(signal.SIGUSR1) is fails,
            "resource limits": resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 16,
            "recursion limit": sys.getrecursionlimit() == 700,
            "garbage collection": not gc.isenabled(),
            "decimal context": decimal.getcontext().prec == 2,
            "numpy's errors": np.geterr()["over"] == "raise",
            "options of scikit-learn": sklearn.get_config()["assume_finite"],
            "options of pandas": pd.get_option("display.max_rows") == 3,
            "numpy.argmax": np.argmax([1, 3, 2]) != 1,
        }
        if any(noticed.values()):
            raise RuntimeError(f"noticed {[name for name, is_there in noticed.items() if is_there]}")
        return super().fit(X, y)
