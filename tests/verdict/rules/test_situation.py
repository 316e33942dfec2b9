"""The situation of a verdict, from evidence and question."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_scores import CLEAR, few_datasets, table

from fairtrial.results import read_predictions, read_scores
from fairtrial.verdict.evidence import gather
from fairtrial.verdict.rules.rule import Situation


@pytest.fixture(scope="module")
def over():
    return read_scores(table(CLEAR), measure="accuracy")


class TestOf:
    def test_over_data_sets(self, over):
        found = Situation.of(gather(over), over.question)
        assert found == Situation(methods=3, datasets=12, resampled=False, these_only=False)
        assert found.is_over_datasets
        assert found.is_comparison

    def test_the_question(self, over):
        question = replace(over.question, control="low", domains="these", estimand="mean")
        found = Situation.of(gather(over), question, test="mcnemar", per_dataset="paired_t")
        assert (found.control, found.these_only, found.means) == (True, True, True)
        assert (found.test, found.per_dataset) == ("mcnemar", "paired_t")

    def test_a_family_counts_as_one(self, over):
        question = replace(over.question, family={"all": [f"d{i}" for i in range(8)]})
        assert Situation.of(gather(over), question).datasets == 5

    def test_few_data_sets(self):
        results = few_datasets()
        found = Situation.of(gather(results), results.question)
        assert (found.datasets, found.resampled, found.is_over_datasets) == (3, True, False)

    def test_fixed_models(self, fixed_models):
        results = read_predictions(fixed_models, truth="y", measure="accuracy")
        found = Situation.of(gather(results), results.question)
        assert found.is_about_models
        assert (found.instances, found.predictions) == (True, False)

    def test_several_measures(self, over):
        evidence = gather(over)
        assert Situation.of(replace(evidence, beside=(evidence, evidence)), over.question).measures == 3


def test_each_data_set_by_itself_needs_known_splits():
    assert not Situation(2, 12, resampled=True, these_only=True).is_over_datasets
    assert Situation(2, 12, resampled=False, these_only=True).is_over_datasets
    assert not Situation(1, 12, resampled=False, these_only=True, claim=True).is_over_datasets
