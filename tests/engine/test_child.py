"""One worker process as the parent sees it: what it may send, and what ends with it."""

import time
from queue import SimpleQueue

import bad_methods
import pytest
from engine_runs import small_study

from fairtrial.engine.executors.child import Child
from fairtrial.store import Record


class TestFamily:
    @pytest.mark.slow
    def test_what_a_method_started_ends_with_it(self, tmp_path):
        import psutil

        study = small_study(datasets=["labor"], methods={"forks": bad_methods.Forks(every=1)}, resampling="2-fold")
        started = time.monotonic()
        results = study.run(tmp_path / "forks.trial", workers=1, progress=False)
        assert set(results.failures["error"]) == {"Died: the process exited with code 5"}
        assert time.monotonic() - started < 55  # the grandchildren would sleep for 60 s
        asleep = [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", "61.25"]]
        assert asleep == []


class TestMaySend:
    def test_what_a_worker_may_send(self):
        first, second, third = list(small_study().plan().trials())[:3]
        child = Child(SimpleQueue())
        try:
            assert not child.may_send(("started", first.key))  # it has nothing to do
            child.queue.extend([first, second, third])
            one, two = Record(first.key, "ok"), Record(second.key, "ok")
            allowed = [("loading", first.key), ("started", first.key), ("done", [one]), ("done", [one, two])]
            assert all(child.may_send(message) for message in (*allowed, ("done", []), ("spoiled",)))
            refused = [(), 3, "done", ("started",), ("started", second.key), ("started", None), ("done", "text")]
            refused += [
                ("done", [two]),
                ("done", [two, one]),
                ("done", [one, "text"]),
                ("done", one),
                ("path", first.key),
            ]
            assert not any(child.may_send(message) for message in refused)
        finally:
            child.kill()

    def test_trials_start_in_order_or_from_the_first_again(self):
        trials = list(small_study().plan().trials())[:4]
        child = Child(SimpleQueue())
        try:
            child.queue.extend(trials)
            child.at = 1
            assert [child.position_of(trial.key) for trial in trials] == [0, 1, 2, -1]
            assert child.position_of(None) == -1
        finally:
            child.kill()
