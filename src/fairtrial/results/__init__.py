"""Where the three doors meet: a study that was run, scores from elsewhere, predictions from elsewhere."""

from fairtrial.rooms import lazy_names

_HOMES = {
    "analyses.bootstrap_errors": "BootstrapErrors bootstrap_errors",
    "analyses.cv_intervals": "CvIntervals cv_intervals",
    "analyses.method_curves": "AnyCurve Curves",
    "prediction_source": "COLUMNS PredictionSource",
    "readers.read_scores": "read_predictions read_scores",
    "readers.search_scores": "from_cv_results",
    "results": "Results",
    "study_results": "from_study_file read_study",
}

__all__, __getattr__, __dir__ = lazy_names(__name__, _HOMES)
