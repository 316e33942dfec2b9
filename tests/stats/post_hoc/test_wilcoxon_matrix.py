import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import wilcoxon, wilcoxon_matrix
from fairtrial.stats.post_hoc.wilcoxon_matrix import _units, _whole_differences
from fairtrial.stats.score_arrays import differences

RNG = np.random.default_rng(11)
values = st.one_of(
    st.integers(-9, 9).map(float),
    st.floats(0.5, 1),
    st.sampled_from([0.0, 1e-9, 0.1, 0.2, 0.3, 1e-4, 123.456, 1e9, 5e-7]),
)


def one_by_one(table, **options):
    k = table.shape[1]
    p = np.eye(k)
    for i in range(k):
        for j in range(i + 1, k):
            p[i, j] = p[j, i] = wilcoxon(table[:, i], table[:, j], interval=False, **options).p_value
    return p


class TestWilcoxonMatrix:
    def test_by_hand(self):
        # d = 3, −1, 2: R− = 1, P = 2/8; d = 1, 1, 1: 1/8
        found = wilcoxon_matrix([[5, 2, 4], [1, 2, 0], [4, 2, 3]])
        assert found[0, 1] == found[1, 0] == 0.5
        assert found[0, 2] == 0.25
        assert found.diagonal().tolist() == [1, 1, 1]

    @settings(max_examples=50)
    @given(
        st.integers(2, 12).flatmap(
            lambda n: st.lists(st.lists(values, min_size=3, max_size=3), min_size=n, max_size=n)
        ),
        st.sampled_from(["drop", "split", "pratt"]),
        st.sampled_from(["auto", "asymptotic"]),
    )
    def test_equals_one_by_one(self, table, zeros, method):
        table = np.array(table)
        expected = one_by_one(table, zeros=zeros, method=method)
        assert wilcoxon_matrix(table, zeros=zeros, method=method) == pytest.approx(expected, rel=1e-12)

    @settings(max_examples=100)
    @given(st.lists(st.tuples(values, values), min_size=1, max_size=12))
    def test_differences_are_the_same_whole_differences_numbers(self, pairs):
        a, b = np.array(pairs).T
        found = _whole_differences(a[None], b[None], np.maximum(_units(a), _units(b))[None])
        assert found[0].tolist() == differences(a, b).whole.tolist()

    @pytest.mark.parametrize("n", [40, 320])
    def test_without_ties(self, n):
        table = RNG.normal(size=(n, 5))
        for method in ("auto", "exact", "asymptotic"):
            found = wilcoxon_matrix(table, method=method)
            assert found == pytest.approx(one_by_one(table, method=method), rel=1e-10)

    def test_differences_that_rounding_makes_equal(self):
        # 0.3 − 0.2 and 0.8 − 0.7 are one difference on paper; so are infinitely large ones
        noisy = np.array([[0.3, 0.2], [0.8, 0.7], [0.9, 0.1], [0.2, 0.6]])
        assert wilcoxon_matrix(noisy)[0, 1] == wilcoxon([2, 2, 9, -5], [1, 1, 1, -1]).p_value
        huge = np.array([[1e308, -1e308], [-1e308, 1.5e308], [2.0, 1.0]])
        assert wilcoxon_matrix(huge) == pytest.approx(one_by_one(huge))

    @pytest.mark.parametrize("zeros", ["drop", "split", "pratt"])
    def test_more_methods_than_are_compared_at_once(self, zeros, monkeypatch):
        monkeypatch.setattr("fairtrial.stats.post_hoc.wilcoxon_matrix.AT_ONCE", 1000)
        table = RNG.normal(size=(400, 6))
        table[:, 3:] = table[:, 3:].round(1)
        found = wilcoxon_matrix(table, zeros=zeros)
        assert found == pytest.approx(one_by_one(table, zeros=zeros), rel=1e-10)

    def test_identical_methods(self):
        assert (wilcoxon_matrix(np.ones((5, 3))) == 1).all()

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"zeros must be 'drop', 'split' or 'pratt', got 'zsplit'"):
            wilcoxon_matrix([[1, 2], [2, 1]], zeros="zsplit")
        with pytest.raises(InputError, match=r"method must be 'auto', 'exact' or 'asymptotic', got 'normal'"):
            wilcoxon_matrix([[1, 2], [2, 1]], method="normal")
