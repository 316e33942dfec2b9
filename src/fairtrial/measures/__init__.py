"""Measures of predictions and of trials, each a function of plain arrays with facts about it.

A measure is a formula over a shared intermediate (counts, a ranking, residuals …). Files are named by what a measure
needs. The stub ``__init__.pyi`` tells editors and type checkers the arguments of each measure; the tests write it.

>>> from fairtrial import measures
>>> measures.recall(["yes", "yes", "no"], ["yes", "no", "no"])
0.5
>>> print(measures.get("recall"))
Recall (recall): 0 to 1, higher is better
"""

from typing import TYPE_CHECKING, Any

from fairtrial.errors import UnknownName
from fairtrial.measures.advise import Advice, advise_measure
from fairtrial.measures.averaging import AverageRoc, average_roc
from fairtrial.measures.bulk import computable, compute, compute_on
from fairtrial.measures.calibration import (
    BrierDecomposition,
    ReliabilityCurve,
    brier_decomposition,
    calibration_error,
    reliability_curve,
)
from fairtrial.measures.confusion_matrix import Confusion, ConfusionMatrix, Margins, PerClass, confusion_matrix
from fairtrial.measures.context_maps import ContextMap, context_map
from fairtrial.measures.costs import CostCurve, Threshold, choose_threshold, cost_curve, probability_cost
from fairtrial.measures.curves import (
    CoverageCurve,
    PrecisionRecallCurve,
    RocCurve,
    RocPoint,
    precision_recall_curve,
    roc_curve,
    roc_point,
)
from fairtrial.measures.decisions import decision_cost
from fairtrial.measures.distributions import Gaussian, crps, nlpd
from fairtrial.measures.fold_axis import FloatArray, Folds, ratio
from fairtrial.measures.forecasts import (
    Bounds,
    Quantiles,
    Scaled,
    interval_score,
    mase,
    naive_scale,
    quantile_crps,
    wql,
)
from fairtrial.measures.labels import accuracy, average_recall, error_rate, g_mean, kappa, mcc
from fairtrial.measures.likelihood_ratios import (
    diagnostic_odds_ratio,
    negative_likelihood_ratio,
    positive_likelihood_ratio,
)
from fairtrial.measures.name_options import in_words
from fairtrial.measures.operating_context import Beta, check_context, expected_accuracy, expected_cost, in_context
from fairtrial.measures.predictions import Intermediate, Predictions
from fairtrial.measures.probabilities import (
    Probabilities,
    brier,
    information_score,
    log_loss,
    probability_rmse,
    relative_information_score,
)
from fairtrial.measures.ranking import Order, Ranking, Steps
from fairtrial.measures.rates import (
    f_measure,
    false_omission_rate,
    fdr,
    fnr,
    fpr,
    informedness,
    jaccard,
    npv,
    precision,
    predicted_positive_rate,
    recall,
    specificity,
)
from fairtrial.measures.registry import (
    Measure,
    all_measures,
    check_classes,
    forget,
    function,
    get,
    is_known,
    measure,
    names,
    pooled,
    to_table,
    why_undefined,
)
from fairtrial.measures.resources import (
    Records,
    fit_cpu,
    fit_time,
    fit_time_per_1000,
    from_records,
    model_size,
    peak_memory,
    predict_cpu,
    predict_time,
    predict_time_per_1000,
)
from fairtrial.measures.scores import auc, average_precision, pairwise_auc, partial_auc, split_accuracy
from fairtrial.measures.values import (
    Residuals,
    explained_variance,
    mae,
    mape,
    max_error,
    median_absolute_error,
    mse,
    nrmse,
    pinball,
    r2,
    rae,
    rmse,
    rmsle,
    smape,
)
from fairtrial.words import nearest, no_attribute

__all__ = [
    "Advice",
    "AverageRoc",
    "Beta",
    "Bounds",
    "BrierDecomposition",
    "Confusion",
    "ConfusionMatrix",
    "ContextMap",
    "CostCurve",
    "CoverageCurve",
    "FloatArray",
    "Folds",
    "Gaussian",
    "Intermediate",
    "Margins",
    "Measure",
    "Order",
    "PerClass",
    "PrecisionRecallCurve",
    "Predictions",
    "Probabilities",
    "Quantiles",
    "Ranking",
    "Records",
    "ReliabilityCurve",
    "Residuals",
    "RocCurve",
    "RocPoint",
    "Scaled",
    "Steps",
    "Threshold",
    "accuracy",
    "advise_measure",
    "all_measures",
    "auc",
    "average_precision",
    "average_recall",
    "average_roc",
    "brier",
    "brier_decomposition",
    "calibration_error",
    "check_classes",
    "check_context",
    "choose_threshold",
    "computable",
    "compute",
    "compute_on",
    "confusion_matrix",
    "context_map",
    "cost_curve",
    "crps",
    "decision_cost",
    "diagnostic_odds_ratio",
    "error_rate",
    "expected_accuracy",
    "expected_cost",
    "explained_variance",
    "f_measure",
    "false_omission_rate",
    "fdr",
    "fit_cpu",
    "fit_time",
    "fit_time_per_1000",
    "fnr",
    "forget",
    "fpr",
    "from_records",
    "function",
    "g_mean",
    "get",
    "in_context",
    "in_words",
    "information_score",
    "informedness",
    "interval_score",
    "is_known",
    "jaccard",
    "kappa",
    "log_loss",
    "mae",
    "mape",
    "mase",
    "max_error",
    "mcc",
    "measure",
    "median_absolute_error",
    "model_size",
    "mse",
    "naive_scale",
    "names",
    "negative_likelihood_ratio",
    "nlpd",
    "npv",
    "nrmse",
    "pairwise_auc",
    "partial_auc",
    "peak_memory",
    "pinball",
    "pooled",
    "positive_likelihood_ratio",
    "precision",
    "precision_recall_curve",
    "predict_cpu",
    "predict_time",
    "predict_time_per_1000",
    "predicted_positive_rate",
    "probability_cost",
    "probability_rmse",
    "quantile_crps",
    "r2",
    "rae",
    "ratio",
    "recall",
    "relative_information_score",
    "reliability_curve",
    "rmse",
    "rmsle",
    "roc_curve",
    "roc_point",
    "smape",
    "specificity",
    "split_accuracy",
    "to_table",
    "why_undefined",
    "wql",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Find other names of measures (``tpr``, ``balanced_accuracy``, ``macro_f1``), and users' own measures."""
        try:
            return function(name)
        except UnknownName:
            near = nearest(name, __all__)
            raise no_attribute("module 'fairtrial.measures'", name, "measures", near) from None
