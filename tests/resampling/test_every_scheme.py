"""What holds for every scheme."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import KFold as TheirKFold

from fairtrial import resampling
from fairtrial.data import datasets
from fairtrial.methods import digest
from fairtrial.resampling import (
    SCHEMES,
    Bootstrap,
    Dependence,
    FiveByTwo,
    Forward,
    GroupKFold,
    Holdout,
    KFold,
    LeaveOneOut,
    NestedKFold,
    RepeatedKFold,
    Resubstitution,
    TrainValidationTest,
    describe,
    from_sklearn,
    read_splits,
)

IRIS = datasets("iris")[0]
TIMED = replace(IRIS, order=np.random.default_rng(1).permutation(150).astype(float))
GROUPED = replace(IRIS, groups=np.random.default_rng(1).integers(0, 40, 150))
MADE = (
    Resubstitution(),
    Holdout(0.3, 3),
    TrainValidationTest(repeats=3),
    KFold(5),
    RepeatedKFold(5, 2),
    FiveByTwo(),
    LeaveOneOut(),
    Bootstrap(5),
    GroupKFold(5, 2),
    Forward(4, gap=2),
    NestedKFold(4, 2),
    from_sklearn(TheirKFold(5, shuffle=True, random_state=1), like="5-fold"),
)


def data_for(scheme):
    return {GroupKFold: GROUPED, Forward: TIMED}.get(type(scheme), IRIS)


@pytest.fixture(params=[*MADE, None], ids=lambda s: type(s).__name__ if s is not None else "OwnSplits")
def scheme(request, tmp_path):
    if request.param is not None:
        return request.param
    path = tmp_path / "splits.csv"
    path.write_text("repeat,fold,row\n" + "".join(f"0,{i % 3},{i}\n" for i in range(150)))
    return read_splits(path, like="3-fold")


def test_all_are_looked_at():
    assert {type(s) for s in MADE} | {resampling.OwnSplits} == set(SCHEMES)


class TestEveryScheme:
    def test_splits_are_sound(self, scheme):
        data = data_for(scheme)
        places = []
        for split in scheme.splits(data, 1):
            train = split.train_rows()
            assert split.n == data.n
            assert (len(train), len(split.test)) == (split.n_train, split.n_test)
            assert split.n_train > 0
            assert split.test.dtype == train.dtype == np.int32
            assert (np.diff(split.test) > 0).all()
            assert min(split.test[0], train.min()) >= 0
            assert max(split.test[-1], train.max()) < data.n
            if not isinstance(scheme, Resubstitution):
                assert not set(train.tolist()) & set(split.test.tolist())
            places.append((split.repeat, split.fold))
        assert places == sorted(set(places))

    def test_are_the_same_each_time(self, scheme):
        first, second = ([s.digest() for s in scheme.splits(data_for(scheme), 7)] for _ in range(2))
        assert first == second

    def test_dependence_counts_the_splits(self, scheme):
        data = data_for(scheme)
        made, dependence = list(scheme.splits(data, 1)), scheme.dependence(data)
        assert len(made) == dependence.repeats * dependence.folds
        assert len({s.repeat for s in made}) == dependence.repeats

    def test_the_share_is_that_of_the_splits(self, scheme):
        data = data_for(scheme)
        dependence = scheme.dependence(data)
        if not dependence.known:
            assert dependence.caution
            return
        tested = np.mean([s.n_test / (s.n_test + len(np.unique(s.train_rows()))) for s in scheme.splits(data, 1)])
        assert tested == pytest.approx(dependence.test_share, abs=0.02)

    def test_disjoint_means_disjoint(self, scheme):
        data = data_for(scheme)
        splits = list(scheme.splits(data, 1))
        for repeat in {s.repeat for s in splits}:
            tests = np.concatenate([s.test for s in splits if s.repeat == repeat])
            if scheme.dependence(data).disjoint:
                assert len(np.unique(tests)) == len(tests)

    def test_dependence_comes_back_from_a_study_file(self, scheme):
        stored = json.loads(json.dumps(scheme.dependence(data_for(scheme)).to_dict()))
        share = stored.pop("test_share")
        again = Dependence(**stored, test_share=float("nan") if share is None else share)
        assert again.to_dict() == scheme.dependence(data_for(scheme)).to_dict()

    def test_can_be_written_down(self, scheme):
        written = describe(scheme)
        assert json.loads(json.dumps(written)) == written
        assert digest(written) == digest(describe(scheme))

    def test_says_how_its_scores_are_analysed(self, scheme):
        tested = scheme.dependence(data_for(scheme)).known
        assert scheme.analysis.endswith("as like= says") or (scheme.analysis == "corrected t") == tested

    def test_says_what_it_is_for(self, scheme):
        for text in (scheme.name, scheme.written, scheme.use, scheme.beware, type(scheme).__doc__):
            assert text.strip()


class TestToTable:
    def test_lists_all_schemes(self):
        assert [row[1] for row in resampling.to_table().rows] == [*(s.__name__ for s in SCHEMES), "Seeds"]
        assert all(all(row) for row in resampling.to_table().rows)


class TestDependence:
    @pytest.mark.parametrize(
        ("scheme", "text", "repeats", "folds", "share", "disjoint"),
        [
            (KFold(5), "5-fold", 1, 5, 0.2, True),
            (RepeatedKFold(10, 10), "10×10-fold", 10, 10, 0.1, True),
            (FiveByTwo(), "5×2-fold", 5, 2, 0.5, True),
            (Holdout(0.25), "holdout of 25 %", 1, 1, 0.25, False),
            (Holdout(1 / 3, 30), "30× holdout of 33.3 %", 30, 1, 1 / 3, False),
            (TrainValidationTest(), "60/20/20", 1, 1, 0.25, False),
            (Bootstrap(100), "bootstrap of 100, out of bag", 100, 1, math.exp(-1), False),
            (GroupKFold(5, 3), "3× grouped 5-fold", 3, 5, 0.2, True),
        ],
    )
    def test_by_hand(self, scheme, text, repeats, folds, share, disjoint):
        d = scheme.dependence()
        assert (d.scheme, d.repeats, d.folds, d.disjoint) == (text, repeats, folds, disjoint)
        assert d.test_share == pytest.approx(share)
        assert d.known
        assert d.shared
        assert not d.caution

    @pytest.mark.parametrize(
        ("scheme", "text", "splits"),
        [
            (Resubstitution(), "resubstitution (optimistic)", 1),
            (Forward(4), "4 blocks forward in time (growing)", 4),
            (Forward(4, window=50, gap=3), "4 blocks forward in time (sliding window of 50, gap of 3)", 4),
            (NestedKFold(5, 2), "2× nested 5-fold", 30),
        ],
    )
    def test_what_is_never_tested_says_why(self, scheme, text, splits):
        d = scheme.dependence()
        assert (d.scheme, d.repeats * d.folds) == (text, splits)
        assert not d.known
        assert d.caution

    def test_leave_one_out_is_counted(self):
        assert LeaveOneOut().dependence().counted(50).test_share == 0.02
        assert KFold(5).dependence().counted(50) == KFold(5).dependence()
        assert not Dependence.unknown().counted(50).known
