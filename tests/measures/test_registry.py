"""Declaring and finding measures."""

import inspect
import subprocess
import sys

import numpy as np
import pytest

from fairtrial import measures
from fairtrial.errors import CallError, InputError, UnknownName
from fairtrial.measures import Confusion, PerClass, Ranking, Residuals, accuracy, measure, nlpd, ratio


@pytest.fixture
def calm():
    @measure("Calm", of=PerClass, worst=0.0, best=1.0, undefined="there are no negatives", aliases=("quiet",))
    def calm(c):
        """Share of negatives that are predicted negative."""
        return ratio(c.tn, c.tn + c.fp)

    yield calm
    measures.forget("calm")


class TestOwnMeasures:
    def test_are_called_like_the_others(self, calm):
        assert calm([0, 0, 0, 1], [0, 1, 0, 0]) == pytest.approx(2 / 3)
        assert calm(["a", "b", "b"], ["b", "b", "a"], positive="b") == 0.0

    def test_are_computed_in_bulk(self, calm):
        arguments = {"truth": [0, 0, 1, 1], "channels": {"label": [0, 1, 1, 1]}, "folds": [0, 0, 0, 1], "classes": 2}
        found = measures.compute(["quiet", "accuracy"], **arguments)
        np.testing.assert_array_equal(found["quiet"], [0.5, np.nan])

    def test_are_listed(self, calm):
        assert "calm" in measures.names()
        assert measures.get("quiet").needs == ("label",)
        assert measures.why_undefined("quiet") == "calm is undefined where there are no negatives"
        assert "calm" in str(measures.to_table())

    def test_over_other_intermediates(self):
        @measure("Worst error", of=Residuals, worst=np.inf, best=0.0)
        def worst_error(r, *, power=1):
            return np.array([np.max(np.abs(r.residuals) ** power)])

        @measure("Gini", of=Ranking, worst=-1.0, best=1.0)
        def gini(r):
            return 2 * r.against_rest() - 1

        try:
            assert worst_error([1, 2], [1, 5]) == 3.0
            assert worst_error([1, 2], [1, 5], power=2) == 9.0
            assert gini([0, 0, 1], [1, 3, 2]) == 0.0
        finally:
            measures.forget("worst_error")
            measures.forget("gini")

    def test_a_taken_name_is_refused(self):
        def declare(**facts):
            @measure("Mine", of=Confusion, worst=0.0, best=1.0, **facts)
            def accuracy(c):
                return ratio(c.correct, c.total)

        with pytest.raises(InputError, match=r"'accuracy' exists already in fairtrial\.measures\.labels\.accuracy"):
            declare()

    def test_declaring_twice_from_the_same_place_replaces(self):
        def declare(best):
            @measure("Mine", of=Confusion, worst=0.0, best=best)
            def mine(c):
                return ratio(c.correct, c.total)

        declare(1.0)
        declare(2.0)
        assert measures.get("mine").best == 2.0
        measures.forget("mine")
        with pytest.raises(UnknownName):
            measures.get("mine")


class TestFacts:
    def test_aliases(self):
        aliases = {"balanced_accuracy": "average_recall", "f1": "f_measure", "roc_auc": "auc", "sensitivity": "recall"}
        assert {a: measures.get(a).name for a in aliases} == aliases

    def test_unknown(self):
        with pytest.raises(UnknownName, match="no measure is called 'precison'; did you mean 'precision'"):
            measures.get("precison")

    def test_signatures_say_what_there_is(self):
        def parameters(f):
            return list(inspect.signature(f).parameters)

        assert parameters(measures.accuracy) == ["truth", "predicted", "positive", "classes", "prior", "weights"]
        assert parameters(measures.f_measure) == [
            "truth", "predicted", "positive", "average", "classes", "prior", "weights", "beta",
        ]  # fmt: skip
        assert parameters(measures.auc) == ["truth", "scores", "positive", "classes", "weights", "multiclass"]
        assert parameters(measures.rmse) == ["truth", "predicted", "weights"]

    def test_table(self):
        table = measures.to_table()
        assert [c.title for c in table.columns] == ["name", "needs", "range", "better", "use it when", "beware when"]
        assert len(table.rows) == len(measures.names())


def test_imports_nothing_heavy():
    code = "import sys, fairtrial.measures; print([m for m in ('scipy', 'sklearn', 'pandas') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


class TestCalls:
    """A call that lacks an argument names the measure, not the intermediate that reads its arguments."""

    def test_an_argument_that_is_missing(self):
        with pytest.raises(CallError, match=r"nlpd takes truth, predicted, std.*: missing a required argument: 'std'"):
            nlpd([1.0, 2.0], [1.0, 2.0])

    def test_an_argument_that_is_not_known(self):
        with pytest.raises(TypeError, match=r"accuracy takes truth, predicted.*: got an unexpected keyword argument"):
            accuracy([1, 2], [1, 2], classes_of="b")
