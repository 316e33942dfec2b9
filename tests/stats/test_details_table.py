import pytest

from fairtrial.errors import InputError
from fairtrial.stats import anova, details_table, hotelling, paired_t


class TestDetailsTable:
    def test_an_analysis_of_variance_by_hand(self):
        # means 2 and 7 about 4.5: 3 (2.5² + 2.5²) = 37.5 between; 2 + 14 = 16 within
        table = details_table(anova({"A": [1, 2, 3], "B": [5, 6, 10]}))
        rows = {row[0]: row[1:] for row in table.rows}
        assert rows["between groups"][:3] == pytest.approx((37.5, 1, 37.5))
        assert rows["within groups"][:3] == pytest.approx((16.0, 4, 4.0))
        assert table.caption == "One-way ANOVA"

    def test_another_part(self):
        differences = [[0.02, 0.1], [0.03, 0.05], [0.01, 0.12], [0.05, 0.01], [0.00, 0.03]]
        assert [row[0] for row in details_table(hotelling(differences), "measures").rows] == ["0", "1"]

    def test_says_which_parts_there_are(self):
        with pytest.raises(
            InputError, match=r"part must be one of the tables in the details of .*'table'.*got 'means'"
        ):
            details_table(anova([[1, 2, 3], [5, 6, 10]]), "means")
        with pytest.raises(InputError, match="got 'table'"):
            details_table(paired_t([1, 2, 4], [0, 2, 1]))
