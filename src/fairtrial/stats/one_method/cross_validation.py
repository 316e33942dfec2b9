"""Cross-validated error of one method: intervals that are valid for the resampling used."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures.channel_checks import same_rows
from fairtrial.stats.bibliography import BATES_2023, BAYLE_2020, NADEAU_BENGIO_2003
from fairtrial.stats.distributions.normal import normal_bounds
from fairtrial.stats.one_method.mean import mean_interval, no_spread
from fairtrial.stats.outcome import Alternative, Interval, check_alternative, check_level
from fairtrial.stats.procedures import ONE_METHOD, procedure
from fairtrial.stats.score_arrays import FloatArray, IntArray, sample, unit_of

__all__ = ["cv_interval", "nested_cv_interval"]

STABLE = "a stable algorithm and many instances; or, with test_share, normal scores over resamples"

Spread = Literal["all", "within"]
ABOUT = "about the models of these folds: their mean error on new instances, not the algorithm's over training sets"
SMALL = 100  # instances below which the central limit theorem is not to be trusted


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
    r"""Interval for a cross-validated score or error that knows how the folds hang together.

    Two kinds of values, two methods; say which by what you give:

    - scores of folds or resamples, with ``test_share`` (0.1 for 10-fold): the **corrected t** interval of
      :func:`mean_interval`, :math:`\bar x \pm t_{k-1}\sqrt{(\tfrac1k + q) s^2}`. It is about the algorithm, over
      training sets of this size; a heuristic, cautious for a single k-fold.
    - the loss of *each instance* when it was tested, with ``folds``, the fold of each: the **central limit theorem** of
      Bayle et al.,

      .. math:: \bar\ell \pm z\,\frac{\hat\sigma}{\sqrt n},

      with :math:`\hat\sigma^2` the variance of all n losses (``spread="all"``) or the mean of the folds' own variances
      (``"within"``, which needs two instances a fold). It is about the mean error of the k models that were fitted, and
      holds for stable algorithms and many instances; a note says when n is below 100. Each instance is tested once, so
      repeats don't go in.

    Equal values have no spread: the bounds are nan, with a note. For a nested cross-validation see
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
        raise InputError("give either test_share, for scores of folds, or folds, for losses of instances")
    if folds is None:
        return mean_interval(values, test_share=test_share, alternative=alternative, level=level, quantity=quantity)
    same_rows({"losses": values, "folds": folds})
    losses = sample(values, "losses")
    mean, error = mean_and_error(losses, folds, spread)
    name = "central limit theorem of cross-validation"
    if not error > 0:
        note = "all losses are equal: there is no spread and no interval"
        return Interval(quantity, mean, math.nan, math.nan, level, name, (note,))
    bounds = normal_bounds(mean, error, level, alternative)
    return Interval(quantity, mean, *bounds, level, name, clt_notes(len(losses)))


def clt_notes(n: int) -> tuple[str, ...]:
    return (ABOUT,) if n >= SMALL else (ABOUT, f"{n} instances are few for a central limit theorem")


def mean_and_error(losses: FloatArray, folds: npt.ArrayLike, spread: str) -> tuple[float, float]:
    """The mean, and its standard error after Bayle et al."""
    index = fold_index(folds, len(losses))
    if spread not in ("all", "within"):
        raise UnknownName.among("spread of losses", spread, ("all", "within"))
    n, unit = len(losses), unit_of(losses)
    losses = losses / unit
    mean = float(losses.mean()) * unit
    if no_spread(losses):
        return mean, 0.0
    if spread == "all":
        return mean, float(losses.std()) / math.sqrt(n) * unit
    sizes = np.bincount(index)
    if sizes.min() < 2:
        raise InputError("spread 'within' needs at least two instances in each fold, got one; use 'all'")
    means = np.bincount(index, losses) / sizes
    variances = np.bincount(index, (losses - means[index]) ** 2) / (sizes - 1)
    return mean, math.sqrt(float(variances.mean()) / n) * unit


def fold_index(folds: npt.ArrayLike, n: int) -> IntArray:
    """Numbers 0 to k − 1 for whatever names the folds have; at least two folds."""
    given = _names_of("folds", folds)
    if given.shape != (n,):
        raise InputError(f"folds must name the fold of each of the {n} instances, got an array of shape {given.shape}")
    names, index = np.unique(given, return_inverse=True)
    if len(names) < 2:
        raise InputError("folds must be at least two, got one; a single test set has proportion_interval and paired_t")
    return np.asarray(index, dtype=np.int64)


def _names_of(argument: str, values: npt.ArrayLike) -> npt.NDArray[Any]:
    """An array of names or numbers, none missing."""
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise InputError(f"{argument} must be a list of names or numbers ({error})") from error
    if array.dtype.kind != "O":
        missing = int((array != array).sum())
    else:
        missing, array = sum(v is None or v != v for v in array.ravel().tolist()), array.astype(str)
    if missing:
        raise InputError(f"{argument} must be names or numbers, but {missing} of {array.size} are missing")
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
    r"""Interval for the error from nested cross-validation, which measures how far cross-validation is off.

    For the splits of :class:`fairtrial.resampling.NestedKFold` with k ``folds``: in each repeat splits 0 to k − 1 are
    the outer folds, and the splits after them leave out two outer folds each, in the order of ``pairs()``. ``losses``
    has a row for each test of an instance, ``repeats``, ``splits`` and ``rows`` say in which repeat and split, and
    which instance it was.

    Outer fold i is predicted from all others: mean loss :math:`\bar e^{out}_i`. A cross-validation *inside* those
    others had promised :math:`\bar e^{in}_i`. How far the two are apart, less what chance in the fold itself explains,
    is the mean squared error of cross-validation,

    .. math:: \widehat{\mathrm{MSE}} = \frac1{rk} \sum \left[(\bar e^{in}_i - \bar e^{out}_i)^2 -
              \frac{s^2(e^{out}_i)}{n_i}\right],

    over all folds and repeats. The interval is
    :math:`\widehat{\mathrm{Err}} \pm z \sqrt{\tfrac{k-1}{k}\widehat{\mathrm{MSE}}}`, the root held between one and
    :math:`\sqrt k` times the naive standard error. Its centre is the mean of all inner losses less the bias
    :math:`\left(1 + \tfrac{k-2}{k}\right)(\bar e^{in} - \bar e^{out})` that comes from training on less.

    Many repeats are needed (200 in the paper): with few the MSE is noisy, often at one of its limits; a note says so.
    It is about the error of the model that is fitted to these data.

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
    inner, outer, apart = _nested(sample(losses, "losses"), repeats, splits, rows, folds)
    n = len(np.unique(np.asarray(rows)))
    naive = float(inner.std(ddof=1)) / math.sqrt(n)
    raw = math.sqrt(max((folds - 1) / folds * float(apart.mean()), 0.0))
    error = min(max(raw, naive), math.sqrt(folds) * naive)
    bias = (1 + (folds - 2) / folds) * (float(inner.mean()) - float(outer.mean()))
    estimate = float(inner.mean()) - bias
    if naive == 0:
        note = "all losses are equal: there is no spread and no interval"
        return Interval(quantity, estimate, math.nan, math.nan, level, "nested cross-validation", (note,))
    bounds = normal_bounds(estimate, error, level, alternative)
    limit = {naive: "smallest", math.sqrt(folds) * naive: "largest"}.get(error)
    notes = () if limit is None else (f"the standard error is at the {limit} value it can have: more repeats may tell",)
    return Interval(quantity, estimate, *bounds, level, "nested cross-validation", notes)


def _nested(
    losses: FloatArray, repeats: npt.ArrayLike, splits: npt.ArrayLike, rows: npt.ArrayLike, folds: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """All inner losses, all outer losses, and for each outer fold its squared distance less its own variance."""
    from fairtrial.resampling import NestedKFold

    columns = [_names_of(name, c) for name, c in (("repeats", repeats), ("splits", splits), ("rows", rows))]
    if any(c.shape != losses.shape for c in columns):
        raise InputError(f"repeats, splits and rows must be as long as losses, {len(losses)}")
    if columns[1].dtype.kind not in "iu":
        raise InputError(f"splits must be whole numbers, got {columns[1].dtype}")
    pairs = np.array(NestedKFold(folds=folds).pairs())
    repeat, split, row = columns
    if split.min() < 0 or split.max() >= folds + len(pairs):
        raise InputError(f"splits must be numbers from 0 to {folds + len(pairs) - 1} for {folds} folds")
    apart = []
    outside, inside = [], []
    for one in np.unique(repeat):
        of_outer, of_inner = (repeat == one) & (split < folds), (repeat == one) & (split >= folds)
        own = dict(zip(row[of_outer].tolist(), split[of_outer].tolist(), strict=True))
        held_out = np.array([own.get(r, -1) for r in row[of_inner].tolist()])
        two = pairs[split[of_inner] - folds]
        if (of_outer.sum() != len(own)) or not (two == held_out[:, None]).any(axis=1).all():
            raise InputError(f"repeat {one} must test each row once in an outer fold, and again where that is left out")
        other = two.sum(axis=1) - held_out  # a row of fold i that is tested without i and j belongs inside j
        for fold in range(folds):
            e_out, e_in = losses[of_outer][split[of_outer] == fold], losses[of_inner][other == fold]
            if len(e_out) < 2 or not len(e_in):
                raise InputError(f"outer fold {fold} of repeat {one} must have two rows or more, and inner folds")
            apart.append((e_in.mean() - e_out.mean()) ** 2 - e_out.var(ddof=1) / len(e_out))
            outside.append(e_out)
            inside.append(e_in)
    return np.concatenate(inside), np.concatenate(outside), np.array(apart)
