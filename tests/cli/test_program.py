"""How the program starts and ends: exit codes, signals, modules of one's own, what it imports."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from calling import call, fairtrial
from click.testing import CliRunner
from offenders import for_each

from fairtrial.cli import cli, main

GOLDEN = Path(__file__).parents[1] / "golden"


DEMSAR = str(GOLDEN / "demsar_2006_table6.csv")  # Demšar 2006, JMLR 7:1-30, Table 6


@pytest.fixture
def holes(tmp_path):
    path = tmp_path / "holes.csv"
    rows = "".join(f"d{i},{0.9 + i / 100},{0.8 + i / 200 if i != 2 else ''},0.5\n" for i in range(8))
    path.write_text("dataset,a,b,base\n" + rows, encoding="utf-8")
    return str(path)


@pytest.mark.slow
class TestExitCodes:
    def test_a_verdict(self):
        code, out, err = call("compare", DEMSAR, "--measure", "auc")
        assert (code, err) == (0, "")
        assert out.startswith("No method is shown to be the best in auc on data sets such as these 14: ")

    def test_some_failed(self, holes):
        code, out, _ = call("compare", holes, "--measure", "accuracy", "--baseline", "base")
        assert code == 1
        assert "1 of 24 scores are missing: b on d2 (1)" in out

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            ((DEMSAR,), "say --measure accuracy, --higher-is-better or --lower-is-better"),
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


class TestImports:
    @pytest.mark.slow
    def test_compare_is_light(self):
        program = (
            "import sys; from click.testing import CliRunner; from fairtrial.cli import cli;"
            f"r = CliRunner().invoke(cli, ['compare', {DEMSAR!r}, '--measure', 'auc']); assert r.exit_code == 0;"
            "print([m for m in ('sklearn', 'statsmodels', 'matplotlib', 'numba') if m in sys.modules])"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"

    @pytest.mark.parametrize(
        ("words", "code"),
        [
            (["--help"], 0),
            (["draw", "--help"], 0),
            (["compare", "--help"], 0),
            (["draw", "study.trial", "rok"], 2),
            (["draw", "study.trial", "roc", "--folds", "all"], 2),
            (["compare", "a.csv", "--failures", "best"], 2),
            (["advise", "a.csv", "--objective", "win"], 2),
            (["list", "everything"], 2),
        ],
    )
    def test_help_and_wrong_options_load_nothing(self, words, code):
        program = (
            "import sys; from click.testing import CliRunner; from fairtrial.cli import cli;"
            "from fairtrial.errors import FairtrialError;"
            f"r = CliRunner().invoke(cli, {words!r});"
            f"assert (2 if isinstance(r.exception, FairtrialError) else r.exit_code) == {code}, r.output;"
            "heavy = ('numpy', 'scipy', 'pandas', 'sklearn', 'matplotlib', 'rich', 'jinja2');"
            "print([m for m in heavy if m in sys.modules])"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"


class TestHelp:
    def test_no_line_about_a_command_is_cut(self):
        printed = CliRunner().invoke(cli, ["--help"], terminal_width=80).output
        _, _, commands = printed.partition("Commands:\n")
        assert len(commands.splitlines()) == len(cli.commands)
        assert "..." not in commands

    @for_each("command", cli.commands)
    def test_help_fits_50_lines_and_explains_every_option(self, command):
        assert [
            o.name for o in cli.commands[command].params if isinstance(o, click.Option) and not (o.help or o.hidden)
        ] == []
        printed = CliRunner().invoke(cli, [command, "--help"], terminal_width=80).output
        assert len(printed.splitlines()) <= 50


class TestOwnMeasures:
    @pytest.mark.slow
    def test_from_a_study_file_to_the_verdict(self, folder):
        done = fairtrial(folder, "run", "study.toml", "--quiet", "--workers", "1", "--no-report")
        assert done.returncode == 0, done.stderr
        assert "hits" in done.stdout
        without = fairtrial(folder, "compare", "study.trial")
        assert without.returncode == 2
        assert "a user-defined measure" in without.stderr
        other = fairtrial(folder, "compare", "study.trial", "--measure", "accuracy", "--full")
        assert other.returncode == 0, other.stderr
        assert "the measure 'hits' is not known here" in " ".join(other.stdout.split())
        imported = fairtrial(folder, "--import", "mine", "compare", "study.trial")
        assert imported.returncode == 0, imported.stderr

    @pytest.mark.slow
    def test_a_module_that_is_not_there(self, folder):
        done = fairtrial(folder, "--import", "nowhere", "list", "measures")
        assert done.returncode == 2
        assert "the module 'nowhere' can't be imported" in done.stderr


class TestStopped:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("command", "said"), [("compare", "stopped"), ("run", "stopped; what was done is kept: run again to go on")]
    )
    def test_only_what_keeps_something_says_so(self, tmp_path, command, said):
        (tmp_path / "slow.py").write_text("print('here', flush=True)\nimport time\ntime.sleep(60)\n", encoding="utf-8")
        whole = [sys.executable, "-m", "fairtrial.cli", "--import", "slow", command, "a.csv"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(whole, cwd=tmp_path, **pipes) as process:
            assert process.stdout.readline() == "here\n"
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors.strip()) == (130, f"fairtrial: {said}")


@for_each("command", ["", *cli.commands])
def test_help_fits_a_terminal_of_80_columns_and_nothing_is_cut(command):
    done = CliRunner().invoke(cli, [*command.split(), "--help"], terminal_width=80)
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert [line for line in lines if len(line) > 80] == []
    assert [line for line in lines if line.endswith(("...", "…")) and not line.startswith("Usage: ")] == []
