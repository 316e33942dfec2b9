"""Guards of scores, each on planted and on clean scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_scores import table, texts

from fairtrial.results import read_predictions, read_scores
from fairtrial.tables import Paragraph
from fairtrial.verdict.claims.difference import Better

RNG = np.random.default_rng
GOLDEN = Path(__file__).parents[2] / "golden"


def fired(columns, guard, measure="accuracy", **more):
    verdict = read_scores(table(columns), measure=measure, **more).verdict()
    return [n for n in verdict.notices if n.guard == guard and not n.is_fine]


def clean(seed, n=12, k=4):
    """Accuracies of methods that differ a little, on data sets that differ much, and are far from perfect."""
    scores = RNG(seed).uniform(0.6, 0.88, (n, 1)) + RNG([seed, 1]).normal(0, 0.02, (n, k))
    return {f"m{i}": scores[:, i] for i in range(k)}


class TestCeiling:
    def test_holtes_table(self, shared_file):
        results = read_scores(shared_file("seed_holte_accuracy.csv"), measure="accuracy")
        (found,) = (n for n in results.verdict().notices if n.guard == "ceiling")
        assert found.evidence == {"datasets": ["MU", "SE"]}
        assert "no difference can show" not in found.sentence

    @pytest.mark.slow
    def test_planted_and_clean(self):
        def planted(seed):
            columns = clean(seed)
            for values in columns.values():
                values[0] = RNG([seed, 2]).uniform(0.985, 0.999)
            return columns

        assert sum(bool(fired(planted(s), "ceiling")) for s in range(40)) >= 38
        assert sum(bool(fired(clean(s), "ceiling")) for s in range(40)) == 0


class TestDiverged:
    def errors(self, seed, worst=None):
        scores = 10 ** (RNG(seed).uniform(-2, 2, (12, 1)) + RNG([seed, 1]).normal(0, 0.15, (12, 4)))
        if worst:
            scores[3, 2] *= worst
        return {f"m{i}": scores[:, i] for i in range(4)}

    @pytest.mark.slow
    def test_planted_and_clean(self):
        found = [fired(self.errors(s, 1e6), "diverged", "rmse") for s in range(30)]
        assert all(f and "one score seems to have diverged: the rmse of m2 on d3" in f[0].sentence for f in found)
        assert not any(fired(self.errors(s), "diverged", "rmse") for s in range(30))

    def test_covid(self, shared_table):
        results = read_scores(shared_table("tser_regression_rmse_mean.csv"), measure="rmse")
        (found,) = (n for n in results.verdict(failures="drop").notices if n.guard == "diverged")
        assert "Covid3Month" in found.sentence

    def test_times_may_differ_much(self):
        assert not fired(self.errors(1, 1e6), "diverged", "fit_time")


class TestScalesApart:
    def test_errors_without_a_unit(self):
        scores = RNG(1).uniform(1, 2, (8, 2)) * np.logspace(-1, 2.9, 8)[:, None]
        columns = {"a": scores[:, 0], "b": scores[:, 1]}
        (found,) = fired(columns, "scales_apart", "my_error", higher_is_better=False)
        assert found.sentence.endswith("methods are therefore compared by ratios")
        assert found.severity == "warning"
        assert not fired(columns, "scales_apart", "rmse")  # compared by ratios

    def test_where_ratios_make_no_sense(self):
        scores = RNG(1).uniform(1, 2, (8, 2)) * np.logspace(-1, 2.9, 8)[:, None]
        columns = {"a": scores[:, 0], "b": scores[:, 1]}
        rewards = fired(columns, "scales_apart", "reward", higher_is_better=True)
        with_zero = fired({**columns, "a": np.r_[0.0, scores[1:, 0]]}, "scales_apart", "loss", higher_is_better=False)
        for (found,) in (rewards, with_zero):
            assert "so that the mean over data sets is that of the largest" in found.sentence
            assert found.severity == "grave"

    def test_ratios_are_what_is_compared(self):
        scale = np.logspace(-1, 2.9, 12)
        results = read_scores(
            table({"a": scale * np.linspace(1, 1.2, 12), "b": 1.5 * scale}), measure="loss", higher_is_better=False
        )
        (by_ratio,) = results.verdict().finding.of_kind(Better)
        ratios = np.log(1.5 / np.linspace(1, 1.2, 12))
        assert results.verdict().finding.scope.wording.ratio
        assert ratios.min() < by_ratio.lead.low < by_ratio.lead.high < ratios.max()


class TestFloor:
    @pytest.mark.parametrize("missing", [(), (0, 1, 2)])
    def test_scores_put_in_for_failures_are_not_those_of_a_method(self, missing):
        zero = np.linspace(0.4, 0.5, 12)
        good = np.where(np.arange(12) < 3, np.nan if missing else zero, zero + 0.3)
        found = replace(read_scores(table({"a": good, "zero": zero}), measure="accuracy"), baseline="zero")
        verdict = replace(found, yardsticks=("zero",)).verdict(claim=0.5)
        assert [n.evidence["datasets"] for n in verdict.notices if n.guard == "floor"] == (
            [] if missing else [["d0", "d1", "d2"]]
        )
        assert "†" not in str(verdict)  # no cell has the mark


class TestSameMethodTwice:
    def test_not_if_both_answer_as_the_yardstick(self):
        y = [0] * 95 + [1] * 5
        frame = pd.DataFrame({"y": y, "fold": [0, 1] * 50, "a": [0] * 100, "b": [0] * 100})
        verdict = read_predictions(frame, resampling="2-fold").verdict("average_recall")
        assert "a and b have everywhere the scores of majority" in [n.text for n in verdict.notices]
        assert "one method twice" not in str(verdict)

    @pytest.mark.slow
    @pytest.mark.parametrize(("failures", "given"), [("baseline", np.linspace(0.4, 0.5, 12)), ("worst", np.zeros(12))])
    def test_not_if_the_failure_policy_made_them_equal(self, failures, given):
        lacking = np.r_[given[:7], np.full(5, np.nan)]  # what is there is the baseline's, or the worst, too
        columns = clean(2) | {"a": lacking, "b": lacking, "zero": np.linspace(0.4, 0.5, 12)}
        verdict = read_scores(table(columns), measure="accuracy").verdict(failures=failures, baseline="zero")
        assert "one method twice" not in texts(verdict)
        assert "a and b have everywhere the scores of" in texts(verdict)

    @pytest.mark.slow
    def test_equal_scores(self):
        columns = clean(1)
        columns["copy"] = columns["m0"].copy()
        (found,) = fired(columns, "same_method_twice")
        assert found.text == "equal scores on all 12 data sets: m0 and copy; look whether it is one method twice"

    @pytest.mark.parametrize(
        ("first", "second", "same"),
        [
            ("forest_seed1", "forest_seed2", True),
            ("forest (seed=1)", "forest (seed=7)", True),
            ("forest", "forest random_state=3", True),
            ("ResNet18", "ResNet50", False),
            ("svm_1", "svm_2", False),
        ],
    )
    def test_seeds_in_names(self, first, second, same):
        a, b, *_ = clean(2).values()
        assert bool(fired({first: a, second: b}, "same_method_twice")) == same

    @pytest.mark.slow
    def test_clean(self):
        assert not any(fired(clean(s), "same_method_twice") for s in range(20))


class TestNoBetterThanTrivial:
    @pytest.mark.parametrize("asked", [{}, {"pairs": True}, {"estimand": "mean"}])
    def test_a_listed_baseline_that_nothing_beats(self, asked):
        columns = clean(3)
        columns["majority"] = np.maximum.reduce(list(columns.values()))
        verdict = read_scores(table(columns), measure="accuracy").verdict(**asked)
        (found,) = (n for n in verdict.notices if n.guard == "no_better_than_trivial")
        assert (found.severity, found.about, found.evidence["trivial"]) == ("grave", "majority", ["majority"])
        assert isinstance(verdict.answer_blocks()[0], Paragraph)  # it stands before the answer

    @pytest.mark.parametrize("asked", [{}, {"pairs": True}, {"estimand": "mean"}])
    def test_a_baseline_that_is_beaten(self, asked):
        verdict = read_scores(table({**clean(3), "majority": np.full(12, 0.5)}), measure="accuracy").verdict(**asked)
        assert "no_better_than_trivial" not in {n.guard for n in verdict.notices}

    @pytest.mark.slow
    @pytest.mark.parametrize("k", [4, 7])
    def test_each_method_is_tested_by_itself(self, k):
        # six data sets are too few for many methods together, but each method beats the baseline on all of them
        for seed in range(20):
            columns = {m: values[:6] for m, values in clean(seed, k=k).items()}
            columns["ZeroR"] = np.linspace(0.4, 0.5, 6)
            verdict = read_scores(table(columns), measure="accuracy").verdict()
            assert "no_better_than_trivial" not in {n.guard for n in verdict.notices}
