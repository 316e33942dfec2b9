"""Small studies, and records of their trials, which several tests of the store share."""

from functools import cache

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from fairtrial.data import Dataset
from fairtrial.design import Study
from fairtrial.errors import StudyFileError
from fairtrial.results import read_study
from fairtrial.store import Packed, Record, merge_studies

BAYES, TREE = {"bayes": GaussianNB()}, {"tree": DecisionTreeClassifier(max_depth=2)}


@cache
def eight_trials():
    return Study(datasets=["iris", "labor"], methods=["majority", "one_rule"], resampling="2-fold").plan()


@cache
def four_trials():
    return Study(datasets=["iris"], methods=["majority"], resampling="4-fold").plan()


def record(key: bytes, value: float = 1.0, status: str = "ok") -> Record:
    tested = {t.key: eight_trials().splits[t.split].n_test for t in eight_trials().trials()}
    n = tested.get(key, 1)
    arrays = {"value": Packed.of(np.full(n, value))} if status == "ok" else {}
    error = None if status == "ok" else "ValueError: no"
    return Record(key, status, error, (("UserWarning: x", 2),), "out", {"fit_time": 0.5}, arrays)


def dataset(name: str, n: int) -> Dataset:
    random = np.random.RandomState(n)
    return Dataset.from_arrays(random.normal(size=(n, 1)), np.repeat(["a", "b"], n // 2), name=name)


def keys(plan, dataset: str, method: str) -> list[bytes]:
    names = [d.name for d in plan.study.datasets], [m.name for m in plan.study.methods]
    return [t.key for t in plan.trials() if (names[0][t.dataset], names[1][t.method]) == (dataset, method)]


def ok(key: bytes, seconds: float, begun: float | None = None) -> Record:
    return Record(key, "ok", resources={"fit_time": 0.75 * seconds, "predict_time": 0.25 * seconds}, begun=begun)


def failed(key: bytes, error: str = "ValueError: no\nTraceback …") -> Record:
    return Record(key, "failed", error)


def study(**changes) -> Study:
    """The study that others are merged with."""
    parts = {"datasets": ["iris"], "methods": BAYES, "resampling": "3-fold", "measures": ["accuracy", "auc"]}
    return Study(**{**parts, **changes})


def scores(path):
    """What was scored, without what depends on the order in which studies came."""
    frame = read_study(path).scores
    places = [c for c in frame.columns if c != "value"]
    return frame.set_index(places)["value"].sort_index()


def refused(paths, into, match, **options):
    """Merging must say this, and leave nothing."""
    with pytest.raises(StudyFileError, match=match):
        merge_studies(paths, into, **options)
    assert [p.name for p in into.parent.iterdir() if "merged" in p.name] == []
