"""The advantage of a whole over its base, divided into the parts of its components."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial import stats
from fairtrial.errors import InputError

TWO = {"tuning": [0, 1, 0, 1], "encoding": [0, 0, 1, 1]}
SCORES = np.array(
    [[70, 75, 71, 80], [61, 64, 61, 66], [80, 88, 79, 90], [55, 56, 57, 61], [90, 92, 90, 92], [66, 71, 67, 76]]
)


class TestDivideAdvantage:
    def test_by_hand(self):
        # tuning adds 5, 3, 8, 1, 2, 5 to none and 9, 5, 11, 4, 2, 9 to encoding: 24/6 and 40/6, their mean 32/6
        found = stats.divide_advantage(SCORES, TWO)
        assert found.parts.intervals[0].estimate == pytest.approx(32 / 6)
        assert found.first == pytest.approx((4, 3 / 6))
        assert found.last == pytest.approx((40 / 6, 19 / 6))
        assert found.values[0].tolist() == [7, 3]
        assert found.parts.helps == ((6, 0, 0), (5, 1, 0))
        assert found.interactions is not None
        assert found.interactions.intervals[0].estimate == pytest.approx(16 / 6)

    def test_two_components_have_their_main_effects(self):
        # with two components the Shapley value is the factorial effect, and the index twice the interaction effect
        model = stats.factorial_model({"tuning": [-1, 1, -1, 1], "encoding": [-1, -1, 1, 1]})
        effects = model.values(SCORES).values
        found = stats.divide_advantage(SCORES, TWO)
        assert found.values == pytest.approx(effects[:, :2])
        assert found.interactions.intervals[0].estimate == pytest.approx(2 * effects[:, 2].mean())

    def test_one_component_is_the_difference(self):
        found = stats.divide_advantage(SCORES[:, [0, 3]], {"all": [0, 1]})
        assert found.interactions is None
        assert found.parts.intervals[0].low == found.total.intervals[0].low
        assert found.parts.p_adjusted == found.total.p_adjusted

    @settings(max_examples=40)
    @given(st.lists(st.lists(st.integers(0, 99), min_size=8, max_size=8), min_size=1, max_size=9), st.booleans())
    def test_parts_sum_to_the_advantage(self, table, up):
        columns = {f"c{i}": [number >> i & 1 for number in range(8)] for i in range(3)}
        found = stats.divide_advantage(table, columns, higher_is_better=up, draws=99)
        parts = [interval.estimate for interval in found.parts.intervals]
        gain = np.mean([row[-1] - row[0] for row in table]) * (1 if up else -1)
        assert sum(parts) == pytest.approx(gain, abs=1e-12)
        assert found.advantage.estimate == pytest.approx(gain, abs=1e-12)
        assert found.values.sum(axis=1) == pytest.approx(
            [(row[-1] - row[0]) * (1 if up else -1) for row in table], abs=1e-12
        )

    def test_splits_of_one_data_set(self):
        found = stats.divide_advantage(SCORES, TWO, test_share=0.2)
        assert found.parts.unit == "split"
        other = stats.effects_on_splits(found.values, test_share=0.2)
        assert found.parts.intervals[0].low == pytest.approx(other.intervals[0].low)
        alone = stats.corrected_t(SCORES[:, 3], SCORES[:, 0], test_share=0.2)
        assert found.advantage.high == pytest.approx(alone.effect.high)
        assert "this data set alone" in found.notes[0]

    @pytest.mark.parametrize(("rows", "share", "words"), [(5, None, "fewer than 6 data sets"), (1, 0.1, "one split")])
    def test_without_an_estimate_of_error(self, rows, share, words):
        found = stats.divide_advantage(SCORES[:rows], TWO, test_share=share)
        assert all(math.isnan(interval.low) for interval in found.parts.intervals)
        assert not found.parts.active().any()
        assert words in found.parts.notes[0]
        assert sum(i.estimate for i in found.parts.intervals) == pytest.approx(found.advantage.estimate)

    def test_constant_scores(self):
        found = stats.divide_advantage(np.full((7, 4), 0.7), TWO)
        assert found.parts.p_adjusted == (1.0, 1.0)
        assert found.advantage.estimate == 0
        same = stats.divide_advantage(np.tile(SCORES[0], (7, 1)), TWO)
        assert np.isnan(same.parts.p_adjusted).all()
        assert any("no error can be estimated" in note for note in same.parts.notes)

    def test_table_and_dict(self):
        found = stats.divide_advantage(SCORES, TWO)
        assert [row[0] for row in found.to_table().rows] == ["tuning", "encoding", "together"]
        assert found.to_dict()["parts"]["names"] == ["tuning", "encoding"]
        assert "tuning × encoding" in str(found)

    def test_refused(self):
        with pytest.raises(InputError, match=r"4 columns, one for each combination of components, got .* \(6, 3\)"):
            stats.divide_advantage(SCORES[:, :3], TWO)
        with pytest.raises(InputError, match=r"scores must be finite, but 1 of 24 scores is not \(row 2\)"):
            stats.divide_advantage(SCORES + np.where(SCORES == 79, np.nan, 0), TWO)
        with pytest.raises(InputError, match="1 of 4 combinations is missing"):
            stats.divide_advantage(SCORES[:, :3], {name: column[:3] for name, column in TWO.items()})
        with pytest.raises(InputError, match="level must lie strictly between 0 and 1"):
            stats.divide_advantage(SCORES, TWO, level=1)
