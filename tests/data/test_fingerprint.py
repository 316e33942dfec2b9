"""Fingerprints: the same everywhere and always, and another for each change of the content."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from small_data import small

from fairtrial.data import Feature
from fairtrial.notices import Notice

nan = np.nan


class TestFingerprint:
    def test_is_the_same_everywhere_and_always(self):
        assert small().fingerprint == "c324458fbcb6bb0910b867c9a3ea73fa"

    def test_leaves_out_what_is_not_content(self):
        data = small()
        other = replace(data, name="other", source="elsewhere", notes=(Notice("hello"),))
        assert other.fingerprint == data.fingerprint

    @pytest.mark.parametrize(
        "changes",
        [
            {"X": np.array([[0.5, 0], [1.5, 1], [nan, 2], [-0.25, 0]])},
            {"target": np.array(["yes", "no", "no", "yes"])},
            {"target": np.array(["no", "oui", "no", "oui"]), "classes": ("no", "oui"), "positive": "oui"},
            {"target": np.array([0, 1, 0, 1]), "classes": (0, 1), "positive": 1},
            {"target": np.array([False, True] * 2), "classes": (False, True), "positive": True},
            {"target": np.array([0.0, 1, 0, 1]), "task": "values", "classes": (), "positive": None},
            {"positive": "no"},
            {"features": (Feature("length", "numeric"), Feature("colour", "nominal", ("blue", "grün", "red")))},
            {"features": (Feature("size", "numeric"), Feature("colour", "nominal", ("blue", "green", "red")))},
            {"features": (Feature("size", "numeric"), Feature("colour", "numeric"))},
            {"groups": np.array(["a", "a", "a", "b"])},
            {"groups": np.array([1, 1, 2, 2])},
            {"groups": None},
            {"order": np.array([1.0, 2.0, 3.0, 5.0])},
            {"order": None},
            {"weights": np.array([1.0, 1.0, 2.0, 1.0])},
            {"weights": None},
        ],
    )
    def test_changes_with_each_part(self, changes):
        assert small(**changes).fingerprint != small().fingerprint

    def test_does_not_depend_on_memory_layout_or_kind_of_nan(self):
        odd = np.asfortranarray(small().X)
        odd[np.isnan(odd)] = -np.array([nan])
        assert small(X=odd).fingerprint == small().fingerprint

    def test_all_changes_differ_from_each_other(self):
        names = [small(order=None), small(weights=None), small(groups=None), small(order=None, weights=None)]
        assert len({d.fingerprint for d in names}) == 4
