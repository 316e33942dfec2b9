"""Within-data-set intervals: means of methods over the same data sets, without the variance between data sets."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.stats.bibliography import MOREY_2008
from fairtrial.stats.distributions.student_t import t_bounds
from fairtrial.stats.groups import check_magnitude
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import OVER_DATASETS, procedure
from fairtrial.stats.score_arrays import index_list, numbers
from fairtrial.words import part_of, plural, verb


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
