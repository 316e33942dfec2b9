# Made by tests/measures/public_stub.py from the registry of measures; don't edit: the tests write it anew.
from typing import Literal

from numpy.typing import ArrayLike

from fairtrial.measures.advise import Advice, advise_measure
from fairtrial.measures.averaging import AverageRoc, average_roc
from fairtrial.measures.bulk import computable, compute, compute_on
from fairtrial.measures.calibration import (
    BrierDecomposition,
    ReliabilityCurve,
    Strategy,
    brier_decomposition,
    reliability_curve,
)
from fairtrial.measures.channel_checks import Classes
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
from fairtrial.measures.distributions import Gaussian
from fairtrial.measures.fold_axis import FloatArray, Folds, ratio
from fairtrial.measures.forecasts import Bounds, Quantiles, Scaled, naive_scale
from fairtrial.measures.name_options import in_words
from fairtrial.measures.operating_context import Balance, Beta, Costs, check_context, in_context
from fairtrial.measures.predictions import Average, Intermediate, Predictions, Prior
from fairtrial.measures.probabilities import Probabilities
from fairtrial.measures.ranking import Order, Ranking, Steps
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
from fairtrial.measures.resources import Records, from_records
from fairtrial.measures.scores import pairwise_auc
from fairtrial.measures.values import Residuals

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

def accuracy(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def auc(
    truth: ArrayLike,
    scores: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
    multiclass: Literal["ovr", "ovo"] = "ovr",
) -> float: ...
def average_precision(
    truth: ArrayLike,
    scores: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
) -> float: ...
def average_recall(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def brier(
    truth: ArrayLike,
    probabilities: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
) -> float: ...
def calibration_error(
    truth: ArrayLike,
    probabilities: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
    bins: int = 10,
    strategy: Strategy = "uniform",
) -> float: ...
def crps(truth: ArrayLike, predicted: ArrayLike, std: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...
def decision_cost(
    truth: ArrayLike,
    probabilities: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
    costs: Costs = None,
    per: float = 1,
    unit: str = "",
) -> float: ...
def diagnostic_odds_ratio(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def error_rate(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def expected_accuracy(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
    prior: Balance = "uniform",
) -> float: ...
def expected_cost(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
    costs: Costs = None,
    prior: Balance = None,
    per: float = 1,
    unit: str = "",
) -> float: ...
def explained_variance(truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...
def f_measure(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
    beta: float = 1.0,
) -> float: ...
def false_omission_rate(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def fdr(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def fit_cpu(recorded: ArrayLike, *, instances: ArrayLike | None = None) -> float: ...
def fit_time(recorded: ArrayLike, *, instances: ArrayLike | None = None) -> float: ...
def fit_time_per_1000(recorded: ArrayLike, *, instances: ArrayLike | None = None) -> float: ...
def fnr(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def fpr(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def g_mean(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def information_score(
    truth: ArrayLike,
    probabilities: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
    prior: Prior = None,
) -> float: ...
def informedness(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def interval_score(
    truth: ArrayLike, low: ArrayLike, high: ArrayLike, *, weights: ArrayLike | None = None, level: float = 0.9
) -> float: ...
def jaccard(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def kappa(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
    disagreement: Literal["equal", "linear", "quadratic"] = "equal",
) -> float: ...
def log_loss(
    truth: ArrayLike,
    probabilities: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
) -> float: ...
def mae(truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...
def mape(truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...
def mase(
    truth: ArrayLike, predicted: ArrayLike, naive_scale: ArrayLike, *, weights: ArrayLike | None = None
) -> float: ...
def max_error(truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...
def mcc(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def median_absolute_error(truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...
def model_size(recorded: ArrayLike, *, instances: ArrayLike | None = None) -> float: ...
def mse(truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...
def negative_likelihood_ratio(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def nlpd(truth: ArrayLike, predicted: ArrayLike, std: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...
def npv(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def nrmse(truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...
def partial_auc(
    truth: ArrayLike,
    scores: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
    max_fpr: float = 0.1,
    standardised: bool = True,
) -> float: ...
def peak_memory(recorded: ArrayLike, *, instances: ArrayLike | None = None) -> float: ...
def pinball(
    truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None, quantile: float = 0.5
) -> float: ...
def positive_likelihood_ratio(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def precision(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def predict_cpu(recorded: ArrayLike, *, instances: ArrayLike | None = None) -> float: ...
def predict_time(recorded: ArrayLike, *, instances: ArrayLike | None = None) -> float: ...
def predict_time_per_1000(recorded: ArrayLike, *, instances: ArrayLike | None = None) -> float: ...
def predicted_positive_rate(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def probability_rmse(
    truth: ArrayLike,
    probabilities: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
) -> float: ...
def quantile_crps(
    truth: ArrayLike, quantiles: ArrayLike, levels: ArrayLike, *, weights: ArrayLike | None = None
) -> float: ...
def r2(truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...
def rae(truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...
def recall(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def relative_information_score(
    truth: ArrayLike,
    probabilities: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
    prior: Prior = None,
) -> float: ...
def rmse(truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...
def rmsle(truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...
def smape(truth: ArrayLike, predicted: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...
def specificity(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float: ...
def split_accuracy(
    truth: ArrayLike,
    scores: ArrayLike,
    *,
    positive: object = None,
    classes: Classes = None,
    weights: ArrayLike | None = None,
) -> float: ...
def wql(truth: ArrayLike, quantiles: ArrayLike, levels: ArrayLike, *, weights: ArrayLike | None = None) -> float: ...

acc = accuracy
accuracy_in_context = expected_accuracy
accuracy_score = accuracy
alarm_rate = predicted_positive_rate
auc_pr = average_precision
auc_roc = auc
auprc = average_precision
auroc = auc
average_precision_score = average_precision
bal_acc = average_recall
balanced_acc = average_recall
balanced_accuracy = average_recall
bookmaker_informedness = informedness
brier_score = brier
brier_score_loss = brier
c_statistic = auc
coefficient_of_determination = r2
cohen_kappa = kappa
cohen_kappa_score = kappa
cohens_kappa = kappa
continuous_ranked_probability_score = crps
correct = accuracy
cost = expected_cost
critical_success_index = jaccard
cross_entropy = log_loss
crps_from_quantiles = quantile_crps
dice = f_measure
dor = diagnostic_odds_ratio
ece = calibration_error
err = error_rate
error = error_rate
expected_calibration_error = calibration_error
explained_variance_score = explained_variance
f1 = f_measure
f1_score = f_measure

def f2(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = None,
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
    beta: float = 2,
) -> float:
    """F-measure (beta 2); see f_measure."""

f_score = f_measure
fall_out = fpr
fallout = fpr
false_alarm_rate = fpr
false_discovery_rate = fdr
false_negative_rate = fnr
false_positive_rate = fpr
geometric_mean = g_mean
gmean = g_mean
hit_rate = recall
iou = jaccard
jaccard_score = jaccard
kononenko_bratko = information_score
logloss = log_loss
lr_minus = negative_likelihood_ratio
lr_plus = positive_likelihood_ratio

def macro_f1(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = "macro",
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
    beta: float = 1.0,
) -> float:
    """F-measure (macro average); see f_measure."""

def macro_precision(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = "macro",
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
) -> float:
    """Precision (macro average); see precision."""

macro_recall = average_recall
matthews_corrcoef = mcc
maximum_error = max_error
mean_absolute_error = mae
mean_absolute_percentage_error = mape
mean_absolute_scaled_error = mase
mean_interval_score = interval_score
mean_pinball_loss = pinball
mean_squared_error = mse
mean_weighted_quantile_loss = wql
mean_weighted_sum_quantile_loss = wql
mean_wquantileloss = wql

def micro_f1(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = "micro",
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
    beta: float = 1.0,
) -> float:
    """F-measure (micro average); see f_measure."""

misclassification_cost = expected_cost
misclassification_rate = error_rate
miss_rate = fnr
negative_log_likelihood = log_loss
negative_log_predictive_density = nlpd
negative_predictive_value = npv
nll = log_loss
phi = mcc
phi_coefficient = mcc
pinball_loss = pinball
positive_predictive_value = precision
ppr = predicted_positive_rate
ppv = precision
pr_auc = average_precision
prauc = average_precision
precision_score = precision
quantile_loss = pinball
r2_score = r2
r_squared = r2
recall_score = recall
relative_absolute_error = rae
rmse_of_probabilities = probability_rmse
roc_auc = auc
roc_auc_score = auc
root_mean_squared_error = rmse
root_mean_squared_log_error = rmsle
root_relative_squared_error = nrmse
rrse = nrmse
selectivity = specificity
sensitivity = recall
symmetric_mape = smape
symmetric_mean_absolute_percentage_error = smape
threat_score = jaccard
tnr = specificity
tpr = recall
true_negative_rate = specificity
true_positive_rate = recall
unweighted_average_recall = average_recall

def weighted_f1(
    truth: ArrayLike,
    predicted: ArrayLike,
    *,
    positive: object = None,
    average: Average | None = "weighted",
    classes: Classes = None,
    prior: Prior = None,
    weights: ArrayLike | None = None,
    beta: float = 1.0,
) -> float:
    """F-measure (weighted average); see f_measure."""

weighted_interval_score = quantile_crps
weighted_quantile_loss = wql
winkler = interval_score
winkler_score = interval_score
wis = quantile_crps
youden = informedness
youden_j = informedness
zero_one_loss = error_rate
