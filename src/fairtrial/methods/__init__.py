"""Methods that can be compared: any scikit-learn estimator or pipeline, baselines, anything with fit and predict.

``method`` has :class:`Method`, ``import_paths`` how it is named, ``canonical_form`` and ``source_versions`` what
identifies it, ``channels`` what it predicts, ``label_codes`` and ``decision_rules`` what stands around it,
``estimators`` the estimators of our own. ``baselines`` has those to beat, ``tuning`` searches inside of a trial.
"""

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
