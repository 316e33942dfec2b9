"""The command that runs the lab."""

import json

from click.testing import CliRunner

from fairtrial import __version__
from fairtrial.cli import cli
from fairtrial.cli.lab_command import Progress


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
        assert again.stdout == first.stdout

    def test_as_json(self, tmp_path):
        only = ("--only", "all inside, SD 0.3 margins, 20")
        made = lab("equivalence", *only, "--runs", 100, "--format", "json", "--into", tmp_path / "lab.jsonl")
        (called, _) = json.loads(made.stdout)["rows"]
        assert (called["claim"], called["runs"], called["limit"]) == ("called equivalent", 100, "≥ 98 %")

    def test_keeps_its_blocks_and_shows_progress_without_being_asked(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        made = lab("equivalence", "--only", "half at +5", "--runs", 100)
        assert made.stderr.splitlines() == [
            f"  blocks of runs are kept in lab-{__version__}.jsonl; the same command goes on from there",
            "  0 of 2 blocks of runs",
            "  2 of 2 blocks of runs",
        ]
        assert "2 of 2 limits kept" in made.stdout
        again = lab("equivalence", "--only", "half at +5", "--runs", 100, "--quiet")
        assert (again.stdout, again.stderr) == (made.stdout, "")

    def test_progress_says_how_long_it_will_take(self, capsys, monkeypatch):
        now = iter([0.0, 5.0, 20.0, 30.0])
        monkeypatch.setattr("fairtrial.cli.lab_command.time.monotonic", lambda: next(now))
        show = Progress(None)
        for done in (10, 11, 12, 20):
            show(done, 20)
        assert capsys.readouterr().err.splitlines() == [
            "  10 of 20 blocks of runs",
            "  12 of 20 blocks of runs, about 1 min 20 s left",
            "  20 of 20 blocks of runs",
        ]

    def test_says_what_was_wrong(self):
        assert "no grid of the lab is called 'equivalent'" in str(lab("equivalent").exception)
        assert "no experiment has 'nothing'" in str(lab("families", "--only", "nothing").exception)
