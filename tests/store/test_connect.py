"""Files of an older version: read as they are, brought up to date when they are written."""

import hashlib
import shutil
import sqlite3
from pathlib import Path

import pytest
from sklearn.naive_bayes import GaussianNB

from fairtrial.design import Study
from fairtrial.errors import InputError
from fairtrial.results import read_study
from fairtrial.store import StudyFile, content_digest, merge_studies
from fairtrial.store.schema import VERSION

# Made by fairtrial at commit af80f19: iris, majority and one_rule, 2-fold. Of version 2: at 15d2d64, iris, 2x2-fold,
# majority, bayes and bad_methods: odd (OddProbabilities), stranger (OddLabels) and raises (Raises), each with every=2.
# Of version 3: at 5a8e1d8, iris and labor, 2-fold, bayes (GaussianNB) and rule (one_rule), an anonymous copy.
# Of version 4: at 886a0e0, iris and labor, 2-fold, 2 replicates, training scores, majority, bayes, rule (one_rule) and
# raises (bad_methods.Raises, every=2: two trials failed), one verdict, an anonymous copy.
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
        assert version == (VERSION,)
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


class TestVersion3:
    """The last version without training scores."""

    @pytest.fixture
    def third(self, tmp_path):
        return Path(shutil.copy(FILES / "version3.trial", tmp_path / "third.trial"))

    def study(self, **more):
        methods = {"bayes": GaussianNB(), "rule": "one_rule"}
        parts = {"resampling": "2-fold", "measures": ["accuracy", "fit_time"], **more}
        return Study(datasets=["iris", "labor"], methods=methods, **parts)

    def test_has_no_training_scores(self, third):
        results = read_study(third)
        assert len(results.scores) == 16
        assert results.training_scores.empty
        assert "train_test_gap" not in {n.guard for n in results.verdict().notices}
        with pytest.raises(InputError, match=r"no accuracy on training rows .* training_scores=True"):
            results.training_gap()
        assert columns(third)[1] == (3,)  # the verdict is noted in it, and it stays what it was

    def test_the_digest_of_its_content_is_what_version_3_wrote(self, third):
        with StudyFile(third) as file:
            trials = [number for (number,) in file.query("SELECT id FROM trial")]
            assert content_digest(file, trials) == "44ecdf94ac132f5a4bb580a04bee3814"

    @pytest.mark.slow
    def test_goes_on_with_training_scores_of_new_trials_only(self, third):
        assert self.study(training_scores=True).digest() == self.study().digest()
        results = self.study(resampling="2x2-fold", training_scores=True).run(
            third, workers=0, progress=False, accept_versions=True
        )
        assert columns(third)[1] == (VERSION,)
        assert set(results.training_scores["repeat"]) == {1}
        assert len(results.training_scores) == 8
        assert len(results.scores) == 32

    def test_is_merged_with_a_file_of_today(self, third, tmp_path):
        more = Study(
            datasets=["wine"],
            methods={"bayes": GaussianNB(), "rule": "one_rule"},
            resampling="2-fold",
            measures=["accuracy", "fit_time"],
            training_scores=True,
        )
        more.run(tmp_path / "more.trial", workers=0, progress=False)
        merge_studies([third, tmp_path / "more.trial"], tmp_path / "both.trial", accept_versions=True)
        results = read_study(tmp_path / "both.trial")
        assert results.definition.training_scores is True
        assert set(results.training_scores["dataset"]) == {"wine"}
        assert set(results.scores["dataset"]) == {"iris", "labor", "wine"}
