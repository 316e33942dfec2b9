"""What stands beside an answer, as data: the test, next steps, and why there is no verdict."""

from __future__ import annotations

import json

import pytest
from made_scores import BASE, CLEAR, few_datasets, table

from fairtrial.results import read_scores
from fairtrial.verdict.claims import support


@pytest.mark.parametrize(
    ("verdict", "family", "test"),
    [
        (lambda r: r.verdict(), "comparisons with the best, together", "Wilcoxon signed ranks"),
        (lambda r: r.verdict(control="low"), "comparisons with low, together", "Wilcoxon signed ranks"),
        (lambda r: r.verdict(pairs=True), "all 3 pairs together", "Wilcoxon signed ranks"),
        (lambda r: r.only(methods=["low", "high"]).verdict(), "", "Wilcoxon signed ranks"),
        (
            lambda r: r.verdict(estimand="mean"),
            "comparisons with the best, together",
            "paired t of the means, and joint sign flips",
        ),
        (
            lambda r: r.verdict(control="low", estimand="mean"),
            "comparisons with low, together",
            "paired t of the means",
        ),
    ],
)
def test_the_one_family_is_named_with_its_test(verdict, family, test):
    found = verdict(read_scores(table(CLEAR), measure="accuracy"))
    (said,) = found.finding.of_kind(support.ByTest)
    assert (said.family, said.test, said.over, said.none) == (family, test, "12 data sets", False)
    assert said.details


def test_each_data_set_has_one_family_together():
    (said,) = few_datasets().verdict().finding.of_kind(support.ByTest)
    assert said.family == "on each data set, all together"
    assert "Bonferroni over 9 tests (pairs on all data sets)" in said.details


def test_a_refusal_has_its_reason_and_no_numbers():
    verdict = read_scores(table({"a": BASE, "b": BASE}), measure="accuracy").verdict()
    (said,) = verdict.finding.of_kind(support.Refused)
    assert verdict.is_refused
    assert verdict.notices[0] is said.reason
    assert [c.key for c in verdict.to_table().columns] == ["method", "mean"]
    assert verdict.finding.of_kind(support.ByTest)[0].none


def test_statements_are_plain_data():
    for asked in ({}, {"control": "low"}, {"pairs": True}, {"smallest_difference": 0.01}):
        plain = read_scores(table(CLEAR), measure="accuracy").verdict(**asked).to_dict()["statements"]
        json.dumps(plain)
        assert {"kind", "role", "text"} <= set.intersection(*(set(s) for s in plain))
