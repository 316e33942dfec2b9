"""Tallies: rows in any order come to the same, and one that is missing or doubled does not."""

from fairtrial.store.checks.seals import Tally


def tally(*seals):
    made = Tally()
    for seal in seals:
        made.add(seal)
    return made


def test_counts_by_hand():
    assert tally(5, 3) == tally(3, 5) == Tally(rows=2, seals=6)


def test_missing_and_doubled_rows_are_other_tallies():
    assert tally(5, 3) not in (tally(5), tally(5, 3, 3), tally(5, 2))
