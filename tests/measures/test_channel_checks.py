"""Rows that must not be read: masked ones, and those that pandas' indexes match to others."""

import numpy as np
import pandas as pd
import pytest

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
}
FROM_PREDICTIONS = [pytest.param(m, id=m.name) for m in all_measures() if not m.from_trials]
CURVES = ["roc_curve", "precision_recall_curve", "reliability_curve", "brier_decomposition", "pairwise_auc"]


def arguments(facts):
    truth = TRUTH + 1.5 if facts.task == "values" else TRUTH
    return [truth, *(PREDICTIONS[need] for need in facts.needs)]


def masked(array, row=3):
    return np.ma.array(array, mask=np.arange(N) == row)


@pytest.mark.parametrize("facts", FROM_PREDICTIONS)
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


@pytest.mark.parametrize("name", CURVES)
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
