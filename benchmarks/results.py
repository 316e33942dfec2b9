"""Opening the results of a large study, a new measure over all of them, status and export, and how they grow.

Study files of 2,000, 20,000 and 200,000 small trials are written (20 groups of one method on one data set, or with
``groups`` 300). Times are given beside a limit measured in the same run: reading all blobs of the file one after the
other and decompressing them. Each size is opened in a process of its own, whose peak memory is told.

Run: python benchmarks/results.py [2000] [20000] [200000] [groups]
"""

from __future__ import annotations

import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from sklearn.dummy import DummyClassifier

import fairtrial as ft
from fairtrial.store import Packed, Record, StudyFile

SIZES = (2_000, 20_000, 200_000)
METHODS = 10
MANY_DATASETS = 30
NEW = "log_loss"


def study_of(trials: int, n_datasets: int) -> ft.Study:
    """A study of about so many trials: two classes, 20 instances a data set, 2 of them in each test set."""
    random = np.random.RandomState(0)
    datasets = [
        ft.Dataset.from_arrays(random.normal(size=(20, 2)), np.repeat(["a", "b"], 10), name=f"data {i}")
        for i in range(n_datasets)
    ]
    methods = {f"method {i}": DummyClassifier(strategy="uniform", random_state=i) for i in range(METHODS)}
    repeats = max(1, trials // (10 * METHODS * n_datasets))
    return ft.Study(datasets=datasets, methods=methods, resampling=f"{repeats}x10-fold", measures=["accuracy"])


def records(plan: ft.Plan) -> Iterator[Record]:
    random = np.random.RandomState(1)
    spent = {"fit_time": 0.001, "predict_time": 0.001}
    for trial in plan.trials():
        p = random.uniform(size=plan.splits[trial.split].n_test)
        arrays = {"label": (p > 0.5).astype(np.int32), "probability": np.column_stack([1 - p, p])}
        yield Record(trial.key, "ok", resources=spent, arrays={c: Packed.of(a) for c, a in arrays.items()})


def write(path: Path, plan: ft.Plan) -> None:
    with StudyFile(path, write=True) as file:
        file.register(plan)
        file.begin_session()
        batch: list[Record] = []
        for record in records(plan):
            batch.append(record)
            if len(batch) == 5000:
                file.append(batch)
                batch = []
        file.append(batch)


def timed(work: Callable[[], object]) -> tuple[float, object]:
    begun = time.perf_counter()
    made = work()
    return time.perf_counter() - begun, made


def limit(path: Path) -> float:
    """All blobs, one after the other, decompressed: nothing that reads predictions can be quicker."""

    def read() -> int:
        with sqlite3.connect(path) as db:
            rows = db.execute("SELECT dtype, data FROM array")
            return sum(len(data if dtype.startswith("raw ") else zlib.decompress(data)) for dtype, data in rows)

    return min(timed(read)[0] for _ in range(3))


def measure(path: Path) -> None:
    """In a process of its own: the times of one file, and the peak of memory."""
    import pandas  # noqa: F401 - imports are no part of what is measured

    import fairtrial.figures
    import fairtrial.results  # noqa: F401

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    opening, results = timed(lambda: ft.read_study(path))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    new, _ = timed(lambda: results.with_measures(NEW))
    pooled, _ = timed(lambda: results.with_measures("accuracy(combine='pooled')"))
    print(opening, new, pooled, peak / 1000)


def status(path: Path) -> float:
    command = [sys.executable, "-m", "fairtrial", "status", str(path)]
    return min(timed(lambda: subprocess.run(command, check=True, capture_output=True))[0] for _ in range(3))


def compare(trials: int, n_datasets: int, folder: Path) -> None:
    plan = study_of(trials, n_datasets).plan()
    path = folder / f"{trials}.trial"
    writing, _ = timed(lambda: write(path, plan))
    told = subprocess.run([sys.executable, __file__, "--measure", str(path)], check=True, capture_output=True)
    opening, new, pooled, peak = map(float, told.stdout.split())
    bare = limit(path)
    print(
        f"  {len(plan):>7,} trials, {n_datasets * METHODS:>3} groups, {path.stat().st_size / 1e6:6.1f} MB (written in "
        f"{writing:5.1f} s): blobs alone {bare:5.2f} s; open {opening:5.2f} s ({opening / bare:4.1f}×, peak + "
        f"{peak:4.0f} MB); {NEW} {new:5.2f} s ({new / bare:4.1f}×); pooled {pooled:5.2f} s ({pooled / bare:4.1f}×); "
        f"status {status(path):4.2f} s"
    )
    path.unlink()


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        measure(Path(sys.argv[2]))
        return
    wanted = [int(a) for a in sys.argv[1:] if a.isdigit()] or SIZES
    n_datasets = MANY_DATASETS if "groups" in sys.argv else 2
    with tempfile.TemporaryDirectory() as folder:
        for trials in wanted:
            compare(trials, n_datasets, Path(folder))


if __name__ == "__main__":
    main()
