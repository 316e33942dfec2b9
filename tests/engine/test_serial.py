"""The serial executor: trials one after the other in this process, with the numbers of the workers."""

import os
import threading

import bad_methods
from engine_runs import numbers, quick, small_study
from sklearn.naive_bayes import GaussianNB

from fairtrial import Method
from fairtrial.engine.executors.serial import Serial
from fairtrial.engine.supplies import supplies_of


class Whereabouts(GaussianNB):
    """Notes the process that it is fitted in."""

    processes: list = []  # noqa: RUF012

    def fit(self, X, y):
        Whereabouts.processes.append(os.getpid())
        return super().fit(X, y)


class Locked(GaussianNB):
    """Holds what can't be pickled, and is copied without it."""

    def __init__(self, held=None):
        super().__init__()
        self.held = held

    def __sklearn_clone__(self):
        return Locked(self.held)


class TestSerial:
    def test_performs_in_this_process_one_by_one_in_the_order_given(self):
        plan = small_study(datasets=["labor"], methods={"a": bad_methods.Majority(), "b": GaussianNB()}).plan()
        trials = list(plan.trials())[::-1]
        order: list = []
        with Serial().open(supplies_of(plan)) as here:
            here.run(trials, lambda record: order.append(record.key), lambda: order.append("tick"))
        assert order == [step for trial in trials for step in (trial.key, "tick")]

    def test_the_process_is_this_one(self):
        Whereabouts.processes = []
        quick(small_study(datasets=["labor"], methods={"a": Method("a", Whereabouts(), version="1")}), None, 0)
        assert Whereabouts.processes == [os.getpid()] * 3

    def test_a_method_that_raises_is_a_record_and_the_next_is_tried(self):
        methods = {"bad": bad_methods.Raises(every=1), "bayes": GaussianNB()}
        found = numbers(quick(small_study(datasets=["labor"], methods=methods), None, 0))
        assert sorted(status for status, *_ in found.values()) == ["failed"] * 3 + ["ok"] * 6

    def test_methods_that_no_other_process_can_have_run_too(self):
        held = Method("held", Locked(threading.Lock()), version="1")
        file = quick(small_study(datasets=["labor"], methods={"held": held}), None, 0)
        assert {r.status for r in file.read()} == {"ok"}
