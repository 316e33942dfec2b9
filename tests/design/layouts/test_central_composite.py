import json
import math
from pathlib import Path

import numpy as np
import pytest
from made_axes import ranges

from fairtrial.design.layouts import Axis, CentralComposite, model_matrix
from fairtrial.design.layouts.layout_terms import expanded, model_terms
from fairtrial.errors import InputError

RSM = json.loads((Path(__file__).parents[2] / "golden" / "layouts.json").read_text(encoding="utf-8"))[
    "central_composite"
]


@pytest.mark.parametrize("case", RSM, ids=lambda c: f"{c['factors']} factors, {c['center']} centers")
def test_alpha_against_rsm(case):
    k, center = case["factors"], case["center"]
    assert CentralComposite("rotatable", center).distance(k, 2**k) == pytest.approx(case["rotatable"], abs=1e-11)
    in_blocks = CentralComposite("orthogonal", center, blocks=True)
    assert in_blocks.distance(k, 2**k) == pytest.approx(case["orthogonal_blocks"], abs=1e-11)
    assert len(in_blocks.lay_out(ranges(k), seed=1).rows) == 2**k + 2 * k + 2 * center


class TestWhatAlphaIsFor:
    @pytest.mark.parametrize("k", [2, 3, 4, 5])
    def test_orthogonal_quadratic_effects(self, k):
        coded = CentralComposite("orthogonal", center=3).lay_out(ranges(k), seed=1)
        squares = coded.rows**2 - (coded.rows**2).mean(axis=0)
        products = squares.T @ squares
        assert products - np.diag(np.diag(products)) == pytest.approx(0, abs=1e-9)

    @pytest.mark.parametrize("k", [2, 3, 4])
    def test_rotatable_variance_depends_on_the_distance_only(self, k):
        made = model_matrix(CentralComposite("rotatable", center=4).lay_out(ranges(k), seed=1), "quadratic").matrix
        inverse = np.linalg.inv(made.T @ made)
        draw = np.random.RandomState(1).normal(size=(20, k))
        points = draw / np.linalg.norm(draw, axis=1, keepdims=True)
        columns = expanded(points, model_terms(ranges(k), "quadratic"))
        variance = np.einsum("ij,jk,ik->i", columns, inverse, columns)
        assert variance == pytest.approx(variance[0])

    def test_blocks_are_orthogonal_to_all_effects(self):
        coded = CentralComposite("orthogonal", center=2, blocks=True).lay_out(ranges(3), seed=1)
        made = model_matrix(coded, "quadratic")
        effects, block = made.effects, made.matrix[:, -1]
        centered = effects[:, 1:] - effects[:, 1:].mean(axis=0)
        assert centered.T @ (block - block.mean()) == pytest.approx(0, abs=1e-9)

    def test_face_and_spherical(self):
        assert np.abs(CentralComposite("face").lay_out(ranges(3), seed=1).rows).max() == 1
        rows = CentralComposite("spherical", center=0).lay_out(ranges(3), seed=1).rows
        assert np.linalg.norm(rows, axis=1) == pytest.approx(math.sqrt(3))

    def test_a_number(self):
        assert CentralComposite(1.2).lay_out(ranges(2), seed=1).rows.max() == 1.2


def test_a_fraction_as_the_cube():
    # 2^(5−1) of resolution V: 16 + 10 + 5 runs
    assert len(CentralComposite(resolution=5).lay_out(ranges(5), seed=1).rows) == 31


def test_refuses_lists_and_one_factor():
    with pytest.raises(InputError, match="needs factors with a range, but 'k' have listed levels"):
        CentralComposite().lay_out([*ranges(2), Axis("k", 3)], seed=1)
    with pytest.raises(InputError, match="at least 2 factors"):
        CentralComposite().lay_out(ranges(1), seed=1)
