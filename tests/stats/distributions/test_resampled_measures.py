import math

import numpy as np
import pytest
from example_data import CASES, LABELS, TRUTH, N

from fairtrial import measures
from fairtrial.stats import measure_interval
from fairtrial.stats.distributions.resampled_measures import (
    LabelCounts,
    Losses,
    RootMeans,
    WeightedInstances,
    model_predictions,
    resampled_measure,
)


class TestEveryWay:
    """Each way of resampling gives what the measure itself gives for the instances drawn."""

    @pytest.mark.parametrize("name", CASES)
    def test_observed(self, name):
        truth, models = CASES[name]
        way = resampled_measure(model_predictions(truth, tuple(models), name, None))
        expected = [measures.function(name)(truth, m) for m in models]
        assert way.observed() == pytest.approx(expected)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", CASES)
    def test_same_distribution_as_a_plain_loop(self, name):
        truth, models = CASES[name]
        way = resampled_measure(model_predictions(truth, tuple(models), name, None))
        found = way.replicates(np.random.default_rng(1), 3000)
        random, loop = np.random.default_rng(2), []
        for _ in range(600):
            rows = random.integers(0, N, N)
            loop.append([measures.function(name)(truth[rows], m[rows]) for m in models])
        loop = np.array(loop)
        spread = loop.std(axis=0)
        assert np.abs(found.mean(axis=0) - loop.mean(axis=0)) == pytest.approx(0, abs=5 * spread.max() / math.sqrt(600))
        assert found.std(axis=0) == pytest.approx(spread, rel=0.15)
        both = np.corrcoef(found.T)[0, 1], np.corrcoef(loop.T)[0, 1]
        assert both[0] == pytest.approx(both[1], abs=0.15)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", CASES)
    def test_without_each(self, name):
        truth, models = CASES[name]
        left_out, counts = resampled_measure(model_predictions(truth, tuple(models), name, None)).leave_one_out()
        plain = np.array(
            [[measures.function(name)(np.delete(truth, i), np.delete(m, i)) for m in models] for i in range(N)]
        )
        assert counts.sum() == N
        assert np.average(left_out, axis=0, weights=counts) == pytest.approx(plain.mean(axis=0))
        for power in (2, 3):
            mine = counts @ (left_out - plain.mean(axis=0)) ** power
            theirs = ((plain - plain.mean(axis=0)) ** power).sum(axis=0)
            assert mine == pytest.approx(theirs, rel=1e-6, abs=1e-12)

    def test_the_way_is_the_quickest(self):
        ways = {
            name: type(resampled_measure(model_predictions(t, tuple(m), name, None))).__name__
            for name, (t, m) in CASES.items()
        }
        assert ways["accuracy"] == ways["kappa"] == LabelCounts.__name__
        assert ways["brier"] == ways["mae"] == Losses.__name__
        assert ways["auc"] == "Areas"
        assert ways["rmse"] == RootMeans.__name__
        assert ways["r2"] == WeightedInstances.__name__

    def test_labels_of_any_kind(self):
        words = np.array(["no", "yes"])
        found = measure_interval(words[TRUTH], words[LABELS[0]], measure="recall", positive="no", replicates=199)
        assert found.estimate == pytest.approx(measures.recall(TRUTH, LABELS[0], positive=0))
        large = measure_interval(TRUTH * 5000, LABELS[0] * 5000, replicates=199)
        assert large == measure_interval(TRUTH, LABELS[0], replicates=199)
        assert measure_interval(TRUTH * 7, LABELS[0] * 7, replicates=199) == large


class TestRootMeans:
    @pytest.mark.parametrize("n", [30, 1500])
    def test_it_is_any_measure_in_less_time(self, n):
        random = np.random.default_rng(n)
        truth = random.normal(size=n)
        models = model_predictions(truth, (truth + 1, truth + random.normal(size=n)), "rmse", None)
        fast, plain = resampled_measure(models), WeightedInstances(models)
        assert isinstance(fast, RootMeans)
        drawn = [way.replicates(np.random.default_rng(1), 4) for way in (fast, plain)]
        assert drawn[0] == pytest.approx(drawn[1], rel=1e-12)
        for found, wanted in zip(fast.leave_one_out(), plain.leave_one_out(), strict=True):
            assert found == pytest.approx(wanted, rel=1e-12)
        assert fast.count_differing() == plain.count_differing()
