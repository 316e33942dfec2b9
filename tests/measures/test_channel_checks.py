"""Rows that must not be read: masked ones, and those that pandas' indexes match to others."""

import numpy as np
import pandas as pd
import pytest
from offenders import for_each

from fairtrial import measures
from fairtrial.errors import InputError
from fairtrial.measures import all_measures, compute

N = 12
TRUTH = np.arange(N) % 2
PREDICTIONS = {
    "label": TRUTH[::-1],
    "score": np.linspace(0.1, 0.9, N),
    "probability": np.linspace(0.1, 0.9, N),
    "value": np.linspace(1.0, 2.0, N),
    "std": np.ones(N),
    "naive_scale": np.ones(N),
    "quantiles": np.linspace(1.0, 2.0, N),
    "levels": np.full(N, 0.4),
    "low": np.linspace(1.0, 2.0, N),
    "high": np.linspace(2.0, 3.0, N),
}
FROM_PREDICTIONS = [pytest.param(m, id=m.name) for m in all_measures() if not m.from_trials]
CURVES = ["roc_curve", "precision_recall_curve", "reliability_curve", "brier_decomposition", "pairwise_auc"]


def arguments(facts):
    truth = TRUTH + 1.5 if facts.task == "values" else TRUTH
    return [truth, *(PREDICTIONS[need] for need in facts.needs)]


def masked(array, row=3):
    return np.ma.array(array, mask=np.arange(N) == row)


@for_each("facts", FROM_PREDICTIONS)
class TestEveryMeasure:
    def test_refuses_masked_rows(self, facts):
        function, given = getattr(measures, facts.name), arguments(facts)
        for place in range(len(given)):
            changed = [masked(a) if i == place else a for i, a in enumerate(given)]
            with pytest.raises(
                InputError, match=r"must have a value in every row, but row 3 is masked; leave such rows"
            ):
                function(*changed)
        with pytest.raises(InputError, match="weights must have a value in every row, but row 3 is masked"):
            function(*given, weights=masked(np.ones(N)))
        nothing = [np.ma.array(a) for a in given]
        assert function(*nothing) == pytest.approx(function(*given), nan_ok=True)

    def test_refuses_other_indexes(self, facts):
        function, given = getattr(measures, facts.name), arguments(facts)
        series = [pd.Series(a, index=np.arange(N)) for a in given]
        assert function(*series) == pytest.approx(function(*given), nan_ok=True)
        turned = [series[0], *(s.sort_index(ascending=False) for s in series[1:])]
        with pytest.raises(InputError, match=r"truth and .* must have the same index, in the same order, got two that"):
            function(*turned)
        with pytest.raises(InputError, match="truth and weights must have the same index"):
            function(*series, weights=pd.Series(np.ones(N), index=np.arange(N)[::-1]))


@for_each("name", CURVES)
def test_curves_refuse_them_too(name):
    function = getattr(measures, name)
    with pytest.raises(InputError, match="row 3 is masked"):
        function(TRUTH, masked(PREDICTIONS["score"]))
    with pytest.raises(InputError, match="must have the same index"):
        function(pd.Series(TRUTH), pd.Series(PREDICTIONS["score"]).sort_index(ascending=False))


class TestCompute:
    def test_refuses_masked_and_misplaced_rows(self):
        channels = {"label": TRUTH[::-1]}
        for what in ("truth", "label", "folds", "weights"):
            given = {"truth": TRUTH, "folds": np.arange(N) // 6, "weights": np.ones(N)}
            if what == "label":
                channels = {"label": masked(TRUTH)}
            else:
                given[what] = masked(given[what])
            with pytest.raises(InputError, match=f"{what} must have a value in every row, but row 3 is masked"):
                compute(["accuracy"], channels=channels, classes=2, **given)
            channels = {"label": TRUTH[::-1]}
        with pytest.raises(InputError, match="truth and label must have the same index"):
            compute(
                ["accuracy"],
                truth=pd.Series(TRUTH),
                channels={"label": pd.Series(TRUTH).sort_index(ascending=False)},
                classes=2,
            )

    def test_probabilities_in_a_frame(self):
        frame = pd.DataFrame({"0": 1 - PREDICTIONS["score"], "1": PREDICTIONS["score"]})
        truth = pd.Series(TRUTH)
        assert measures.brier(truth, frame) == measures.brier(TRUTH, frame.to_numpy())
        with pytest.raises(InputError, match="truth and probabilities must have the same index"):
            measures.brier(truth, frame.sort_index(ascending=False))

    def test_of_other_length_the_length_is_named(self):
        with pytest.raises(InputError, match="truth and predicted must be of one length, got 12 and 11"):
            measures.accuracy(pd.Series(TRUTH), pd.Series(TRUTH[:-1]))


CURVE = measures.roc_curve([0, 1, 0, 1], [1, 3, 2, 4])
REFUSED = {
    "the name of a measure must be text": lambda: measures.get(["auc"]),
    "names must be a list of measures": lambda: measures.compute(3, truth=[0, 1], channels={"label": [0, 1]}),
    "channels must be a mapping": lambda: measures.compute(["accuracy"], truth=[0, 1], channels=3, classes=2),
    "classes must be all classes": lambda: measures.compute(
        ["accuracy"], truth=[0, 1], channels={"label": [0, 1]}, classes=np.array(2.0)
    ),
    "records must be a mapping": lambda: measures.from_records(["fit_time"], 3),
    "the record 'fit_time' must hold one number": lambda: measures.from_records(["fit_time"], {"fit_time": ["x"]}),
    "recorded must be one number per trial": lambda: measures.fit_time([[1, 2], [3, 4]]),
    "curve must be a ROC curve": lambda: measures.choose_threshold(3),
    "curves must be a list of ROC curves": lambda: measures.average_roc(3),
    "points must be 2 or more": lambda: measures.average_roc([CURVE], points="x"),
    "methods must be a mapping": lambda: measures.context_map([CURVE]),
    "'a' must have a ROC curve": lambda: measures.context_map({"a": 3}),
    "share must lie between 0 and 1": lambda: measures.probability_cost([0.2]),
    "cost_fp and cost_fn must be finite": lambda: measures.probability_cost(0.2, cost_fp="1"),
    "prior must be one share or a list": lambda: measures.accuracy([0, 1], [0, 1], prior=[[0.5, 0.5]]),
    "positive must be one of the classes": lambda: measures.precision([0, 1], [0, 1], positive=[1]),
    "average must be": lambda: measures.precision([0, 1], [0, 1], average=["macro"]),
    "truth must be a sequence of single values": lambda: measures.precision(
        np.array([0, [1, 2], 1], dtype=object), [0, 1, 1]
    ),
    "truth must be class labels": lambda: measures.precision(np.zeros(2, dtype=[("x", float)]), [0, 1]),
    "the options of pinball can't be used": lambda: measures.pinball([1, 2], [1, 2], quantile=[0.5]),
    "the options of calibration_error": lambda: measures.calibration_error(
        [0, 1], [0.1, 0.9], strategy=np.array(["uniform", "quantile"])
    ),
    "n_classes must be the number": lambda: measures.check_classes("f_measure(beta=2)", "2"),
    "numerator and denominator must be numbers": lambda: measures.ratio("x", 1),
}


@for_each("said", REFUSED)
def test_what_no_measure_can_use_is_refused_in_words(said):
    with pytest.raises(InputError, match=said):
        REFUSED[said]()


def test_a_ratio_of_infinite_numbers_is_undefined_without_a_warning():
    assert np.isnan(measures.ratio([np.inf], [np.inf]))
    assert np.isinf(measures.ratio([1e300], [1e-300]))
