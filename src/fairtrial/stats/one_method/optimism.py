"""One method's error from a bootstrap: the optimism of the apparent error against the pessimism out of bag."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import channel_checks as channel
from fairtrial.stats.arguments import number
from fairtrial.stats.bibliography import EFRON_TIBSHIRANI_1997
from fairtrial.stats.procedures import BOOTSTRAPPED, ONE_METHOD, procedure
from fairtrial.stats.score_arrays import numbers, sample, unit_of
from fairtrial.tables import Column, Table, formats

__all__ = ["BootstrapError", "bootstrap_error", "no_information_rate", "out_of_bag_error"]

LOSSES = ("zero-one", "squared", "absolute")


@dataclass(frozen=True, slots=True)
class BootstrapError:
    """The estimates of an error that a bootstrap allows, and what they are made of.

    ``overfitting`` is the relative overfitting rate, from 0 (none) to 1 (all that was learned is noise), and
    ``weight`` what the error out of bag weighs in ``plus``. Both are nan without a no-information rate.

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
    r"""The .632 and .632+ estimates of an error, from a method's apparent error and its error out of bag.

    Tested on what it has learned, a method looks too good; trained on the 63.2 % of the instances that a bootstrap
    draws, too bad. The .632 estimate weighs the two:

    .. math:: \widehat{\mathrm{Err}}^{(.632)} = 0.368\,\overline{\mathrm{err}} + 0.632\,\widehat{\mathrm{Err}}^{(1)}

    Where a method learns by heart its apparent error is 0, and .632 is far too good: 0.316 for one nearest neighbour
    on pure noise, whose error is 0.5. The .632+ estimate lets the weight grow with the relative overfitting rate R,
    how much of the way from the apparent error to the no-information rate :math:`\gamma` the error has gone:

    .. math:: \widehat{\mathrm{Err}}^{(.632+)} = (1 - w)\,\overline{\mathrm{err}} + w\,\widehat{\mathrm{Err}}^{(1)'},
              \qquad w = \frac{0.632}{1 - 0.368\,R}, \qquad
              R = \frac{\widehat{\mathrm{Err}}^{(1)'} - \overline{\mathrm{err}}}{\gamma - \overline{\mathrm{err}}},

    where :math:`\widehat{\mathrm{Err}}^{(1)'}` is at most :math:`\gamma`, and R is 0 unless both it and
    :math:`\gamma` exceed the apparent error. For errors, which are better lower: accuracy is one minus such an error.
    ``weight=1 - exp(-1)`` uses the limit instead of the printed 0.632. These are estimates: for an interval, or to
    compare methods, use scores over splits.

    Reference: Efron & Tibshirani (1997), JASA 92:548-560, doi:10.1080/01621459.1997.10474007.

    >>> bootstrap_error(0.0, 0.5, 0.5).plain, bootstrap_error(0.0, 0.5, 0.5).plus
    (0.316, 0.5)
    """
    if not 0 < number(weight) < 1:
        raise InputError(f"weight must lie strictly between 0 and 1 (0.632), got {weight!r}")
    for name, value in (("apparent", apparent), ("out_of_bag", out_of_bag)):
        if not 0 <= number(value) < math.inf:
            raise InputError(f"{name} must be an error, a finite number of at least 0, got {value!r}")
    if not (isinstance(no_information, float) and math.isnan(no_information)) and not (
        0 <= number(no_information) < math.inf
    ):
        raise InputError(f"no_information must be a finite number of at least 0, got {no_information!r}")
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
    r"""The error that a method would have if its predictions had nothing to do with the truth.

    The mean loss over all pairs of a truth and a prediction, whichever instances they belong to:

    .. math:: \gamma = \frac{1}{n^2} \sum_i \sum_j L(y_i, \hat y_j), \qquad
              \text{for classes } \gamma = \sum_c p_c\,(1 - q_c),

    with :math:`p_c` the share of the class and :math:`q_c` the share of predictions of it. The predictions are those
    of the model that was trained on all instances, for the same instances. ``loss`` is ``"zero-one"`` for classes,
    ``"squared"`` or ``"absolute"`` for values.

    Reference: Efron & Tibshirani (1997), JASA 92:548-560, doi:10.1080/01621459.1997.10474007.

    >>> no_information_rate(list("aaab"), list("aabb"))  # 3/4 of truth and 1/2 of predictions are a
    0.5
    >>> no_information_rate(list("aaab"), list("aaab"))  # however right they are
    0.375
    """
    if loss not in LOSSES:
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
    """Mean of |y_i − p_j| over all pairs: sorted, those below a value count one way and those above the other."""
    p = np.sort(p)
    below = np.searchsorted(p, y)
    total = np.concatenate([[0.0], np.cumsum(p)])
    distances = y * (2 * below - len(p)) + total[-1] - 2 * total[below]
    return float(distances.sum() / len(y) / len(p))


@procedure(question=ONE_METHOD, assumes=BOOTSTRAPPED, references=(EFRON_TIBSHIRANI_1997,))
def out_of_bag_error(losses: npt.ArrayLike) -> float:
    r"""Leave-one-out bootstrap error: each instance's mean loss where it was not drawn, then the mean over instances.

    .. math:: \widehat{\mathrm{Err}}^{(1)} = \frac1n \sum_i \frac{\sum_b I_{bi} L_{bi}}{\sum_b I_{bi}},

    ``losses`` has bootstrap samples in rows and instances in columns, nan where the instance was drawn
    (:math:`I_{bi} = 0`). An instance that was drawn in every sample tells nothing and is left out; with 50 samples
    that happens to one in 10¹⁰. The mean of the samples' own errors is nearly the same.

    Reference: Efron & Tibshirani (1997), JASA 92:548-560, doi:10.1080/01621459.1997.10474007, equation 17.

    >>> nan = float("nan")
    >>> out_of_bag_error([[1, nan, 0], [nan, nan, 1], [nan, 0, 1]])  # instances: 1, 0 and 2/3
    0.5556
    """
    table = numbers(losses, "losses")
    if table.ndim != 2:
        raise InputError(f"losses must have samples in rows and instances in columns, got {table.ndim} dimension(s)")
    if np.isinf(table).any():
        raise InputError("losses must be finite, or nan where the instance was drawn, but some are infinite")
    times = (~np.isnan(table)).sum(axis=0)
    if not times.any():
        raise InputError("losses must have an instance that was out of bag at least once, but all are nan")
    return float((np.nansum(table, axis=0)[times > 0] / times[times > 0]).mean())
