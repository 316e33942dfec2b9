"""Files of version 2, whose predictions nobody checked: those that no measure takes count as failures."""

import shutil
from pathlib import Path

import pytest
from sklearn.naive_bayes import GaussianNB

from fairtrial.design import Study
from fairtrial.results import read_study
from fairtrial.store import StudyFile, merge_studies, refused_trials

FAILED = {"odd": 2, "stranger": 2, "raises": 2}


@pytest.fixture
def second(tmp_path):
    return Path(shutil.copy(Path(__file__).parent / "files" / "version2.trial", tmp_path / "second.trial"))


def second_study(**changes):
    import bad_methods as bad

    odd = {"odd": bad.OddProbabilities(2), "stranger": bad.OddLabels(2), "raises": bad.Raises(2)}
    methods = {"majority": "majority", "bayes": GaussianNB(), **odd}
    options = {"datasets": ["iris"], "methods": methods, "resampling": "2x2-fold", "measures": ["accuracy"]}
    return Study(**{**options, **changes})


class TestVersion2:
    """Its trials were not checked before they were stored: two of odd, two of stranger are no predictions."""

    def failed(self, results):
        return results.failures["method"].value_counts().to_dict()

    def test_is_read_with_bad_predictions_as_failures_and_stays_as_it_is(self, second):
        before = second.read_bytes()
        results = read_study(second).with_measures("log_loss")
        assert self.failed(results) == FAILED
        reasons = dict(zip(results.failures["method"], results.failures["error"], strict=True))
        assert reasons["odd"].startswith("InputError: probability must sum to 1 over the classes, but rows 0, 1, 2")
        assert reasons["stranger"].startswith("InputError: label must hold class codes from 0 to 2, but rows 0, 1")
        assert results.scores.query("status == 'failed'")["value"].isna().all()
        assert "6 of 20 trials failed" in str(results.verdict())
        results.source.file.close()
        assert second.read_bytes() == before  # the same verdict is noted in it already
        assert read_study(second).scores.query("method == 'bayes'")["value"].mean() == pytest.approx(0.9466667)

    @pytest.mark.slow
    def test_is_resumed(self, second):
        results = second_study(resampling="3x2-fold").run(second, workers=1, progress=False, accept_versions=True)
        with StudyFile(second) as file:
            assert dict(file.query("SELECT session, COUNT(*) FROM trial GROUP BY session")) == {
                1: 20,
                2: 22,
            }
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


class TestRefusedTrials:
    def test_names_the_trials_and_why(self, second):
        with StudyFile(second) as file:
            names = dict(file.query("SELECT t.id, m.name FROM trial t JOIN method m ON m.id = t.method"))
            found = [(names[trial], reason.split(" over ")[0]) for trial, reason in refused_trials(file).items()]
        assert sorted(name for name, _ in found) == ["odd", "odd", "stranger", "stranger"]
        assert ("odd", "InputError: probability must sum to 1") in found

    def test_sessions_that_checked_are_not_looked_at_again(self, second):
        with StudyFile(second, write=True) as file:
            assert file.demote() == 4
            assert refused_trials(file) == {}
            assert file.demote() == 0
