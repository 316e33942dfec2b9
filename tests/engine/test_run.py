"""Whole runs in real processes: bad methods cost only their own trials, and the numbers never depend on how it ran."""

import subprocess
import sys
import textwrap
import time

import bad_methods
import numpy as np
import pytest
from engine_runs import done, numbers, quick, small_study
from sklearn.naive_bayes import GaussianNB
from study_changes import change

from fairtrial.errors import InputError, StudyFileError

REASONS = {  # how a method says what can't be written down as it is, and why its trial fails, if it does
    "error": "ValueError: bad \\ud800 text",
    "mute": "Mute: it can't say what happened, since its text raises RuntimeError",
    "leaves": "Leaves: it can't say what happened, since its text raises SystemExit",
    "nameless": "Nameless: ",
    "abort": "Abort: enough",
    **dict.fromkeys(("stdout", "deep", "warning", "output", "surrogate", "keys", "order")),
}


@pytest.mark.slow
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

    @pytest.mark.parametrize("workers", [0, 1])
    def test_what_a_method_says_can_always_be_stored(self, tmp_path, workers, capfd, monkeypatch):
        monkeypatch.setattr(sys, "stdout", sys.stdout)  # one of them changes it
        odd = {how: bad_methods.Unwritable(1, how) for how in REASONS}
        file = quick(small_study(datasets=["labor"], methods={**odd, "bayes": GaussianNB()}), tmp_path / "a", workers)
        names = dict(file.query("SELECT t.key, m.name FROM trial t JOIN method m ON m.id = t.method"))
        said = {how: [r for r in file.read() if names[r.key] == how] for how in (*REASONS, "bayes", "majority")}
        assert {how: [r.status for r in found] for how, found in said.items()} == {
            how: ["failed" if REASONS.get(how) else "ok"] * 3 for how in said
        }
        assert {how: {(r.error or "").split("\n")[0] for r in found} for how, found in said.items()} == {
            how: {REASONS.get(how) or ""} for how in said
        }
        assert [r.warnings for r in said["warning"]] == [(("UserWarning: bad \\ud800 text", 1),)] * 3
        if workers:
            assert said["output"][0].output == "half \ufffd\ufffd\ufffd a pair, \ufffd, \\x00 and \\x1b[2J"
        assert [r.details for r in said["surrogate"]] == [{"a": "bad \ufffd text"}] * 3
        assert [dict(r.details) for r in said["keys"]] == [{}] * 3
        assert "keys must differ as text, but '1' is there twice" in said["keys"][0].warnings[0][0]
        assert "it must not be nested deeper than 100" in said["deep"][0].warnings[0][0]
        assert [r.details for r in said["order"]] == [{"1": 2, "b": 3}] * 3
        assert not any(r.warnings or r.details or r.output for r in said["bayes"])
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
        change(path, "UPDATE session SET versions = json_set(versions, '$.numpy', '1.0')")
        with pytest.raises(StudyFileError, match=r"other versions \(numpy 1.0 → .*--accept-versions"):
            quick(small_study(), path, 0)
        quick(small_study(), path, 0, accept_versions=True)

    def test_workers_must_be_a_number(self):
        with pytest.raises(InputError, match="workers must be a whole number of at least 0"):
            small_study().run(None, workers=-1)


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
    @pytest.mark.slow
    def test_needs_no_guard(self, tmp_path):
        script = tmp_path / "script.py"
        script.write_text(textwrap.dedent(SCRIPT).replace('"4x5-fold"', '"2-fold"'))
        command = [sys.executable, script, tmp_path / "a.trial", "2"]
        finished = subprocess.run(command, check=True, capture_output=True)
        assert finished.stdout == b"finished\n"  # once: the workers don't run it again
        assert done(tmp_path / "a.trial") == 24


class TestKill:
    """What a kill -9 leaves; killed and resumed again and again: test_soak.py."""

    @pytest.mark.slow
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


class TestInterrupt:
    @pytest.mark.slow
    def test_ctrl_c_keeps_what_was_done(self, tmp_path):
        import signal

        script = tmp_path / "script.py"
        script.write_text(textwrap.dedent(SCRIPT).replace('"4x5-fold"', '"100x5-fold"'))
        path = tmp_path / "stopped.trial"
        process = subprocess.Popen([sys.executable, script, path, "2"], stderr=subprocess.PIPE)
        for _ in range(600):
            time.sleep(0.1)
            if done(path) > 5:
                break
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)
        assert process.returncode != 0
        assert not path.with_name("stopped.trial.lock").exists()
        assert done(path) > 5


class TestEqualSplits:
    @pytest.mark.slow
    def test_two_equal_splits_are_two_trials(self, tmp_path):
        from fairtrial.data import Dataset

        data = Dataset.from_arrays(np.arange(12.0).reshape(6, 2), [0, 1] * 3, name="tiny")
        study = small_study(datasets=[data], methods=["majority"], resampling="10x3-fold")
        assert len(list(quick(study, tmp_path / "tiny.trial", 0).read())) == 30
