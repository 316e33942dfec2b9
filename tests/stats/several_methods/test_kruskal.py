import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import dunn, kruskal
from fairtrial.stats.score_arrays import doubled_midranks

small = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=3), min_size=2, max_size=3).filter(
    lambda groups: 4 <= sum(map(len, groups)) <= 7
)


def by_enumeration(groups):
    """All ways to give the ranks to groups of these sizes: how many are at least as far apart."""
    sizes = [len(g) for g in groups]
    ranks = doubled_midranks(np.concatenate(groups))
    ends = np.cumsum([0, *sizes])

    def apart(order):
        return sum(
            math.prod(sizes) // n * int(order[i:j].sum()) ** 2 for n, i, j in zip(sizes, ends, ends[1:], strict=False)
        )

    observed = apart(ranks)
    orders = [apart(np.array(order)) >= observed for order in itertools.permutations(ranks)]
    return sum(orders) / len(orders)


class TestKruskal:
    def test_by_hand(self):
        # ranks 1 2 | 3 4: H = 12 / 20 (9/2 + 49/2) - 15 = 2.4; 2 of 6 splits are so far apart
        found = kruskal([[1, 2], [3, 4]])
        assert found.statistic == pytest.approx(2.4)
        assert found.p_value == pytest.approx(1 / 3)
        assert found.effect.estimate == pytest.approx(0.8)

    @pytest.mark.slow
    @settings(max_examples=40)
    @given(small)
    def test_exact_equals_enumeration(self, groups):
        assert kruskal(groups, method="exact").p_value == pytest.approx(by_enumeration(groups), rel=1e-12)

    @given(small, st.permutations(range(3)))
    def test_order_and_monotone_transformations_change_nothing(self, groups, order):
        other = [[math.exp(x) for x in groups[i]][::-1] for i in order if i < len(groups)]
        there, back = kruskal(groups), kruskal(other)
        assert there.p_value == pytest.approx(back.p_value)
        assert there.statistic == pytest.approx(back.statistic, nan_ok=True)

    def test_float_noise_makes_no_ranks(self):
        assert kruskal([[0.3, 0.5], [0.1 + 0.2, 0.5]]).statistic == pytest.approx(0.0, abs=1e-12)

    def test_all_equal(self):
        found = kruskal([[1, 1], [1, 1, 1]])
        assert found.p_value == 1.0
        assert math.isnan(found.statistic)
        assert "all values are equal" in found.notes

    def test_says_when_it_applies_and_what_was_wrong(self):
        assert "use friedman" in kruskal([[1, 2], [3, 4]]).notes[0]
        with pytest.raises(InputError, match="method must be 'auto', 'exact' or 'chi-square', got"):
            kruskal([[1, 2], [3, 4]], method="normal")
        with pytest.raises(InputError, match="would take too long"):
            kruskal([list(range(i, 400, 4)) for i in range(4)], method="exact")

    def test_one_value_each(self):
        # all deals are as far apart as this one
        found = kruskal([[1.0], [2.0], [3.0]])
        assert (found.statistic, found.p_value) == (2.0, 1.0)
        assert "all values are equal" not in found.notes


class TestDunn:
    def test_by_hand(self):
        # mean ranks 1.5 and 3.5, variance 4·5/12: z = -2 / sqrt(5/3)
        assert dunn([[1, 2], [3, 4]]).outcomes[0].statistic == pytest.approx(-2 / math.sqrt(5 / 3))

    @given(small)
    def test_interval_agrees_and_swapping_flips(self, groups):
        there, back = dunn(groups).outcomes[0], dunn([groups[1], groups[0], *groups[2:]]).outcomes[0]
        assert there.p_value == pytest.approx(back.p_value)
        assert there.effect.estimate == pytest.approx(-back.effect.estimate)
        assert (0 not in there.effect) == (there.p_value < 0.05)

    def test_all_equal(self):
        found = dunn([[1, 1], [1, 1]])
        assert found.p_adjusted == (1.0,)
        assert found.outcomes[0].notes == ("all values are equal",)
