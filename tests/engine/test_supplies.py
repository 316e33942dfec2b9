"""What executors hand to trials: limits, conditions, and things that must survive the way to another process."""

import pickle
import threading

import cloudpickle
import pytest
from engine_runs import small_study
from sklearn.naive_bayes import GaussianNB

from fairtrial import Method
from fairtrial.engine.supplies import Conditions, Limits, conditions_of, supplies_of
from fairtrial.errors import InputError


class Locked(GaussianNB):
    """Holds what no other process can have."""

    def __init__(self, held=None):
        super().__init__()
        self.held = held


class TestConditions:
    def test_by_default_nothing_is_asked_for(self):
        assert conditions_of(small_study(measures=["accuracy"], seed=7)) == Conditions(seed=7)

    def test_what_a_study_asks_for(self):
        study = small_study(measures=["accuracy", "model_size", "fit_time"], factors={"label_noise": [0, 0.1]})
        found = conditions_of(study)
        assert found.extra == {"model_size"}  # times are recorded in any case
        assert [factor.name for factor in found.factors] == ["label_noise"]
        assert found.exact_memory is False


class TestSupplies:
    def test_methods_and_conditions_are_pickled_and_limits_are_those_of_the_study(self):
        plan = small_study(time_limit=3.0, memory_limit="2 GB", methods={"bayes": GaussianNB(var_smoothing=0.5)}).plan()
        supplies = supplies_of(plan).pickled()
        assert supplies.limits == Limits(3.0, 2_000_000_000)
        assert cloudpickle.loads(supplies.methods[0]).estimator.var_smoothing == 0.5
        assert pickle.loads(supplies.conditions) == Conditions(seed=1)
        assert supplies.splits[0] is plan.splits[0]

    def test_a_method_that_can_not_travel_is_named(self):
        plan = small_study(methods={"held": Method("held", Locked(threading.Lock()), version="1")}).plan()
        with pytest.raises(InputError, match=r"method 'held' can't be sent to a worker process: .*lock"):
            supplies_of(plan).pickled()
