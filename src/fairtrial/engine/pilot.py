"""What a study will cost, from one split of each data set and method."""

from __future__ import annotations

import time

from fairtrial.design import Plan
from fairtrial.engine.perform import Bench, perform

__all__ = ["pilot"]


def pilot(plan: Plan) -> dict[tuple[int, int], float]:
    """Seconds of one trial, by (data set, method) number: the first of each in the plan, performed here, not kept.

    The trials run in this process, without limits: a method that hangs or dies takes the pilot with it.
    """
    seconds: dict[tuple[int, int], float] = {}
    for trial in plan.trials():
        place = (trial.dataset, trial.method)
        if place not in seconds:
            bench = Bench(plan.study.datasets[trial.dataset], plan.study.methods[trial.method])
            if trial.method not in {method for _, method in seconds}:
                perform(trial.key, bench, plan.splits[trial.split])  # the first also pays for imports
            start = time.perf_counter()
            perform(trial.key, bench, plan.splits[trial.split])
            seconds[place] = time.perf_counter() - start
    return seconds
