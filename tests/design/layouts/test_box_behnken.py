import json
from pathlib import Path

import numpy as np
import pytest
from made_axes import ranges

from fairtrial.design.layouts import Axis, BoxBehnken, model_matrix
from fairtrial.errors import InputError

RSM = json.loads((Path(__file__).parents[2] / "golden" / "layouts.json").read_text(encoding="utf-8"))["box_behnken"]


@pytest.mark.parametrize("case", RSM, ids=lambda c: f"{c['factors']} factors")
def test_against_rsm(case):
    """Runs, runs at an end of each factor, and log det X'X of the quadratic model."""
    coded = BoxBehnken(center=4).lay_out(ranges(case["factors"]), seed=1)
    assert len(coded.rows) == case["runs"]
    assert (np.abs(coded.rows).sum(axis=0) == case["at_ends"]).all()
    made = model_matrix(coded, "quadratic").matrix
    assert np.linalg.slogdet(made.T @ made)[1] == pytest.approx(case["log_det"], abs=1e-9)


# Box & Behnken (1960): 15, 27, 46, 54 and 62 runs with their center points
@pytest.mark.parametrize(("factors", "runs"), [(3, 15), (4, 27), (5, 46), (6, 54), (7, 62)])
def test_runs_with_the_center_points_of_the_paper(factors, runs):
    rows = BoxBehnken().lay_out(ranges(factors), seed=1).rows
    assert len(rows) == runs
    assert (np.abs(rows).sum(axis=1) < factors).all()  # no corner


def test_listed_levels():
    rows = BoxBehnken(center=1).lay_out([*ranges(2), Axis("k", 3)], seed=1).rows
    assert sorted(set(rows[:, 2])) == [0, 1, 2]
    assert rows[-1].tolist() == [0, 0, 1]


@pytest.mark.parametrize("factors", [1, 2, 8])
def test_other_numbers_of_factors(factors):
    with pytest.raises(InputError, match=f"for 3 to 7 factors, got {factors}"):
        BoxBehnken().lay_out(ranges(factors), seed=1)


def test_two_levels():
    with pytest.raises(InputError, match="exactly 3 ordered levels, but 'k' has 2"):
        BoxBehnken().lay_out([*ranges(2), Axis("k", 2)], seed=1)
