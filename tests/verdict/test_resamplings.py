"""What the verdict makes of each kind of resampling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import KFold as ShuffledFolds
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from fairtrial.data import Dataset, datasets
from fairtrial.design import Question, Study
from fairtrial.resampling import Forward, GroupKFold, from_sklearn
from fairtrial.results import read_scores, read_study

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


WINE = datasets("wine")[0]
GROUPED = replace(WINE, groups=np.arange(178) // 3)
TIMED = replace(WINE, order=np.random.default_rng(1).permutation(178).astype(float))
AT_RANDOM = from_sklearn(ShuffledFolds(3, shuffle=True, random_state=1))
METHODS = {"bayes": GaussianNB(), "neighbour": KNeighborsClassifier(1)}


def small(i: int) -> Dataset:
    random = np.random.default_rng(i)
    target = np.repeat(["a", "b"], 20)
    return Dataset.from_arrays(random.normal(size=(40, 2)) + (target == "a")[:, None], target, name=f"d{i}")


def verdict_on(resampling, data=WINE, question=None, path=None):
    sets = data if isinstance(data, list) else [data]
    study = Study(question, datasets=sets, methods=METHODS, resampling=resampling, measures=["accuracy"])
    return study.run(path, workers=0, progress=False).verdict()


def texts(verdict):
    return " | ".join(c.text for c in verdict.notices)


class TestTested:
    @pytest.mark.parametrize(
        ("resampling", "data", "share"),
        [
            ("5x2", WINE, 0.5),
            ("bootstrap 6", WINE, np.exp(-1)),
            ("4x 60/20/20", WINE, 0.25),
            (GroupKFold(5), GROUPED, 0.2),
            (from_sklearn(ShuffleSplit(5, test_size=0.2, random_state=1), like="5x holdout 0.2"), WINE, 0.2),
        ],
        ids=lambda value: value if isinstance(value, str) else type(value).__name__,
    )
    def test_with_the_share_of_its_splits(self, resampling, data, share):
        verdict = verdict_on(resampling, data)
        assert verdict.evidence.dependence[0].test_share == pytest.approx(share)
        assert verdict.test.startswith("corrected resampled t over ")

    def test_leave_one_out_has_one_test_instance_and_is_not_told_to_have_larger_folds(self, tmp_path):
        first = verdict_on("leave-one-out", path=tmp_path / "loo.trial")
        assert first.evidence.dependence[0].test_share == pytest.approx(1 / 178)
        assert first.test.startswith("corrected resampled t over ")
        assert "instances a fold" not in texts(first)
        again = read_study(tmp_path / "loo.trial").verdict()
        assert again.evidence.dependence == first.evidence.dependence
        assert again.evidence.dependence[0].folds == 178

    def test_leave_one_out_scores_from_elsewhere(self):
        random = np.random.default_rng(1)
        parts = [
            pd.DataFrame(
                {"dataset": "d", "method": m, "fold": range(50), "value": (random.random(50) < p).astype(float)}
            )
            for m, p in (("good", 0.95), ("bad", 0.3))
        ]
        verdict = read_scores(pd.concat(parts), measure="accuracy", resampling="leave-one-out").verdict()
        assert verdict.evidence.dependence[0].test_share == 0.02
        assert verdict.winner == "good"


class TestAveraged:
    @pytest.mark.parametrize(
        ("resampling", "data", "reason"),
        [
            (Forward(4), TIMED, "blocks of time follow each other"),
            ("nested 3-fold", WINE, "made for an interval of one method's error"),
            (from_sklearn(ShuffleSplit(5, random_state=1)), WINE, "the scheme of these splits is unknown"),
        ],
        ids=lambda value: value if isinstance(value, str) else type(value).__name__,
    )
    def test_on_one_data_set_there_is_no_test(self, resampling, data, reason):
        verdict = verdict_on(resampling, data)
        assert verdict.test == "none"
        assert "is open: 1 data set is too few to compare over" in verdict.sentence
        assert reason in verdict.sentence
        assert reason in texts(verdict)

    def test_over_data_sets_there_is(self):
        sets = [replace(small(i), order=np.arange(40)[::-1].astype(float) % 20) for i in range(7)]
        verdict = verdict_on(Forward(2), sets)
        assert verdict.test.startswith("Wilcoxon")
        assert "blocks of time follow each other" in texts(verdict)


class TestResubstitution:
    @pytest.mark.parametrize("n", [1, 3, 7])
    def test_is_never_tested(self, n):
        verdict = verdict_on("resubstitution", [small(i) for i in range(n)])
        assert verdict.test == "none"
        assert any("is open: resubstitution is optimistic" in s for s in verdict.sentences)
        assert "resubstitution is optimistic" in texts(verdict)
        assert "data sets" not in str(verdict).split("Next")[1]

    def test_not_even_instance_by_instance(self):
        verdict = verdict_on("resubstitution", question=Question(about="model"))
        assert verdict.test == "none"
        assert any("is open: resubstitution is optimistic" in s for s in verdict.sentences)

    def test_the_plan_says_so_before(self):
        study = Study(datasets=[small(i) for i in range(7)], methods=METHODS, resampling="resubstitution")
        assert study.plan().can_tell().startswith("no comparison of methods")


class TestWarningsOfThePlan:
    def test_are_kept_with_the_study(self, tmp_path):
        data = replace(TIMED, name="wine in time")
        verdict = verdict_on(AT_RANDOM, data, path=tmp_path / "w.trial")
        told = "wine in time declares an order, but 3 of 3 splits train on what comes later"
        assert told in texts(verdict)
        assert told in texts(read_study(tmp_path / "w.trial").verdict())

    def test_of_many_data_sets_only_some_are_shown(self):
        sets = [replace(small(i), order=np.arange(40).astype(float)) for i in range(6)]
        verdict = verdict_on(AT_RANDOM, sets)
        assert texts(verdict).count("declares an order") == 4
        assert "2 more warnings about the data and their splits" in texts(verdict)
