"""What trials cost: measured against what is known, in this process and in workers; and what is not measured."""

import os
import pickle
import sys

import bad_methods
import numpy as np
import pytest
from engine_runs import recorded
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.engine import gauges, run
from fairtrial.engine.gauges import Gauges, pickled_size
from fairtrial.errors import InputError
from fairtrial.results import read_study

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells and resets the mark")


def study(methods: dict, measures: list[str], **more: object) -> ft.Study:
    return ft.Study(datasets=["iris"], methods=methods, measures=measures, **{"resampling": "3-fold", **more})


@on_linux
class TestPeakMemory:
    @pytest.mark.slow
    @pytest.mark.parametrize("workers", [0, 1])
    def test_is_what_was_allocated_and_let_go_again(self, workers):
        methods = {"hungry": bad_methods.Hungry(), "modest": bad_methods.Majority()}
        file = run(study(methods, ["accuracy"]), None, workers=workers, progress=False)
        found = recorded(file, "peak_memory")
        np.testing.assert_allclose(found["hungry"], bad_methods.Hungry.BYTES, rtol=0.05)
        assert max(found["modest"]) < 0.05 * bad_methods.Hungry.BYTES  # the mark was set back

    @pytest.mark.slow
    def test_memory_that_was_freed_before_the_run_hides_nothing(self):
        blocks = [bytes(100_000) for _ in range(3000)]
        kept = blocks.pop()  # behind them, so that the heap can't shrink
        blocks.clear()
        file = run(study({"hungry": bad_methods.Hungry()}, ["accuracy"]), None, workers=0, progress=False)
        np.testing.assert_allclose(recorded(file, "peak_memory")["hungry"], bad_methods.Hungry.BYTES, rtol=0.05)
        assert len(kept) == 100_000

    def test_costs_next_to_nothing(self):
        import timeit

        def measured():
            with Gauges().memory():
                pass

        assert min(timeit.repeat(measured, number=200, repeat=5)) / 200 < 300e-6  # some 30 µs; machines differ


@pytest.mark.slow
class TestExactMemory:
    """Against allocations that are known: bytes that are in use at a time, of those allocated within."""

    BYTES = 50_000_000

    def peak(self, work) -> float:
        gauges = Gauges(exact=True)
        with gauges.memory():
            work()
        return gauges.readings["peak_memory"]

    def test_one_array(self):
        assert self.peak(lambda: np.ones(self.BYTES // 8)) == pytest.approx(self.BYTES, rel=1e-3)

    def test_one_after_the_other_is_one_and_two_at_a_time_are_two(self):
        half = self.BYTES // 16
        assert self.peak(lambda: [np.ones(half).sum() for _ in range(4)]) == pytest.approx(self.BYTES / 2, rel=1e-2)
        assert self.peak(lambda: [np.ones(half) for _ in range(2)]) == pytest.approx(self.BYTES, rel=1e-2)

    def test_what_was_there_before_counts_neither_way(self):
        before = [np.ones(self.BYTES // 8)]

        def work():
            before.clear()
            np.ones(self.BYTES // 80)

        assert self.peak(work) == pytest.approx(self.BYTES / 10, rel=1e-2)

    def test_threads_count_together(self):
        from concurrent.futures import ThreadPoolExecutor
        from threading import Barrier

        both = Barrier(2)

        def work(_):
            array = np.ones(self.BYTES // 16)
            both.wait()
            return array.sum()

        with ThreadPoolExecutor(2) as pool:
            assert self.peak(lambda: list(pool.map(work, range(2)))) == pytest.approx(self.BYTES, rel=1e-2)

    def test_an_error_inside_comes_out_and_the_next_can_be_traced(self):
        with pytest.raises(ZeroDivisionError):
            self.peak(lambda: 1 / 0)
        assert self.peak(lambda: np.ones(self.BYTES // 8)) == pytest.approx(self.BYTES, rel=1e-3)

    @pytest.mark.parametrize("workers", [0, 1])
    def test_of_trials_also_in_a_warm_worker(self, workers):
        """A model of some kilobytes shows 0 by the mark, since the worker has memory to reuse."""
        methods = {"hungry": bad_methods.Hungry(), "modest": bad_methods.Majority()}
        exact = study(methods, ["accuracy", "peak_memory"], memory="exact")
        found = recorded(run(exact, None, workers=workers, progress=False), "peak_memory")
        np.testing.assert_allclose(found["hungry"], bad_methods.Hungry.BYTES, rtol=1e-3)
        assert 100 < min(found["modest"]) <= max(found["modest"]) < 100_000

    def test_the_first_use_of_a_library_is_not_traced(self):
        bad_methods.LoadsMuch.loaded.clear()
        exact = study({"loads": bad_methods.LoadsMuch()}, ["accuracy"], memory="exact")
        found = recorded(run(exact, None, workers=0, progress=False), "peak_memory")
        assert max(found["loads"]) < 100_000

    def test_leaves_the_numbers_and_the_trials_as_they_are(self):
        marked, exact = (study(METHODS, ["accuracy"], memory=memory) for memory in ("mark", "exact"))
        assert [t.key for t in marked.plan().trials()] == [t.key for t in exact.plan().trials()]
        files = [run(each, None, workers=0, progress=False) for each in (marked, exact)]
        first, second = ([r.arrays for r in file.read()] for file in files)
        assert first == second

    def test_the_plan_says_that_times_suffer(self):
        assert any("fits slower" in n.text for n in study(METHODS, ["accuracy"], memory="exact").plan().notices)
        assert not any("fits slower" in n.text for n in study(METHODS, ["accuracy"]).plan().notices)

    def test_a_verdict_calls_the_mark_a_lower_bound_and_the_trace_not(self):
        for memory, said in (("mark", True), ("exact", False)):
            results = study(METHODS, ["peak_memory"], memory=memory).run(None, workers=0, progress=False)
            assert ("lower bound" in str(results.verdict("peak_memory").full)) is said

    def test_without_memray_it_says_so_at_once(self, monkeypatch):
        from fairtrial.design import study_parts as module

        monkeypatch.setattr(module, "find_spec", lambda _: None)
        with pytest.raises(
            InputError, match=r"needs memray .*pip install 'fairtrial\[memory\]', or leave memory='mark'"
        ):
            study(METHODS, ["accuracy"], memory="exact")

    def test_another_word(self):
        with pytest.raises(InputError, match="no way to measure memory is called 'exakt'; did you mean 'exact'"):
            study(METHODS, ["accuracy"], memory="exakt")


def test_memory_is_left_out_where_the_system_does_not_tell(monkeypatch):
    def refused(*_):
        raise PermissionError

    gauges._high_water_mark.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(gauges.os, "sysconf", refused)
        assert gauges._high_water_mark(os.getpid()) is None
    results = study({"bayes": GaussianNB()}, ["accuracy"]).run(None, workers=0, progress=False)
    assert results.failures.empty
    with pytest.raises(InputError, match=r"peak_memory was not recorded in this study .*; add 'peak_memory' to"):
        results.verdict("peak_memory")
    gauges._high_water_mark.cache_clear()


class Unpicklable(GaussianNB):
    def __reduce_ex__(self, protocol):
        raise TypeError("not me")


class TestPickledSize:
    @pytest.mark.parametrize(
        "value",
        [b"", {"a": [1, 2.5, "x" * 100_000]}, np.ones((300, 200)), np.asfortranarray(np.ones((30, 20))), GaussianNB()],
        ids=lambda v: type(v).__name__,
    )
    def test_is_that_of_the_pickle(self, value):
        assert pickled_size(value) == len(pickle.dumps(value, protocol=5))

    def test_an_array_that_is_there_twice_counts_once(self):
        array = np.ones(10_000)
        assert pickled_size([array, array]) == pytest.approx(pickled_size(array), abs=30)
        assert pickled_size([array, array.copy()]) == pytest.approx(2 * pickled_size(array), abs=300)

    def test_does_not_copy(self):
        import tracemalloc

        large = np.ones(2_000_000)
        tracemalloc.start()
        try:
            assert pickled_size({"a": large}) > large.nbytes
            assert tracemalloc.get_traced_memory()[1] < large.nbytes / 10
        finally:
            tracemalloc.stop()


METHODS = {
    "stump": DecisionTreeClassifier(max_depth=1, random_state=0),
    "forest": RandomForestClassifier(10, random_state=0),
}


class TestModelSize:
    @pytest.mark.slow
    @pytest.mark.parametrize("workers", [0, 1])
    def test_only_when_asked(self, tmp_path, workers):
        path = tmp_path / "a.trial"
        plain = run(study(METHODS, ["accuracy"]), path, workers=workers, progress=False)
        assert set(recorded(plain, "model_size")["forest"]) == {None}
        plain.close()
        file = run(study(METHODS, ["accuracy", "model_size"]), None, workers=workers, progress=False)
        found = recorded(file, "model_size")
        assert all(f > 5 * s for f, s in zip(found["forest"], found["stump"], strict=True))
        assert min(found["majority"]) > 0

    def test_equals_the_pickle_of_the_same_model(self):
        results = study(METHODS, ["model_size"]).run(None, workers=0, progress=False)
        data = ft.datasets("iris")[0]
        tested = results.predictions.query("method == 'stump' and fold == 1")["instance"].to_numpy()
        train = np.setdiff1d(np.arange(data.n), tested)
        model = DecisionTreeClassifier(max_depth=1, random_state=0).fit(data.X[train], data.target[train])
        found = results.scores.query("method == 'stump' and fold == 1 and measure == 'model_size'")["value"].item()
        assert found == len(pickle.dumps(model, protocol=5)) / 1e6

    def test_a_verdict_on_it(self):
        results = study(METHODS, ["accuracy", "model_size"]).run(None, workers=0, progress=False)
        verdict = results.verdict("model_size")
        assert verdict.evidence.is_resource
        forest, stump = (verdict.evidence.columns.index(m) for m in ("forest", "stump"))
        assert verdict.evidence.means[0, forest] > verdict.evidence.means[0, stump]

    @pytest.mark.slow
    def test_resuming_goes_on_recording(self, tmp_path):
        path = tmp_path / "grows.trial"
        run(study(METHODS, ["model_size"]), path, workers=1, progress=False).close()
        more = study({**METHODS, "neighbours": KNeighborsClassifier()}, ["model_size"])
        found = recorded(run(more, path, workers=1, progress=False), "model_size")
        assert None not in [size for sizes in found.values() for size in sizes]
        assert set(found) == {"stump", "forest", "neighbours", "majority"}

    def test_a_model_that_cannot_be_pickled_is_no_failure(self):
        methods = {"no": ft.Method("no", Unpicklable(), version="1"), "yes": GaussianNB()}
        results = study(methods, ["accuracy", "model_size"]).run(None, workers=0, progress=False)
        assert results.failures.empty
        assert results.warnings["no"] == 3
        sizes = results.scores.query("measure == 'model_size'").groupby("method")["value"].mean()
        assert np.isnan(sizes["no"])
        assert sizes["yes"] > 0
        with pytest.raises(InputError, match=r"model_size is undefined for no on all 3 splits .* can't be pickled"):
            results.verdict("model_size")


class TestNotRecorded:
    @pytest.mark.slow
    def test_asked_for_afterwards(self, tmp_path):
        path = tmp_path / "a.trial"
        study(METHODS, ["accuracy"]).run(path, workers=0, progress=False)
        results = read_study(path)
        with pytest.raises(
            InputError, match=r"model_size was not recorded in this study .*; add 'model_size' to the study's measures"
        ):
            results.verdict("model_size")
        assert results.verdict("fit_cpu").evidence.is_resource  # that always is
        assert results.verdict("predict_time_per_1000").evidence.is_resource

    def test_added_when_all_trials_were_done(self, tmp_path):
        path = tmp_path / "a.trial"
        study(METHODS, ["accuracy"]).run(path, workers=0, progress=False)
        results = study(METHODS, ["accuracy", "model_size"]).run(path, workers=0, progress=False)
        with pytest.raises(InputError, match=r"model_size is undefined .* the study did not ask for it"):
            results.verdict("model_size")
