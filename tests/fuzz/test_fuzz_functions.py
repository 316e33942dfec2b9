"""The short form of the fuzzer of stats and measures, and that it can fail."""

import numpy as np
import pytest
from function_arguments import World, functions, valid
from function_oracles import alike, other_than, strange
from fuzz_functions import FUNCTIONS, _call, case

from fairtrial import measures, stats
from fairtrial.stats import Interval, Outcome
from fairtrial.stats.procedures import PROCEDURES

CASES = 500


@pytest.mark.slow
def test_no_raw_errors_no_warnings_nothing_silently_wrong():
    assert [found for seed in range(9_000, 9_000 + CASES) if (found := case(seed))] == []


def test_every_procedure_and_measure_is_called():
    assert {f"stats.{name}" for name in PROCEDURES} <= set(functions())
    assert {f"measures.{name}" for name in measures.names()} <= set(functions())


def test_a_seed_makes_the_same_call():
    first, second = (valid(stats.wilcoxon, World.of(np.random.default_rng(3))) for _ in range(2))
    assert alike(first, second)


def _with_p(value):
    return Outcome("t", "null", 1.0, value / 99, 3)


class TestItCanFail:
    def test_by_a_raw_error(self, monkeypatch):
        monkeypatch.setitem(FUNCTIONS, "stats.wilcoxon", lambda a: a / 0)
        assert _call("stats.wilcoxon", {"a": 1})[1] == "ZeroDivisionError: division by zero"

    def test_by_a_warning(self, monkeypatch):
        monkeypatch.setitem(FUNCTIONS, "stats.wilcoxon", lambda a: np.square(a))
        assert "RuntimeWarning: overflow" in _call("stats.wilcoxon", {"a": np.array([1e300])})[1]

    def test_by_a_changed_argument(self, monkeypatch):
        monkeypatch.setitem(FUNCTIONS, "stats.wilcoxon", lambda a: a.sort())
        assert _call("stats.wilcoxon", {"a": np.array([2.0, 1.0])})[1] == "changes its arguments"

    @pytest.mark.parametrize(
        ("found", "said"),
        [
            (Outcome("t", "null", 1.0, 1.5, 3), "p is 1.5"),
            (Outcome("t", "null", 1.0, np.nan, 3), "p is nan with notes ()"),
            (Interval("mean", 1.0, 2.0, 0.0), "turned around"),
            (Interval("mean", 3.0, 0.0, 2.0), "does not hold its estimate"),
            (Interval("mean", np.nan, 0.0, 2.0), "nan without a note"),
        ],
    )
    def test_by_an_answer_that_can_not_be(self, found, said):
        assert said in strange(found)

    @pytest.mark.parametrize(
        ("name", "wrong", "said"),
        [
            ("stats.paired_t", lambda a, b: _with_p(a[0] + b[0]), "order of rows"),
            ("stats.paired_t", lambda a, b: _with_p(a.max() + b.min()), "with methods swapped"),
            ("stats.friedman", lambda table: _with_p(table.max()), "depends on the unit"),
            ("measures.mae", lambda truth, predicted: -float(truth.size + predicted.size), "is not in"),
            ("measures.mae", lambda truth, predicted: float(truth.size + predicted.size), "scipy has"),
        ],
    )
    def test_by_a_contradiction(self, name, wrong, said):
        a, b = np.array([3.0, 1.0, 2.0, 9.0, 5.0]), np.array([1.0, 2.5, 4.0, 8.0, 7.0])
        arguments = {
            "stats.paired_t": {"a": a, "b": b},
            "stats.friedman": {"table": np.column_stack([a, b])},
            "measures.mae": {"truth": a, "predicted": b},
        }[name]
        found = other_than(name, arguments, wrong(**arguments), lambda c: wrong(**c), np.random.default_rng(1))
        assert said in found
