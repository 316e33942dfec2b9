"""A verdict in every format, in whole sentences."""

from __future__ import annotations

import json
import re

import pytest
from made_scores import BASE, CLEAR, few_datasets, table, with_failures, without_spread

from fairtrial.results import read_predictions, read_scores
from fairtrial.tables import FORMATS
from fairtrial.tables.render_md import escape


class TestRendering:
    def verdicts(self, fixed_models):
        yield read_scores(table(CLEAR), measure="accuracy").verdict(smallest_difference=0.01)
        yield read_scores(table(CLEAR), measure="rmse").verdict(control="low")
        yield read_scores(table({"a": BASE}), measure="accuracy").verdict()
        yield few_datasets().verdict()
        yield few_datasets().verdict(control="b")
        yield few_datasets().verdict(control="b", per_dataset="corrected_t")
        yield read_predictions(fixed_models).verdict()
        yield read_predictions(fixed_models[["y", "a"]]).verdict()
        yield read_scores(table({"a": [0.9, 0.8], "b": [0.7, 0.6]}), measure="accuracy").verdict()
        yield with_failures(baseline="base").verdict()
        yield without_spread().verdict()

    @pytest.mark.slow
    def test_every_format(self, fixed_models):
        for verdict in self.verdicts(fixed_models):
            found = json.loads(verdict.render("json"))
            assert found["answer"] == verdict.sentence
            for how in FORMATS:
                assert verdict.render(how).strip()
            assert f"**{escape(verdict.answer)}**" in verdict.render("md")
            assert "<table" in verdict._repr_html_()

    @pytest.mark.slow
    def test_sentences_are_sentences(self, fixed_models):
        for verdict in self.verdicts(fixed_models):
            for sentence in verdict.finding.sentences:
                assert sentence.endswith(".")
                assert not re.search(r"\bnan\b|\bNone\b|  | a [aeiou]\w+ of|\.\.", sentence), sentence
            assert "nan" not in str(verdict)
