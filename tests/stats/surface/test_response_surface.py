import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import NaturalRange, best_on_surface, response_surface, stationary_point, steepest_path

SOURCE = Path(__file__).parents[2] / "golden" / "surfaces.json"
CASES = {case["id"]: case for case in json.loads(SOURCE.read_text(encoding="utf-8"))["cases"]}
FACE = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
rows = st.lists(st.lists(st.integers(-40, 40), min_size=9, max_size=9), min_size=2, max_size=6)


def height(x, y):
    """A surface with a maximum at (0.5, −0.25): slopes 2 − 4x + … are zero there."""
    return 10 - 2 * (x - 0.5) ** 2 - (y + 0.25) ** 2 + (x - 0.5) * (y + 0.25)


@pytest.mark.parametrize("name", CASES)
class TestAgainstRsm:
    """R 4.2.2 with rsm's functions; versions and calls are in tests/golden/surfaces.json."""

    def test_coefficients_and_analysis_of_variance(self, name):
        case = CASES[name]
        blocks = case.get("blocks")
        found = response_surface(case["design"], case["y"], order=case["order"], blocks=blocks)
        labels = found.terms.labels[1 if blocks else 0 :]
        assert [found[label].estimate for label in labels] == pytest.approx(case["coefficients"], rel=1e-8, abs=1e-10)
        own = [found.error(np.eye(len(found.coefficients))[found.terms.labels.index(label)]) for label in labels]
        assert own == pytest.approx(case["errors"], rel=1e-8)
        upper = found.anova.sources[: len(case["anova_df"])]
        assert [s.df for s in upper] == case["anova_df"]
        assert [s.squares for s in upper] == pytest.approx(case["anova_squares"], rel=1e-7, abs=1e-9)
        tested = [s for s in upper if s.error]
        assert [s.f for s in tested] == pytest.approx([f for f in case["anova_f"] if f is not None], rel=1e-7)
        assert [s.p_value for s in tested] == pytest.approx([p for p in case["anova_p"] if p is not None], rel=1e-7)
        lack, pure = found.lack_of_fit, found.anova["pure error"]
        assert [lack.df, lack.squares, lack.f, lack.p_value] == pytest.approx(case["lack_of_fit"], rel=1e-7)
        assert [pure.df, pure.squares] == pytest.approx(case["pure_error"], rel=1e-7)
        assert found.anova.explained == pytest.approx(case["r2"])

    def test_stationary_point_and_path(self, name):
        case = CASES[name]
        found = response_surface(case["design"], case["y"], order=case["order"], blocks=case.get("blocks"))
        if case["order"] == 2:
            top = stationary_point(found)
            assert top.point.tolist() == pytest.approx(case["stationary"], rel=1e-7)
            assert [v.estimate for v in top.eigenvalues] == pytest.approx(case["eigenvalues"], rel=1e-7)
            assert np.abs(top.directions[:, 0]).tolist() == pytest.approx(case["first_vector"], rel=1e-6)
        path = steepest_path(found, distances=case["distances"], goal=case["goal"])
        assert path.points == pytest.approx(np.array(case["path"]), abs=6e-4)  # R's are rounded to 3 digits


class TestByHand:
    def test_a_surface_without_error_is_found_again(self):
        found = response_surface(FACE, [height(x, y) for x, y in FACE], names=["x", "y"])
        # 10 − 2(x² − x + ¼) − (y² + y/2 + 1/16) + xy + x/4 − y/2 − 1/8
        expected = [10 - 0.5 - 1 / 16 - 1 / 8, 2.25, -1.0, 1.0, -2.0, -1.0]
        assert [found[label].estimate for label in found.terms.labels] == pytest.approx(expected)
        assert stationary_point(found).point.tolist() == pytest.approx([0.5, -0.25])
        assert found.predict([0.5, -0.25]).estimate == pytest.approx(10)

    def test_over_data_sets_errors_are_those_of_the_coefficients(self):
        # y = a + b x with (a, b) = (1, 2), (3, 4), (2, 9): mean of b 5, sd sqrt(13), error sqrt(13 / 3)
        x = [-1, 0, 1]
        found = response_surface({"x": x}, [[a + b * v for v in x] for a, b in ((1, 2), (3, 4), (2, 9))], order=1)
        assert (found["x"].estimate, found.df) == (pytest.approx(5), 2)
        error = math.sqrt(13 / 3)
        assert found["x"].high - 5 == pytest.approx(4.302653 * error, rel=1e-6)  # R 4.2.2: qt(0.975, 2)
        assert found.rows_at([1]).tolist() == pytest.approx([3, 7, 11])

    def test_splits_have_the_corrected_variance(self):
        # three splits with a quarter of the training size for testing: 1/3 + 1/4 instead of 1/3
        x = [-1, 0, 1]
        y = [[a + b * v for v in x] for a, b in ((1, 2), (3, 4), (2, 9))]
        plain = response_surface({"x": x}, y, order=1)
        corrected = response_surface({"x": x}, y, order=1, test_share=0.2)
        weights = np.array([0.0, 1.0])
        assert corrected.error(weights) / plain.error(weights) == pytest.approx(math.sqrt((1 / 3 + 1 / 4) * 3))
        assert corrected.anova["first order"].f == pytest.approx(plain.anova["first order"].f / (1 + 3 / 4))
        assert corrected.anova.sources[0].name == "splits"

    def test_lack_of_fit_over_data_sets(self):
        # a plane through 0, 3, 0 (and 0, 1, 0): the middle lies above by 3 and 1, mean 2, of which t² = 4 over 2/2
        found = response_surface({"x": [-1, 0, 1]}, [[0, 3, 0], [0, 1, 0]], order=1)
        assert found.lack_of_fit.f == pytest.approx(4)
        assert (found.lack_of_fit.df, found.lack_of_fit.error) == (1, "lack of fit × data sets")

    def test_logits(self):
        x = np.array([-1.0, 0.0, 1.0])
        share = 1 / (1 + np.exp(-(1 + 2 * x)))
        found = response_surface({"x": x}, share, order=1, scale="logit")
        assert found.coefficients.tolist() == pytest.approx([1, 2])
        assert found.predict([0.5]).estimate == pytest.approx(1 / (1 + math.exp(-2)))
        assert "logit" in found.notes[-1]
        assert 0 < found.predict([4.0]).estimate <= 1

    def test_blocks_are_removed(self):
        y = [height(a, b) + (5 if i % 2 else 0) for i, (a, b) in enumerate(FACE * 2)]
        found = response_surface(FACE * 2, y, blocks=[i % 2 for i in range(18)])
        assert found["x1"].estimate == pytest.approx(2.25)
        assert found.anova["residual"].squares == pytest.approx(0, abs=1e-9)

    def test_natural_units(self):
        ranges = {"C": NaturalRange(0.01, 100, log=True), "depth": NaturalRange(2, 12)}
        found = response_surface({"C": [-1, 1, -1, 1, 0], "depth": [-1, -1, 1, 1, 0]}, [1, 2, 3, 4, 2.6], order=1,
                                 ranges=ranges)  # fmt: skip
        assert found.natural([0.5, 1]) == {"C": pytest.approx(10), "depth": pytest.approx(12)}


class TestProperties:
    @settings(max_examples=12, deadline=None)
    @given(rows)
    def test_the_mean_surface_is_the_mean_of_the_surfaces(self, values):
        whole = response_surface(FACE, values)
        each = [response_surface(FACE, row).coefficients for row in values]
        assert whole.coefficients == pytest.approx(np.mean(each, axis=0), abs=1e-8)
        assert whole.heights_at(FACE).mean() == pytest.approx(np.mean(values), abs=1e-8)  # residuals add up to zero

    @settings(max_examples=12, deadline=None)
    @given(rows, st.sampled_from([1e-150, 1e-6, 1e5, 1e140]))
    def test_another_unit_changes_no_place_and_no_test(self, values, unit):
        one, other = (response_surface(FACE, np.array(values) * u) for u in (1.0, unit))
        assert other.coefficients == pytest.approx(one.coefficients * unit, rel=1e-6, abs=1e-9 * unit)
        for a, b in zip(one.anova.sources, other.anova.sources, strict=True):
            assert a.f == pytest.approx(b.f, rel=1e-6, nan_ok=True)
        assert other.heights_at(best_on_surface(other).point[None]) == pytest.approx(
            one.heights_at(best_on_surface(one).point[None]) * unit, rel=1e-5, abs=1e-6 * unit
        )

    def test_sums_of_squares_add_up(self):
        found = response_surface(FACE * 2, np.random.default_rng(4).normal(size=18)).anova
        upper = [s.squares for s in found.sources if not s.stratum]
        assert sum(upper) == pytest.approx(found.total.squares)
        assert found["lack of fit"].squares + found["pure error"].squares == pytest.approx(found["residual"].squares)


class TestUndefined:
    def test_no_degrees_of_freedom(self):
        found = response_surface({"x": [-1, 0, 1]}, [1.0, 3.0, 2.0])
        assert math.isnan(found["x"].low)
        assert found["x"].estimate == pytest.approx(0.5)
        assert "nothing is left" in found.notes[0]
        assert found.lack_of_fit is None

    def test_one_data_set(self):
        found = response_surface({"x": [-1, 0, 0.5, 1]}, [[1.0, 3.0, 2.5, 2.0]])
        assert math.isnan(found.predict([0.0]).low)
        assert "one row" in found.notes[0]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"design": {"x": [-1, 1, -1, 1]}, "values": [1, 2, 3, 4]}, "not middle and x²"),
            ({"design": {"x": [-1, 0, 1]}, "values": [1, 2]}, "one for each of the 3 rows"),
            ({"design": {"x": [-1, 0, 1]}, "values": [1, math.nan, 2]}, "must be finite"),
            ({"design": {"x": ["a", "b", "c"]}, "values": [1, 2, 3]}, "must be a number in every setting"),
            ({"design": {"x": [-1, None, 1]}, "values": [1, 2, 3]}, "must be a number in every setting"),
            ({"design": {"x": [-1, 0, 1]}, "values": [0.1, 1.0, 0.5], "scale": "logit"}, "strictly between 0 and 1"),
            ({"design": {"x": [-1, 0, 1]}, "values": [1, 2, 3], "order": 3}, "order must be 1"),
            ({"design": {"x": [-1, 0, 1]}, "values": [1, 2, 3], "scale": "log"}, "scale must be"),
            ({"design": {"x": [-1, 0, 1]}, "values": [1, 2, 3], "test_share": 0.1}, "test_share is for a table"),
            ({"design": {"x": [-1, 0, 1]}, "values": [[1, 2, 3]], "blocks": [1, 1, 2]}, "blocks are for a list"),
            ({"design": {"x": [-1, 0, 0, 1]}, "values": [[1, 2, 3, 4]]}, "each setting once"),
            ({"design": {"x": [-1, 0, 1]}, "values": [1, 2, 3], "ranges": {"y": NaturalRange(0, 1)}}, "ranges must"),
            ({"design": {"x": [-1, 0, 1, 1]}, "values": [1, 2, 3, 4], "blocks": [1, 2]}, "one block for each of the 4"),
        ],
    )
    def test_says_what_was_wrong(self, arguments, message):
        with pytest.raises(InputError, match=message):
            response_surface(**arguments)
