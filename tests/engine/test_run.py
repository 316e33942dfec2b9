"""Whole runs in real processes: bad methods cost only their own trials, and the numbers never depend on how it ran."""

import io
import subprocess
import sys
import textwrap
import time
from queue import SimpleQueue

import bad_methods
import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.engine import run
from fairtrial.engine.child import Child
from fairtrial.engine.progress import Lines, progress_for
from fairtrial.engine.wire import MARK
from fairtrial.errors import InputError, StudyFileError, WorkerError
from fairtrial.store import Record, StudyFile


def small_study(**changes: object) -> ft.Study:
    options: dict = {
        "datasets": ["iris", "labor"],
        "methods": {"forest": RandomForestClassifier(5), "bayes": GaussianNB(), "logistic": LogisticRegression()},
        "resampling": "3-fold",
    }
    return ft.Study(**{**options, **changes})


def numbers(file: StudyFile) -> dict:
    """Everything that must not depend on how the study ran: not times, memory and order of writing."""
    return {r.key: (r.status, (r.error or "").split("\n")[0], _arrays(r)) for r in file.read()}


def _arrays(record: Record) -> list:
    return [(channel, a.dtype, a.shape, a.data) for channel, a in sorted(record.arrays.items())]


def quick(study: ft.Study, path: object, workers: int = 2, **options: object) -> StudyFile:
    return run(study, path, workers=workers, progress=False, **options)


class TestRun:
    def test_numbers_do_not_depend_on_workers(self, tmp_path):
        study = small_study()
        serial = numbers(quick(study, tmp_path / "0.trial", 0))
        assert len(serial) == 24  # 2 data sets, 3 folds, 3 methods and a yardstick
        assert numbers(quick(study, tmp_path / "1.trial", 1)) == serial
        assert numbers(quick(study, tmp_path / "2.trial", 2)) == serial
        assert numbers(quick(study, None, 0)) == serial

    def test_the_verdict_shows_failures_and_the_policy(self):
        study = small_study(
            datasets=["labor"], methods={"bad": bad_methods.Raises(), "bayes": GaussianNB()}, resampling="6-fold"
        )
        verdict = study.run(None, workers=0, progress=False).verdict()
        text = str(verdict)
        assert verdict.failed > 0
        assert f"{verdict.failed} of 18 trials failed: bad on labor ({verdict.failed})" in text
        assert "scored as the baseline 'majority' on those splits" in text
        assert "bad " in str(verdict.to_table())

    def test_output_and_warnings_are_kept(self, tmp_path):
        study = small_study(datasets=["labor"], methods={"talks": bad_methods.Talks(every=1)})
        file = quick(study, tmp_path / "talks.trial", 1)
        talking = [r for r in file.read() if r.output]
        assert len(talking) == 3
        assert talking[0].output == "hello from python\nhello from a child of mine\n"
        assert talking[0].warnings == (("UserWarning: careful", 3),)

    @pytest.mark.parametrize("workers", [0, 1])
    @pytest.mark.parametrize(
        ("how", "reason"),
        [
            ("error", "ValueError: bad \\ud800 text"),
            ("mute", "Mute: it can't say what happened, since its text raises RuntimeError"),
            ("leaves", "Leaves: it can't say what happened, since its text raises SystemExit"),
            ("nameless", "Nameless: "),
            ("abort", "Abort: enough"),
            ("stdout", None),
            ("deep", None),
            ("warning", None),
            ("output", None),
            ("surrogate", None),
            ("keys", None),
            ("order", None),
        ],
    )
    def test_what_a_method_says_can_always_be_stored(self, tmp_path, how, reason, workers, capfd, monkeypatch):
        monkeypatch.setattr(sys, "stdout", sys.stdout)  # one of them changes it
        study = small_study(datasets=["labor"], methods={"bad": bad_methods.Unwritable(1, how), "bayes": GaussianNB()})
        file = quick(study, tmp_path / "a.trial", workers)
        assert [r.status for r in file.read()].count("failed") == (3 if reason else 0)
        assert {(r.error or "").split("\n")[0] for r in file.read()} <= {reason or "", ""}
        bad = [r for r in file.read() if r.warnings or r.details or r.output]
        if how == "warning":
            assert [r.warnings for r in bad] == [(("UserWarning: bad \\ud800 text", 1),)] * 3
        if how == "output" and workers:
            assert bad[0].output == "half \ufffd\ufffd\ufffd a pair, \ufffd, \\x00 and \\x1b[2J"
        if how == "surrogate":
            assert [r.details for r in bad] == [{"a": "bad \ufffd text"}] * 3
        if how == "keys":
            assert [dict(r.details) for r in bad] == [{}] * 3
            assert "keys must differ as text, but '1' is there twice" in bad[0].warnings[0][0]
        if how == "deep":
            assert "it must not be nested deeper than 100" in bad[0].warnings[0][0]
        if how == "order":
            assert [r.details for r in bad] == [{"1": 2, "b": 3}] * 3
        assert len(file.waiting()) == 0

    def test_a_long_error_is_shortened(self, tmp_path):
        study = small_study(datasets=["labor"], methods={"bad": bad_methods.Unwritable(1, "long")})
        file = quick(study, tmp_path / "a.trial", 1)
        error = next(r.error for r in file.read() if r.error)
        first, rest = error.split("\n", 1)
        assert first.startswith("ValueError: long long")
        assert "(1,000,011 characters in all)" in first
        assert (len(first), len(rest)) == (500, 4096)
        assert (tmp_path / "a.trial").stat().st_size < 200_000

    def test_only_what_is_new_runs(self, tmp_path):
        path = tmp_path / "grows.trial"
        first = numbers(quick(small_study(methods={"bayes": GaussianNB()}), path, 0))
        larger = small_study(resampling="2x3-fold")
        file = quick(larger, path, 0)
        assert first.items() <= numbers(file).items()
        sessions = dict(file.query("SELECT session, COUNT(*) FROM trial GROUP BY session"))
        assert sessions == {1: 12, 2: 36}

    def test_nothing_is_done_twice(self, tmp_path):
        path = tmp_path / "done.trial"
        quick(small_study(), path, 0)
        assert len(quick(small_study(), path, 0).sessions()) == 1

    def test_failed_trials_are_run_again_when_asked(self, tmp_path):
        path = tmp_path / "again.trial"
        study = small_study(datasets=["labor"], methods={"bad": bad_methods.Raises(every=1)})
        quick(study, path, 0)
        assert len(quick(study, path, 0).sessions()) == 1
        assert len(quick(study, path, 0, retry_failed=True).sessions()) == 2

    def test_other_versions_are_refused_unless_accepted(self, tmp_path):
        path = tmp_path / "old.trial"
        quick(small_study(datasets=["labor"]), path, 0)
        with StudyFile(path, write=True) as file, file._db as db:
            db.execute("UPDATE session SET versions = json_set(versions, '$.numpy', '1.0')")
        with pytest.raises(StudyFileError, match=r"other versions \(numpy 1.0 → .*--accept-versions"):
            quick(small_study(), path, 0)
        quick(small_study(), path, 0, accept_versions=True)

    def test_workers_must_be_a_number(self):
        with pytest.raises(InputError, match="workers must be a whole number of at least 0"):
            small_study().run(None, workers=-1)

    def test_a_worker_that_can_not_start_is_an_error_not_a_loop(self, tmp_path, monkeypatch):
        monkeypatch.setattr(sys, "executable", "/bin/false")
        with pytest.raises(WorkerError, match="die before they start a trial"):
            quick(small_study(), tmp_path / "none.trial", 1)


SCRIPT = """
import sys
import fairtrial as ft
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

class Own(GaussianNB):                       # lives in __main__: needs a version, travels by value
    def fit(self, X, y):
        return super().fit(X, y)

study = ft.Study(
    datasets=["iris", "labor", "vote"],
    methods={"forest": RandomForestClassifier(10), "own": ft.Method("own", Own(), version="1"), "bayes": GaussianNB()},
    resampling="4x5-fold",
)
study.run(sys.argv[1], workers=int(sys.argv[2]), progress=False)
print("finished")
"""


class TestScript:
    def test_needs_no_guard(self, tmp_path):
        script = tmp_path / "script.py"
        script.write_text(textwrap.dedent(SCRIPT).replace('"4x5-fold"', '"2-fold"'))
        command = [sys.executable, script, tmp_path / "a.trial", "2"]
        finished = subprocess.run(command, check=True, capture_output=True)
        assert finished.stdout == b"finished\n"  # once: the workers don't run it again
        assert _done(tmp_path / "a.trial") == 24


class TestKill:
    """What a kill -9 leaves; killed and resumed again and again: test_soak.py."""

    def test_children_end_with_their_parent(self, tmp_path):
        import psutil

        script = tmp_path / "script.py"
        script.write_text(textwrap.dedent(SCRIPT).replace('"4x5-fold"', '"100x5-fold"'))
        process = subprocess.Popen([sys.executable, script, tmp_path / "x.trial", "2"])
        children: list[psutil.Process] = []
        for _ in range(600):
            time.sleep(0.1)
            children = psutil.Process(process.pid).children()
            if len(children) == 2:
                break
        assert len(children) == 2
        process.kill()
        process.wait()
        _, alive = psutil.wait_procs(children, timeout=60)
        assert not alive


def _done(path: object) -> int:
    try:
        with StudyFile(path) as file:
            return file.query("SELECT COUNT(*) FROM trial WHERE status = 'ok'")[0][0]
    except StudyFileError:
        return 0


class TestInterrupt:
    def test_ctrl_c_keeps_what_was_done(self, tmp_path):
        import signal

        script = tmp_path / "script.py"
        script.write_text(textwrap.dedent(SCRIPT).replace('"4x5-fold"', '"100x5-fold"'))
        path = tmp_path / "stopped.trial"
        process = subprocess.Popen([sys.executable, script, path, "2"], stderr=subprocess.PIPE)
        for _ in range(600):
            time.sleep(0.1)
            if _done(path) > 5:
                break
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)
        assert process.returncode != 0
        assert not path.with_name("stopped.trial.lock").exists()
        assert _done(path) > 5


class TestLargeMessages:
    def test_both_sides_may_send_much_at_once(self, tmp_path):
        """Messages larger than the connection's buffer, both ways, while trials are short: nobody waits for ever."""
        from fairtrial.data import Dataset

        random_state = np.random.RandomState(0)
        X = random_state.normal(size=(8000, 2))
        data = Dataset.from_arrays(X, (X[:, 0] > 0).astype(int), name="wide tests")
        study = small_study(datasets=[data], methods={"bayes": GaussianNB()}, resampling="40xholdout 0.9")
        file = quick(study, tmp_path / "large.trial", 2)
        assert len(list(file.read())) == 80

    def test_two_equal_splits_are_two_trials(self, tmp_path):
        from fairtrial.data import Dataset

        data = Dataset.from_arrays(np.arange(12.0).reshape(6, 2), [0, 1] * 3, name="tiny")
        study = small_study(datasets=[data], methods=["majority"], resampling="10x3-fold")
        assert len(list(quick(study, tmp_path / "tiny.trial", 0).read())) == 30


class TestFamily:
    def test_what_a_method_started_ends_with_it(self, tmp_path):
        import psutil

        study = small_study(datasets=["labor"], methods={"forks": bad_methods.Forks(every=1)}, resampling="2-fold")
        started = time.monotonic()
        results = study.run(tmp_path / "forks.trial", workers=1, progress=False)
        assert set(results.failures["error"]) == {"Died: the process exited with code 5"}
        assert time.monotonic() - started < 55  # the grandchildren would sleep for 60 s
        asleep = [p for p in psutil.process_iter(["cmdline"]) if p.info["cmdline"] == ["sleep", "61.25"]]
        assert asleep == []


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

    def test_a_copy_of_the_process_does_no_trials(self, tmp_path):
        study = small_study(datasets=["labor"], methods={"doubles": bad_methods.Doubles(every=1)}, resampling="5-fold")
        file = quick(study, tmp_path / "doubles.trial", 1)
        found = {r.key: (r.status, r.error) for r in file.read()}
        assert list(found.values()) == [("ok", None)] * 10

    def test_nobody_else_speaks_for_a_worker(self, tmp_path):
        messages = {"first": ("done", Record(b"no such trial", "ok"), None), "second": ("nonsense",)}
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

    def test_what_a_worker_may_say(self):
        first, second, third = list(small_study().plan().trials())[:3]
        child = Child(SimpleQueue())
        try:
            assert not child.may_say(("started", first.key))  # it has nothing to do
            child.queue.extend([first, second, third])
            done = [("done", Record(trial.key, "ok"), None) for trial in (first, second)]
            allowed = [("loading", first.key), ("started", first.key), done[0], (*done[0][:2], second.key)]
            assert all(child.may_say(message) for message in allowed)
            refused = [(), 3, "done", ("started",), ("started", second.key), ("started", None), ("done", "text", None)]
            refused += [done[1], done[0][:2], (*done[0][:2], first.key), (*done[0][:2], third.key), ("path", first.key)]
            assert not any(child.may_say(message) for message in refused)
        finally:
            child.kill()


class TestProgress:
    def test_plain_lines_where_there_is_no_terminal(self):
        stream = io.StringIO()
        shown = progress_for(True, stream)
        assert isinstance(shown, Lines)
        shown.start(10, 2, "1 data set × 1 method")
        shown.record(Record(b"k", "failed", "ValueError: no\ntrace"), "svm on sonar")
        shown.record(Record(b"l", "ok"), "svm on sonar")
        shown.stop()
        first, last = stream.getvalue().splitlines()
        assert first == "  1 data set × 1 method; 2 done before"
        assert "4/10" in last
        assert "1 failed (svm on sonar: ValueError: no)" in last
