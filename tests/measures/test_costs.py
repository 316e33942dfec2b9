"""Cost curves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.measures import RocPoint, choose_threshold, cost_curve, probability_cost, roc_curve

# ROCR 1.0.11 [R 4.2.2]: performance(prediction(SCORES, TRUTH), "ecost")
TRUTH = [1, 0, 1, 1, 0, 1, 0, 0, 1, 0]
SCORES = [0.9, 0.8, 0.8, 0.6, 0.55, 0.5, 0.4, 0.3, 0.2, 0.1]

rows = st.lists(st.tuples(st.integers(0, 1), st.integers(-3, 3)), min_size=2, max_size=25).filter(
    lambda rows: len({y for y, _ in rows}) == 2
)
shares, costs = st.floats(0.01, 0.99), st.floats(0.01, 100)


def read(rows):
    return roc_curve(*zip(*rows, strict=True))


class TestCostCurve:
    def test_by_hand(self):
        # + − + − −: hull (0, 0), (0, 1/2), (1/3, 1), (1, 1); the two in the middle cost the same at (1/3) / (1/3 + 1/2)
        found = cost_curve(roc_curve([1, 0, 1, 0, 0], [5, 4, 3, 2, 1]))
        np.testing.assert_allclose(found.corners, [0, 0.4, 1])
        np.testing.assert_allclose(found.envelope, [0, 0, 0.2, 0, 0], atol=1e-15)
        assert found.area == pytest.approx(0.1)
        np.testing.assert_array_equal(found.threshold_at([0.2, 0.4, 0.5]), [5, 5, 3])

    def test_value_from_r(self):
        found = cost_curve(roc_curve(TRUTH, SCORES))
        pc = [0, 0.3333333333333333, 0.5, 0.6666666666666667, 1]
        np.testing.assert_allclose(found.cost_at(pc), [0, 0.2666667, 0.3, 0.2666667, 0], atol=1e-7)
        np.testing.assert_allclose(found.corners[1:4], pc[1:4])

    def test_a_point(self):
        # fnr 0.3, fpr 0.2: better than none positive from 0.2 / 0.9, than all positive up to 0.8 / 1.1
        found = cost_curve(RocPoint(0.2, 0.7, 10, 30))
        assert found.useful == pytest.approx((0.2 / 0.9, 0.8 / 1.1))
        assert found.cost_at(0.5) == pytest.approx(0.25)
        assert found.cost_at(0.1) == pytest.approx(0.1)
        assert found.cost_at(0.9) == pytest.approx(0.1)

    @given(rows)
    def test_the_envelope_is_the_lowest_line(self, rows):
        found, pc = cost_curve(read(rows)), np.linspace(0, 1, 23)
        np.testing.assert_allclose(found.cost_at(pc), found.lines(pc).min(axis=0), atol=1e-12)
        np.testing.assert_allclose(np.interp(pc, found.pc, found.envelope), found.cost_at(pc), atol=1e-12)
        assert (found.cost_at(pc) <= np.minimum(pc, 1 - pc) + 1e-12).all()

    @given(rows)
    def test_its_area_by_adding_up(self, rows):
        found, pc = cost_curve(read(rows)), (np.arange(20_000) + 0.5) / 20_000
        assert found.area == pytest.approx(found.lines(pc).min(axis=0).mean(), abs=1e-6)

    @given(rows, shares, costs, costs)
    def test_agrees_with_the_chosen_threshold(self, rows, share, cost_fp, cost_fn):
        curve = read(rows)
        chosen = choose_threshold(curve, by="cost", share=share, cost_fp=cost_fp, cost_fn=cost_fn)
        most = share * cost_fn + (1 - share) * cost_fp
        pc = probability_cost(share, cost_fp, cost_fn)
        assert cost_curve(curve).cost_at(pc) * most == pytest.approx(chosen.value)

    def test_without_a_model(self):
        found = cost_curve(roc_curve([0, 1], [2, 1]))
        assert found.area == pytest.approx(0.25)
        assert np.isnan(found.useful).all()
        assert str(found) == "cost curve: area 0.250 (0.250 without a model), useful nowhere"

    def test_as_result(self):
        found = cost_curve(RocPoint(0.2, 0.7, 10, 30))
        # (2/9)² / 2 + (8/11 − 2/9) (2/9 + 3/11) / 2 + (3/11)² / 2 = 0.1869
        assert str(found) == "cost curve: area 0.187 (0.250 without a model), useful for PC(+) from 0.222 to 0.727"
        table = found.to_table()
        assert [row[:3] for row in table.rows] == [
            (0, pytest.approx(2 / 9), np.inf),
            (pytest.approx(2 / 9), pytest.approx(8 / 11), 1),
            (pytest.approx(8 / 11), 1, 0),
        ]
        assert found.to_dict()["pc"] == found.pc.tolist()

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: cost_curve(0.7), r"needs a ROC curve or a ROC point, got 0.7"),
            (lambda: cost_curve(RocPoint(0.5, np.nan, 0, 2)), r"must both be defined"),
            (lambda: cost_curve(RocPoint(0.2, 0.7, 1, 1)).cost_at([0.5, 2]), r"pc must lie between 0 and 1, got"),
        ],
    )
    def test_says_what_was_wrong(self, call, message):
        with pytest.raises(InputError, match=message):
            call()


class TestProbabilityCost:
    def test_by_hand(self):
        assert probability_cost(0.2, cost_fp=1, cost_fn=6) == pytest.approx(0.6)
        assert probability_cost(0.2, cost_fp=6, cost_fn=1) == pytest.approx(0.04)
        assert probability_cost(1) == 1
        assert np.isnan(probability_cost(0, cost_fp=0))

    @given(shares, costs, costs)
    def test_exchanging_the_classes(self, share, cost_fp, cost_fn):
        there, back = probability_cost(share, cost_fp, cost_fn), probability_cost(1 - share, cost_fn, cost_fp)
        assert there + back == pytest.approx(1)

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"share must lie between 0 and 1 \(0.2 for a fifth\), got 1.2"):
            probability_cost(1.2)
        with pytest.raises(InputError, match="must be finite and not negative, got inf and 1"):
            probability_cost(0.5, cost_fp=np.inf)
