"""Every number of the documents 000 to 004 that belongs to a measure or a test; a test for each id of seeds.json."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from answering import columns

from fairtrial import measures, stats
from fairtrial.measures import ConfusionMatrix, advise_measure

GOLDEN = Path(__file__).parent


def table(name):
    return columns(GOLDEN / f"seed_{name}.csv")[1]


def labels(tp, fn, fp, tn):
    """Truth and predictions with these counts."""
    return [1] * (tp + fn) + [0] * (fp + tn), [1] * tp + [0] * fn + [1] * fp + [0] * tn


def found(names, counts):
    return [getattr(measures, name)(*labels(**counts)) for name in names]


class TestMeasures:
    def test_expected_accuracy_1(self):
        values = found(("recall", "specificity", "accuracy", "average_recall"), {"tp": 60, "fn": 20, "fp": 0, "tn": 20})
        assert values == pytest.approx([0.75, 1.0, 0.8, 0.875])

    def test_expected_accuracy_2(self):
        names = ("recall", "specificity", "accuracy", "average_recall", "precision", "f_measure")
        values = found(names, {"tp": 75, "fn": 5, "fp": 10, "tn": 10})
        assert values == pytest.approx([0.9375, 0.5, 0.85, 0.71875, 0.8823529412, 0.9090909091])

    def test_f_ignores_true_negatives(self):
        names = ("accuracy", "specificity", "precision", "recall", "f_measure", "predicted_positive_rate")
        values = found(names, {"tp": 75, "fn": 5, "fp": 10, "tn": 910})
        assert values == pytest.approx([0.985, 0.9891304348, 0.8823529412, 0.9375, 0.9090909091, 0.085])

    def test_same_accuracy_1(self):
        names = ("accuracy", "recall", "specificity")
        assert found(names, {"tp": 200, "fp": 100, "fn": 300, "tn": 400}) == pytest.approx([0.6, 0.4, 0.8])
        assert found(names, {"tp": 400, "fp": 300, "fn": 100, "tn": 200}) == pytest.approx([0.6, 0.8, 0.4])

    def test_imbalance(self):
        assert found(["accuracy"], {"tp": 0, "fp": 0, "fn": 5, "tn": 500}) == pytest.approx([0.990099], abs=1e-6)
        assert found(["accuracy"], {"tp": 4, "fp": 50, "fn": 1, "tn": 450}) == pytest.approx([0.899010], abs=1e-6)
        for counts in ((0, 5, 0, 500), (4, 1, 50, 450)):
            advised = {r.measure: r.role for r in advise_measure(labels(*counts)[0]).recommendations}
            assert advised["accuracy"] == "not"

    def test_same_precision_recall(self):
        names = ("precision", "recall", "specificity")
        counts = {"tp": 200, "fp": 100, "fn": 300}
        assert found(names, {**counts, "tn": 400}) == pytest.approx([2 / 3, 0.4, 0.8])
        assert found(names, {**counts, "tn": 0}) == pytest.approx([2 / 3, 0.4, 0.0])

    def test_plant_disease_confusion(self):
        # predictions in rows there: transposed here, since truth is in rows
        seeds = json.loads((GOLDEN / "seeds.json").read_text(encoding="utf-8"))
        printed = np.array(next(seed["matrix"] for seed in seeds if seed["id"] == "seed-plant-disease-confusion"))
        diseases = ("n-inf", "cerc", "rust", "pseu", "ram", "phom")
        matrix = ConfusionMatrix(printed.T, diseases)
        recalls = [matrix.measure("recall", positive=disease) for disease in diseases]
        assert recalls[-1] == pytest.approx(16 / 55)
        assert min(recalls[:-1]) > 0.67


class TestOneMethod:
    def test_folds_summary(self):
        folds = table("ten_folds_accuracy").T
        assert [stats.mean_interval(f).estimate for f in folds] == pytest.approx([0.69372, 0.79018, 0.76065])
        reach = np.array([stats.mean_interval(f).high - f.mean() for f in folds])
        sd = reach / 2.2621571627982 * math.sqrt(10)  # R 4.2.2: qt(0.975, 9)
        assert sd == pytest.approx([0.0448568, 0.1013592, 0.1248369], abs=1e-7)

    def test_confidence_interval(self):
        one_sigma = 0.6826894921370859
        normal = stats.proportion_interval(80, 100, method="normal", level=one_sigma)
        assert (normal.low, normal.high) == pytest.approx((0.76, 0.84))
        wide = stats.proportion_interval(80, 100, method="normal")
        assert (wide.low, wide.high) == pytest.approx((0.7216, 0.8784), abs=5e-5)
        smaller = stats.proportion_interval(40, 50, method="normal", level=one_sigma)
        assert smaller.high - 0.8 == pytest.approx(0.0565685, abs=1e-7)
        assert "use method 'exact'" in stats.proportion_interval(20, 25, method="normal").notes[0]

    def test_p_value(self):
        z = stats.proportion_z(80, 100)
        assert (z.statistic, z.p_value) == pytest.approx((6, 1.9732e-9), rel=1e-4)  # what the text prints
        one = stats.proportion_z(80, 100, alternative="greater")
        assert one.p_value == pytest.approx(9.8659e-10, rel=1e-4, abs=0)  # what its words describe


class TestTwoMethods:
    def test_paired_t(self):
        nb, dt, nn = table("ten_folds_accuracy").T
        first = stats.paired_t(nb, dt)
        assert first.details["standard_deviation"] == pytest.approx(0.1246187, abs=1e-7)
        assert first.df == 9
        for outcome, mean, t, p in (
            (first, -0.09646, -2.4477328, 0.0368937),
            (stats.paired_t(nb, nn), -0.06693, -1.436286, 0.1847551),
            (stats.paired_t(dt, nn), 0.02953, 0.730827, 0.4834755),
        ):
            assert (outcome.effect.estimate, outcome.statistic, outcome.p_value) == pytest.approx(
                (mean, t, p), abs=1e-6
            )

    def test_wilcoxon(self):
        nb, dt, _ = table("ten_folds_accuracy").T
        outcome = stats.wilcoxon(nb, dt)
        assert (outcome.details["r_plus"], outcome.details["r_minus"]) == (8, 47)
        assert (outcome.p_value, outcome.critical_value) == (0.048828125, 8)

    def test_labor_t(self):
        spread = math.sqrt(0.0321 / 2)  # ten differences of mean 0.1526 with 0.0321 as the sum of squared deviations
        d = 0.1526 + np.array([spread, -spread] + [0.0] * 8)
        outcome = stats.one_sample_t(d, 0.0)
        assert outcome.statistic == pytest.approx(8.0845, abs=0.005)
        assert outcome.p_value < 0.001

    def test_sign_test(self):
        def counts(outcome):
            return tuple(outcome.details[key] for key in ("wins", "losses", "ties"))

        nb, svm, adaboost, forest = table("ten_uci_accuracy").T
        assert counts(stats.sign_test(nb, svm)) == (4, 5, 1)
        assert stats.sign_test(nb, svm).p_value == 1.0
        outcome = stats.sign_test(adaboost, forest)
        assert counts(outcome) == (1, 8, 1)
        assert outcome.p_value == 0.0390625
        assert stats.sign_test(adaboost, forest, alternative="less").p_value == 0.01953125

    def test_mcnemar(self):
        # 7.1 against 6.6349 at 0.01: reject; 56 and 31 disagreements come near
        outcome = stats.mcnemar([[0, 56], [31, 0]], method="chi-square", level=0.99)
        assert outcome.statistic == pytest.approx(7.18, abs=0.01)
        assert outcome.critical_value == pytest.approx(6.6349, abs=1e-4)
        assert outcome.p_value < 0.01
        assert outcome.notes == ()
        assert "which needs 20" in stats.mcnemar([[0, 12], [7, 0]], method="chi-square").notes[0]
        assert stats.mcnemar([[0, 12], [7, 0]]).method == "exact"


class TestSeveralMethods:
    def test_friedman(self):
        outcome = stats.friedman(table("ten_folds_accuracy"), method="chi-square")
        assert outcome.details["average_ranks"] == pytest.approx([2.3, 1.6, 2.1])
        assert (outcome.statistic, outcome.p_value) == pytest.approx((2.6, 0.2725318), abs=1e-7)

    def test_nemenyi(self):
        root = math.sqrt(3 * 4 / 60)
        assert stats.critical_difference(3, 10) / root == pytest.approx(2.343701, abs=1e-6)
        assert stats.critical_difference(3, 10) == pytest.approx(1.048, abs=5e-4)  # the text truncates to 1.047
        assert stats.critical_difference(3, 10, comparisons="control") / root == pytest.approx(2.241403, abs=1e-6)

    def test_c45_ensembles(self):
        errors = table("c45_ensembles_error")
        outcome = stats.friedman(errors, higher_is_better=False, method="chi-square")
        details = outcome.details
        assert details["average_ranks"] == pytest.approx([3.530303, 2.1060606, 2.4393939, 1.9242424], abs=1e-6)
        assert outcome.statistic == pytest.approx(32.3961661)
        assert outcome.p_value == pytest.approx(4.318e-07, rel=1e-3, abs=0)
        assert details["without_tie_correction"] == pytest.approx(30.7272727)
        assert details["iman_davenport_without_tie_correction"] == pytest.approx(14.4021305)
        assert stats.nemenyi(errors, higher_is_better=False).details["critical_difference"] == pytest.approx(0.8164919)


class TestSlips:
    """Where a document has a slip, the right form."""

    @pytest.mark.parametrize(
        ("n", "level", "difference"),
        [(8, 0.9, 6), (56, 0.98, 20), (56, 0.99, 22), (69, 0.98, 21), (69, 0.99, 23)],
    )
    def test_004_table_of_the_sign_test(self, n, level, difference):
        # it lists the critical difference of wins and losses, and has misprints here
        wins = stats.sign_test(np.ones(n), np.zeros(n), level=level).critical_value
        assert wins - (n - wins) == difference

    def test_002_binomial_rule(self):
        # 3 errors of 10 where 1 is expected: P{X ≥ 3}, not 1 − P{X ≤ 3}
        assert stats.binomial_test(3, 10, 0.1, alternative="greater").p_value == pytest.approx(0.0701908264)

    def test_002_t_after_anova(self):
        # means 2, 4, 6, σ²_w = 1, K = 3: (2 − 4) / √(2 · 1 / 3), not (2 − 4) / √2
        found = stats.pairwise_t([[1, 2, 3], [3, 4, 5], [5, 6, 7]])
        assert found.outcomes[0].statistic == pytest.approx(-2 / math.sqrt(2 / 3))

    def test_003_critical_value_of_friedman(self):
        rng = np.random.default_rng(0)
        found = [stats.friedman(rng.normal(size=(10, 3)), method=m).critical_value for m in ("exact", "chi-square")]
        assert found == pytest.approx([6.2, 5.99], abs=0.005)  # 7.8 is chi-square with 3 degrees of freedom

    def test_001_nrmse_over_the_standard_deviation(self):
        truth = np.array([1.0, 2.0, 4.0, 9.0])
        assert measures.nrmse(truth, np.full(4, truth.mean())) == pytest.approx(1)

    def test_004_r2_from_the_residuals(self):
        assert measures.r2([1, 2, 3], [3, 2, 1]) == pytest.approx(1 - 8 / 2)


def test_every_seed_is_tested():
    ids = {seed["id"] for seed in json.loads((GOLDEN / "seeds.json").read_text(encoding="utf-8"))}
    classes = (TestMeasures, TestOneMethod, TestTwoMethods, TestSeveralMethods)
    tests = {name for c in classes for name in vars(c) if name.startswith("test_")}
    assert tests == {f"test_{i.removeprefix('seed-').replace('-', '_')}" for i in ids}
