"""Effects in any unit: squares of very large or small scores overflow or underflow, and the tests must not notice."""

import numpy as np
import pytest
from offenders import for_each

from fairtrial import stats

MODEL = stats.factorial_model({"A": [-1, 1, -1, 1], "B": [-1, -1, 1, 1]})
SCORES = np.random.default_rng(4).normal(size=(8, 3, 4)) + np.array([0, 2, 0, 2])
CELLS = SCORES.mean(axis=1)
WITHOUT_A_UNIT = {
    "over data sets": lambda s: stats.effects_over_datasets(MODEL.values(s * CELLS)).p_adjusted,
    "on splits": lambda s: stats.effects_on_splits(MODEL.values(s * CELLS), test_share=0.1).p_adjusted,
    "lenth": lambda s: stats.lenth(MODEL.values(s * CELLS[:1])).ratios,
    "strata": lambda s: [source.f for source in stats.strata_anova(s * SCORES, MODEL).sources if source.error],
    "anova": lambda s: [x.f for x in stats.factorial_anova(s * CELLS[0], ADDITIVE).sources if x.error],
    "residuals": lambda s: stats.factorial_anova(s * CELLS[0], ADDITIVE).residuals.standardised,
    "shares": lambda s: stats.variance_shares(s * SCORES).shares,
    "power": lambda s: stats.effect_power(MODEL.values(s * CELLS), smallest=s).needed,
}
ADDITIVE = stats.factorial_model({"A": [-1, 1, -1, 1], "B": [-1, -1, 1, 1]}, interactions=1)


@for_each("scale", [1e-300, 1e-200, 1e200, 1e300])
@for_each("name", WITHOUT_A_UNIT)
def test_the_unit_does_not_matter(name, scale):
    assert WITHOUT_A_UNIT[name](scale) == pytest.approx(WITHOUT_A_UNIT[name](1.0), rel=1e-6)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_intervals_have_the_unit(scale):
    plain = stats.effects_over_datasets(MODEL.values(CELLS))
    found = stats.effects_over_datasets(MODEL.values(scale * CELLS))
    assert [i.low / scale for i in found.intervals] == pytest.approx([i.low for i in plain.intervals], rel=1e-6)
    assert [s / scale for s in found.spread] == pytest.approx(plain.spread)
    means = stats.strata_anova(scale * SCORES, MODEL).effects
    assert means[0].high / scale == pytest.approx(stats.strata_anova(SCORES, MODEL).effects[0].high)
