import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial import measures
from fairtrial.stats.distributions.rank_sums import placements

small = st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 5)), min_size=5, max_size=14).filter(
    lambda rows: 2 <= sum(r[0] for r in rows) <= len(rows) - 2
)


class TestPlacements:
    @given(small)
    def test_equal_the_definition(self, rows):
        truth, scores = np.array([r[0] for r in rows]), np.array([r[1] for r in rows], dtype=float)
        found = placements(truth, scores)
        up, down = scores[truth], scores[~truth]
        pairs = (up[:, None] > down) + (up[:, None] == down) / 2
        assert found.of_positives == pytest.approx(pairs.mean(axis=1))
        assert found.of_negatives == pytest.approx(pairs.mean(axis=0))
        assert found.area == pytest.approx(measures.auc(truth.astype(int), scores))
        variance = pairs.mean(axis=1).var(ddof=1) / len(up) + pairs.mean(axis=0).var(ddof=1) / len(down)
        assert found.variance() == pytest.approx(variance, abs=1e-15)
