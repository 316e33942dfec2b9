"""The serial executor: trials are performed one after the other in this process, for debugging and small studies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairtrial.design import Trial
from fairtrial.doors import door
from fairtrial.engine.supplies import Supplies
from fairtrial.store import Record

if TYPE_CHECKING:
    from fairtrial.engine.perform import Bench


@door
@dataclass(frozen=True, slots=True)
class Serial:
    """An executor that performs trials in this process, one after the other: ``study.run(executor=ft.Serial())``.

    It is good for a debugger. Time and memory limits are not kept, and a method that ends its process ends the run.
    ``study.run(workers=0)`` is the short form.
    """

    @property
    def keeps_limits(self) -> bool:
        return False

    @property
    def keeps_exclusive_timing(self) -> bool:
        return True

    @contextmanager
    def open(self, supplies: Supplies, /) -> Iterator[InThisProcess]:
        yield InThisProcess(supplies)


class InThisProcess:
    """Trials performed by the thread that asks for them, with benches that are prepared once."""

    def __init__(self, supplies: Supplies) -> None:
        self.supplies = supplies
        self.benches: dict[tuple[int, int], Bench] = {}

    def run(self, trials: Iterable[Trial], done: Callable[[Record], None], tick: Callable[[], None]) -> None:
        from threadpoolctl import threadpool_limits

        from fairtrial.engine.gauges import return_free_memory
        from fairtrial.engine.isolation.between_methods import Isolation, shielded

        with threadpool_limits(1), shielded():  # as in worker processes: more threads would add up in another order
            isolation = Isolation()
            for method in self.supplies.methods:
                isolation.watch(method.estimator)
            for trial in trials:
                return_free_memory()  # of the caller, whose process may have held much before
                record = self.perform(trial)
                changes = isolation.undo(all_modules=True)
                done(changes.noted(record, "it stays so in this process" if changes.stuck else "it was put back"))
                tick()

    def perform(self, trial: Trial) -> Record:
        """Perform one trial; a method that raises gives a failed record."""
        from fairtrial.engine.perform import Bench, perform

        supplies, place = self.supplies, (trial.dataset, trial.method)
        if place not in self.benches:
            self.benches[place] = Bench(supplies.datasets[trial.dataset], supplies.methods[trial.method])
        return perform(trial.key, self.benches[place], supplies.splits[trial.split], trial.levels, supplies.conditions)
