"""The rule table as a table."""

from __future__ import annotations

from fairtrial.verdict.rules import RULES
from fairtrial.verdict.rules_table import to_table


class TestToTable:
    def test_a_row_for_each_rule(self):
        table = to_table()
        assert len(table.rows) == len(RULES)
        assert "6 or more" in table.render("csv")
