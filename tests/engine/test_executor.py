"""Which executor a run uses, and that what it declares is asked before anything is made or written."""

from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from engine_runs import numbers, quick, small_study

import fairtrial as ft
from fairtrial.engine import run
from fairtrial.engine.executors.executor import Executor, choose_executor
from fairtrial.engine.executors.serial import InThisProcess
from fairtrial.engine.gauges import cores
from fairtrial.errors import InputError


@dataclass(frozen=True)
class Backwards:
    """Another executor: the last trial comes first."""

    keeps_limits: bool = False
    keeps_exclusive_timing: bool = False

    @contextmanager
    def open(self, supplies, /):
        here = InThisProcess(supplies)

        class Reversed:
            def run(self, trials, done, tick):
                here.run(reversed(list(trials)), done, tick)

        yield Reversed()


class TestChooseExecutor:
    @pytest.mark.parametrize(
        ("workers", "timing", "expected"),
        [
            (0, "shared", ft.Serial()),
            (3, "shared", ft.Processes(3)),
            (None, "shared", ft.Processes(cores())),
            (None, "exclusive", ft.Processes(1)),
            (0, "exclusive", ft.Serial()),
        ],
    )
    def test_workers_stand_for_one(self, workers, timing, expected):
        assert choose_executor(None, workers, small_study(timing=timing)) == expected

    def test_by_default_there_is_a_process_for_each_core(self):
        assert ft.Processes() == ft.Processes(cores())

    def test_all_of_ours_are_executors(self):
        assert all(isinstance(executor, Executor) for executor in (ft.Serial(), ft.Processes(2), Backwards()))

    def test_exclusive_timing_is_for_those_that_keep_it(self):
        with pytest.raises(
            InputError, match=r"timing='exclusive' runs one trial at a time, which Backwards\(.*\) can't"
        ):
            choose_executor(Backwards(), None, small_study(timing="exclusive"))
        kept = Backwards(keeps_exclusive_timing=True)
        assert choose_executor(kept, None, small_study(timing="exclusive")) is kept

    def test_not_both(self):
        with pytest.raises(InputError, match=r"workers can't be given with an executor .* got 2; leave one out"):
            small_study().run(None, executor=ft.Serial(), workers=2)

    @pytest.mark.parametrize("given", ["tcp://10.0.0.1:8786", ft.Serial, 4, object()])
    def test_something_else(self, given):
        with pytest.raises(InputError, match=r"executor must be Serial\(\), Processes\(…\), Dask\(client\) or another"):
            small_study().run(None, executor=given)

    def test_workers_must_be_a_number(self):
        with pytest.raises(InputError, match="workers must be a whole number of at least 0"):
            small_study().run(None, workers=-1)
        with pytest.raises(InputError, match="workers of Processes must be a whole number of at least 1, got 0"):
            ft.Processes(0)


class TestAnother:
    @pytest.mark.slow
    def test_runs_without_a_change_elsewhere(self):
        study = small_study(datasets=["labor"])
        file = run(study, executor=Backwards(), progress=False)
        assert numbers(file) == numbers(quick(study, None, 0))
        order = [row for (row,) in file.query("SELECT position FROM trial ORDER BY begun")]
        assert order == sorted(order, reverse=True)
