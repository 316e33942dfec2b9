"""What holds for many procedures alike: any scale of the scores, and anything given that is no number."""

import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from offenders import for_each

from fairtrial import stats
from fairtrial.errors import InputError
from fairtrial.measures import rmse
from fairtrial.stats.bayes.hierarchical import _folds

A = np.array([0.82, 0.80, 0.86, 0.84, 0.79, 0.91])
B = np.array([0.80, 0.79, 0.81, 0.85, 0.75, 0.88])
FOLDS = [0, 0, 1, 1, 2, 2]
REPEATS = np.array([[0.04, 0.01], [0.02, 0.03], [0.01, 0.05], [0.03, 0.02], [0.02, 0.00]])

WITHOUT_A_UNIT = {
    "paired_t": lambda s: stats.paired_t(s * A, s * B).p_value,
    "corrected_t": lambda s: stats.corrected_t(s * A, s * B, test_share=0.1).p_value,
    "one_sample_t": lambda s: stats.one_sample_t(s * A, s * 0.8).p_value,
    "five_by_two_t": lambda s: stats.five_by_two_t(s * REPEATS).p_value,
    "five_by_two_f": lambda s: stats.five_by_two_f(s * REPEATS).p_value,
    "equivalence": lambda s: stats.equivalence(s * A, s * B, margin=s * 0.05).p_value,
    "non_inferiority": lambda s: stats.non_inferiority(s * A, s * B, margin=s * 0.01).p_value,
    "cv_clt": lambda s: stats.cv_clt(s * A, s * B, folds=FOLDS).p_value,
    "cv_clt within": lambda s: stats.cv_clt(s * A, s * B, folds=FOLDS, spread="within").p_value,
    "paired_permutation": lambda s: stats.paired_permutation(s * A, s * B).p_value,
    "cohen_d": lambda s: stats.cohen_d(s * A, s * B).high,
    "cohen_d average": lambda s: stats.cohen_d(s * A, s * B, by="average").high,
    "cohen_d pooled": lambda s: stats.cohen_d(s * A, s * B, by="pooled").low,
    "cohen_d second": lambda s: stats.cohen_d(s * A, s * B, by="second", hedges=True).low,
    "vargha_delaney": lambda s: stats.vargha_delaney(s * A, s * B).low,
    "bayes_correlated_t": lambda s: stats.bayes_correlated_t(s * A, s * B, test_share=0.1, rope=s * 0.01).right,
    "bayes_signed_rank": lambda s: stats.bayes_signed_rank(s * A, s * B, rope=s * 0.01, draws=100).right,
    "no_information_rate": lambda s: stats.no_information_rate(s * A, s * B, loss="absolute") / s,
    "measure_permutation": lambda s: stats.measure_permutation(s * A, s * B, s * A[::-1], measure="mae").p_value,
}
IN_THEIR_UNIT = {
    "mean_interval": lambda s: stats.mean_interval(s * A),
    "mean_difference": lambda s: stats.mean_difference(s * A, s * B),
    "Welch": lambda s: stats.mean_difference(s * A, s * B[:4], paired=False),
    "cv_interval": lambda s: stats.cv_interval(s * A, folds=FOLDS),
    "paired_t": lambda s: stats.paired_t(s * A, s * B).effect,
    "five_by_two_t": lambda s: stats.five_by_two_t(s * REPEATS).effect,
    "five_by_two_f": lambda s: stats.five_by_two_f(s * REPEATS, level=0.99).effect,
    "bootstrap_interval": lambda s: stats.bootstrap_interval(s * A),
    "bayes_correlated_t": lambda s: stats.bayes_correlated_t(s * A, s * B, test_share=0.1).interval,
}


@for_each("scale", [1e-300, 1e-200, 1e200, 1e300])
class TestAnyScale:
    """Squares of such scores underflow or overflow: the spread would be 0 or infinite, and all be equal or nothing."""

    @for_each("name", WITHOUT_A_UNIT)
    def test_what_has_no_unit_stays(self, name, scale):
        assert WITHOUT_A_UNIT[name](scale) == pytest.approx(WITHOUT_A_UNIT[name](1.0), rel=1e-9)

    @for_each("name", IN_THEIR_UNIT)
    def test_intervals_grow_with_it(self, name, scale):
        found, plain = IN_THEIR_UNIT[name](scale), IN_THEIR_UNIT[name](1.0)
        bounds = [v / scale for v in (found.estimate, found.low, found.high)]
        assert bounds == pytest.approx([plain.estimate, plain.low, plain.high], rel=1e-9)


def test_the_largest_floats_there_are():
    top = np.array([1.7e308, -1.7e308, 1e308, 1.2e308])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert stats.paired_t(top, -top).p_value == pytest.approx(stats.paired_t(top / 1e300, -top / 1e300).p_value)
        assert stats.mean_interval(top).estimate == pytest.approx(0.55e308)


TEN = list(range(10))
CALLS = {
    "level must lie": lambda v: stats.mean_interval(A, level=v),
    "n must be": lambda v: stats.proportion_interval(1, v),
    "successes must be": lambda v: stats.binomial_test(v, 10),
    "p0 must lie": lambda v: stats.proportion_z(1, 10, v),
    "sd must be": lambda v: stats.mean_interval(A, sd=v),
    "test_share must lie": lambda v: stats.corrected_t(A, B, test_share=v),
    "mean0 must be": lambda v: stats.one_sample_t(A, v),
    "replicates must be": lambda v: stats.bootstrap_interval(A, replicates=v),
    "seed must be": lambda v: stats.bootstrap_interval(A, seed=v),
    "apparent must be": lambda v: stats.bootstrap_error(v, 0.2),
    "no_information must be": lambda v: stats.bootstrap_error(0.1, 0.2, v),
    "margin must be": lambda v: stats.equivalence(A, B, margin=v),
    "margin must be a finite number": lambda v: stats.non_inferiority(A, B, margin=v),
    "reference must lie": lambda v: stats.beta_posterior(1, 10, reference=v),
    "rope must be": lambda v: stats.bayes_sign(A, B, rope=v),
    "prior must be": lambda v: stats.bayes_sign(A, B, prior=v),
    "prior must be a number": lambda v: stats.bayes_signed_rank(A, B, prior=v),
    "prior must be one positive": lambda v: stats.beta_posterior(1, 10, prior=v),
    "effective must be": lambda v: stats.bayes_hierarchical([A, B], [B, A], test_share=0.1, rope=0.1, effective=v),
    "pseudo must be": lambda v: stats.bradley_terry([[0, 2], [1, 0]], pseudo=v),
    "effect must be a finite": lambda v: stats.power("sign_test", n=10, effect=v),
    "n must be a number": lambda v: stats.power("paired_t", n=v, effect=0.5),
    "power must lie": lambda v: stats.sample_size("paired_t", effect=0.5, power=v),
    "effect must be finite": lambda v: stats.design_errors(v, 1),
    "repeats must be": lambda v: stats.simulated_power(stats.paired_t, lambda _: (A, B), repeats=v),
}


@for_each("value", ["text", [0.1, 0.2, 0.3, 0.4], 1j], ids=["text", "list", "complex"])
@for_each("said", CALLS)
def test_what_is_no_number_is_refused_by_name(said, value):
    with pytest.raises(InputError, match=f"{said}.*got"):
        CALLS[said](value)


@for_each(
    ("said", "call"),
    [
        ("a must hold numbers", lambda: stats.paired_t(A + 1j, B)),
        ("differences_5x2 must hold numbers", lambda: stats.five_by_two_t("text")),
        ("the table must hold numbers", lambda: stats.mcnemar([[1, 2], [3]])),
        ("wins must hold numbers", lambda: stats.bradley_terry([["a", "b"], ["c", "d"]])),
        ("wins must be a square table", lambda: stats.bradley_terry(3.0)),
        ("losses must hold numbers", lambda: stats.out_of_bag_error([["a"]])),
        ("truth must be a sequence of single values", lambda: stats.auc_interval([[1, 2], [3]], [1, 2])),
        ("scores must be numbers", lambda: stats.auc_interval([0, 0, 1, 1, 0, 1], A + 1j)),
        ("truth must be numbers", lambda: stats.measure_interval(list("abcdef"), A, measure="rmse")),
        ("predictions 2 must be numbers", lambda: stats.paired_bootstrap([0, 1] * 3, A, list("abcdef"), measure="auc")),
        ("models must have the same shape", lambda: stats.measure_permutation([0, 1] * 3, A, [A] * 6, measure="auc")),
        ("folds must hold .* but 1 of 6 is missing", lambda: stats.cv_interval(A, folds=[None, *FOLDS[1:]])),
        ("a and b must have a row of scores", lambda: stats.bayes_hierarchical(None, B, test_share=0.1, rope=0.1)),
        ("truth must have a label in every row", lambda: stats.no_information_rate([None, 1], [1, 1])),
    ],
)  # fmt: skip
def test_arrays_that_are_none_are_refused_by_name(said, call):
    with pytest.raises(InputError, match=said):
        call()


HUGE = 10**400
REFUSED = {
    "a must hold numbers up to 1.8e308": lambda: stats.paired_t([1.0, HUGE], [1, 2]),
    "table must hold numbers up to 1.8e308": lambda: stats.friedman([[1, 2], [3, Fraction(HUGE, 3)]]),
    "truth must be numbers up to 1.8e308": lambda: rmse([1, HUGE], [1, 2]),
    "scores must be numbers, got": lambda: stats.auc_interval([0, 1, 0, 1], [1, 2, Decimal("sNaN"), 3]),
    "sizes and costs must be lists of numbers": lambda: stats.growth([1, HUGE], [1, 2]),
    "level must lie strictly between 0 and 1": lambda: stats.mean_interval(A, level=Fraction(9, 10)),
    "higher_is_better must be True or False, got 'no'": lambda: stats.friedman([A, B], higher_is_better="no"),
    "draws must be at most 1,000,000,000": lambda: stats.friedman([A, B], draws=HUGE),
    "alternative must be": lambda: stats.paired_t(A, B, alternative=["less"]),
    "no adjustment is called": lambda: stats.adjust([0.1], how=["holm"]),
    "no test with a known power is called": lambda: stats.power(["z"], n=3, effect=0.1),
    "groups must be a list of samples": lambda: stats.anova(np.array(3.0)),
    "columns must be a list of columns": lambda: stats.compare_pairs(3.0, [(0, 1)]),
    "pairs must hold the numbers of two": lambda: stats.compare_pairs([A, B], [0, 1]),
    "outcome must be the Outcome of a test, got 3": lambda: stats.details_table(3),
    "generate must be a function": lambda: stats.simulated_power(stats.paired_t, 3),
    "model must be a model of effects": lambda: stats.factorial_anova(A, "depth"),
    "blocks must be a list of 4 blocks": lambda: stats.factorial_model({"x": [1, 2, 1, 2]}, blocks=True),
    "test_share must be the share": lambda: stats.bayes_hierarchical([A], [B], test_share=None, rope=0.1),
}


@for_each("said", REFUSED)
def test_what_no_function_can_use_is_refused_in_words(said):
    with pytest.raises(InputError, match=said):
        REFUSED[said]()


class TestRanksNeedNoSquares:
    GROUPS = (2.9, 3.0, 2.5, 2.6, 3.2), (3.8, 2.7, 4.0, 2.4), (2.8, 3.4, 3.7, 2.2, 2.0)

    @pytest.mark.parametrize("scale", [1e-320, 1e-300, 1e-150, 1e150, 1e300])
    def test_kruskal_and_dunn_take_scores_of_any_size(self, scale):
        groups = [np.array(g) * scale for g in self.GROUPS]
        assert stats.kruskal(groups).p_value == stats.kruskal(self.GROUPS).p_value
        assert stats.dunn(groups).p_adjusted == stats.dunn(self.GROUPS).p_adjusted

    def test_subnormal_scores_do_not_become_ties(self):
        assert stats.kruskal([[1.1e-310, 1.2e-310], [1.3e-310, 1.4e-310]]).details["mean_ranks"] == [1.5, 3.5]

    def test_wilcoxon_of_all_pairs_with_one_huge_score(self):
        table = np.column_stack([A, B])
        table[2, 0] = 1e300
        assert stats.wilcoxon_matrix(table)[0, 1] == stats.wilcoxon(*table.T, interval=False).p_value


@pytest.mark.parametrize("scale", [1e-130, 1e-80, 1e80, 1e130])
def test_repeated_anova_squares_no_variances(scale):
    # sphericity squares the eigenvalues of a covariance matrix: scores to the fourth power
    scores = np.array([[30, 28, 16, 34], [14, 18, 10, 22], [24, 20, 18, 30], [38, 34, 20, 44], [26, 28, 14, 30]])
    found, plain = stats.repeated_anova(scores * scale), stats.repeated_anova(scores)
    for name in ("p_greenhouse_geisser", "p_huynh_feldt", "mauchly_w", "mauchly_p"):
        assert found.details[name] == pytest.approx(plain.details[name], rel=1e-9)


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_nested_cross_validation_at_any_scale(scale):
    rows = [*range(6), 0, 1, 2, 3, 0, 1, 4, 5, 2, 3, 4, 5]
    splits = [0, 0, 1, 1, 2, 2] + [3] * 4 + [4] * 4 + [5] * 4
    losses = np.array([1, 2, 3, 4, 2, 2, 2, 2, 4, 4, 1, 3, 2, 2, 3, 5, 3, 3]) * scale
    found = stats.nested_cv_interval(losses, repeats=[0] * 18, splits=splits, rows=rows, folds=3)
    assert [v / scale for v in (found.estimate, found.low, found.high)] == pytest.approx(
        [2.1667, 0.6219, 3.7115], rel=1e-4
    )


def test_a_rope_that_dwarfs_all_differences_of_the_hierarchical_model():
    rows = [np.full(3, 3e-80), np.full(3, 2e-80)], [np.full(3, 2e-80), np.full(3, 1e-80)]
    found = _folds(*rows, 0.5, 1e80)
    assert found.unit == pytest.approx(1e80)
    assert np.isfinite(found.within).all()


def test_variances_of_equal_huge_scores_are_zero():
    found = stats.variance_shares(np.full((3, 2, 2), 1e300))
    assert [part.estimate for part in found.components] == [0.0, 0.0, 0.0]


def test_the_spread_of_equal_effects_is_zero():
    equal = np.full((8, 3), 0.3e-80)
    assert stats.effects_on_splits(equal, test_share=0.1).spread == (0.0, 0.0, 0.0)
