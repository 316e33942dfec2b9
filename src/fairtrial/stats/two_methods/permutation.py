"""Permutation tests of two methods, which swap the scores of a pair or the predictions for an instance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.bibliography import FISHER_1935, HARTIGAN_1969, PHIPSON_SMYTH_2010, YEH_2000
from fairtrial.stats.distributions.replicates import check_replicates, chunks, drawn_subsets
from fairtrial.stats.distributions.resampled_measures import (
    LabelCounts,
    Losses,
    ModelPredictions,
    model_predictions,
    resampled_measure,
)
from fairtrial.stats.distributions.signed_rank import agree_at_zero, signed_rank_tail, subset_chances
from fairtrial.stats.distributions.tail import Tail, tail_share
from fairtrial.stats.one_method.measure_interval import check_defined
from fairtrial.stats.outcome import Alternative, Chances, Interval, Null, Outcome, check_alternative, check_level
from fairtrial.stats.procedures import INSTANCES, PAIRS, TWO_METHODS, procedure
from fairtrial.stats.score_arrays import Differences, FloatArray, IntArray, differences, paired_scores
from fairtrial.words import is_one_of, part_of, verb

WORKS = (FISHER_1935, HARTIGAN_1969, PHIPSON_SMYTH_2010)
WORKS_SWAPPED = (PHIPSON_SMYTH_2010, YEH_2000)
NULL = "the two scores of each pair are exchangeable"
NULL_SWAPPED = "the two models' predictions are exchangeable on each instance"

LISTED = 18  # differences: up to here all sign patterns, 2**18, are listed
HALVED = 40  # differences: up to here sign patterns are listed in two halves of 2**20 each, in about half a second
MOST_SUMS = 10**6  # different sums of subsets in a null distribution
MOST_STEPS = 10**8  # steps of counting subsets by their sums: about 0.1 s
OwnMeasure = Callable[..., float]


class PermutationResult(NamedTuple):
    """A p-value, its Monte Carlo error, the method, the bounds of the mean difference, notes, and the smallest p."""

    tail: Tail
    error: float
    method: str
    bounds: tuple[float, float]
    notes: tuple[str, ...] = ()
    floor: float = 0.0


@procedure(question=TWO_METHODS, null=NULL, assumes=PAIRS, references=WORKS, test="Paired permutation")
def paired_permutation(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    method: Literal["auto", "exact", "monte-carlo"] = "auto",
    replicates: int = 9999,
    seed: int = 0,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""Fisher's permutation test of the mean difference of paired scores.

    Null hypothesis: the two scores of each pair are exchangeable, so that the differences :math:`d_i = a_i - b_i` are
    symmetric about zero.

    Swapping the scores of a pair changes the sign of its difference. All :math:`2^n` patterns of signs are equally
    likely under the null hypothesis, so that

    .. math:: p = \frac{\#\{s \in \{-1, 1\}^n : \sum_i s_i d_i \ge \sum_i d_i\}}{2^n}

    for ``greater``. The two-sided p-value compares absolute sums and equals twice the smaller tail. The observed
    pattern is one of the patterns, so that p is never 0. Ties and zero differences need no special treatment.

    ``method``: ``exact`` lists all patterns for up to 18 pairs. For more pairs it counts the patterns by their sums,
    if the scores lie on a grid (as accuracies and 0/1 losses do), or combines two halves, for up to 40 differences.
    ``monte-carlo`` draws ``replicates`` patterns: :math:`p = (1 + \text{as extreme}) / (1 + \text{drawn})`, with its
    standard error in ``p_error``. ``auto`` is exact wherever that is possible.

    The effect is the mean difference. Its interval contains the shifts that the same test does not reject. A pattern
    that flips the signs of a set F is as extreme at the shift δ if the mean difference in F is at most δ, so that the
    bounds are quantiles of the means of all subsets (Hartigan's typical values). If the p-value is counted by sums, the
    bounds come from random subsets.

    **Pairs must be independent of each other**: losses of instances (for two fitted models) or data sets, not folds.

    References: Fisher (1935), The Design of Experiments; Hartigan (1969), doi:10.1080/01621459.1969.10501057;
    Phipson & Smyth (2010), doi:10.2202/1544-6115.1585.

    >>> outcome = paired_permutation([3, 5, 4, 6, 9, 4], [5, 4, 3, 5, 5, 1])   # differences −2 1 1 1 4 3
    >>> outcome.p_value, outcome.method, outcome.effect.estimate
    (0.25, 'exact', 1.3333)
    """
    if not is_one_of(method, ("auto", "exact", "monte-carlo")):
        raise UnknownName.among("permutation test", method, ("auto", "exact", "monte-carlo"))
    check_alternative(alternative)
    check_level(level)
    check_replicates(replicates, seed)
    d = _summable(differences(*paired_scores(a, b)))
    found = _sign_flips(d, method, replicates, seed, alternative, level)
    mean = float(d.value(float(d.whole.mean())))
    return Outcome(
        test="Paired permutation",
        null=NULL,
        statistic=mean,
        p_value=found.tail.value,
        log10_p=found.tail.log10,
        p_error=found.error,
        p_floor=found.floor,
        n=len(d.whole),
        alternative=alternative,
        method=found.method,
        null_distribution=_flip_null(d, found.method, replicates, seed),
        effect=Interval("mean difference", mean, *found.bounds, level, "subset means"),
        notes=found.notes,
        details={"zeros": int((d.whole == 0).sum())},
    )


def _summable(d: Differences) -> Differences:
    """The differences with fewer digits, if needed, so that all their sums fit into 64 bits."""
    excess = math.fsum(np.abs(d.whole.astype(np.float64))) / 2**62
    digits = max(math.ceil(math.log10(excess)), 0) if excess > 0 else 0
    return Differences(np.rint(d.whole / 10.0**digits).astype(np.int64), d.exponent + digits) if digits else d


def _sign_flips(
    d: Differences, method: str, replicates: int, seed: int, alternative: Alternative, level: float
) -> PermutationResult:
    """The permutation test of the differences, exact or Monte Carlo."""
    whole, other = d.whole, d.whole[d.whole != 0]
    if not len(other):
        return PermutationResult(Tail(1.0, 0.0), 0.0, "exact", (0.0, 0.0), ("all differences are zero",))
    if method != "monte-carlo" and len(whole) <= LISTED:
        sums, sizes = _all_subsets(whole)
        return _from_subsets(d, sums, sizes, 2 ** len(whole), alternative, level, exact=True)
    tail = None if method == "monte-carlo" else _exact_tail(other, alternative)
    if method == "exact" and tail is None:
        raise InputError(
            f"method 'exact' needs at most {HALVED} nonzero differences, or differences on a grid, got {len(other)}; "
            "use 'monte-carlo' or 'auto'"
        )
    sums, sizes = drawn_subsets(whole, replicates, seed)
    drawn = _from_subsets(d, sums, sizes, replicates + 1, alternative, level, exact=False)
    if tail is None:
        return drawn
    positive = bool(other.sum() > 0)
    bounds = agree_at_zero(drawn.bounds, rejected=tail.value < 1 - level, positive=positive, least=d.value(0.25))
    note = "p is exact; the bounds of the interval are from randomly drawn subsets"
    return PermutationResult(tail, 0.0, "exact", bounds, (note,))


def _flip_null(d: Differences, method: str, replicates: int, seed: int) -> Null:
    """The mean difference under all patterns of signs, or under the random ones of the p-value.

    Sums of subsets that are too many to be listed are counted on a grid of a millionth of the largest one.
    """
    name, n, total = "mean difference", len(d.whole), int(np.abs(d.whole).sum())
    grid = max(int(np.gcd.reduce(d.whole)), -(-total // MOST_SUMS), 1)
    if method != "exact":
        name += f", from {replicates:,} random flips of signs"
        return Null(name, chances=partial(_flip_chances, d, replicates, seed))
    if n <= LISTED and (d.whole % grid).any():
        return Null(name, chances=partial(_flip_chances, d))
    ranks, unit = np.rint(np.abs(d.whole) / grid).astype(np.int64), d.value(float(grid)) / n
    return Null(name, chances=partial(subset_chances, ranks, 2 * unit, -unit * int(ranks.sum())))


def _flip_chances(d: Differences, replicates: int = 0, seed: int = 0) -> Chances:
    sums, _ = drawn_subsets(d.whole, replicates, seed) if replicates else _all_subsets(d.whole)
    means, counts = np.unique(d.whole.sum() - 2 * np.append(sums, 0), return_counts=True)
    return np.asarray(d.value(1.0) * means / len(d.whole)), counts / counts.sum()


def _exact_tail(other: IntArray, alternative: Alternative) -> Tail | None:
    """The exact p-value, by counting subsets by their sums or from two listed halves; None if both take too long."""
    whole = other // int(np.gcd.reduce(other))
    if len(whole) * (int(np.abs(whole).sum()) // 2) <= MOST_STEPS:
        return _counted(whole, alternative)
    return _halved(whole, alternative) if len(whole) <= HALVED else None


def _counted(whole: IntArray, alternative: Alternative) -> Tail:
    """The p-value by counting subsets by their sums.

    Flipping the signs of a set F lowers the total by twice the sum of F. So the patterns as extreme as the observed one
    are the subsets of absolute differences whose sum is at most that of the negative ones.
    """
    ranks, positive = np.abs(whole), int(whole[whole > 0].sum())
    negative = int(ranks.sum()) - positive
    small = {"greater": negative, "less": positive, "two-sided": min(positive, negative)}[alternative]
    tail = signed_rank_tail(ranks, small)
    return tail.doubled() if alternative == "two-sided" else tail


def _halved(whole: IntArray, alternative: Alternative) -> Tail:
    """The p-value by counting subsets with a sum of at most 0, from the sorted subset sums of two halves."""
    sums = [np.sort(np.append(_all_subsets(part)[0], 0)) for part in (whole[::2], whole[1::2])]
    counts = {
        "greater": int(np.searchsorted(sums[1], -sums[0], "right").sum()),
        "less": int((len(sums[1]) - np.searchsorted(sums[1], -sums[0], "left")).sum()),
    }
    fewest = min(counts.values()) if alternative == "two-sided" else counts[alternative]
    p = fewest / 2 ** len(whole)
    tail = Tail(p, math.log10(p))
    return tail.doubled() if alternative == "two-sided" else tail


def _all_subsets(whole: IntArray) -> tuple[IntArray, IntArray]:
    """The sum and size of every subset except the empty one."""
    sums, sizes = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for value in whole:
        sums, sizes = np.concatenate([sums, sums + value]), np.concatenate([sizes, sizes + 1])
    return sums[1:], sizes[1:]


def _from_subsets(
    d: Differences,
    sums: IntArray,
    sizes: IntArray,
    patterns: int,
    alternative: Alternative,
    level: float,
    *,
    exact: bool,
) -> PermutationResult:
    """p-value and bounds from subset sums; the observed pattern flips nothing and always counts as extreme."""
    empty = int((sizes == 0).sum()) + 1
    means = np.sort(sums[sizes > 0] / sizes[sizes > 0])
    as_large = (int(np.searchsorted(means, 0.0, "right")) + empty) / patterns
    as_small = (len(means) - int(np.searchsorted(means, 0.0, "left")) + empty) / patterns
    share = {"greater": as_large, "less": as_small, "two-sided": min(as_large, as_small)}[alternative]
    sides = 2 if alternative == "two-sided" else 1
    p = min(sides * share, 1.0)
    place = math.ceil(tail_share(level, alternative) * patterns - 1e-9) - empty  # of the first mean not rejected
    enough = place >= 1
    low = d.value(float(means[place - 1])) if enough and alternative != "less" else -math.inf
    high = d.value(float(means[-place])) if enough and alternative != "greater" else math.inf
    error = 0.0 if exact else sides * math.sqrt(share * (1 - share) / (patterns - 1)) if share < 1 else 0.0
    notes = () if enough else ("too few pairs for a bounded interval at this level",)
    floor = 0.0 if exact else min(sides * empty / patterns, 1.0)
    how = "exact" if exact else "Monte Carlo"
    return PermutationResult(Tail(p, math.log10(p)), error, how, (low, high), notes, floor)


@procedure(
    question=TWO_METHODS,
    null=NULL_SWAPPED,
    assumes=INSTANCES,
    references=WORKS_SWAPPED,
    test="Permutation of predictions",
)
def measure_permutation(
    truth: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    measure: str | OwnMeasure = "accuracy",
    positive: object = None,
    replicates: int = 9999,
    seed: int = 0,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> Outcome:
    r"""Permutation test of two fitted models by any measure, which swaps their predictions instance by instance.

    Null hypothesis: the two models' predictions are exchangeable on each instance.

    In each of B rounds the two predictions for each instance are swapped with probability ½, and the difference of the
    measures, :math:`\theta^*`, is computed again:

    .. math:: p = \frac{1 + \#\{|\theta^*| \ge |\theta|\}}{B + 1}

    (one-sided without absolute values), so that p is never 0. ``measure`` is a name of :mod:`fairtrial.measures` or a
    function ``f(truth, predicted, weights=…)``. For measures of labels the swapped *tables* are drawn, at a cost that
    doesn't depend on n. For a mean of losses the test is :func:`paired_permutation`, which is exact if possible.

    Swapping needs predictions on the same scale, as labels and probabilities are. The scores of two models often are
    not: then use :func:`delong` or :func:`paired_bootstrap`. A permutation test gives no interval for the difference of
    a measure; :func:`paired_bootstrap` does. Rounds in which the measure is undefined count as extreme, and a note has
    their number.

    References: Yeh (2000), COLING 947-953, doi:10.3115/992730.992783; Phipson & Smyth (2010),
    doi:10.2202/1544-6115.1585.

    >>> truth = [1] * 40 + [0] * 60
    >>> first = [1] * 34 + [0] * 6 + [1] * 5 + [0] * 55
    >>> second = [1] * 28 + [0] * 12 + [1] * 9 + [0] * 51
    >>> outcome = measure_permutation(truth, first, second, measure="f_measure")
    >>> outcome.effect.estimate, outcome.p_value < 0.01
    (0.1335, True)
    """
    check_alternative(alternative)
    check_level(level)
    check_replicates(replicates, seed)
    models = model_predictions(truth, (first, second), measure, positive)
    resampled = resampled_measure(models)
    if isinstance(resampled, Losses):
        losses = resampled.losses.T
        return paired_permutation(*losses, replicates=replicates, seed=seed, alternative=alternative, level=level)
    observed = resampled.observed()
    check_defined(models.name, *observed)
    estimate = float(observed[0] - observed[1])
    random = np.random.default_rng(seed)
    if isinstance(resampled, LabelCounts):
        values = _swapped_tables(resampled, replicates, random)
    else:
        values = _swapped_rows(models, replicates, random)
    values[~np.isfinite(values)] = np.nan
    # values that are equal on paper must count as extreme despite rounding errors of floating point
    slack = 1e-12 * float(np.nanmax(np.abs(values), initial=np.abs(observed).max()))
    gaps = values[:, 0] - values[:, 1]
    p, error, undefined = _share_as_extreme(gaps, estimate, alternative, slack)
    notes: tuple[str, ...] = ()
    if undefined:
        counted = f"{part_of(undefined, replicates, 'round')}, which {verb(undefined, 'counts', 'count')} as extreme"
        notes = (f"{models.name} is undefined in {counted}",)
    elif float(np.ptp(gaps)) <= slack:
        notes = (f"swapping predictions never changes the difference of {models.name}",)
    return Outcome(
        test="Permutation of predictions",
        null=NULL_SWAPPED,
        statistic=estimate,
        p_value=p,
        p_error=error,
        p_floor=1 / (replicates + 1),
        n=models.n,
        alternative=alternative,
        method="Monte Carlo",
        effect=Interval(f"difference of {models.name}", estimate, math.nan, math.nan, level, "no interval"),
        notes=notes,
        details={"values": observed.tolist(), "replicates": replicates, "seed": seed},
    )


def _share_as_extreme(
    values: FloatArray, estimate: float, alternative: Alternative, slack: float
) -> tuple[float, float, int]:
    """The Monte Carlo p-value, its standard error, and the number of undefined values."""
    undefined = np.isnan(values)
    if alternative == "two-sided":
        extreme = np.abs(values) >= abs(estimate) - slack
    else:
        extreme = values >= estimate - slack if alternative == "greater" else values <= estimate + slack
    p = (1 + int((extreme | undefined).sum())) / (1 + len(values))
    return p, math.sqrt(p * (1 - p) / len(values)), int(undefined.sum())


def _swapped_tables(labels: LabelCounts, replicates: int, random: np.random.Generator) -> FloatArray:
    """The measure of both models in each round, for labels.

    For each combination of truth and two predictions, the number of swapped instances is binomial.
    """
    kinds = labels.kinds
    models = tuple(np.concatenate([kinds.models[i], kinds.models[1 - i]]) for i in (0, 1))
    mirrored = replace(kinds, truth=np.concatenate([kinds.truth, kinds.truth]), models=models)
    parts = []
    for b in chunks(replicates, 2 * len(labels.counts)):
        swapped = random.binomial(labels.counts, 0.5, (b, len(labels.counts)))
        parts.append(mirrored.weighted(np.concatenate([labels.counts - swapped, swapped], axis=1).astype(np.float64)))
    return np.concatenate(parts)


def _swapped_rows(models: ModelPredictions, replicates: int, random: np.random.Generator) -> FloatArray:
    """The measure of both models in each round, for any measure.

    A list of twice the length holds both predictions for each instance; weights of 0 and 1 choose one for each model.
    """
    n = models.n
    truth = np.concatenate([models.truth, models.truth])
    both = replace(models, truth=truth, models=(np.concatenate(models.models),))
    parts = []
    for b in chunks(replicates, 2 * n):
        keep = random.integers(0, 2, (b, n)).astype(np.float64)
        first = both.weighted(np.concatenate([keep, 1 - keep], axis=1))
        second = both.weighted(np.concatenate([1 - keep, keep], axis=1))
        parts.append(np.concatenate([first, second], axis=1))
    return np.concatenate(parts)
