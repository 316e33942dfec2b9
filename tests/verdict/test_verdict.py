"""Verdicts of all designs: in every format, without numbers that are none, and in whole sentences."""

from __future__ import annotations

import json
import re

import pytest
from made_scores import BASE, CLEAR, few_datasets, table, with_failures, without_spread

from fairtrial.results import read_predictions, read_scores
from fairtrial.tables import FORMATS
from fairtrial.tables.render_md import escape
from fairtrial.verdict import check_consistency


def of_clear(measure="accuracy", **asked):
    return read_scores(table(CLEAR), measure=measure).verdict(**asked)


DESIGNS = {
    "the best": lambda _: of_clear(smallest_difference=0.01),
    "all pairs": lambda _: of_clear(pairs=True),
    "a control": lambda _: of_clear("rmse", control="low"),
    "one method": lambda _: read_scores(table({"a": BASE}), measure="accuracy").verdict(),
    "each data set": lambda _: few_datasets().verdict(),
    "a control on each": lambda _: few_datasets().verdict(control="b"),
    "a named test": lambda _: few_datasets().verdict(control="b", per_dataset="corrected_t"),
    "fixed models": lambda models: read_predictions(models).verdict(),
    "one fixed model": lambda models: read_predictions(models[["y", "a"]]).verdict(),
    "too few": lambda _: read_scores(table({"a": [0.9, 0.8], "b": [0.7, 0.6]}), measure="accuracy").verdict(),
    "failures": lambda _: with_failures(baseline="base").verdict(),
    "no spread": lambda _: without_spread().verdict(),
}


@pytest.fixture(scope="module")
def made():
    """Verdicts that were made already, by their design."""
    return {}


@pytest.mark.parametrize("design", DESIGNS)
class TestRendering:
    @pytest.fixture
    def verdict(self, design, made, fixed_models):
        if design not in made:
            made[design] = DESIGNS[design](fixed_models)
        return made[design]

    def test_every_format(self, verdict):
        found = json.loads(verdict.render("json"))
        assert found["answer"] == verdict.sentence
        for how in FORMATS:
            assert verdict.render(how).strip()
        assert f"**{escape(verdict.answer)}**" in verdict.render("md")
        assert "<table" in verdict._repr_html_()

    def test_sentences_are_sentences(self, verdict):
        for sentence in verdict.sentences:
            assert sentence.endswith(".")
            assert not re.search(r"\bnan\b|\bNone\b|  | a [aeiou]\w+ of|\.\.", sentence), sentence
        for page in (str(verdict), str(verdict.full), str(verdict.explained)):
            assert not re.search(r"\bnan\b|\bNone\b", page), page

    def test_no_contradiction(self, verdict):
        assert check_consistency(verdict) == ()


class TestProperties:
    def test_all_pairs_are_made_where_they_are_asked_for(self):
        verdict = of_clear()
        assert "tests" not in vars(verdict.finding.compared)
        assert len(verdict.comparisons.pairs) == 3
        assert "tests" in vars(verdict.finding.compared)

    def test_against_a_control_only_its_pairs_are_tested(self):
        verdict = of_clear(control="middle")
        names = verdict.comparisons.names
        assert {names[i] for i, j in verdict.comparisons.pairs} == {"high", "low"}
        assert {names[j] for i, j in verdict.comparisons.pairs} == {"middle"}

    def test_a_control_that_beats_all_is_the_winner(self):
        assert of_clear(control="high").winner == "high"

    def test_the_order_of_the_columns_does_not_matter(self):
        found = [
            read_scores(table({m: CLEAR[m] for m in names}), measure="accuracy").verdict()
            for names in (("high", "low"), ("low", "high"))
        ]
        assert found[0].sentences == found[1].sentences
        assert found[0].to_table().rows == found[1].to_table().rows
