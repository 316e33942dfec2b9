"""Notices in a study file: stored by a run, read by the verdict, merged, and those of earlier versions."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.model_selection import KFold
from study_changes import change

from fairtrial.data import Dataset
from fairtrial.definition import StudyDefinition
from fairtrial.design import Study
from fairtrial.errors import StudyFileError
from fairtrial.notices import Notice
from fairtrial.resampling import from_sklearn
from fairtrial.results import read_study
from fairtrial.store import StudyFile, anonymous_copy
from fairtrial.store.checks.json import NOTICE, fits
from fairtrial.store.merge import joint_notices

TORN = Notice("iris: 3 of 5 splits tear groups apart", about="iris", guard="torn_groups", stage="plan")
PLAIN = Study(datasets=["iris"], methods=["majority"], resampling="2-fold").definition().to_dict()
EARLIER = {"split_warnings": {"iris": ["iris: 3 of 10 test sets lack a class"]}}


def defined(*notices, **fields):
    """The definition of a study as it comes back from JSON."""
    own = {"notices": [notice.to_dict() for notice in notices]} if notices else {}
    return StudyDefinition.from_dict(json.loads(json.dumps({**PLAIN, **own, **fields})))


class TestStoredNotices:
    def test_come_back_as_they_were(self):
        numbers = Notice("x is odd", "grave", "x", {"n": 7, "of": [1, 2]}, "halve it", "odd", "data")
        assert defined(TORN, numbers).notices == (TORN, numbers)

    def test_texts_of_earlier_versions(self):
        (found,) = defined(**EARLIER).notices
        assert (found.guard, found.stage, found.severity, found.about) == ("splits", "plan", "warning", "iris")
        assert found.text == "iris: 3 of 10 test sets lack a class"

    def test_none_and_fields_of_later_versions(self):
        assert defined().notices == ()
        assert defined(notices=[{"sentence": "a", "colour": "red"}]).notices == (Notice("a"),)

    @pytest.mark.parametrize(
        "stored",
        [
            {},
            {"sentence": 7},
            {"sentence": "a", "severity": "terrible"},
            {"sentence": "a", "stage": ["plan"]},
            {"sentence": "a", "evidence": []},
            "a",
        ],
    )
    def test_what_a_file_must_not_hold(self, stored):
        assert not fits(stored, NOTICE)
        assert fits(TORN.to_dict(), NOTICE)


def torn_study():
    """A study whose splits tear groups apart, which only the plan can see."""
    target = np.where(np.arange(80) % 2, "no", "yes")
    data = Dataset.from_arrays(np.arange(80.0)[:, None], target, name="numbered", groups=np.arange(80) // 4)
    splits = from_sklearn(KFold(2, shuffle=True, random_state=1), like="2-fold")
    return Study(datasets=[data], methods=["one_rule"], resampling=splits)


@pytest.fixture
def path(tmp_path):
    torn_study().run(tmp_path / "a.trial", workers=0, progress=False)
    return tmp_path / "a.trial"


def rewrite(path, definition):
    change(path, "UPDATE study SET definition = ?", json.dumps(definition))


class TestInAFile:
    def test_a_run_stores_those_of_the_plan_and_the_verdict_has_the_warnings(self, path):
        with StudyFile(path) as file:
            stored = file.definition().notices
        assert stored == torn_study().plan().notices
        (torn,) = (notice for notice in stored if notice.guard == "torn_groups")
        assert torn.text == "numbered: 2 of 2 splits divide groups, so that methods that learn by heart look good"
        assert torn in read_study(path).verdict().notices

    def test_a_file_of_an_earlier_version_has_the_same_verdict_and_resumes(self, path):
        with StudyFile(path) as file:
            own = file.definition().to_dict()
        texts = [n["sentence"] for n in own.pop("notices") if n["severity"] == "warning"]
        rewrite(path, {**own, "split_warnings": {"numbered": texts}})
        assert [n.text for n in read_study(path).verdict().notices if n.guard == "splits"] == texts
        torn_study().run(path, workers=0, progress=False)
        with StudyFile(path) as file:
            assert [n.guard for n in file.definition().notices].count("torn_groups") == 1
            assert file.query("SELECT COUNT(*), MAX(attempts) FROM trial") == [(2, 1)]

    def test_what_a_stranger_wrote_is_refused_by_its_place(self, path):
        with StudyFile(path) as file:
            own = file.definition().to_dict()
        rewrite(path, {**own, "notices": [{"sentence": None}]})
        with pytest.raises(StudyFileError, match=r"notices\[0\]\.sentence must be text, got None"):
            read_study(path)

    def test_an_anonymous_copy_hides_paths_in_them_but_keeps_names(self, path, tmp_path):
        with StudyFile(path) as file:
            own = file.definition().to_dict()
        secret = Notice("see /home/anna/a.csv", about="numbered", evidence={"file": "/home/anna/a.csv"}, guard="g")
        rewrite(path, {**own, "notices": [secret.to_dict()]})
        with StudyFile(path) as file, StudyFile(anonymous_copy(file, tmp_path / "b.trial")) as copy:
            (found,) = copy.definition().notices
        assert (found.sentence, found.about, found.evidence) == ("see …/a.csv", "numbered", {"file": "…/a.csv"})


class TestJointNotices:
    def test_the_first_study_counts_for_each_guard_and_data_set(self):
        other = Notice("iris: 5 of 10 splits tear groups apart", about="iris", guard="torn_groups", stage="plan")
        wine = Notice("wine: 1 of 10 splits tears groups apart", about="wine", guard="torn_groups", stage="plan")
        assert joint_notices([defined(TORN), defined(other, wine)]) == (TORN, wine)

    def test_what_both_versions_say_is_said_once(self):
        same = Notice("iris: 3 of 10 test sets lack a class", about="iris", guard="missing_classes", stage="plan")
        assert len(joint_notices([defined(**EARLIER), defined(same)])) == 1
