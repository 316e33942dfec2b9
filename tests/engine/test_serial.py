"""The serial executor: trials one after the other in this process, with the numbers of the workers."""

import os

import bad_methods
import pytest
from engine_runs import numbers, quick, small_study
from sklearn.naive_bayes import GaussianNB

from fairtrial.engine.run import executor_for
from fairtrial.engine.serial import Serial


class Whereabouts(GaussianNB):
    """Notes the process that it is fitted in."""

    processes: list = []  # noqa: RUF012

    def fit(self, X, y):
        Whereabouts.processes.append(os.getpid())
        return super().fit(X, y)


class TestSerial:
    def test_performs_in_this_process_one_by_one_in_the_order_given(self):
        plan = small_study(datasets=["labor"], methods={"a": bad_methods.Majority(), "b": GaussianNB()}).plan()
        trials = list(plan.trials())[::-1]
        order: list = []
        Serial(plan).run(trials, lambda record: order.append(record.key), lambda: order.append("tick"))
        assert order == [step for trial in trials for step in (trial.key, "tick")]

    def test_the_process_is_this_one(self):
        from fairtrial import Method

        Whereabouts.processes = []
        quick(small_study(datasets=["labor"], methods={"a": Method("a", Whereabouts(), version="1")}), None, 0)
        assert Whereabouts.processes == [os.getpid()] * 3

    def test_a_method_that_raises_is_a_record_and_the_next_is_tried(self):
        methods = {"bad": bad_methods.Raises(every=1), "bayes": GaussianNB()}
        found = numbers(quick(small_study(datasets=["labor"], methods=methods), None, 0))
        assert sorted(status for status, *_ in found.values()) == ["failed"] * 3 + ["ok"] * 6

    def test_limits_do_not_hold_and_that_is_said(self):
        with pytest.warns(UserWarning, match="time and memory limits do not hold with workers=0"):
            made = executor_for(small_study(time_limit=1.0).plan(), 0)
        assert isinstance(made, Serial)
