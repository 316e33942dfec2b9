"""What is said of methods against a control."""

from __future__ import annotations

import numpy as np
from made_scores import CLEAR, table

from fairtrial.results import read_scores


def sentences(columns, **asked):
    return read_scores(table(columns), measure="accuracy").verdict(**asked).finding.sentences


class TestAgainstControl:
    def test_sizes_of_what_is_better_and_of_what_is_worse(self):
        first, better, worse, *_ = sentences(CLEAR, control="middle")
        assert first == "In accuracy on data sets such as these 12, high does better than middle; low does worse."
        assert better.startswith("high typically beats middle by 0.05")
        assert worse.startswith("middle typically beats low by 0.049 [0.04")

    def test_not_worse_than_a_margin_has_a_size_and_a_bound(self):
        base = np.linspace(0.5, 0.7, 12)
        d = np.array([-1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 5.5]) / 1000
        asked = {"control": "old", "alternative": "not worse", "smallest_difference": 0.01}
        first, size, *_ = sentences({"new": base + d, "old": base}, **asked)
        assert first.endswith("new is typically not worse than old by 0.01 or more.")
        assert size.startswith("The typical difference of new and old is ")
        assert ", with 95 % confidence not below −0.00" in size

    def test_what_is_not_shown(self):
        base = np.linspace(0.5, 0.7, 12)
        d = np.tile([0.01, -0.0101], 6)
        asked = {"control": "old", "alternative": "better"}
        assert sentences({"new": base + d, "old": base}, **asked)[0].endswith("new is not shown to do better than old.")
