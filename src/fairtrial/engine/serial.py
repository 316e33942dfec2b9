"""The serial executor: trials are performed one after the other in this process, for debugging and small studies."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fairtrial.design import Plan, Trial
from fairtrial.engine.supplies import conditions_of
from fairtrial.store import Record

__all__ = ["Serial"]


class Serial:
    """Performs trials in this process, for debugging."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def run(self, trials: Iterable[Trial], done: Callable[[Record], None], tick: Callable[[], None]) -> None:
        from threadpoolctl import threadpool_limits

        from fairtrial.engine.perform import Bench, perform

        benches: dict[tuple[int, int], Bench] = {}
        study = self.plan.study
        conditions = conditions_of(study)
        with threadpool_limits(1):  # as in the workers: more threads add up in another order
            for trial in trials:
                place = (trial.dataset, trial.method)
                if place not in benches:
                    benches[place] = Bench(study.datasets[trial.dataset], study.methods[trial.method])
                done(perform(trial.key, benches[place], self.plan.splits[trial.split], trial.levels, conditions))
                tick()
