"""Bulk measures against scikit-learn's functions called one by one, and against one sort, in the same run.

python benchmarks/measures.py            both cases
python benchmarks/measures.py large      10⁶ binary predictions, one fold
python benchmarks/measures.py folds      10⁵ folds of 30
python benchmarks/measures.py parts      where the time of 10⁶ predictions goes, in sorts, on one core
python benchmarks/measures.py growth     how cost grows with instances, folds, classes
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from sklearn import metrics as sk

from fairtrial.measures import compute


@dataclass(frozen=True)
class Peer:
    """scikit-learn's function for a measure: on labels or on probabilities, perhaps as what is left to 1."""

    function: Callable[..., float]
    on: str = "label"
    options: dict[str, object] = field(default_factory=dict)
    complement: bool = False

    def __call__(self, truth: np.ndarray, label: np.ndarray, p: np.ndarray) -> float:
        value = self.function(truth, label if self.on == "label" else p, **self.options)
        return 1 - value if self.complement else value


NEGATIVE = {"pos_label": 0}
PAIRS = {
    "accuracy": Peer(sk.accuracy_score),
    "error_rate": Peer(sk.zero_one_loss),
    "average_recall": Peer(sk.balanced_accuracy_score),
    "precision": Peer(sk.precision_score),
    "recall": Peer(sk.recall_score),
    "specificity": Peer(sk.recall_score, options=NEGATIVE),
    "fpr": Peer(sk.recall_score, options=NEGATIVE, complement=True),
    "fnr": Peer(sk.recall_score, complement=True),
    "npv": Peer(sk.precision_score, options=NEGATIVE),
    "f_measure": Peer(sk.f1_score),
    "f_measure(beta=2)": Peer(sk.fbeta_score, options={"beta": 2}),
    "jaccard": Peer(sk.jaccard_score),
    "mcc": Peer(sk.matthews_corrcoef),
    "kappa": Peer(sk.cohen_kappa_score),
    "informedness": Peer(sk.balanced_accuracy_score, options={"adjusted": True}),
    "auc": Peer(sk.roc_auc_score, "probability"),
    "partial_auc": Peer(sk.roc_auc_score, "probability", {"max_fpr": 0.1}),
    "average_precision": Peer(sk.average_precision_score, "probability"),
    "brier": Peer(sk.brier_score_loss, "probability"),
    "log_loss": Peer(sk.log_loss, "probability"),
}
SAMPLE = 200
"""So many folds of the loop are timed, and multiplied."""


def predictions(n: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """True classes, and probabilities of the second that say something about them."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    return truth, 1 / (1 + np.exp(-(truth - 0.5) * 2 - rng.normal(size=n)))


def channels_of(p: np.ndarray) -> dict[str, np.ndarray]:
    return {"label": (p >= 0.5).astype(np.int32), "probability": np.column_stack([1 - p, p])}


def timed(work: Callable[[], object], rounds: int) -> float:
    """The median of some runs, in seconds."""
    seconds = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def large() -> None:
    truth, p = predictions(10**6)
    label, channels = (p >= 0.5).astype(int), channels_of(p)
    theirs = timed(lambda: [f(truth, label, p) for f in PAIRS.values()], 1)
    mine = timed(lambda: compute(PAIRS, truth=truth, channels=channels, classes=2), 7)
    argsort, sort = timed(lambda: np.argsort(p), 7), timed(lambda: np.sort(p), 7)
    found = compute(PAIRS, truth=truth, channels=channels, classes=2)
    worst = max(abs(float(found[name][0]) - f(truth, label, p)) for name, f in PAIRS.items())
    print(f"{len(PAIRS)} measures on 10⁶ binary predictions, one fold")
    print(f"  scikit-learn one by one {theirs:8.2f} s\n  fairtrial               {mine:8.3f} s")
    print(f"  one argsort             {argsort:8.3f} s\n  one sort                {sort:8.3f} s")
    print(f"  {theirs / mine:.0f} times faster (≥ 50), {mine / argsort:.1f} argsorts, largest difference {worst:.1e}\n")


def folds() -> None:
    count, size = 10**5, 30
    truth, p = predictions(count * size)
    truth[::size], truth[1::size] = 0, 1  # both classes in each fold, so that scikit-learn's functions are defined
    label, channels, index = (p >= 0.5).astype(int), channels_of(p), np.repeat(np.arange(count), size)

    def loop() -> None:
        for f in range(SAMPLE):
            rows = slice(f * size, (f + 1) * size)
            for score in PAIRS.values():
                score(truth[rows], label[rows], p[rows])

    theirs = timed(loop, 1) * count / SAMPLE
    mine = timed(lambda: compute(PAIRS, truth=truth, channels=channels, folds=index, classes=2), 5)
    argsort = timed(lambda: np.argsort(p), 5)
    print(f"{len(PAIRS)} measures on 10⁵ folds of {size}")
    print(f"  scikit-learn's loop     {theirs:8.0f} s (from {SAMPLE} folds)\n  fairtrial               {mine:8.3f} s")
    print(f"  one argsort of all      {argsort:8.3f} s")
    print(f"  {theirs / mine:,.0f} times faster (≥ 1,000), {mine / argsort:.1f} argsorts\n")


def parts() -> None:
    """The measures of each channel alone: those of scores can't take less than the one sort that they need."""
    truth, p = predictions(10**6)
    channels = channels_of(p)
    sort = timed(lambda: np.sort(p), 9)
    families = {
        "ranking": ["auc", "partial_auc", "average_precision"],
        "area alone": ["auc"],
        "probabilities": ["brier", "log_loss"],
        "labels": [name for name, peer in PAIRS.items() if peer.on == "label"],
    }
    print(f"where the time goes, 10⁶ binary predictions; one sort takes {sort:.4f} s")
    for name, some in families.items():
        taken = timed(partial(compute, some, truth=truth, channels=channels, classes=2), 7)
        print(f"  {name:<14} {len(some):>2} measures {taken:8.4f} s = {taken / sort:5.2f} sorts")
    print()


def growth() -> None:
    print("seconds for the same measures")
    sizes = [(10**4, 1, 2), (10**5, 1, 2), (10**6, 1, 2), (10**6, 100, 2), (10**6, 10**4, 2)]
    for n, count, k in [*sizes, (10**5, 100, 10), (10**5, 100, 100), (10**5, 10**4, 100)]:
        rng = np.random.default_rng(2)
        truth, p = rng.integers(0, k, n), rng.dirichlet(np.ones(k), n)
        channels, index = {"label": p.argmax(axis=1), "probability": p}, np.sort(rng.integers(0, count, n))
        work = partial(compute, PAIRS, truth=truth, channels=channels, folds=index, classes=k)
        print(f"  {n:>9,} instances {count:>7,} folds {k:>4} classes {timed(work, 3):8.3f}")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    cases = {"large": large, "folds": folds, "parts": parts, "growth": growth}
    for name in sys.argv[1:] or ("large", "folds"):
        cases[name]()
