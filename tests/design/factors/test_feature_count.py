"""Fewer features: drawn once for a data set, and part of more."""

from fairtrial.data import datasets
from fairtrial.design import (
    FeatureCount,
    narrowed,
)


class TestFeatureCount:
    def test_nested_and_of_the_data_set(self):
        (data,) = datasets("iris")
        factor = FeatureCount([2, 3, 1])
        two, three = (narrowed(data, (factor,), {"feature_count": m}, 1) for m in (2, 3))
        names = [{f.name for f in d.features} for d in (two, three, data)]
        assert [len(n) for n in names] == [2, 3, 4]
        assert names[0] < names[1] < names[2]
        assert two.X.shape == (150, 2)
        assert narrowed(data, (factor,), {"feature_count": 1}, 1) is data
