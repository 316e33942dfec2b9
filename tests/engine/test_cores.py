"""A method gets its share of the cores, and uses one thread of it unless it says that it uses more."""

import json
import os

import bad_methods
import numpy as np
import pytest

import fairtrial as ft
from fairtrial.engine import gauges, run
from fairtrial.engine.executors.processes import Pool
from fairtrial.engine.supplies import supplies_of
from fairtrial.errors import InputError

HERE = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def study(threads: bool) -> ft.Study:
    methods = {"asks": ft.Method("asks", bad_methods.AsksForThreads(), threads=threads)}
    return ft.Study(datasets=["labor"], methods=methods, resampling="2-fold")


def told(made: ft.Study, share: int) -> list[dict]:
    """What the method found in a worker with that share: threads of its libraries, and joblib's count of cores."""
    records: list = []
    pool = Pool(supplies_of(made.plan()).pickled(), 1, cores=share)
    pool.run(made.plan().trials(), records.append, lambda: None)
    assert {r.status for r in records} == {"ok"}
    return [json.loads(r.output) for r in records if r.output]


class TestShare:
    @pytest.mark.parametrize(("workers", "expected"), [(1, 8), (2, 4), (3, 2), (8, 1), (20, 1)])
    def test_is_all_cores_by_workers(self, workers, expected, monkeypatch):
        monkeypatch.setattr(gauges, "cores", lambda: 8)
        assert gauges.share(workers) == expected

    def test_what_joblib_is_told_counts_here_too(self, monkeypatch):
        monkeypatch.setenv(gauges.SHARE, "1")
        assert gauges.cores() == 1
        monkeypatch.setenv(gauges.SHARE, "1000")
        assert gauges.cores() == HERE
        monkeypatch.setenv(gauges.SHARE, "nonsense")
        assert gauges.cores() == HERE


class TestThreads:
    @pytest.mark.slow
    def test_the_share_when_asked_for_and_one_else(self):
        methods = {
            "asks": ft.Method("asks", bad_methods.AsksForThreads(), threads=True),
            "modest": bad_methods.AsksForThreads(every=2),
        }
        found = told(ft.Study(datasets=["labor"], methods=methods, resampling="4-fold"), share=2)
        for each in found:
            (fitting,), (predicting,) = set(each["threads"]), set(each["afterwards"])
            assert fitting == predicting == (min(2, HERE) if each["every"] == 1 else 1)
            assert each["joblib"] == min(2, HERE)
        assert sorted(each["every"] for each in found) == [1] * 4 + [2] * 4

    @pytest.mark.slow
    def test_a_share_of_one_is_one_thread(self):
        for found in told(study(threads=True), share=1):
            assert set(found["threads"]) == {1}
            assert found["joblib"] == 1

    def test_in_this_process(self):
        from threadpoolctl import threadpool_info

        before = [library["num_threads"] for library in threadpool_info()]
        file = run(study(threads=True), None, workers=0, progress=False)
        assert {r.status for r in file.read()} == {"ok"}
        assert [library["num_threads"] for library in threadpool_info()][: len(before)] == before

    def test_is_no_part_of_what_a_method_is(self):
        plans = [study(threads).plan() for threads in (False, True)]
        assert [t.key for t in plans[0].trials()] == [t.key for t in plans[1].trials()]
        assert plans[1].study.to_dict()["methods"][0]["threads"] is True

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="threads of method 'm' must be True or False, got 4"):
            ft.Method("m", bad_methods.Majority(), threads=4)


@pytest.mark.slow
def test_numbers_are_close_with_any_number_of_threads():
    from sklearn.linear_model import LogisticRegression

    results = []
    for threads in (False, True):
        methods = {"logistic": ft.Method("logistic", LogisticRegression(max_iter=500), threads=threads)}
        made = ft.Study(datasets=["wine"], methods=methods, resampling="2-fold")
        results.append(made.run(None, workers=0, progress=False).predicted("wine", "logistic"))
    first, second = results
    np.testing.assert_allclose(first.channels["probability"], second.channels["probability"], atol=1e-6)
