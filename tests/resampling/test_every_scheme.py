"""What holds for every scheme."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import KFold as TheirKFold

from fairtrial import resampling
from fairtrial.data import datasets
from fairtrial.errors import InputError
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

    def test_says_how_it_is_judged(self, scheme):
        tested = scheme.dependence(data_for(scheme)).known
        assert scheme.judged.endswith("as like= says") or (scheme.judged == "corrected t") == tested

    def test_says_what_it_is_for(self, scheme):
        for text in (scheme.name, scheme.written, scheme.use, scheme.beware, type(scheme).__doc__):
            assert text.strip()


class TestDescribe:
    def test_by_hand(self):
        assert describe(KFold(5)) == {"scheme": "k-fold", "folds": 5, "stratify": True}
        assert describe(LeaveOneOut()) == {"scheme": "leave-one-out"}

    def test_what_can_not_be_written_down(self):
        with pytest.raises(InputError, match="a resampling must be a dataclass"):
            describe(object())


class TestToTable:
    def test_lists_all_schemes(self):
        assert [row[1] for row in resampling.to_table().rows] == [s.__name__ for s in SCHEMES]
        assert all(all(row) for row in resampling.to_table().rows)
