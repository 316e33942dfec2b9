"""Axes that tests of layouts share, and strategies for random ones."""

from hypothesis import strategies as st

from fairtrial.design.layouts import Axis


def ranges(k):
    """Ranges A, B, C and so on, without I."""
    return [Axis(name) for name in "ABCDEFGHJKLMNOPQRSTUVWXYZ"[:k]]


# a pipeline: C exists for the svm, depth for trees and boosting, rate for boosting only
NESTED = [
    Axis("model", 3),
    Axis("C", None, {"model": frozenset({0})}),
    Axis("depth", 4, {"model": frozenset({1, 2})}),
    Axis("rate", None, {"model": frozenset({2})}),
    Axis("scaling", 2),
]

mixed_axes = st.lists(st.one_of(st.none(), st.integers(1, 4)), min_size=1, max_size=4).map(
    lambda levels: [Axis(f"f{i}", n) for i, n in enumerate(levels)]
)
