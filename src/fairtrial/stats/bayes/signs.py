"""Bayesian sign test and signed-rank test of two methods over data sets, with one score per data set."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincinv, gammainc, gammainccinv, gammaincinv, gammaln

from fairtrial.errors import InputError
from fairtrial.stats.arguments import check_seed, number
from fairtrial.stats.bayes.posterior import (
    LARGEST,
    Posterior,
    Triple,
    check_draws,
    check_rope,
    difference_statements,
    largest_share,
)
from fairtrial.stats.bibliography import BENAVOLI_2014, BENAVOLI_2017
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import BAYES, DATA_SETS, ONE_SCALE, procedure
from fairtrial.stats.score_arrays import Differences, FloatArray, IntArray, differences, paired_scores

LARGEST_OF_TWO = LARGEST.replace("three", "two")
SHARE = "share of data sets on which the first is larger"
ALL_EQUAL = "all scores are equal: they are no evidence for either method"
STRONGEST = 1e9  # the strongest prior, in data sets: a stronger one would leave no weight to the data
IN_CACHE = 65_536  # weights drawn at a time, few enough for the processor's cache
PART = 4_096  # draws from one random stream, so that the result doesn't depend on the number of threads


@procedure(question=BAYES, assumes=DATA_SETS, references=(BENAVOLI_2014, BENAVOLI_2017), test="Bayesian sign")
def bayes_sign(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    rope: float = 0.0,
    prior: float | Sequence[float] = 1.0,
    level: float = 0.95,
) -> Posterior:
    r"""Bayesian sign test of two methods over data sets, in closed form.

    Question: among data sets from the same population, which share is the largest: that on which the second method is
    larger by more than ``rope``, that on which the two are practically equivalent, or that on which the first is larger
    by more than ``rope``?

    Each difference :math:`a_i - b_i` lies left of the region of practical equivalence, in it (bounds included) or right
    of it. With a Dirichlet prior the three shares have the posterior

    .. math:: (\theta_l, \theta_e, \theta_r) \sim
              \text{Dirichlet}(s_l + n_l,\ s_e + n_e,\ s_r + n_r).

    The printed probability is that of a share being the largest of the three; ``shares`` are the expected shares. Since
    :math:`\theta` are independent gamma variables over their sum, the probability is the integral

    .. math:: P(\theta_l \text{ largest}) = \int_0^\infty f_l(x)\, F_e(x)\, F_r(x)\, dx,

    which is computed and not simulated. ``prior`` is the strength of a pseudo-observation in the region, or three
    strengths (left, in, right). Without a region (``rope=0``) ties count half for each side, and the printed
    probability is :math:`P(\theta_r > \theta_l)`, a Beta probability. A share with neither data nor prior is 0.

    References: Benavoli et al. (2014), ICML, PMLR 32:1026-1034; Benavoli, Corani, Demšar & Zaffalon (2017), JMLR
    18(77):1-36, https://jmlr.org/papers/v18/16-305.html.

    >>> forest = [0.81, 0.92, 0.77, 0.85, 0.90, 0.68, 0.74]
    >>> bayes = [0.79, 0.87, 0.78, 0.81, 0.84, 0.65, 0.66]
    >>> found = bayes_sign(forest, bayes, rope=0.01)   # 0, 1 and 6 of 7 data sets, and the prior's one in the region
    >>> found.left, found.equivalent, found.right
    (0.0, 0.0625, 0.9375)
    """
    check_rope(rope)
    check_level(level)
    d = differences(*paired_scores(a, b))
    edge = _rope_in_units(rope, d)
    counts = (int((d.whole < -edge).sum()), int((np.abs(d.whole) <= edge).sum()), int((d.whole > edge).sum()))
    strength = _sign_prior(prior)
    left, equivalent, right = (n + s for n, s in zip(counts, strength, strict=True))
    total = left + equivalent + right
    probabilities = largest_of_gammas((left, equivalent, right)) if rope else _larger_of_two(left, right)
    return Posterior(
        test="Bayesian sign",
        quantity=SHARE,
        rope=rope,
        left=probabilities[0],
        equivalent=probabilities[1],
        right=probabilities[2],
        words=difference_statements(rope),
        meaning=LARGEST if rope else LARGEST_OF_TWO,
        prior="Dirichlet({:g}, {:g}, {:g})".format(*strength),
        n=len(d.whole),
        interval=_beta_interval(right, total - right, level),
        shares=(left / total, equivalent / total, right / total),
        notes=(ALL_EQUAL,) if not rope and left == right == 0 else (),
        details={"n_left": counts[0], "n_equivalent": counts[1], "n_right": counts[2]},
    )


def _rope_in_units(rope: float, d: Differences) -> float:
    """The bound of the region in the whole units of the differences, so that a difference of 0.01 is within 0.01."""
    return float(np.rint(rope / d.value(1)))


def _sign_prior(prior: float | Sequence[float]) -> Triple:
    three = isinstance(prior, Sequence) and len(prior) == 3
    left, middle, right = map(number, prior if three else (0, prior, 0))  # type: ignore[arg-type]
    if not all(0 <= s <= STRONGEST for s in (left, middle, right)):
        raise InputError(
            f"prior must be a number from 0 to {STRONGEST:g}, or three of them (left, in, right), got {prior!r}"
        )
    return left, middle, right


def _beta_interval(a: float, b: float, level: float) -> Interval:
    if a == 0 or b == 0:
        bounds = [a / (a + b)] * 2
    else:
        bounds = [float(betaincinv(a, b, tail)) for tail in ((1 - level) / 2, (1 + level) / 2)]
    return Interval(SHARE, a / (a + b), bounds[0], bounds[1], level, "posterior Beta")


def _larger_of_two(left: float, right: float) -> Triple:
    """The probabilities that each of two shares is the larger one, with 0 for the region between them."""
    if left == 0 or right == 0:
        p = 0.5 if left == right else float(right > 0)
        return 1 - p, 0.0, p
    return float(betainc(right, left, 0.5)), 0.0, float(betainc(left, right, 0.5))


def largest_of_gammas(shapes: Triple) -> Triple:
    """The probabilities that each of three independent gamma variables is the largest.

    >>> largest_of_gammas((1, 1, 1)), largest_of_gammas((2, 1, 0))   # 1 − ½²: a sum of two exponentials against one
    ((0.3333, 0.3333, 0.3333), (0.75, 0.25, 0.0))
    """
    there = [s for s in shapes if s > 0]
    lowest, highest = math.log(gammaincinv(max(there), 1e-30)), math.log(max(gammainccinv(s, 1e-30) for s in there))
    nodes, weights = np.polynomial.legendre.leggauss(20)
    edges = np.linspace(lowest, highest, 200)
    half = (edges[1] - edges[0]) / 2
    log_x = (edges[:-1, None] + half * (1 + nodes)).ravel()
    x, step = np.exp(log_x), np.tile(weights * half, len(edges) - 1)
    below = [gammainc(s, x) if s > 0 else np.ones_like(x) for s in shapes]
    found = [0.0, 0.0, 0.0]
    for i, s in enumerate(shapes):
        if s > 0:
            density = np.exp(s * log_x - x - gammaln(s))  # the density of log x
            others = math.prod(below[j] for j in range(3) if j != i)
            found[i] = float(step @ (density * others))
    total = sum(found)  # 1 except for rounding errors
    return found[0] / total, found[1] / total, found[2] / total


@procedure(question=BAYES, assumes=ONE_SCALE, references=(BENAVOLI_2014, BENAVOLI_2017), test="Bayesian signed rank")
def bayes_signed_rank(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    rope: float = 0.0,
    prior: float = 0.5,
    level: float = 0.95,
    draws: int = 50_000,
    seed: int = 0,
) -> Posterior:
    r"""Bayesian signed-rank test of two methods over data sets.

    Question: among all means of two differences, on data sets from the same population, does the largest share lie left
    of the region of practical equivalence, in it, or right of it?

    The unknown distribution of the differences :math:`z_i = a_i - b_i` has a Dirichlet process prior: a pseudo-data set
    of strength s (``prior``) with the difference :math:`z_0 = 0`. In the posterior the differences have the weights
    :math:`w \sim \text{Dirichlet}(s, 1, \ldots, 1)`, and the shares are

    .. math:: \theta_l = \sum_{i,j} w_i w_j\,[z_i + z_j < -2r], \qquad
              \theta_r = \sum_{i,j} w_i w_j\,[z_i + z_j > 2r], \qquad \theta_e = 1 - \theta_l - \theta_r.

    A mean of two differences on the bound of the region counts half. The printed probability is the fraction of the
    ``draws`` of w in which a share is the largest (``error`` is its Monte Carlo standard error). ``shares`` are the
    expected shares, computed from the moments of the Dirichlet distribution. If shares are equally large, as when all
    scores are equal, a draw is divided between them. The differences are sorted once, so that the time of a draw is
    proportional to the number of data sets.

    Like Wilcoxon's test it uses the size of differences, so that scores should be on the same scale; unlike Wilcoxon's
    test it can show that two methods are practically equivalent.

    References: Benavoli et al. (2014), ICML, PMLR 32:1026-1034; Benavoli, Corani, Demšar & Zaffalon (2017), JMLR
    18(77):1-36, https://jmlr.org/papers/v18/16-305.html.

    >>> forest = [0.81, 0.92, 0.77, 0.85, 0.90, 0.68, 0.74]
    >>> bayes = [0.79, 0.87, 0.78, 0.81, 0.84, 0.65, 0.66]
    >>> found = bayes_signed_rank(forest, bayes, rope=0.01)
    >>> found.shares
    (0.0157, 0.0980, 0.8863)
    >>> found.right > 0.99
    True
    """
    check_rope(rope)
    check_level(level)
    check_draws(draws)
    check_seed(seed)
    if not 0 <= number(prior) <= STRONGEST:
        raise InputError(
            f"prior must be a number from 0 to {STRONGEST:g}, the strength of a pseudo-data set with difference 0, "
            f"got {prior!r}"
        )
    d = differences(*paired_scores(a, b))
    sums = _WalshSums.of(d.whole, _rope_in_units(rope, d), prior)
    theta = sums.draw(draws, seed)
    if rope == 0:
        theta[:, 1] = 0.0
    probabilities = largest_share(theta).mean(axis=0)
    low, high = np.quantile(theta[:, 2], [(1 - level) / 2, (1 + level) / 2])
    shares = sums.expected()
    return Posterior(
        test="Bayesian signed rank",
        quantity="share of means of two differences",
        rope=rope,
        left=float(probabilities[0]),
        equivalent=float(probabilities[1]),
        right=float(probabilities[2]),
        words=difference_statements(rope),
        meaning=(LARGEST if rope else LARGEST_OF_TWO).replace("of data sets", "of means of two data sets"),
        prior=f"Dirichlet process, strength {prior:g} at no difference",
        n=len(d.whole),
        interval=Interval(
            "share of means of two that are right", shares[2], float(low), float(high), level, "posterior"
        ),
        shares=shares,
        error=max(float(np.sqrt(probabilities * (1 - probabilities) / draws).max()), 1 / draws),
        notes=(ALL_EQUAL,) if (d.whole == 0).all() and not rope else (),
        details={"draws": draws, "seed": seed},
        draws=theta,
    )


@dataclass(frozen=True, slots=True)
class _WalshSums:
    """Which sums of two differences lie outside the region, as positions among the sorted differences.

    The sum of the i-th difference and another one lies left of the region for the first ``left[i]`` differences, or the
    first ``left_edge[i]`` if sums on the bound count; it lies right of the region from position ``right[i]`` on.
    """

    weights: FloatArray
    left: IntArray
    left_edge: IntArray
    right: IntArray
    right_edge: IntArray

    @classmethod
    def of(cls, whole: IntArray, edge: float, prior: float) -> _WalshSums:
        if prior > 0:
            whole = np.concatenate([[0], whole])
        weights = np.ones(len(whole))
        weights[0] = prior or 1.0
        order = np.argsort(whole, kind="stable")
        z, weights = whole[order], weights[order]
        find = [np.searchsorted(z, sign * 2 * edge - z, side) for sign in (-1, 1) for side in ("left", "right")]
        return cls(weights, find[0], find[1], find[3], find[2])

    def expected(self) -> Triple:
        """The expected shares, from the moments E[w_i w_j]."""
        total, sums = self.weights.sum(), np.concatenate([[0.0], np.cumsum(self.weights)])
        own = np.arange(len(self.weights))

        def mean(first: IntArray, edge: IntArray, sign: int) -> float:
            beyond = (sums[first] + sums[edge]) / 2
            pairs = beyond if sign < 0 else total - beyond
            inside = [(own < k) if sign < 0 else (own >= k) for k in (first, edge)]
            return float(self.weights @ (pairs + (inside[0] * 1.0 + inside[1]) / 2) / (total * (total + 1)))

        left, right = mean(self.left, self.left_edge, -1), mean(self.right, self.right_edge, 1)
        return left, max(0.0, 1 - left - right), right

    def draw(self, draws: int, seed: int) -> FloatArray:
        """The shares left, in and right of the region, with a row for each draw of the weights."""
        theta = np.empty((3, draws))
        starts = range(0, draws, PART)
        streams = np.random.SeedSequence(seed).spawn(len(starts))
        with ThreadPoolExecutor(min(len(starts), _cores())) as pool:
            list(pool.map(lambda start, stream: self._part(theta[:, start : start + PART], stream), starts, streams))
        theta[1] = np.maximum(1 - theta[0] - theta[2], 0)
        return theta.T

    def _part(self, theta: FloatArray, stream: np.random.SeedSequence) -> None:
        """Fill in the shares of some draws, a block at a time."""
        random = np.random.Generator(np.random.SFC64(stream))
        n = len(self.weights)
        block = min(max(16, 1 << int(math.log2(IN_CACHE / n + 1))), PART)  # a power of two, so that it divides PART
        weight, below, scratch = np.empty((block, n)), np.zeros((block, n + 1)), np.empty((block, n))
        odd = np.flatnonzero(self.weights != 1).tolist()
        for start in range(0, theta.shape[1], block):
            random.standard_exponential(out=weight)
            for i in odd:
                weight[:, i] = random.standard_gamma(self.weights[i], block)
            np.cumsum(weight, axis=1, out=below[:, 1:])
            here = theta[:, start : start + block]
            size, total = here.shape[1], below[:, -1] ** 2
            left = _pair_weights(weight, below, self.left, self.left_edge, scratch) / total
            right = 1 - _pair_weights(weight, below, self.right, self.right_edge, scratch) / total
            here[0], here[2] = left[:size], right[:size]


def _pair_weights(
    weight: FloatArray, below: FloatArray, first: IntArray, edge: IntArray, scratch: FloatArray
) -> FloatArray:
    """The total weight of pairs before the positions ``first`` and before ``edge``, averaged over the two."""
    found = _weight_before(weight, below, first, scratch)
    return found if (first == edge).all() else (found + _weight_before(weight, below, edge, scratch)) / 2


def _weight_before(weight: FloatArray, below: FloatArray, position: IntArray, scratch: FloatArray) -> FloatArray:
    """For each draw, the sum over i of w_i times the weight of the sorted differences before the i-th position."""
    np.take(below, position, axis=1, out=scratch, mode="clip")  # mode "clip" writes to ``out`` without a buffer
    return np.asarray(np.einsum("ij,ij->i", weight, scratch))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
