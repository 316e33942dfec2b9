import math

import pytest

from fairtrial.stats import Power, design_errors


class TestPower:
    found = Power("paired_t", 20, 0.6, 0.72, 0.95, unit="pairs", meaning="a size", type_1=0.05, notes=("a note",))

    def test_what_is_left_is_the_second_error(self):
        assert self.found.type_2 == pytest.approx(0.28)
        assert self.found.to_dict()["type_2"] == pytest.approx(0.28)

    def test_says_it_in_words_and_leaves_out_what_is_undefined(self):
        lines = str(self.found).split("\n  ")
        assert lines == [
            "power 0.7200 to find an effect of 0.6000 with n = 20 pairs (paired_t, two-sided at level 0.95, exact)",
            "effect: a size",
            "type I error 0.05000, type II error 0.2800",
            "note: a note",
        ]

    def test_table_has_one_row_and_the_meaning(self):
        table = self.found.to_table()
        assert table.caption == "a size"
        assert table.rows[0][:4] == ("paired_t", 20, 0.6, 0.72)
        assert math.isnan(table.rows[0][6])
        assert "paired_t" in self.found._repr_html_()

    def test_of_a_design(self):
        # Gelman & Carlin (2014): an effect of 2 with a standard error of 8.1 has power 0.06, type S 0.24, type M 9.5
        found = design_errors(2, 8.1)
        assert found.power == pytest.approx(0.057, abs=0.001)
        assert found.type_s == pytest.approx(0.24, abs=0.005)
        assert found.exaggeration == pytest.approx(9.6, abs=0.2)
