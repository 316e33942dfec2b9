"""Verdicts are noted in the study file."""

import pytest
from study_changes import change

import fairtrial as ft
from fairtrial.store import StudyFile, log_verdict


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "a.trial"
    ft.Study(datasets=["labor"], methods=["majority"], resampling="2-fold").run(made, workers=0, progress=False)
    return made


def noted(path):
    with StudyFile(path) as file:
        return file.query("SELECT trials, sentence FROM verdict")


class TestLogVerdict:
    @pytest.mark.slow
    def test_counts_earlier_looks_at_fewer_trials(self, path):
        assert log_verdict(path, {"measure": "accuracy"}, "first").on_fewer_trials == 0
        larger = ft.Study(datasets=["labor"], methods=["majority"], resampling="3x2-fold")
        larger.run(path, workers=0, progress=False)
        assert log_verdict(path, {"measure": "accuracy"}, "second").on_fewer_trials == 1
        assert log_verdict(path, {"measure": "accuracy"}, "the same again").on_fewer_trials == 1
        assert noted(path) == [(2, "first"), (6, "second")]

    def test_names_the_measures_that_were_asked(self, path):
        for measure in ("accuracy", "auc", "accuracy", "mcc"):
            found = log_verdict(path, {"measure": measure}, "x")
        assert found.measures == ("accuracy", "auc", "mcc")

    def test_leaves_one_file_and_no_lock(self, path):
        log_verdict(path, {}, "x")
        assert [p.name for p in path.parent.iterdir()] == ["a.trial"]

    def test_a_run_under_way_is_not_disturbed(self, path):
        with StudyFile(path, write=True):
            assert log_verdict(path, {}, "x") is None

    def test_a_file_that_is_none_is_no_error(self, tmp_path):
        other = tmp_path / "text.trial"
        other.write_text("not a database " * 100)
        assert log_verdict(other, {}, "x") is None

    @pytest.mark.parametrize("question", ["[" * 200_000, '{"measure": ' * 900, "nonsense", "3"])
    def test_a_hostile_entry_is_passed_over(self, path, question):
        entry = "INSERT INTO verdict (made, trials, question, sentence, seal) VALUES ('', 1, ?, '', 0)"
        change(path, entry, question)
        assert log_verdict(path, {"measure": "accuracy"}, "x").measures == ("accuracy",)
