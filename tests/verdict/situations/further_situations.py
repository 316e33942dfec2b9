"""Further situations of known truth: what the data do not declare, unequal tuning, and several measures at once.

``FURTHER`` is a part of ``SITUATIONS`` in ``made_situations.py``, and has its form.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from expected import Situation, said

from fairtrial.data import Dataset
from fairtrial.design import Study
from fairtrial.methods import tuned
from fairtrial.notices import Notice
from fairtrial.results import read_scores
from fairtrial.statements import Remark
from fairtrial.verdict import Verdict
from fairtrial.verdict.claims.difference import Better, NotShown
from fairtrial.verdict.claims.support import ByTest, NextStep, Refused

RNG = np.random.default_rng


def tried(data: Dataset, methods: dict[str, object]) -> Verdict:
    """Methods on one data set, by 10-fold."""
    study = Study(datasets=[data], methods=methods, resampling="10-fold", measures="accuracy")
    return study.run(workers=0, progress=False).verdict()


def neighbour_and_linear() -> dict[str, object]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier

    return {"neighbour": KNeighborsClassifier(1), "linear": LogisticRegression(max_iter=1000)}


def study_of(X: np.ndarray, y: np.ndarray, **parts: object) -> Verdict:
    """A nearest neighbour and a linear method on one data set, by 10-fold."""
    return tried(Dataset.from_arrays(X, y, name="made", **parts), neighbour_and_linear())


def duplicates() -> Verdict:
    """Each row three times, with labels that are pure noise."""
    return study_of(np.repeat(RNG(17).normal(size=(60, 5)), 3, axis=0), np.repeat(RNG(18).integers(0, 2, 60), 3))


def leak() -> Verdict:
    """One feature is a copy of the target."""
    X, y = RNG(19).normal(size=(100, 4)), RNG(20).integers(0, 2, 100)
    X[:, 2] = y
    return study_of(X, y)


def noise() -> Verdict:
    """Nothing can be learned."""
    return study_of(RNG(21).normal(size=(200, 4)), RNG(22).integers(0, 2, 200))


def time_order() -> Verdict:
    """Features and target drift slowly, and nothing else connects them; the order is not declared."""
    drift = np.cumsum(RNG(23).normal(size=(300, 4)), axis=0)
    data = Dataset.from_arrays(drift[:, :3], (drift[:, 3] > np.median(drift[:, 3])).astype(int), name="made")
    return tried(data, neighbour_and_linear())


def groups() -> Verdict:
    """Four rows of each of 50 patients, whose class is pure noise; the groups are not declared."""
    patient = np.arange(200) // 4
    own = RNG(24).normal(size=(50, 3))[patient] + RNG(25).normal(0, 0.1, (200, 3))
    frame = pd.DataFrame(own, columns=["pulse", "pressure", "weight"])
    frame = frame.assign(patient=patient, ill=RNG(26).integers(0, 2, 50)[patient])
    data = Dataset.from_frame(frame.sample(frac=1, random_state=1), target="ill", task="classes", name="made")
    return tried(data, neighbour_and_linear())


@cache
def tuning_budgets() -> Verdict:
    """A tree whose size is tuned over 50 configurations, and the same tree untuned, which learns noise by heart."""
    from sklearn.tree import DecisionTreeClassifier

    X = RNG(27).normal(size=(1000, 3))
    y = (X[:, 0] + 0.7 * RNG(28).normal(size=1000) > 0).astype(int)
    tree = DecisionTreeClassifier(random_state=0)
    search = tuned(tree, {"ccp_alpha": np.linspace(0, 0.05, 50).tolist()}, inner="2-fold")
    return tried(Dataset.from_arrays(X, y, name="made"), {"plain": tree, "tuned": search})


def two_measures() -> Verdict:
    """One method finds more of what is sought, at the price of more false alarms."""
    base, noise = RNG(29).uniform(0.4, 0.6, (20, 2)), RNG(30).normal(0, 0.02, (20, 2, 2))
    gain = {"eager": 0.1, "strict": 0.0}
    rows = [
        (f"set{d}", method, measure, base[d, i] + gain[method] + noise[d, i, j])
        for d in range(20)
        for i, measure in enumerate(("recall", "fpr"))
        for j, method in enumerate(gain)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "measure", "value"])
    return read_scores(frame, measure="recall").verdict(["recall", "fpr"])


REFUSED = (said(Refused, others=0), said(ByTest, none=True), said(NextStep, action="repair"))

FURTHER: dict[str, Situation] = {
    "duplicates": Situation(
        duplicates,
        r"No verdict: made: 180 of 180 rows \(100 %\) have an equal row elsewhere, with the same target: .*\.",
        REFUSED,
    ),
    "leak": Situation(
        leak, r"No verdict: made: the feature 'x2' alone predicts the target \(100 % correct; .*\.", REFUSED
    ),
    "pure noise": Situation(
        noise,
        r"No method is shown to do better than majority \(which always answers the most frequent class\): "
        r"neighbour − majority is \+0\.050 \[−0\.107, \+0\.207\] in the mean \(t\)\.",
        (
            said(Notice, guard="no_better_than_trivial", severity="grave", evidence={"trivial": ["majority"]}),
            said(NotShown, method="neighbour", other="linear", lead=(0.030, -0.1553, 0.2153)),
            said(NextStep, action="repair"),
        ),
        {"neighbour": "", "linear": ""},
    ),
    "time order": Situation(
        time_order,
        r"No verdict: made: the target and most features of a row resemble those of the row before it .* order is .*\.",
        REFUSED,
    ),
    "groups": Situation(
        groups,
        r"No verdict: made: column 'patient' has 50 values for 200 rows .* looks like groups .*\.",
        REFUSED,
    ),
    "tuning budgets": Situation(
        tuning_budgets,
        r"tuned is better than plain in accuracy on made: ahead by 0\.054 \[0\.014, 0\.094\]\.",
        (
            said(Better, method="tuned", other="plain", lead=(0.054, 0.0138, 0.0942), p_value=0.01399),
            said(
                Notice, guard="unequal_effort", severity="doubt", evidence={"configurations": {"plain": 0, "tuned": 50}}
            ),
            said(NextStep, action="repair"),
        ),
        {"tuned": "better", "plain": "worse"},
    ),
    "several measures": Situation(
        two_measures,
        r"eager and strict differ in recall and fpr jointly on data sets such as these 20 \(p = 8\.6e−14\)\.",
        (
            said(Remark, about="measures", rank=3),
            said(ByTest, test="Hotelling's T², paired", over="20 data sets"),
            said(NextStep, action="ask"),
        ),
    ),
}
