import math

import pytest

from fairtrial.design.layouts import CentralComposite, DOptimal, FullFactorial
from fairtrial.design.layouts.layout import check_whole, option_fields, plain_options
from fairtrial.errors import InputError


@pytest.mark.parametrize("value", [True, 1.5, "3", None, math.nan, math.inf, 0, 11])
def test_only_whole_numbers_within_bounds(value):
    with pytest.raises(InputError, match=r"n must be a whole number from 1 to 10, got"):
        check_whole("n", value, least=1, most=10)


def test_bounds_themselves_are_allowed():
    def is_allowed(value):
        try:
            check_whole("n", value, least=1, most=10)
        except InputError:
            return False
        return True

    assert [n for n in (0, 1, 2, 9, 10.0, 11) if is_allowed(n)] == [1, 2, 9, 10.0]


def test_options_are_the_fields():
    assert list(option_fields(FullFactorial)) == ["levels", "center", "blocks"]


def test_defaults_are_not_written():
    assert plain_options(CentralComposite()) == {"kind": "central composite"}
    found = plain_options(DOptimal(9, costs={"A": (1, 2)}))
    assert found == {"kind": "D-optimal", "runs": 9, "costs": {"A": [1, 2]}}
