import math
import pickle
from functools import partial

from example_data import TABLE

from fairtrial.stats import Comparisons, compare_pairs, corrected_t, pairwise


class TestComparisons:
    def test_different_follows_the_adjusted_p(self):
        found = pairwise(TABLE)
        matrix = found.different()
        assert (matrix == matrix.T).all()
        assert not matrix.diagonal().any()
        for (i, j), p in zip(found.pairs, found.p_adjusted, strict=True):
            assert matrix[i, j] == (p < 0.05)

    def test_undefined_is_not_different(self):
        undefined = compare_pairs([[1, 2], [2, 3]], [(0, 1)], test=partial(corrected_t, test_share=0.1))
        assert math.isnan(undefined.p_adjusted[0])
        assert not undefined.different().any()
        assert "–" in str(undefined)

    def test_prints_pickles_and_becomes_plain_data(self):
        found = pairwise(TABLE)
        assert pickle.loads(pickle.dumps(found)) == found
        assert found.to_dict()["p_adjusted"] == list(found.p_adjusted)
        assert "p (Holm)" in str(found)
        assert str(found).count("*") == 1 + int(found.different().sum()) // 2
        assert found.to_table().to_json()
        assert isinstance(found, Comparisons)
