"""One worker process as the parent sees it: what it may send, and what ends with it."""

import sys
import time
from queue import SimpleQueue

import bad_methods
import pandas as pd
import pytest
from engine_runs import small_study

from fairtrial.design import Study
from fairtrial.engine.executors import child
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


@pytest.mark.slow
class TestKeptReady:
    @pytest.fixture(autouse=True)
    def _ended(self):
        yield
        child.end_ready()

    def ready(self):
        return [process for waiting in child._ready.values() for process, _ in waiting]

    def test_the_next_child_is_one_that_waits(self):
        child.keep_ready(1, 1)
        (waiting,) = self.ready()
        taken = Child(SimpleQueue())
        assert taken.process.pid == waiting.pid
        assert self.ready() == []
        taken.kill()

    def test_none_that_was_started_in_another_environment_or_has_ended(self, monkeypatch):
        child.keep_ready(1, 1)
        (waiting,) = self.ready()
        monkeypatch.setenv("FAIRTRIAL_OTHER", "1")
        taken = Child(SimpleQueue())
        assert taken.process.pid != waiting.pid
        child.keep_ready(1, 1)
        assert waiting.poll() is not None
        (second,) = self.ready()
        second.kill()
        second.wait()
        other = Child(SimpleQueue())
        assert other.process.pid != second.pid
        taken.kill()
        other.kill()

    def test_they_end_after_a_while(self, monkeypatch):
        monkeypatch.setattr(child, "IDLE_SECONDS", 0.05)
        child.keep_ready(1, 1)
        (waiting,) = self.ready()
        assert waiting.wait(10) != 0
        assert self.ready() == []

    def test_a_session_has_them_for_its_next_run_with_the_same_numbers(self, monkeypatch, tmp_path):
        study = Study(datasets=["iris"], methods=["majority", "one_rule"], resampling="2-fold", measures=["accuracy"])
        first = study.run(tmp_path / "a.trial", workers=1, progress=False)
        assert self.ready() == []
        monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
        study.run(tmp_path / "b.trial", workers=1, progress=False)
        (waiting,) = self.ready()
        again = study.run(tmp_path / "c.trial", workers=1, progress=False)
        assert waiting.poll() is not None  # it was the worker of the third run
        pd.testing.assert_series_equal(first.scores["value"], again.scores["value"])
