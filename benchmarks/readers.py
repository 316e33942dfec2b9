"""Reading tables of scores and data: processor seconds beside those of pandas and scipy, and how they grow.

Long tables of 10⁵ to 10⁷ scores are read by ``read_scores`` and by ``pandas.read_csv``; CSV files with up to 10⁵
columns by ``read_dataset`` and ``pandas.read_csv``; ARFF files with up to 10⁵ attributes by ``read_dataset`` and
scipy's ``loadarff``. Each is read in a process of its own, whose peak of memory (with its imports) is told.

Run: python benchmarks/readers.py [scores] [columns] [attributes] [all]  (10⁷ scores only with all)
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

DATASETS, METHODS = 100, 10
ROWS = 20


def write_scores(n: int, path: Path) -> None:
    random = np.random.RandomState(0)
    with path.open("w", encoding="utf-8") as file:
        file.write("dataset,method,repeat,fold,value\n")
        for d in range(DATASETS):
            for m in range(METHODS):
                values = random.uniform(0.5, 1, n // (DATASETS * METHODS))
                file.writelines(f"dataset-{d},method-{m},{i // 10},{i % 10},{v:.6f}\n" for i, v in enumerate(values))


def write_columns(p: int, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join([*(f"x{j}" for j in range(p)), "y"]) + "\n" + _rows(p))


def write_attributes(p: int, path: Path) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write("@relation r\n" + "".join(f"@attribute x{j} numeric\n" for j in range(p)))
        file.write("@attribute y {a,b}\n@data\n" + _rows(p))


def _rows(p: int) -> str:
    values = np.random.RandomState(0).normal(size=(ROWS, p)).round(3)
    return "".join(",".join([*map(str, row), "ab"[i % 2]]) + "\n" for i, row in enumerate(values.tolist()))


def read_scores(path: Path) -> object:
    from fairtrial.results import read_scores as read

    return read(path, measure="accuracy")


def read_data(path: Path) -> object:
    from fairtrial.data import read_dataset

    return read_dataset(path)


def read_csv(path: Path) -> object:
    import pandas as pd

    return pd.read_csv(path)


def load_arff(path: Path) -> object:
    from scipy.io import arff

    return arff.loadarff(path)


READERS: dict[str, Callable[[Path], object]] = {f.__name__: f for f in (read_scores, read_data, read_csv, load_arff)}
KINDS = {
    "scores": (write_scores, "s.csv", "read_scores", "read_csv", (10**5, 10**6, 10**7)),
    "columns": (write_columns, "c.csv", "read_data", "read_csv", (10**3, 10**4, 10**5)),
    "attributes": (write_attributes, "a.arff", "read_data", "load_arff", (10**3, 10**4, 10**5)),
}


def measure(reader: str, path: Path) -> None:
    """In a process of its own: the processor seconds of a reader, and the peak of memory in MB."""
    import pandas
    import scipy.io  # noqa: F401 - imports are no part of what is measured

    import fairtrial.results  # noqa: F401

    assert pandas
    begun = time.process_time()
    READERS[reader](path)
    print(time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)


def timed(reader: str, path: Path) -> tuple[float, float]:
    told = subprocess.run([sys.executable, __file__, "--measure", reader, str(path)], check=True, capture_output=True)
    seconds, memory = map(float, told.stdout.split())
    return seconds, memory


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        measure(sys.argv[2], Path(sys.argv[3]))
        return
    for kind in [k for k in sys.argv[1:] if k in KINDS] or KINDS:
        write, name, ours, peer, sizes = KINDS[kind]
        before = None
        for n in sizes if "all" in sys.argv else [s for s in sizes if s < 10**7]:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / name
                write(n, path)
                (seconds, memory), (limit, _) = timed(ours, path), timed(peer, path)
            grown = "" if before is None else f", {seconds / before:4.1f} times the time of a tenth"
            print(
                f"  {n:>10,} {kind}: {seconds:6.2f} s, {seconds / limit:5.1f} × {peer}{grown}; peak {memory:,.0f} MB",
                flush=True,
            )
            before = seconds


if __name__ == "__main__":
    main()
