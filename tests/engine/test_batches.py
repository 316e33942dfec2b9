"""How trials are cut into batches: about 50 ms of work, and at the end something for every worker."""

import heapq
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.design import Trial
from fairtrial.engine.executors import processes
from fairtrial.engine.executors.processes import BATCH_SECONDS, IN_SIGHT, LAST_STRETCH, MOST_BATCH, Queue
from fairtrial.store import Record


def trials(n: int) -> list[Trial]:
    return [Trial(bytes([i // 256, i % 256]), dataset=0, method=0, split=i) for i in range(n)]


def queue_of(n: int, seconds: float | None = None) -> Queue:
    queue = Queue()
    queue.add(trials(n))
    if seconds is not None:
        queue.learn(trials(1)[0], Record(b"", "ok", resources={"fit_time": seconds}))
    return queue


class TestQueue:
    def test_trials_of_unknown_length_go_one_by_one(self):
        batch, seconds = queue_of(1000).batch(2)
        assert len(batch) == 1
        assert seconds == BATCH_SECONDS

    def test_short_ones_go_together(self):
        batch, seconds = queue_of(1000, 0.01).batch(2)
        assert [t.split for t in batch] == [0, 1, 2, 3, 4]
        assert seconds == pytest.approx(0.05)

    def test_not_more_than_so_many(self):
        assert len(queue_of(1000, 0.0).batch(2)[0]) == MOST_BATCH

    def test_the_last_are_shared(self):
        assert len(queue_of(40, 0.0).batch(2)[0]) == 10
        assert len(queue_of(40, 0.0).batch(1)[0]) == 40
        assert len(queue_of(3, 0.0).batch(8)[0]) == 1

    def test_trials_are_made_when_their_turn_comes_nearer(self):
        made = []

        def making():
            for i in range(3 * IN_SIGHT):
                made.append(i)
                yield Trial(b"", dataset=0, method=0, split=i)

        queue = Queue()
        queue.add(making())
        queue.learn(trials(1)[0], Record(b"", "ok"))
        taken = []
        while queue:
            assert len(made) <= len(taken) + IN_SIGHT
            taken += queue.batch(2)[0]
        assert [t.split for t in taken] == list(range(3 * IN_SIGHT))

    def test_what_comes_back_is_first_again(self):
        queue = queue_of(1000, 0.01)
        first, _ = queue.batch(2)
        queue.put_back(first)
        assert queue.batch(2)[0] == first

    def test_what_trials_take_is_learnt_slowly(self):
        queue = queue_of(1, 1.0)
        queue.learn(trials(1)[0], Record(b"", "ok", resources={"fit_time": 1.0, "predict_time": 1.0}))
        assert queue.seconds(trials(1)[0]) == pytest.approx(0.7 * 1 + 0.3 * 2)


def simulated(queue: Queue, seconds: dict[int, float], workers: int) -> tuple[float, list[int]]:
    """When all is done, and the methods in the order in which they began, on so many workers that do nothing else."""
    free = [(0.0, worker) for worker in range(workers)]
    order: list[int] = []
    end = 0.0
    while queue:
        now, worker = heapq.heappop(free)
        for trial in queue.batch(workers)[0]:
            order.append(trial.method)
            now += seconds[trial.method]
            queue.learn(trial, Record(trial.key, "ok", resources={"fit_time": seconds[trial.method]}))
        end = max(end, now)
        heapq.heappush(free, (now, worker))
    return end, order


def blocks(n: int, methods: int) -> list[Trial]:
    """Of one split each, the slow method 0 last in its block, where it hurts most."""
    return [
        Trial(f"{split}-{method}".encode(), 0, method, split)
        for split in range(n)
        for method in reversed(range(methods))
    ]


class TestLastStretch:
    SECONDS: ClassVar = {0: 3.0, 1: 0.2, 2: 0.1, 3: 0.1}

    def made(self, n: int = 30) -> Queue:
        queue = Queue()
        queue.add(blocks(n, 4))
        return queue

    @pytest.mark.parametrize("workers", [2, 3, 4])
    def test_all_workers_are_busy_to_the_end(self, workers, monkeypatch):
        least = 30 * sum(self.SECONDS.values()) / workers  # 30 blocks of 3.4 s
        end, _ = simulated(self.made(), self.SECONDS, workers)
        # the tail has some 3 × workers slow trials and too little else to level out all of a slow one's 3 s
        assert end <= least + 1.5
        monkeypatch.setattr(processes, "LAST_STRETCH", 0.0)
        in_order, _ = simulated(self.made(), self.SECONDS, workers)
        assert end <= in_order

    def test_the_short_fill_up_what_the_long_leave(self, monkeypatch):
        """16 fits of a second and 3 s of short ones on 3 workers, a long one last: 6 and 1/3 s at the least."""
        seconds = {0: 1.0, 1: 0.1, 2: 0.0875}
        trials = blocks(16, 3)
        least = sum(seconds[t.method] for t in trials) / 3
        queue = Queue()
        queue.add(trials)
        end, _ = simulated(queue, seconds, 3)
        assert end == pytest.approx(least, abs=0.15)
        monkeypatch.setattr(processes, "LAST_STRETCH", 0.0)
        queue.add(trials)
        in_order, _ = simulated(queue, seconds, 3)
        assert in_order > least + 0.3

    def test_until_then_the_order_is_the_plan_s(self):
        _, order = simulated(self.made(), self.SECONDS, 2)
        planned = [t.method for t in blocks(30, 4)]
        changed = next(i for i, (a, b) in enumerate(zip(order, planned, strict=True)) if a != b)
        left = sum(self.SECONDS[m] for m in planned[changed:])
        assert left <= LAST_STRETCH * 2 * 3.0 + 0.4
        assert sorted(order) == sorted(planned)

    def test_one_worker_keeps_the_order_to_the_end(self):
        _, order = simulated(self.made(), self.SECONDS, 1)
        assert order == [t.method for t in blocks(30, 4)]

    def test_levels_count(self):
        """The slow ones of a method are those with much training data."""
        small, large = (Trial(f"{size}".encode(), 0, 0, 0, levels={"size": size}) for size in (10, 10_000))
        queue = Queue()
        for trial, seconds in ((small, 0.1), (large, 9.0)):
            queue.learn(trial, Record(b"", "ok", resources={"fit_time": seconds}))
        queue.add([small, large])
        assert queue.batch(2)[0] == [large]

    @given(st.lists(st.floats(0.001, 5), min_size=1, max_size=5), st.integers(1, 6), st.integers(1, 40), st.randoms())
    def test_nothing_is_lost_and_nobody_idles_long(self, seconds, workers, n, random):
        trials = blocks(n, len(seconds))
        random.shuffle(trials)
        queue = Queue()
        queue.add(trials)
        known = dict(enumerate(seconds))
        end, order = simulated(queue, known, workers)
        assert sorted(order) == sorted(t.method for t in trials)
        total = sum(known[t.method] for t in trials)
        # Graham's bound for any list, and a batch that may hold one trial more than it should
        assert end <= total / workers + max(seconds) + processes.BATCH_SECONDS + max(seconds)
