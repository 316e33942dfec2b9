"""The lab's results with a row for each world."""

from fairtrial.lab.experiment import Limit, Row
from fairtrial.lab.wide_tables import wide_tables

FEW = Limit("at most", 0.05)
ROWS = [
    Row("g", "first", "plain", 30, 100, Limit()),
    Row("g", "first", "careful", 4, 100, FEW),
    Row("g", "second", "plain", 50, 100, Limit()),
    Row("g", "second", "careful", 12, 100, FEW),
    Row("g", "third", "careful", 1, 400, FEW),
]


def test_worlds_with_the_same_claims_share_a_table():
    both, alone = wide_tables(ROWS)
    assert [c.title for c in both.columns] == ["world", "careful (≤ 5 %)", "plain", "runs"]
    assert both.rows == (("first", "4.0 %", "30.0 %", 100), ("second", "12.0 % ✗", "50.0 %", 100))
    assert alone.rows == (("third", "0.2 %", 400),)


def test_a_limit_that_is_not_kept_is_explained():
    both, alone = wide_tables(ROWS)
    assert both.notes == (
        "share of runs; the Monte Carlo error is at most 5.0 %, and 2.2 % where the share is 5 %",
        "✗ the limit is not kept, allowing for two Monte Carlo errors",
    )
    assert len(alone.notes) == 1
