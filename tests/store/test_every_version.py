"""Study files of every version: read, judged, resumed and merged as they are; what older ones lack is said once."""

import shutil
from pathlib import Path

import bad_methods
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.design import Study
from fairtrial.results import read_study
from fairtrial.store import StudyFile, check_file, check_rows, merge_studies
from fairtrial.store.schema import VERSION

pytestmark = pytest.mark.slow

FILES = Path(__file__).parent / "files"
BAD = {"odd": bad_methods.OddProbabilities(every=2), "stranger": bad_methods.OddLabels(every=2)}
STUDIES = {  # what each file was run with: see test_connect.py
    1: {"datasets": ["iris"], "methods": ["majority", "one_rule"], "resampling": "2-fold"},
    2: {
        "datasets": ["iris"],
        "methods": {"majority": "majority", "bayes": GaussianNB(), **BAD, "raises": bad_methods.Raises(every=2)},
        "resampling": "2x2-fold",
    },
    3: {"datasets": ["iris", "labor"], "methods": {"bayes": GaussianNB(), "rule": "one_rule"}, "resampling": "2-fold"},
    4: {
        "datasets": ["iris", "labor"],
        "methods": {
            "majority": "majority",
            "bayes": GaussianNB(),
            "rule": "one_rule",
            "raises": bad_methods.Raises(every=2),
        },
        "resampling": "2-fold",
        "replicates": 2,
    },
}
TRIALS = {1: 4, 2: 20, 3: 8, 4: 32}


@pytest.fixture(params=range(1, VERSION))
def version(request):
    return request.param


@pytest.fixture
def path(version, tmp_path):
    return Path(shutil.copy(FILES / f"version{version}.trial", tmp_path / "old.trial"))


def unchecked(results):
    return [note for note in results.notes if "without digests" in note]


def without_digests(trials):
    return f"{trials} trials were written by an older fairtrial, without digests, and can't be checked for damage"


def test_there_is_a_file_of_each_older_version():
    assert sorted(STUDIES) == sorted(TRIALS) == list(range(1, VERSION))


def test_is_read_and_judged_and_its_rows_are_unchecked(path, version):
    before = path.read_bytes()
    results = read_study(path)
    assert unchecked(results) == [without_digests(f"{TRIALS[version]} of {TRIALS[version]}")]
    assert path.read_bytes() == before
    verdict = results.verdict(failures="worst")
    assert sum("without digests" in notice.text for notice in verdict.notices) == 1
    with StudyFile(path) as file:  # the verdict is noted in it, and it stays what it was
        assert file.query("PRAGMA user_version") == [(version,)]
    assert check_file(path).is_whole


def test_is_resumed_and_new_rows_have_digests(path, version):
    before = read_study(path).scores
    parts = {**STUDIES[version], "resampling": "3x2-fold", "measures": sorted(set(before["measure"]))}
    results = Study(**parts).run(path, workers=0, progress=False, accept_versions=True)
    more = len(results.source.trials)
    assert more == 3 * TRIALS[version] // (2 if version == 2 else 1)
    again = {2: 12, 4: 8}.get(version, 0)  # of methods of one's own, which are known by their source since version 5
    assert unchecked(results) == [without_digests(f"{TRIALS[version] - again} of {more}")]
    places = [c for c in before.columns if c != "value"]
    old, new = (frame.set_index(places)["value"] for frame in (before, results.scores))
    assert new.loc[old.index].equals(old)
    with StudyFile(path) as file:
        check_rows(file)
        assert file.query("SELECT COUNT(*) FROM trial WHERE seal IS NULL AND session > 1") == [(0,)]
    found = check_file(path)
    assert (found.is_whole, found.unchecked) == (True, TRIALS[version])


def test_is_merged_with_a_file_of_today(path, version, tmp_path):
    own = {**STUDIES[version], "methods": {"tree": DecisionTreeClassifier(max_depth=2)}}
    Study(**own, measures=["accuracy"]).run(tmp_path / "new.trial", workers=0, progress=False)
    merged = tmp_path / "both.trial"
    merge_studies([path, tmp_path / "new.trial"], merged, accept_versions=True)
    results = read_study(merged)
    assert {"tree"} < set(results.method_names())
    assert unchecked(results) == [without_digests(f"{TRIALS[version]} of {len(results.source.trials)}")]
    found = check_file(merged)
    assert (found.is_whole, found.unchecked) == (True, TRIALS[version])


class TestVersion5:
    """The first version that stays: written before rooms and modules were moved, and still the same trials."""

    @pytest.fixture
    def path(self, tmp_path):
        return Path(shutil.copy(FILES / "version5.trial", tmp_path / "fifth.trial"))

    def test_it_is_whole_and_read_without_a_note(self, path):
        found = check_file(path)
        assert (found.is_whole, found.unchecked, found.rows["trial"]) == (True, 0, 40)
        results = read_study(path)
        assert not any("digests" in note for note in results.notes)
        assert results.verdict().answer == "On none of these 2 data sets is a method shown to be the best in accuracy."

    def test_no_trial_has_another_key_today(self, path):
        methods = {
            "majority": "majority",
            "bayes": GaussianNB(),
            "rule": "one_rule",
            "tuned": ft.tuned(GaussianNB(), {"var_smoothing": [1e-9, 1e-3]}, inner="2-fold"),
            "raises": bad_methods.Raises(every=2),
        }
        study = Study(datasets=["iris", "labor"], methods=methods, resampling="2-fold", replicates=2)
        with StudyFile(path) as file:
            before = file.query("SELECT key, attempts FROM trial ORDER BY key")
        study.run(path, workers=0, progress=False)
        with StudyFile(path) as file:
            assert file.query("SELECT key, attempts FROM trial ORDER BY key") == before
