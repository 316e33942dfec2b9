"""``fairtrial choose``, as a person types it."""

from __future__ import annotations

import json

from click.testing import CliRunner

from fairtrial.cli import cli
from fairtrial.design import load_study


def choose(*arguments, **more):
    return CliRunner().invoke(cli, ["choose", *arguments], **more)


class TestChoose:
    def test_prompts(self):
        done = choose(input="2\n2\n9\n1\n1\n2\n1\n1\n")
        assert done.exit_code == 0, done.output
        assert "1. What is your question about?" in done.stderr
        assert "9 is not in the range" in done.stderr
        assert done.stdout.startswith("This is question 8 of Dietterich's nine: the choice between algorithms")
        assert '[methods.tree]\nuse = "sklearn' in done.stdout

    def test_answers(self):
        asked = choose(input="2\n3\n1\n3\n1\n1\n").stdout
        assert choose("--answers", "2,3,1,3,1,1").stdout == asked

    def test_formats(self):
        found = json.loads(choose("--answers", "2,3,1,3,1,1", "--format", "json").stdout)
        assert (found["question"], found["rule"]) == (9, "several methods over data sets")
        assert "```toml" in choose("--answers", "2,3,1,3,1,1", "--format", "md").stdout

    def test_write(self, tmp_path):
        path = tmp_path / "mine.toml"
        done = choose("--answers", "2,2,1,1,2,2,1", "--write", str(path))
        assert done.stdout.splitlines()[-2:] == [str(path), str(tmp_path / "example_1.csv")]
        assert load_study(path).plan().headline() == "1 data set × 3 methods × grouped 10-fold = 30 trials"
        again = choose("--answers", "2,2,1,1,2,2,1", "--write", str(path))
        assert "is there already" in str(again.exception)

    def test_says_what_was_wrong(self):
        assert "such as 2,2,1,1,2,1,1, got 'two'" in str(choose("--answers", "two").exception)
        assert "answers must have one more number" in str(choose("--answers", "2").exception)
