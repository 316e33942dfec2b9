"""How rows are dealt out: shuffled inside strata, evenly, and in proportion from the first on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import labelled, valued

from fairtrial.errors import InputError
from fairtrial.resampling.allocation import (
    check_at_least,
    check_share,
    even_positions,
    proportional_turns,
    spread,
    strata,
    times,
)


class TestStrata:
    def test_classes_where_they_count_and_one_stratum_else(self):
        data = labelled([2, 3])
        assert strata(data, stratify=True).tolist() == data.codes.tolist()
        assert strata(data, stratify=False).tolist() == [0] * 5
        assert strata(valued(4), stratify=True).tolist() == [0] * 4

    def test_groups_would_be_torn(self):
        grouped = replace(labelled([2, 3]), groups=np.array([0, 0, 1, 1, 1]))
        with pytest.raises(InputError, match=r"data declares groups, .*; use 'grouped 10-fold' \(GroupKFold\)"):
            strata(grouped, stratify=True)


class TestSpread:
    def test_stratum_after_stratum_and_each_row_once(self):
        given_strata = np.array([1, 0, 1, 0, 2])
        order = spread(given_strata, np.random.RandomState(3))
        assert given_strata[order].tolist() == [0, 0, 1, 1, 2]
        assert sorted(order.tolist()) == [0, 1, 2, 3, 4]


class TestEvenPositions:
    def test_by_hand(self):
        assert even_positions(3, 9, start=0).tolist() == [0, 3, 6]
        assert even_positions(3, 10, start=5).tolist() == [1, 5, 8]  # (0, 10, 20 + 5) // 3

    @given(st.integers(1, 30).flatmap(lambda n: st.tuples(st.integers(1, n), st.just(n))))
    def test_over_all_starts_each_place_has_the_same_chance(self, case):
        chosen, n = case
        counts = np.bincount(np.concatenate([even_positions(chosen, n, start=s) for s in range(n)]), minlength=n)
        assert (counts == chosen).all()


class TestProportionalTurns:
    def test_any_beginning_has_one_of_each_first_and_then_the_proportion(self):
        codes = np.array([0] * 8 + [1] * 4 + [2])
        order = codes[np.argsort(proportional_turns(codes), kind="stable")]
        assert sorted(order[:3].tolist()) == [0, 1, 2]
        assert np.bincount(order[:7]).tolist() == [4, 2, 1]


class TestNumbers:
    @pytest.mark.parametrize("value", [1, 2.0, True, "3"])
    def test_at_least(self, value):
        with pytest.raises(InputError, match="folds must be a whole number of at least 2, got"):
            check_at_least("folds", value, 2)

    @pytest.mark.parametrize("value", [0, 1, -0.1, "half"])
    def test_share(self, value):
        with pytest.raises(InputError, match="test_share must lie strictly between 0 and 1, got"):
            check_share("test_share", value)

    def test_repeats_in_words(self):
        assert (times(1, "holdout"), times(30, "holdout")) == ("holdout", "30× holdout")
