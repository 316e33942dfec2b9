"""Why is it better? The advantage of a whole over its base, divided into the parts of its components."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.bibliography import EFRON_TIBSHIRANI_1993, GRABISCH_ROUBENS_1999, SHAPLEY_1953
from fairtrial.stats.factorial.advantage_parts import AdvantageParts
from fairtrial.stats.factorial.coded_factors import Design
from fairtrial.stats.factorial.effect_results import Effects, spreads, units_better
from fairtrial.stats.factorial.effects_on_splits import effects_on_splits
from fairtrial.stats.factorial.effects_over_datasets import FEWEST_DATASETS
from fairtrial.stats.factorial.joint_means import BOOTSTRAP, DRAWS, joint_means
from fairtrial.stats.factorial.shapley_values import combinations_of
from fairtrial.stats.outcome import Interval, Outcome, check_level
from fairtrial.stats.procedures import FACTORIAL, procedure
from fairtrial.stats.score_arrays import FloatArray, numbers
from fairtrial.words import listed, part_of, plural, verb

TEST = "Shapley parts"
INDICES = "Shapley interaction indices"
NULL = "its mean over data sets is zero"
TOO_FEW = (
    f"fewer than {FEWEST_DATASETS} data sets are no sample of data sets: parts have no intervals; divide the advantage "
    "on each data set, over its splits (test_share)"
)
ONE_SPLIT = "one split has no estimate of error: parts have no intervals; take several splits"
OF_ONE = "only splits carry the error: this holds for this data set alone, and says nothing about others"


@procedure(
    question=FACTORIAL,
    null="for each component: its mean part over data sets is zero",
    assumes="independent data sets, a score of every combination on each; all scores on the same scale",
    references=(SHAPLEY_1953, GRABISCH_ROUBENS_1999, EFRON_TIBSHIRANI_1993),
    test=TEST,
)
def divide_advantage(
    scores: npt.ArrayLike,
    components: Design,
    *,
    higher_is_better: bool = True,
    names: Sequence[str] | None = None,
    test_share: float | None = None,
    overlap: float = 1.0,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> AdvantageParts:
    r"""Divide the advantage of a whole over its base into parts of its components, with intervals.

    Null hypothesis for each component: its mean part over data sets is zero.

    ``scores`` has a row for each data set and a column for each combination of components. ``components`` says which
    of them are on in each column: a mapping of names to 0 and 1. All :math:`2^k` combinations are needed. With
    :math:`v(S)` the score with the components :math:`S`, the part of component i is its Shapley value

    .. math:: \phi_i = \sum_{S \not\ni i} \frac{|S|!\,(k - |S| - 1)!}{k!} \big(v(S \cup i) - v(S)\big),

    what it adds to those before it, averaged over all orders in which components can be added. On every data set the
    parts sum to the advantage, :math:`v(\text{all}) - v(\text{none})`. They are means over data sets, since only means
    add up. Two components have the interaction index

    .. math:: I_{ij} = \sum_{S \not\ni i, j} \frac{|S|!\,(k - |S| - 2)!}{(k - 1)!}
              \big(v(S \cup ij) - v(S \cup i) - v(S \cup j) + v(S)\big),

    positive where they help each other, negative where one replaces the other. Each of the two has half of it in its
    part. ``higher_is_better=False`` turns the signs, so that parts are positive where a component helps.

    Intervals are those of a symmetric bootstrap-t over data sets, for all parts together, and for all interactions
    together: parts are often skewed, since a component helps much on a few data sets, and t intervals of skewed parts
    miss too often (docs/lab.md). With fewer than 6 data sets there are none.

    With ``test_share`` rows are splits of one data set, and intervals have the corrected variance and Bonferroni's
    adjustment (:func:`effects_on_splits`). They are about this data set alone.

    A component that changes nothing has part 0 and p = 1. A part that is the same on all data sets has no interval.

    References: Shapley (1953), doi:10.1515/9781400881970-018; Grabisch & Roubens (1999), doi:10.1007/s001820050125;
    Efron & Tibshirani (1993), An Introduction to the Bootstrap.

    >>> components = {"tuning": [0, 1, 0, 1], "encoding": [0, 0, 1, 1]}
    >>> scores = [[70, 75, 71, 80], [61, 64, 61, 66], [80, 88, 79, 90], [55, 56, 57, 61], [90, 92, 90, 92],
    ...           [66, 71, 67, 76], [72, 73, 75, 80], [84, 90, 83, 91]]
    >>> print(divide_advantage(scores, components).to_table())
    Shapley parts
    component   part      low   high      p  p (joint bootstrap)  added first  added last  helps on
    tuning     5.250    2.123  8.377  0.008                0.014        3.875       6.625    8 of 8  *
    encoding   2.000  −0.1461  4.146  0.030                0.064       0.6250       3.375    6 of 8
    together   7.250    4.643  9.857  0.002                0.002        7.250       7.250    8 of 8  *
    intervals hold for all 2 components together, that of the whole by itself; * 0 lies outside
    """
    check_level(level)
    found = combinations_of(components, names)
    table = _checked(scores, len(found.order))
    signed = table if higher_is_better else -table
    pairs = [f"{found.components[i]} × {found.components[j]}" for i, j in found.pairs]

    def judged(values: FloatArray, labels: Sequence[str]) -> Effects:
        if test_share is not None and len(values) > 1:
            return _over_splits(values, labels, test_share, overlap, level)
        if test_share is None and len(values) >= FEWEST_DATASETS:
            return _over_datasets(values, labels, level, draws, seed)
        return _without_error(values, labels, "data set" if test_share is None else "split", level)

    parts = found.shapley(signed)
    return AdvantageParts(
        components=found.components,
        total=judged(found.total(signed)[:, None], ("advantage",)),
        parts=judged(parts, found.components),
        interactions=_named(judged(found.interactions(signed), pairs), INDICES) if pairs else None,
        values=parts,
        first=tuple(found.first_added(signed).mean(axis=0).tolist()),
        last=tuple(found.last_added(signed).mean(axis=0).tolist()),
        notes=() if test_share is None else (OF_ONE,),
    )


def _checked(scores: npt.ArrayLike, combinations: int) -> FloatArray:
    table = numbers(scores, "scores")
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] != combinations:
        raise InputError(
            f"scores must be a table with a row for each data set and {plural(combinations, 'column')}, one for each "
            f"combination of components, got an array of shape {table.shape}"
        )
    missing = ~np.isfinite(table)
    if missing.any():
        rows = np.flatnonzero(missing.any(axis=1)).tolist()
        raise InputError(
            f"scores must be finite, but {part_of(int(missing.sum()), missing.size, 'score')} "
            f"{verb(int(missing.sum()), 'is', 'are')} not ({verb(len(rows), 'row', 'rows')} {listed(rows)}); choose a "
            "failure policy, or leave out those rows"
        )
    return table


def _over_datasets(values: FloatArray, labels: Sequence[str], level: float, draws: int, seed: int) -> Effects:
    means = joint_means(values, test=TEST, null=NULL, quantity="mean", level=level, draws=draws, seed=seed)
    notes = [f"{name}: {n}" for name, o in zip(labels, means.outcomes, strict=True) for n in o.notes]
    return _effects(values, labels, means.outcomes, means.p_adjusted, means.intervals, BOOTSTRAP, level, notes)


def _over_splits(values: FloatArray, labels: Sequence[str], test_share: float, overlap: float, level: float) -> Effects:
    found = effects_on_splits(values, test_share=test_share, overlap=overlap, names=labels, level=level)
    outcomes = tuple(replace(o, test=TEST, null=NULL.replace("data sets", "splits")) for o in found.outcomes)
    return replace(found, outcomes=outcomes, notes=found.notes[:-1])  # the last one is about one data set: OF_ONE


def _named(effects: Effects, test: str) -> Effects:
    return replace(effects, outcomes=tuple(replace(outcome, test=test) for outcome in effects.outcomes))


def _without_error(values: FloatArray, labels: Sequence[str], unit: str, level: float) -> Effects:
    note = TOO_FEW if unit == "data set" else ONE_SPLIT
    means = values.mean(axis=0).tolist()
    intervals = tuple(Interval("mean", mean, math.nan, math.nan, level, "", (note,)) for mean in means)
    outcomes = tuple(Outcome(TEST, NULL, math.nan, math.nan, len(values), effect=i, notes=(note,)) for i in intervals)
    unknown = (math.nan,) * len(labels)
    return replace(_effects(values, labels, outcomes, unknown, intervals, "none", level, (note,)), unit=unit)


def _effects(
    values: FloatArray, labels: Sequence[str], outcomes: tuple[Outcome, ...], p: tuple[float, ...],
    intervals: tuple[Interval, ...], adjusted: str, level: float, notes: Sequence[str],
) -> Effects:  # fmt: skip
    return Effects(
        names=tuple(labels),
        outcomes=outcomes,
        p_adjusted=p,
        intervals=intervals,
        adjusted=adjusted,
        unit="data set",
        helps=units_better(values, higher_is_better=True),
        spread=spreads(values),
        level=level,
        notes=tuple(notes),
    )
