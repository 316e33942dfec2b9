"""Options inside a measure's name."""

import numpy as np
import pytest

from fairtrial import measures
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import compute, get
from fairtrial.measures.options import parse, written

ARGUMENTS = {"truth": [1, 1, 1, 1, 0, 0], "channels": {"label": [1, 1, 0, 0, 1, 0]}, "classes": 2}


class TestNames:
    def test_one_name_for_one_measure(self):
        same = ["f_measure(beta=2)", "f1( beta = 2 )", "f2", "f_measure(beta=2, average=None)"]
        assert {get(name).name for name in same} == {"f_measure(beta=2)"}
        assert get("f_measure(beta=1.0)").name == "f_measure"
        assert get("expected_cost(costs=[1, 5])").name == "expected_cost(costs=(1, 5))"

    def test_what_is_written_can_be_read(self):
        for name in ("expected_accuracy(prior='beta(2, 5)')", "precision(average='macro', prior=0.1)", "accuracy"):
            assert get(get(name).name) == get(name)
            assert written(*parse(name)) == name

    def test_how_folds_are_combined(self):
        assert get("auc").combine == "mean"
        assert get("auc(combine='pooled')").combine == "pooled"
        assert get("auc(combine='mean')").name == "auc"

    def test_a_mean_over_a_reweighed_table_is_not_one_over_instances(self):
        assert get("accuracy").per_instance
        assert not get("accuracy(prior=0.1)").per_instance

    def test_aliases_are_functions_too(self):
        assert measures.tpr is measures.recall
        assert measures.f2([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0]) == pytest.approx(0.5263, abs=1e-4)
        assert not hasattr(measures, "no_such_measure")


class TestCompute:
    def test_by_hand(self):
        found = compute(
            ["f_measure(beta=2)", "f_measure", "precision(average='macro')", "macro_precision"], **ARGUMENTS
        )
        np.testing.assert_allclose([v[0] for v in found.values()], [10 / 19, 4 / 7, (2 / 3 + 1 / 3) / 2, 0.5])


class TestErrors:
    @pytest.mark.parametrize(
        ("name", "error", "message"),
        [
            ("f_measure(beta=2", InputError, "a measure with options must look like"),
            ("f_measure(2)", InputError, "must look like"),
            ("f_measure(beta=__import__('os'))", InputError, "must look like"),
            ("f_measure(**{'beta': 2})", InputError, "must look like"),
            ("f_measure(bta=2)", UnknownName, "no option of f_measure is called 'bta'; did you mean 'beta'"),
            ("f_mesure(beta=2)", UnknownName, "no measure is called 'f_mesure'; did you mean 'f_measure'"),
            ("auc(combine='all')", InputError, "combine must be 'mean'"),
            ("f_measure(beta=-1)", InputError, "beta must be a positive number"),
            ("recall(average='mean')", InputError, "average must be 'macro', 'micro' or 'weighted'"),
            ("precision(prior=2)", InputError, "prior must be the share of the positive class"),
        ],
    )
    def test_says_what_was_wrong_before_anything_is_run(self, name, error, message):
        with pytest.raises(error, match=message):
            get(name)
