"""The definition of a study: from a study to the text in its file, and back."""

import json
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.choices import FAILURE_POLICIES
from fairtrial.definition import DefinedFactor, StudyDefinition
from fairtrial.notices import Notice
from fairtrial.store import StudyFile
from fairtrial.store.checks.json import DEFINITION, fits

FILES = Path(__file__).parent / "store" / "files"


@pytest.fixture(scope="module")
def definition():
    methods = {"bayes": ft.tuned(GaussianNB(), {"var_smoothing": [1e-9, 1e-3]}), "plain": GaussianNB()}
    study = ft.Study(
        "Is it worth it?", datasets=["iris"], methods=methods, resampling="3-fold", factors={"label_noise": [0, 0.1]}
    )
    return study.definition()


class TestStudyDefinition:
    def test_has_typed_fields(self, definition):
        assert definition.question["text"] == "Is it worth it?"
        assert [d.name for d in definition.datasets] == ["iris"]
        assert [(m.name, m.configurations, m.yardstick) for m in definition.methods] == [
            ("bayes", 2, False), ("plain", 0, False), ("majority", None, True),
        ]  # fmt: skip
        assert definition.factors == (DefinedFactor(name="label_noise", levels=(0, 0.1)),)
        assert (definition.timing, definition.time_limit) == ("shared", None)

    def test_comes_back_from_its_text(self, definition):
        whole = replace(definition, notices=(Notice("small", about="iris"),), merged=("a.trial",))
        for each in (definition, whole):
            text = json.dumps(each.to_dict())
            back = StudyDefinition.from_dict(json.loads(text))
            assert back == each
            assert json.dumps(back.to_dict()) == text

    def test_what_is_not_there_is_not_written(self, definition):
        written = definition.to_dict()
        assert "merged" not in written
        assert "training_scores" not in written
        assert "configurations" not in written["methods"][-1]
        assert written["time_limit"] is None

    def test_each_field_is_checked_when_it_is_read(self, definition):
        more = {"layout": {"kind": "full factorial"}, "replicates": 2, "training_scores": True}
        written = replace(definition, merged=(), **more).to_dict()
        assert set(written) == {f.name for f in fields(StudyDefinition)}
        assert fits(written, DEFINITION)
        for name in set(written) - {"dependence"}:
            assert not fits({**written, name: object()}, DEFINITION), name

    def test_of_a_file_of_version_5(self):
        with StudyFile(FILES / "version5.trial") as file:
            found = file.definition()
        assert (found.factors, found.memory, found.merged, found.training_scores) == ((), "mark", None, None)

    def test_factors_keep_their_options(self):
        factor = DefinedFactor(name="class_balance", levels=(0.1, 0.5), options={"hold_size": True})
        assert factor.to_dict() == {"name": "class_balance", "levels": [0.1, 0.5], "hold_size": True}
        assert DefinedFactor.from_dict(factor.to_dict()) == factor


def test_it_costs_nothing_to_import():
    """The command line takes its choices from here."""
    code = "import sys, fairtrial.definition; print({'numpy', 'pandas', 'sklearn'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
    assert FAILURE_POLICIES == ("baseline", "worst", "drop", "refuse")
