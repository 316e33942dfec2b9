"""``fairtrial compare``, ``draw``, ``export`` and ``report``, as a person types them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from calling import fairtrial
from click.testing import CliRunner

from fairtrial.cli import cli

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


GOLDEN = Path(__file__).parents[1] / "golden"
DEMSAR = str(GOLDEN / "demsar_2006_table6.csv")  # Demšar 2006, JMLR 7:1-30, Table 6


def compare(*words):
    return CliRunner().invoke(cli, ["compare", *words])


class TestDidNotRun:
    def test_it_is_named_first_and_the_others_are_compared(self, tmp_path):
        path = tmp_path / "scores.csv"
        rows = "".join(f"d{i},{0.9 + i / 100},{0.8 + i / 200},{0.95 if i < 2 else ''}\n" for i in range(8))
        path.write_text("dataset,a,b,xgb\n" + rows, encoding="utf-8")
        result = compare(str(path), "--measure", "accuracy")
        lines = result.output.splitlines()
        assert lines[0] == "xgb has no score on 6 of 8 data sets, so nothing is said about it."
        assert lines[1].startswith("a is ")
        assert any(line.startswith("xgb ") and line.endswith("has no score on 6 of 8 data sets") for line in lines)
        assert result.exit_code == 1  # some scores are missing, as the exit code says


class TestFormats:
    def test_json(self):
        found = json.loads(compare(DEMSAR, "--measure", "auc", "--format", "json").output)
        assert found["measure"] == "auc"
        assert found["order"][0] == "C4.5+m+cf"
        assert found["omnibus"]["statistic"] > 9.28

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(compare(DEMSAR, "--measure", "auc", "--format", "csv").output)))
        assert [r["method"] for r in rows] == ["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]
        assert [r["mark"] for r in rows] == ["", "", "out", "out"]
        assert [float(r["interval_high"]) > 0 for r in rows] == [True, True, False, False]

    def test_all_pairs(self):
        output = compare(DEMSAR, "--measure", "auc", "--format", "csv", "--pairs").output
        rows = list(csv.DictReader(io.StringIO(output)))
        (row,) = [r for r in rows if r["pair"] == "C4.5+m+cf over C4.5"]
        assert float(row["interval_low"]) < 0  # for all pairs together
        assert float(row["p_adjusted"]) == pytest.approx(0.0574, abs=2e-4)

    def test_holm_by_name(self):
        output = compare(DEMSAR, "--measure", "auc", "--format", "csv", "--adjust", "holm").output
        rows = list(csv.DictReader(io.StringIO(output)))
        (row,) = [r for r in rows if r["pair"] == "C4.5+m+cf over C4.5"]
        assert float(row["interval_low"]) > 0  # its own interval leaves out zero,
        assert float(row["p_adjusted"]) > 0.05  # but not after Holm over 6 pairs

    def test_families(self):
        words = ["--measure", "auc", "--family", "trees=adult (sample),breast cancer"]
        assert "13 families of data sets (14 in all)" in compare(DEMSAR, *words).output
        refused = compare(DEMSAR, "--measure", "auc", "--family", "trees")
        assert "--family must be a name and its data sets" in str(refused.exception)

    def test_latex_and_markdown(self):
        assert r"\toprule" in compare(DEMSAR, "--measure", "auc", "--format", "latex").output
        assert "| C4.5+m |" in compare(DEMSAR, "--measure", "auc", "--format", "md").output

    def test_the_width_of_a_table_in_latex(self):
        words = ["table", DEMSAR, "scores", "--measure", "auc", "--width", "page"]
        assert r"\begin{table*}" in CliRunner().invoke(cli, [*words, "--format", "latex"]).output
        assert "add --format latex" in CliRunner().invoke(cli, words).output

    def test_options_reach_the_verdict(self):
        words = ["--measure", "auc", "--control", "C4.5", "--methods", "C4.5,C4.5+m", "--smallest-difference", "0.001"]
        result = compare(DEMSAR, *words)
        assert "In auc on data sets such as these 14, C4.5+m is typically better than C4.5." in result.output
        told = json.loads(compare(DEMSAR, *words, "--format", "json").output)
        (better,) = [s for s in told["statements"] if s["kind"] == "Better"]
        assert better["size"] == "better by more than matters"

    def test_claim(self):
        result = compare(DEMSAR, "--measure", "auc", "--methods", "C4.5+m", "--claim", "0.7")
        assert result.exit_code == 0, result.output
        assert result.output.startswith("Yes: the mean auc of C4.5+m on data sets such as these 14 is above 0.7: 0.8")
        refused = compare(DEMSAR, "--measure", "auc", "--claim", "0.75")
        assert refused.exit_code != 0

    def test_smallest_differences_by_measure(self):
        words = ["--measure", "auc", "--methods", "C4.5,C4.5+m", "--smallest-difference"]
        for given, size in (
            ("auc=0.001,fit_time=0.1", "better by more than matters"),
            ("fit_time=0.1", "better, size open"),
        ):
            told = json.loads(compare(DEMSAR, *words, given, "--format", "json").output)
            assert told["statements"][0]["size"] == size
        assert (
            "must be a number, with a unit such as 0.5pp or 5% where it has one"
            in compare(DEMSAR, *words, "little").output
        )

    def test_direction(self):
        lower = json.loads(compare(DEMSAR, "--lower-is-better", "--format", "json").output)
        assert lower["order"][0] in ("C4.5", "C4.5+cf")
        assert lower["higher_is_better"] is False

    def test_predictions(self, tmp_path):
        path = tmp_path / "predictions.csv"
        rows = "".join(f"{i % 2},{i % 2 if i > 3 else 1 - i % 2},{i % 2 if i > 30 else 0}\n" for i in range(80))
        path.write_text("y,a,b\n" + rows, encoding="utf-8")
        output = compare(str(path), "--truth", "y").output
        assert output.startswith("a is better than b in accuracy on instances such as the 80 of predictions: ")

    @pytest.mark.parametrize("suffix", ["svg", "png"])
    def test_figure(self, tmp_path, suffix):
        path = tmp_path / f"cd.{suffix}"
        result = compare(DEMSAR, "--measure", "auc", "--figure", str(path))
        assert result.exit_code == 0, result.output
        assert path.stat().st_size > 1000
        assert result.output.endswith(f"\n\n{path}\n")


class TestWeka:
    def test_as_the_experimenter_prints_it(self, shared_table):
        path = shared_table("weka/results_10x10.arff")
        result = compare(str(path), "--control", "J48", "--per-dataset", "corrected_t", "--adjust", "none")
        assert result.exit_code == 0
        last = next(line for line in result.output.splitlines() if "(v/ /*)" in line)
        assert last.split("(v/ /*)")[1].split() == ["(0/2/6)", "(2/3/3)", "(0/7/1)", "(2/5/1)"]


class TestDraw:
    def test_writes_the_picture_and_says_what_it_shows(self, folder):
        done = fairtrial(folder, "draw", "predictions.csv", "roc", "--truth", "y", "--out", "roc.svg")
        assert done.returncode == 0, done.stderr
        first = done.stdout.splitlines()[0]
        assert first.startswith("good: ROC curve of 200 instances")
        assert done.stdout.splitlines()[-1] == "roc.svg"
        assert "<svg" in (folder / "roc.svg").read_text()

    def test_a_table_of_scores_at_the_size_of_a_column(self, tmp_path):
        arguments = ["--measure", "auc", "--methods", "C4.5+m,C4.5", "--size", "column", "--out", "s.svg"]
        done = fairtrial(tmp_path, "draw", str(DEMSAR), "scatter", *arguments)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("auc of C4.5+m and C4.5 on 14 data sets")
        svg = (tmp_path / "s.svg").read_text(encoding="utf-8")
        assert 'width="244.8pt"' in svg
        assert "<desc>auc of C4.5+m and C4.5 on 14 data sets" in svg

    @pytest.mark.parametrize("kind", ["roc", "confusion"])
    def test_the_positive_class_of_a_table(self, tmp_path, kind):
        rows = "".join(f"{y},{p}\n" for y, p in zip("abcabcabc", "abcabcbca", strict=True))
        (tmp_path / "three.csv").write_text("y,only\n" + rows, encoding="utf-8")
        done = fairtrial(tmp_path, "draw", "three.csv", kind, "--truth", "y", "--positive", "b")
        assert done.returncode == 0, done.stderr
        expected = {"roc": "only: tpr 0.667 at fpr 0.167, of 9 instances (3 positive)", "confusion": "6 of 9 predicted"}
        assert done.stdout.startswith(expected[kind])

    def test_the_map_of_contexts_is_printed(self, folder):
        done = fairtrial(folder, "draw", "labels.csv", "contexts", "--truth", "y")
        assert done.stdout.startswith("Cheapest, by share of contexts: all right in 100 %.")
        assert (folder / "labels-contexts.png").exists()

    def test_confusion_matrices_of_all_methods(self, folder):
        done = fairtrial(folder, "draw", "labels.csv", "confusion", "--truth", "y")
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("predicted right") == 2
        assert (folder / "labels-confusion.png").exists()

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["draw", "predictions.csv", "reliability", "--truth", "y"], "needs methods that give a probability"),
            (["draw", "predictions.csv", "roc", "--truth", "y", "--out", "roc.xyz"], "can't be written"),
            (
                ["draw", "nothing.trial", "roc", "--out", "roc.xyz"],
                "can't be written: its name must end in .png",
            ),
            (["draw", "nothing.trial", "roc"], "nothing.trial does not exist"),
        ],
    )
    def test_errors_are_one_line(self, folder, arguments, message):
        done = fairtrial(folder, *arguments)
        assert done.returncode == 2
        assert message in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


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
            (["growth"], "choose a level first, such as --at label_noise=0"),
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


class TestContexts:
    def test_compare_in_a_context(self, folder):
        arguments = ["compare", "labels.csv", "--truth", "y", "--costs", "1,10"]
        done = fairtrial(folder, *arguments, "--format", "json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["measure"] == "expected_cost(costs=(1, 10), per=1000)"


def answered(command, file, *words):
    return CliRunner().invoke(cli, [command, file, "--measure", "accuracy", *words])


class TestEffects:
    @pytest.fixture
    def table(self, tmp_path):
        """Two methods at two levels of label noise, which takes 0.2 off, on eight data sets."""
        path = tmp_path / "noisy.csv"
        rows = [
            f"d{i},{m},{noise},{0.7 - noise + i / 100 + 0.003 * ((i * 5 + (m == 'b')) % 4)}\n"
            for i in range(8)
            for m in "ab"
            for noise in (0, 0.2)
        ]
        path.write_text("dataset,method,label_noise,value\n" + "".join(rows), encoding="utf-8")
        return path

    def test_effects_of_training_data_are_asked_for(self, table):
        asked = answered("effects", str(table))
        assert (
            "label_noise matters for accuracy on data sets such as these 8: from 20 % to 0 % it adds 0.2"
            in asked.output
        )
        assert compare(str(table), "--measure", "accuracy").output.startswith("a ")

    def test_formats(self, table):
        made = json.loads(answered("effects", str(table), "--format", "json").output)
        assert made["active"] == ["label_noise"]
        shown = answered("effects", str(table), "--format", "csv").output
        assert shown.startswith("effect,from,to,change")

    def test_ablation(self, table, tmp_path):
        page = tmp_path / "why.html"
        asked = answered("ablation", str(table), "--report", str(page))
        assert "the method itself" in asked.output
        assert "Why it is better" in page.read_text(encoding="utf-8")
        words = ["draw", str(table), "ablation", "--measure", "accuracy", "--out", str(tmp_path / "why.png")]
        drawn = CliRunner().invoke(cli, words)
        assert drawn.exit_code == 0, drawn.output

    def test_robust_setting(self, table):
        asked = answered("robust", str(table), "--criterion", "regret")
        assert "has the smallest regret in accuracy over 8 data sets and 2 conditions" in asked.output

    @pytest.mark.parametrize(
        ("former", "now"),
        [
            (["--effects"], "--effects is a command now: fairtrial effects FILE"),
            (
                ["--criterion", "regret"],
                "--criterion is for the command `robust` now: fairtrial robust FILE --criterion regret",
            ),
            (["--surface", "logit"], "--surface is a command now: fairtrial surface FILE"),
            (["--surface"], "--surface is a command now: fairtrial surface FILE"),
            (
                ["--fail-if", "worse"],
                "--fail-if is for the command `gate` now: fairtrial gate FILE --control METHOD --fail-if worse",
            ),
        ],
    )
    def test_former_options_answer_with_the_command(self, table, former, now):
        told = compare(str(table), "--measure", "accuracy", *former)
        assert told.exit_code == 2
        assert now in " ".join(told.output.split())


class TestSurface:
    @pytest.fixture
    def table(self, tmp_path):
        """A hill over two factors, highest near x = 2, y = 20, on seven data sets."""
        path = tmp_path / "hill.csv"
        rows = [
            f"d{i},m,{x},{y},0,0,0,accuracy,"
            f"{0.8 - 0.02 * (x - 2.2 - i % 3 / 10) ** 2 - (y - 20 - i % 4) ** 2 / 2e4 + i / 1000},,,ok\n"
            for i in range(7)
            for x in (1, 2, 3)
            for y in (10, 20, 30)
        ]
        path.write_text(
            "dataset,method,x,y,replicate,repeat,fold,measure,value,n_train,n_test,status\n" + "".join(rows),
            encoding="utf-8",
        )
        return path

    def test_the_answer_and_its_figure(self, table, tmp_path):
        made = answered("surface", str(table), "--figure", str(tmp_path / "hill.png"))
        assert made.output.startswith("accuracy is highest at x ≈ 2, y ≈ 2")
        assert made.output.rstrip().endswith("hill.png")
        assert (tmp_path / "hill.png").stat().st_size > 5_000

    def test_logits_as_data(self, table):
        made = json.loads(answered("surface", str(table), "--scale", "logit", "--format", "json").output)
        assert made["surface"]["scale"] == "logit"
