"""The null distribution of every outcome of every procedure: its tail is the p-value, or a refusal in words."""

from __future__ import annotations

import doctest
import inspect
import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from offenders import for_each
from scipy import stats as scipy_stats

from fairtrial import stats
from fairtrial.errors import InputError
from fairtrial.figures import curve_null, null_distribution_figure
from fairtrial.stats import Outcome
from fairtrial.stats.procedures import BAYES, POWER, PROCEDURES

CURVES = {"normal": scipy_stats.norm, "t": scipy_stats.t, "chi-square": scipy_stats.chi2, "F": scipy_stats.f}
SIDES = ("two-sided", "greater", "less")
TABLE = np.random.default_rng(5).normal([0.8, 0.77, 0.79], 0.03, (8, 3)).round(3)
A, B = TABLE[:, 0], TABLE[:, 1]
LONG = np.random.default_rng(6).normal(0.002, 0.01, (60, 2))
RIGHT = (TABLE > 0.78).astype(int)
GROUPS = [[2.9, 3.0, 2.5, 3.6, 3.2], [3.8, 2.7, 4.0, 4.4], [2.8, 2.4, 1.7, 2.2, 2.0]]


def made_by_examples(name: str, monkeypatch: pytest.MonkeyPatch) -> list[Outcome]:
    """All outcomes that the examples of a procedure's docstring make, also on the way to others."""
    function, found, finish = PROCEDURES[name].function, [], Outcome.__post_init__
    monkeypatch.setattr(Outcome, "__post_init__", lambda outcome: found.append(outcome) or finish(outcome))
    space = inspect.unwrap(function).__globals__ | vars(stats)
    for example in doctest.DocTestParser().get_examples(function.__doc__ or ""):
        exec(compile(example.source, name, "single"), space)
    return found


def tail(outcome: Outcome, x: float) -> float:
    """The p-value of a statistic, by scipy's distributions or by the probabilities themselves."""
    null = outcome.null_distribution
    side = null.side or outcome.alternative
    if null.chances is None:
        df = null.df if isinstance(null.df, tuple) else (null.df,)
        law = scipy_stats.norm if df == (math.inf,) else CURVES[null.name](*df)
        upper, lower = float(law.sf(x)), float(law.cdf(x))
        if null.name in ("chi-square", "F"):
            return upper
    else:
        values, chances = null.chances()
        assert chances.sum() == pytest.approx(1)
        assert (np.diff(values) > 0).all()
        near = 1e-9 * np.ptp(values)
        at = float(chances[np.abs(values - x) <= near].sum())
        half = at / 2 if null.tails == "mid-p" else 0.0
        upper, lower = (float(chances[part].sum()) - half for part in (values >= x - near, values <= x + near))
        if null.tails == "least likely" and side == "two-sided":
            return float(chances[chances <= at * (1 + 1e-7)].sum())
    return {"greater": upper, "less": lower}.get(side, min(2 * min(upper, lower), 1.0))


def check(outcome: Outcome) -> bool:
    """Whether the outcome has a picture, which then agrees with its p-value at every level and from either method."""
    pickle.loads(pickle.dumps(outcome))
    try:
        data = curve_null(outcome)
    except InputError:
        return False
    null = outcome.null_distribution
    observed = outcome.statistic if null.observed is None else null.observed
    near = 1e-4 if outcome.test == "Paired permutation" and outcome.n > 18 else 1e-12  # sums on a grid
    assert tail(outcome, observed) == pytest.approx(outcome.p_value, rel=1e-9, abs=near)
    if data.discrete:
        assert sum(data.heights) == pytest.approx(1)
    for alpha in (0.3, 0.05, 0.01, 0.001):
        if abs(outcome.p_value - alpha) > near:
            for sign in (1, -1):
                assert curve_null(outcome, alpha=alpha, sign=sign).rejected == (outcome.p_value < alpha)
    return True


@for_each("name", [name for name, p in PROCEDURES.items() if p.question not in (BAYES, POWER)])
def test_every_outcome_of_its_examples_is_drawn_or_refused(name: str, monkeypatch) -> None:
    for outcome in made_by_examples(name, monkeypatch):
        check(outcome)


DRAWN = [
    *(stats.mcnemar([[50, 30], [12, 8]], method=m, alternative=s)
      for m in ("exact", "mid-p", "chi-square", "chi-square-corrected") for s in SIDES),
    *(stats.binomial_test(9, 12, 0.4, method=m, alternative=s) for m in ("exact", "doubled") for s in SIDES),
    *(f(A, B, alternative=s) for f in (stats.wilcoxon, stats.sign_test, stats.paired_t, stats.paired_permutation)
      for s in SIDES),
    *(stats.wilcoxon([3, 5, 2, 6, 4, 9, 8], [1, 4, 2, 3, 8, 4, 2], zeros=z) for z in ("drop", "pratt", "split")),
    *(stats.wilcoxon(A, B, method="asymptotic", alternative=s) for s in SIDES),
    *(stats.paired_permutation(*LONG[:n].T, alternative=s) for n in (12, 60) for s in SIDES),
    stats.paired_permutation(*LONG[:25].T),
    stats.paired_permutation(RIGHT[:, 0], RIGHT[:, 1], method="monte-carlo"),
    *(stats.equivalence(A, B, margin=m) for m in (0.01, 0.03, (-0.5, 0.03), (0.0, 0.1))),
    *(stats.non_inferiority(A, B, margin=0.02, higher_is_better=h) for h in (True, False)),
    *(stats.friedman(TABLE, method=m) for m in ("exact", "monte-carlo", "chi-square", "iman-davenport")),
    stats.friedman(TABLE.round(1)),
    *(stats.aligned_friedman(TABLE, method=m) for m in ("exact", "monte-carlo", "chi-square")),
    *(stats.quade(TABLE, method=m) for m in ("exact", "monte-carlo", "f")),
    *(stats.cochran_q(RIGHT, method=m) for m in ("exact", "monte-carlo", "chi-square")),
    *(stats.kruskal(GROUPS, method=m) for m in ("exact", "chi-square")),
    stats.kruskal([[1, 1, 2], [2, 3, 3], [3, 1, 3]]),
    stats.better_on_how_many([0.001, 0.20, 0.004], combine="fisher"),
    *stats.dunnett(GROUPS, control=0, alternative="less").outcomes,
    *stats.pairwise(TABLE).outcomes,
    *stats.pairwise(TABLE, test="quade").outcomes,
    stats.delong([0, 0, 1, 1, 1, 0], [1, 3, 2, 4, 5, 2], [2, 1, 4, 3, 5, 3]),
]  # fmt: skip


@pytest.mark.slow
@for_each("outcome", DRAWN, ids=lambda o: f"{o.test}, {o.method}, {o.alternative}")
def test_every_form_of_a_test_has_its_own_distribution(outcome: Outcome) -> None:
    assert check(outcome)


REFUSED = [
    stats.better_on_how_many([0.001, 0.20, 0.004]),
    stats.paired_bootstrap([1, 0] * 9, [1, 0] * 9, [1, 1] * 9, replicates=99),
    stats.equivalent_over_datasets(A, B, margin=0.1),
    stats.paired_t([1, 2, 3], [1, 2, 3]),
    stats.wilcoxon([1, 2, 3], [1, 2, 3]),
    stats.mcnemar([[5, 0], [0, 5]]),
    stats.mcnemar([[5, 0], [0, 5]], method="chi-square"),
    stats.paired_permutation([1, 2], [1, 2]),
    stats.friedman([[1, 1], [2, 2]]),
    stats.kruskal([[1, 1], [1, 1]]),
    stats.quade([[1, 2, 3], [1, 2, 3]], method="f"),
]


@for_each("outcome", REFUSED, ids=lambda o: f"{o.test}, {o.method}")
def test_others_are_refused_in_words(outcome: Outcome) -> None:
    with pytest.raises(InputError, match=r"has no null distribution that could be drawn|is undefined|only one value"):
        outcome.figure()


def test_the_figure_of_an_outcome() -> None:
    outcome = stats.mcnemar([[50, 30], [12, 8]], method="chi-square-corrected")
    data = curve_null(outcome, alpha=0.01)
    assert data.statistic == "χ² (1 degree of freedom)"
    assert (math.isnan(data.low), data.high) == (True, pytest.approx(scipy_stats.chi2(1).isf(0.01)))
    assert data.heights == pytest.approx(scipy_stats.chi2(1).pdf(data.values))
    for figure in (outcome.figure(alpha=0.01), null_distribution_figure(outcome)):
        assert figure.axes[0].get_xlabel() == "χ² (1 degree of freedom)"


def test_an_own_outcome_without_a_distribution_is_refused() -> None:
    with pytest.raises(InputError, match="'Mine' has no null distribution"):
        Outcome("Mine", "nothing", 1.0, 0.5, 3, method="own").figure()
    with pytest.raises(InputError, match="level"):
        replace(DRAWN[0]).figure(alpha=2)
