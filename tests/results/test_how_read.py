"""What a reader understood, as data and in words."""

from __future__ import annotations

from typing import get_args

from fairtrial.measures import get
from fairtrial.results.how_read import WORDS, Found, Reading, Remark

LEFT = (
    Remark("left out", ("Average",), "row", "the mean of the others"),
    Remark("left out", ("Std",), "row", "by its name"),
    Remark("left out", ("n",), "column", "by its name"),
)


def test_words():
    reading = Reading(((8, "data set"), (1, "method")), {"dataset": "name"}, (*LEFT, Remark("not used", ("x", "y"))))
    assert str(reading) == (
        "8 data sets × 1 method; the rows 'Average' (the mean of the others) and 'Std' (by its name) were left out; "
        "the column 'n' was left out (by its name); not used: the columns 'x' and 'y'"
    )
    assert reading.sentence(get("auc")).startswith("8 data sets × 1 method, auc; the rows")
    assert reading.left_out("row") == ("Average", "Std")


def test_every_kind_has_its_words():
    assert {*WORDS, "left out"} == set(get_args(Found))
    for kind in WORDS:
        assert Reading(((2, "method"),), remarks=(Remark(kind, ("a", "b"), "data set", "why", 2),)).sentence()


def test_as_data():
    assert Reading(((2, "method"),), {"dataset": "d"}, LEFT[:1]).to_dict() == {
        "counts": [[2, "method"]],
        "columns": {"dataset": "d"},
        "remarks": [{"found": "left out", "names": ["Average"], "what": "row", "why": "the mean of the others"}],
    }
