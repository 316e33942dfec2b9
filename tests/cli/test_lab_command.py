"""The command that runs the lab."""

import json

from click.testing import CliRunner

from fairtrial.cli import cli


def lab(*arguments):
    return CliRunner().invoke(cli, ["lab", *map(str, arguments)])


class TestLab:
    def test_prints_shares_errors_runs_and_limits(self, tmp_path):
        made = lab("equivalence", "--only", "half at +5", "--runs", 100, "--into", tmp_path / "lab.jsonl")
        assert made.exit_code == 0
        assert "half at +5, half at −5 margins, 20 data sets" in made.output
        assert "2 of 2 limits kept, allowing for two Monte Carlo errors" in made.output
        assert len((tmp_path / "lab.jsonl").read_text().splitlines()) == 2

    def test_goes_on_from_its_file(self, tmp_path):
        first = lab("equivalence", "--only", "half at", "--runs", 100, "--into", tmp_path / "lab.jsonl")
        again = lab("equivalence", "--only", "half at", "--runs", 100, "--into", tmp_path / "lab.jsonl")
        assert again.output == first.output

    def test_as_json(self):
        made = lab("equivalence", "--only", "all inside, SD 0.3 margins, 20", "--runs", 100, "--format", "json")
        (called, _) = json.loads(made.output)["rows"]
        assert (called["claim"], called["runs"], called["limit"]) == ("called equivalent", 100, "≥ 98 %")

    def test_says_what_was_wrong(self):
        assert "no grid of the lab is called 'equivalent'" in str(lab("equivalent").exception)
        assert "no experiment has 'nothing'" in str(lab("families", "--only", "nothing").exception)
