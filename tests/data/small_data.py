"""A data set of four rows with all that a data set can have."""

import numpy as np

from fairtrial.data import Dataset, Feature

nan = np.nan


def small(**changes) -> Dataset:
    parts = {
        "name": "small",
        "X": np.array([[0.5, 0], [1.5, 1], [nan, 2], [-0.25, nan]]),
        "target": np.array(["no", "yes", "no", "yes"]),
        "task": "classes",
        "features": (Feature("size", "numeric"), Feature("colour", "nominal", ("blue", "grün", "red"))),
        "classes": ("no", "yes"),
        "positive": "yes",
        "groups": np.array(["a", "a", "b", "b"]),
        "order": np.array([1.0, 2.0, 3.0, 4.0]),
        "weights": np.array([1.0, 1.0, 2.0, 2.0]),
    }
    return Dataset(**(parts | changes))
