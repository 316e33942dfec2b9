"""How the cost of verdicts, predictions, classes and opening grows: seconds of CPU, ratios to a limit, exponents.

Each row has a size, the CPU time of reading and judging, and its ratio to a limit measured in the same run: pandas
reading the same file, or all blobs of a study file read and decompressed. The exponent is that between the two largest
sizes: 1 is linear. Imports do not count. The long form has the largest tables of the documents.

Run: python benchmarks/growth.py [long] [verdicts] [predictions] [opening]
"""

from __future__ import annotations

import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from results import limit, study_of, write

import fairtrial as ft

LONG = "long" in sys.argv
Case = tuple[int, Callable[[], object], Callable[[], object]]  # a size, what is measured, its limit


def spent(run: Callable[[], object], times: int = 1) -> float:
    """The smallest of some CPU times."""
    found = []
    for _ in range(times):
        begun = time.process_time()
        run()
        found.append(time.process_time() - begun)
    return min(found)


def wide(path: Path, n: int, k: int) -> Path:
    """Accuracies of methods that differ a little, on data sets that differ much.

    One is clearly the best: where a decision is close there are ten times as many flips, and times can't be compared.
    """
    random = np.random.default_rng(7)
    values = random.uniform(0.5, 0.9, (n, 1)) + random.normal(np.linspace(0, 0.1, k), 0.03, (n, k))
    frame = pd.DataFrame(np.clip(values, 0, 1).round(4), columns=[f"m{i}" for i in range(k)])
    frame.insert(0, "dataset", [f"d{i}" for i in range(n)])
    frame.to_csv(path, index=False)
    return path


def long_table(path: Path, n: int, k: int, folds: int) -> Path:
    """Accuracies of folds, a row each."""
    random = np.random.default_rng(n * k)
    values = random.normal(0.8, 0.02, (n, k, folds)) + np.linspace(0, 0.03, k)[:, None]
    places = np.indices(values.shape).reshape(3, -1)
    columns = {"dataset": places[0], "method": places[1], "fold": places[2], "accuracy": values.round(4).ravel()}
    frame = pd.DataFrame(columns).astype({"dataset": str, "method": str})
    frame["dataset"], frame["method"] = "d" + frame["dataset"], "m" + frame["method"]
    frame.to_csv(path, index=False)
    return path


def labels(path: Path, n: int, classes: int, *, ranked: bool = False) -> Path:
    """Predictions of four models, right in 70 to 85 % of the cases; or scores for two classes."""
    random = np.random.default_rng(n + classes)
    truth = random.integers(0, classes, n)
    columns: dict[str, object] = {"y": truth if ranked else np.char.add("c", truth.astype(str))}
    for m in range(4):
        guess = np.where(random.random(n) < 0.7 + 0.05 * m, truth, random.integers(0, classes, n))
        score = (truth * (0.5 + 0.2 * m) + random.normal(size=n)).round(6)
        columns[f"m{m}"] = score if ranked else np.char.add("c", guess.astype(str))
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def judged(path: Path, measure: str, *, predictions: bool = False) -> Callable[[], object]:
    if predictions:
        return lambda: ft.read_predictions(path, truth="y").verdict(measure=measure)
    return lambda: ft.read_scores(path, measure=measure).verdict()


def verdicts(folder: Path) -> Iterator[tuple[str, list[Case]]]:
    def cases(name: str, sizes: list[int], make: Callable[[int], Path]) -> tuple[str, list[Case]]:
        files = [(size, make(size)) for size in sizes]
        return name, [(s, judged(f, "accuracy"), lambda f=f: pd.read_csv(f)) for s, f in files]

    table = folder / "table.csv"
    yield cases("data sets × 16", [125, 400, 800], lambda n: wide(table.with_stem(f"n{n}"), n, 16))
    yield cases("132 × methods", [8, 16, 32], lambda k: wide(table.with_stem(f"k{k}"), 132, k))
    yield cases("50 × 20 × folds", [10, 30, 90], lambda f: long_table(table.with_stem(f"f{f}"), 50, 20, f))
    yield cases(
        "methods on one data set, 10 folds", [60, 120, 240], lambda k: long_table(table.with_stem(f"o{k}"), 1, k, 10)
    )
    if LONG:
        yield cases("data sets × 60", [500, 1000], lambda n: wide(table.with_stem(f"l{n}"), n, 60))
        yield cases("50 × methods", [200, 500], lambda k: wide(table.with_stem(f"m{k}"), 50, k))
        yield cases("200 × methods × 10 folds", [25, 50], lambda k: long_table(table.with_stem(f"g{k}"), 200, k, 10))


def predictions(folder: Path) -> Iterator[tuple[str, list[Case]]]:
    def cases(name: str, sizes: list[int], measure: str, make: Callable[[int], Path]) -> tuple[str, list[Case]]:
        files = [(size, make(size)) for size in sizes]
        return name, [(s, judged(f, measure, predictions=True), lambda f=f: pd.read_csv(f)) for s, f in files]

    table, sizes = folder / "predictions.csv", [100_000, 300_000, 1_000_000]
    yield cases("labels × 4 models", sizes, "accuracy", lambda n: labels(table.with_stem(f"p{n}"), n, 3))
    yield cases("scores × 4 models", sizes, "auc", lambda n: labels(table.with_stem(f"s{n}"), n, 2, ranked=True))
    yield cases(
        "classes, 20,000 rows", [300, 600, 1200], "accuracy", lambda c: labels(table.with_stem(f"c{c}"), 20_000, c)
    )


def opening(folder: Path) -> Iterator[tuple[str, list[Case]]]:
    files = []
    for trials in (20_000, 60_000, *([200_000] if LONG else [])):
        files.append((trials, folder / f"{trials}.trial"))
        write(files[-1][1], study_of(trials, trials // 1000).plan())
    yield "trials, opened", [(t, lambda p=p: ft.read_study(p), lambda p=p: limit(p)) for t, p in files]
    yield "trials, judged", [(t, lambda p=p: ft.read_study(p).verdict(), lambda p=p: limit(p)) for t, p in files]


def show(name: str, cases: list[Case]) -> None:
    found = []
    for size, run, bare in cases:
        own, other = spent(run, 2), spent(bare, 2)
        found.append((size, own))
        print(
            f"  {name:<36} {size:>9,}  {own:7.2f} s of CPU  {own / other:7.1f} × the limit ({other:.3f} s)", flush=True
        )
    (n, first), (m, last) = found[-2:]
    print(f"  {name:<36} exponent {math.log(last / first) / math.log(m / n):.2f}", flush=True)


def main() -> None:
    parts = {"verdicts": verdicts, "predictions": predictions, "opening": opening}
    chosen = [part for name, part in parts.items() if name in sys.argv] or list(parts.values())
    with tempfile.TemporaryDirectory() as folder:
        judged(wide(Path(folder) / "first.csv", 20, 3), "accuracy")()  # imports do not count
        for part in chosen:
            for name, cases in part(Path(folder)):
                show(name, cases)


if __name__ == "__main__":
    main()
