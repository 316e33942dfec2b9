"""Files of an older version: read as they are, brought up to date when they are written."""

import hashlib
import shutil
import sqlite3
from pathlib import Path

import pytest

from fairtrial.design import Study
from fairtrial.results import read_study
from fairtrial.store import StudyFile

# Made by fairtrial at commit af80f19: iris, majority and one_rule, 2-fold. Of version 2: at 15d2d64, iris, 2x2-fold,
# majority, bayes and bad_methods: odd (OddProbabilities), stranger (OddLabels) and raises (Raises), each with every=2.
FILES = Path(__file__).parent / "files"


@pytest.fixture
def old(tmp_path):
    return Path(shutil.copy(FILES / "version1.trial", tmp_path / "old.trial"))


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

    @pytest.mark.slow
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
