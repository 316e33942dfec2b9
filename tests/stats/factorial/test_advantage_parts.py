"""The result of dividing an advantage, as a table."""

from fairtrial import stats

SCORES = [[1, 2, 4, 9], [2, 2, 7, 8], [1, 3, 6, 8], [0, 1, 4, 4], [3, 3, 9, 9], [5, 6, 9, 12]]


class TestAdvantageParts:
    def test_the_largest_part_comes_first_and_the_whole_last(self):
        found = stats.divide_advantage(SCORES, {"small": [0, 1, 0, 1], "large": [0, 0, 1, 1]})
        assert found.order() == [1, 0]
        first, _, last = found.to_table().rows
        assert (first[0], last[0]) == ("large", "together")
        assert last[1] == found.advantage.estimate
        assert "intervals hold for all 2 components together" in found.to_table().notes[0]
        assert "<table" in found._repr_html_()

    def test_without_intervals_nothing_is_said_of_them(self):
        found = stats.divide_advantage(SCORES[:2], {"small": [0, 1, 0, 1], "large": [0, 0, 1, 1]})
        assert not any("hold for all" in note for note in found.to_table().notes)
        assert found.level == 0.95
