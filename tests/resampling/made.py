"""Data sets and looks at splits that several tests of resampling share."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from fairtrial.data import Dataset

class_counts = st.lists(st.integers(2, 15), min_size=2, max_size=5)


def labelled(counts: list[int], name: str = "data") -> Dataset:
    """A data set with so many instances of each class, in a mixed order."""
    target = np.random.default_rng(0).permutation(np.repeat(np.arange(len(counts)), counts)).astype(str)
    return Dataset.from_arrays(np.arange(len(target), dtype=float)[:, None], target, name=name)


def valued(n: int, name: str = "data") -> Dataset:
    return Dataset.from_arrays(np.arange(n, dtype=float)[:, None], np.linspace(0.5, 1.7, n), task="values", name=name)


def rows_tested(scheme, data, seed=1):
    return [s.test for s in scheme.splits(data, seed)]


def digests(scheme, data, seed=1):
    return [s.digest().hex() for s in scheme.splits(data, seed)]
