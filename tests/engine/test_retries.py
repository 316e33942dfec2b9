"""Failed trials that are run again in the same run: after all others, a few times, and every failure is on file."""

from pathlib import Path

import bad_methods
import pytest

import fairtrial as ft
from fairtrial.engine import run
from fairtrial.errors import InputError
from fairtrial.store import StudyFile


def study(folder: Path, failures: int, **options: object) -> ft.Study:
    """Of a method that fails so many times on each split before it goes well."""
    methods = {"moody": bad_methods.Moody(str(folder), failures), "good": bad_methods.Majority(1)}
    return ft.Study(datasets=["labor"], methods=methods, resampling="3-fold", **options)


def attempts(file: StudyFile) -> dict[str, set[tuple[str, int]]]:
    rows = file.query("SELECT m.name, t.status, t.attempts FROM trial t JOIN method m ON m.id = t.method")
    found: dict = {}
    for method, status, times in rows:
        found.setdefault(method, set()).add((status, times))
    return found


class TestRetries:
    @pytest.mark.slow
    def test_what_fails_is_run_again(self, tmp_path):
        file = run(study(tmp_path, 2), None, workers=0, retries=3, progress=False)
        assert attempts(file) == {"moody": {("ok", 3)}, "good": {("ok", 1)}, "majority": {("ok", 1)}}

    @pytest.mark.slow
    def test_but_not_more_often_than_said(self, tmp_path):
        file = run(study(tmp_path, 5), None, workers=0, retries=2, progress=False)
        assert attempts(file)["moody"] == {("failed", 3)}
        assert {r.error.split("\n")[0] for r in file.read() if r.error} == {"ValueError: not now"}

    def test_not_at_all_by_default(self, tmp_path):
        file = run(study(tmp_path, 1), None, workers=0, progress=False)
        assert attempts(file)["moody"] == {("failed", 1)}

    @pytest.mark.slow
    def test_a_death_and_a_time_limit_are_failures_like_others(self, tmp_path):
        methods = {how: bad_methods.Moody(str(tmp_path), 1, how) for how in ("exits", "hangs")}
        both = ft.Study(datasets=["labor"], methods=methods, resampling="2-fold", time_limit=1.0)
        file = run(both, None, workers=2, retries=1, progress=False)
        assert attempts(file) == {"exits": {("ok", 2)}, "hangs": {("ok", 2)}, "majority": {("ok", 1)}}

    @pytest.mark.slow
    def test_on_a_cluster(self, tmp_path):
        import distributed

        options = {"n_workers": 1, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
        with distributed.LocalCluster(processes=False, **options) as local, distributed.Client(local) as client:
            file = run(study(tmp_path, 2), None, executor=ft.Dask(client), retries=2, progress=False)
        found = attempts(file)
        # the first failure, if others were tried before, is seen again in a clean process and counts as one attempt
        assert found.pop("moody") in ({("ok", 3)}, {("ok", 2), ("ok", 3)})
        assert found == {"good": {("ok", 1)}, "majority": {("ok", 1)}}

    @pytest.mark.slow
    def test_after_all_others(self, tmp_path):
        file = run(study(tmp_path, 1), None, workers=0, retries=1, progress=False)
        order = [row[0] for row in file.query("SELECT attempts FROM trial ORDER BY begun")]
        assert order == [1] * 6 + [2] * 3

    def test_failures_are_on_file_before(self, tmp_path):
        """Who stops the run while it tries again has them, and can go on."""
        methods = {"stops": bad_methods.Moody(str(tmp_path), 2, "stops")}
        stopped = ft.Study(datasets=["labor"], methods=methods, resampling="3-fold")
        with pytest.raises(KeyboardInterrupt):
            run(stopped, tmp_path / "a.trial", workers=0, retries=1, progress=False)
        assert attempts(StudyFile(tmp_path / "a.trial")) == {"stops": {("failed", 1)}, "majority": {("ok", 1)}}

    @pytest.mark.slow
    def test_the_numbers_are_those_of_a_run_without_failures(self, tmp_path):
        (tmp_path / "calm").mkdir()
        moody = run(study(tmp_path, 1), None, workers=0, retries=1, progress=False)
        calm = run(study(tmp_path / "calm", 0), None, workers=0, progress=False)
        assert [a.arrays for a in moody.read()] == [a.arrays for a in calm.read()]

    @pytest.mark.slow
    def test_with_earlier_failures(self, tmp_path):
        path = tmp_path / "a.trial"
        run(study(tmp_path, 2), path, workers=0, progress=False).close()
        untouched = run(study(tmp_path, 2), path, workers=0, retries=9, progress=False)
        assert attempts(untouched)["moody"] == {("failed", 1)}
        untouched.close()
        taken_up = run(study(tmp_path, 2), path, workers=0, retries=1, retry_failed=True, progress=False)
        assert attempts(taken_up)["moody"] == {("ok", 3)}

    def test_must_be_a_number(self, tmp_path):
        with pytest.raises(InputError, match=r"retries must be a whole number of at least 0 \(0: none\), got -1"):
            study(tmp_path, 1).run(None, retries=-1)
