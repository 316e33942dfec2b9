# Made by tests/test_rooms.py from the map of names; don't edit: the test writes it anew.

from fairtrial.results.analyses.bootstrap_errors import BootstrapErrors as BootstrapErrors
from fairtrial.results.analyses.bootstrap_errors import bootstrap_errors as bootstrap_errors
from fairtrial.results.analyses.cv_intervals import CvIntervals as CvIntervals
from fairtrial.results.analyses.cv_intervals import cv_intervals as cv_intervals
from fairtrial.results.analyses.method_curves import AnyCurve as AnyCurve
from fairtrial.results.analyses.method_curves import Curves as Curves
from fairtrial.results.prediction_source import COLUMNS as COLUMNS
from fairtrial.results.prediction_source import PredictionSource as PredictionSource
from fairtrial.results.readers.reading import read_predictions as read_predictions
from fairtrial.results.readers.reading import read_scores as read_scores
from fairtrial.results.readers.search_scores import from_cv_results as from_cv_results
from fairtrial.results.results import Results as Results
from fairtrial.results.study_results import from_study_file as from_study_file
from fairtrial.results.study_results import read_study as read_study
__all__: list[str]
