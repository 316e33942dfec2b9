import math

import numpy as np
import pytest

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import anova, details_table, hotelling, manova

A = [[0.82, 0.40], [0.80, 0.45], [0.86, 0.38], [0.84, 0.44]]
B = [[0.80, 0.50], [0.79, 0.47], [0.81, 0.52], [0.80, 0.55]]
C = [[0.71, 0.61], [0.73, 0.56], [0.76, 0.60], [0.70, 0.66], [0.72, 0.63]]


class TestManova:
    @pytest.mark.parametrize(
        ("criterion", "value", "f", "df", "p"),
        [  # R 4.2.2: summary(manova(Y ~ g), test = ...)
            ("pillai", 1.10030357071863039, 6.11486016231883411, (4, 20), 0.00220635185103933),
            ("wilks", 7.87253437533722e-02, 1.15381854507041e01, (4, 18), 8.05589444550572e-05),
            ("hotelling-lawley", 9.42829470646587, 1.88565894129317e01, (4, 16), 6.68652035263065e-06),
            ("roy", 9.18058779488726, 4.59029389744363e01, (2, 10), 9.14398978950133e-06),
        ],
    )
    def test_against_r(self, criterion, value, f, df, p):
        found = manova([A, B, C], criterion=criterion)
        assert (found.statistic, found.details["f"], found.p_value) == pytest.approx((value, f, p), rel=1e-9)
        assert found.df == pytest.approx(df)

    def test_follow_ups_against_r(self):
        # R 4.2.2: summary.aov(manova(Y ~ g))
        found = manova({"A": A, "B": B, "C": C}, measures=["accuracy", "log loss"], adjust="bonferroni")
        rows = found.details["follow_ups"]
        assert [row["F"] for row in rows] == pytest.approx([31.5740740740741, 34.8569756035819], rel=1e-9)
        assert [row["p"] for row in rows] == pytest.approx([4.77510934566393e-05, 3.10690745805679e-05], rel=1e-9)
        assert rows[0]["p (Bonferroni)"] == pytest.approx(2 * 4.77510934566393e-05)
        assert "log loss" in str(details_table(found, "follow_ups"))
        assert "Wilks" in str(details_table(found))

    def test_iris_against_r(self, several_rows):
        # R 4.2.2: summary(manova(cbind(...) ~ Species, iris)): Pillai 1.19189882504148, F 53.4664887846142
        groups = {}
        for row in several_rows("iris"):
            groups.setdefault(row["Species"], []).append([float(v) for v in list(row.values())[:4]])
        found = manova(groups)
        assert (found.statistic, found.details["f"]) == pytest.approx((1.19189882504148, 53.4664887846142), rel=1e-9)
        assert found.p_value == pytest.approx(9.74216271942101e-53, rel=1e-8)
        wilks = manova(groups, criterion="wilks")
        assert wilks.p_value == pytest.approx(1.36500583258927e-112, rel=1e-8)

    def test_mckeon_by_hand(self):
        # p = q = 2, df = 10: n = 3.5, b = 9 · 9 / (2 · 8 · 2.5) = 2.025, df2 = 4 + 6 / 1.025, c = (df2 - 2) / 7
        found = manova([A, B, C], criterion="mckeon")
        df2 = 4 + 6 / 1.025
        assert found.df == pytest.approx((4, df2))
        assert found.details["f"] == pytest.approx(df2 / 4 * 9.42829470646587 / ((df2 - 2) / 7))

    def test_one_measure_is_anova_and_two_groups_are_hotellings(self):
        one = [[row[:1] for row in group] for group in (A, B, C)]
        for criterion in ("pillai", "wilks", "hotelling-lawley", "roy"):
            flat = [np.ravel(group) for group in one]
            assert manova(one, criterion=criterion).p_value == pytest.approx(anova(flat).p_value)
            two = manova([A, C], criterion=criterion)
            assert two.p_value == pytest.approx(hotelling(A, C, paired=False).p_value)

    def test_shared_folds(self):
        # K = 4 each, q = 1/3: H is divided by 1 + 4/3
        groups = [A, B, C[:4]]
        plain, corrected = manova(groups, criterion="roy"), manova(groups, criterion="roy", test_share=0.25)
        assert corrected.statistic == pytest.approx(plain.statistic / (1 + 4 / 3))
        assert "not independent" in plain.notes[0]

    def test_blocks_of_two_methods_are_a_paired_t2(self):
        assert manova([A, B], blocks=True).p_value == pytest.approx(hotelling(A, B).p_value)

    def test_roy_says_that_it_is_a_bound(self):
        assert "p is only a lower bound" in manova([A, B, C], criterion="roy").notes[-1]

    def test_undefined(self):
        follows = [np.column_stack([g, np.sum(g, axis=1)]) for g in (A, B, C)]
        found = manova(follows)
        assert math.isnan(found.p_value)
        assert "is a linear combination of the others" in found.notes[-1]
        assert manova([[[1, 2], [1, 2]]] * 3).p_value == 1.0

    def test_says_what_was_wrong(self):
        with pytest.raises(UnknownName, match="pillai"):
            manova([A, B], criterion="pilai")
        with pytest.raises(InputError, match=r"same measures \(columns\), got 1 and 2 columns"):
            manova([A, [[1], [2]]])
        # ten folds, three groups, two measures: read as ten groups it gave p = 2e-16
        with pytest.raises(InputError, match=r"shape \(10, 3, 2\); pass list\(np.moveaxis\(array, axis, 0"):
            manova(np.random.default_rng(1).normal(size=(10, 3, 2)))
        with pytest.raises(InputError, match="measures must be 2 different names"):
            manova([A, B], measures=["x"])

    def test_follow_up_of_a_measure_without_spread(self):
        # found in review: float noise of 0.1 + 0.2 in place of 0.3 had a follow-up F of its own
        rng = np.random.default_rng(1)
        a, b = rng.normal(size=(5, 1)), rng.normal(size=(5, 1))
        level = np.array([[0.3], [0.1 + 0.2], [0.3], [0.3], [0.3]])
        rows = manova([np.hstack([a, level]), np.hstack([b, level])]).details["follow_ups"]
        assert math.isnan(rows[1]["F"])
        assert rows[1]["p"] == 1.0
        rows = manova([np.hstack([a, level]), np.hstack([b, level + 1])]).details["follow_ups"]
        assert rows[1]["F"] == math.inf
        assert math.isnan(rows[1]["p"])
