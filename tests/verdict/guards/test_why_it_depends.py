"""The property of data sets that goes with a difference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made_scores import table

from fairtrial.results import read_scores

RNG = np.random.default_rng


def stable(d, **facts):
    """What is said of a difference on data sets that have these facts."""
    base = np.linspace(0.5, 0.6, len(d))
    results = read_scores(table({"a": base + d, "b": base}), measure="accuracy")
    sets = {f"d{i}": {name: values[i] for name, values in facts.items()} for i in range(len(d))}
    return replace(results, datasets=sets).verdict().stable


class TestWhatItDependsOn:
    def test_finds_the_property(self):
        n = np.arange(20) * 100 + 50
        d = np.linspace(-0.05, 0.05, 20) + RNG(1).normal(0, 0.005, 20)
        (found,) = (s for s in stable(d, n=n, p=RNG(2).integers(2, 90, 20)) if s.startswith("why it depends"))
        assert "a gains on b with the number of instances (Spearman 0.9" in found
        assert "over 20 data sets, the largest of 2 properties, p = 0.0002)" in found or "p ≤" in found

    @pytest.mark.slow
    def test_says_nothing_by_chance(self):
        said = 0
        for seed in range(60):
            d = RNG(seed).normal(0, 0.02, 15)
            facts = {"n": RNG([seed, 1]).integers(50, 9000, 15), "p": RNG([seed, 2]).integers(2, 90, 15)}
            said += any(s.startswith("why it depends") for s in stable(d, **facts))
        assert said <= 8  # 5 % of 60 are 3

    def test_says_nothing_where_one_is_always_better(self):
        n = np.arange(20) * 100 + 50
        assert not any(s.startswith("why") for s in stable(np.linspace(0.01, 0.05, 20), n=n))

    def test_says_nothing_without_facts(self):
        assert not any(s.startswith("why") for s in stable(np.linspace(-0.05, 0.05, 20)))
