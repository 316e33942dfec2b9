import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import adjust
from fairtrial.stats.multiplicity import ALL_PAIRS, possible_true_counts


def partitions(k):
    """All divisions of k methods into groups, as a group number for each."""
    if k == 0:
        return [()]
    return [(*rest, g) for rest in partitions(k - 1) for g in range(max(rest, default=-1) + 2)]


def exhaustive_sets(k):
    pairs = list(itertools.combinations(range(k), 2))
    sets = ({i for i, (a, b) in enumerate(pairs) if groups[a] == groups[b]} for groups in partitions(k))
    return [s for s in sets if s]


def enumerated_bergmann_hommel(p, k):
    """The definition, by going through all divisions; then the running maximum."""
    sets = exhaustive_sets(k)
    value = [max(len(s) * min(p[j] for j in s) for s in sets if i in s) for i in range(len(p))]
    order = sorted(range(len(p)), key=lambda i: (p[i], value[i]))
    largest, adjusted = 0.0, [0.0] * len(p)
    for i in order:
        largest = max(largest, value[i])
        adjusted[i] = min(1.0, largest)
    return adjusted


class TestAllPairs:
    def test_how_many_can_be_true(self):
        # García & Herrera (2008) print S(5) as {0, 1, 2, 3, 4, 6, 10}
        assert possible_true_counts(5) == (0, 1, 2, 3, 4, 6, 10)
        for k in range(2, 8):
            assert set(possible_true_counts(k)) == {0} | {len(s) for s in exhaustive_sets(k)}

    def test_by_hand(self):
        # 3 methods: all three pairs alike, or one, or none. Smallest p times 3, the others times 1
        assert adjust([0.04, 0.01, 0.03], "shaffer").tolist() == pytest.approx([0.04, 0.03, 0.03])
        assert adjust([0.04, 0.01, 0.03], "bergmann_hommel").tolist() == pytest.approx([0.04, 0.03, 0.03])

    def test_garcia_herrera_reject_4_5_6_and_8(self, golden):
        p = golden["scmamp_doc_friedman_post"]["expected"]["p"]
        rejected = [int((adjust(p, how) < 0.05).sum()) for how in ("bonferroni", "holm", "shaffer", "bergmann_hommel")]
        assert rejected == [4, 5, 6, 8]

    @settings(max_examples=40)
    @given(
        st.integers(2, 5).flatmap(
            lambda k: st.lists(st.integers(0, 20), min_size=k * (k - 1) // 2, max_size=k * (k - 1) // 2)
        )
    )
    def test_bergmann_hommel_equals_enumeration(self, twentieths):
        p = [t / 100 for t in twentieths]
        k = (1 + math.isqrt(1 + 8 * len(p))) // 2
        assert adjust(p, "bergmann_hommel") == pytest.approx(enumerated_bergmann_hommel(p, k), rel=1e-12)

    @settings(max_examples=25)
    @given(st.lists(st.floats(0, 1), min_size=15, max_size=15), st.permutations(range(6)))
    def test_the_order_of_the_methods_does_not_matter(self, p, order):
        matrix = np.zeros((6, 6))
        matrix[np.triu_indices(6, 1)] = p
        matrix += matrix.T
        for how in ALL_PAIRS:
            found = np.zeros((6, 6))
            found[np.triu_indices(6, 1)] = adjust(p, how)
            found += found.T
            moved = matrix[np.ix_(order, order)][np.triu_indices(6, 1)]
            assert adjust(moved, how) == pytest.approx(found[np.ix_(order, order)][np.triu_indices(6, 1)])

    @settings(max_examples=25)
    @given(st.lists(st.floats(0, 1), min_size=10, max_size=10))
    def test_each_is_sharper_than_the_one_before(self, p):
        holm, shaffer, bergmann = (adjust(p, how) for how in ("holm", "shaffer", "bergmann_hommel"))
        assert (shaffer <= holm + 1e-15).all()
        assert (bergmann <= shaffer + 1e-15).all()
        assert (bergmann >= np.array(p)).all()

    def test_fourteen_methods(self):
        # ranks on a line: the ends differ most; a division into two halves guards the middle
        ranks = np.arange(14)
        p = 10.0 ** -np.abs(ranks[:, None] - ranks)[np.triu_indices(14, 1)]
        found = adjust(p, "bergmann_hommel")
        assert found[12] == pytest.approx(91 * 1e-13)
        assert (found <= adjust(p, "shaffer") + 1e-15).all()

    def test_nan_counts_as_1(self):
        for how in ALL_PAIRS:
            assert adjust([0.01, np.nan, 0.04], how) == pytest.approx([0.03, np.nan, 0.04], nan_ok=True)

    def test_says_what_was_wrong(self):
        for how in ALL_PAIRS:
            with pytest.raises(InputError, match=r"needs the p-values of all k\(k − 1\)/2 pairs of k methods, got 4"):
                adjust([0.1, 0.2, 0.3, 0.4], how)
        with pytest.raises(InputError, match=r"at most 20 methods, .* got 21; use 'shaffer'"):
            adjust(np.full(210, 0.1), "bergmann_hommel")
