"""How far a study file is, and how that is shown."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from fairtrial.data import Dataset
from fairtrial.design import Study
from fairtrial.store import Record, StudyFile, status_board, status_table, status_text, study_status
from fairtrial.store.lock import Lock, holder


def dataset(name: str, n: int) -> Dataset:
    random = np.random.RandomState(n)
    return Dataset.from_arrays(random.normal(size=(n, 1)), np.repeat(["a", "b"], n // 2), name=name)


@pytest.fixture(scope="module")
def plan():
    """Three data sets (one small, two large), two methods, two folds."""
    sets = [dataset("small", 10), dataset("large", 1000), dataset("largest", 1200)]
    return Study(datasets=sets, methods=["majority", "one_rule"], resampling="2-fold").plan()


@pytest.fixture(scope="module")
def large():
    """30 data sets × 10 methods with long names."""
    methods = {f"a method called {i}": DummyClassifier(strategy="uniform", random_state=i) for i in range(10)}
    sets = [dataset(f"data set {i}", 20 + 2 * i) for i in range(30)]
    return Study(datasets=sets, methods=methods, resampling="4-fold").plan()


@pytest.fixture
def file(tmp_path, plan):
    with StudyFile(tmp_path / "a.trial", write=True) as opened:
        opened.register(plan)
        opened.begin_session()
        yield opened


def keys(plan, dataset: str, method: str) -> list[bytes]:
    names = [d.name for d in plan.study.datasets], [m.name for m in plan.study.methods]
    return [t.key for t in plan.trials() if (names[0][t.dataset], names[1][t.method]) == (dataset, method)]


def ok(key: bytes, seconds: float, begun: float | None = None) -> Record:
    return Record(key, "ok", resources={"fit_time": 0.75 * seconds, "predict_time": 0.25 * seconds}, begun=begun)


def failed(key: bytes, error: str = "ValueError: no\nTraceback …") -> Record:
    return Record(key, "failed", error)


class TestStudyStatus:
    def test_counts_by_hand(self, file, plan):
        first, second = keys(plan, "small", "majority")
        file.append([ok(first, 2.0), failed(second)])
        found = study_status(file)
        assert (found.done, found.failed, found.missing, found.total) == (1, 1, 10, 12)
        pair = next(p for p in found.pairs if (p.dataset, p.method) == ("small", "majority"))
        assert (pair.done, pair.failed, pair.missing, pair.seconds, pair.left) == (1, 1, 0, 2.0, 0.0)

    def test_time_left_from_its_own_mean_the_nearest_in_size_or_the_others(self, file, plan):
        file.append(
            [
                ok(keys(plan, "small", "majority")[0], 1.0),
                ok(keys(plan, "large", "majority")[0], 10.0),
                ok(keys(plan, "small", "one_rule")[0], 3.0),
            ]
        )
        left = {(p.dataset, p.method): p.left for p in study_status(file).pairs}
        assert left["small", "majority"] == 1.0  # one is missing, as its twin
        assert left["largest", "majority"] == 20.0  # two, as on the data set nearest in size
        assert left["largest", "one_rule"] == 6.0  # it has run on one data set only

    def test_time_left_of_a_method_that_never_ran_is_that_of_the_others(self, file, plan):
        file.append([ok(keys(plan, "small", "majority")[0], 4.0)])
        left = {(p.dataset, p.method): p.left for p in study_status(file).pairs}
        assert left["small", "one_rule"] == 8.0
        assert left["large", "one_rule"] is None
        assert study_status(file).unknown == 2

    def test_nothing_has_run(self, file):
        found = study_status(file)
        assert found.unknown == 6
        assert found.wait is None
        assert "unknown for 6 pairs" in status_text(found)

    def test_reasons_are_grouped_over_data_sets_by_their_first_line(self, file, plan):
        bad = [*keys(plan, "small", "one_rule"), keys(plan, "large", "one_rule")[0]]
        file.append([*(failed(k, f"ValueError: no\nline {i}") for i, k in enumerate(bad))])
        file.append([failed(keys(plan, "small", "majority")[0], "TimeLimit: not done after 1 s")])
        first, second = study_status(file).failures
        assert (first.method, first.reason, first.datasets) == ("one_rule", "ValueError: no", {"small": 2, "large": 1})
        assert (second.reason, second.count) == ("TimeLimit: not done after 1 s", 1)

    def test_pace_in_the_last_minute_by_hand(self, file, plan):
        now = time.time() + 1000
        a, b = keys(plan, "small", "majority")
        c, _ = keys(plan, "small", "one_rule")
        # ended 30 s ago after 20 s; ended 50 s ago after 40 s, of which 10 s in the last minute; ended long ago
        file.append([ok(a, 20.0, now - 50), ok(b, 40.0, now - 90), ok(c, 5.0, now - 500)])
        found = study_status(file, now)
        assert found.lately == 2
        assert found.pace == pytest.approx((20 + 10) / 60)

    def test_without_trials_in_the_last_minute_the_pace_is_that_of_the_session(self, file, plan):
        now = time.time() + 1000
        file.append([ok(keys(plan, "small", "majority")[0], 50.0, now - 900)])
        assert study_status(file, now).pace == pytest.approx(50 / 1000, rel=0.01)

    def test_wait_is_what_is_left_by_the_pace(self, file, plan):
        now = time.time() + 1000
        rest = [k for d in ("small", "large", "largest") for k in keys(plan, d, "one_rule")]
        file.append([ok(k, 3.0, now - 20) for k in rest])
        file.append([ok(keys(plan, d, "majority")[0], 4.0, now - 10) for d in ("small", "large", "largest")])
        found = study_status(file, now)
        assert found.left == 12.0
        assert found.wait == pytest.approx(12.0 / ((6 * 3 + 3 * 4) / 60))

    def test_trials_run_again_are_counted(self, file, plan):
        key = keys(plan, "small", "majority")[0]
        file.append([failed(key)])
        file.append([ok(key, 1.0)])
        assert study_status(file).again == 1
        assert "1 trial was run more than once" in status_text(study_status(file))

    def test_levels_of_factors(self, tmp_path):
        study = Study(datasets=["iris"], methods=["majority"], resampling="2-fold", factors={"label_noise": [0.2, 0]})
        plan = study.plan()
        with StudyFile(tmp_path / "b.trial", write=True) as file:
            file.register(plan)
            file.append([ok(t.key, 1.0) for t in plan.trials() if t.levels["label_noise"] == 0.2][:1])
            found = study_status(file)
        assert [(part.levels["label_noise"], part.done, part.missing) for part in found.levels] == [
            (0, 0, 2),
            (0.2, 1, 1),
        ]
        assert "label_noise" in status_text(found)

    def test_plain_data_for_scripts(self, file, plan):
        file.append([failed(keys(plan, "small", "majority")[0])])
        told = json.loads(json.dumps(study_status(file).to_dict()))
        assert told["failed"] == 1
        assert told["failures"][0]["datasets"] == {"small": 1}
        assert {p["dataset"] for p in told["pairs"]} == {"small", "large", "largest"}


class TestHolder:
    def test_this_process(self, file):
        assert f"process {os.getpid()} on " in study_status(file).holder

    def test_nobody_after_closing(self, file):
        file.close()
        assert holder(file.path) is None

    def test_nobody_after_kill_9_though_the_lock_file_stays(self, tmp_path):
        path = tmp_path / "a.trial"
        code = (
            "from fairtrial.store import StudyFile; "
            f"StudyFile({str(path)!r}, write=True); print('ready', flush=True); input()"
        )
        child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        child.stdout.readline()
        assert f"process {child.pid} on " in holder(path)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdin.close()
        child.stdout.close()
        assert path.with_name("a.trial.lock").exists()
        assert holder(path) is None

    def test_looking_is_no_obstacle_to_a_writer(self, tmp_path):
        path = tmp_path / "a.trial"
        code = (
            "from pathlib import Path; from fairtrial.store.lock import holder; print('ready', flush=True)\n"
            f"while True: holder(Path({str(path)!r}))"
        )
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as looking:
            looking.stdout.readline()
            for _ in range(300):
                Lock(path).release()
            looking.kill()


class TestStatusText:
    def test_a_row_per_pair_while_there_are_few(self, file, plan):
        text = status_text(study_status(file))
        assert "0 of 12 trials done, 0 failed, 12 missing" in text
        assert text.count("one_rule") == 3

    def test_who_runs_it(self, file):
        assert f"being run by process {os.getpid()} on " in status_text(study_status(file))
        path = file.path
        file.close()
        with StudyFile(path) as reader:
            assert "nobody is running it; last was session 1, begun " in status_text(study_status(reader))

    def test_failures_come_with_what_to_do(self, file, plan):
        file.append([failed(k) for k in keys(plan, "small", "one_rule")])
        *_, reason, remedy = status_text(study_status(file)).split("\n")
        assert reason == "failed: one_rule, 2×: ValueError: no; on small (2)"
        assert "--retry-failed" in remedy

    def test_as_a_table_for_other_formats(self, file, plan):
        file.append([ok(keys(plan, "small", "majority")[0], 1.0), failed(keys(plan, "large", "majority")[0])])
        table = status_table(study_status(file))
        assert table.caption == "1 of 12 trials done, 1 failed, 10 missing"
        assert table.to_csv().startswith("data set,method,done,failed,missing,time spent,time left")


class TestStatusBoard:
    @pytest.fixture
    def found(self, large, tmp_path):
        with StudyFile(tmp_path / "c.trial", write=True) as file:
            file.register(large)
            file.begin_session()
            now = time.time() + 1000
            file.append([ok(k, 0.1, now - 500) for k in keys(large, "data set 0", "a method called 0")])
            file.append([failed(k) for k in keys(large, "data set 0", "a method called 1")[:3]])
            file.append([ok(keys(large, "data set 1", "a method called 0")[0], 0.1, now - 5)])
            yield study_status(file, now)

    def test_marks(self, found):
        first, second, third = status_board(found).rows[:3]
        assert first[:4] == ("data set 0", "✓", "75 % 3!", "·")
        assert second[1] == "▸25 %"
        assert set(third[1:11]) == {"·"}

    def test_names_where_they_fit_else_numbers(self, found):
        wide, narrow = status_board(found).to_text(), status_board(found, 100).to_text(100)
        assert "a method called 9" in wide.split("\n")[1]
        assert narrow.split("\n")[1].split()[2:5] == ["1", "2", "3"]
        assert "methods: 1 a method called 0, 2 a method called 1" in narrow
        assert all(len(line) <= 100 for line in narrow.split("\n")[:31])

    def test_fits_a_screen(self, found):
        assert len(status_text(found, 120).split("\n")) < 45


class TestCommand:
    def status(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-m", "fairtrial", "status", *arguments], capture_output=True, text=True, timeout=60
        )

    def test_text_and_json(self, file):
        assert "12 missing" in self.status(str(file.path)).stdout
        told = json.loads(self.status(str(file.path), "--format", "json").stdout)
        assert told["missing"] == 12
        assert told["holder"].startswith(f"process {os.getpid()} on ")

    def test_watching_ends_when_all_is_done(self, file, plan):
        command = [sys.executable, "-m", "fairtrial", "status", str(file.path), "--watch"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watching:
            time.sleep(1.0)
            assert watching.poll() is None
            file.append([ok(t.key, 0.1) for t in plan.trials()])
            out, _ = watching.communicate(timeout=30)
        assert "12 of 12 trials done" in out

    def test_watching_is_for_the_terminal(self, file):
        done = self.status(str(file.path), "--watch", "--format", "json")
        assert done.returncode == 2
        assert "--watch is for the terminal" in done.stderr

    def test_needs_no_numpy(self, file):
        code = (
            "import sys; from fairtrial.store import StudyFile, status_text, study_status; "
            f"status_text(study_status(StudyFile({str(file.path)!r}))); print('numpy' in sys.modules)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout == "False\n"
