"""Places for names of points."""

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.figures.drawing.fitting import DOT, label_places

inside = st.tuples(st.floats(0, 200), st.floats(0, 100))


class TestLabelPlaces:
    def test_by_hand(self):
        # 6 to the right of the point, and half of its height below; the second has its place to the left
        assert label_places([(50, 50)], [(30, 10)], (100, 100)) == [(56.0, 45.0)]
        assert label_places([(50, 50)], [(30, 10)], (100, 100), others=[(60, 50)]) == [(14.0, 45.0)]
        assert label_places([(50, 50)], [(30, 10)], (100, 100), taken=[(52, 0, 100, 100), (0, 0, 48, 100)]) == [None]

    @given(st.lists(inside, max_size=12), st.lists(inside, max_size=12))
    def test_no_label_covers_another_or_a_point_or_leaves_the_box(self, points, others):
        size = (40.0, 10.0)
        found = label_places(points, [size] * len(points), (200, 100), others)
        boxes = [(x, y, x + size[0], y + size[1]) for x, y in filter(None, found)]
        for i, (left, bottom, right, top) in enumerate(boxes):
            assert 0 <= left < right <= 200
            assert 0 <= bottom < top <= 100
            for x, y in (*points, *others):
                assert not (left < x + DOT and x - DOT < right and bottom < y + DOT and y - DOT < top)
            for other in boxes[:i]:
                assert not (left < other[2] and other[0] < right and bottom < other[3] and other[1] < top)
