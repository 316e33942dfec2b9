"""Critical values by name."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from fairtrial.cli import cli
from fairtrial.errors import InputError
from fairtrial.result_tables import table_of_results


def test_by_name():
    table = table_of_results(None, "critical_values", test="q")
    assert table.call == "ft.stats.critical_values('q')"
    assert table.label == "tab:critical_values_q"
    assert table.rows[1][2] == pytest.approx(2.3437, abs=1e-4)


def test_on_the_command_line():
    done = CliRunner().invoke(cli, ["table", "critical_values", "--test", "wilcoxon", "--format", "csv"])
    assert done.exit_code == 0
    assert "14,25,21,15,12" in done.output


def test_the_test_must_be_named():
    with pytest.raises(InputError, match=r"test must name the test .*'t', 'chi_square', 'sign'"):
        table_of_results(None, "critical_values")
