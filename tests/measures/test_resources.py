"""What trials cost: means of what they recorded, and all measures for all trials at once."""

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial import measures
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Records, compute, from_records, measure
from fairtrial.store import RESOURCES

EVERY = [m.name for m in measures.all_measures() if m.from_trials]
PER_1000 = {"fit_time_per_1000": ("fit_time", "n_train"), "predict_time_per_1000": ("predict_time", "n_test")}
MEGABYTES = ("peak_memory", "model_size")

amounts = st.floats(0, 1e9)
trials = st.lists(st.tuples(amounts, st.integers(1, 10**6)), min_size=1, max_size=20)


class TestByHand:
    @pytest.mark.parametrize("name", ["fit_time", "fit_cpu", "predict_time", "predict_cpu"])
    def test_seconds(self, name):
        assert getattr(measures, name)([1, 2, 6]) == 3.0
        assert getattr(measures, name)([0.5]) == 0.5

    @pytest.mark.parametrize("name", PER_1000)
    def test_per_1000_is_a_mean_of_ratios_not_a_ratio_of_sums(self, name):
        # 1000 · 0.2 / 50 = 4 and 1000 · 0.6 / 400 = 1.5; 1000 · 0.8 / 450 would be 1.78
        assert getattr(measures, name)([0.2, 0.6], instances=[50, 400]) == pytest.approx(2.75)

    @pytest.mark.parametrize("name", MEGABYTES)
    def test_bytes_become_megabytes_of_a_million(self, name):
        assert getattr(measures, name)([1_500_000, 0, 3_000_000]) == 1.5

    def test_each_reads_its_own_column(self):
        records = {name: [i + 1.0] for i, name in enumerate(RESOURCES)} | {"n_train": [500], "n_test": [10]}
        found = from_records(EVERY, records)
        assert {name: values.item() for name, values in found.items()} == {
            "fit_time": 1.0, "fit_cpu": 2.0, "predict_time": 3.0, "predict_cpu": 4.0, "peak_memory": 5e-6,
            "model_size": 6e-6, "fit_time_per_1000": 2.0, "predict_time_per_1000": 300.0,
        }  # fmt: skip


class TestAgainstStatistics:
    @given(trials)
    def test_means(self, trials):
        recorded, sizes = zip(*trials, strict=True)
        for name in EVERY:
            scale = 1e-6 if name in MEGABYTES else 1.0
            expected = statistics.fmean(scale * a * (1000 / n if name in PER_1000 else 1) for a, n in trials)
            assert getattr(measures, name)(recorded, instances=sizes) == pytest.approx(expected, rel=1e-12)


class TestFromRecords:
    @given(trials, st.randoms(use_true_random=False))
    def test_trials_do_not_depend_on_each_other(self, trials, random):
        shuffled = random.sample(trials, len(trials))
        order = [trials.index(t) for t in shuffled]

        def found(rows):
            recorded, sizes = zip(*rows, strict=True)
            return from_records(EVERY, dict.fromkeys(RESOURCES, recorded) | {"n_train": sizes, "n_test": sizes})

        straight, mixed = found(trials), found(shuffled)
        for name in EVERY:
            np.testing.assert_array_equal(straight[name][order], mixed[name])

    def test_what_was_not_recorded_is_nan(self):
        found = from_records(EVERY, {"fit_time": [1.0, None, np.nan]})
        np.testing.assert_array_equal(found["fit_time"], [1, np.nan, np.nan])
        for name in set(EVERY) - {"fit_time"}:
            assert np.isnan(found[name]).all()
            assert found[name].shape == (3,)

    def test_no_measure_is_no_work(self):
        assert from_records([], {}) == {}

    def test_no_instances_is_undefined(self):
        found = from_records(["predict_time_per_1000"], {"predict_time": [1.0, 1.0], "n_test": [0, 4]})
        np.testing.assert_array_equal(found["predict_time_per_1000"], [np.nan, 250])

    def test_a_measure_of_ones_own(self):
        @measure("Idle share", of=Records, worst=1.0, best=0.0)
        def idle(r):
            return 1 - measures.ratio(r.column("fit_cpu"), r.column("fit_time"))

        try:
            found = from_records(["idle"], {"fit_time": [2.0, 0.0], "fit_cpu": [0.5, 0.0]})
            np.testing.assert_array_equal(found["idle"], [0.75, np.nan])
        finally:
            measures.forget("idle")

    def test_each_column_that_is_read_is_one_of_the_study_file(self):
        assert set(EVERY) - set(PER_1000) <= set(RESOURCES)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: measures.fit_cpu([]), r"recorded must be a sequence with at least one instance"),
        (lambda: measures.model_size([1, -1]), r"recorded must not be negative, but row 1 is"),
        (lambda: measures.peak_memory([1, np.nan]), r"recorded must be finite, but row 1 is not"),
        (lambda: measures.fit_time_per_1000([1, 2]), r"instances must be the number .* each trial, got None"),
        (lambda: measures.fit_time_per_1000([1, 2], instances=[3]), r"recorded and instances must be of one length"),
        (lambda: measures.fit_time_per_1000([1], instances=[0]), r"instances must be at least 1, but row 0 is less"),
        (lambda: from_records(["accuracy"], {"fit_time": [1]}), r"accuracy is computed from predictions"),
        (
            lambda: from_records(["fit_time"], {"fit_time": [1], "n_test": [1, 2]}),
            r"must be of one length, got 1 and 2",
        ),
        (
            lambda: compute(["model_size"], truth=[0], channels={"label": [0]}, classes=2),
            r"is recorded with each trial",
        ),
    ],
)
def test_says_what_was_wrong(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_a_column_that_does_not_exist():
    with pytest.raises(UnknownName, match="no column of the record is called 'fit_tme'; did you mean 'fit_time'"):
        Records.of({"fit_time": [1.0]}).column("fit_tme")
