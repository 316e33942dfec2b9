"""Planning experiments with many settings, and analysing the effects of many trials.

Planning is compared with scikit-learn's ``clone`` and ``set_params`` of each setting, which a search does before each
fit. Analysing 105,600 trials (32 settings and a yardstick, 16 data sets, 200 splits) is compared with reading their
scores from the study file.

Run: python benchmarks/factors.py
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier

import fairtrial as ft
from fairtrial.design.layouts import Fractional, LatinHypercube, Layout
from fairtrial.stats import effects_over_datasets, factorial_model
from fairtrial.store import Packed, Record, StudyFile

RANGES = {
    "learning_rate": (0.01, 1.0),
    "subsample": (0.1, 1.0),
    "n_estimators": (10, 1000),
    "max_depth": (1, 20),
    "min_samples_split": (2, 50),
    "min_samples_leaf": (1, 50),
    "min_weight_fraction_leaf": (0.0, 0.4),
    "min_impurity_decrease": (0.0, 0.1),
    "max_features": (0.1, 1.0),
    "max_leaf_nodes": (2, 200),
    "validation_fraction": (0.05, 0.5),
    "n_iter_no_change": (2, 50),
    "tol": (0.0001, 0.01),
    "ccp_alpha": (0.0, 0.1),
    "verbose": (0, 1),
}
TWO_LEVELS = ("learning_rate", "subsample", "n_estimators", "max_depth", "max_features")


def study_of(names: list[str], resampling: str, layout: Layout | None = None, n_datasets: int = 1) -> ft.Study:
    """Boosting with these parameters as factors, on data sets of 20 instances."""
    random = np.random.RandomState(0)
    datasets = [
        ft.Dataset.from_arrays(random.normal(size=(20, 2)), np.repeat(["a", "b"], 10), name=f"data {i}")
        for i in range(n_datasets)
    ]
    return ft.Study(
        datasets=datasets,
        methods={"boosting": GradientBoostingClassifier()},
        resampling=resampling,
        factors=[ft.Factor(name, linear=RANGES[name]) for name in names],
        plan=layout,
        measures=["accuracy"],
    )


def timed(work: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """The best of several runs, and what was made."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        made = work()
        taken.append(time.perf_counter() - begun)
    return min(taken), made


def plan(what: str, study: ft.Study) -> None:
    """Planning, and the keys of all trials, beside an estimator for each setting."""
    planning, made = timed(study.plan)
    keys, trials = timed(lambda: [trial.key for trial in made.trials()])
    estimator, settings = study.methods[0].estimator, [dict(levels) for levels in made.levels if levels]
    bare, _ = timed(lambda: [clone(estimator).set_params(**setting) for setting in settings])
    print(
        f"{what}: plan of {len(settings):,} settings in {planning:.3f} s, {planning / bare:.1f} times clone and "
        f"set_params of each ({bare:.3f} s); keys of {len(trials):,} trials in {keys:.2f} s"
    )


def records(made: ft.Plan) -> Iterator[Record]:
    random = np.random.RandomState(1)
    spent = {"fit_time": 0.001, "predict_time": 0.001}
    for trial in made.trials():
        right = 0.6 + 0.1 * (trial.levels.get("max_depth") == 20) * (trial.levels.get("subsample") == 1.0)
        p = random.uniform(size=made.splits[trial.split].n_test) * right
        arrays = {"label": (p > 0.3).astype(np.int32), "probability": np.column_stack([1 - p, p])}
        yield Record(trial.key, "ok", resources=spent, arrays={c: Packed.of(a) for c, a in arrays.items()})


def write(path: Path, made: ft.Plan) -> None:
    with StudyFile(path, write=True) as file:
        file.register(made)
        file.begin_session()
        batch: list[Record] = []
        for record in records(made):
            batch.append(record)
            if len(batch) == 5000:
                file.append(batch)
                batch = []
        file.append(batch)


def bare_effects(results: ft.Results) -> object:
    """The test alone, from a table of means: data sets × settings."""
    means = results.scores.pivot_table(index="dataset", columns=list(TWO_LEVELS), values="value", observed=True)
    design = {name: np.sign(means.columns.get_level_values(name) - np.mean(RANGES[name])) for name in TWO_LEVELS}
    return effects_over_datasets(factorial_model(design).values(means.to_numpy()))


def analyse(folder: Path) -> None:
    """Reading scores, then effects of five factors and their interactions."""
    made = study_of(list(TWO_LEVELS), "20x10-fold", n_datasets=16).plan()
    path = folder / "effects.trial"
    write(path, made)
    reading, results = timed(lambda: ft.read_study(path))
    means, _ = timed(lambda: bare_effects(results))
    print(f"effects of {len(made):,} trials: reading their scores {reading:.2f} s")
    print(f"  means, contrasts and joint test {means:.2f} s, {means / reading:.2f} times reading")
    whole, _ = timed(lambda: str(results.effects()))
    print(f"  results.effects(), printed {whole:.2f} s, {whole / reading:.2f} times reading")


def main() -> None:
    plan("2^(15−11)", study_of(list(RANGES), "10-fold", Fractional(runs=16)))
    names = ["learning_rate", "subsample", "n_estimators", "max_depth"]
    plan("Latin hypercube", study_of(names, "5-fold", LatinHypercube(10_000)))
    with tempfile.TemporaryDirectory() as folder:
        analyse(Path(folder))


if __name__ == "__main__":
    main()
