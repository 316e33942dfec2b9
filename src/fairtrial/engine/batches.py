"""The queue of trials that executors share: trials are handed out in batches, the longest first near the end."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from fairtrial.design import Trial
from fairtrial.store import Record

BATCH_SECONDS = 0.05  # of work in one message: long enough to hide its cost, short enough to balance the load
MOST_BATCH = 200
LAST_STRETCH = 3.0  # times the longest trial: when so much work is left for each worker, the last stretch begins
IN_SIGHT = 10_000  # trials that are made ahead of their turn: enough to balance the last ones, and little memory


class Queue:
    """Trials that wait, in order, with the seconds that similar trials took so far.

    Trials start in their order, except near the end of a run. There the longest trials go first, so that short ones
    fill the gaps and all workers are busy to the end: a long trial that started last would keep one worker busy alone.
    With one worker the order holds to the end. Only the next 10,000 trials are in memory; the others are made when they
    are needed.
    """

    def __init__(self) -> None:
        self._trials: deque[Trial] = deque()
        self._behind: Iterator[Trial] = iter(())
        self._seconds: dict[tuple[Any, ...], float] = {}
        self._look_at = math.inf  # length of the queue at which the last stretch is next looked for

    def __len__(self) -> int:
        """The number of trials in memory; 0 only when none are left."""
        return len(self._trials)

    def add(self, trials: Iterable[Trial]) -> None:
        self._behind = chain(self._behind, trials)
        self._fill()
        self._look_at = math.inf

    def _fill(self) -> None:
        self._trials.extend(islice(self._behind, max(0, IN_SIGHT - len(self._trials))))

    def put_back(self, trials: Iterable[Trial]) -> None:
        """Put trials back to the front, in their order."""
        self._trials.extendleft(reversed(list(trials)))

    def seconds(self, trial: Trial) -> float:
        """Seconds that a trial will take: the mean of similar trials, or those of a whole batch if there are none."""
        return self._seconds.get(_place(trial), BATCH_SECONDS)

    def learn(self, trial: Trial, record: Record) -> None:
        """Take note of the time that a trial took."""
        place = _place(trial)
        spent = sum(record.resources.get(r, 0.0) for r in ("fit_time", "predict_time"))
        known = self._seconds.get(place)
        self._seconds[place] = spent if known is None else 0.7 * known + 0.3 * spent

    def batch(self, workers: int) -> tuple[list[Trial], float]:
        """The next trials, about 50 ms of work, and their seconds; fewer near the end, so that all workers get some."""
        if workers > 1 and len(self._trials) <= self._look_at and len(self._trials) < IN_SIGHT:
            self._longest_first_in_last_stretch(workers)
        taken: list[Trial] = []
        seconds = 0.0
        fair = len(self._trials) // (2 * workers) if workers > 1 else MOST_BATCH
        most = max(1, min(MOST_BATCH, fair))
        while self._trials and len(taken) < most and seconds < BATCH_SECONDS:
            taken.append(self._trials.popleft())
            seconds += self.seconds(taken[-1])
        self._fill()
        return taken, seconds

    def _longest_first_in_last_stretch(self, workers: int) -> None:
        """Sort the queue if the last stretch has begun; looked at when a quarter fewer wait, which costs little."""
        self._look_at = 0.75 * len(self._trials)
        expected = [self.seconds(trial) for trial in self._trials]
        if expected and sum(expected) <= LAST_STRETCH * workers * max(expected):
            self._trials = deque(sorted(self._trials, key=self.seconds, reverse=True))


def _place(trial: Trial) -> tuple[Any, ...]:
    """The data set, method and levels of a trial: trials that share them take about the same time."""
    return (trial.dataset, trial.method, *trial.levels.items())
