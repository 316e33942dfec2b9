import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial import stats
from fairtrial.errors import InputError
from fairtrial.stats.factorial.factorial_anova import WORST_CASE
from fairtrial.verdict.designs.over_datasets import WORST_CASE as OF_VERDICTS

SQUARE = {"A": [-1, 1, -1, 1], "B": [-1, -1, 1, 1]}
MODEL = stats.factorial_model(SQUARE)
# R 4.2.2: expand.grid(A, B, split = 1:3, data = 1:5), the first varies fastest
Y = np.array(
    [
        [5.5, 4.2, 3.3, 7, 2.2, 4.5, 4.7, 7.3, 3.4, 7.6, 4.4, 10.1, 10.1, 11.1, 10.5, 13.3, 6.9, 10.5, 8.6, 13.8],
        [8.6, 11.5, 9.9, 11.4, -1.3, 1.4, -1, 3.8, -3.6, 0.9, -2.7, 3.9, -2.5, 1.1, -2.2, 2.6, 3, 5.5, 2.7, 8.9],
        [3.2, 5.9, 2.5, 7.3, 1.6, 6.2, 4.2, 9.2, 6.7, 12.9, 7.1, 14, 7, 13.7, 8.1, 14.5, 5, 12.3, 7.6, 13.1],
    ]
).reshape(5, 3, 4)


class TestStrataAnova:
    def test_against_r(self):
        # summary(aov(y ~ A*B + Error(D/(A*B) + D:s), d)) with factors
        found = stats.strata_anova(Y, MODEL)
        squares = {
            "data sets": (894.206666667, 4),
            "A": (264.6, 1),
            "A × data sets": (27.1066666667, 4),
            "B": (30.53066666667, 1),
            "B × data sets": (0.38266666667, 4),
            "A × B": (6.01666666667, 1),
            "A × B × data sets": (3.96666666667, 4),
            "splits within data sets": (17.1366666667, 10),
            "settings × splits": (28.9366666667, 30),
        }
        assert {s.name: (s.squares, s.df) for s in found.sources} == {
            name: (pytest.approx(value, rel=1e-9), df) for name, (value, df) in squares.items()
        }
        assert [found[name].f for name in ("A", "B", "A × B")] == pytest.approx(
            [39.04575, 319.13589, 6.06723], rel=1e-6
        )
        assert [found[name].p_value for name in ("A", "B", "A × B")] == pytest.approx(
            [0.003344, 5.7701e-05, 0.069454], rel=2e-4
        )

    def test_f_is_the_square_of_the_t_test_over_data_sets(self):
        values = MODEL.values(Y.mean(axis=1)).values
        found = stats.strata_anova(Y, MODEL)
        for j, name in enumerate(("A", "B", "A × B")):
            t = stats.one_sample_t(values[:, j], 0.0)
            assert found[name].f == pytest.approx(t.statistic**2)
            assert found[name].p_value == pytest.approx(t.p_value)

    @settings(max_examples=40, deadline=None)
    @given(st.integers(1, 4), st.integers(1, 3), st.integers(0, 2**32 - 1))
    def test_everything_adds_up(self, n, k, seed):
        random = np.random.default_rng(seed)
        design = {"A": random.choice([-1.0, 0, 1], size=6), "K": random.choice(list("abc"), size=6).tolist()}
        y = random.integers(-20, 20, size=(n, k, 6)).astype(float)
        found = stats.strata_anova(y, stats.factorial_model(design))
        assert sum(s.squares for s in found.sources) == pytest.approx(found.total.squares, abs=1e-6)
        assert sum(s.df for s in found.sources) == n * k * 6 - 1

    def test_settings_beyond_the_model_are_shown(self):
        found = stats.strata_anova(Y, stats.factorial_model(SQUARE, interactions=1))
        assert found["other settings"].squares == pytest.approx(6.01666666667)

    def test_one_score_for_each_setting(self):
        found = stats.strata_anova(Y.mean(axis=1), MODEL)
        assert [s.name for s in found.sources][-1] == "A × B × data sets"
        assert found["A"].f == pytest.approx(39.04575, rel=1e-6)

    def test_bonferroni_intervals_of_means(self):
        # R 4.2.2: qt(1 - 0.05/6, 4) = 3.960785
        values = MODEL.values(Y.mean(axis=1)).values[:, 0]
        a = stats.strata_anova(Y, MODEL).effects[0]
        assert a.high - a.estimate == pytest.approx(3.960785 * values.std(ddof=1) / math.sqrt(5), rel=1e-6)

    def test_the_worst_case_is_said(self):
        assert stats.strata_anova(Y, MODEL).notes[-1] == WORST_CASE
        assert "9 to 22 %" in WORST_CASE
        assert "9 to 22 %" in OF_VERDICTS

    def test_one_data_set(self):
        found = stats.strata_anova(Y[:1], MODEL)
        assert math.isnan(found["A"].p_value)
        assert math.isnan(found.effects[0].low)
        assert any("one data set" in note for note in found.notes)

    def test_all_equal(self):
        found = stats.strata_anova(np.full((6, 4), 0.1), MODEL)
        assert found["A"].p_value == 1
        assert math.isnan(found.explained)

    def test_the_same_effect_on_all_data_sets(self):
        found = stats.strata_anova(np.arange(3)[:, None] + np.array([0.0, 1, 0, 1]), MODEL)
        assert found["A"].f == math.inf
        assert math.isnan(found["A"].p_value)

    @pytest.mark.parametrize(
        ("scores", "says"),
        [
            (np.zeros((2, 3)), "with 4 settings, got an array of shape"),
            (np.where(np.arange(8).reshape(2, 4) == 5, np.nan, 1.0), r"1 of 8 scores are not \(data sets 1\)"),
        ],
    )
    def test_says_what_is_wrong(self, scores, says):
        with pytest.raises(InputError, match=says):
            stats.strata_anova(scores, MODEL)
