"""Methods that change what they share with other methods, and methods that would notice it.

A module of its own, so that its classes have an import path in worker processes.
"""

from __future__ import annotations

import ctypes
import decimal
import gc
import io
import locale
import multiprocessing
import os
import platform
import random
import resource
import signal
import socket
import sys
import threading
import time
import warnings
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import sklearn
from bad_methods import Majority
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

sys.modules["this.is.mine"] = ModuleType("this.is.mine")


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


def end_soon() -> None:
    threading.Thread(target=time.sleep, args=(0.01,)).start()


def open_files() -> None:
    """Files that only garbage collection closes."""
    files: list = [Path(os.devnull).open() for _ in range(40)]  # noqa: SIM115
    files.append(files)


def other_code(*_: object, **__: object) -> int:
    return 0


def wrap_streams() -> None:
    """What closes the standard output once it is collected, in four ways that people write."""
    io.TextIOWrapper(sys.stdout.buffer)
    io.TextIOWrapper(sys.__stdout__.buffer)
    sys.stderr.close()
    with sys.stdout:
        pass


STATE = {
    "rounding of floats": lambda: ctypes.CDLL(None).fesetround(0x800 if platform.machine() == "x86_64" else 0x400000),
    "threads that run on": end_soon,
    "open files": open_files,
    "descriptors of standard streams": lambda: os.close(0),
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
    "sklearn.base.ClassifierMixin.score": lambda: setattr(sklearn.base.ClassifierMixin, "score", fails),
    "sklearn.base.ClassifierMixin.fitted": lambda: setattr(sklearn.base.ClassifierMixin, "fitted", fails),
    "sklearn.utils.validation.check_array": lambda: setattr(sklearn.utils.validation, "check_array", fails),
    f"{pd.DataFrame.__module__}.DataFrame.mean": lambda: setattr(pd.DataFrame, "mean", fails),
    "builtins.sum": lambda: setattr(__import__("builtins"), "sum", fails),
    "random.random": lambda: setattr(random, "random", fails),
    "sys.modules['this.is.mine']": lambda: sys.modules.update({"this.is.mine": ModuleType("other")}),
    "sklearn.tree._classes.DecisionTreeClassifier.fit": lambda: setattr(DecisionTreeClassifier, "fit", fails),
    "sklearn.tree._classes.BaseDecisionTree.get_depth.__code__": lambda: setattr(
        DecisionTreeClassifier.get_depth, "__code__", other_code.__code__
    ),
    "sys.modules['numpy.linalg']": lambda: sys.modules.update({"numpy.linalg": ModuleType("numpy.linalg")}),
}
"""What replaces each attribute of a library, by its full name."""

DEEP_PATCHES = {
    "numpy._core.fromnumeric._wrapfunc": lambda: setattr(np._core.fromnumeric, "_wrapfunc", fails),
    "sklearn.tree._classes.ExtraTreeClassifier.fit": lambda: setattr(ExtraTreeClassifier, "fit", fails),
    "sklearn.utils.validation.check_array.__kwdefaults__": lambda: (
        sklearn.utils.validation.check_array.__kwdefaults__.update(ensure_2d=False)
    ),
    "sklearn.utils.validation.column_or_1d.__code__": lambda: setattr(
        sklearn.utils.validation.column_or_1d, "__code__", other_code.__code__
    ),
    "sklearn.utils.validation.check_random_state.__defaults__": lambda: setattr(
        sklearn.utils.validation.check_random_state, "__defaults__", (1,)
    ),
}
"""Those that are found when all modules are compared."""


class Leaks(Majority):
    """Changes ``what`` when it is fitted, on splits that ``every`` picks; "state" is all of the state."""

    def __init__(self, what: str = "state", every: int = 1) -> None:
        self.what = what
        self.every = every

    def misbehave(self) -> None:
        for change in STATE.values() if self.what == "state" else [(PATCHES | DEEP_PATCHES)[self.what]]:
            change()


class Wraps(Majority):
    """Closes the standard streams."""

    def misbehave(self) -> None:
        wrap_streams()


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


class Spoils(Majority):
    """Leaves something for others that nobody watches: an attribute of a module of one's own."""

    hurt = False

    def misbehave(self) -> None:
        Spoils.hurt = True


class Bystander(Majority):
    """Fails, as other code would, where :class:`Spoils` was before, and on its own account if ``by_itself``."""

    def __init__(self, every: int = 1, by_itself: bool = False) -> None:
        self.every = every
        self.by_itself = by_itself

    def misbehave(self) -> None:
        if Spoils.hurt or self.by_itself:
            raise ValueError("hurt" if Spoils.hurt else "my own")
