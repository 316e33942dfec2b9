"""Published uncertainties and signs."""

from __future__ import annotations

import math

from fairtrial.results.provenance import Published


def test_a_table_of_one_measure_names_none():
    found = Published("standard error", {("d", "A", ""): 0.1}, {("d", "A", ""): "*"})
    assert found.spread("d", "A", "accuracy") == 0.1
    assert found.sign("d", "A", "accuracy") == "*"


def test_each_measure_has_its_own():
    found = Published("interval", {("d", "A", "auc"): 0.1}, {("d", "A", "auc"): "*"})
    assert (found.spread("d", "A", "auc"), found.sign("d", "A", "auc")) == (0.1, "*")
    assert math.isnan(found.spread("d", "A", "mae"))
    assert not found.sign("d", "A", "mae")
