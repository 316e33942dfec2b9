"""The inner splits of a trial: of its training rows alone, shared by all methods, groups whole and time in order."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import BaggingClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import fairtrial as ft
from fairtrial.data import Dataset
from fairtrial.design import LabelNoise, RowOrder, TrainingSize
from fairtrial.engine.perform import Bench, perform
from fairtrial.engine.supplies import Conditions
from fairtrial.methods import Method
from fairtrial.resampling import Bootstrap, Forward, GroupKFold, KFold

N = 90


RANDOM = np.random.RandomState(4)


NOISE = RANDOM.normal(size=N)


CLASSES = np.where(NOISE + RANDOM.normal(size=N) > 0.5, "yes", "no")


GROUPS = np.repeat(np.arange(18), 5)


def numbered(**more) -> Dataset:
    """Instances that carry their row number as a feature."""
    return Dataset.from_arrays(np.column_stack([np.arange(N), NOISE]), CLASSES, name="numbered", **more)


class Spy(ClassifierMixin, BaseEstimator):
    """Notes the row numbers that it is given, and their target."""

    seen: list = []  # noqa: RUF012

    def __init__(self, k: int = 1):
        self.k = k

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        Spy.seen.append(("fit", X[:, 0].astype(int).tolist(), list(y)))
        return self

    def predict(self, X):
        Spy.seen.append(("predict", X[:, 0].astype(int).tolist(), None))
        return np.repeat(self.classes_[0], len(X))


def spied(dataset, split, levels=None, factors=(), **options):
    """What one trial fitted and predicted: the inner pairs of the first configuration, the refit and the test."""
    Spy.seen = []
    method = Method("spy", ft.tuned(Spy(), {"k": [1, 2]}, measure="accuracy", **options), version="1")
    record = perform(b"k" * 16, Bench(dataset, method), split, levels or {}, Conditions(factors=factors, seed=1))
    assert record.status == "ok", record.error
    *inner, refit, test = Spy.seen
    half = len(inner) // 2
    pairs = [(inner[i][1], inner[i + 1][1]) for i in range(0, half, 2)]
    assert pairs == [(inner[i][1], inner[i + 1][1]) for i in range(half, 2 * half, 2)]  # the second configuration
    return pairs, refit, test, record


class TestInAStudy:
    def test_no_test_row_is_ever_seen(self):
        dataset = numbered()
        for split in KFold(5).splits(dataset, 1):
            pairs, refit, test, _ = spied(dataset, split)
            rows = set(split.train_rows().tolist())
            assert len(pairs) == 5
            assert set(refit[1]) == rows
            assert test[1] == split.test.tolist()
            for train, inside in pairs:
                assert set(train) | set(inside) == rows
                assert not set(train) & set(inside)
            assert sorted(row for _, inside in pairs for row in inside) == sorted(rows)

    def test_all_methods_have_the_same(self):
        dataset = numbered()
        (split, other) = list(KFold(5).splits(dataset, 1))[:2]
        pairs, *_ = spied(dataset, split)
        assert spied(dataset, split, search="halton", budget=2)[0] == pairs
        assert spied(dataset, other)[0] != pairs
        Spy.seen = []
        piped = make_pipeline(FunctionTransformer(), ft.tuned(Spy(k=7), {"k": [3]}, measure="auc"))
        perform(b"another key     ", Bench(dataset, Method("piped", piped, version="1")), split, {}, Conditions(seed=1))
        # Spy has neither probabilities nor scores, so that auc fails after the first fit: it shows the same split
        assert Spy.seen[0][1] == pairs[0][0]

    def test_another_seed_of_the_study_gives_others(self):
        dataset = numbered()
        split = next(iter(KFold(5).splits(dataset, 1)))
        method = Method("spy", ft.tuned(Spy(), {"k": [1]}), version="1")
        found = []
        for seed in (1, 2, 1):
            Spy.seen = []
            perform(b"k" * 16, Bench(dataset, method), split, {}, Conditions(seed=seed))
            found.append(Spy.seen[0][1])
        assert found[0] == found[2] != found[1]

    def test_groups_stay_whole(self):
        dataset = numbered(groups=GROUPS)
        for split in GroupKFold(3).splits(dataset, 1):
            pairs, _, _, record = spied(dataset, split)
            assert record.details["tuning"]["inner"] == "grouped 5-fold"
            for train, inside in pairs:
                assert not set(GROUPS[train]) & set(GROUPS[inside])

    def test_fewer_groups_than_folds_give_fewer_folds(self):
        dataset = numbered(groups=np.repeat([0, 1, 2, 3], [20, 20, 20, 30]))
        split = next(iter(GroupKFold(4).splits(dataset, 1)))
        pairs, _, _, record = spied(dataset, split)
        assert len(pairs) == 3
        assert record.details["tuning"]["inner"] == "grouped 3-fold"

    def test_time_goes_forward_where_the_study_does(self):
        order = RANDOM.permutation(N).astype(float)
        dataset = numbered(order=order)
        for split in list(Forward(4).splits(dataset, 1))[1:]:
            pairs, _, _, record = spied(dataset, split, inner="3-fold")
            assert record.details["tuning"]["inner"].startswith("3 blocks forward in time")
            for train, inside in pairs:
                assert order[train].max() < order[inside].min()
        # a study that does not look at time is not made to
        split = next(iter(KFold(5).splits(numbered(), 1)))
        assert spied(dataset, split)[3].details["tuning"]["inner"] == "5-fold"

    def test_copies_of_a_row_are_on_one_side(self):
        dataset = numbered()
        split = next(iter(Bootstrap(2).splits(dataset, 1)))
        assert len(set(split.train_rows().tolist())) < split.n_train
        pairs, refit, _, _ = spied(dataset, split)
        assert sorted(refit[1]) == sorted(split.train_rows().tolist())
        for train, inside in pairs:
            assert not set(train) & set(inside)

    def test_the_target_is_the_one_that_is_learned_from(self):
        dataset = numbered()
        split = next(iter(KFold(5).splits(dataset, 1)))
        levels = {"label_noise": 0.3, "train_size": 40, "row_order": 1}
        factors = (LabelNoise([0, 0.3]), TrainingSize([40, 1]), RowOrder(2))
        pairs, refit, _, _ = spied(dataset, split, levels, factors)
        assert len(refit[1]) == 40
        noisy = dict(zip(refit[1], refit[2], strict=True))
        assert sum(noisy[row] != CLASSES[row] for row in noisy) == 12
        told = [
            (row, label)
            for verb, rows, labels in Spy.seen
            if verb == "fit"
            for row, label in zip(rows, labels, strict=True)
        ]
        assert all(noisy[row] == label for row, label in told)
        assert {row for train, inside in pairs for row in train + inside} == set(noisy)

    def test_deep_inside_it_makes_its_own(self):
        dataset = numbered()
        split = next(iter(KFold(5).splits(dataset, 1)))
        bag = BaggingClassifier(ft.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 5]}), n_estimators=3)
        records = [perform(key * 16, Bench(dataset, Method("bag", bag)), split) for key in (b"a", b"a", b"b")]
        first, second, other = ([a.data for a in r.arrays.values()] for r in records)
        assert first == second != other
