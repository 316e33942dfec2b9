"""``fairtrial compare`` and ``fairtrial list``, as a person types them."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from fairtrial.cli import cli, main

GOLDEN = Path(__file__).parents[1] / "golden"
DEMSAR = str(GOLDEN / "demsar_2006_table6.csv")  # Demšar 2006, JMLR 7:1-30, Table 6


def call(*words):
    """The command in a process of its own: exit code, what it printed, what it complained."""
    done = subprocess.run(
        [sys.executable, "-m", "fairtrial.cli", *words], capture_output=True, text=True, encoding="utf-8", check=False
    )
    return done.returncode, done.stdout, done.stderr


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
        assert lines[1].startswith("Of a and b, a has the higher accuracy")
        assert any(line.startswith("xgb ") and line.endswith("has no score on 6 of 8 data sets") for line in lines)
        assert result.exit_code == 1  # some scores are missing, as the exit code says


@pytest.fixture
def holes(tmp_path):
    path = tmp_path / "holes.csv"
    rows = "".join(f"d{i},{0.9 + i / 100},{0.8 + i / 200 if i != 2 else ''},0.5\n" for i in range(8))
    path.write_text("dataset,a,b,base\n" + rows, encoding="utf-8")
    return str(path)


class TestExitCodes:
    def test_a_verdict(self):
        code, out, err = call("compare", DEMSAR, "--measure", "auc")
        assert (code, err) == (0, "")
        assert out.startswith("No single method can be called the best in auc on data sets such as these 14.\n")

    def test_some_failed(self, holes):
        code, out, _ = call("compare", holes, "--measure", "accuracy", "--baseline", "base")
        assert code == 1
        assert "1 of 24 trials failed: b on d2 (1)" in out

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            ((DEMSAR,), "--measure accuracy, or --higher-is-better / --lower-is-better"),
            ((DEMSAR, "--measure", "acuracy"), "did you mean 'accuracy'"),
            ((DEMSAR, "--measure", "auc", "--control", "C45"), "no method of these results is called 'C45'"),
            ((DEMSAR, "--measure", "auc", "--methods", "C4.5,J48"), "no method in this file is called 'J48'"),
            ((DEMSAR, "--measure", "auc", "--resampling", "ten"), "resampling must read like"),
            ((DEMSAR, "--measure", "auc", "--level", "95"), "level must lie strictly between 0 and 1"),
            ((DEMSAR, "--measure", "auc", "--adjust", "hollm"), "did you mean 'holm'"),
            ((DEMSAR, "--measure", "auc", "--per-dataset", "corrected_t"), "--control"),
            (("nothing.csv", "--measure", "auc"), "must be a file that exists"),
            (("nothing.trial",), "nothing.trial"),
        ],
    )
    def test_bad_input_is_one_line(self, words, says, monkeypatch, capsys):
        monkeypatch.setattr(sys, "argv", ["fairtrial", "compare", *words])
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsys.readouterr()
        assert (stop.value.code, out) == (2, "")
        assert says in err
        assert err.count("\n") == 1
        assert err.startswith("fairtrial: ")

    def test_bad_input_in_a_process(self):
        code, out, err = call("compare", DEMSAR)
        assert (code, out) == (2, "")
        assert "Traceback" not in err

    def test_a_bad_option(self):
        code, out, err = call("compare", DEMSAR, "--format", "pdf")
        assert (code, out) == (2, "")
        assert "Traceback" not in err


class TestFormats:
    def test_json(self):
        found = json.loads(compare(DEMSAR, "--measure", "auc", "--format", "json").output)
        assert found["measure"] == "auc"
        assert found["order"][0] == "C4.5+m+cf"
        assert found["omnibus"]["statistic"] > 9.28

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(compare(DEMSAR, "--measure", "auc", "--format", "csv").output)))
        assert [r["method"] for r in rows] == ["C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5"]
        assert float(rows[3]["interval_high"]) < 0  # C4.5 against the first; its own interval leaves out zero,
        assert float(rows[3]["p_adjusted"]) == pytest.approx(0.0622559)  # but not after Holm over 6 pairs

    def test_latex_and_markdown(self):
        assert r"\toprule" in compare(DEMSAR, "--measure", "auc", "--format", "latex").output
        assert "| C4.5+m |" in compare(DEMSAR, "--measure", "auc", "--format", "md").output

    def test_options_reach_the_verdict(self):
        words = ["--measure", "auc", "--control", "C4.5", "--methods", "C4.5,C4.5+m", "--smallest-difference", "0.001"]
        result = compare(DEMSAR, *words)
        assert "In auc on data sets such as these 14, C4.5+m does better than C4.5." in result.output
        assert "larger than the 0.001 that you said matters" in result.output

    def test_direction(self):
        lower = json.loads(compare(DEMSAR, "--lower-is-better", "--format", "json").output)
        assert lower["order"][0] in ("C4.5", "C4.5+cf")
        assert lower["higher_is_better"] is False

    def test_predictions(self, tmp_path):
        path = tmp_path / "predictions.csv"
        rows = "".join(f"{i % 2},{i % 2 if i > 3 else 1 - i % 2},{i % 2 if i > 30 else 0}\n" for i in range(80))
        path.write_text("y,a,b\n" + rows, encoding="utf-8")
        output = compare(str(path), "--truth", "y").output
        assert output.startswith("Of a and b, a has the higher accuracy on instances such as those of predictions.")

    @pytest.mark.parametrize("suffix", ["svg", "png"])
    def test_figure(self, tmp_path, suffix):
        path = tmp_path / f"cd.{suffix}"
        result = compare(DEMSAR, "--measure", "auc", "--figure", str(path))
        assert result.exit_code == 0, result.output
        assert path.stat().st_size > 1000


class TestWeka:
    def test_as_the_experimenter_prints_it(self, shared_table):
        path = shared_table("weka/results_10x10.arff")
        result = compare(str(path), "--control", "J48", "--per-dataset", "corrected_t", "--adjust", "none")
        assert result.exit_code == 0
        last = next(line for line in result.output.splitlines() if "(v/ /*)" in line)
        assert last.split("(v/ /*)")[1].split() == ["(0/2/6)", "(2/3/3)", "(0/7/1)", "(2/5/1)"]


class TestImports:
    def test_compare_is_light(self):
        program = (
            "import sys; from click.testing import CliRunner; from fairtrial.cli import cli;"
            f"r = CliRunner().invoke(cli, ['compare', {DEMSAR!r}, '--measure', 'auc']); assert r.exit_code == 0;"
            "print([m for m in ('sklearn', 'statsmodels', 'matplotlib', 'numba', 'jinja2') if m in sys.modules])"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"


class TestList:
    @pytest.mark.parametrize("what", ["measures", "tests", "resamplings", "rules", "baselines", "data"])
    def test_every_list(self, what):
        result = CliRunner().invoke(cli, ["list", what])
        assert result.exit_code == 0, result.output
        assert len(result.output.splitlines()) > 3
        rows = json.loads(CliRunner().invoke(cli, ["list", what, "--format", "json"]).output)
        assert rows

    def test_no_such_list(self):
        assert CliRunner().invoke(cli, ["list", "methods"]).exit_code == 2
