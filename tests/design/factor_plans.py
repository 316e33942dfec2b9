"""Plans of studies in which factors act on a method, for tests."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from fairtrial import Factor, Study
from fairtrial.data import Dataset
from fairtrial.design import Plan

THREE = (
    Factor("max_depth", linear=(2, 8)),
    Factor("min_samples_leaf", linear=(1, 9)),
    Factor("max_features", [0.5, 1.0]),
)
HALF = {"kind": "fractional factorial", "runs": 4}


@lru_cache
def toys(n: int) -> tuple[Dataset, ...]:
    draws = [np.random.default_rng(seed) for seed in range(n)]
    target = np.repeat(["a", "b"], 20)
    return tuple(Dataset.from_arrays(d.normal(size=(40, 2)), target, name=f"d{i}") for i, d in enumerate(draws))


def tree_plan(n: int = 9, question=None, **changes) -> Plan:
    given = {"methods": {"tree": DecisionTreeClassifier()}, "resampling": "5-fold", "factors": list(THREE)}
    return Study(question, datasets=toys(n), **{**given, **changes}).plan()
