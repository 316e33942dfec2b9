import math

import pytest
from made_axes import NESTED, ranges

from fairtrial.design.layouts import (
    BoxBehnken,
    CentralComposite,
    DOptimal,
    Fractional,
    FullFactorial,
    LatinHypercube,
    compare_layouts,
    layout_facts,
)
from fairtrial.errors import InputError


class TestCompareLayouts:
    def test_side_by_side(self):
        axes = ranges(3)
        table = compare_layouts(
            CentralComposite("face", center=3).lay_out(axes, seed=1),
            BoxBehnken(center=3).lay_out(axes, seed=1),
            names=("composite", "Box–Behnken"),
            model="quadratic",
            effect=1,
            sd=0.5,
        )
        rows = {row[0]: row[1:] for row in table.rows}
        assert rows["runs"] == (17, 15)
        assert rows["estimable effects"] == ("9 of 9", "9 of 9")
        assert rows["degrees of freedom of the error"] == (7, 5)
        assert rows["D-efficiency, %"][0] > rows["D-efficiency, %"][1]  # corners are worth much in a cube
        assert all(0 < p < 1 for p in rows["smallest power of an effect"])
        assert [column.title for column in table.columns[1:]] == ["composite", "Box–Behnken"]

    def test_resolution_by_brute_force(self):
        facts = layout_facts(Fractional(runs=16, center=3).lay_out(ranges(6), seed=1))
        assert facts["resolution"] == 4
        assert layout_facts(FullFactorial().lay_out(ranges(3), seed=1))["resolution"] == "full"
        assert layout_facts(Fractional(runs=64).lay_out(ranges(7), seed=1))["resolution"] == "above 5"
        assert math.isnan(layout_facts(LatinHypercube(9).lay_out(ranges(3), seed=1))["resolution"])

    def test_nested(self):
        facts = layout_facts(DOptimal(14).lay_out(NESTED, seed=1), effect=1, sd=1)
        assert math.isnan(facts["resolution"])
        assert 0 < facts["smallest power of an effect"] < 1

    def test_undefined_is_nan(self):
        facts = layout_facts(Fractional(runs=8).lay_out(ranges(4), seed=1), model="interactions", effect=1, sd=1)
        assert math.isnan(facts["D-efficiency, %"])
        assert math.isnan(facts["smallest power of an effect"])
        assert facts["estimable effects"] == "4 of 10"

    def test_other_factors(self):
        with pytest.raises(InputError, match="if they have the same factors"):
            compare_layouts(FullFactorial().lay_out(ranges(2), 1), FullFactorial().lay_out(ranges(3), 1))
