"""What holds for every layout: coded rows for any axes that it takes, the same for the same seed, plain data."""

import json
import pickle

import numpy as np
import pytest
from made_axes import NESTED, ranges

from fairtrial.design.layouts import LAYOUTS, Axis, parse_layout
from fairtrial.design.layouts.layout import NESTING, without_absent
from fairtrial.errors import InputError

OPTIONS = {
    "best guess": {"rows": [[-1, -1, -1], [1, 0, 0.5]]},
    "Latin hypercube": {"runs": 7},
    "Halton": {"runs": 7},
    "D-optimal": {"runs": 9},
}


def made(kind):
    return parse_layout({"kind": kind, **OPTIONS.get(kind, {})})


@pytest.mark.parametrize("kind", LAYOUTS)
class TestEveryLayout:
    def test_lays_out_ranges(self, kind):
        coded = made(kind).lay_out(ranges(3), seed=1)
        assert coded.rows.shape[1] == 3
        assert np.isfinite(coded.rows).all()
        assert not np.signbit(coded.rows[coded.rows == 0]).any()

    def test_is_the_same_for_the_same_seed(self, kind):
        first, second = (made(kind).lay_out(ranges(3), seed=5).rows for _ in range(2))
        assert np.array_equal(first, second)

    def test_is_written_as_plain_data_and_read_again(self, kind):
        layout = made(kind)
        written = json.loads(json.dumps(layout.to_dict()))
        assert written["kind"] == kind
        assert parse_layout(written) == layout

    def test_survives_the_way_to_another_process(self, kind):
        assert pickle.loads(pickle.dumps(made(kind))) == made(kind)

    def test_refuses_no_axes_and_equal_names(self, kind):
        with pytest.raises(InputError, match="at least one factor"):
            made(kind).lay_out([], seed=1)
        with pytest.raises(InputError, match="must differ, but 'A' come more than once"):
            made(kind).lay_out([Axis("A"), Axis("A"), Axis("B")], seed=1)

    def test_nests_or_names_the_layouts_that_can(self, kind):
        if kind == "best guess":
            layout = parse_layout({"kind": kind, "rows": [[0, 0.5, np.nan, np.nan, 1]]})
        else:
            layout = parse_layout({"kind": "D-optimal", "runs": 12}) if kind == "D-optimal" else made(kind)
        if kind in NESTING:
            coded = layout.lay_out(NESTED, seed=1)
            there = np.nan_to_num(coded.rows)
            assert np.array_equal(np.isnan(coded.rows), np.isnan(without_absent(there, NESTED)))
        else:
            with pytest.raises(InputError, match=r"exist only in some; layouts that can nest .* full factorial"):
                layout.lay_out(NESTED, seed=1)


def test_random_layouts_depend_on_the_seed():
    for kind in ("Latin hypercube", "Halton"):
        one, other = (made(kind).lay_out(ranges(3), seed=seed).rows for seed in (1, 2))
        assert not np.array_equal(one, other)
