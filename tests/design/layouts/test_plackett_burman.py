import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_axes import ranges

from fairtrial.design.layouts import Axis, PlackettBurman
from fairtrial.errors import InputError

# the first rows that Plackett and Burman (1946) give; the others follow by shifting, and a row of − at the end
PUBLISHED = {
    12: "++-+++---+-",
    20: "++--++++-+-+----++-",
    24: "+++++-+-++--++--+-+----",
}


def published(runs):
    row = [1.0 if sign == "+" else -1.0 for sign in PUBLISHED[runs]]
    return np.array([row[-i:] + row[:-i] for i in range(runs - 1)] + [[-1.0] * (runs - 1)])


def three_products(signs):
    """The sorted sums of products of three columns, which tell layouts apart."""
    columns = itertools.combinations(range(min(signs.shape[1], 19)), 3)
    return sorted(abs(float(signs[:, c].prod(axis=1).sum())) for c in columns)


@pytest.mark.parametrize("runs", PUBLISHED)
def test_looks_like_the_published_one(runs):
    """Sums of products of three columns; for 24 runs of the first 19 columns only, so up to the set of values."""
    ours = PlackettBurman(runs).lay_out([Axis(f"f{i}") for i in range(runs - 1)], seed=1).rows
    mine, theirs = three_products(ours), three_products(published(runs))
    assert (mine == theirs) if runs < 24 else (set(mine) == set(theirs))


def test_in_12_runs_every_interaction_counts_a_third():
    rows = PlackettBurman(12).lay_out(ranges(11), seed=1).rows
    assert set(three_products(rows)) == {4.0}  # 4 of 12


@given(st.integers(1, 60))
def test_columns_are_balanced_and_orthogonal(factors):
    coded = PlackettBurman().lay_out([Axis(f"f{i}") for i in range(factors)], seed=1)
    rows = coded.rows
    assert len(rows) % 4 == 0
    assert factors < len(rows) <= max(8, factors + 4)
    assert np.array_equal(rows.T @ rows, len(rows) * np.eye(factors))
    assert not rows.sum(axis=0).any()


def test_notes_say_how_main_effects_are_mixed():
    assert PlackettBurman(12).lay_out(ranges(5), seed=1).notes[0].endswith("in part")
    assert PlackettBurman(16).lay_out(ranges(5), seed=1).notes[0].endswith("in whole")


def test_center_points_and_listed_levels():
    assert len(PlackettBurman(12, center=3).lay_out(ranges(5), seed=1).rows) == 15
    rows = PlackettBurman(12).lay_out([Axis("k", 2), *ranges(4)], seed=1).rows
    assert set(rows[:, 0]) == {0.0, 1.0}


def test_too_few_runs():
    with pytest.raises(InputError, match="12 factors needs more runs than factors"):
        PlackettBurman(12).lay_out(ranges(12), seed=1)
    with pytest.raises(InputError, match=r"a multiple of 4 .* got 92"):
        PlackettBurman(92)
