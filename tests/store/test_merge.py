"""Joining study files."""

import shutil
import subprocess
import sys

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier
from store_studies import BAYES, TREE, refused, scores, study
from study_changes import change

from fairtrial.design import Factor
from fairtrial.errors import InputError, StudyFileError
from fairtrial.methods import Method
from fairtrial.results import read_study
from fairtrial.store import Record, StudyFile, merge_studies, study_status

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


class TestWhatIsJoined:
    def test_methods(self, ran, into):
        merged = merge_studies([ran("a"), ran("b", methods=TREE)], into)
        whole = ran("whole", methods={**BAYES, **TREE})
        assert scores(into).equals(scores(whole))
        assert (merged.datasets, merged.methods, merged.trials, merged.again) == (1, 3, 9, 3)  # the yardstick in both

    def test_the_verdict_is_that_of_one_study(self, ran, into):
        merge_studies([ran("a"), ran("b", methods=TREE)], into)
        whole = ran("whole", methods={**BAYES, **TREE})
        beforehand = "          ✓ the question and the plan were stored before the first trial\n"
        first, second = (str(read_study(file).verdict().full) for file in (whole, into))
        assert beforehand in first  # a merged file does not know that
        assert second == first.replace(beforehand, "")

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

    def test_levels_of_factors_on_methods(self, ran, into):
        def tree(*depths):
            return {"methods": TREE, "factors": {"max_depth": list(depths)}}

        merge_studies([ran("a", **tree(1, None)), ran("b", **tree(3))], into)
        whole = ran("whole", **tree(1, None, 3))
        assert scores(into).equals(scores(whole))
        assert read_study(into).factors == {"max_depth": (1, None, 3)}

    def test_named_levels_and_replicates(self, ran, into):
        def study(number, **models):
            pipe = Pipeline([("model", GaussianNB())])
            return {"methods": {"p": pipe}, "factors": [Factor("model", models)], "replicates": number}

        a = ran("a", **study(1, bayes=GaussianNB()))
        b = ran("b", **study(2, bayes=GaussianNB(), tree=DecisionTreeClassifier()))
        c = ran("c", **study(1, bayes=GaussianNB(var_smoothing=1e-3)))
        merged = merge_studies([a, b], into)
        found = read_study(into)
        assert found.factors == {"model": ("bayes", "tree")}
        assert found.definition.replicates == 2
        assert set(found.definition.factors[0].options["values"]) == {"bayes", "tree"}
        assert merged.trials == 3 * (2 * 2 + 2)  # splits × (settings × replicates + those of the yardstick)
        with pytest.raises(StudyFileError, match="must vary model in the same way, but values bayes "):
            merge_studies([a, c], into.with_name("other.trial"))

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
        assert len(read_study(into).provenance.sessions) == 1

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
        assert any("verdicts were made before on fewer trials" in str(c) for c in read_study(into).verdict().notices)

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


class TestWhatIsRefused:
    def test_two_trials_for_one_cell(self, ran, into):
        a, b = ran("a", factors={"label_noise": [0.1]}), ran("b", factors={"label_noise": [0.1, 0.2]})
        change(b, "UPDATE trial SET key = randomblob(16)")  # as a version might that makes noise in another way
        refused([a, b], into, r"one trial of a method at a level on a split, but .* is not the same in .*a.trial")

    def test_other_predictions_of_the_same_trial(self, ran, into, tmp_path):
        class Wild(GaussianNB):
            def predict(self, X):
                return np.asarray(["setosa", "versicolor"])[np.random.default_rng().integers(2, size=len(X))]

        methods = {"wild": Method("wild", Wild(), version="1"), **BAYES}
        a, b = (ran(name, methods=methods, again=True) for name in "ab")
        refused([a, b], into, r"but wild on iris \(repeat 0, fold \d\) differs")

    def test_a_single_file(self, ran, into):
        with pytest.raises(InputError, match="two study files or more"):
            merge_studies([ran("a")], into)
        with pytest.raises(InputError, match="two study files or more"):
            merge_studies("a.trial", into)

    def test_a_file_that_is_missing(self, ran, into, tmp_path):
        refused([ran("a"), tmp_path / "no.trial"], into, "no.trial does not exist")


class TestNothingIsDestroyed:
    def test_the_parts_stay_as_they_are(self, ran, into):
        a, b = ran("a"), ran("b", methods=TREE)
        before = a.read_bytes(), b.read_bytes()
        merge_studies([a, b], into)
        assert (a.read_bytes(), b.read_bytes()) == before
        assert sorted(p.name for p in into.parent.iterdir()) == ["a.trial", "b.trial", "merged.trial"]

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
