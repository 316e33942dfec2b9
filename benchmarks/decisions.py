"""Thresholds by costs where the truth is known: the cost of labels at 0.5, of the implied and of a tuned threshold.

Customers leave with known probabilities, so that the cost of a rule is computed without noise from test labels. The
table of docs/methods.md (Decisions by costs) is the output of ``python benchmarks/decisions.py 30``.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import TunedThresholdClassifierCV
from sklearn.naive_bayes import GaussianNB
from xgboost import XGBClassifier

from fairtrial.methods.decision_rules import ByCosts
from fairtrial.methods.estimators import Decided

RUNS = {200: 40, 1000: 12, 5000: 4}
LEARNERS = {
    "logistic": LogisticRegression(),
    "logistic balanced": LogisticRegression(class_weight="balanced"),
    "naive bayes": GaussianNB(),
    "forest": RandomForestClassifier(50, random_state=0),
    "xgboost": XGBClassifier(n_estimators=100, n_jobs=1, random_state=0),
}


def world(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, of which some repeat others and some say nothing; who leaves; and how probable it was."""
    own = rng.normal(size=(n, 4))
    X = np.column_stack([own, own[:, :2] + 0.3 * rng.normal(size=(n, 2)), rng.normal(size=(n, 3))])
    odds = -2.9 + 1.1 * own[:, 0] + 0.8 * own[:, 1] + 0.5 * own[:, 2] * (own[:, 3] > 0)
    p = 1 / (1 + np.exp(-odds))
    return X, (rng.random(n) < p).astype(int), p


def main(miss: float) -> None:
    """Print the mean cost per 1,000 cases of each learner, number of training rows and rule."""
    X_test, _, p = world(20_000, np.random.default_rng(99))

    def cost(flagged: np.ndarray) -> float:
        return float(1000 * np.where(flagged, 1 - p, miss * p).mean())

    def saved(truth: np.ndarray, decided: np.ndarray) -> float:
        return -float(((truth == 0) & (decided == 1)).mean() + miss * ((truth == 1) & (decided == 0)).mean())

    print(f"none {cost(p < 0):.0f}, all {cost(p >= 0):.0f}, the best possible {cost(p > 1 / (1 + miss)):.0f}")
    for name, learner in LEARNERS.items():
        for n, runs in RUNS.items():
            found = []
            for run in range(runs):
                X, y, _ = world(n, np.random.default_rng([run, n]))
                rules = [ByCosts(by, (1, miss)).rule([0, 1], 1) for by in ("costs", "tuned")]
                models = [learner, *(Decided(clone(learner), rule) for rule in rules)]
                models.append(TunedThresholdClassifierCV(learner, scoring=make_scorer(saved), cv=5))
                found.append([cost(clone(model).fit(X, y).predict(X_test) == 1) for model in models])
            labels, costs, tuned, peer = np.mean(found, axis=0)
            print(f"{name:18} {n:5}  labels {labels:5.0f}  costs {costs:5.0f}  tuned {tuned:5.0f}  sklearn {peer:5.0f}")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 30.0)
