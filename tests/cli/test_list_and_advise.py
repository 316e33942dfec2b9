"""``fairtrial list`` and ``fairtrial advise``, as a person types them."""

from __future__ import annotations

import json

import pytest
from calling import fairtrial
from click.testing import CliRunner

from fairtrial.cli import cli
from fairtrial.cli.list_and_advise import LISTS


@pytest.mark.slow
class TestAdvise:
    def test_the_answer_comes_first(self, folder):
        done = fairtrial(folder, "advise", "labels.csv", "--target", "y", "--positives", "0.02", "--costs", "1,30")
        assert done.stdout.startswith("Decide by expected_cost(costs=(1, 30), prior=0.02, per=1000): ")

    def test_as_json(self, folder):
        done = fairtrial(folder, "advise", "labels.csv", "--target", "y", "--objective", "rank", "--format", "json")
        assert json.loads(done.stdout)["rows"][0]["measure"] == "auc"

    def test_a_bad_context(self, folder):
        done = fairtrial(folder, "advise", "labels.csv", "--target", "y", "--positives", "often")
        assert done.returncode == 2
        assert "'uniform' or 'beta(a, b)', got 'often'" in done.stderr


class TestList:
    @pytest.mark.parametrize("what", LISTS)
    def test_every_list(self, what):
        result = CliRunner().invoke(cli, ["list", what])
        assert result.exit_code == 0, result.output
        assert len(result.output.splitlines()) > 3
        rows = json.loads(CliRunner().invoke(cli, ["list", what, "--format", "json"]).output)
        assert rows

    def test_no_such_list(self):
        assert "known are: baselines, data" in str(CliRunner().invoke(cli, ["list", "methods"]).exception)
        assert "did you mean 'data'" in str(CliRunner().invoke(cli, ["list", "datasets"]).exception)
