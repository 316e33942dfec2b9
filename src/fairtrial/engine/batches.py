"""What every executor shares: what trials refer to, what they may use, and how they are cut into batches."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Protocol, TypeVar

from fairtrial.data import Dataset
from fairtrial.design import Factor, Trial
from fairtrial.resampling import Split
from fairtrial.store import Record

__all__ = ["BATCH_SECONDS", "MOST_BATCH", "Conditions", "Limits", "Queue", "Supplies"]

BATCH_SECONDS = 0.05  # work per message: long enough to hide the exchange, short enough to balance the load
MOST_BATCH = 200
IN_SIGHT = 10_000  # trials that are made ahead of their turn: enough to share out the last ones, and little memory

Thing = TypeVar("Thing", covariant=True)


class Numbered(Protocol[Thing]):
    """A list, or a dictionary with numbers as keys."""

    def __getitem__(self, number: int, /) -> Thing: ...


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds, and bytes on top of what its process had before, that one trial may use; None for no limit."""

    seconds: float | None = None
    bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Conditions:
    """What every trial of a study is performed under.

    ``extra`` names resources that are recorded on request; ``factors`` give their levels a meaning, with what they draw
    from ``seed``, the study's.
    """

    extra: frozenset[str] = frozenset()
    factors: tuple[Factor, ...] = ()
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Supplies:
    """What trials refer to by number, and what holds for all of them.

    A data set may be pickled already, a method and the conditions always are; ``path`` names folders where modules are
    looked for when they are nowhere else.
    """

    datasets: Numbered[Dataset | bytes]
    methods: Numbered[bytes]
    splits: Numbered[Split]
    conditions: bytes = b""
    limits: Limits = Limits()
    path: tuple[str, ...] = ()


class Queue:
    """Trials that wait, in order, and what such trials took so far.

    Only the next 10,000 are in sight; those behind them are made when their turn comes nearer.
    """

    def __init__(self) -> None:
        self._trials: deque[Trial] = deque()
        self._behind: Iterator[Trial] = iter(())
        self._seconds: dict[tuple[int, int], float] = {}

    def __len__(self) -> int:
        """How many are in sight; 0 only when none are left."""
        return len(self._trials)

    def add(self, trials: Iterable[Trial]) -> None:
        self._behind = chain(self._behind, trials)
        self._fill()

    def _fill(self) -> None:
        self._trials.extend(islice(self._behind, max(0, IN_SIGHT - len(self._trials))))

    def put_back(self, trials: Iterable[Trial]) -> None:
        """To the front, in their order."""
        self._trials.extendleft(reversed(list(trials)))

    def seconds(self, trial: Trial) -> float:
        """What it will take, from those of its data set and method; a whole batch where none is known."""
        return self._seconds.get((trial.dataset, trial.method), BATCH_SECONDS)

    def learn(self, trial: Trial, record: Record) -> None:
        """Take in what a trial took."""
        place = (trial.dataset, trial.method)
        spent = sum(record.resources.get(r, 0.0) for r in ("fit_time", "predict_time"))
        known = self._seconds.get(place)
        self._seconds[place] = spent if known is None else 0.7 * known + 0.3 * spent

    def batch(self, workers: int) -> tuple[list[Trial], float]:
        """The next trials, about 50 ms of work, and its seconds; fewer near the end, so that all workers get some."""
        taken: list[Trial] = []
        seconds = 0.0
        fair = len(self._trials) // (2 * workers) if workers > 1 else MOST_BATCH
        most = max(1, min(MOST_BATCH, fair))
        while self._trials and len(taken) < most and seconds < BATCH_SECONDS:
            taken.append(self._trials.popleft())
            seconds += self.seconds(taken[-1])
        self._fill()
        return taken, seconds
