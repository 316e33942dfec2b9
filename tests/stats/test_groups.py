import math

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.stats.groups import pooled_means, refuse_one_array, sample_groups


class TestSampleGroups:
    def test_lists_mappings_and_frames_are_the_same(self):
        wanted = sample_groups([[1, 2, 4], [3, 5, 9]], ["A", "B"])
        for given in ({"A": [1, 2, 4], "B": [3, 5, 9]}, pd.DataFrame({"A": [1, 2, 4], "B": [3, 5, 9]})):
            found = sample_groups(given)
            assert found.names == wanted.names
            assert all(np.array_equal(a, b) for a, b in zip(found.samples, wanted.samples, strict=True))

    def test_sizes_may_differ(self):
        found = sample_groups([[1.0, 2.0, 4.0], [3.0, 5.0]])
        assert (found.k, found.n, found.sizes.tolist()) == (2, 5, [3.0, 2.0])

    @pytest.mark.parametrize(
        ("groups", "said"),
        [
            ([[1, 2]], "groups must hold at least two samples, one for each method, got 1"),
            ("text", "groups must be a list of samples, a mapping"),
            ([[1, 2], [3, math.nan]], r"groups must be finite, but 1 of 4 scores is not \(1 in '1'\)"),
            ([[1, 2], [3, 1e200]], "the largest absolute score must lie between 1e-140 and 1e140"),
            ([[1, 2], []], "group '1' must be a list of numbers"),
        ],
    )
    def test_says_what_was_wrong(self, groups, said):
        with pytest.raises(InputError, match=said):
            sample_groups(groups)

    def test_blocks_must_have_their_rows_in_one_order(self):
        frame = {"A": pd.Series([1, 2], index=["x", "y"]), "B": pd.Series([1, 2], index=["y", "x"])}
        with pytest.raises(InputError, match="group 'A'"):
            sample_groups(frame, blocks=True)


class TestRefuseOneArray:
    def test_an_array_does_not_say_where_its_groups_are(self):
        with pytest.raises(InputError, match=r"groups must be a list, .* got an array of shape \(3, 2\); pass list"):
            refuse_one_array(np.zeros((3, 2)), "groups")
        refuse_one_array(pd.DataFrame(np.zeros((3, 2))), "groups")
        refuse_one_array([[1, 2], [3, 4]], "groups")


class TestPooledMeans:
    def test_by_hand(self):
        # means 2 and 6; squares about them 2 and 8, of 3 values each: variance 10 / 4
        found = pooled_means(sample_groups([[1, 2, 3], [4, 6, 8]]), blocks=False, test_share=None)
        assert found.means == pytest.approx([2, 6])
        assert found.variance == pytest.approx(2.5)
        assert found.df == 4
