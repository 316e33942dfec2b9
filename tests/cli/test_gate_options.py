"""``fairtrial gate``, and ``--fail-if`` of ``run``: exit codes, the first line, and the files."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner

from fairtrial.cli import cli

SHIFTS = {"bad": -0.05, "good": 0.05, "same": 0.0, "wild": 0.0}


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    """A file for each method beside old, and one in which a score of old is missing."""
    folder = tmp_path_factory.mktemp("gates")
    random = np.random.default_rng(2)
    old, noise = random.uniform(0.6, 0.9, 20), random.normal(0, 0.004, 20)
    for name, shift in SHIFTS.items():
        new = old + shift + (10 * (noise - noise.mean()) if name == "wild" else noise)
        rows = [f"set-{chr(97 + i)},{a},{b}" for i, (a, b) in enumerate(zip(old, new, strict=True))]
        (folder / f"{name}.csv").write_text("\n".join((f"dataset,old,{name}", *rows)), encoding="utf-8")
        rows[3] = f"set-d,{old[3]},"
        (folder / f"{name}-missing.csv").write_text("\n".join((f"dataset,old,{name}", *rows)), encoding="utf-8")
    return folder


def gate(file, *words):
    told = ("--measure", "accuracy", "--control", "old", "--smallest-difference", "0.01", "--failures", "worst")
    return CliRunner().invoke(cli, ["gate", str(file), *told, *words])


class TestExitCodes:
    @pytest.mark.parametrize(
        ("name", "fail_if", "code"),
        [
            ("bad", "worse", 10),
            ("good", "worse", 0),
            ("wild", "worse", 11),
            ("good", "not-better", 0),
            ("same", "not-better", 10),
            ("same", "not-equivalent", 0),
            ("good", "not-equivalent", 10),
        ],
    )
    def test_by_what_is_shown(self, scores, name, fail_if, code):
        done = gate(scores / f"{name}.csv", "--fail-if", fail_if)
        assert done.exit_code == code, done.output
        word = {0: "passed", 10: "failed", 11: "undecided"}[code]
        lines = done.output.splitlines()
        assert lines[0].startswith(f"Gate {word}: ")
        assert name in lines[0]
        assert lines[1] == ""
        assert lines[2].startswith("In accuracy on data sets such as these 20, ")

    @pytest.mark.parametrize(("name", "code"), [("bad", 10), ("wild", 11), ("good", 1)])
    def test_before_the_one_of_failed_trials(self, scores, name, code):
        told = [str(scores / f"{name}-missing.csv"), "--measure", "accuracy", "--failures", "worst"]
        assert CliRunner().invoke(cli, ["compare", *told]).exit_code == 1
        assert gate(scores / f"{name}-missing.csv", "--fail-if", "worse").exit_code == code

    def test_other_formats_stay_whole(self, scores):
        done = gate(scores / "bad.csv", "--fail-if", "worse", "--format", "json")
        assert done.exit_code == 10
        assert done.stdout.startswith("{")
        assert done.stderr.startswith("Gate failed: bad is worse than old")


class TestFiles:
    def test_each_is_written_and_said(self, scores, tmp_path):
        summary, junit = tmp_path / "gate.md", tmp_path / "gate.xml"
        done = gate(scores / "bad.csv", "--fail-if", "worse", "--summary", str(summary), "--junit", str(junit))
        assert done.output.splitlines()[-2:] == [str(summary), str(junit)]
        assert summary.read_text(encoding="utf-8").startswith("# Gate failed (fail if worse than old)")
        assert len(ElementTree.parse(junit).findall("testsuite/testcase/failure")) == 1

    def test_no_method_may_be_worse_by_default(self, scores):
        assert gate(scores / "bad.csv").output.startswith("Gate failed: bad is worse than old")
        assert gate(scores / "good.csv").exit_code == 0

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (("--summary", "nowhere/gate.md"), "there is no folder"),
            (("--fail-if", "not-equivalent", "--alternative", "better"), "equivalence is about both sides"),
        ],
    )
    def test_what_is_refused(self, scores, words, told):
        done = gate(scores / "bad.csv", *words)
        assert done.exit_code != 0
        assert told in str(done.exception) + done.output

    def test_the_control_is_named_in_the_error(self, scores):
        file = str(scores / "bad.csv")
        done = CliRunner().invoke(cli, ["gate", file, "--measure", "accuracy", "--fail-if", "worse"])
        assert "say --control …, one of 'old' and 'bad'" in str(done.exception)


class TestRun:
    STUDY = "datasets = ['iris']\nresampling = '3x3-fold'\nmethods = ['majority', 'one_rule']\n[question]\n"

    @pytest.mark.slow
    def test_a_study_ends_with_its_gate(self, tmp_path):
        (tmp_path / "study.toml").write_text(f"{self.STUDY}control = 'one_rule'\n", encoding="utf-8")
        words = ["run", str(tmp_path / "study.toml"), "--workers", "0", "--quiet", "--no-report", "--fail-if", "worse"]
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 10
        assert done.stdout.startswith("Gate failed: majority is worse than one_rule (difference in accuracy −0.")

    def test_nothing_is_run_for_a_gate_without_a_control(self, tmp_path):
        (tmp_path / "study.toml").write_text(self.STUDY, encoding="utf-8")
        done = CliRunner().invoke(cli, ["run", str(tmp_path / "study.toml"), "--fail-if", "worse"])
        assert "one of 'majority' and 'one_rule'" in str(done.exception)
        assert not (tmp_path / "study.trial").exists()


class TestUnits:
    """0.5 was read as 50 points of accuracy, and a model that is 2.25 points worse passed."""

    @staticmethod
    def compare(tmp_path, difference, *more):
        # of 4,000 instances old is right on 3,640, new on 3,550: only old on 110, only new on 20
        right = [(True, True)] * 3530 + [(True, False)] * 110 + [(False, True)] * 20 + [(False, False)] * 340
        rows = [
            f"{i % 2},{i % 2 if old else 1 - i % 2},{i % 2 if new else 1 - i % 2}" for i, (old, new) in enumerate(right)
        ]
        (tmp_path / "bad.csv").write_text("\n".join(("y,old,new", *rows)), encoding="utf-8")
        told = ["--truth", "y", "--control", "old", "--smallest-difference", difference, "--fail-if", "worse"]
        return CliRunner().invoke(cli, ["gate", str(tmp_path / "bad.csv"), *told, *more])

    def test_a_bare_number_that_could_be_points_is_refused(self, tmp_path):
        done = self.compare(tmp_path, "0.5")
        assert done.exit_code not in (0, 10, 11)
        assert "write '0.5pp' for 0.5 percentage points, or '50pp'" in str(done.exception)

    @pytest.mark.parametrize("difference", ["0.5pp", "0.5 points", "0.5%", "0.005", "accuracy=0.5pp,auc=1pp"])
    def test_with_its_unit_the_gate_fails(self, tmp_path, difference):
        done = self.compare(tmp_path, difference)
        assert done.exit_code == 10, done.output
        assert done.output.startswith("Gate failed: new is worse than old by more than 0.005 ")

    def test_a_large_difference_is_also_named_in_points(self, tmp_path):
        done = self.compare(tmp_path, "50pp")
        assert done.exit_code == 0
        assert "by less than the 0.5 (50 percentage points) that matters" in done.output

    def test_for_another_measure_than_that_of_the_study(self, scores):
        told = ["--control", "old", "--measure", "rmse", "--smallest-difference", "5pp", "--fail-if", "worse"]
        done = CliRunner().invoke(cli, ["gate", str(scores / "bad.csv"), *told])
        assert "can't be '5pp' for rmse, which is compared by ratios: write '5%' or 0.05" in str(done.exception)
