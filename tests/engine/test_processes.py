"""The pool of child processes: limits, deaths and connections cost the one trial that was under way."""

import sys
import time

import bad_methods
import numpy as np
import pytest
from engine_runs import quick, recorded, small_study
from leaky_methods import Bystander, Spoils
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.engine.executors.wire import MARK
from fairtrial.errors import WorkerError
from fairtrial.store import Record


@pytest.mark.slow
class TestConnection:
    """What methods do to the connection of the process that they run in."""

    def test_one_that_closes_it_is_not_waited_for(self, tmp_path):
        study = small_study(
            datasets=["labor"], methods={"closes": bad_methods.ClosesItsConnection(every=1)}, resampling="2-fold"
        )
        started = time.monotonic()
        failures = study.run(tmp_path / "closes.trial", workers=1, progress=False).failures
        assert list(failures["error"]) == ["Died: it closed its connection"] * 2
        assert time.monotonic() - started < 55  # there is no time limit, and it would sleep for 600 s

    def test_nobody_else_speaks_for_a_worker(self, tmp_path):
        messages = {"first": ("done", [Record(b"no such trial", "ok")]), "second": ("nonsense",)}
        methods = {name: bad_methods.SpeaksForItsWorker(message=message) for name, message in messages.items()}
        study = small_study(datasets=["labor"], methods=methods, resampling="holdout 0.5")
        file = quick(study, tmp_path / "speaks.trial", 1)
        found = sorted((r.status, r.error or "") for r in file.read())
        reason = "Died: something else than its worker spoke on its connection"
        assert found == [("failed", reason)] * 2 + [("ok", "")]

    def test_garbage_ends_its_trial_without_a_traceback(self, tmp_path, capfd):
        pickled = b"not a pickle"
        marked = MARK + len(pickled).to_bytes(6, "little") + pickled
        kinds = {"short": b"hi\n", "long": b"debug: " * 1000, "empty": MARK + bytes(6), "marked": marked}
        methods = {name: bad_methods.Garbles(every=1, garbage=garbage) for name, garbage in kinds.items()}
        study = small_study(datasets=["labor"], methods=methods, resampling="holdout 0.5")
        file = quick(study, tmp_path / "garbles.trial", 2)
        found = sorted((r.status, r.error or "") for r in file.read())
        reason = "Died: something else than its worker spoke on its connection"
        assert found == [("failed", reason)] * 4 + [("ok", "")]
        assert capfd.readouterr().err == ""


class TestLargeMessages:
    @pytest.mark.slow
    def test_both_sides_may_send_much_at_once(self, tmp_path):
        """Messages larger than the connection's buffer, both ways, while trials are short: nobody waits for ever."""
        from fairtrial.data import Dataset

        random_state = np.random.RandomState(0)
        X = random_state.normal(size=(8000, 2))
        data = Dataset.from_arrays(X, (X[:, 0] > 0).astype(int), name="wide tests")
        study = small_study(datasets=[data], methods={"bayes": GaussianNB()}, resampling="40xholdout 0.9")
        file = quick(study, tmp_path / "large.trial", 2)
        assert len(list(file.read())) == 80


class TestStart:
    def test_a_worker_that_can_not_start_is_an_error_not_a_loop(self, tmp_path, monkeypatch):
        monkeypatch.setattr(sys, "executable", "/bin/false")
        with pytest.raises(WorkerError, match="die before they start a trial"):
            quick(small_study(), tmp_path / "none.trial", 1)


class TestLimits:
    @pytest.mark.slow
    def test_what_ended_a_trial_is_what_it_used_at_least(self):
        methods = {"eats": bad_methods.EatsMemory(every=1), "hangs": bad_methods.Hangs(every=1)}
        limited = ft.Study(
            datasets=["iris"],
            methods=methods,
            measures=["accuracy"],
            time_limit=4.0,
            memory_limit=300_000_000,
            resampling="holdout 0.5",
        )
        file = quick(limited, None, 2)
        assert {r.error for r in file.read() if r.error} == {
            "MemoryLimit: used more than 300 MB",
            "TimeLimit: not done after 4 s",
        }
        assert recorded(file, "peak_memory")["eats"] == [300_000_000]
        assert recorded(file, "fit_time")["hangs"] == [4.0]
        assert recorded(file, "fit_time")["eats"] == recorded(file, "peak_memory")["hangs"] == [None]

    @pytest.mark.slow
    def test_the_cpu_time_until_then_is_kept(self):
        methods = {"burns": bad_methods.Burns(every=1), "hangs": bad_methods.Hangs(every=1)}
        limited = ft.Study(
            datasets=["iris"], methods=methods, measures=["accuracy"], time_limit=2.0, resampling="holdout 0.5"
        )
        found = recorded(quick(limited, None, 1), "fit_cpu")
        assert 0.2 < found["burns"][0] < 2.5  # without what its process needed to start, which is more than that
        assert 0 <= found["hangs"][0] < 0.2


@pytest.mark.slow
class TestBystanders:
    def test_a_failure_where_others_were_before_is_tried_again_in_a_clean_process(self, tmp_path):
        methods = {"spoils": Spoils(every=1), "hurt": Bystander(), "own": Bystander(by_itself=True)}
        study = small_study(datasets=["labor"], methods=methods, resampling="2-fold")
        file = quick(study, tmp_path / "hurt.trial", 1)
        found = recorded(file, "status")
        assert found["hurt"] == ["ok", "ok"]
        assert found["own"] == ["failed", "failed"]
