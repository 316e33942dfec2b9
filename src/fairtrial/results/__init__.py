"""Where the three doors meet: a study that was run, scores from elsewhere, predictions from elsewhere."""

from fairtrial.choices import FoldsOfCurves
from fairtrial.results.analyses.bootstrap_errors import BootstrapErrors, bootstrap_errors
from fairtrial.results.analyses.cv_intervals import CvIntervals, cv_intervals
from fairtrial.results.analyses.method_curves import AnyCurve, Curves
from fairtrial.results.prediction_source import COLUMNS, PredictionSource
from fairtrial.results.readers.read_scores import read_predictions, read_scores
from fairtrial.results.readers.search_scores import from_cv_results
from fairtrial.results.results import Results
from fairtrial.results.study_results import from_study_file, read_study

__all__ = [
    "COLUMNS",
    "AnyCurve",
    "BootstrapErrors",
    "Curves",
    "CvIntervals",
    "FoldsOfCurves",
    "PredictionSource",
    "Results",
    "bootstrap_errors",
    "cv_intervals",
    "from_cv_results",
    "from_study_file",
    "read_predictions",
    "read_scores",
    "read_study",
]
