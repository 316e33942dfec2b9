"""Measures: formulas over shared intermediates, with their facts; files by what a measure needs.

>>> from fairtrial import measures
>>> measures.recall(["yes", "yes", "no"], ["yes", "no", "no"])
0.5
>>> print(measures.get("recall"))
Recall (recall): 0 to 1, higher is better
"""

from fairtrial.measures.bulk import computable, compute
from fairtrial.measures.confusion import Confusion, PerClass
from fairtrial.measures.facts import Measure
from fairtrial.measures.folds import FloatArray, ratio
from fairtrial.measures.labels import accuracy, average_recall, error_rate, f_measure, precision, recall
from fairtrial.measures.predictions import Intermediate, Predictions
from fairtrial.measures.probabilities import Probabilities, brier, log_loss
from fairtrial.measures.registry import all_measures, forget, get, measure, names, to_table, why_undefined
from fairtrial.measures.resources import Records, fit_time, predict_time
from fairtrial.measures.scores import Order, Ranking, auc
from fairtrial.measures.values import Residuals, mae, r2, rmse

__all__ = [
    "Confusion",
    "FloatArray",
    "Intermediate",
    "Measure",
    "Order",
    "PerClass",
    "Predictions",
    "Probabilities",
    "Ranking",
    "Records",
    "Residuals",
    "accuracy",
    "all_measures",
    "auc",
    "average_recall",
    "brier",
    "computable",
    "compute",
    "error_rate",
    "f_measure",
    "fit_time",
    "forget",
    "get",
    "log_loss",
    "mae",
    "measure",
    "names",
    "precision",
    "predict_time",
    "r2",
    "ratio",
    "recall",
    "rmse",
    "to_table",
    "why_undefined",
]
