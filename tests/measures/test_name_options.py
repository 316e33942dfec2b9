"""Options inside a measure's name."""

import numpy as np
import pytest

from fairtrial import measures
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import compute, get
from fairtrial.measures.name_options import parse, written

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

    def test_an_alias_with_options_takes_more(self):
        assert get("macro_f1(beta=2)").name == "f_measure(average='macro', beta=2)"
        assert measures.pooled("macro_f1") == "f_measure(average='macro', combine='pooled')"

    def test_an_alias_is_a_name_that_is_taken(self):
        def f2(c):
            """Mine."""
            return c.tp

        with pytest.raises(InputError, match="a measure called 'f2' exists already"):
            measures.measure("Mine", of=measures.PerClass, worst=0.0, best=1.0)(f2)

    @pytest.mark.parametrize("name", ["my measure (x)", "f_measure(beta='x')", "<script>alert(1)</script>", ""])
    def test_what_can_not_be_read_is_not_known(self, name):
        assert not measures.is_known(name)


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
            ("f_measure(beta=2, beta=3)", InputError, "must look like"),
            ("f_measure(beta='x')", InputError, "the options of f_measure"),
            ("f_measure(beta=None, average=[1])", InputError, "average must be"),
            ("pinball(quantile='a')", InputError, "the options of pinball"),
            ("f_measure(beta=1" + "0" * 400 + ")", InputError, "beta must be a positive number"),
            ("expected_cost(costs=('a', 'b'))", InputError, "costs must be numbers"),
            ("accuracy(prior='uniform')", InputError, "prior must be numbers"),
            ("calibration_error(bins=100000000)", InputError, "bins must be a whole number from 1 to 10000"),
            (f"precision(prior=({'0,' * 3000}))", InputError, "at most 1000 entries"),
            ("f_measure(beta=" + "-" * 10**6 + "1)", InputError, "must look like"),
            ("fit_time(combine='pooled')", InputError, "can't be pooled"),
            ("auc(combine='all')", InputError, "combine must be 'mean'"),
            ("f_measure(beta=-1)", InputError, "beta must be a positive number"),
            ("recall(average='mean')", InputError, "average must be 'macro', 'micro' or 'weighted'"),
            ("precision(prior=2)", InputError, "prior must be the share of the positive class"),
        ],
    )
    def test_says_what_was_wrong_before_anything_is_run(self, name, error, message):
        with pytest.raises(error, match=message):
            get(name)
