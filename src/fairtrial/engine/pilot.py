"""The pilot of a study: one trial of each data set and method, to estimate the cost of all."""

from __future__ import annotations

from fairtrial.design import Plan, Trial
from fairtrial.engine.processes import Processes
from fairtrial.engine.supplies import supplies_of
from fairtrial.store import Record

__all__ = ["pilot"]


def pilot(plan: Plan) -> dict[tuple[int, int], float]:
    """Seconds of one trial of each (data set, method), by their numbers; its record is not kept.

    The first trial of each pair runs in a worker process, under the study's limits. A trial that fails counts with the
    time that was recorded: its limit if it exceeded that, otherwise 0.
    """
    first: dict[tuple[int, int], Trial] = {}
    for trial in plan.trials():
        first.setdefault((trial.dataset, trial.method), trial)
    places = {trial.key: place for place, trial in first.items()}
    seconds: dict[tuple[int, int], float] = {}

    def done(record: Record) -> None:
        seconds[places[record.key]] = sum(record.resources.get(r, 0.0) for r in ("fit_time", "predict_time"))

    with Processes(1).open(supplies_of(plan)) as pool:
        pool.run(first.values(), done, lambda: None)
    return seconds
