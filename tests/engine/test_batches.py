"""How trials are cut into batches: about 50 ms of work, and at the end something for every worker."""

import pytest

from fairtrial.design import Trial
from fairtrial.engine.batches import BATCH_SECONDS, IN_SIGHT, MOST_BATCH, Queue
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
