import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial import stats
from fairtrial.errors import InputError
from fairtrial.stats.factorial.lenth import ONE_SPLIT

# Montgomery's filtration rate experiment, example 6.2, in standard order of A, B, C, D
FILTRATION = [45, 71, 48, 65, 68, 60, 80, 65, 43, 100, 45, 104, 75, 86, 70, 96]
DESIGN = {name: [1 if i >> place & 1 else -1 for i in range(16)] for place, name in enumerate("ABCD")}
lenth = stats.lenth


class TestLenth:
    def test_montgomery(self):
        # Montgomery, section 6.5: PSE 2.625, ME 6.748, SME 13.699; active A, C, D, AC, AD by ME
        found = lenth(stats.factorial_model(DESIGN, interactions=None).values([FILTRATION]))
        assert found.effects[0] == 21.625
        assert found.error == 2.625
        assert found.t_margins == pytest.approx((6.748, 13.699), abs=5e-4)
        single = [name for name, p in zip(found.names, found.p_values, strict=True) if p < 0.05]
        assert single == ["A", "C", "D", "A × C", "A × D"]

    def test_simulated_margins(self):
        # R 4.2.2, 40,000 experiments of 15 effects, set.seed(1): critical ratios 2.158 (one effect), 4.247 (all)
        found = lenth(stats.factorial_model(DESIGN, interactions=None).values([FILTRATION]))
        assert found.margin == pytest.approx(2.158 * 2.625, rel=0.01)
        assert found.joint_margin == pytest.approx(4.247 * 2.625, rel=0.015)
        assert found.margin < found.t_margins[0]  # Lenth's own are conservative
        assert found.joint_margin < found.t_margins[1]
        assert [n for n, a in zip(found.names, found.active(), strict=True) if a] == ["A", "D", "A × C", "A × D"]

    def test_margins_agree_with_p(self):
        found = lenth(stats.factorial_model(DESIGN, interactions=None).values([FILTRATION]))
        for effect, interval, p in zip(found.effects, found.intervals(), found.p_joint, strict=True):
            assert (abs(effect) > found.joint_margin) == (p < 0.05) == (0 not in interval)

    def test_half_normal_quantiles(self):
        # R 4.2.2: qnorm(0.5 + 0.5 * (1:3 - 0.5) / 3) is 0.2104284 0.6744898 1.3829941; sizes 1, 2, 5
        assert lenth([-5.0, 1.0, 2.0]).quantiles == pytest.approx((1.3829941, 0.2104284, 0.6744898))

    @settings(max_examples=30, deadline=None)
    @given(st.lists(st.integers(1, 40), min_size=7, max_size=7, unique=True), st.floats(1e-6, 1e6))
    def test_scale_and_signs_do_not_matter(self, sizes, scale):
        values = np.array(sizes, dtype=float)
        plain = lenth(values)
        other = lenth(-scale * values)
        assert other.ratios == pytest.approx(plain.ratios)
        assert other.p_joint == pytest.approx(plain.p_joint, abs=1e-4)
        assert all(joint >= single - 1e-3 for joint, single in zip(plain.p_joint, plain.p_values, strict=True))

    def test_no_effect_at_all(self):
        found = lenth(np.zeros(7))
        assert found.error == 0
        assert np.isnan([*found.p_joint, found.margin]).all()
        assert "all effects are zero" in found.notes[0]
        assert not found.active().any()

    def test_mostly_zero(self):
        found = lenth([0, 0, 0, 0, 1, 2, 3])
        assert np.isnan(found.p_joint).all()
        assert "half or more of the effects are zero" in found.notes[0]

    def test_says_that_one_split_says_nothing_about_others(self):
        assert lenth([1, 2, 3]).notes == (ONE_SPLIT,)

    def test_huge_and_tiny(self):
        assert lenth(np.array([1, 2, 3, 90.0]) * 1e300).ratios == pytest.approx(lenth([1, 2, 3, 90]).ratios)
        assert lenth(np.array([1, 2, 3, 90.0]) * 1e-300).ratios == pytest.approx(lenth([1, 2, 3, 90]).ratios)

    def test_prints(self):
        found = lenth([1, 2, 3, 90.0])
        assert ONE_SPLIT in str(found)
        assert "<0.001" in str(lenth([1, 2, 3, 4, 5, 6, 9e9]))
        json.dumps(found.to_dict())

    @pytest.mark.parametrize(
        ("effects", "says"),
        [
            ([1, 2], "at least 3, all effects of one experiment, got 2"),
            ([[1, 2, 3], [4, 5, 6]], "those of one split, got 2 rows; for several splits use effects_on_splits"),
            ([1, 2, np.nan], "must be finite"),
        ],
    )
    def test_says_what_is_wrong(self, effects, says):
        with pytest.raises(InputError, match=says):
            lenth(effects)


def test_effects_of_different_precision_are_refused():
    three = stats.factorial_model({"k": ["a", "b", "c"] * 2, "d": [-1, 1] * 3})
    with pytest.raises(InputError, match="must all have the same standard error"):
        lenth(three.values([[1, 2, 3, 4, 5, 7]]))


def test_every_effect_of_a_two_level_design_takes_part():
    cube = np.array(list(itertools.product([-1, 1], repeat=5)))
    assert len(stats.factorial_model(cube, interactions=None).contrasts) == 31
