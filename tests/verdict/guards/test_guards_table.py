"""The table of all guards."""

from click.testing import CliRunner

from fairtrial.cli import cli
from fairtrial.notices import all_guards
from fairtrial.verdict import guards_table


class TestGuardsTable:
    def test_has_a_row_for_each(self):
        rows = guards_table().cells()
        assert [row[0] for row in rows] == [guard.name for guard in all_guards()]
        assert ["torn_groups", "plan"] in [row[:2] for row in rows]
        assert {row[3] for row in rows} == {"data", "resampling", "design", "engine", "verdict"}

    def test_is_listed(self):
        said = CliRunner().invoke(cli, ["list", "guards"]).output
        assert "Groups with instances in both training and test set" in said
