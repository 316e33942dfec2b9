"""Measures of predicted probabilities; their calibration is in calibration.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.channel_checks import Classes
from fairtrial.measures.confusion_matrix import class_shares
from fairtrial.measures.fold_axis import FloatArray, ratio, stretches
from fairtrial.measures.predictions import Predictions, Prior, Task
from fairtrial.measures.registry import examples, measure

TOLERANCE = 1e-5
"""How far from 1 the sum of a row may be, because of rounding to single precision."""


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    """Predicted probabilities of each class for each instance.

    ``given`` has a column per class, or is the one column of the positive class of two. It is never copied.

    >>> p = Probabilities.read(["no", "yes", "yes"], [0.2, 0.9, 0.4])
    >>> p.of_truth(), p.of_class(0)
    (array([0.8, 0.9, 0.4]), array([0.8, 0.1, 0.6]))
    """

    needs: ClassVar[tuple[str, ...]] = ("probability",)
    task: ClassVar[Task] = "classes"

    given: FloatArray
    predictions: Predictions

    @classmethod
    def read(
        cls,
        truth: ArrayLike,
        probabilities: ArrayLike,
        *,
        positive: object = None,
        classes: Classes = None,
        weights: ArrayLike | None = None,
    ) -> Self:
        """Check labels of any kind and a column per class, in the order of ``classes`` (by default sorted).

        With two classes one column, the probability of the positive class, is enough.
        """
        given = {"probabilities": probabilities}
        read = Predictions.of_numbers(truth, given, "probability", positive=positive, classes=classes, weights=weights)
        return read.shared(cls)

    @classmethod
    def build(cls, predictions: Predictions) -> Self:
        """Build from checked predictions: a column per class, numbers from 0 to 1, rows that sum to 1."""
        return cls(check_probabilities(predictions.channel("probability"), predictions.n_classes), predictions)

    @property
    def matrix(self) -> FloatArray:
        """All probabilities: (instances, classes)."""
        if self.given.ndim == 2:
            return self.given
        return np.stack([self.of_class(k) for k in range(2)], axis=1)

    def of_class(self, k: int) -> FloatArray:
        """The probability of the class with that code, for each instance."""
        if self.given.ndim == 2:
            return self.given[:, k]
        return self.given if k == _positive(self.predictions) else 1 - self.given

    def of_truth(self, part: slice = slice(None)) -> FloatArray:
        """The predicted probability of the true class, for each instance of a slice."""
        given, truth = self.given[part], self.predictions.truth[part]
        if given.ndim == 1:
            return np.where(truth == _positive(self.predictions), given, 1 - given)
        places = np.arange(0, given.size, given.shape[1])  # of the rows: twice as fast as indexing by row and column
        places += truth
        return given.ravel().take(places)

    def squares(self, part: slice) -> FloatArray:
        """The squared distance of each instance's probabilities from the truth, for a slice of the instances.

        With two classes it is that of one class, since both have the same error; with more, the sum over the classes.
        """
        if self.predictions.n_classes <= 2:
            return (1 - self.of_truth(part)) ** 2
        distance = self.given[part].copy()
        distance[np.arange(len(distance)), self.predictions.truth[part]] -= 1
        return np.asarray(np.einsum("ij,ij->i", distance, distance))

    def mean(self, losses: FloatArray) -> FloatArray:
        """The weighted mean in each fold of one loss per instance."""
        return self.predictions.mean(losses)

    def mean_parts(self, losses: Callable[[slice], FloatArray]) -> FloatArray:
        """The weighted mean in each fold of losses that a function makes for a slice of the instances at a time."""
        return self.predictions.mean_parts(losses)

    def reduce(self, values: FloatArray) -> FloatArray:
        """Return the values as they are: one per fold."""
        return values


def _positive(predictions: Predictions) -> int:
    """The code of the class that a single column belongs to."""
    return 1 if predictions.positive is None else predictions.positive


def check_probabilities(given: ArrayLike, n_classes: int, name: str = "probability") -> FloatArray:
    """Refuse anything but numbers from 0 to 1: a column per class with rows that sum to 1, or one column of two."""
    array = channel_checks.numbers(name, given)
    _check_shape(name, array, n_classes)
    if array.size:
        _check_range(name, array)
    if array.ndim == 2:
        _check_sums(name, array)
    return array


def _check_shape(name: str, given: FloatArray, n_classes: int) -> None:
    if given.ndim == 1 and n_classes != 2:
        raise InputError(
            f"{name} with a single column is for 2 classes, but there are {n_classes}; "
            "give a column per class, or give classes= if some don't occur in truth"
        )
    if given.ndim > 1 and given.shape[1:] != (n_classes,):
        raise InputError(
            f"{name} must have a column for each of the {n_classes} classes, "
            f"got the shape {given.shape}; give classes= if some don't occur in truth"
        )


def _check_range(name: str, given: FloatArray) -> None:
    if given.min() < -TOLERANCE or given.max() > 1 + TOLERANCE:
        every = given.reshape(len(given), -1)
        outside = (every.min(axis=1) < -TOLERANCE) | (every.max(axis=1) > 1 + TOLERANCE)
        raise InputError(
            f"{name} must lie between 0 and 1, but {channel_checks.rows(outside)} not: {given[outside][0]}"
        )


def _check_sums(name: str, given: FloatArray) -> None:
    ones = np.ones(given.shape[1])
    if all((np.abs(given[part] @ ones - 1) <= TOLERANCE).all() for part in stretches(len(given))):
        return
    sums = given @ ones
    off = np.abs(sums - 1) > TOLERANCE
    raise InputError(f"{name} must sum to 1 over the classes, but {channel_checks.rows(off)} off: {sums[off][0]:g}")


@measure(
    "Brier score",
    of=Probabilities,
    worst=1.0,
    best=0.0,
    per_instance=True,
    range="0 to 1; 0 to 2 with more than two classes",
    use_when="probabilities are used as such, and no single instance should dominate",
    beware="a class is very rare: always predicting 0 for it scores well",
    aliases=("brier_score", "brier_score_loss"),
)
def brier(p: Probabilities) -> FloatArray:
    r"""Mean squared distance between the predicted probabilities and the truth.

    .. math:: \frac1n \sum_i (p_{i+} - y_i)^2 \quad (K = 2), \qquad
              \frac1n \sum_i \sum_{k=1}^K (p_{ik} - [y_i = k])^2 \quad (K > 2)

    As is customary, and as in scikit-learn, with two classes one of them counts (0 to 1), and with more classes the sum
    over all, Brier's original form (0 to 2): don't compare the two. With two classes ``probabilities`` may be one
    column, of the positive class. A proper scoring rule: honest probabilities score best. Undefined (nan) only for an
    empty fold.

    Reference: Brier (1950), Monthly Weather Review 78:1-3, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    >>> brier([1, 0, 1], [0.9, 0.2, 0.5])  # (0.01 + 0.04 + 0.25) / 3
    0.1
    >>> brier(["a", "b", "c"], [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.2, 0.2, 0.6]])
    0.1467
    """
    return p.mean_parts(p.squares)


@measure(
    "Root mean squared error of the probabilities",
    of=Probabilities,
    worst=1.0,
    best=0.0,
    range="0 to 1; at most √(2/K) with K classes",
    use_when="values are compared with the root mean squared error that WEKA prints for a classifier",
    beware="data sets differ in the number of classes: many classes give low values",
    aliases=("rmse_of_probabilities",),
)
def probability_rmse(p: Probabilities) -> FloatArray:
    r"""Square root of the mean squared distance from the truth, over instances and classes.

    .. math:: \sqrt{\frac1{nK} \sum_i \sum_{k=1}^K (p_{ik} - [y_i = k])^2}

    With two classes it is the square root of :func:`brier`; with :math:`K > 2` classes, that of the Brier score divided
    by :math:`K`. WEKA prints it as the root mean squared error of a classifier. Undefined (nan) only for an empty fold.

    >>> probability_rmse([1, 0, 1], [0.9, 0.2, 0.5])  # √((0.01 + 0.04 + 0.25) / 3)
    0.3162
    >>> probability_rmse(["a", "b", "c"], [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.2, 0.2, 0.6]])
    0.2211
    """
    k = p.predictions.n_classes
    return np.sqrt(p.mean_parts(p.squares) / (1 if k <= 2 else k))


@measure(
    "Log loss",
    of=Probabilities,
    worst=np.inf,
    best=0.0,
    per_instance=True,
    use_when="probabilities are used as such, and confident mistakes are costly",
    beware="a method predicts exactly 0: the size of its loss is then a convention",
    aliases=("cross_entropy", "negative_log_likelihood", "logloss", "nll"),
)
def log_loss(p: Probabilities) -> FloatArray:
    r"""Mean negative natural logarithm of the predicted probability of the true class.

    .. math:: -\frac1n \sum_i \ln p_{i, y_i}

    A proper scoring rule. A probability of 0 for the true class would make it infinite. As in scikit-learn, such a
    probability is raised to the machine epsilon of double precision (2.2e-16), a loss of 36.04, so that one instance
    does not hide all others. Undefined (nan) only for an empty fold. Also called cross-entropy; divide by ln 2 for
    bits.

    Reference: Good (1952), Journal of the Royal Statistical Society B 14:107-114,
    doi:10.1111/j.2517-6161.1952.tb00104.x.

    >>> log_loss([1, 0, 1], [0.9, 0.2, 0.5])  # −(ln 0.9 + ln 0.8 + ln 0.5) / 3
    0.3406
    """
    return -p.mean_parts(lambda part: np.log(p.of_truth(part).clip(np.finfo(float).eps, 1.0)))


@measure(
    "Information score",
    of=Probabilities,
    worst=-np.inf,
    best=np.inf,
    unit="bits",
    range="up to the entropy of the prior, 0 for the prior itself",
    undefined="the prior of one class is 1, or that of a class that occurs is 0",
    use_when="class balances differ, and a right prediction of a rare class should count more",
    beware="probabilities should be calibrated: it rewards exaggerated ones",
    aliases=("kononenko_bratko",),
)
def information_score(p: Probabilities, *, prior: Prior = None) -> FloatArray:
    r"""Mean information of the predictions about the classes, in bits.

    With :math:`P` the prior and :math:`P'` the predicted probability of the true class, the score of an instance is

    .. math:: I = \begin{cases} \log_2 P' - \log_2 P & P' \ge P \\
                              \log_2 (1 - P) - \log_2 (1 - P') & P' < P \end{cases}

    It is positive if the true class gets more than its prior, negative if it gets less, and 0 for the prior itself.
    ``prior``: the shares of the classes in their order, or that of the positive class of two; by default the shares in
    the fold. (The authors and WEKA take them from the training data.) Undefined (nan) when the prior of one class is 1,
    as in a fold with one class, or when that of a class that occurs is 0. It is not a proper scoring rule: with two
    classes of prior ½, predicting :math:`p \ge ½` for an event of probability :math:`q > ½` has the expected score
    :math:`(2q - 1) \log_2 2p`, which is largest for :math:`p = 1`.

    Reference: Kononenko & Bratko (1991), Machine Learning 6:67-80, doi:10.1007/BF00153760.

    >>> information_score([1, 0, 0, 1], [0.5, 0.25, 0.0, 0.25])  # 0, log₂ 1.5, 1, −log₂ 1.5
    0.25
    >>> information_score([0, 1, 0], [0.5, 0.6, 0.2], prior=0.1)  # log₂ (0.1/0.5), log₂ 6, log₂ (0.1/0.2)
    -0.2457
    """
    return p.mean(_counted(_bits(p, prior), p.predictions))


@measure(
    "Relative information score",
    of=Probabilities,
    worst=-np.inf,
    best=1.0,
    range="up to 1, 0 for the prior itself",
    undefined="the prior of one class is 1, or that of a class that occurs is 0",
    use_when="data sets of different class balance or number of classes are compared",
    beware="probabilities should be calibrated: it rewards exaggerated ones",
)
def relative_information_score(p: Probabilities, *, prior: Prior = None) -> FloatArray:
    r"""The information score as a share of the entropy of the prior.

    .. math:: \frac{\frac1n \sum_i I_i}{-\sum_k P_k \log_2 P_k}

    See :func:`information_score` for :math:`I` and ``prior``. The authors and WEKA print it in percent. With a given
    prior it can exceed 1, if rare classes occur more often than the prior says. Undefined (nan) when the prior of one
    class is 1, or that of a class that occurs is 0.

    Reference: Kononenko & Bratko (1991), Machine Learning 6:67-80, doi:10.1007/BF00153760.

    >>> relative_information_score([1, 0, 0, 0], [1.0, 0.25, 0.25, 0.25])  # 2 bits of 4 × 0.8113
    0.6163
    """
    score = p.mean(_counted(_bits(p, prior), p.predictions))
    return ratio(score, _entropy(p, prior))


def _prior_of_truth(p: Probabilities, prior: Prior) -> FloatArray:
    """The prior probability of the true class, for each instance."""
    known, folds = p.predictions, p.predictions.folds
    if prior is not None:
        return np.asarray(class_shares(prior, known.n_classes, _positive(known)).take(known.truth))
    counts = folds.tally(known.truth, known.n_classes, known.weights)
    shares = ratio(counts, counts.sum(axis=1, keepdims=True))
    return np.asarray(shares[0].take(known.truth) if folds.index is None else shares[folds.index, known.truth])


def _bits(p: Probabilities, prior: Prior) -> FloatArray:
    """The information score of each instance."""
    before, after = _prior_of_truth(p, prior), p.of_truth().clip(0.0, 1.0)
    towards = after >= before
    more, less = np.where(towards, after, 1 - before), np.where(towards, before, 1 - after)
    bits = np.full(len(more), np.nan)
    return np.log2(ratio(more, less), out=bits, where=(before > 0) & (before < 1))


def _entropy(p: Probabilities, prior: Prior) -> FloatArray:
    """The entropy of the prior in bits, from the same numbers as the score, so that a perfect score is exactly 1."""
    if prior is None:
        return p.mean(_counted(np.log2(ratio(1.0, _prior_of_truth(p, prior))), p.predictions))
    shares = class_shares(prior, p.predictions.n_classes, _positive(p.predictions))
    return np.array([-np.sum(np.log2(shares, where=shares > 0, out=np.zeros(len(shares))) * shares)])


def _counted(values: FloatArray, predictions: Predictions) -> FloatArray:
    """The values with 0 for instances without weight: an undefined value there must not change the mean."""
    return values if predictions.weights is None else np.where(predictions.weights > 0, values, 0.0)


__test__ = examples(__name__)
