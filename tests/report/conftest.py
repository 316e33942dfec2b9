"""A tiny study with everything in it: a method that fails on one data set, warnings, facts, several measures."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from fairtrial.data import Dataset
from fairtrial.design import Question, Study
from fairtrial.methods import Method
from fairtrial.report import write_report
from fairtrial.results import Results, read_predictions, read_scores

sys.path.insert(0, str(Path(__file__).parent))  # for html_page and report_cases
from report_cases import EVIL, QUOTES


class Moody(GaussianNB):
    """Warns always, and fails where there are two features."""

    def fit(self, X, y, sample_weight=None):  # type: ignore[no-untyped-def]
        warnings.warn("I am moody <b>today</b>", stacklevel=1)
        if X.shape[1] == 2:
            raise ValueError(f"no luck with {EVIL}\nsecond line")
        return super().fit(X, y, sample_weight)


def dataset(name: str, seed: int, features: int) -> Dataset:
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, 90)
    columns = {f"x{j}": random.normal(y * 1.2, 1) for j in range(features)}
    return Dataset.from_frame(pd.DataFrame({**columns, "y": np.where(y == 1, "yes", "no")}), target="y", name=name)


@pytest.fixture(scope="session")
def study() -> Results:
    names = [EVIL, QUOTES, *(f"set {i}" for i in range(4))]
    made = Study(
        Question("Is <moody> any good?", measure="accuracy", smallest_difference=0.01),
        datasets=[dataset(name, i, 2 if i == 1 else 3) for i, name in enumerate(names)],
        methods=[
            Method("tree", DecisionTreeClassifier(max_depth=2), facts={"interpretable": "yes"}),
            Method(QUOTES, Moody(), version="1", facts={"complexity": EVIL}),
            Method("bayes", GaussianNB()),
        ],
        resampling="3-fold",
        measures=["accuracy", "log_loss", "fit_time"],
    )
    return made.run(None, workers=0, progress=False)


@pytest.fixture(scope="session")
def scores() -> Results:
    random = np.random.default_rng(5)
    frame = pd.DataFrame({"dataset": [f"d{i}" for i in range(9)], **{m: random.random(9) for m in (EVIL, "B", "C")}})
    return read_scores(frame, measure="accuracy")


@pytest.fixture(scope="session")
def predictions() -> Results:
    random = np.random.default_rng(6)
    truth = random.integers(0, 2, 150)
    guesses = {m: np.where(random.random(150) < share, truth, 1 - truth) for m, share in ((EVIL, 0.9), ("B", 0.7))}
    return read_predictions(pd.DataFrame({"y": truth, **guesses}), truth="y")


@pytest.fixture(scope="session")
def few() -> Results:
    random = np.random.default_rng(7)
    rows = [(d, m, f, random.normal(0.8 + 0.1 * (m == "A"), 0.02)) for d in "xyz" for m in "AB" for f in range(5)]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "fold", "value"])
    return read_scores(frame, measure="accuracy", resampling="5-fold")


@pytest.fixture
def absent() -> Results:
    """Scores of a method that ran on one of nine data sets only, and of one that failed on one."""
    random = np.random.default_rng(8)
    frame = pd.DataFrame({"dataset": [f"d{i}" for i in range(9)], **{m: random.random(9) for m in "ABC"}})
    frame["never <b>"] = [0.9, *[None] * 8]
    frame.loc[3, "B"] = None
    return read_scores(frame, measure="accuracy", baseline="C")


class Pages(dict[str, str]):
    """The page of each door, made when it is first looked at, and once."""

    def __init__(self, request: pytest.FixtureRequest, folder: Path) -> None:
        super().__init__()
        self.request, self.folder = request, folder

    def __missing__(self, door: str) -> str:
        path = write_report(self.request.getfixturevalue(door), self.folder / f"{door}.html")
        self[door] = path.read_text(encoding="utf-8")
        return self[door]


@pytest.fixture(scope="session")
def pages(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pages:
    return Pages(request, tmp_path_factory.mktemp("pages"))
