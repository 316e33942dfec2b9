"""Plans from the command line: one, and two side by side."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairtrial.cli import cli

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def folder(tmp_path):
    for name in ("plan_all", "plan_half"):
        text = (EXAMPLES / f"{name}.toml").read_text(encoding="utf-8")
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def printed(*arguments):
    done = CliRunner().invoke(cli, ["plan", *map(str, arguments)], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


class TestPlan:
    def test_effects_are_told(self, folder):
        text = " ".join(printed(folder / "plan_half.toml").split())
        assert "max_depth is mixed with min_samples_leaf × max_features" in text
        assert "tree: 3 main effects can be estimated from 4 settings" in text
        assert "8 data sets find an effect of" in text

    def test_as_data(self, folder):
        found = json.loads(printed(folder / "plan_all.toml", "--format", "json"))
        assert found["effects"][0]["estimable"] == 6
        assert found["effects"][0]["resolution"] == "full"


class TestAgainst:
    def test_side_by_side(self, folder):
        text = printed(folder / "plan_all.toml", "--against", folder / "plan_half.toml")
        lines = [line.split() for line in text.splitlines()]
        assert lines[1] == ["plan_all", "plan_half"]
        assert ["trials", "360", "200"] in lines  # (8 + 1) and (4 + 1) settings × 8 data sets × 5 folds
        assert ["resolution", "full", "3"] in lines

    def test_as_data(self, folder):
        found = json.loads(
            printed(folder / "plan_all.toml", "--against", folder / "plan_half.toml", "--format", "json")
        )
        assert {"property": "trials", "plan_all": 360, "plan_half": 200} in found["rows"]

    def test_files_with_one_name_are_told_apart(self, folder):
        (folder / "other").mkdir()
        other = folder / "other" / "plan_all.toml"
        other.write_text((folder / "plan_half.toml").read_text(encoding="utf-8"), encoding="utf-8")
        assert "resolution" in printed(folder / "plan_all.toml", "--against", other)

    @pytest.mark.slow
    def test_time_and_power_with_a_pilot(self, folder):
        text = printed(folder / "plan_all.toml", "--against", folder / "plan_half.toml", "--pilot")
        (line,) = [line for line in text.splitlines() if line.startswith("computing time")]
        assert "–" not in line
        assert "smallest power of an effect" in text
