"""Methods that can be compared: any scikit-learn estimator or pipeline, baselines, anything with fit and predict."""

from fairtrial.rooms import lazy_names

_HOMES = {
    "baselines": "BASELINES BEST_POLICY baseline is_baseline to_table trivial_policy yardstick_for",
    "canonical_form": "canonical digest",
    "decision_rules": "ByCosts DECIDE Decide",
    "import_paths": "build by_name",
    "method": "Inputs Method as_methods",
    "tuning.declaration": "tuned",
}

__all__, __getattr__, __dir__ = lazy_names(__name__, _HOMES)
