"""Guards of decisions: by which costs they were made, and probabilities that promise too little."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from fairtrial.data import Dataset
from fairtrial.design import Question, Study
from fairtrial.methods import Method
from fairtrial.statements import Remark, Role, by_role
from fairtrial.verdict import gather
from fairtrial.verdict.guards.training_guards import decided_by_costs, promised_costs

pytestmark = pytest.mark.slow
RNG = np.random.default_rng(8)
X = RNG.normal(size=(900, 2))
Y = np.where(X[:, 0] + X[:, 1] + RNG.normal(size=900) > 2.2, "yes", "no")
DATA = Dataset.from_arrays(np.hstack([X, X, X]), Y, name="churn")  # naive Bayes counts all three times


@cache
def results(*, costs=True, decide="costs"):
    question = Question(context={"costs": [1, 30]} if costs else {})
    methods = {"logistic": LogisticRegression(), "bayes": GaussianNB(), "majority": "majority"}
    how = {"decide": decide} if costs else {}
    study = Study(question, datasets=[DATA], methods=methods, resampling="3-fold", **how)
    return study.run(workers=0, progress=False)


def told(guard, found):
    return list(guard(found, gather(found)))


class TestDecidedByCosts:
    def test_fine_with_the_threshold(self):
        (notice,) = told(decided_by_costs, results())
        assert notice.is_fine
        assert "logistic and bayes by the threshold that the costs imply (0.0323)" in notice.sentence

    def test_tuned(self):
        (notice,) = told(decided_by_costs, results(decide="tuned"))
        assert "logistic and bayes by a threshold that is tuned inside each training set" in notice.sentence

    @pytest.mark.parametrize("found", [{"costs": False}, {"decide": "labels"}])
    def test_labels_that_were_not_decided_by_the_costs(self, found):
        verdict = results(**found).verdict(context={"costs": {"no": 1, "yes": 30}})
        (notice,) = [n for n in verdict.notices if n.guard == "decided_by_costs"]
        assert notice.severity == "doubt"
        assert notice.sentence.startswith("the labels of logistic and bayes were not decided by these costs")
        assert "decision_cost(costs=(1, 30), per=1000), which decides from the stored prob" in notice.remedy
        assert ("leave decide='labels' out" in notice.remedy) == ("decide" in found)
        assert notice in by_role(verdict.statements)[Role.DOUBT]

    def test_that_measure_gives_the_cost_of_these_decisions(self):
        # the same decisions, made after the run and in the run
        name = "decision_cost(costs=(1, 30), per=1000)"
        after = results(costs=False).with_measures(name).scores.query("measure == @name and method == 'logistic'")
        before = results().scores.query("measure.str.startswith('expected_cost') and method == 'logistic'")
        np.testing.assert_allclose(after["value"], before["value"])

    def test_other_costs_than_those_of_the_study(self):
        verdict = results().verdict(context={"costs": [1, 5]})
        (notice,) = [n for n in verdict.notices if n.guard == "decided_by_costs"]
        assert notice.severity == "doubt"
        assert notice.evidence["methods"] == ["logistic", "bayes", "best trivial policy"]
        assert "policy" not in [s.about for s in verdict.finding.of_kind(Remark)]  # it was chosen by the other costs

    def test_another_measure_of_these_labels(self):
        verdict = results().verdict("accuracy")
        (notice,) = [n for n in verdict.notices if n.guard == "decided_by_costs"]
        assert (
            notice.sentence
            == "the labels of logistic and bayes were decided by costs, and accuracy is that of these decisions"
        )
        assert not [n for n in results().verdict("auc").notices if n.guard == "decided_by_costs"]


class TestPromisedCosts:
    def test_names_the_method_and_both_costs(self):
        (notice,) = told(promised_costs, results())
        assert notice.about == "bayes"
        assert notice.severity == "doubt"
        promised, actual = notice.evidence["promised"], notice.evidence["actual"]
        assert 0 < promised < 0.8 * actual
        assert "decide='tuned'" in notice.remedy

    def test_by_hand(self):
        found = results()
        predicted = found.predicted("churn", "bayes")
        p, y = predicted.channels["probability"][:, 1], predicted.truth
        flagged = predicted.channels["label"] == 1
        (notice,) = told(promised_costs, found)
        assert notice.evidence["promised"] == pytest.approx(np.where(flagged, 1 - p, 30 * p).mean())
        assert notice.evidence["actual"] == pytest.approx(np.where(flagged, y == 0, 30 * (y == 1)).mean())

    def test_several_classes_can_only_be_calibrated(self):
        truth = np.where(X[:, 0] > 1, "c", Y)
        data = Dataset.from_arrays(np.hstack([X, X, X]) + RNG.normal(0, 0.01, (900, 6)), truth, name="three")
        costs = {"no": 1, "yes": 30, "c": 3}
        study = Study(
            Question(context={"costs": costs}), datasets=[data], methods={"bayes": GaussianNB()}, resampling="2-fold"
        )
        (notice,) = told(promised_costs, study.run(workers=0, progress=False))
        assert "so the decisions that the costs imply may be wrong for it" in notice.sentence
        assert notice.remedy == "calibrate bayes (CalibratedClassifierCV)"

    def test_silent_where_a_threshold_is_tuned_and_without_costs(self):
        assert told(promised_costs, results(decide="tuned")) == []
        assert told(promised_costs, results(costs=False)) == []

    def test_silent_where_trials_failed(self):
        class Fails(GaussianNB):
            def fit(self, X, y):
                raise ValueError("no")

        method = Method("fails", Fails(), decide="costs", version="1")
        asked = Question(context={"costs": [1, 30]})
        methods = {"logistic": LogisticRegression(), "fails": method}
        study = Study(asked, datasets=[DATA], methods=methods, resampling="2-fold", decide="costs")
        found = study.run(workers=0, progress=False)
        assert [n.about for n in told(promised_costs, found)] == []
