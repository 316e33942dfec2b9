"""Joining study files."""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from fairtrial.data import Dataset
from fairtrial.design import Question, Study
from fairtrial.errors import InputError, StudyFileError
from fairtrial.methods import Method
from fairtrial.resampling import from_sklearn
from fairtrial.results import read_study
from fairtrial.store import Record, StudyFile, merge_studies, study_status

BAYES, TREE = {"bayes": GaussianNB()}, {"tree": DecisionTreeClassifier(max_depth=2)}
MEASURES = ["accuracy", "auc"]


def study(**changes) -> Study:
    parts = {"datasets": ["iris"], "methods": BAYES, "resampling": "3-fold", "measures": MEASURES, **changes}
    return Study(**parts)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Studies that were run already, by what they are."""
    return {"folder": tmp_path_factory.mktemp("kept")}


@pytest.fixture
def ran(tmp_path, kept):
    """A study file of that name, run now or copied from one that was run before."""

    def run(name: str, *, again: bool = False, **changes):
        path, what = tmp_path / f"{name}.trial", repr(changes)
        if again or what not in kept:
            kept[what] = kept["folder"] / f"{len(kept)}.trial"
            study(**changes).run(kept[what], workers=0, progress=False).source.file.close()
        return shutil.copy(kept[what], path)

    return run


@pytest.fixture
def into(tmp_path):
    return tmp_path / "merged.trial"


def scores(path):
    """What was scored, without what depends on the order in which studies came."""
    frame = read_study(path).scores
    places = [c for c in frame.columns if c != "value"]
    return frame.set_index(places)["value"].sort_index()


class TestWhatIsJoined:
    def test_methods(self, ran, into):
        merged = merge_studies([ran("a"), ran("b", methods=TREE)], into)
        whole = ran("whole", methods={**BAYES, **TREE})
        assert scores(into).equals(scores(whole))
        assert (merged.datasets, merged.methods, merged.trials, merged.again) == (1, 3, 9, 3)  # the yardstick in both

    def test_the_verdict_is_that_of_one_study(self, ran, into):
        merge_studies([ran("a"), ran("b", methods=TREE)], into)
        whole = ran("whole", methods={**BAYES, **TREE})
        assert str(read_study(into).verdict()) == str(read_study(whole).verdict())

    def test_data_sets(self, ran, into):
        merge_studies([ran("a"), ran("b", datasets=["wine"])], into)
        assert scores(into).equals(scores(ran("whole", datasets=["iris", "wine"])))

    def test_repeats(self, ran, into):
        merge_studies([ran("a", resampling="1x3-fold"), ran("b", resampling="3x3-fold")], into)
        assert scores(into).equals(scores(ran("whole", resampling="3x3-fold")))
        assert read_study(into).dependence["iris"].repeats == 3

    def test_levels_of_factors(self, ran, into):
        a, b = ran("a", factors={"label_noise": [0.2]}), ran("b", factors={"label_noise": [0, 0.1]})
        merge_studies([a, b], into)
        assert scores(into).equals(scores(ran("whole", factors={"label_noise": [0, 0.1, 0.2]})))

    def test_three_at_once(self, ran, into):
        merge_studies([ran("a"), ran("b", methods=TREE), ran("c", datasets=["wine"])], into)
        found = read_study(into)
        assert set(found.dataset_names()) == {"iris", "wine"}
        assert set(found.method_names()) == {"bayes", "tree", "majority"}

    def test_a_study_with_itself_is_itself(self, ran, into, tmp_path):
        a = ran("a")
        copy = shutil.copy(a, tmp_path / "copy.trial")
        merged = merge_studies([a, copy], into)
        assert scores(into).equals(scores(a))
        assert merged.again == merged.trials == 6
        assert len(read_study(into).provenance["sessions"]) == 1

    def test_measures_of_all(self, ran, into):
        merge_studies([ran("a", measures=["accuracy"]), ran("b", measures=["mcc"], methods=TREE)], into)
        assert list(read_study(into).measures) == ["accuracy", "mcc"]

    def test_nothing_of_the_whole_study_is_left_to_run(self, ran, into):
        merge_studies([ran("a"), ran("b", methods=TREE)], into)
        with StudyFile(into, write=True) as file:
            file.register(study(methods={**BAYES, **TREE}).plan())
            assert len(file.waiting()) == 0

    def test_sessions_and_verdicts_go_along(self, ran, into):
        a, b = ran("a"), ran("b", methods=TREE)
        read_study(a).verdict()
        merge_studies([a, b], into)
        with StudyFile(into) as file:
            assert len(file.sessions()) == 2
            assert [row[0] for row in file.query("SELECT trials FROM verdict")] == [6]
            assert {row[0] for row in file.query("SELECT DISTINCT session FROM trial")} == {1, 2}
        assert any("verdicts were made before on fewer trials" in str(c) for c in read_study(into).verdict().checks)

    def test_files_of_version_1(self, ran, into):
        a, b = ran("a"), ran("b", methods=TREE)
        with sqlite3.connect(b) as db:
            for column in ("attempts", "begun", "n_train", "details"):
                db.execute(f"ALTER TABLE trial DROP COLUMN {column}")
            db.execute("ALTER TABLE session DROP COLUMN checks")
            db.execute("PRAGMA user_version = 1")
        db.close()
        merge_studies([b, a], into)
        assert set(read_study(into).method_names()) == {"bayes", "tree", "majority"}

    def test_waiting_and_failed_give_way_to_what_went_well(self, ran, into, tmp_path):
        done, begun = ran("a"), tmp_path / "begun.trial"
        plan = study().plan()
        with StudyFile(begun, write=True) as file:
            file.register(plan)
            file.append([Record(plan.trial(0).key, "failed", "Died: no")])
        merged = merge_studies([begun, done], into)
        with StudyFile(into) as file:
            assert study_status(file).done == len(plan)
        assert "1 trial failed in one file and went well in another: the latter is kept" in merged.notes
        assert scores(into).equals(scores(done))


class TestWhatIsDecided:
    def test_the_first_question_counts(self, ran, into):
        a = ran("a", question=Question("Which?", measure="auc"))
        merged = merge_studies([a, ran("b", methods=TREE)], into)
        assert read_study(into).question.measure == "auc"
        assert merged.notes == (f"the question of {a} is kept; others differ",)
        assert "note: the question of" in str(merged)

    def test_so_does_the_failure_policy(self, ran, into):
        merged = merge_studies([ran("a", failures="worst"), ran("b", methods=TREE)], into)
        assert read_study(into).policy == "worst"
        assert "the failure policy" in merged.notes[0]

    def test_one_method_under_two_names_has_the_first(self, ran, into):
        merged = merge_studies([ran("a"), ran("b", methods={"gauss": GaussianNB(), **TREE})], into)
        assert set(read_study(into).method_names()) == {"bayes", "tree", "majority"}
        assert "'gauss' of" in merged.notes[0]
        assert "is called 'bayes', as before" in merged.notes[0]

    def test_a_baseline_that_was_listed_anywhere_is_compared(self, ran, into):
        merge_studies([ran("a"), ran("b", methods=["majority"])], into)
        assert read_study(into).yardsticks == ()

    def test_nothing_is_said_where_nothing_was_to_decide(self, ran, into):
        assert merge_studies([ran("a"), ran("b", methods=TREE)], into).notes == ()


class TestWhatIsRefused:
    def refused(self, paths, into, match, **options):
        with pytest.raises(StudyFileError, match=match):
            merge_studies(paths, into, **options)
        assert [p.name for p in into.parent.iterdir() if "merged" in p.name] == []

    def test_another_seed(self, ran, into):
        self.refused([ran("a"), ran("b", seed=2)], into, "must have one seed, got 1 and 2")

    def test_another_resampling(self, ran, into):
        self.refused([ran("a"), ran("b", resampling="4-fold")], into, "same splits, got 3-fold and 4-fold")

    def test_other_splits_of_the_same_kind(self, ran, into):
        one, two = (from_sklearn(ShuffleSplit(2, test_size=0.2, random_state=seed)) for seed in (1, 2))
        a, b = ran("a", resampling=one), ran("b", resampling=two)
        self.refused([a, b], into, r"those of 'iris' differ \(first in repeat 0, fold 0\)")

    def test_other_data_of_one_name(self, ran, into):
        def data(n):
            return Dataset.from_arrays(np.arange(2.0 * n).reshape(n, 2), np.tile(["x", "y"], n // 2), name="d")

        a, b = ran("a", datasets=[data(30)]), ran("b", datasets=[data(60)])
        self.refused([a, b], into, "same data by one name, but 'd' has other content in each")

    def test_another_method_of_one_name(self, ran, into):
        a, b = ran("a", methods=TREE), ran("b", methods={"tree": DecisionTreeClassifier(max_depth=3)})
        self.refused([a, b], into, "'tree' is max_depth 2 in the one and 3 in the other")

    def test_other_factors(self, ran, into):
        a, b = ran("a"), ran("b", factors={"label_noise": [0.1]})
        self.refused([a, b], into, "must vary the same factors, got none and label_noise")

    def test_levels_that_hold_the_size_of_others(self, ran, into):
        cancer = {"datasets": ["breast_cancer"]}
        a, b = (ran(n, **cancer, factors={"class_balance": [0.5, low]}) for n, low in (("a", 0.3), ("b", 0.02)))
        self.refused([a, b], into, r"same levels of class_balance, got \[0.3, 0.5\] and \[0.02, 0.5\]: with hold_size")

    def test_levels_that_do_not_hold_the_size_go_together(self, ran, into):
        def balance(low):
            return {"class_balance": {"levels": [0.5, low], "hold_size": False}}

        a, b = (ran(n, datasets=["breast_cancer"], factors=balance(low)) for n, low in (("a", 0.3), ("b", 0.2)))
        merge_studies([a, b], into)
        assert read_study(into).factors == {"class_balance": (0.2, 0.3, 0.5)}
        assert not scores(into).index.duplicated().any()

    def test_other_options_of_a_factor(self, ran, into):
        factors = [{"class_balance": {"levels": [0.5, 0.3], "hold_size": hold}} for hold in (True, False)]
        a, b = (ran(n, datasets=["breast_cancer"], factors=f) for n, f in zip("ab", factors, strict=True))
        self.refused([a, b], into, "vary class_balance in the same way, but hold_size true in the one and false")

    def test_two_trials_for_one_cell(self, ran, into):
        a, b = ran("a", factors={"label_noise": [0.1]}), ran("b", factors={"label_noise": [0.1, 0.2]})
        with sqlite3.connect(b) as db:  # as a version might that makes noise in another way
            db.execute("UPDATE trial SET key = randomblob(16)")
        db.close()
        self.refused([a, b], into, r"one trial of a method at a level on a split, but .* is not the same in .*a.trial")

    def test_other_versions_unless_accepted(self, ran, into):
        a, b = ran("a"), ran("b", methods=TREE)
        with sqlite3.connect(b) as db:
            told = json.loads(db.execute("SELECT versions FROM session").fetchone()[0])
            db.execute("UPDATE session SET versions = ?", (json.dumps({**told, "numpy": "0.1"}),))
        db.close()
        self.refused([a, b], into, r"other versions \(numpy .* and 0.1\).*--accept-versions")
        merge_studies([a, b], into, accept_versions=True)

    def test_other_predictions_of_the_same_trial(self, ran, into, tmp_path):
        class Wild(GaussianNB):
            def predict(self, X):
                return np.asarray(["setosa", "versicolor"])[np.random.default_rng().integers(2, size=len(X))]

        methods = {"wild": Method("wild", Wild(), version="1"), **BAYES}
        a, b = (ran(name, methods=methods, again=True) for name in "ab")
        self.refused([a, b], into, r"but wild on iris \(repeat 0, fold \d\) differs")

    def test_a_file_that_is_there(self, ran, into):
        into.write_text("mine")
        with pytest.raises(StudyFileError, match="is there already; merge into a new file"):
            merge_studies([ran("a"), ran("b", methods=TREE)], into)
        assert into.read_text() == "mine"

    def test_a_folder_that_is_missing(self, ran, tmp_path):
        with pytest.raises(StudyFileError, match=r"no/z.trial can't be written: .*no is no folder; make it first"):
            merge_studies([ran("a"), ran("b", methods=TREE)], tmp_path / "no" / "z.trial")

    def test_a_single_file(self, ran, into):
        with pytest.raises(InputError, match="two study files or more"):
            merge_studies([ran("a")], into)
        with pytest.raises(InputError, match="two study files or more"):
            merge_studies("a.trial", into)

    def test_a_file_that_is_missing(self, ran, into, tmp_path):
        self.refused([ran("a"), tmp_path / "no.trial"], into, "no.trial does not exist")


class TestNothingIsDestroyed:
    def test_the_parts_stay_as_they_are(self, ran, into):
        a, b = ran("a"), ran("b", methods=TREE)
        before = a.read_bytes(), b.read_bytes()
        merge_studies([a, b], into)
        assert (a.read_bytes(), b.read_bytes()) == before
        assert sorted(p.name for p in into.parent.iterdir()) == ["a.trial", "b.trial", "merged.trial"]

    def test_killed_before_the_end_there_is_no_half_study(self, ran, into):
        a, b = ran("a"), ran("b", methods=TREE)
        code = (
            "import os; from fairtrial.store import merge; "
            "merge._Merging._verdicts = lambda self: os.kill(os.getpid(), 9); "
            f"merge.merge_studies([{str(a)!r}, {str(b)!r}], {str(into)!r})"
        )
        assert subprocess.run([sys.executable, "-c", code]).returncode == -signal.SIGKILL
        assert not into.exists()
        merge_studies([a, b], into)
        assert len(scores(into)) == 18

    def test_a_part_that_is_being_run(self, ran, into):
        a, b = ran("a"), ran("b", methods=TREE)
        with StudyFile(a, write=True):
            merged = merge_studies([a, b], into)
        assert f"{a} is being run: merged as it was now" in merged.notes


class TestCommand:
    def test_merges_and_says_so(self, ran, into):
        a, b = ran("a"), ran("b", methods=TREE)
        command = [sys.executable, "-m", "fairtrial", "merge", str(a), str(b), "--into", str(into)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.stdout.startswith(f"{into}: 1 data set, 3 methods, 9 trials; 3 trials were there more than once")
        again = subprocess.run(command, capture_output=True, text=True)
        assert (again.returncode, again.stderr) == (2, f"fairtrial: {into} is there already; merge into a new file\n")
