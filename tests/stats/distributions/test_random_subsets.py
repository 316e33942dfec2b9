import numpy as np
import pytest

from fairtrial.stats.distributions import replicates
from fairtrial.stats.distributions.replicates import drawn_subsets


class TestDrawnSubsets:
    @pytest.mark.parametrize("n", [1, 7, 8, 9, 63, 65])
    def test_chosen_by_bytes_or_bit_by_bit_they_are_the_same(self, n, monkeypatch):
        whole = np.random.default_rng(n).integers(-(10**12), 10**12, n)
        plain = drawn_subsets(whole, 50, seed=3)
        monkeypatch.setattr(replicates, "MANY", 0)
        monkeypatch.setattr(replicates, "TABLES", 3)
        monkeypatch.setattr(replicates, "BYTES", 40)
        for found, wanted in zip(drawn_subsets(whole, 50, seed=3), plain, strict=True):
            assert found.tolist() == wanted.tolist()

    def test_powers_of_ten_show_which_elements_are_in(self, monkeypatch):
        monkeypatch.setattr(replicates, "MANY", 0)
        sums, sizes = drawn_subsets(10 ** np.arange(9), 200, seed=1)
        assert [str(s).count("1") for s in sums.tolist()] == sizes.tolist()
        assert {c for s in sums.tolist() for c in str(s)} == {"0", "1"}
        each = np.array([[s // 10**k % 10 for k in range(9)] for s in sums.tolist()]).mean(axis=0)
        assert (np.abs(each - 0.5) < 4 * 0.5 / np.sqrt(200)).all()

    def test_without_the_count_of_numpy_2(self, monkeypatch):
        bits = np.array([[255, 0], [3, 128]], dtype=np.uint8)
        monkeypatch.delattr(np, "bitwise_count", raising=False)
        assert replicates._ones(bits).tolist() == [8, 3]
