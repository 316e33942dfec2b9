"""What holds for every registered measure."""

import math

import numpy as np
import pytest
from offenders import for_each

from fairtrial import measures
from fairtrial.errors import ContractError
from fairtrial.measures import all_measures, compute
from fairtrial.testing import check_measure

EVERY = [pytest.param(m, id=m.name) for m in all_measures()]

PERFECT_IS_NOT_BEST = {
    "predicted_positive_rate",  # neither way is better
    "information_score",  # the entropy of the classes
    "split_accuracy",  # depends on how many instances there are
    "nlpd",  # density has no upper bound
    "crps",  # a perfect mean still has its spread
}
PERFECT = [p for p in EVERY if p.values[0].needs and p.id not in PERFECT_IS_NOT_BEST]


def perfect(facts, n_classes):
    rng = np.random.default_rng(7)
    if facts.task == "values":
        truth = rng.exponential(size=40)
        same, levels = np.column_stack([truth, truth]), np.tile([0.2, 0.9], (40, 1))
        of_forecasts = {"naive_scale": np.ones(40), "quantiles": same, "levels": levels, "low": truth, "high": truth}
        return truth, {"value": truth, "std": np.ones(40), **of_forecasts}
    truth = np.arange(40) % n_classes
    p = np.eye(n_classes)[truth]
    return truth, {"label": p.argmax(axis=1), "probability": p}


@for_each("facts", EVERY)
class TestEvery:
    @pytest.mark.slow
    def test_keeps_the_contract(self, facts):
        if facts.name == "split_accuracy":  # how many places there are to split does not depend on weights
            with pytest.raises(ContractError, match="a weight of 2 must be an instance twice"):
                check_measure(facts.name)
        else:
            check_measure(facts.name)

    def test_docstring_teaches(self, facts):
        assert ".. math::" in facts.doc
        assert ">>> " + facts.name in facts.doc or f">>> {facts.name}" in facts.doc.replace("truth, predicted = ", "")
        assert facts.title
        assert facts.use_when
        assert facts.beware
        assert facts.range

    def test_says_when_it_is_undefined(self, facts):
        assert "ndefined (nan)" in facts.doc or facts.from_trials
        assert facts.undefined

    def test_is_public(self, facts):
        assert facts.name in measures.__all__
        assert isinstance(getattr(measures, facts.name).__doc__, str)

    def test_other_names_lead_here(self, facts):
        assert all(measures.get(alias) == facts for alias in facts.aliases)


@for_each("n_classes", [2, 3, 5])
@for_each("facts", PERFECT)
def test_perfect_prediction_is_best(facts, n_classes):
    truth, channels = perfect(facts, n_classes)
    classes = n_classes if facts.task == "classes" else None
    found = compute([facts.name], truth=truth, channels=channels, classes=classes)[facts.name][0]
    assert found == facts.best or (math.isinf(facts.best) and found > 1e300)
