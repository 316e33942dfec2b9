import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import anova, corrected_t, details_table, paired_t, repeated_anova
from fairtrial.stats.several_methods.anova import sphericity

scores = st.floats(-1, 1).map(lambda v: round(v, 3))
samples = st.lists(st.lists(scores, min_size=2, max_size=6), min_size=2, max_size=4)
tables = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.lists(scores, min_size=k, max_size=k), min_size=3, max_size=8).map(np.array)
)


class TestAnova:
    def test_by_hand(self):
        # means 2 and 7, grand mean 4.5: SSb = 3 (2.5² + 2.5²) = 37.5, SSw = 2 + 14 = 16: F = 37.5 / (16 / 4)
        found = anova([[1, 2, 3], [5, 6, 10]])
        assert found.statistic == pytest.approx(37.5 / 4)
        assert found.df == (1, 4)
        assert found.effect.estimate == pytest.approx(37.5 / 53.5)
        assert [row["sum of squares"] for row in found.details["table"]] == pytest.approx([37.5, 16, 53.5])

    def test_bounds_against_r(self, golden):
        found = anova(golden["anova_plantgrowth"]["inputs"]["groups"])
        assert found.details["table"][2]["df"] == 29
        # R 4.2.2: uniroot over pf(F, 2, 27, ncp) at 0.95 and 0.05, ncp / (ncp + 30)
        assert (found.effect.low, found.effect.high) == pytest.approx((0.031888248130582, 0.428798990149255), rel=1e-8)
        assert found.effect.level == pytest.approx(0.9)

    def test_shared_folds_divide_f(self):
        # K = 3, q = 1: F / (1 + 3)
        groups = [[1, 2, 3], [5, 6, 10]]
        assert anova(groups, test_share=0.5).statistic == pytest.approx(anova(groups).statistic / 4)
        assert "give test_share" in anova(groups).notes[0]
        assert "repeated_anova" in anova(groups, test_share=0.5).notes[0]

    def test_unequal_groups_with_test_share_by_hand(self):
        # factors 1/2 + 1 and 1/4 + 1, weights 2/3 and 4/5; means 0 and 3; variance (2 + 4) / 4
        found = anova([[-1, 1], [2, 2, 4, 4]], test_share=0.5)
        centre = 3 * 0.8 / (2 / 3 + 0.8)
        assert found.statistic == pytest.approx((2 / 3 * centre**2 + 0.8 * (3 - centre) ** 2) / 1.5)

    @given(samples, st.sampled_from([0.9, 0.95]))
    def test_the_interval_agrees_with_p(self, groups, level):
        found = anova(groups, level=level)
        if found.p_value == found.p_value and math.isfinite(found.effect.low) and abs(found.p_value - 1 + level) > 1e-6:
            assert (found.effect.low > 0) == (found.p_value < 1 - level)

    @given(samples, st.floats(0.1, 10), st.floats(-5, 5))
    def test_shifting_and_rescaling_change_nothing(self, groups, scale, shift):
        there, back = anova(groups), anova([[scale * x + shift for x in g] for g in groups[::-1]])
        assert there.p_value == pytest.approx(back.p_value, rel=1e-6, nan_ok=True)

    @given(samples)
    def test_doubling_the_data_multiplies_f(self, groups):
        # both sums of squares double, the degrees of freedom within go from N - k to 2N - k
        once, twice = anova(groups), anova([g + g for g in groups])
        ratio = twice.df[1] / once.df[1]
        assert twice.statistic == pytest.approx(ratio * once.statistic, rel=1e-6, nan_ok=True)
        assert twice.effect.estimate == pytest.approx(once.effect.estimate, rel=1e-6, nan_ok=True)

    def test_no_spread(self):
        same = anova([[0.3, 0.3], [0.1 + 0.2, 0.3, 0.3]])  # but not to the last bit
        assert same.p_value == 1.0
        assert math.isnan(same.statistic)
        assert "all scores are equal" in same.notes
        apart = anova([[0.3, 0.3], [0.4, 0.4]])
        assert apart.statistic == math.inf
        assert math.isnan(apart.p_value)
        assert "their variance is zero" in apart.notes[-1]

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"shape \(3, 2\); pass list\(array.T\)"):
            anova(np.zeros((3, 2)))
        with pytest.raises(InputError, match=r"are not \(1 in 'A' and 1 in 'B'\)"):
            anova({"A": [1, math.nan], "B": [math.inf, 2]})
        with pytest.raises(InputError, match="at least two samples, one for each method, got 1"):
            anova([[1, 2]])
        with pytest.raises(InputError, match="2 scores in 2 groups"):
            anova([[1], [2]])
        with pytest.raises(InputError, match="names must be 2 different names"):
            anova([[1, 2], [2, 3]], names=["A"])
        with pytest.raises(InputError, match=r"level must lie strictly between 0.5 and 1.*got 0.4"):
            anova([[1, 2], [2, 3]], level=0.4)
        with pytest.raises(InputError, match=r"between 1e-140 and 1e140.*got 4e\+200"):
            anova([[1e200, 2e200], [3e200, 4e200]])
        with pytest.raises(InputError, match="group '1' must be a list of numbers"):
            anova([[1, 2], [[2, 3]]])

    def test_a_data_frame_has_a_group_in_each_column(self):
        frame = pd.DataFrame({"A": [1, 2, 3], "B": [5, 6, 10]})
        assert anova(frame).statistic == anova([[1, 2, 3], [5, 6, 10]]).statistic
        assert anova(frame).details["names"] == ["A", "B"]

    def test_tables_print(self):
        assert "within groups" in str(details_table(anova([[1, 2, 3], [5, 6, 10]])))
        with pytest.raises(InputError, match=r"which has 'table', got 'means'"):
            details_table(anova([[1, 2, 3], [5, 6, 10]]), "means")


class TestRepeatedAnova:
    def test_by_hand(self):
        # rows 1 2, 3 6, 5 7: d = 1, 3, 2: t = 2 / sqrt(1/3), F = t²
        found = repeated_anova([[1, 2], [3, 6], [5, 7]])
        assert found.statistic == pytest.approx(12)
        assert found.df == (1, 2)

    @pytest.mark.parametrize("name", ["rm_anova_winer", "rm_anova_gh2008"])
    def test_mauchly_against_r(self, golden, shared_case, name):
        case = golden.get(name) or shared_case(name)
        x, expected = np.array(case["inputs"]["matrix"]), case["expected"]
        details = repeated_anova(x).details
        assert mauchly_with_rs_slip(details["mauchly_w"], x.shape[1], len(x) - 1, x.shape[1]) == pytest.approx(
            expected["mauchly_p"], rel=1e-7
        )
        assert details["mauchly_p"] == pytest.approx(expected["mauchly_p"], rel=0.1)

    def test_mixed_design_against_car(self, golden, several_rows):
        # O'Brien and Kaiser: 16 subjects in 6 cells, so 10 degrees of freedom; hours within phases
        rows, expected = several_rows("obrien_kaiser"), golden["obrien_kaiser_epsilon"]["expected"]
        x = np.array([[float(v) for v in list(row.values())[2:]] for row in rows])
        cells = [f"{row['treatment']} {row['gender']}" for row in rows]
        residuals = x - np.array([x[[c == cell for c in cells]].mean(axis=0) for cell in cells])
        covariance = residuals.T @ residuals / 10
        hours, phases = np.tile(np.eye(5), (1, 3)), np.repeat(np.eye(3), 5, axis=1)
        for term, average in (("ph", phases), ("hr", hours)):
            found, at = sphericity(average @ covariance @ average.T, 10), expected["terms"].index(term)
            assert found.greenhouse_geisser == pytest.approx(expected["GG_eps"][at], rel=1e-8)
            assert found.huynh_feldt == pytest.approx(expected["HF_eps"][at], rel=1e-8)
            assert found.mauchly_w == pytest.approx(expected["mauchly_W"][at], rel=1e-8)
            k = len(average)
            assert mauchly_with_rs_slip(found.mauchly_w, k, 10, 15) == pytest.approx(
                expected["mauchly_p"][at], rel=1e-7
            )
        assert sphericity(phases @ covariance @ phases.T, 10).mauchly_p == pytest.approx(expected["mauchly_p"][0])

    def test_ten_folds(self, seed_table):
        # 002 with the folds of 003; R 4.2.2: oneway.test is wrong here, summary(aov(x ~ m + Error(f/m)))
        found = repeated_anova(seed_table("ten_folds_accuracy"), correction="none")
        assert found.df == (2, 18)
        assert found.statistic == pytest.approx(R_TEN_FOLDS[0], rel=1e-6)
        assert found.p_value == pytest.approx(R_TEN_FOLDS[1], rel=1e-6)
        one_way = anova(list(seed_table("ten_folds_accuracy").T))
        assert (one_way.statistic, one_way.p_value) == pytest.approx(R_TEN_FOLDS[2:], rel=1e-6)

    @pytest.mark.slow
    @given(tables, st.sampled_from([None, 0.1, 0.5]))
    def test_two_methods_are_a_t_test(self, table, share):
        ab = table[:, :2]
        found = repeated_anova(ab, test_share=share)
        t = paired_t(*ab.T) if share is None else corrected_t(*ab.T, test_share=share)
        assert found.p_value == pytest.approx(t.p_value, rel=1e-6, nan_ok=True)

    @settings(max_examples=30)
    @given(tables, st.permutations(range(4)), st.floats(0.5, 3))
    def test_order_scale_and_what_rows_have_in_common_change_nothing(self, table, order, scale):
        columns = [j for j in order if j < table.shape[1]]
        other = scale * table[::-1][:, columns] + np.arange(len(table))[:, None]
        there, back = repeated_anova(table), repeated_anova(other)
        assert there.p_value == pytest.approx(back.p_value, rel=1e-5, nan_ok=True)

    def test_corrections_are_ordered(self):
        rng = np.random.default_rng(3)
        x = rng.normal([0, 0, 4, 6], [1, 1, 3, 5], size=(12, 4))
        p = [
            repeated_anova(x, correction=c).p_value
            for c in ("none", "huynh-feldt", "greenhouse-geisser", "lower-bound")
        ]
        assert p == sorted(p)

    def test_no_spread_and_too_few_rows(self):
        assert repeated_anova([[1, 1, 1], [2, 2, 2]]).p_value == 1.0
        apart = repeated_anova([[1, 2, 3], [2, 3, 4]])
        assert apart.statistic == math.inf
        assert math.isnan(apart.p_value)
        few = repeated_anova([[1, 2, 4], [2, 3, 3]], correction="huynh-feldt")
        assert math.isnan(few.p_value)
        assert "too few rows" in few.notes[-1]
        with pytest.raises(UnknownName, match="greenhouse-geisser"):
            repeated_anova([[1, 2, 4], [2, 3, 3]], correction="greenhouse-geiser")


# R 4.2.2: long format, summary(aov(x ~ m + Error(f/m))) and summary(aov(x ~ m))
R_TEN_FOLDS = (2.7358164399895, 0.0917408610989, 2.6293771725852, 0.0905041108982)


def mauchly_with_rs_slip(w, k, df, conditions):
    """R 4.2.2 and car 3.1.1 write 3 · (number of conditions) where the formula has 3 · (number of contrasts)."""
    from scipy.stats import chi2

    p = k - 1
    rho = 1 - (2 * p * p + p + 2) / (6 * df * p)
    second = (p + 2) * (p - 1) * (p - 2) * (2 * p**3 + 6 * p * p + 3 * conditions + 2) / (288 * (df * p * rho) ** 2)
    x, f = -df * rho * math.log(w), p * (p + 1) / 2 - 1
    return chi2.sf(x, f) + second * (chi2.sf(x, f + 4) - chi2.sf(x, f))


def study_of_equal_rules(rng):
    """Ten times 10-fold: three rules of equal worth, each the nearest of two centroids on a feature of its own."""
    y = np.repeat([0, 1], 50)
    x = rng.normal(size=(100, 3)) + 0.6 * y[:, None]
    scores = []
    for test in np.concatenate([rng.permutation(100).reshape(10, 10) for _ in range(10)]):
        train = np.ones(100, dtype=bool)
        train[test] = False
        low, high = (x[train & (y == c)].mean(axis=0) for c in (0, 1))
        predicted = (x[test] > (low + high) / 2) == (high > low)
        scores.append((predicted == y[test][:, None]).mean(axis=0))
    return np.array(scores)


class TestOnFolds:
    @pytest.mark.slow
    def test_equal_methods_are_called_different_only_without_test_share(self):
        """Over repeated cross-validation the uncorrected tests reject a true null hypothesis in 75 % of studies."""
        rng = np.random.default_rng(0)
        studies = [study_of_equal_rules(rng) for _ in range(60)]
        for test in (repeated_anova, lambda table, **keywords: anova(list(table.T), **keywords)):
            plain, corrected = (
                np.mean([test(table, test_share=share).p_value < 0.05 for table in studies]) for share in (None, 0.1)
            )
            assert plain > 0.5
            assert corrected <= 0.1


class TestFarApart:
    def test_means_far_beyond_their_spread(self):
        # found in review: scipy's noncentral F gives nan there, and the solver stopped with its error
        found = anova([[0.0, 1e-6, 2e-6], [1e4, 1e4 + 1e-6, 1e4]])
        assert found.statistic > 1e19
        assert found.effect.low == pytest.approx(1.0)
        assert found.effect.low <= found.effect.estimate <= found.effect.high
