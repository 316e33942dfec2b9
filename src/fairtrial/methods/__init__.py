"""Methods that can be compared: any scikit-learn estimator or pipeline, baselines, anything with fit and predict."""

import fairtrial.methods.method_guards  # noqa: F401 - registers its guards
from fairtrial.methods.baselines import (
    BASELINES,
    BEST_POLICY,
    baseline,
    is_baseline,
    to_table,
    trivial_policy,
    yardstick_for,
)
from fairtrial.methods.canonical import canonical, digest
from fairtrial.methods.decision_rules import DECIDE, ByCosts, Decide
from fairtrial.methods.import_paths import build, by_name
from fairtrial.methods.method import Inputs, Method, as_methods
from fairtrial.methods.tuning import tuned

__all__ = [
    "BASELINES",
    "BEST_POLICY",
    "DECIDE",
    "ByCosts",
    "Decide",
    "Inputs",
    "Method",
    "as_methods",
    "baseline",
    "build",
    "by_name",
    "canonical",
    "digest",
    "is_baseline",
    "to_table",
    "trivial_policy",
    "tuned",
    "yardstick_for",
]
