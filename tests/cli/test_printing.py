"""How commands answer: on the terminal, in files, and by the exit code."""

import pytest
from click.testing import CliRunner

from fairtrial.cli import cli
from fairtrial.cli.printing import finish, print_text, save_figure, terminal_width, verdict_on
from fairtrial.errors import FairtrialError
from fairtrial.verdict import LevelVerdicts, Verdict


def score(dataset, method, level, fold):
    return {"accuracy": 0.5 + 0.1 * (method == "a") + 0.01 * fold, "fit_time": 1.0}


class TestVerdictOn:
    def test_one_for_each_level_that_is_left(self, made_results):
        results = made_results(score, factor="train_size", levels=(50, 100))
        _, several = verdict_on(results)
        assert isinstance(several, LevelVerdicts)
        chosen, one = verdict_on(results, {"measure": "fit_time"}, {"train_size": 50})
        assert isinstance(one, Verdict)
        assert one.measure.name == "fit_time"
        assert chosen.chosen == {"train_size": 50}


class TestFinish:
    def test_failed_trials_end_with_1(self, made_results, capsys):
        def fails(dataset, method, level, fold):
            return None if method == "c" and fold == 0 else score(dataset, method, level, fold)

        results = made_results(fails, yardsticks=("b",), methods=("a", "c", "b"))
        with pytest.raises(SystemExit) as ended:
            finish(results, results.verdict(), "json", None)
        assert ended.value.code == 1
        assert capsys.readouterr().out.startswith("{")

    @pytest.mark.slow
    def test_all_went_well(self, made_results, capsys, tmp_path):
        results = made_results(score)
        finish(results, results.verdict(), "text", tmp_path / "report.md")
        out = capsys.readouterr().out
        assert out.splitlines()[-1] == str(tmp_path / "report.md")
        assert (tmp_path / "report.md").exists()

    def test_next_steps_name_options_of_the_command(self, tmp_path):
        rows = "".join(f"d{i},{0.8 + i / 100},{0.7 + i / 100}\n" for i in range(8))
        (tmp_path / "scores.csv").write_text(f"dataset,a,b\n{rows}")
        done = CliRunner().invoke(cli, ["compare", str(tmp_path / "scores.csv"), "--measure", "accuracy"])
        assert "say which difference matters (--smallest-difference), to learn" in done.stdout


class TestPictures:
    def test_a_folder_that_is_not_there(self, tmp_path):
        from matplotlib.figure import Figure

        save_figure(Figure(), tmp_path / "a.svg")
        assert "<svg" in (tmp_path / "a.svg").read_text()
        with pytest.raises(FairtrialError, match=r"the figure can't be written to .*No such file"):
            save_figure(Figure(), tmp_path / "no" / "a.svg")


class TestPrintText:
    def test_control_characters_do_nothing(self, capsys):
        print_text("a\x1b[31mred\nb")
        print_text("complaint", err=True)
        out, err = capsys.readouterr()
        assert "\x1b" not in out
        assert out.splitlines()[1] == "b"
        assert err == "complaint\n"

    def test_a_pipe_has_no_width(self, capsys):
        assert terminal_width() is None
