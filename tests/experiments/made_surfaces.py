"""Scores over two numeric factors whose surface is known, for the tests of this room and of figures."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fairtrial.results import read_scores

LEVELS = {"C": [0.1, 10, 1000], "gamma": [0.0001, 0.01, 1]}
UNITS = {level: unit for levels in LEVELS.values() for level, unit in zip(levels, (-1, 0, 1), strict=True)}


def hill(x, y):
    """A maximum of 0.9 at (0.25, −0.5): C = 10^1.5 = 31.6, gamma = 0.001."""
    return 0.9 - 0.08 * (x - 0.25) ** 2 - 0.05 * (y + 0.5) ** 2


def slope(x, y):
    """No maximum inside: it rises with x."""
    return 0.8 + 0.05 * x - 0.03 * (y - 0.2) ** 2 - 0.004 * x**2


def saddle(x, y):
    """It rises with x in both directions, more to the right."""
    return 0.7 + 0.03 * x**2 + 0.01 * x - 0.05 * y**2


def scores(surface, *, datasets=8, folds=1, noise=0.002, seed=1, measure="accuracy", levels=LEVELS):
    """A long table of all combinations of levels; data sets differ in level and in the place of their maximum."""
    random = np.random.default_rng(seed)
    rows = []
    for d in range(datasets):
        base, tilt = random.normal(0, 0.02), random.normal(0, 0.01)
        for fold in range(folds):
            for c in levels["C"]:
                for g in levels["gamma"]:
                    x, y = UNITS[c], UNITS[g]
                    value = surface(x, y) + base + tilt * x + random.normal(0, noise)
                    place = {"dataset": f"d{d}", "method": "svm", "C": c, "gamma": g, "replicate": 0, "repeat": 0}
                    found = {"fold": fold, "measure": measure, "value": value, "n_train": 90, "n_test": 10}
                    rows.append({**place, **found, "status": "ok"})
    return pd.DataFrame(rows)


def surface_results(surface=hill, *, resampling=None, **more):
    """The same as results."""
    return read_scores(scores(surface, **more), measure=more.get("measure", "accuracy"), resampling=resampling)
