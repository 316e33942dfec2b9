"""The protocol of executors, and the choice of the one that a run uses.

An executor decides where trials run: in this process (:class:`~fairtrial.Serial`), in child processes
(:class:`~fairtrial.Processes`) or on a Dask cluster (:class:`~fairtrial.Dask`). It is configured without a study, and
declares whether it keeps limits and exclusive timing. The run loop opens it with the supplies of one run and knows
nothing else about it, so that another executor is a file of its own. :func:`fairtrial.testing.check_executor` checks
what is promised here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from fairtrial.engine.executors.processes import Processes
from fairtrial.engine.executors.serial import Serial
from fairtrial.engine.gauges import cores
from fairtrial.errors import InputError

if TYPE_CHECKING:
    from fairtrial.design import Study, Trial
    from fairtrial.engine.supplies import Supplies
    from fairtrial.store import Record


@runtime_checkable
class Executor(Protocol):
    """A place where trials run: configuration without a study. Its ``repr`` names it in messages."""

    @property
    def keeps_limits(self) -> bool:
        """Whether a trial that exceeds its time or memory limit, or ends its process, becomes a failed record."""

    @property
    def keeps_exclusive_timing(self) -> bool:
        """Whether trials run one at a time, in the order given, on a machine that does nothing else for the run."""

    def open(self, supplies: Supplies, /) -> AbstractContextManager[OpenExecutor]:
        """Prepare for one run, with all that its trials refer to; leaving the context ends all that was started.

        Whatever takes time should start here: on a new study file the executor is opened before the plan is written.
        An executor that can't perform these trials raises an error of :mod:`fairtrial.errors`.
        """


class OpenExecutor(Protocol):
    """An executor that is ready for the trials of one run."""

    def run(self, trials: Iterable[Trial], done: Callable[[Record], None], tick: Callable[[], None]) -> None:
        """Perform all trials and return; may be called again, with other trials or the same.

        ``done`` is called once for each trial, as soon as its record is there, whether the trial failed or not.
        ``tick`` is called often, every 50 ms if possible; it writes records and moves the progress bar. Both are called
        in the thread that called ``run``, and an error that they raise ends the run.
        """


def choose_executor(executor: Executor | None, workers: int | None, study: Study) -> Executor:
    """The given executor, or the one that ``workers`` means; refused if it can't keep what the study asks for."""
    if executor is None:
        executor = _from_workers(workers, study.timing)
    elif workers is not None:
        raise InputError(
            f"workers can't be given with an executor (--cluster), which brings its own, got {workers!r}; leave one out"
        )
    elif isinstance(executor, type) or not isinstance(executor, Executor):
        raise InputError(
            "executor must be Serial(), Processes(…), Dask(client) or another object with keeps_limits, "
            f"keeps_exclusive_timing and open, got {executor!r}"
        )
    if study.timing == "exclusive" and not executor.keeps_exclusive_timing:
        raise InputError(
            f"timing='exclusive' runs one trial at a time, which {executor!r} can't keep; run with workers=1 (or 0: "
            "in this process), or choose timing='shared'"
        )
    return executor


def _from_workers(workers: int | None, timing: str) -> Executor:
    if workers is not None and not (isinstance(workers, int) and workers >= 0):
        raise InputError(f"workers must be a whole number of at least 0 (0: in this process), got {workers!r}")
    if workers == 0:
        return Serial()
    return Processes(workers or (1 if timing == "exclusive" else cores()))
