"""Methods that misbehave, for the tests of the engine. A module of its own, so that its classes have an import path."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import json
import os
import signal
import socket
import sys
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from fairtrial.engine.executors.wire import Wire


class Majority(ClassifierMixin, BaseEstimator):
    """Behaves. The others do so too, except on splits whose training data add up to the right number."""

    def __init__(self, every: int = 3) -> None:
        self.every = every

    def misbehaves(self, X: np.ndarray) -> bool:
        return round(float(np.abs(X).sum()) * 10) % self.every == 0

    def misbehave(self) -> None: ...

    def fit(self, X: np.ndarray, y: np.ndarray) -> Majority:
        self.classes_, counts = np.unique(y, return_counts=True)
        self.label_ = self.classes_[counts.argmax()]
        if self.misbehaves(X):
            self.misbehave()
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.full(len(X), self.label_)


class Raises(Majority):
    def misbehave(self) -> None:
        raise ValueError("did not converge\nsecond line")


class Hangs(Majority):
    def misbehave(self) -> None:
        time.sleep(600)


class Burns(Majority):
    """Hangs, and computes all the time."""

    def misbehave(self) -> None:
        while True:
            pass


class Exits(Majority):
    def misbehave(self) -> None:
        os._exit(7)


class Segfaults(Majority):
    def misbehave(self) -> None:
        ctypes.string_at(0)


class EatsMemory(Majority):
    def misbehave(self) -> None:
        self.eaten = []
        while True:
            self.eaten.append(np.ones(4_000_000))
            time.sleep(0.01)


class Talks(Majority):
    def misbehave(self) -> None:
        print("hello from python")
        os.system("echo hello from a child of mine")
        for _ in range(3):
            warnings.warn("careful", UserWarning, stacklevel=1)


class WrongLength(Majority):
    def predict(self, X: np.ndarray) -> np.ndarray:
        return super().predict(X)[:-1]


class Nonsense(Majority):
    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.full(len(X), np.nan)


class WrongKind(Majority):
    def predict(self, X: np.ndarray) -> list[float]:
        return [3.5] * len(X)


class NotANumber(Majority):
    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return np.full((len(X), len(self.classes_)), np.nan)


class Interrupts(Majority):
    def misbehave(self) -> None:
        raise KeyboardInterrupt


class Quits(Majority):
    def misbehave(self) -> None:
        raise SystemExit(3)


class Forks(Majority):
    """Leaves a grandchild behind that holds the connection open, and dies."""

    def misbehave(self) -> None:
        if os.fork() == 0:
            for descriptor in range(3, 20):
                with contextlib.suppress(OSError):
                    os.set_inheritable(descriptor, True)
            os.execvp("sleep", ["sleep", "61.25"])
        os._exit(5)


class ClosesItsConnection(Majority):
    """Closes all files that it finds, as programs do that become a service, and lives on."""

    def misbehave(self) -> None:
        os.closerange(3, 200)
        time.sleep(600)


class Doubles(Majority):
    """Makes a copy of its process, and both go on: the copy would do the same trials again."""

    def misbehave(self) -> None:
        os.fork()


class SpeaksForItsWorker(Majority):
    """Says what it likes on the connection of its worker, in the worker's own words."""

    def __init__(self, every: int = 1, message: tuple = ()) -> None:
        self.every = every
        self.message = message

    def misbehave(self) -> None:
        Wire(connection()).send(*self.message)
        time.sleep(600)


class Garbles(Majority):
    """Writes to the connection of its worker what is no message, and works on."""

    def __init__(self, every: int = 3, garbage: bytes = b"hi\n") -> None:
        self.every = every
        self.garbage = garbage

    def misbehave(self) -> None:
        connection().sendall(self.garbage)


def connection() -> socket.socket:
    """That of the worker that runs this; a double, since a socket closes its file when nobody has it any more."""
    return socket.socket(fileno=os.dup(int(sys.argv[1])))


class Hungry(Majority):
    """Needs much memory while it is fitted, and lets go of it."""

    BYTES = 80_000_000

    def fit(self, X: np.ndarray, y: np.ndarray) -> Majority:
        np.ones(self.BYTES // 8)
        return super().fit(X, y)


class LoadsMuch(Majority):
    """Keeps much memory from its first fit on, as a library that is imported then does."""

    loaded: list = []  # noqa: RUF012

    def fit(self, X: np.ndarray, y: np.ndarray) -> Majority:
        if not self.loaded:
            self.loaded.append(np.ones(5_000_000))
        return super().fit(X, y)


class Slow(Majority):
    """Behaves, and takes its time."""

    def __init__(self, seconds: float = 0.05, every: int = 1) -> None:
        self.seconds = seconds
        self.every = every

    def misbehave(self) -> None:
        time.sleep(self.seconds)


class KillsItsHost(Majority):
    """Takes the process that started its own with it, as the memory limit of a whole cluster job would."""

    def __init__(self, every: int = 6) -> None:
        self.every = every

    def misbehave(self) -> None:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)


class Moody(Majority):
    """Fails so many times on each split, then goes well; what it remembers is in a folder."""

    def __init__(self, folder: str = "", failures: int = 1, how: str = "raises") -> None:
        self.folder = folder
        self.failures = failures
        self.how = how

    def misbehaves(self, X: np.ndarray) -> bool:
        place = Path(self.folder) / f"{self.how}-{hashlib.sha1(X.tobytes()).hexdigest()}"
        times = int(place.read_text()) if place.exists() else 0
        place.write_text(str(times + 1))
        self.times_ = times
        return times < self.failures

    def misbehave(self) -> None:
        if self.how == "exits":
            os._exit(7)
        if self.how == "hangs":
            time.sleep(600)
        if self.how == "stops" and self.times_ == 1:
            raise KeyboardInterrupt
        raise ValueError("not now")


class AsksForThreads(Majority):
    """Prints how many threads and cores it was given."""

    def __init__(self, every: int = 1) -> None:
        self.every = every

    def fit(self, X: np.ndarray, y: np.ndarray) -> Majority:
        self.threads_ = self.counted()
        return super().fit(X, y)

    def predict(self, X: np.ndarray) -> np.ndarray:
        import joblib

        found = {"threads": self.threads_, "afterwards": self.counted(), "joblib": joblib.cpu_count()}
        print(json.dumps({"every": self.every, **found}))
        return super().predict(X)

    @staticmethod
    def counted() -> list[int]:
        from threadpoolctl import threadpool_info

        return [library["num_threads"] for library in threadpool_info()]


class Babbles(Majority):
    """Behaves, and says far too much."""

    def misbehave(self) -> None:
        for line in range(20_000):
            print("line", line)
        for _ in range(1000):
            warnings.warn("careful", UserWarning, stacklevel=1)


class Strings(Majority):
    """Texts for classes that are numbers, and the reverse."""

    def predict(self, X: np.ndarray) -> list[object]:
        return ([1.5] if isinstance(self.label_, str) else ["one"]) * len(X)


SURROGATE = "bad \ud800 text"  # half of a pair of UTF-16: no UTF-8 has it, and no database takes it


class Unwritable(Majority):
    """Says what can't be written down as it is, where ``how`` names: an error, a warning, its output or its details."""

    def __init__(self, every: int = 3, how: str = "error") -> None:
        self.every = every
        self.how = how

    def misbehave(self) -> None:
        deep: dict[str, object] = {}
        for _ in range(600):
            deep = {"a": deep}
        details = {"surrogate": {"a": SURROGATE}, "keys": {1: 2, "1": 3}, "order": {1: 2, "b": 3}, "deep": deep}
        self.details_ = details.get(self.how)
        match self.how:
            case "error":
                raise ValueError(SURROGATE)
            case "long":
                raise ValueError("long " * 200_000)
            case "mute":
                raise Mute
            case "leaves":
                raise Leaves
            case "nameless":
                raise nameless()
            case "stdout":
                sys.stdout = None
            case "abort":
                raise Abort("enough")
            case "warning":
                warnings.warn(SURROGATE, UserWarning, stacklevel=1)
            case "output":
                os.write(1, b"half \xed\xa0\x80 a pair, \xff, \x00 and \x1b[2J")

    def fairtrial_details(self) -> dict[object, object]:
        return getattr(self, "details_", None) or {}


class Mute(Exception):
    """Can't say what happened."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


class Leaves(Exception):
    """Ends the program when it is asked what happened."""

    def __str__(self) -> str:
        sys.exit(3)


def nameless() -> Exception:
    """Not even its kind can be said in the usual way."""

    class Unnamed(type):
        @property
        def __name__(cls) -> str:
            raise ValueError("no name")

    class Nameless(Exception, metaclass=Unnamed):
        pass

    return Nameless()


class Abort(BaseException):
    """What ``except Exception`` lets through."""


class OddProbabilities(Majority):
    """Probabilities that are none; ``how`` says in what way."""

    def __init__(self, every: int = 3, how: str = "sum") -> None:
        self.every = every
        self.how = how

    def misbehave(self) -> None:
        self.odd_ = True

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        given = np.full((len(X), len(self.classes_)), 1 / len(self.classes_))
        if getattr(self, "odd_", False):
            given[:, 0], given[:, 1] = {
                "sum": (given[0, 0] - 0.001, given[0, 1]),
                "negative": (-0.1, given[0, 0] + given[0, 1] + 0.1),
                "above": (1.1, given[0, 1]),
                "infinite": (np.inf, given[0, 1]),
            }[self.how]
        return given


class OddLabels(Majority):
    """Predictions that are no labels; ``how`` says which."""

    def __init__(self, every: int = 3, how: str = "unknown") -> None:
        self.every = every
        self.how = how

    def misbehave(self) -> None:
        self.odd_ = True

    def predict(self, X: np.ndarray) -> object:
        labels = super().predict(X)
        if not getattr(self, "odd_", False):
            return labels
        unknown: object = "tulip" if isinstance(self.label_, str) else 77
        return {
            "unknown": np.full(len(X), unknown),
            "none": None,
            "nones": [None] * len(X),
            "objects": [{} for _ in range(len(X))],
            "mixed": [1 if isinstance(self.label_, str) else "one", *labels[1:].tolist()],
            "missing": [None, *labels[1:].tolist()],
            "columns": np.column_stack([labels, labels]),
        }[self.how]
