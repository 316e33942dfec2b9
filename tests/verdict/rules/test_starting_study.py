"""The studies that ``fairtrial choose`` writes."""

from __future__ import annotations

import tomllib

import pytest
from all_walks import all_walks

from fairtrial.design import load_study
from fairtrial.verdict.rules.choose_procedure import advise_procedure, answered


def heads():
    """A study for each combination of data sets, resampling and question."""
    found = {}
    for walk in all_walks():
        files = advise_procedure(walk).files
        found.setdefault(files["study.toml"].partition("[methods")[0], files)
    return found


def write(files, folder):
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "study.toml"


class TestStudyFiles:
    def test_every_one_is_toml_with_a_question(self):
        for head, files in heads().items():
            content = tomllib.loads(files["study.toml"])
            assert content["question"]["measure"] == content["measures"][0], head

    @pytest.mark.slow
    def test_every_one_loads_and_plans(self, tmp_path):
        for files in heads().values():
            study = load_study(write(files, tmp_path))
            assert len(study.plan()) > 0

    def test_a_question_with_a_margin(self, tmp_path):
        files = advise_procedure(answered([2, 4, 4, 3, 1, 1])).files
        question = load_study(write(files, tmp_path)).question
        assert (question.control, question.alternative, question.delta) == ("tree", "not worse", 0.01)

    def test_groups_come_with_data(self, tmp_path):
        files = advise_procedure(answered([2, 2, 1, 1, 2, 2, 1])).files
        assert list(files) == ["study.toml", "example_1.csv"]
        assert load_study(write(files, tmp_path)).plan().headline() == (
            "1 data set × 3 methods × grouped 10-fold = 30 trials"
        )

    @pytest.mark.slow
    def test_the_verdict_takes_the_advised_row(self, tmp_path):
        advice = advise_procedure(answered([1, 2, 1, 1, 1, 1]))
        results = load_study(write(advice.files, tmp_path)).run(tmp_path / "a.trial", workers=0, progress=False)
        assert results.verdict().rule == advice.rule.name
