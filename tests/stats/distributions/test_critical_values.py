"""Tables of critical values: against printed tables, R, and the distributions of scipy."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from scipy import stats as scipy_stats

from fairtrial.errors import UnknownName
from fairtrial.stats import critical_difference, critical_values, friedman, sign_test, wilcoxon
from fairtrial.stats.distributions.critical_values import TESTS

GOLDEN = Path(__file__).parents[2] / "golden"
CASES = {case["id"]: case for case in json.loads((GOLDEN / "known_answers.json").read_text(encoding="utf-8"))}


def by_row(test):
    """The rows of a table by their heads: the first cell, or k and n for Friedman's."""
    heads = 2 if test == "friedman" else 1
    return {row[:heads] if heads == 2 else row[0]: row[heads:] for row in critical_values(test).rows}


class TestT:
    # Biometrika Tables for Statisticians, vol. 1 (1966), p. 146, as the lecture notes print it; one-sided levels
    PRINTED = {  # noqa: RUF012
        1: (0.325, 1.000, 3.078, 6.314, 12.706, 31.821, 63.657, 127.32, 318.31, 636.62),
        3: (0.277, 0.765, 1.638, 2.353, 3.182, 4.541, 5.841, 7.453, 10.214, 12.924),
        9: (0.261, 0.703, 1.383, 1.833, 2.262, 2.821, 3.250, 3.690, 4.297, 4.781),
        24: (0.256, 0.685, 1.318, 1.711, 2.064, 2.492, 2.797, 3.091, 3.467, 3.745),
        120: (0.254, 0.677, 1.289, 1.658, 1.980, 2.358, 2.617, 2.860, 3.160, 3.373),
        "∞": (0.253, 0.674, 1.282, 1.645, 1.960, 2.326, 2.576, 2.807, 3.090, 3.291),
    }

    @pytest.mark.parametrize("df", PRINTED)
    def test_as_printed(self, df):
        assert by_row("t")[df] == pytest.approx(self.PRINTED[df], abs=0.0011, rel=2e-5)

    def test_every_value_by_scipy(self):
        for df, values in by_row("t").items():
            law = scipy_stats.norm if df == "∞" else scipy_stats.t(df)
            for alpha, value in zip(
                (0.4, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001, 0.0005), values, strict=True
            ):
                assert value == pytest.approx(law.isf(alpha), rel=1e-9)


class TestChiSquare:
    def test_of_mcnemar(self):
        # 3.8415 and 6.6349 are the values that the notes use for McNemar's test
        found = by_row("chi_square")[1]
        assert found[2] == pytest.approx(3.8415, abs=5e-5)
        assert found[4] == pytest.approx(6.6349, abs=5e-5)

    def test_every_value_by_scipy(self):
        for df, values in by_row("chi_square").items():
            expected = [scipy_stats.chi2(df).isf(a) for a in (0.5, 0.1, 0.05, 0.025, 0.01, 0.005, 0.001)]
            assert values == pytest.approx(expected, rel=1e-9)


class TestSign:
    # Wijvekate (1962), as the notes print it: wins minus losses, at 0.10, 0.05, 0.02, 0.01 two-sided.
    # The notes have 8 for n = 8 at 0.10, where 7 wins of 8 have p = 0.070: 6 is right.
    PRINTED = {  # noqa: RUF012
        6: (6, 6, None, None),
        9: (7, 7, 9, 9),
        14: (8, 10, 10, 12),
        25: (11, 11, 13, 15),
        30: (10, 12, 14, 16),
        50: (14, 16, 18, 20),
        100: (18, 22, 26, 28),
    }

    @pytest.mark.parametrize("n", PRINTED)
    def test_differences_as_printed(self, n):
        found = by_row("sign")[n][4:]
        assert tuple(None if math.isnan(v) else v for v in found) == self.PRINTED[n]

    def test_every_number_of_wins_by_scipy(self):
        for n, values in by_row("sign").items():
            for alpha, wins in zip((0.1, 0.05, 0.02, 0.01), values[:4], strict=True):
                enough = [w for w in range(n // 2 + 1, n + 1) if 2 * scipy_stats.binom.sf(w - 1, n, 0.5) <= alpha]
                least = min(enough, default=math.nan)
                assert wins == pytest.approx(least, nan_ok=True)

    def test_the_test_agrees(self):
        scores = [1.0] * 12 + [-1.0] * 2
        assert sign_test(scores, [0.0] * 14).critical_value == by_row("sign")[14][1] == 12


class TestWilcoxon:
    def test_every_value_by_r(self):
        expected = CASES["wilcoxon_critical_values"]
        rows = by_row("wilcoxon")
        for level, place in (("alpha_0.10", 0), ("alpha_0.05", 1), ("alpha_0.01", 3)):
            for n, value in zip(expected["inputs"]["n"], expected["expected"][level], strict=True):
                assert rows[n][place] == pytest.approx(math.nan if value == -1 else value, nan_ok=True)

    def test_of_the_book(self):
        assert by_row("wilcoxon")[10][1] == 8  # Flach (2012), example 12.7: 8 for 10 data sets at 0.05

    def test_the_test_agrees(self):
        a = [float(i) for i in range(1, 13)]
        assert wilcoxon(a, [0.0] * 12).critical_value == by_row("wilcoxon")[12][1]


class TestFriedman:
    def test_every_value_by_r(self):
        case, rows = CASES["friedman_exact_critical_values"], by_row("friedman")
        for i, (n, k) in enumerate(zip(case["inputs"]["N"], case["inputs"]["k"], strict=True)):
            for place, level in enumerate(("crit_0.10", "crit_0.05", "crit_0.01")):
                value = case["expected"][level][i]
                assert rows[k, n][place] == pytest.approx(math.nan if value == "NA" else value, nan_ok=True)

    def test_many_data_sets(self):
        assert by_row("friedman")[3, "∞"] == pytest.approx((4.605, 5.991, 9.210), abs=5e-4)

    def test_the_test_agrees(self):
        table = [[1, 2, 3], [2, 1, 3], [1, 2, 3], [3, 2, 1], [1, 3, 2]]
        assert friedman(table).critical_value == pytest.approx(by_row("friedman")[3, 5][1])


class TestMeanRanks:
    # Demšar (2006), table 5, k = 2 to 10; he has 2.724 for Bonferroni-Dunn with k = 9 at 0.05, which is wrong
    NEMENYI = (1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164)
    DUNN = (1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.734, 2.773)

    @pytest.mark.parametrize(("test", "printed"), [("q", NEMENYI), ("bonferroni_dunn", DUNN)])
    def test_as_printed(self, test, printed):
        rows = by_row(test)
        assert [rows[k][1] for k in range(2, 11)] == pytest.approx(printed, abs=0.0011)

    def test_the_critical_difference_agrees(self):
        assert by_row("q")[7][1] * math.sqrt(7 * 8 / (6 * 20)) == pytest.approx(critical_difference(7, 20))
        wanted = critical_difference(7, 20, level=0.9, comparisons="control")
        assert by_row("bonferroni_dunn")[7][0] * math.sqrt(7 * 8 / (6 * 20)) == pytest.approx(wanted)


@pytest.mark.parametrize("test", TESTS)
def test_every_table_says_how_to_read_it(test):
    table = critical_values(test)
    assert table.caption.startswith("critical values")
    assert 2 <= table.explain.count(". ") + 1 <= 4
    for how in ("text", "html", "latex", "md", "csv", "json"):
        assert table.render(how)


def test_unknown_test():
    with pytest.raises(UnknownName, match=r"no table of critical values is called 'wilcoxn'; did you mean 'wilcoxon'"):
        critical_values("wilcoxn")
