"""Which setting to take for a new data set."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats import robust_choice
from fairtrial.stats.factorial.robust_choice import CRITERIA

SCORES = np.array(
    [[70, 72, 74], [61, 62, 64], [80, 83, 84], [55, 56, 58], [90, 91, 93], [66, 67, 69], [72, 73, 69], [84, 85, 80]]
)
NAMES = ["plain", "careful", "bold"]


class TestByHand:
    def test_criteria(self):
        # differences of bold from the mean of its row: 2, 5/3, 5/3, 5/3, 5/3, 5/3, −7/3, −3; a quarter of 8 rows is 2
        found = robust_choice(SCORES, names=NAMES)
        assert found.values["worst quarter"] == pytest.approx([(-7 / 3 - 2) / 2, (-2 / 3) / 2, (-7 / 3 - 3) / 2])
        assert found.values["regret"].tolist() == [-4, -2, -5]
        assert found.values["mean"][2] == pytest.approx((2 + 5 * 5 / 3 - 7 / 3 - 3) / 8)
        assert (NAMES[found.chosen], NAMES[found.best_by("mean")]) == ("careful", "bold")

    def test_a_part_of_a_value(self):
        # six rows: a quarter is one and a half of them
        column = np.array([[5.0, 0], [1, 0], [4, 0], [2, 0], [6, 0], [3, 0]])
        assert robust_choice(column).values["worst quarter"][0] == pytest.approx((0.5 + 0.5 * 1) / 1.5)

    def test_left_out(self):
        # without the last row bold has the mean 10/7 + …, the best; without any other it is still the best
        found = robust_choice(SCORES, names=NAMES)
        d = SCORES - SCORES.mean(axis=1, keepdims=True)
        assert found.left_out["mean"] == pytest.approx(d[:, 2])
        assert found.left_out["worst quarter"] == pytest.approx(d[:, 1])
        assert found.expected("mean", of="worst quarter") == pytest.approx(d[:, 1].mean())

    def test_conditions_count_within_their_data_set(self):
        wide = np.stack([SCORES, SCORES[:, ::-1]], axis=1)
        found = robust_choice(wide, names=NAMES)
        assert found.datasets == 8
        assert found.values["mean"][0] == pytest.approx(found.values["mean"][2])
        assert len(found.left_out["mean"]) == 16


class TestProperties:
    @settings(max_examples=40)
    @given(st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=8, max_size=12))
    def test_levels_of_data_sets_do_not_matter(self, table):
        scores = np.array(table, dtype=float)
        easy = scores + 100 * np.arange(len(scores))[:, None]
        a, b = robust_choice(scores, draws=20), robust_choice(easy, draws=20)
        for name in CRITERIA:
            assert a.values[name] == pytest.approx(b.values[name], abs=1e-9)
        assert a.share.sum() == pytest.approx(1)

    def test_lower_is_better(self):
        up, down = robust_choice(SCORES), robust_choice(-SCORES, higher_is_better=False)
        assert down.values["regret"].tolist() == up.values["regret"].tolist()
        assert down.chosen == up.chosen

    def test_the_order_of_settings_does_not_matter(self):
        found = robust_choice(SCORES[:, ::-1], names=NAMES[::-1])
        assert found.names[found.chosen] == "careful"

    @pytest.mark.parametrize("unit", [1e-18, 1e300])
    def test_the_unit_does_not_matter(self, unit):
        found = robust_choice(SCORES * unit, names=NAMES)
        assert (NAMES[found.chosen], NAMES[found.best_by("mean")]) == ("careful", "bold")
        assert found.share == pytest.approx(robust_choice(SCORES).share)

    def test_equal_settings_share(self):
        found = robust_choice(np.tile(np.arange(8.0)[:, None], (1, 4)))
        assert found.share.tolist() == [0.25] * 4
        assert found.values["worst quarter"].tolist() == [0.0] * 4


class TestFewDataSets:
    def test_no_share_and_no_decile(self):
        found = robust_choice(SCORES[:5])
        assert np.isnan(found.share).all()
        assert np.isnan(found.decile).all()
        assert "fewer than 8 data sets" in found.notes[0]
        assert not np.isnan(robust_choice(np.tile(SCORES, (3, 1))).decile).any()

    def test_nothing_is_left_out_of_three(self):
        found = robust_choice(SCORES[:3])
        assert found.left_out is None
        assert math.isnan(found.expected("mean", of="mean"))

    def test_refused(self):
        with pytest.raises(InputError, match=r"two or more data sets and a column .* got an array of shape \(1, 3\)"):
            robust_choice(SCORES[:1])
        with pytest.raises(InputError, match=r"1 of 24 scores is not \(row 0\)"):
            robust_choice(np.where(SCORES == 74, np.nan, SCORES))
        with pytest.raises(UnknownName, match="worst quarter"):
            robust_choice(SCORES, criterion="worst quartr")


def test_table_and_dict():
    found = robust_choice(SCORES, names=NAMES)
    assert [row[0] for row in found.to_table().rows] == ["careful", "plain", "bold"]
    assert found.to_dict()["chosen"] == "careful"
    assert "<table" in found._repr_html_()
