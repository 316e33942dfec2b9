"""The rule table as a table and as a text."""

from __future__ import annotations

import json

from fairtrial.verdict.rules.choose_procedure import rules_document, to_table
from fairtrial.verdict.rules.rules import RULES


class TestToTable:
    def test_a_row_for_each_rule(self):
        table = to_table()
        assert len(table.rows) == len(RULES)
        assert "6 or more" in table.render("csv")

    def test_all_that_is_said(self):
        row = next(
            r for r in json.loads(to_table().render("json"))["rows"] if r["rule"] == "two methods over data sets"
        )
        assert row["questions"] == "9"
        assert row["compared"] == "two, versus control"
        assert "non-inferiority" in row["aims"]
        assert row["figure"] == "differences"


class TestRulesDocument:
    def test_it_can_be_read_on_a_terminal(self):
        lines = rules_document().to_text().splitlines()
        assert max(map(len, lines)) <= 120
        assert {rule.name for rule in RULES} <= set(lines)
        assert "question  4: the choice between models, small sample; 7: the choice between" in " ".join(lines)
