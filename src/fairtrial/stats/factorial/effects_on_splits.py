"""Which factors matter on one data set: effects over its splits, with the corrected variance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.adjust import adjust
from fairtrial.stats.arguments import share_ratio
from fairtrial.stats.bibliography import BOUCKAERT_FRANK_2004, NADEAU_BENGIO_2003
from fairtrial.stats.distributions.student_t import t_outcome
from fairtrial.stats.factorial.contrasts import EffectValues
from fairtrial.stats.factorial.effect_results import Effects, checked_effects, spreads, term_columns, units_better
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_level
from fairtrial.stats.procedures import FACTORIAL, procedure

NULL = "for each effect: its expected value on this data set is zero"
ONE_DATA_SET = "this is about one data set; the splits say nothing about other data sets"


@procedure(
    question=FACTORIAL,
    null=NULL,
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

    as in :func:`corrected_t`: ``overlap`` is :math:`\lambda`, 1 for one k-fold cross-validation and 1.75 for repeats.
    ``test_share=None`` takes the splits as independent, which folds and resamples are not. P-values are multiplied by
    the number of effects m (Bonferroni), and intervals have the level :math:`1 - (1 - \text{level})/m`, so that all of
    them hold together and agree with the adjusted p-values. The correlation of the splits is a heuristic; a joint
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
