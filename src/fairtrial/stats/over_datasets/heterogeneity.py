"""The variation of a difference over data sets: the range on a new one, and equivalence that holds on most of them.

Within-data-set intervals: means of methods over the same data sets, without the variance between data sets.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.arguments import number
from fairtrial.stats.bibliography import (
    CLOPPER_PEARSON_1934,
    HODGES_LEHMANN_1963,
    MOREY_2008,
    SCHUIRMANN_1987,
    WILKS_1941,
)
from fairtrial.stats.distributions.student_t import t_bounds
from fairtrial.stats.groups import check_magnitude
from fairtrial.stats.one_method.proportions import binomial_test, proportion_interval
from fairtrial.stats.outcome import Alternative, Interval, Outcome, check_level
from fairtrial.stats.over_datasets.wilcoxon import wilcoxon
from fairtrial.stats.procedures import COMPARABLE, OVER_DATASETS, procedure
from fairtrial.stats.score_arrays import FloatArray, differences, index_list, numbers, paired_scores, sample
from fairtrial.words import part_of, plural, verb

ROUNDING = 1e-9  # 1 - 0.9 is a little less than 0.1 in binary
INSIDE = 2 / 3
"""The share of data sets that must have a difference smaller than the margin, for two methods to be equivalent."""

NULL = "the typical difference is at least the margin, or on a third of the data sets or more it is"


@procedure(question=OVER_DATASETS, assumes="independent data sets from one population", references=(WILKS_1941,))
def new_dataset_range(
    values: npt.ArrayLike,
    *,
    level: float = 0.9,
    quantity: str = "difference on a new data set",
) -> Interval:
    r"""The range in which the value on a new data set of the same kind lies, with a probability of ``level``.

    This is about *one further data set*, not about the mean: it does not shrink to a point as data sets are added.

    With :math:`\alpha = 1 - \text{level}` and N values in ascending order the range is from the r-th value to the r-th
    from the end, where

    .. math:: r = \lfloor \tfrac{\alpha}{2} (N + 1) \rfloor,

    which holds for every continuous distribution. It takes at least :math:`2 / \alpha - 1` data sets, 19 at 90 %. Fewer
    have the range from the smallest value to the largest, which holds the next value with a probability of

    .. math:: \frac{N - 1}{N + 1}.

    This is then the ``level`` of the interval, and a note says how many data sets the asked level needs. No value is
    left out, and no distribution is assumed. One value: nan, with a note.

    Reference: Wilks (1941), Annals of Mathematical Statistics 12:91-96, doi:10.1214/aoms/1177731788.

    >>> print(new_dataset_range([0.02, -0.01, 0.03, 0.00, 0.05, 0.01, 0.04]))
    difference on a new data set 0.02000, 75 % interval [−0.01000, 0.05000] (order statistics)
    from the smallest to the largest of 7 values, which is a range of 75 %; 90 % needs 19 data sets
    """
    check_level(level)
    x = np.sort(sample(values))
    n, alpha = len(x), 1 - level
    rank = math.floor(alpha / 2 * (n + 1) + ROUNDING)
    center = float(np.median(x))
    if n < 2:
        return Interval(quantity, center, math.nan, math.nan, level, "", ("one data set has no range",))
    if rank >= 1:
        return Interval(quantity, center, float(x[rank - 1]), float(x[-rank]), level, "order statistics")
    attained, needed = (n - 1) / (n + 1), math.ceil(2 / alpha - 1 - ROUNDING)
    note = (
        f"from the smallest to the largest of {n} values, which is a range of {100 * attained:.3g} %; "
        f"{100 * level:g} % needs {needed:,} data sets"
    )
    return Interval(quantity, center, float(x[0]), float(x[-1]), attained, "order statistics", (note,))


@procedure(
    question=OVER_DATASETS,
    null=NULL,
    assumes=COMPARABLE,
    references=(SCHUIRMANN_1987, HODGES_LEHMANN_1963, CLOPPER_PEARSON_1934),
    test="Equivalence over data sets",
)
def equivalent_over_datasets(
    a: npt.ArrayLike, b: npt.ArrayLike, *, margin: float, share: float = INSIDE, level: float = 0.95
) -> Outcome:
    r"""Test whether two methods are equivalent over data sets: on average, and on most of them.

    Null hypothesis: the typical difference is at least ``margin``, or on a share of 1 − ``share`` of the data sets or
    more the difference is.

    Two methods that each win by a wide margin on half of the data sets are equal on average and are not equivalent. So
    both must be shown:

    - the typical difference (pseudo-median) lies within :math:`\pm\delta`: two one-sided Wilcoxon tests, each at
      1 − level, or in other words the interval at ``2·level − 1`` inside :math:`\pm\delta`;
    - more than ``share`` (two thirds) of all such data sets have :math:`|d| < \delta`: an exact binomial test, or in
      other words a Clopper-Pearson bound above ``share``. This takes at least 8 data sets at 95 %.

    Both are needed, so the larger p-value counts and none is adjusted. The effect is the typical difference with the
    interval at 2·level − 1. ``details`` has how many data sets lie inside, above and below the margin, the lower
    confidence bounds of the shares inside and outside, both p-values, and in ``conclusion`` one of "equivalent",
    "equal on average, different on most data sets" (the bound of the share outside is above one half),
    "equal on average; on single data sets open", or "not shown".

    References: Schuirmann (1987), doi:10.1007/BF01068419; Hodges & Lehmann (1963), doi:10.1214/aoms/1177704172;
    Clopper & Pearson (1934), doi:10.1093/biomet/26.4.404.

    >>> forest = [0.81, 0.92, 0.77, 0.85, 0.90, 0.68, 0.74, 0.95]
    >>> boosting = [0.812, 0.918, 0.771, 0.853, 0.899, 0.681, 0.742, 0.947]
    >>> found = equivalent_over_datasets(forest, boosting, margin=0.01)
    >>> found.details["conclusion"], round(found.p_value, 4)
    ('equivalent', 0.039)
    """
    check_level(level)
    if not number(margin) > 0:
        raise InputError(f"margin must be above 0, the smallest difference that matters, got {margin!r}")
    if not 0 < number(share) < 1:
        raise InputError(f"share must lie strictly between 0 and 1, got {share!r}")
    first, second = paired_scores(a, b)
    d = differences(first, second).values()
    effect = wilcoxon(first, second, zeros="pratt", level=round(2 * level - 1, 12)).effect
    average = max(_one_sided(d, -margin, "greater"), _one_sided(d, margin, "less"))
    inside, above, below = split_by_margin(d, margin)
    most = binomial_test(inside, len(d), share, alternative="greater").p_value
    bounds = {
        f"{name}_at_least": proportion_interval(count, len(d), method="exact", alternative="greater", level=level).low
        for name, count in (("inside", inside), ("outside", above + below))
    }
    details = {
        "inside": inside,
        "above": above,
        "below": below,
        **bounds,
        "average_p": average,
        "share_p": most,
        "conclusion": conclusion(average < 1 - level, **bounds, share=share),
    }
    return Outcome(
        test="Equivalence over data sets",
        null=NULL,
        statistic=inside / len(d),
        p_value=max(average, most),
        n=len(d),
        effect=effect,
        details=details,
    )


def split_by_margin(d: FloatArray, margin: float) -> tuple[int, int, int]:
    """How many differences are smaller than the margin, at least so large, and at least so large the other way."""
    with np.errstate(over="ignore"):  # beyond all margins
        in_margins = np.round(d / margin, 9)  # 0.76 - 0.75 is not 0.01 in binary
    above, below = int((in_margins >= 1).sum()), int((in_margins <= -1).sum())
    return len(d) - above - below, above, below


def conclusion(on_average: bool, inside_at_least: float, outside_at_least: float, share: float = INSIDE) -> str:
    """What is shown of two methods whose typical difference lies within the margin, or not."""
    if not on_average:
        return "not shown"
    if inside_at_least > share:
        return "equivalent"
    if outside_at_least > 0.5:
        return "equal on average, different on most data sets"
    return "equal on average; on single data sets open"


def _one_sided(d: FloatArray, edge: float, alternative: Alternative) -> float:
    return wilcoxon(d, np.full(len(d), edge), alternative=alternative, interval=False, zeros="pratt").p_value


@procedure(question=OVER_DATASETS, assumes="normal scores on the same data sets", references=(MOREY_2008,))
def within_intervals(table: npt.ArrayLike, *, level: float = 0.95, quantity: str = "mean") -> tuple[Interval, ...]:
    r"""Within-data-set intervals of the means of columns, for comparing methods over the same data sets by eye.

    Data sets differ far more than methods do. An ordinary interval of a mean over data sets contains this variance
    between data sets, although it is the same for all methods. So each row is first shifted to the overall mean
    (Cousineau), and the variance is corrected for the shift (Morey). With N rows, C columns, row means
    :math:`\bar x_{i\cdot}` and the overall mean :math:`\bar x`,

    .. math:: z_{ij} = x_{ij} - \bar x_{i\cdot} + \bar x, \qquad
              \bar x_{\cdot j} \pm t_{N-1} \sqrt{\tfrac{C}{C-1}\, s^2(z_{\cdot j}) / N}.

    The intervals are for comparing columns. They are not about the score to expect on another data set, for which
    :func:`mean_interval` is. With two columns the paired t-test rejects if the means are further apart than
    :math:`\sqrt 2` half-widths; with more columns this is a rule of thumb.

    One row or one column leaves nothing to compare: the bounds are nan, with a note.

    Reference: Morey (2008), Tutorials in Quantitative Methods for Psychology 4:61-64, doi:10.20982/tqmp.04.2.p061.

    >>> first, second = within_intervals([[0.70, 0.73], [0.90, 0.94], [0.80, 0.82]])
    >>> first.estimate, first.low, first.high   # mean_interval: 0.55 to 1.05
    (0.8, 0.7824, 0.8176)
    """
    check_level(level)
    x = numbers(table, "table")
    if x.ndim != 2 or 0 in x.shape:
        raise InputError(f"table must have data sets in rows and methods in columns, got an array of shape {x.shape}")
    if not np.isfinite(x).all():
        bad = np.flatnonzero(~np.isfinite(x).all(axis=1)).tolist()
        raise InputError(
            f"table must be finite, but {part_of(len(bad), len(x), 'row')} {verb(len(bad), 'is', 'are')} not "
            f"({index_list(bad)}); leave those rows out"
        )
    check_magnitude([x])
    n, columns = x.shape
    means, how = x.mean(axis=0), "t, within data sets"
    if n < 2 or columns < 2:
        note = f"with {plural(n, 'row')} and {plural(columns, 'column')} nothing can be compared: there is no interval"
        return tuple(Interval(quantity, float(m), math.nan, math.nan, level, how, (note,)) for m in means)
    moved = x - x.mean(axis=1, keepdims=True)
    errors = np.sqrt(columns / (columns - 1) * moved.var(axis=0, ddof=1) / n)
    return tuple(
        Interval(quantity, float(m), *t_bounds(float(m), float(e), n - 1, level, "two-sided"), level, how)
        for m, e in zip(means, errors, strict=True)
    )
