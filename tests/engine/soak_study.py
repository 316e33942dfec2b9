"""The study of the soak test: short trials whose executions are logged, and its quiet run.

Each line of the log is an execution: the trial's seed, the process and the time at which it had predicted. Lines are
written with one call each, so that a kill leaves no half line.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.engine import run
from fairtrial.resampling import derive_seed
from fairtrial.store import StudyFile

LOG = "FAIRTRIAL_SOAK_LOG"  # the variable with the path of the log


class Logged(ClassifierMixin, BaseEstimator):
    """Predicts as naive Bayes does, with some labels drawn at random; waits a while, and logs its execution."""

    def __init__(self, seconds: float = 0.0, random_state: int | None = None) -> None:
        self.seconds = seconds
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> Logged:
        time.sleep(self.seconds)
        self.inner_ = GaussianNB().fit(X, y)
        self.classes_ = self.inner_.classes_
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        draws = np.random.RandomState(self.random_state)
        drawn = draws.choice(self.classes_, len(X))
        predicted = np.where(draws.uniform(size=len(X)) < 0.2, drawn, self.inner_.predict(X))
        note(os.environ[LOG], f"{self.random_state} {os.getpid()} {time.time()}")
        return predicted


def note(path: str | Path, line: str) -> None:
    """Append a line to a file."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    try:
        os.write(file, f"{line}\n".encode())
    finally:
        os.close(file)


@dataclass(frozen=True)
class Execution:
    """One line of a log."""

    trial: str
    process: int
    time: float


def executions(path: Path) -> list[Execution]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [Execution(trial, int(process), float(at)) for trial, process, at in map(str.split, lines)]


def study_of(names: tuple[str, ...] = ("quick", "short", "long"), resampling: str = "8x10-fold") -> ft.Study:
    seconds = {"quick": 0.002, "short": 0.015, "long": 0.06, "other": 0.0}
    methods = {name: Logged(seconds[name]) for name in names}
    return ft.Study(datasets=["iris"], methods=methods, resampling=resampling, measures=["accuracy"])


Arrays = list[tuple[str, str, tuple[int, ...], bytes]]


def bits(file: StudyFile) -> dict[bytes, Arrays]:
    """The predictions of the trials that went well, by key."""
    return {
        r.key: [(channel, a.dtype, a.shape, a.data) for channel, a in sorted(r.arrays.items())]
        for r in file.read()
        if r.status == "ok"
    }


def seeds(study: ft.Study) -> dict[str, bytes]:
    """The key of each trial, by the seed that is in the log."""
    return {str(derive_seed(trial.key, "random_state")): trial.key for trial in study.plan().trials()}


def quiet_run(study: ft.Study, path: Path) -> dict[bytes, Arrays]:
    """The predictions of a run in this process that nobody disturbs."""
    run(study, path, workers=0, progress=False).close()
    with StudyFile(path) as file:
        return bits(file)
