"""Hierarchical Bayesian comparison of two methods over data sets, from the scores of all folds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from fairtrial.errors import InputError
from fairtrial.stats.arguments import check_seed, number, share_ratio
from fairtrial.stats.bayes.chains import effective_size, potential_scale_reduction
from fairtrial.stats.bayes.gibbs import Folds, Gibbs
from fairtrial.stats.bayes.posterior import LARGEST, Posterior, check_rope, difference_statements, largest_share
from fairtrial.stats.bibliography import CORANI_2017
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import BAYES, procedure
from fairtrial.stats.score_arrays import FloatArray, differences, paired_scores, unit_of
from fairtrial.words import part_of, verb

ASSUMES = "independent data sets; differences normal over the folds of each, and Student's t between data sets"
FARTHEST = 1_000.0  # priors of standard deviations reach up to so many times the observed ones, as in Corani et al.


@procedure(question=BAYES, assumes=ASSUMES, references=(CORANI_2017,))
def bayes_hierarchical(
    a: Sequence[npt.ArrayLike] | npt.ArrayLike,
    b: Sequence[npt.ArrayLike] | npt.ArrayLike,
    *,
    test_share: float,
    rope: float,
    level: float = 0.95,
    effective: int = 1_000,
    seed: int = 0,
) -> Posterior:
    r"""Hierarchical Bayesian comparison of two methods over data sets, from the scores of all folds.

    Question: on the next data set from the same population, is the difference of the two methods most probably below
    the region of practical equivalence, in it, or above it?

    ``a`` and ``b`` have a row of scores for each data set, over the same folds in the same order; rows may differ in
    length. The differences :math:`x_i` on data set i have the expected value :math:`\delta_i` and the correlation
    :math:`\rho`, the ``test_share``. The :math:`\delta_i` come from a population with heavy tails:

    .. math:: x_i \sim \text{MVN}(\delta_i 1,\ \sigma_i^2 [(1-\rho) I + \rho\,1 1^\top]), \qquad
              \delta_i \sim t_\nu(\mu_0, \sigma_0), \qquad \nu - 1 \sim \text{Gamma}(\alpha, \beta).

    Estimates of data sets with few or noisy scores are shrunk towards the others, and the weight of a data set follows
    from its variance. Priors, in units of the mean standard deviation of the data sets: :math:`\mu_0` is uniform within
    the largest difference, :math:`\sigma_i` and :math:`\sigma_0` are uniform up to 1,000 times the observed values,
    :math:`\alpha` is uniform on [1, 2] and :math:`\beta` on [0.01, 0.1] (both are integrated out).

    In each draw the population has a share :math:`\theta` of its mass in each of the three regions. The printed
    probability is that of a share being the largest; ``shares`` are the expected shares, which are the probabilities
    for the next data set. The interval is that of :math:`\mu_0`. ``details`` has the three parameters of the
    population, the :math:`\delta_i` (``datasets``: mean, low and high for each row), and the smallest
    ``effective_size`` and the largest ``r_hat`` over all parameters, including every :math:`\delta_i` and
    :math:`\sigma_i`. Eight chains run until the effective sample size of every parameter is ``effective``, for at most
    20,000 steps; a note says if it is not reached, or if R-hat is above 1.01.

    If all differences on a data set are equal, their variance is zero, which the model does not allow. They get the
    variance of a uniform distribution over the region, as in baycomp (without a region, the smallest variance of the
    other data sets), and a note says so.

    Reference: Corani, Benavoli, Demšar, Mangili & Zaffalon (2017), Machine Learning 106:1817-1837,
    doi:10.1007/s10994-017-5641-9.

    >>> a = [[0.82, 0.80, 0.86, 0.84], [0.71, 0.75, 0.70, 0.72], [0.93, 0.95, 0.94, 0.97], [0.66, 0.60, 0.61, 0.65]]
    >>> b = [[0.80, 0.79, 0.81, 0.80], [0.66, 0.73, 0.65, 0.69], [0.91, 0.93, 0.93, 0.92], [0.60, 0.58, 0.59, 0.58]]
    >>> found = bayes_hierarchical(a, b, test_share=0.25, rope=0.01)
    >>> found.right > 0.9, found.details["effective_size"] > 1000, found.details["r_hat"] < 1.02
    (True, True, True)
    """
    check_rope(rope)
    check_level(level)
    check_seed(seed)
    if test_share is None:
        raise InputError("test_share must be the share of test instances (0.1 for 10-fold), got None")
    share_ratio(test_share)
    if not 1 <= number(effective) < math.inf:
        raise InputError(
            f"effective must be an effective sample size of at least 1 (1_000 is usual), got {effective!r}"
        )
    data = _folds(a, b, test_share, rope)
    sampler = Gibbs(data, np.random.default_rng(seed))
    chains, size = sampler.run(effective)
    r_hat = potential_scale_reduction(chains)
    return _posterior(data, chains, float(np.min(size)), float(np.max(r_hat)), rope, level, effective, seed)


def _posterior(
    data: Folds, chains: FloatArray, size: float, r_hat: float, rope: float, level: float, effective: int, seed: int
) -> Posterior:
    q = len(data.mean)
    center, spread, df = (chains[:, :, j].ravel() for j in range(3))
    edge = rope / data.unit
    left, right = stdtr(df, (-edge - center) / spread), stdtr(df, (center - edge) / spread)
    theta = np.column_stack([left, np.maximum(1 - left - right, 0.0) if rope else 0 * left, right])
    wins = largest_share(theta)
    probabilities, shares = wins.mean(axis=0), theta.mean(axis=0)
    worth = effective_size(wins.reshape(*chains.shape[:2], 3))
    error = np.nanmax(np.append(wins.std(axis=0) / np.sqrt(worth), 1 / size))
    notes = data.notes
    if size < effective:
        notes += (f"the smallest effective sample size is {size:.0f}, less than the requested {effective}",)
    if r_hat > 1.01:
        notes += (f"the chains differ: R-hat {r_hat:.3f} is above 1.01; another seed may give another answer",)
    tails = [(1 - level) / 2, (1 + level) / 2]
    deltas = data.unit * chains[:, :, 3 : 3 + q].reshape(-1, q)

    def summary(values: FloatArray, name: str) -> Interval:
        low, high = np.quantile(values, tails)
        mean = (values / values.size).sum()  # a sum of numbers near the largest would be infinite
        return Interval(name, float(mean), float(low), float(high), level, "posterior")

    return Posterior(
        test="Bayesian hierarchical",
        quantity="difference on the next data set",
        rope=rope,
        left=float(probabilities[0]),
        equivalent=float(probabilities[1]),
        right=float(probabilities[2]),
        words=difference_statements(rope),
        meaning=LARGEST if rope else LARGEST.replace("three", "two"),
        prior="Corani et al. (2017)",
        n=q,
        interval=summary(data.unit * center, "mean difference over data sets"),
        shares=(float(shares[0]), float(shares[1]), float(shares[2])),
        error=float(error),
        notes=notes,
        details={
            "mean": summary(data.unit * center, "mean").to_dict(),
            "spread": summary(data.unit * spread, "spread").to_dict(),
            "df": summary(df, "degrees of freedom").to_dict(),
            "datasets": _rows(deltas, tails),
            "effective_size": size,
            "r_hat": r_hat,
            "draws": len(center),
            "seed": seed,
        },
        draws=theta,
    )


def _rows(deltas: FloatArray, tails: list[float]) -> list[list[float]]:
    """The posterior mean and interval of each data set's expected difference."""
    bounds = np.quantile(deltas, tails, axis=0)
    rows: list[list[float]] = np.column_stack([(deltas / len(deltas)).sum(axis=0), *bounds]).tolist()
    return rows


def _folds(a: Any, b: Any, rho: float, rope: float) -> Folds:
    """The statistics of each data set that the likelihood needs."""
    rows = _paired_rows(a, b)
    large = unit_of(*rows, np.array([rope]))  # so that squares of huge or tiny scores neither overflow nor underflow
    rows, rope = [d / large for d in rows], rope / large
    n = np.array([float(len(d)) for d in rows])
    mean = np.array([d.mean() for d in rows])
    squares = np.array([((d - d.mean()) ** 2).sum() for d in rows])
    flat = squares == 0
    if flat.all() and not rope:
        raise InputError(
            "a and b must have differences that vary on at least one data set if rope is 0, but they are constant on "
            "each; give a rope, or use bayes_signed_rank"
        )
    unit = float(np.sqrt(squares / n).mean()) or rope
    notes: tuple[str, ...] = ()
    if flat.any():
        stand_in = rope**2 / 3 if rope else float((squares / n)[~flat].min())
        squares = np.where(flat, n * stand_in, squares)
        count = int(flat.sum())
        share = part_of(count, len(n), "data set")
        notes = (f"{share} {verb(count, 'has', 'have')} equal differences on all folds; a small variance was assumed",)
    among = float(mean.std()) or float(np.sqrt(squares / n).mean())
    return Folds(
        n=n,
        mean=mean / unit,
        within=squares / unit**2 / (1 - rho),
        inflation=(1 + (n - 1) * rho) / n,
        unit=unit * large,
        largest=max(float(np.abs(d).max()) for d in rows) / unit or 1.0,
        highest_sigma=FARTHEST * float(np.sqrt(squares / n).mean()) / unit,
        highest_spread=FARTHEST * among / unit,
        notes=notes,
    )


def _paired_rows(a: Any, b: Any) -> list[FloatArray]:
    """The differences on each data set; differences that are equal after rounding are made equal."""
    first, second = (x.to_numpy() if hasattr(x, "to_numpy") else x for x in (a, b))
    if not all(hasattr(x, "__len__") and getattr(x, "ndim", 1) for x in (first, second)):
        raise InputError(f"a and b must have a row of scores for each data set, got {first!r} and {second!r}")
    if len(first) != len(second):
        raise InputError(
            f"a and b must have the same number of rows, one for each data set, got {len(first)} and {len(second)}"
        )
    if len(first) < 2:
        raise InputError(
            f"a and b must have at least two data sets (rows), got {len(first)}; use bayes_correlated_t for one"
        )
    rows = []
    for i, (x, y) in enumerate(zip(first, second, strict=True)):
        if np.ndim(x) != 1:
            raise InputError(
                "a and b must have a row of scores for each data set, got single scores; "
                "use bayes_sign or bayes_signed_rank for them"
            )
        try:
            pair = paired_scores(x, y)
        except InputError as error:
            raise InputError(f"data set {i}: {error}") from None
        if len(pair[0]) < 3:
            raise InputError(f"data set {i} must have at least three scores for each method, got {len(pair[0])}")
        whole = differences(*pair)
        equal = (whole.whole == whole.whole[0]).all()
        rows.append(np.full(len(pair[0]), whole.value(whole.whole[0])) if equal else pair[0] - pair[1])
    return rows
