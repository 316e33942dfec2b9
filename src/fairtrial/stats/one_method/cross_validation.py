"""Intervals for one method's cross-validated error or score, which account for the dependence between folds."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures.channel_checks import is_missing, same_rows
from fairtrial.stats.arguments import number
from fairtrial.stats.bibliography import BATES_2023, BAYLE_2020, NADEAU_BENGIO_2003
from fairtrial.stats.distributions.tail import normal_bounds
from fairtrial.stats.one_method.mean import mean_interval, why_no_interval
from fairtrial.stats.outcome import Alternative, Interval, check_alternative, check_level
from fairtrial.stats.procedures import ONE_METHOD, procedure
from fairtrial.stats.score_arrays import FloatArray, IntArray, sample, unit_of
from fairtrial.words import is_one_of, listed, plural, shown, verb

STABLE = "with folds: a stable algorithm and many instances; with test_share: normal scores over resamples"

Spread = Literal["all", "within"]
ABOUT = (
    "this is about the mean error of the models fitted on these folds, not about the algorithm over other training sets"
)
EQUAL_LOSSES = "all losses are equal: their variance is zero, and there is no interval"
SMALL = 100  # instances: with fewer, the central limit theorem is unreliable


@procedure(question=ONE_METHOD, assumes=STABLE, references=(BAYLE_2020, NADEAU_BENGIO_2003))
def cv_interval(
    values: npt.ArrayLike,
    *,
    test_share: float | None = None,
    folds: npt.ArrayLike | None = None,
    spread: Spread = "all",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    quantity: str = "cross-validated mean",
) -> Interval:
    r"""Confidence interval for a cross-validated score or error, which accounts for the dependence between folds.

    There are two kinds of values, and a method for each. Give ``test_share`` or ``folds``:

    - ``values`` are scores over folds or resamples, and ``test_share`` is the share held out (0.1 for 10-fold): the
      **corrected t** interval of :func:`mean_interval`, :math:`\bar x \pm t_{k-1}\sqrt{(\tfrac1k + q) s^2}`. It is
      about the algorithm, over training sets of this size. It is a heuristic, conservative for a single k-fold.
    - ``values`` are the losses of *single instances* when they were tested, and ``folds`` is the fold of each: the
      interval from the **central limit theorem** of Bayle et al.,

      .. math:: \bar\ell \pm z\,\frac{\hat\sigma}{\sqrt n},

      with :math:`\hat\sigma^2` the variance of all n losses (``spread="all"``) or the mean of the variances within
      folds (``"within"``, which needs two instances in each fold). It is about the mean error of the k models that were
      fitted, and holds for stable algorithms and many instances; a note appears if n is below 100. Each instance must
      be tested once, so that repeated cross-validation does not fit.

    If all values are equal, their variance is zero: the bounds are nan, with a note. For a nested cross-validation see
    :func:`nested_cv_interval`.

    References: Nadeau & Bengio (2003), doi:10.1023/A:1024068626366; Bayle, Bayle, Janson & Mackey (2020),
    Cross-validation confidence intervals for test error, NeurIPS 33.

    >>> print(cv_interval([0.70, 0.80, 0.75, 0.85], test_share=0.25))
    cross-validated mean 0.7750, 95 % interval [0.6181, 0.9319] (t, corrected for shared training data)
    >>> losses = [0] * 160 + [1] * 40
    >>> print(cv_interval(losses, folds=[i % 10 for i in range(200)], quantity="error").low)
    0.1446
    """
    check_level(level)
    check_alternative(alternative)
    if (test_share is None) == (folds is None):
        given = "neither" if folds is None else "both"
        raise InputError(
            "cv_interval needs either test_share (values are scores over folds) or folds (values are losses of "
            f"instances), got {given}"
        )
    if folds is None:
        return mean_interval(values, test_share=test_share, alternative=alternative, level=level, quantity=quantity)
    same_rows({"losses": values, "folds": folds})
    losses = sample(values, "losses")
    mean, error = mean_and_error(losses, folds, spread)
    name = "central limit theorem of cross-validation"
    if not error > 0:
        return Interval(quantity, mean, math.nan, math.nan, level, name, (EQUAL_LOSSES,))
    bounds = normal_bounds(mean, error, level, alternative)
    return Interval(quantity, mean, *bounds, level, name, clt_notes(len(losses)))


def clt_notes(n: int) -> tuple[str, ...]:
    """The notes of an inference by the central limit theorem of cross-validation, for n instances."""
    few = f"{plural(n, 'instance')} {verb(n, 'is', 'are')} few for the central limit theorem; it needs about {SMALL}"
    return (ABOUT,) if n >= SMALL else (ABOUT, few)


def mean_and_error(losses: FloatArray, folds: npt.ArrayLike, spread: str) -> tuple[float, float]:
    """The mean of losses and its standard error (Bayle et al. 2020)."""
    index = fold_index(folds, len(losses))
    if not is_one_of(spread, ("all", "within")):
        raise UnknownName.among("spread of losses", spread, ("all", "within"))
    n, unit = len(losses), unit_of(losses)
    losses = losses / unit
    mean = float(losses.mean()) * unit
    if why_no_interval(losses):
        return mean, 0.0
    if spread == "all":
        return mean, float(losses.std()) / math.sqrt(n) * unit
    sizes = np.bincount(index)
    if sizes.min() < 2:
        raise InputError("spread 'within' needs at least two instances in each fold, got a fold of one; use 'all'")
    means = np.bincount(index, losses) / sizes
    variances = np.bincount(index, (losses - means[index]) ** 2) / (sizes - 1)
    return mean, math.sqrt(float(variances.mean()) / n) * unit


def fold_index(folds: npt.ArrayLike, n: int) -> IntArray:
    """The fold of each instance as a number from 0 to k − 1, from names or numbers of at least two folds."""
    given = _checked_names("folds", folds)
    if given.shape != (n,):
        raise InputError(f"folds must name the fold of each of the {n} instances, got an array of shape {given.shape}")
    names, index = np.unique(given, return_inverse=True)
    if len(names) < 2:
        raise InputError(
            "folds must hold at least two different folds, got one; for a single test set use proportion_interval or "
            "paired_t"
        )
    return np.asarray(index, dtype=np.int64)


def _checked_names(argument: str, values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Names or numbers as an array, none of them missing."""
    try:
        array = np.asarray(values)
        if array.dtype.kind != "O":
            missing = int((array != array).sum())
        else:
            missing, array = sum(is_missing(v) or v != v for v in array.ravel().tolist()), array.astype(str)
    except ValueError as error:
        raise InputError(f"{argument} must be a list of names or numbers, but numpy says: {error}") from error
    if missing:
        raise InputError(
            f"{argument} must hold a name or number for each row, but {missing} of {array.size} "
            f"{verb(missing, 'is', 'are')} missing"
        )
    return array


@procedure(question=ONE_METHOD, assumes="nested cross-validation, repeated many times", references=(BATES_2023,))
def nested_cv_interval(
    losses: npt.ArrayLike,
    *,
    repeats: npt.ArrayLike,
    splits: npt.ArrayLike,
    rows: npt.ArrayLike,
    folds: int,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    quantity: str = "error",
) -> Interval:
    r"""Confidence interval for the error from nested cross-validation, which estimates the error of cross-validation.

    It is for the splits of :class:`fairtrial.resampling.NestedKFold` with k ``folds``. In each repeat the splits 0 to
    k − 1 are the outer folds, and each of the splits after them leaves out two outer folds, in the order of
    ``pairs()``. ``losses`` has an entry for each test of an instance; ``repeats``, ``splits`` and ``rows`` hold its
    repeat, its split and its instance.

    Outer fold i, predicted from all other folds, has the mean loss :math:`\bar e^{out}_i`. A cross-validation *inside*
    those other folds estimates it by :math:`\bar e^{in}_i`. The squared difference of the two, less the sampling
    variance of the outer fold, estimates the mean squared error of cross-validation,

    .. math:: \widehat{\mathrm{MSE}} = \frac1{rk} \sum \left[(\bar e^{in}_i - \bar e^{out}_i)^2 -
              \frac{s^2(e^{out}_i)}{n_i}\right],

    averaged over all folds and repeats. The interval is
    :math:`\widehat{\mathrm{Err}} \pm z \sqrt{\tfrac{k-1}{k}\widehat{\mathrm{MSE}}}`, where the root is kept between one
    and :math:`\sqrt k` times the naive standard error. Its centre is the mean of all inner losses minus the bias
    :math:`\left(1 + \tfrac{k-2}{k}\right)(\bar e^{in} - \bar e^{out})`, which comes from training on fewer instances.

    Many repeats are needed (200 in the paper). With few repeats the MSE is noisy and often at one of its limits; a note
    says so. The interval is about the error of the model that is fitted to these data.

    Reference: Bates, Hastie & Tibshirani (2023), JASA 119:1434-1445, doi:10.1080/01621459.2023.2197686.

    >>> rows = [0, 1, 2, 3, 4, 5] + [0, 1, 2, 3] + [0, 1, 4, 5] + [2, 3, 4, 5]
    >>> splits = [0, 0, 1, 1, 2, 2] + [3] * 4 + [4] * 4 + [5] * 4
    >>> losses = [1, 2, 3, 4, 2, 2] + [2, 2, 4, 4] + [1, 3, 2, 2] + [3, 5, 3, 3]
    >>> found = nested_cv_interval(losses, repeats=[0] * 18, splits=splits, rows=rows, folds=3)
    >>> found.estimate, found.low, found.high
    (2.1667, 0.6219, 3.7115)
    """
    check_alternative(alternative)
    check_level(level)
    same_rows({"losses": losses, "repeats": repeats, "splits": splits, "rows": rows})
    given = sample(losses, "losses")
    unit = unit_of(given)
    inner, outer, apart = _nested_losses(given / unit, repeats, splits, rows, folds)
    n = len(np.unique(np.asarray(rows)))
    naive = float(inner.std(ddof=1)) / math.sqrt(n)
    raw = math.sqrt(max((folds - 1) / folds * float(apart.mean()), 0.0))
    error = min(max(raw, naive), math.sqrt(folds) * naive)
    bias = (1 + (folds - 2) / folds) * (float(inner.mean()) - float(outer.mean()))
    estimate = float(inner.mean()) - bias
    if naive == 0:
        nothing = Interval(quantity, estimate, math.nan, math.nan, level, "nested cross-validation", (EQUAL_LOSSES,))
        return nothing.scaled(unit)
    bounds = normal_bounds(estimate, error, level, alternative)
    limit = {naive: "smallest", math.sqrt(folds) * naive: "largest"}.get(error)
    at_limit = f"the standard error is at the {limit} value that the method allows; more repeats may change it"
    notes = () if limit is None else (at_limit,)
    return Interval(quantity, estimate, *bounds, level, "nested cross-validation", notes).scaled(unit)


def _nested_losses(
    losses: FloatArray, repeats: npt.ArrayLike, splits: npt.ArrayLike, rows: npt.ArrayLike, folds: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """All inner losses, all outer losses, and for each outer fold the squared difference of means less its variance."""
    from fairtrial.resampling import NestedKFold

    columns = [_checked_names(name, c) for name, c in (("repeats", repeats), ("splits", splits), ("rows", rows))]
    if any(c.shape != losses.shape for c in columns):
        raise InputError(
            f"repeats, splits and rows must each have one entry for each of the {len(losses)} losses, "
            f"got {listed(len(c) if c.ndim else 'no list' for c in columns)}"
        )
    if columns[1].dtype.kind not in "iu":
        raise InputError(f"splits must be whole numbers, got values of type {columns[1].dtype}")
    if number(folds) > max(len(losses), 100):  # below, their pairs are few, and what is wrong is said better
        raise InputError(f"folds must be at most the number of losses, {len(losses)}, got {shown(folds)}")
    pairs = np.array(NestedKFold(folds=folds).pairs())
    repeat, split, row = columns
    if split.min() < 0 or split.max() >= folds + len(pairs):
        raise InputError(
            f"splits must be numbers from 0 to {folds + len(pairs) - 1} for {folds} folds, "
            f"got {split.min()} to {split.max()}"
        )
    apart = []
    outside, inside = [], []
    for one in np.unique(repeat):
        of_outer, of_inner = (repeat == one) & (split < folds), (repeat == one) & (split >= folds)
        own = dict(zip(row[of_outer].tolist(), split[of_outer].tolist(), strict=True))
        held_out = np.array([own.get(r, -1) for r in row[of_inner].tolist()])
        two = pairs[split[of_inner] - folds]
        if (of_outer.sum() != len(own)) or not (two == held_out[:, None]).any(axis=1).all():
            raise InputError(
                f"repeat {one} must test each row once in an outer fold, and again in the splits that leave this fold "
                "out; give the losses of NestedKFold's splits"
            )
        other = two.sum(axis=1) - held_out  # a row of fold i that is tested without folds i and j is inner to fold j
        for fold in range(folds):
            e_out, e_in = losses[of_outer][split[of_outer] == fold], losses[of_inner][other == fold]
            if len(e_out) < 2 or not len(e_in):
                raise InputError(
                    f"outer fold {fold} of repeat {one} must have at least two outer losses and one inner loss, "
                    f"got {len(e_out)} and {len(e_in)}"
                )
            apart.append((e_in.mean() - e_out.mean()) ** 2 - e_out.var(ddof=1) / len(e_out))
            outside.append(e_out)
            inside.append(e_in)
    return np.concatenate(inside), np.concatenate(outside), np.array(apart)
