"""Worlds for guards: for each guard a world that has what it looks for, and for each kind of input one that is clean.

A world is a function from random numbers to notices. ``PLANTED`` has one for each guard of data, plan and run, and
``CLEAN`` one for each input that they see; those of verdicts are in ``guard_score_worlds.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import KFold as RandomFolds
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

sys.path.insert(0, str(Path(__file__).parent / "data"))
from clean_data import LETTERS, MAKERS, continuous, dependent, discrete, mixed, sorted_by_class, values, whole_numbers

from fairtrial import Serial
from fairtrial.data import Dataset
from fairtrial.design import Factor, Study
from fairtrial.design.layouts import CentralComposite, FullFactorial, Layout
from fairtrial.engine.run import ComingRun
from fairtrial.errors import InputError
from fairtrial.methods import tuned
from fairtrial.notices import Notice, look
from fairtrial.resampling import KFold, from_sklearn

Random = np.random.Generator
World = Callable[[Random], Iterable[Notice]]
SMOOTHING = {"var_smoothing": [1e-9, 0.1]}
CLEAN_METHODS = ("majority", "one_rule")


def attempted(make: Callable[[], object]) -> list[Notice]:
    """The notice of a refusal; none if nothing is refused."""
    try:
        make()
    except InputError as error:
        return [error.notice]
    return []


def noise(rng: Random, n: int | None = None, p: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Features that say nothing, and two classes in random order, each of them often enough."""
    n = int(rng.integers(60, 300)) if n is None else n
    return rng.normal(size=(n, p)), rng.permutation(LETTERS[np.arange(n) % 2])


def plain(rng: Random, n: int | None = None, name: str = "plain", **parts: object) -> Dataset:
    X, y = noise(rng, n)
    return Dataset.from_arrays(X, y, name=name, positive="a", **parts)


def made(rng: Random, makers: Sequence[Callable], spoil: Callable | None = None) -> Dataset:
    """A data set of one of some makers, perhaps spoilt."""
    maker = makers[int(rng.integers(len(makers)))]
    X, y = maker(rng)
    X, y = (X, y) if spoil is None else spoil(rng, X, y)
    return Dataset.from_arrays(X, y, name=maker.__name__, task="values" if maker is values else "classes")


def of_dataset(world: Callable[[Random], Dataset]) -> World:
    return lambda rng: look("dataset", world(rng))


def with_column(rng: Random, column: np.ndarray, name: str = "new") -> Dataset:
    X, y = noise(rng, len(column))
    frame = pd.DataFrame(X, columns=list("abc")).assign(**{name: column}, y=y)
    return Dataset.from_frame(frame, target="y", positive="a")


# --- planted: data ---------------------------------------------------------------------------------------------------


def repeated_names(rng: Random) -> Iterable[Notice]:
    names = [f"x{i}" for i in range(int(rng.integers(1, 20)))]
    return look("column names", rng.permutation([*names, names[int(rng.integers(len(names)))]]).tolist(), "table")


def missing_values(rng: Random) -> Iterable[Notice]:
    missing = rng.random(int(rng.integers(1, 200))) < rng.random()
    missing[int(rng.integers(len(missing)))] = True
    return look("known values", missing, "target", "table")


def unequal_lengths(rng: Random) -> Iterable[Notice]:
    X, y = noise(rng)
    return attempted(lambda: Dataset.from_arrays(X, y[: -int(rng.integers(1, 30))]))


def infinite_features(rng: Random) -> Iterable[Notice]:
    X, y = noise(rng)
    X[int(rng.integers(len(X))), int(rng.integers(3))] = rng.choice([np.inf, -np.inf])
    return attempted(lambda: Dataset.from_arrays(X, y))


def unusable_classes(rng: Random) -> Iterable[Notice]:
    X, y = noise(rng)
    y = np.full(len(X), "a") if rng.random() < 0.5 else np.r_[["c"], y[1:]]
    return attempted(lambda: Dataset.from_arrays(X, y))


def unusable_values(rng: Random) -> Iterable[Notice]:
    X, _ = noise(rng)
    y = np.full(len(X), rng.normal()) if rng.random() < 0.5 else np.r_[np.inf, rng.normal(size=len(X) - 1)]
    return attempted(lambda: Dataset.from_arrays(X, y, task="values"))


def unusable_weights(rng: Random) -> Iterable[Notice]:
    X, y = noise(rng)
    weights = rng.random(len(X))
    weights[int(rng.integers(len(X)))] = rng.choice([-1.0, np.inf])
    return attempted(lambda: Dataset.from_arrays(X, y, weights=weights))


def with_copy_of_target(rng: Random, X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    codes = np.unique(y, return_inverse=True)[1]
    return np.insert(X, 1, rng.permutation(3)[codes], axis=1), y


def some_dates(rng: Random) -> Dataset:
    n = int(rng.integers(40, 300))
    days = 10_000 * rng.integers(1990, 2030, n) + 100 * rng.integers(1, 13, n) + rng.integers(1, 29, n)
    return with_column(rng, days)


def some_identifier(rng: Random) -> Dataset:
    n = int(rng.integers(30, 300))
    counted, shuffled = np.cumsum(rng.integers(1, 9, n)), 1000 + rng.permutation(n)
    return with_column(rng, counted if rng.random() < 0.5 else shuffled)


def some_groups(rng: Random) -> Dataset:
    n = int(rng.integers(100, 400))
    name = rng.choice(["patient", "subject_id", "UserID", "household", "speaker-name"])
    return with_column(rng, rng.integers(0, n // 5, n), str(name))


def whole_table(rng: Random, X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each row two or three times, in random order; a table of a few different rows is made longer first."""
    times = int(rng.integers(2, 4))
    rows = rng.permutation(times * len(X)) % len(X)
    return X[rows], y[rows]


def part_of_table(rng: Random, X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A fifth to a third of the rows a second time."""
    some = rng.choice(len(X), int(len(X) * rng.uniform(0.2, 0.33)), replace=False)
    rows = rng.permutation(np.r_[np.arange(len(X)), some])
    return X[rows], y[rows]


def categories(rng: Random) -> tuple[np.ndarray, np.ndarray]:
    """200 rows of 12 features of three values: half a million possible rows."""
    X = rng.integers(0, 3, (200, 12)).astype(float)
    return X, LETTERS[(X[:, 0] + rng.normal(size=200) > 1).astype(int)]


def copied(rng: Random) -> Dataset:
    """A whole table of any kind, or a part of one in which chance has few twins."""
    if rng.random() < 0.5:
        kinds = [continuous, sorted_by_class, discrete, mixed, whole_numbers, dependent, values, categories]
        return made(rng, kinds, whole_table)
    return made(rng, [continuous, whole_numbers, dependent, categories], part_of_table)


def series(rng: Random) -> Dataset:
    """Features and target of an autoregressive process."""
    Z = rng.normal(size=(int(rng.integers(200, 400)), 4))
    for i in range(1, len(Z)):
        Z[i] += 0.8 * Z[i - 1]
    if rng.random() < 0.5:
        return Dataset.from_arrays(Z[:, :3], Z[:, 3], task="values")
    return Dataset.from_arrays(Z[:, :3], LETTERS[(Z[:, 3] > np.median(Z[:, 3])).astype(int)])


def imbalanced(rng: Random, lowest: float = 0.91) -> Dataset:
    n, share = int(rng.integers(200, 500)), rng.uniform(lowest, 0.98)
    return Dataset.from_arrays(rng.normal(size=(n, 3)), LETTERS[(np.arange(n) >= share * n).astype(int)])


# --- planted: plan and run -------------------------------------------------------------------------------------------


def splits_of(data: Dataset, folds: int, rng: Random) -> Iterable[Notice]:
    return look("splits", data, list(KFold(folds).splits(data, seed=int(rng.integers(1000)))))


def rare_class(rng: Random) -> Iterable[Notice]:
    n, few = int(rng.integers(200, 400)), int(rng.integers(2, 4))
    y = rng.permutation(np.r_[np.full(few, "b"), np.full(n - few, "a")])
    return splits_of(Dataset.from_arrays(rng.normal(size=(n, 2)), y), 5, rng)


def planned(rng: Random, *sets: Dataset, resampling: object = "2-fold", **more: object) -> Iterable[Notice]:
    more.setdefault("methods", CLEAN_METHODS)
    return Study(datasets=sets or [plain(rng)], resampling=resampling, **more).plan().notices


def laid_out(rng: Random, layout: Layout) -> Iterable[Notice]:
    """A plan of the settings of a forest by a layout."""
    low, high = rng.integers(1, 5, size=2), rng.integers(20, 90, size=2)
    factors = [
        Factor(name, linear=(int(low[i]), int(high[i]))) for i, name in enumerate(("max_depth", "min_samples_leaf"))
    ]
    return planned(rng, methods={"tree": DecisionTreeClassifier()}, factors=factors, plan=layout)


def at_random(rng: Random) -> object:
    """Folds that heed neither groups nor order."""
    return from_sklearn(RandomFolds(int(rng.integers(2, 5)), shuffle=True, random_state=int(rng.integers(1000))))


def in_groups(rng: Random, size: int = 3) -> Dataset:
    n = int(rng.integers(60, 300))
    return plain(rng, n, groups=rng.permutation(np.arange(n) // size))


def in_order(rng: Random) -> Dataset:
    n = int(rng.integers(60, 300))
    return plain(rng, n, order=rng.permutation(n))


def with_a_large_group(rng: Random) -> Iterable[Notice]:
    n = int(rng.integers(100, 300))
    groups = np.where(np.arange(n) < rng.uniform(0.75, 0.9) * n, 0, np.arange(n))
    return planned(rng, plain(rng, n, groups=groups), resampling="grouped 2-fold")


def search(rng: Random) -> object:
    return tuned(GaussianNB(), {"var_smoothing": 10.0 ** -np.arange(1, int(rng.integers(3, 60)))}, inner="2-fold")


def some_labels(rng: Random) -> Dataset:
    """A nominal column in which one of the labels is written in two ways."""
    twin = str(rng.choice(["Oak", "OAK", "oak\u200b", "ｏａｋ"]))
    labels = rng.permutation(np.resize([*WORDS[: int(rng.integers(1, 6))], twin], 60))
    return with_column(rng, labels, "tree")


def some_placeholder(rng: Random) -> Dataset:
    """A column of numbers, some of which are missing and written as a number far from all others."""
    column = rng.normal(rng.uniform(-20, 20), rng.uniform(0.1, 5), size=100)
    column[rng.choice(100, int(rng.integers(2, 30)), replace=False)] = rng.choice([-99, -999, 999, -9999, 9999])
    return with_column(rng, column)


def family(rng: Random) -> Iterable[Notice]:
    """Two versions of one source: by their names, or by rows in common."""
    first = plain(rng, name="adult")
    if rng.random() < 0.5:
        return planned(rng, first, plain(rng, name=f"adult-v{int(rng.integers(2, 9))}"))
    X, y = noise(rng)
    some = rng.choice(first.n, first.n // 3, replace=False)
    X, y = np.r_[first.X[some], X], np.r_[first.target[some], y]
    return planned(rng, first, Dataset.from_arrays(X, y, name="census", positive="a"))


def coming_run(rng: Random, sets: int = 1, failed: int = 0, **more: object) -> Iterable[Notice]:
    more.setdefault("methods", CLEAN_METHODS)
    data = [plain(rng, int(rng.integers(60, 90)), name=word) for word in WORDS[:sets]]
    return look("run", ComingRun(Study(datasets=data, resampling="2-fold", **more).plan(), Serial(), failed=failed))


WORDS = ("oak", "beech", "birch", "maple", "alder", "hazel", "linden", "walnut", "cherry", "spruce", "larch", "willow")

PLANTED: dict[str, World] = {
    "repeated_names": repeated_names,
    "missing_values": missing_values,
    "unusable_features": lambda rng: attempted(
        lambda: Dataset.from_arrays(np.empty((int(rng.integers(4, 50)), 0)), ["a", "b"])
    ),
    "unequal_lengths": unequal_lengths,
    "infinite_features": infinite_features,
    "unusable_classes": unusable_classes,
    "unusable_values": unusable_values,
    "unusable_weights": unusable_weights,
    "revealing_feature": of_dataset(
        partial(made, makers=[continuous, discrete, mixed, sorted_by_class], spoil=with_copy_of_target)
    ),
    "date_columns": of_dataset(some_dates),
    "identifier_columns": of_dataset(some_identifier),
    "undeclared_groups": of_dataset(some_groups),
    "repeated_rows": of_dataset(copied),
    "undeclared_order": of_dataset(series),
    "reader_choices": of_dataset(lambda rng: Dataset.from_arrays(*noise(rng))),
    "imbalanced_classes": of_dataset(imbalanced),
    "alike_labels": of_dataset(some_labels),
    "placeholder_numbers": of_dataset(some_placeholder),
    "small_folds": lambda rng: splits_of(plain(rng, int(rng.integers(40, 200))), int(rng.integers(8, 11)), rng),
    "missing_classes": rare_class,
    "torn_groups": lambda rng: planned(rng, in_groups(rng), resampling=at_random(rng)),
    "uneven_groups": with_a_large_group,
    "groups_not_kept": lambda rng: attempted(lambda: planned(rng, in_groups(rng))),
    "order_not_kept": lambda rng: attempted(lambda: planned(rng, in_order(rng))),
    "training_on_the_future": lambda rng: planned(rng, in_order(rng), resampling=at_random(rng)),
    "added_yardstick": lambda rng: planned(rng, methods={"bayes": GaussianNB(var_smoothing=rng.random())}),
    "unequal_searches": lambda rng: planned(rng, methods={"bayes": GaussianNB(), "tuned": search(rng)}),
    "undeclared_families": family,
    "levels_left_out": lambda rng: planned(rng, factors={"train_size": [10, int(rng.integers(300, 900))]}),
    "same_settings": lambda rng: laid_out(rng, FullFactorial(center=int(rng.integers(2, 5)))),
    "beyond_the_range": lambda rng: laid_out(rng, CentralComposite()),
    "replicates_without_chance": lambda rng: planned(
        rng, methods={"bayes": GaussianNB(var_smoothing=rng.random())}, replicates=int(rng.integers(2, 9))
    ),
    "blind_search": lambda rng: planned(
        rng, in_groups(rng), methods={"bag": BaggingClassifier(search(rng))}, resampling="grouped 2-fold"
    ),
    "splits_without_test": lambda rng: planned(rng, resampling="resubstitution"),
    "limits_not_kept": lambda rng: coming_run(rng, time_limit=float(rng.uniform(1, 100))),
    "failed_before": lambda rng: coming_run(rng, failed=int(rng.integers(1, 50))),
    "no_difference_can_show": lambda rng: coming_run(
        rng, 6, methods={f"nb{i}": GaussianNB(var_smoothing=10.0**-i) for i in range(int(rng.integers(5, 12)))}
    ),
} | (
    {"traced_memory": lambda rng: planned(rng, memory="exact")} if find_spec("memray") else {}
)  # fmt: skip


# --- clean -----------------------------------------------------------------------------------------------------------


def clean_dataset(rng: Random) -> Dataset:
    """A data set of any kind in which nothing is wrong; nothing was left to a reader to choose."""
    maker = MAKERS[int(rng.integers(len(MAKERS)))]
    X, y = maker(rng)
    if maker is values:
        return Dataset.from_arrays(X, y, task="values")
    return Dataset.from_arrays(X, y, task="classes", positive="a" if len(set(y.tolist())) == 2 else None)


def clean_plan(rng: Random) -> Iterable[Notice]:
    """Three sources, a listed baseline, equal searches; or groups that are heeded."""
    if rng.random() < 0.5:
        return planned(rng, in_groups(rng), resampling="grouped 2-fold")
    depths = tuned(DecisionTreeClassifier(), {"max_depth": [1, 5]}, inner="2-fold")
    methods = {"majority": "majority", "bayes": tuned(GaussianNB(), SMOOTHING, inner="2-fold"), "tree": depths}
    return planned(rng, *(plain(rng, name=word) for word in rng.permutation(WORDS)[:3].tolist()), methods=methods)


CLEAN: dict[str, World] = {
    "column names": lambda rng: look("column names", [f"x{i}" for i in range(int(rng.integers(1, 30)))], "table"),
    "known values": lambda rng: look("known values", np.zeros(int(rng.integers(1, 200)), dtype=bool), "target", "d"),
    "new dataset": lambda rng: attempted(lambda: clean_dataset(rng)),
    "dataset": of_dataset(clean_dataset),
    "resampled data": lambda rng: (
        look("resampled data", in_groups(rng), "groups")
        if rng.random() < 0.5
        else look("resampled data", in_order(rng), "order")
    ),
    "splits": lambda rng: splits_of(plain(rng, int(rng.integers(60, 300))), 2, rng),
    "methods": clean_plan,
    "plan": clean_plan,
    "run": lambda rng: coming_run(rng, 8, memory_limit=None),
}  # fmt: skip
