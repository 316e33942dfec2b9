"""Files of an older version: read as they are, brought up to date when they are written."""

import hashlib
import shutil
import sqlite3
from pathlib import Path

import pytest
from sklearn.naive_bayes import GaussianNB

from fairtrial.design import Study
from fairtrial.results import read_study
from fairtrial.store import StudyFile, merge_studies

# Made by fairtrial at commit af80f19: iris, majority and one_rule, 2-fold. Of version 2: at 15d2d64, iris, 2x2-fold,
# majority, bayes and bad_methods: odd (OddProbabilities), stranger (OddLabels) and raises (Raises), each with every=2.
FILES = Path(__file__).parent / "files"


@pytest.fixture
def old(tmp_path):
    return Path(shutil.copy(FILES / "version1.trial", tmp_path / "old.trial"))


@pytest.fixture
def second(tmp_path):
    return Path(shutil.copy(FILES / "version2.trial", tmp_path / "second.trial"))


def second_study(**changes):
    import bad_methods as bad

    odd = {"odd": bad.OddProbabilities(2), "stranger": bad.OddLabels(2), "raises": bad.Raises(2)}
    methods = {"majority": "majority", "bayes": GaussianNB(), **odd}
    options = {"datasets": ["iris"], "methods": methods, "resampling": "2x2-fold", "measures": ["accuracy"]}
    return Study(**{**options, **changes})


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def columns(path):
    with sqlite3.connect(path) as db:
        return {row[1] for row in db.execute("PRAGMA table_info(trial)")}, db.execute("PRAGMA user_version").fetchone()


class TestVersion1:
    def test_is_read_and_stays_as_it_is(self, old):
        before = digest(old)
        results = read_study(old)
        means = results.scores[results.scores["measure"] == "accuracy"].groupby("method")["value"].mean()
        assert means.to_dict() == {"majority": pytest.approx(1 / 3), "one_rule": pytest.approx(0.94)}
        with StudyFile(old) as file:
            assert [record.begun for record in file.read()] == [None] * 4
            assert all(record.arrays["label"].unpack().size == 75 for record in file.read())
        assert digest(old) == before
        assert columns(old)[1] == (1,)

    def test_what_was_done_is_not_run_again(self, old):
        study = Study(datasets=["iris"], methods=["majority", "one_rule"], resampling="2x2-fold", measures=["accuracy"])
        results = study.run(old, workers=1, progress=False, accept_versions=True)
        with StudyFile(old) as file:
            per_session = dict(file.query("SELECT session, COUNT(*) FROM trial GROUP BY session"))
        assert per_session == {1: 4, 2: 4}
        assert len(results.scores) == 8
        names, version = columns(old)
        assert version == (3,)
        assert {"attempts", "begun", "details", "n_train"} <= names

    def test_a_crash_while_it_is_brought_up_leaves_the_old_one(self, old, monkeypatch):
        from fairtrial.store import connect as module

        twice = ("trial", "key", "TEXT")  # a column that is there already
        broken = {**module.NEW_COLUMNS, 2: (*module.NEW_COLUMNS[2], twice)}
        monkeypatch.setattr(module, "NEW_COLUMNS", broken)
        with pytest.raises(Exception, match="duplicate column"):
            StudyFile(old, write=True)
        names, version = columns(old)
        assert version == (1,)
        assert "begun" not in names


FAILED = {"odd": 2, "stranger": 2, "raises": 2}


class TestVersion2:
    """Its trials were not checked before they were stored: two of odd, two of stranger are no predictions."""

    def failed(self, results):
        return results.failures["method"].value_counts().to_dict()

    def test_is_read_with_bad_predictions_as_failures_and_stays_as_it_is(self, second):
        before = digest(second)
        results = read_study(second).with_measures("log_loss")
        assert self.failed(results) == FAILED
        reasons = dict(zip(results.failures["method"], results.failures["error"], strict=True))
        assert reasons["odd"].startswith("InputError: probability must sum to 1 over the classes, but rows 0, 1, 2")
        assert reasons["stranger"].startswith("InputError: label must hold class codes from 0 to 2, but rows 0, 1")
        assert results.scores.query("status == 'failed'")["value"].isna().all()
        assert "6 of 20 trials failed" in str(results.verdict())
        assert columns(second)[1] == (2,)
        results.source.file.close()
        assert digest(second) == before  # the same verdict is noted in it already
        assert read_study(second).scores.query("method == 'bayes'")["value"].mean() == pytest.approx(0.9466667)

    def test_is_resumed(self, second):
        results = second_study(resampling="3x2-fold").run(second, workers=1, progress=False, accept_versions=True)
        with StudyFile(second) as file:
            assert dict(file.query("SELECT session, COUNT(*) FROM trial GROUP BY session")) == {1: 20, 2: 10}
            assert file.query("SELECT COUNT(*) FROM session WHERE checks = 1") == [(2,)]
            stored = "SELECT COUNT(*) FROM array a JOIN trial t ON t.id = a.trial WHERE t.status = 'failed'"
            assert file.query(stored) == [(0,)]
        old = results.failures[results.failures["repeat"] < 2]
        assert old["method"].value_counts().to_dict() == FAILED

    def test_is_merged(self, second, tmp_path):
        other = tmp_path / "other.trial"
        study = second_study(methods={"majority": "majority", "one_rule": "one_rule"})
        study.run(other, workers=0, progress=False).source.file.close()
        merged = merge_studies([second, other], tmp_path / "both.trial", accept_versions=True)
        assert (merged.trials, merged.again) == (24, 4)
        assert self.failed(read_study(tmp_path / "both.trial")) == FAILED
