"""ROC, coverage and precision–recall figures as data; then that they draw."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

from fairtrial.errors import InputError
from fairtrial.figures import (
    coverage_data,
    coverage_figure,
    precision_recall_data,
    precision_recall_figure,
    roc_data,
    roc_figure,
)
from fairtrial.measures import RocPoint, average_roc, precision_recall_curve, roc_curve, roc_point

TRUTH, SCORES = [1, 0, 1, 0, 0], [5, 4, 3, 2, 1]
CURVE = roc_curve(TRUTH, SCORES)

rankings = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=30).filter(
    lambda rows: len({truth for truth, _ in rows}) == 2
)


def area(line):
    x, y = np.array(line).T
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)


class TestRoc:
    def test_by_hand(self):
        data = roc_data({"forest": CURVE, "rules": roc_point(TRUTH, [1, 0, 0, 1, 0])})
        forest, rules = data.curves
        third = pytest.approx(1 / 3)
        assert forest.line == ((0, 0), (0, 0.5), (third, 0.5), (third, 1), (1, 1))
        assert (forest.number, rules.number) == ("0.833", "")
        assert rules.marks == ((third, 0.5),)
        assert data.heading == "area under the curve"
        assert forest.hull == ()

    def test_hull(self):
        (forest,) = roc_data({"forest": CURVE}, hull=True).curves
        assert forest.hull == ((0, 0), (0, 0.5), (pytest.approx(1 / 3), 1), (1, 1))

    def test_points_alone_have_no_areas(self):
        data = roc_data({"rules": RocPoint(0.25, 0.5, 10, 20)})
        assert data.heading == ""
        assert data.remarks == ()

    @pytest.mark.slow
    @given(rankings)
    @settings(max_examples=50)
    def test_the_area_under_the_line_is_that_of_scikit_learn(self, rows):
        truth, scores = zip(*rows, strict=True)
        (curve,) = roc_data({"m": roc_curve(truth, scores)}).curves
        assert area(curve.line) == pytest.approx(roc_auc_score(truth, scores))

    def test_vertical_band(self):
        # at fpr 0, ½ and 1 one curve has ½, 1, 1 and the other 1, 1, 1: mean ¾, deviation 0.354, cut at 1
        folds = [roc_curve([1, 0, 1, 0], [4, 3, 2, 1]), roc_curve([1, 1, 0, 0], [4, 3, 2, 1])]
        (mean,) = roc_data({"m": average_roc(folds, points=3)}).curves
        low = 0.75 - math.sqrt(0.125)
        assert mean.line == ((0, 0), (0, 0.75), (0.5, 1), (1, 1))
        assert np.array(mean.band) == pytest.approx(
            np.array([(0, 1), (0.5, 1), (1, 1), (1, 1), (0.5, 1), (0, low)]), abs=1e-12
        )

    def test_horizontal_band(self):
        # at tpr 0, ½ and 1 one curve is at fpr 0, 0, ½ and the other at 0: mean ¼ at the top, ± 0.354
        folds = [roc_curve([1, 0, 1, 0], [4, 3, 2, 1]), roc_curve([1, 1, 0, 0], [4, 3, 2, 1])]
        (mean,) = roc_data({"m": average_roc(folds, "horizontal", points=3)}).curves
        assert mean.line == ((0, 0), (0, 0.5), (0.25, 1), (1, 1))
        right = 0.25 + math.sqrt(0.125)
        assert np.array(mean.band) == pytest.approx(
            np.array([(0, 0), (0, 0.5), (0, 1), (right, 1), (0, 0.5), (0, 0)]), abs=1e-12
        )

    def test_crosses_at_thresholds(self):
        folds = [roc_curve([1, 0, 1, 0], [4, 3, 2, 1]), roc_curve([1, 1, 0, 0], [4, 3, 2, 1])]
        data = roc_data({"m": average_roc(folds, "threshold")})
        # at threshold 3 the curves are at (½, ½) and (0, 1)
        x, y, d = 0.25, 0.75, math.sqrt(0.125)
        assert any(bar == pytest.approx((0, y, x + d, y)) for bar in data.curves[0].bars)
        assert any(bar == pytest.approx((x, y - d, x, 1)) for bar in data.curves[0].bars)
        assert data.remarks == ("threshold means of 2 curves; crosses: ± one standard deviation",)

    def test_one_fold_has_no_band(self):
        data = roc_data({"m": average_roc([CURVE])})
        assert data.curves[0].band == ()
        assert data.remarks == ("vertical means of 1 curve",)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"'rules' has tpr – at fpr 0\.500"):
            roc_data({"rules": RocPoint(0.5, math.nan, 0, 4)})
        with pytest.raises(InputError, match="RocCurve, AverageRoc or RocPoint, but 'm' is a PrecisionRecallCurve"):
            roc_data({"m": precision_recall_curve(TRUTH, SCORES)})

    @pytest.mark.parametrize("how", ["vertical", "horizontal", "threshold"])
    def test_draws(self, how):
        curves = {"one": CURVE, "mean": average_roc([CURVE, CURVE.hull()], how), "point": RocPoint(0, 1, 2, 3)}
        assert roc_figure(curves, hull=True).axes


class TestCoverage:
    def test_by_hand(self):
        data = coverage_data({"forest": CURVE, "rules": RocPoint(1 / 3, 0.5, 2, 3)})
        forest, rules = data.curves
        assert forest.line == ((0, 0), (0, 1), (1, 1), (1, 2), (3, 2))
        assert rules.marks == ((1, 1),)
        assert data.limits == ((0, 3), (0, 2))
        assert data.size == pytest.approx((3.3, 2.2))
        assert data.references[0].line == ((0, 0), (3, 2))

    def test_accuracy_is_equal_along_its_lines(self):
        # 3 negatives, 2 positives: the larger class has 0.6, so lines at 0.7, 0.8 and 0.9
        lines = coverage_data({"forest": CURVE}, accuracies=True).references[1:]
        assert [line.text for line in lines] == ["0.7", "0.8", "0.9"]
        for line in lines:
            for fp, tp in line.line:
                assert (tp + 3 - fp) / 5 == pytest.approx(float(line.text))
            assert line.line[-1][1] == 2  # on top

    @pytest.mark.parametrize(("positives", "negatives"), [(1, 999), (999, 1), (50, 50), (1, 1)])
    def test_lines_stay_in_the_box(self, positives, negatives):
        data = coverage_data({"m": RocPoint(0.1, 0.9, positives, negatives)}, accuracies=True)
        assert len(data.references) >= 3
        for reference in data.references:
            x, y = np.array(reference.line).T
            assert (x >= 0).all()
            assert (x <= negatives).all()
            assert (y >= -1e-9).all()
            assert (y <= positives + 1e-9).all()
        assert max(data.size) / min(data.size) < 3.01

    def test_says_what_was_wrong(self):
        other = roc_curve([1, 0], [1, 0])
        with pytest.raises(
            InputError, match="got 1 positive with 1 negative or 2 positive with 3 negative; see roc_figure"
        ):
            coverage_data({"a": CURVE, "b": other})

    def test_draws(self):
        assert coverage_figure({"forest": CURVE}, accuracies=True).axes


class TestPrecisionRecall:
    def test_by_hand(self):
        # top first: 1 of 1, then 1 of 2, 2 of 3; then only precision falls
        data = precision_recall_data({"forest": precision_recall_curve(TRUTH, SCORES)})
        line = data.curves[0].line
        assert line == ((0, 1), (0.5, 1), (0.5, 0.5), (0.5, pytest.approx(2 / 3)), (1, pytest.approx(2 / 3)), (1, 0.4))
        assert data.curves[0].number == "0.833"
        assert [reference.text for reference in data.references] == ["chance: 40 % positive"]

    @given(rankings)
    @settings(max_examples=50)
    def test_the_area_under_the_steps_is_that_of_scikit_learn(self, rows):
        truth, scores = zip(*rows, strict=True)
        (curve,) = precision_recall_data({"m": precision_recall_curve(truth, scores)}).curves
        assert area(curve.line) == pytest.approx(average_precision_score(truth, scores))
        x, y = np.array(curve.line).T
        assert (np.minimum(np.abs(np.diff(x)), np.abs(np.diff(y))) == 0).all()  # steps, no slopes

    def test_other_data_another_base_line(self):
        data = precision_recall_data(
            {"a": precision_recall_curve(TRUTH, SCORES), "b": precision_recall_curve([0, 1], [0, 1])}
        )
        assert [reference.line[0][1] for reference in data.references] == [0.4, 0.5]

    def test_draws(self):
        assert precision_recall_figure({"forest": precision_recall_curve(TRUTH, SCORES)}).axes
