"""Which factors matter over data sets: effects tested together by joint sign flips of whole data sets.

Which factors matter on one data set: effects over its splits, with the corrected variance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.arguments import share_ratio
from fairtrial.stats.bibliography import (
    BOUCKAERT_FRANK_2004,
    HODGES_LEHMANN_1963,
    NADEAU_BENGIO_2003,
    ROMANO_WOLF_2005,
    WILCOXON_1945,
)
from fairtrial.stats.distributions.student_t import t_outcome
from fairtrial.stats.factorial.contrasts import (
    Effects,
    EffectValues,
    checked_effects,
    spreads,
    term_columns,
    units_better,
)
from fairtrial.stats.multiplicity import adjust
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_alternative, check_level
from fairtrial.stats.over_datasets.heterogeneity import new_dataset_range
from fairtrial.stats.over_datasets.wilcoxon import wilcoxon
from fairtrial.stats.post_hoc.joint_flips import DRAWS, Family
from fairtrial.stats.post_hoc.joint_intervals import joint_families
from fairtrial.stats.procedures import COMPARABLE, FACTORIAL, procedure
from fairtrial.stats.score_arrays import FloatArray, differences
from fairtrial.words import plural

FEWEST_DATASETS = 6  # with fewer, no p-value of signed ranks is below 0.05
QUANTITY = "pseudo-median effect"
NULL = "for each effect: its values over data sets are symmetric about zero"
TOO_FEW = (
    f"fewer than {FEWEST_DATASETS} data sets are no sample of data sets: no claim is made over data sets; look at each "
    "by itself (effects_on_splits)"
)


@procedure(
    question=FACTORIAL,
    null=NULL,
    assumes=COMPARABLE.replace("one score per method on each", "one value of each effect on each"),
    references=(HODGES_LEHMANN_1963, ROMANO_WOLF_2005, WILCOXON_1945),
    test="Effects over data sets",
)
def effects_over_datasets(
    effects: npt.ArrayLike | EffectValues,
    *,
    higher_is_better: bool = True,
    alternative: Alternative = "two-sided",
    names: Sequence[str] | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> Effects:
    r"""Test all effects over data sets, with simultaneous intervals for their typical sizes.

    Null hypothesis for each effect: its values over data sets are symmetric about zero.

    ``effects`` is a table with a row for each data set and a column for each effect, as
    :meth:`FactorialModel.values` makes it from scores. The data sets are the sample: splits and seeds within a data set
    are to be averaged before, since they are no further data sets.

    Effects are treated as differences between methods are (:func:`joint_intervals`): the typical effect is the
    Hodges-Lehmann pseudo-median, signs of whole data sets are flipped for all effects jointly, and the largest absolute
    signed-rank sum of all effects gives one critical value. All intervals hold together. An interval excludes 0 exactly
    when the adjusted p-value is below 1 − level.

    What the flips assume holds for an inert factor. If a factor changes nothing, scores at its high and low level are
    exchangeable, and so its main effect and all its interactions in a balanced design are symmetric about zero, however
    skewed the scores are. The result has on how many data sets each effect helps, its standard deviation over data
    sets, and the range on a new data set. A factor with three or more levels also has a p-value for all its effects
    together; ask :func:`factorial_model` for ``against="all"``, so that it does not depend on which level is the first.

    With fewer than 6 data sets nothing is claimed: p-values and bounds are nan, with a note. More effects need more
    data sets: about :math:`\log_2(2m/\alpha)`, 9 for 7 effects, 11 for 31; with fewer, intervals are unbounded, and a
    note says so. An effect that is zero on all data sets has p = 1.

    References: Hodges & Lehmann (1963), doi:10.1214/aoms/1177704172; Romano & Wolf (2005),
    doi:10.1198/016214504000000539; Wilcoxon (1945), doi:10.2307/3001968.

    >>> from fairtrial.stats import factorial_model
    >>> model = factorial_model({"depth": [-1, 1, -1, 1], "rate": [-1, -1, 1, 1]})
    >>> scores = [[70, 75, 72, 83], [61, 64, 58, 66], [80, 88, 78, 90], [55, 56, 58, 61], [90, 92, 87, 92],
    ...           [66, 71, 65, 76], [72, 73, 75, 80], [84, 90, 81, 91]]
    >>> print(effects_over_datasets(model.values(scores)))
    Effects over data sets
    effect        estimate     low   high      p  p (joint flips)  helps on      sd
    depth            5.750   2.500  9.000  0.008            0.023    8 of 8   2.915  *
    depth × rate     2.000   1.250  3.000  0.008            0.023    8 of 8  0.6944  *
    rate             1.750  −1.250  5.000  0.266            0.562    4 of 8   2.735
    intervals hold for all effects together; * p (joint flips, 3 effects) < 0.05
    """
    check_level(level)
    check_alternative(alternative)
    values, labels, terms, notes = checked_effects(effects, names, "data set")
    columns = [differences(values[:, j], np.zeros(len(values))) for j in range(values.shape[1])]
    signed = np.column_stack([d.values() for d in columns])
    several = term_columns(terms)
    if len(values) < FEWEST_DATASETS:
        p, bounds = (math.nan,) * len(labels), tuple(_no_interval(signed[:, j], level) for j in range(len(labels)))
        term_p = dict.fromkeys(several, math.nan)
        outcomes = tuple(_no_outcome(signed[:, j], bounds[j], alternative) for j in range(len(labels)))
        notes = (*notes, TOO_FEW)
    else:
        families = [Family(np.array(found)) for found in several.values()]
        joint, of_terms = joint_families(
            columns, families, alternative=alternative, level=level, draws=draws, seed=seed
        )
        notes = notes if joint.bounded(level) else (*notes, _not_enough(len(values), len(labels)))
        p, bounds = joint.p_values, tuple(replace(i, quantity=QUANTITY) for i in joint.intervals(level))
        term_p = dict(zip(several, of_terms, strict=True))
        alone = partial(wilcoxon, zeros="pratt", alternative=alternative, level=level)
        outcomes = tuple(_named(alone(d.values(), np.zeros(len(values)))) for d in columns)
    return Effects(
        names=labels,
        outcomes=outcomes,
        p_adjusted=p,
        intervals=bounds,
        adjusted="joint flips",
        unit="data set",
        helps=units_better(signed, higher_is_better=higher_is_better),
        spread=spreads(signed),
        new=tuple(new_dataset_range(signed[:, j], quantity="effect on a new data set") for j in range(len(labels))),
        terms=term_p,
        level=level,
        notes=notes,
    )


def _not_enough(n: int, m: int) -> str:
    return (
        f"{plural(n, 'data set')} are too few for {plural(m, 'effect')} at this level: no effect can be called; "
        "ask for fewer effects (interactions=1)"
    )


def _named(outcome: Outcome) -> Outcome:
    effect = None if outcome.effect is None else replace(outcome.effect, quantity=QUANTITY)
    return replace(outcome, test="Effects over data sets", null="the effect is symmetric about zero", effect=effect)


def _no_interval(values: FloatArray, level: float) -> Interval:
    return Interval("median effect", float(np.median(values)), math.nan, math.nan, level, "", (TOO_FEW,))


def _no_outcome(values: FloatArray, interval: Interval, alternative: Alternative) -> Outcome:
    return Outcome(
        test="Effects over data sets",
        null="the effect is symmetric about zero",
        statistic=math.nan,
        p_value=math.nan,
        n=len(values),
        alternative=alternative,
        effect=interval,
        notes=(TOO_FEW,),
    )


NULL_ON_SPLITS = "for each effect: its expected value on this data set is zero"
ONE_DATA_SET = "this is about one data set; the splits say nothing about other data sets"


@procedure(
    question=FACTORIAL,
    null=NULL_ON_SPLITS,
    assumes="normal effects; the effects on any two splits have the same correlation, test_share",
    references=(NADEAU_BENGIO_2003, BOUCKAERT_FRANK_2004),
    test="Effects on one data set",
)
def effects_on_splits(
    effects: npt.ArrayLike | EffectValues,
    *,
    test_share: float | None,
    overlap: float = 1.0,
    higher_is_better: bool = True,
    alternative: Alternative = "two-sided",
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Effects:
    r"""Test all effects on one data set, over splits that share training data.

    Null hypothesis for each effect: its expected value on this data set is zero.

    ``effects`` has a row for each split and a column for each effect, as :meth:`FactorialModel.values` makes it from
    the scores of all settings on the same splits. For the values :math:`e_1, \dots, e_k` of an effect

    .. math:: t = \bar e \Big/ \sqrt{\left(\tfrac1k + \lambda q\right) s_e^2}, \qquad t \sim t_{k-1},
              \qquad q = \frac{\text{test share}}{1 - \text{test share}},

    as in :func:`corrected_t`: ``overlap`` is :math:`\lambda`, 1 for one k-fold cross-validation, 1.75 for ten times
    10-fold. ``test_share=None`` takes the splits as independent, which folds and resamples are not. P-values are
    multiplied by the number of effects m (Bonferroni), and intervals have the level :math:`1 - (1 - \text{level})/m`,
    so that all of them hold together and agree with the adjusted p-values. The correlation of the splits is a
    heuristic; a joint
    distribution of the largest t would need the correlations between effects as well, for little gain: in a balanced
    design effects are nearly uncorrelated.

    A factor with three or more levels has the smallest p-value of its effects, multiplied by their number. If an effect
    is zero on all splits, p is 1; if it is the same on all splits but not zero, p is nan, with a note.

    References: Nadeau & Bengio (2003), doi:10.1023/A:1024068626366; Bouckaert & Frank (2004),
    doi:10.1007/978-3-540-24775-3_3.

    >>> effects = [[0.02, 0.01], [0.03, -0.01], [0.03, 0.00], [0.02, 0.02], [0.04, -0.01]]
    >>> print(effects_on_splits(effects, test_share=0.2, names=["depth", "rate"]))
    Effects on one data set
    effect  estimate       low     high      p  p (Bonferroni)  helps on        sd
    depth    0.02800  0.008382  0.04762  0.008           0.015    5 of 5  0.008367  *
    rate    0.002000  −0.02857  0.03257  0.830           1.000    2 of 5   0.01304
    intervals hold for all effects together; * p (Bonferroni, 2 effects) < 0.05
    this is about one data set; the splits say nothing about other data sets
    """
    check_level(level)
    values, labels, terms, notes = checked_effects(effects, names, "split")
    if len(values) < 2:
        raise InputError("effects must have at least two splits (rows), got 1; one split: lenth for two-level designs")
    m, ratio = values.shape[1], share_ratio(test_share, overlap)
    outcomes, intervals = [], []
    for j in range(m):
        alone, together = (_outcome(values[:, j], ratio, alternative, at) for at in (level, 1 - (1 - level) / m))
        outcomes.append(alone)
        intervals.append(replace(_effect(together), level=level, method="corrected t, Bonferroni"))
    p_values = np.array([outcome.p_value for outcome in outcomes])
    p_adjusted = np.full(m, np.nan)
    known = ~np.isnan(p_values)
    p_adjusted[known] = np.minimum(m * p_values[known], 1.0)
    several = term_columns(terms)
    return Effects(
        names=labels,
        outcomes=tuple(outcomes),
        p_adjusted=tuple(p_adjusted.tolist()),
        intervals=tuple(intervals),
        adjusted="bonferroni",
        unit="split",
        helps=units_better(values, higher_is_better=higher_is_better),
        spread=spreads(values),
        terms={term: float(adjust(p_values[columns], "bonferroni").min()) for term, columns in several.items()},
        level=level,
        notes=(*notes, *_own_notes(labels, outcomes), ONE_DATA_SET),
    )


def _outcome(values: npt.NDArray[np.float64], ratio: float, alternative: Alternative, level: float) -> Outcome:
    return t_outcome(
        values,
        np.zeros_like(values),
        ratio=ratio,
        test="Effects on one data set",
        null="the expected effect on this data set is zero",
        method="corrected t" if ratio else "t",
        alternative=alternative,
        level=level,
        quantity="mean effect",
    )


def _effect(outcome: Outcome) -> Interval:
    return cast(Interval, outcome.effect)


def _own_notes(labels: Sequence[str], outcomes: Sequence[Outcome]) -> list[str]:
    return [f"{label}: {note}" for label, outcome in zip(labels, outcomes, strict=True) for note in outcome.notes]
