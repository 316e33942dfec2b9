"""How far a study file is, and how that is shown."""

import json
import os
import platform
import signal
import subprocess
import sys
import time

import pytest
from sklearn.tree import DecisionTreeClassifier
from store_studies import failed, keys, ok
from study_changes import change

from fairtrial.design import Study
from fairtrial.store import StudyFile, study_status
from fairtrial.store.paths import Lock, holder

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


class TestStudyStatus:
    def test_counts_by_hand(self, sized_file, sized_plan):
        first, second = keys(sized_plan, "small", "majority")
        sized_file.append([ok(first, 2.0), failed(second)])
        found = study_status(sized_file)
        assert (found.done, found.failed, found.missing, found.total) == (1, 1, 10, 12)
        pair = next(p for p in found.pairs if (p.dataset, p.method) == ("small", "majority"))
        assert (pair.done, pair.failed, pair.missing, pair.seconds, pair.left) == (1, 1, 0, 2.0, 0.0)

    def test_time_left_from_its_own_mean_the_nearest_in_size_or_the_others(self, sized_file, sized_plan):
        sized_file.append(
            [
                ok(keys(sized_plan, "small", "majority")[0], 1.0),
                ok(keys(sized_plan, "large", "majority")[0], 10.0),
                ok(keys(sized_plan, "small", "one_rule")[0], 3.0),
            ]
        )
        left = {(p.dataset, p.method): p.left for p in study_status(sized_file).pairs}
        assert left["small", "majority"] == 1.0  # one is missing, as its twin
        assert left["largest", "majority"] == 20.0  # two, as on the data set nearest in size
        assert left["largest", "one_rule"] == 6.0  # it has run on one data set only

    def test_time_left_of_a_method_that_never_ran_is_that_of_the_others(self, sized_file, sized_plan):
        sized_file.append([ok(keys(sized_plan, "small", "majority")[0], 4.0)])
        left = {(p.dataset, p.method): p.left for p in study_status(sized_file).pairs}
        assert left["small", "one_rule"] == 8.0
        assert left["large", "one_rule"] is None
        assert study_status(sized_file).unknown == 2

    def test_nothing_has_run(self, sized_file):
        found = study_status(sized_file)
        assert found.unknown == 6
        assert found.wait is None
        assert "unknown for 6 pairs" in str(found)

    def test_reasons_are_grouped_over_data_sets_by_their_first_line(self, sized_file, sized_plan):
        bad = [*keys(sized_plan, "small", "one_rule"), keys(sized_plan, "large", "one_rule")[0]]
        sized_file.append([*(failed(k, f"ValueError: no\nline {i}") for i, k in enumerate(bad))])
        sized_file.append([failed(keys(sized_plan, "small", "majority")[0], "TimeLimit: not done after 1 s")])
        first, second = study_status(sized_file).failures
        assert (first.method, first.reason, first.datasets) == ("one_rule", "ValueError: no", {"small": 2, "large": 1})
        assert (second.reason, second.count) == ("TimeLimit: not done after 1 s", 1)

    def test_pace_in_the_last_minute_by_hand(self, sized_file, sized_plan):
        now = time.time() + 1000
        a, b = keys(sized_plan, "small", "majority")
        c, _ = keys(sized_plan, "small", "one_rule")
        # ended 30 s ago after 20 s; ended 50 s ago after 40 s, of which 10 s in the last minute; ended long ago
        sized_file.append([ok(a, 20.0, now - 50), ok(b, 40.0, now - 90), ok(c, 5.0, now - 500)])
        found = study_status(sized_file, now)
        assert found.lately == 2
        assert found.pace == pytest.approx((20 + 10) / 60)

    def test_without_trials_in_the_last_minute_the_pace_is_that_of_the_session(self, sized_file, sized_plan):
        now = time.time() + 1000
        sized_file.append([ok(keys(sized_plan, "small", "majority")[0], 50.0, now - 900)])
        assert study_status(sized_file, now).pace == pytest.approx(50 / 1000, rel=0.01)

    def test_wait_is_what_is_left_by_the_pace(self, sized_file, sized_plan):
        now = time.time() + 1000
        rest = [k for d in ("small", "large", "largest") for k in keys(sized_plan, d, "one_rule")]
        sized_file.append([ok(k, 3.0, now - 20) for k in rest])
        sized_file.append(
            [ok(keys(sized_plan, d, "majority")[0], 4.0, now - 10) for d in ("small", "large", "largest")]
        )
        found = study_status(sized_file, now)
        assert found.left == 12.0
        assert found.wait == pytest.approx(12.0 / ((6 * 3 + 3 * 4) / 60))

    def test_trials_run_again_are_counted(self, sized_file, sized_plan):
        key = keys(sized_plan, "small", "majority")[0]
        sized_file.append([failed(key)])
        sized_file.append([ok(key, 1.0)])
        assert study_status(sized_file).again == 1
        assert "1 trial was run more than once" in str(study_status(sized_file))

    def test_levels_of_factors(self, tmp_path):
        study = Study(datasets=["iris"], methods=["majority"], resampling="2-fold", factors={"label_noise": [0.2, 0]})
        sized_plan = study.plan()
        with StudyFile(tmp_path / "b.trial", write=True) as sized_file:
            sized_file.register(sized_plan)
            sized_file.append([ok(t.key, 1.0) for t in sized_plan.trials() if t.levels["label_noise"] == 0.2][:1])
            found = study_status(sized_file)
        assert [(part.levels["label_noise"], part.done, part.missing) for part in found.levels] == [
            (0, 0, 2),
            (0.2, 1, 1),
        ]
        assert "label_noise" in str(found)

    def test_levels_of_any_kind_and_none(self, tmp_path):
        study = Study(
            datasets=["iris"], methods={"tree": DecisionTreeClassifier()}, resampling="2-fold",
            factors={"max_depth": [3, None], "criterion": ["gini", "entropy"], "tree.splitter": ["best"]},
        )  # fmt: skip
        with StudyFile(tmp_path / "b.trial", write=True) as file:
            file.register(study.plan())
            found = study_status(file)
        assert [(part.levels.get("max_depth", "–"), part.levels.get("criterion")) for part in found.levels] == [
            (3, "entropy"), (3, "gini"), (None, "entropy"), (None, "gini"), ("–", None),
        ]  # fmt: skip
        assert "–" in str(found)  # of the yardstick

    def test_plain_data_for_scripts(self, sized_file, sized_plan):
        sized_file.append([failed(keys(sized_plan, "small", "majority")[0])])
        told = json.loads(json.dumps(study_status(sized_file).to_dict()))
        assert told["failed"] == 1
        assert told["failures"][0]["datasets"] == {"small": 1}
        assert {p["dataset"] for p in told["pairs"]} == {"small", "large", "largest"}


class TestHolder:
    def test_this_process(self, sized_file):
        assert f"process {os.getpid()} on " in study_status(sized_file).holder

    def test_nobody_after_closing(self, sized_file):
        sized_file.close()
        assert holder(sized_file.path) is None

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
            "from pathlib import Path; from fairtrial.store.paths import holder; print('ready', flush=True)\n"
            f"while True: holder(Path({str(path)!r}))"
        )
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as looking:
            looking.stdout.readline()
            for _ in range(300):
                Lock(path).release()
            looking.kill()


class TestCommand:
    def status(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-m", "fairtrial", "status", *arguments], capture_output=True, text=True, timeout=60
        )

    def test_text_and_json(self, sized_file):
        assert "12 missing" in self.status(str(sized_file.path)).stdout
        told = json.loads(self.status(str(sized_file.path), "--format", "json").stdout)
        assert told["missing"] == 12
        assert told["holder"].startswith(f"process {os.getpid()} on ")

    def test_watching_ends_when_all_is_done(self, sized_file, sized_plan):
        command = [sys.executable, "-m", "fairtrial", "status", str(sized_file.path), "--watch"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watching:
            time.sleep(1.0)
            assert watching.poll() is None
            sized_file.append([ok(t.key, 0.1) for t in sized_plan.trials()])
            out, _ = watching.communicate(timeout=30)
        assert "12 of 12 trials done" in out

    def test_watching_is_for_the_terminal(self, sized_file):
        done = self.status(str(sized_file.path), "--watch", "--format", "json")
        assert done.returncode == 2
        assert "--watch is for the terminal" in done.stderr

    def test_needs_no_numpy(self, sized_file):
        code = (
            "import sys; from fairtrial.store import StudyFile, study_status; "
            f"str(study_status(StudyFile({str(sized_file.path)!r}))); print('numpy' in sys.modules)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout == "False\n"


class TestPlaces:
    """Files are passed on: whose machine it was is nobody's business."""

    @pytest.fixture
    def status(self, sized_file, sized_plan):
        first, _ = keys(sized_plan, "small", "majority")
        sized_file.append([failed(first, "OSError: no route from node7 to /home/ann/data/x.csv")])
        sized_file.close()

        def read(host):
            command = "/home/ann/bin/fairtrial run /home/ann/s.toml"
            change(sized_file.path, "UPDATE session SET host = ?, command = ?", host, command)
            with StudyFile(sized_file.path) as file:
                return study_status(file)

        return read

    @pytest.mark.parametrize("how", ["text", "json", "md"])
    def test_another_machine(self, status, how):
        text = status("node7").render(how)
        assert "another machine" in text
        assert "fairtrial run s.toml" in text
        assert "/x.csv" in text
        assert "node7" not in text
        assert "ann" not in text.replace("another", "").replace("can't", "")

    def test_this_machine(self, status):
        text = str(status(platform.node()))
        assert f"on {platform.node()}: /home/ann/bin/fairtrial run /home/ann/s.toml" in text
        assert "/home/ann/data/x.csv" in text
