"""``fairtrial draw``, ``advise``, ``--import`` and contexts, as a person types them."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table of predictions, a module with a measure, and a study that uses it."""
    folder = tmp_path_factory.mktemp("work")
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 200)
    rows = [f"{t},{t + rng.normal():.3f},{t + 2 * rng.normal():.3f}" for t in truth]
    (folder / "predictions.csv").write_text("y,good,bad\n" + "\n".join(rows))
    labels = [f"{t},{t},{int(t > 0 and i % 3 > 0)}" for i, t in enumerate(truth)]
    (folder / "labels.csv").write_text("y,all right,some missed\n" + "\n".join(labels))
    (folder / "mine.py").write_text(
        "from fairtrial.measures import PerClass, measure, ratio\n"
        "@measure('Hits', of=PerClass, worst=0.0, best=1.0)\n"
        "def hits(c):\n    'Hits of all.'\n    return ratio(c.tp, c.tp + c.fp + c.fn)\n"
    )
    (folder / "study.toml").write_text(
        "datasets = ['breast_cancer']\nresampling = '2-fold'\nimports = ['mine']\nmethods = ['majority', 'one_rule']\n"
        "[question]\nmeasure = 'hits'\n"
    )
    return folder


def fairtrial(folder, *arguments):
    command = [sys.executable, "-m", "fairtrial.cli", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


class TestDraw:
    def test_writes_the_picture_and_says_what_it_shows(self, folder):
        done = fairtrial(folder, "draw", "predictions.csv", "roc", "--truth", "y", "--out", "roc.svg")
        assert done.returncode == 0, done.stderr
        first = done.stdout.splitlines()[0]
        assert first.startswith("good: ROC curve of 200 instances")
        assert done.stdout.splitlines()[-1] == "roc.svg"
        assert "<svg" in (folder / "roc.svg").read_text()

    def test_the_map_of_contexts_is_printed(self, folder):
        done = fairtrial(folder, "draw", "labels.csv", "contexts", "--truth", "y")
        assert done.stdout.startswith("Cheapest of all contexts: all right in 100 %.")
        assert (folder / "labels-contexts.png").exists()

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["draw", "predictions.csv", "reliability", "--truth", "y"], "needs methods that give a probability"),
            (["draw", "predictions.csv", "roc", "--truth", "y", "--out", "roc.xyz"], "can't be written"),
            (["draw", "nothing.trial", "roc", "--out", "roc.xyz"], "roc.xyz: its name must end in .png, .pdf or .svg"),
            (["draw", "labels.csv", "confusion", "--truth", "y"], "which must be named"),
            (["draw", "nothing.trial", "roc"], "nothing.trial does not exist"),
        ],
    )
    def test_errors_are_one_line(self, folder, arguments, message):
        done = fairtrial(folder, *arguments)
        assert done.returncode == 2
        assert message in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A folder with a study of sizes and noise that was run."""
    folder = tmp_path_factory.mktemp("levels")
    (folder / "sizes.toml").write_text(
        "datasets = ['breast_cancer']\nresampling = '3-fold'\nmethods = ['majority', 'one_rule']\n"
        "[factors]\ntrain_size = [40, 80, 160, 320]\nlabel_noise = [0, 0.2]\n"
    )
    done = fairtrial(folder, "run", "sizes.toml", "--quiet", "--workers", "1", "--no-report")
    assert done.returncode == 0, done.stderr
    return folder


class TestDrawOverMethods:
    """Levels, growth and quality against cost, of a study with factors."""

    def test_levels(self, study):
        arguments = ["--factor", "train_size", "--at", "label_noise=0.2", "--measure", "error_rate"]
        done = fairtrial(study, "draw", "sizes.trial", "levels", *arguments)
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        assert lines[0] == "error rate"
        assert [line.split()[0] for line in lines[2:6]] == ["40", "80", "160", "320"]
        assert (study / "sizes-levels.png").stat().st_size > 10_000

    def test_growth(self, study):
        done = fairtrial(study, "draw", "sizes.trial", "growth", "--at", "label_noise=0", "--out", "growth.svg")
        assert done.returncode == 0, done.stderr
        assert "fit time of one_rule " in done.stdout
        assert "training rows" in (study / "growth.svg").read_text()

    def test_pareto(self, study):
        levels = ["--at", "label_noise=0", "--at", "train_size=320"]
        done = fairtrial(study, "draw", "sizes.trial", "pareto", *levels, "--cost", "predict_time")
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("On the front of accuracy and predict time on breast_cancer: ")

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["growth"], "choose a level first, such as results.at(label_noise=0) (command line: --at label_noise=0)"),
            (["levels", "--at", "label_noise"], "--at must be a factor and its level"),
            (
                ["growth", "--at", "label_noise=0", "--at", "label_noise=0.2"],
                "--at must name one level of each factor, got label_noise=0 and label_noise=0.2",
            ),
        ],
    )
    def test_errors_are_one_line(self, study, arguments, message):
        done = fairtrial(study, "draw", "sizes.trial", *arguments)
        assert done.returncode == 2
        assert message in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


def test_one_level_can_be_exported(study):
    done = fairtrial(
        study, "export", "sizes.trial", "--scores", "-", "--at", "label_noise=0.2", "--at", "train_size=40"
    )
    assert done.returncode == 0, done.stderr
    header, *rows = done.stdout.splitlines()
    assert "label_noise" not in header
    assert len(rows) == len({tuple(row.split(",")[:6]) for row in rows}) > 0


class TestAdvise:
    def test_the_answer_comes_first(self, folder):
        done = fairtrial(folder, "advise", "labels.csv", "--target", "y", "--positives", "0.02", "--costs", "1,30")
        assert done.stdout.startswith("Decide by expected_cost(costs=(1, 30), prior=0.02): ")

    def test_as_json(self, folder):
        done = fairtrial(folder, "advise", "labels.csv", "--target", "y", "--objective", "rank", "--format", "json")
        assert json.loads(done.stdout)["rows"][0]["measure"] == "auc"

    def test_a_bad_context(self, folder):
        done = fairtrial(folder, "advise", "labels.csv", "--target", "y", "--positives", "often")
        assert done.returncode == 2
        assert "'uniform' or 'beta(a, b)', got 'often'" in done.stderr


class TestContexts:
    def test_compare_in_a_context(self, folder):
        arguments = ["compare", "labels.csv", "--truth", "y", "--costs", "1,10"]
        done = fairtrial(folder, *arguments, "--format", "json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["measure"] == "expected_cost(costs=(1, 10))"


class TestOwnMeasures:
    def test_from_a_study_file_to_the_verdict(self, folder):
        done = fairtrial(folder, "run", "study.toml", "--quiet", "--workers", "1", "--no-report")
        assert done.returncode == 0, done.stderr
        assert "hits" in done.stdout
        without = fairtrial(folder, "compare", "study.trial")
        assert without.returncode == 2
        assert "a measure of somebody's own" in without.stderr
        other = fairtrial(folder, "compare", "study.trial", "--measure", "accuracy")
        assert other.returncode == 0, other.stderr
        assert "the measure 'hits' is not known here" in other.stdout
        imported = fairtrial(folder, "--import", "mine", "compare", "study.trial")
        assert imported.returncode == 0, imported.stderr

    def test_a_module_that_is_not_there(self, folder):
        done = fairtrial(folder, "--import", "nowhere", "list", "measures")
        assert done.returncode == 2
        assert "the module 'nowhere' can't be imported" in done.stderr
