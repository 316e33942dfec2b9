"""Scores of settings whose effects are known, for the tests of this room."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd

from fairtrial.results import read_scores

TWO = {"depth": [3, 12], "rate": [0.1, 1]}


def row(dataset, method, setting, value, *, fold=0, measure="accuracy", replicate=0):
    """A row of a table of scores, as an export has it."""
    place = {"dataset": dataset, "method": method, **setting, "replicate": replicate, "repeat": 0, "fold": fold}
    return {**place, "measure": measure, "value": value, "n_train": 90, "n_test": 10, "status": "ok"}


def crossed(effect, levels, *, datasets=12, folds=1, noise=0.004, seed=1, measure="accuracy"):
    """A long table of all combinations of levels; ``effect`` gives what a setting adds to the base of a data set."""
    random = np.random.default_rng(seed)
    settings = [dict(zip(levels, combination, strict=True)) for combination in itertools.product(*levels.values())]
    rows = []
    for d in range(datasets):
        base = random.uniform(0.5, 0.7)
        for fold in range(folds):
            for setting in settings:
                value = base + effect(setting) + random.normal(0, noise)
                rows.append(row(f"d{d}", "m", setting, value, fold=fold, measure=measure))
    return pd.DataFrame(rows)


def results(effect, levels, *, resampling=None, baseline=None, **more):
    """The same as results."""
    frame = crossed(effect, levels, **more)
    return read_scores(frame, measure=more.get("measure", "accuracy"), resampling=resampling, baseline=baseline)


def two_by_two(n=1):
    """The 2 × 2 of the docs of factorial_model on n data sets: depth 0.07, rate 0.05, both 0.03."""
    values = [0.70, 0.72, 0.74, 0.82]  # depth 3 with rate 0.1 and 1, then depth 12
    settings = [{"depth": d, "rate": r} for d in TWO["depth"] for r in TWO["rate"]]
    rows = [row(f"d{i}", "m", s, v + i / 1000) for i in range(n) for s, v in zip(settings, values, strict=True)]
    return read_scores(pd.DataFrame(rows), measure="accuracy")


def planted(setting):
    """An active factor (depth), one that only interacts with it (rate), and an inert one."""
    same = (setting["depth"] == 12) == (setting["rate"] == 1)
    return 0.03 * (setting["depth"] == 12) + (0.015 if same else -0.015)


def nothing(_setting):
    """No effect at all."""
    return 0.0


THREE = {**TWO, "kind": ["a", "b"]}
