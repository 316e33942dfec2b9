"""Bootstrap estimates of one method's error: .632, .632+, out-of-bag error and no-information rate."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import channel_checks as channel
from fairtrial.shown import ShownAsText
from fairtrial.stats.arguments import number
from fairtrial.stats.bibliography import EFRON_TIBSHIRANI_1997
from fairtrial.stats.procedures import BOOTSTRAPPED, ONE_METHOD, procedure
from fairtrial.stats.score_arrays import numbers, sample, unit_of
from fairtrial.tables import Column, Table, formats
from fairtrial.words import is_one_of, plural

LOSSES = ("zero-one", "squared", "absolute")


@dataclass(frozen=True, slots=True)
class BootstrapError(ShownAsText):
    """Bootstrap estimates of an error (.632 in ``plain``, .632+ in ``plus``), and the errors they are computed from.

    ``overfitting`` is the relative overfitting rate, from 0 (none) to 1 (the method has learned only noise), and
    ``weight`` is the weight of the out-of-bag error in ``plus``. Both are nan without a no-information rate.

    >>> print(bootstrap_error(0.05, 0.20, 0.50))
    .632+ 0.1581, .632 0.1448 (apparent 0.05000, out of bag 0.2000, no information 0.5000, overfitting 0.3333)
    """

    apparent: float
    out_of_bag: float
    no_information: float
    overfitting: float
    weight: float
    plain: float
    plus: float

    def __str__(self) -> str:
        write = formats.significant(4)
        parts = (
            f"apparent {write(self.apparent)}",
            f"out of bag {write(self.out_of_bag)}",
            *(
                (f"no information {write(self.no_information)}", f"overfitting {write(self.overfitting)}")
                if not math.isnan(self.plus)
                else ()
            ),
        )
        plus = "" if math.isnan(self.plus) else f".632+ {write(self.plus)}, "
        return f"{plus}.632 {write(self.plain)} ({', '.join(parts)})"

    def to_dict(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def to_table(self) -> Table:
        write = formats.significant(4)
        rows = (
            (".632+", self.plus),
            (".632", self.plain),
            ("out of bag", self.out_of_bag),
            ("apparent", self.apparent),
            ("no information", self.no_information),
            ("overfitting", self.overfitting),
        )
        columns = (Column("error", align="left"), Column("estimate", write))
        return Table(columns=columns, rows=rows, caption="bootstrap estimates of the error")


@procedure(question=ONE_METHOD, assumes=BOOTSTRAPPED, references=(EFRON_TIBSHIRANI_1997,))
def bootstrap_error(
    apparent: float, out_of_bag: float, no_information: float = math.nan, *, weight: float = 0.632
) -> BootstrapError:
    r"""The .632 and .632+ bootstrap estimates of an error, from the apparent error and the out-of-bag error.

    The apparent error, measured on the training instances, is too low. The out-of-bag error is too high, since a
    bootstrap sample holds only 63.2 % of the instances. The .632 estimate is a weighted mean of the two:

    .. math:: \widehat{\mathrm{Err}}^{(.632)} = 0.368\,\overline{\mathrm{err}} + 0.632\,\widehat{\mathrm{Err}}^{(1)}

    A method that memorises its training data has an apparent error of 0, and then .632 is far too low: 0.316 for one
    nearest neighbour on pure noise, whose error is 0.5. In the .632+ estimate the weight grows with the relative
    overfitting rate R, which says how far the out-of-bag error lies on the way from the apparent error to the
    no-information rate :math:`\gamma`:

    .. math:: \widehat{\mathrm{Err}}^{(.632+)} = (1 - w)\,\overline{\mathrm{err}} + w\,\widehat{\mathrm{Err}}^{(1)'},
              \qquad w = \frac{0.632}{1 - 0.368\,R}, \qquad
              R = \frac{\widehat{\mathrm{Err}}^{(1)'} - \overline{\mathrm{err}}}{\gamma - \overline{\mathrm{err}}},

    where :math:`\widehat{\mathrm{Err}}^{(1)'}` is the out-of-bag error or :math:`\gamma`, whichever is smaller, and R
    is 0 unless both exceed the apparent error. All errors are such that lower is better: for accuracy, take one minus
    accuracy. ``weight=1 - exp(-1)`` uses the limit instead of the printed 0.632. These are estimates without an
    interval: for an interval, or to compare methods, use scores over splits.

    Reference: Efron & Tibshirani (1997), JASA 92:548-560, doi:10.1080/01621459.1997.10474007.

    >>> bootstrap_error(0.0, 0.5, 0.5).plain, bootstrap_error(0.0, 0.5, 0.5).plus
    (0.316, 0.5)
    """
    if not 0 < number(weight) < 1:
        raise InputError(f"weight must lie strictly between 0 and 1 (0.632), got {weight!r}")
    for name, value in (("apparent", apparent), ("out_of_bag", out_of_bag)):
        if not 0 <= number(value) < math.inf:
            raise InputError(f"{name} must be an error rate, a finite number of at least 0, got {value!r}")
    if not (isinstance(no_information, float) and math.isnan(no_information)) and not (
        0 <= number(no_information) < math.inf
    ):
        raise InputError(
            f"no_information must be a finite number of at least 0, or nan if it is unknown, got {no_information!r}"
        )
    plain = (1 - weight) * apparent + weight * out_of_bag
    if math.isnan(no_information):
        nan = math.nan
        return BootstrapError(apparent, out_of_bag, nan, nan, nan, plain, nan)
    at_most = min(out_of_bag, no_information)
    overfitting = (at_most - apparent) / (no_information - apparent) if at_most > apparent else 0.0
    share = weight / (1 - (1 - weight) * overfitting)
    plus = (1 - share) * apparent + share * at_most
    return BootstrapError(apparent, out_of_bag, no_information, overfitting, share, plain, plus)


@procedure(question=ONE_METHOD, assumes="independent instances", references=(EFRON_TIBSHIRANI_1997,))
def no_information_rate(truth: npt.ArrayLike, predicted: npt.ArrayLike, *, loss: str = "zero-one") -> float:
    r"""No-information rate: the error that a method would have if its predictions were independent of the truth.

    It is the mean loss over all pairs of a true value and a prediction, of the same instance or of two:

    .. math:: \gamma = \frac{1}{n^2} \sum_i \sum_j L(y_i, \hat y_j), \qquad
              \text{for classes } \gamma = \sum_c p_c\,(1 - q_c),

    where :math:`p_c` is the share of class c among the true labels and :math:`q_c` its share among the predictions.
    Give the predictions for the training instances, by the model that was trained on all of them. ``loss`` is
    ``"zero-one"`` for classes, ``"squared"`` or ``"absolute"`` for numbers.

    Reference: Efron & Tibshirani (1997), JASA 92:548-560, doi:10.1080/01621459.1997.10474007.

    >>> no_information_rate(list("aaab"), list("aabb"))  # 3/4 of the truth and 1/2 of the predictions are a
    0.5
    >>> no_information_rate(list("aaab"), list("aaab"))  # also if all predictions are right
    0.375
    """
    if not is_one_of(loss, LOSSES):
        raise UnknownName.among("loss", loss, LOSSES)
    channel.one_length({"truth": truth, "predicted": predicted})
    if loss == "zero-one":
        given = channel.labels("truth", truth), channel.labels("predicted", predicted)
        labels, codes = channel.encode(*given, None)
        of_truth, of_predicted = (np.bincount(c, minlength=len(labels)) / len(c) for c in codes)
        return float(of_truth @ (1 - of_predicted))
    y, p = sample(truth, "truth"), sample(predicted, "predicted")
    if loss == "absolute":
        return _mean_distance(y, p)
    unit = unit_of(y, p)
    y, p = y / unit, p / unit
    return float(y.var() + p.var() + (y.mean() - p.mean()) ** 2) * unit * unit


def _mean_distance(y: npt.NDArray[np.float64], p: npt.NDArray[np.float64]) -> float:
    """Mean of |y_i − p_j| over all pairs, from sums over the sorted predictions below and above each value."""
    p = np.sort(p)
    below = np.searchsorted(p, y)
    total = np.concatenate([[0.0], np.cumsum(p)])
    distances = y * (2 * below - len(p)) + total[-1] - 2 * total[below]
    return float(distances.sum() / len(y) / len(p))


@procedure(question=ONE_METHOD, assumes=BOOTSTRAPPED, references=(EFRON_TIBSHIRANI_1997,))
def out_of_bag_error(losses: npt.ArrayLike) -> float:
    r"""Out-of-bag error (leave-one-out bootstrap): the mean over instances of their mean loss where not drawn.

    .. math:: \widehat{\mathrm{Err}}^{(1)} = \frac1n \sum_i \frac{\sum_b I_{bi} L_{bi}}{\sum_b I_{bi}},

    ``losses`` has bootstrap samples in rows and instances in columns, with nan where the instance was drawn
    (:math:`I_{bi} = 0`). An instance that was drawn in every sample has no loss and is left out; with 50 samples this
    has a probability of 10⁻¹⁰. The mean of the errors of the samples is nearly the same number.

    Reference: Efron & Tibshirani (1997), JASA 92:548-560, doi:10.1080/01621459.1997.10474007, equation 17.

    >>> nan = float("nan")
    >>> out_of_bag_error([[1, nan, 0], [nan, nan, 1], [nan, 0, 1]])  # instances: 1, 0 and 2/3
    0.5556
    """
    table = numbers(losses, "losses")
    if table.ndim != 2:
        raise InputError(
            f"losses must be a table with samples in rows and instances in columns, got an array of shape {table.shape}"
        )
    if np.isinf(table).any():
        raise InputError(
            "losses must be finite, or nan where the instance was drawn, "
            f"got {plural(int(np.isinf(table).sum()), 'infinite loss', 'infinite losses')}"
        )
    times = (~np.isnan(table)).sum(axis=0)
    if not times.any():
        raise InputError("losses must hold an instance that was out of bag at least once, got only nan")
    return float((np.nansum(table, axis=0)[times > 0] / times[times > 0]).mean())
