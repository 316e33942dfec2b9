import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.stats import NaturalRange
from fairtrial.stats.surface.surface_terms import block_columns, read_points, read_ranges, read_values


class TestInputs:
    def test_points_and_names(self):
        points, names = read_points({"a": [-1, 1], "b": [0, 0.5]}, None)
        assert points.tolist() == [[-1, 0], [1, 0.5]]
        assert names == ("a", "b")

    def test_logits(self):
        assert read_values([0.5, 0.75], 2, "logit").tolist() == pytest.approx([0, np.log(3)])
        with pytest.raises(InputError, match="got 0;"):
            read_values([0.0, 0.75], 2, "logit")

    def test_blocks_add_up_to_zero(self):
        assert block_columns(["a", "b", "a", "b"], 4).sum() == 0
        assert block_columns(["a", "a"], 2) is None
        assert block_columns(None, 2) is None

    def test_ranges(self):
        assert read_ranges({"a": NaturalRange(1, 2)}, ["a"])["a"].high == 2
        with pytest.raises(InputError, match="ranges must map names of factors"):
            read_ranges({"a": (1, 2)}, ["a"])
