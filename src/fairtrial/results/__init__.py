"""Where the three doors meet: a study that was run, scores from elsewhere, predictions from elsewhere.

``results`` has :class:`Results`, ``study_results`` those of a file, ``readers`` what was made elsewhere, ``how_read``
how it was understood, ``prediction_source`` and ``provenance`` where it comes from. ``absentees`` and
``failure_policy`` are about methods and trials that failed, ``at_levels`` about parts; ``analyses`` stand beside a
verdict.
"""

from fairtrial.rooms import lazy_names

_HOMES = {
    "analyses.bootstrap_errors": "BootstrapErrors bootstrap_errors",
    "analyses.cv_intervals": "CvIntervals cv_intervals",
    "analyses.method_curves": "AnyCurve Curves",
    "prediction_source": "COLUMNS PredictionSource",
    "readers.reading": "read_predictions read_scores",
    "readers.search_scores": "from_cv_results",
    "results": "Results",
    "study_results": "from_study_file read_study",
}

__all__, __getattr__, __dir__ = lazy_names(__name__, _HOMES)
