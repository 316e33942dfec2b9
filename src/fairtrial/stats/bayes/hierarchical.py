"""Hierarchical Bayesian comparison of two methods over data sets, from the scores of all folds.

Convergence of Markov chains: R-hat and the effective sample size.

The Gibbs sampler of the hierarchical model: eight chains at a time, with numpy only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import digamma, gammaln, ndtr, ndtri, stdtr, zeta

from fairtrial.errors import InputError
from fairtrial.stats.arguments import check_seed, number, share_ratio
from fairtrial.stats.bayes.posterior import LARGEST, Posterior, check_rope, difference_statements, largest_share
from fairtrial.stats.bibliography import CORANI_2017
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import BAYES, procedure
from fairtrial.stats.score_arrays import BoolArray, FloatArray, differences, paired_scores, unit_of
from fairtrial.words import part_of, verb


def _halves(chains: FloatArray) -> FloatArray:
    """Each chain split into two, so that a trend within a chain shows as a difference between chains."""
    half = chains.shape[0] // 2
    return np.concatenate([chains[:half], chains[-half:]], axis=1)


def potential_scale_reduction(chains: FloatArray) -> FloatArray:
    r"""R-hat (potential scale reduction) of split chains, near 1 if they agree; input is draws × chains × parameters.

    With W the mean variance within the halves of chains, of n draws each, and B/n the variance of their means,

    .. math:: \hat R = \sqrt{\frac{\frac{n-1}{n} W + \frac1n B}{W}}.

    Reference: Gelman et al. (2013), Bayesian Data Analysis, 3rd edition, section 11.4.

    >>> there = np.array([[0.0, 1.0], [2.0, 3.0], [1.0, 2.0], [3.0, 4.0]])[:, :, None]
    >>> potential_scale_reduction(there)   # W = 2, means 1, 2, 2 and 3
    array([0.9129])
    """
    x = _halves(chains)
    n = x.shape[0]
    within, between = x.var(axis=0, ddof=1).mean(axis=0), x.mean(axis=0).var(axis=0, ddof=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.sqrt(((n - 1) / n * within + between) / within))


def effective_size(chains: FloatArray) -> FloatArray:
    r"""Effective sample size of the mean of each parameter; input is draws × chains × parameters.

    With :math:`\hat\rho_t` the autocorrelation at lag t over the halves of all chains, in pairs
    :math:`P_k = \hat\rho_{2k} + \hat\rho_{2k+1}` that are added while they are positive and made monotone (Geyer),

    .. math:: n_\text{eff} = \frac{n m}{-1 + 2 \sum_k P_k},

    at most :math:`n m \log_{10}(n m)`, as in Stan. The size of a parameter that never changes is nan.

    Reference: Gelman et al. (2013), Bayesian Data Analysis, 3rd edition, section 11.5.
    """
    x = _halves(chains)
    n, m, count = x.shape
    found = np.empty(count)
    for start in range(0, count, 64):  # 64 parameters at a time, so that their Fourier transforms need little memory
        found[start : start + 64] = _effective(x[:, :, start : start + 64])
    return np.asarray(np.minimum(found, n * m * np.log10(n * m)))


def _effective(x: FloatArray) -> FloatArray:
    n, m, _ = x.shape
    covariance = _autocovariance(x).mean(axis=1)
    within = covariance[0] * n / (n - 1)
    total = within * (n - 1) / n + x.mean(axis=0).var(axis=0, ddof=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        rho = 1 - (within - covariance * n / (n - 1)) / total
    rho[0] = 1.0
    even = n - n % 2
    pairs = rho[0:even:2] + rho[1:even:2]
    positive = np.logical_and.accumulate(pairs > 0, axis=0)
    falling = np.minimum.accumulate(np.where(positive, pairs, 0.0), axis=0)
    size = n * m / np.maximum(-1 + 2 * falling.sum(axis=0), 1 / np.log10(n * m))
    return np.where(total > 0, size, np.nan)


def _autocovariance(x: FloatArray) -> FloatArray:
    from scipy.fft import irfft, next_fast_len, rfft

    n = x.shape[0]
    size = next_fast_len(2 * n, real=True)
    spectrum = rfft(x - x.mean(axis=0), n=size, axis=0)
    return np.asarray(irfft(spectrum.real**2 + spectrum.imag**2, n=size, axis=0)[:n] / n)


CHAINS = 8
MOVES = 2  # proposals for the population parameters in a step; they are cheap compared with the rest
WARM_UPS, WARM_UP = 3, 150  # the number of warm-ups, and the steps of each
ROUND = 1_250  # draws of a chain between two checks of the effective sample size, fewer if a small one is requested
MOST_DRAWS = 20_000  # draws of a chain after which the sampler stops
MIDDLE, FARTHEST_LOG_DF = -1.5, 10.4  # log(nu − 1) stays within this distance of the middle of its prior's grid
SHAPES, RATES = (1.0, 2.0), (0.01, 0.1)  # ranges of shape and rate of the gamma prior of nu − 1, as in baycomp

Proposal = tuple[FloatArray, FloatArray, FloatArray, BoolArray]


@dataclass(frozen=True)
class Folds:
    """The statistics of each data set that the likelihood needs, in units of the mean standard deviation."""

    n: FloatArray
    mean: FloatArray
    within: FloatArray  # sum of squares about the mean, over 1 − rho
    inflation: FloatArray  # variance of the mean over sigma²
    unit: float
    largest: float
    highest_sigma: float
    highest_spread: float
    notes: tuple[str, ...]

    @cached_property
    def own_df(self) -> FloatArray:
        """The degrees of freedom of the t distribution of delta given its own data set only."""
        return self.n - 2

    @cached_property
    def own_scale(self) -> FloatArray:
        """The scale of the t distribution of delta given its own data set only."""
        return np.asarray(np.sqrt(self.within * self.inflation / self.own_df))


class Gibbs:
    """The Gibbs sampler of eight chains; its arrays are chains × data sets.

    Deltas, sigmas and the scales of the t distribution (a normal distribution with gamma-distributed precision) are
    drawn from their exact conditional distributions. The three parameters of the population are updated in several
    ways, since each mixes well where others don't (interweaving, Yu & Meng 2011): given the deltas, with the scales
    integrated out; given the standardised deltas; and given the standardised logarithms of the scales, with the deltas
    integrated out. A draw outside the bounds of a uniform prior is rejected.
    """

    def __init__(self, data: Folds, random: np.random.Generator) -> None:
        self.data, self.random = data, random
        shape = (CHAINS, len(data.n))
        scatter = np.exp(random.normal(0, 0.5, (CHAINS, 1)))
        self.sigma2 = data.within / data.n * np.exp(random.normal(0, 0.3, shape))
        self.delta = data.mean + np.sqrt(self.sigma2 * data.inflation) * random.normal(size=shape)
        self.spread = np.minimum((self.delta.std(axis=1, keepdims=True) + 1e-3) * scatter, data.highest_spread)
        self.center = np.clip(np.median(self.delta, axis=1, keepdims=True), -data.largest, data.largest)
        self.log_df = random.normal(2.5, 1.0, (CHAINS, 1))  # of nu − 1
        self.grid, self.log_prior = _prior_of_log_df()
        self.reach = np.diag([float(self.spread.mean()) / math.sqrt(shape[1]), 0.2, 0.7])

    @property
    def population(self) -> FloatArray:
        """The population parameters of each chain: center, log spread, log(nu − 1)."""
        return np.concatenate([self.center, np.log(self.spread), self.log_df], axis=1)

    def run(self, effective: int) -> tuple[FloatArray, FloatArray]:
        """Sample until the effective size is reached.

        Returns draws × chains × parameters (center, spread, nu, deltas, sigmas), and their effective sample sizes.
        """
        for _ in range(WARM_UPS):
            found = self._warm_up()
            self.reach = np.linalg.cholesky(np.cov(found.T) + 1e-9 * np.eye(3)) * (2.4 / math.sqrt(3))
        rounds: list[FloatArray] = []
        length = min(max(int(1.25 * effective), 200), ROUND)
        while True:
            rounds.append(self._round(length))
            last = len(rounds) * length >= MOST_DRAWS
            slowest = effective_size(np.concatenate([part[:, :, :3] for part in rounds]))
            if np.min(slowest) < effective and not last:
                continue  # the sizes of all parameters, which take longer to compute, are not needed yet
            chains = np.concatenate(rounds)
            size = effective_size(chains)
            if np.min(size) >= effective or last:
                return chains, size

    def _warm_up(self) -> FloatArray:
        """Run some steps, and return the population parameters of the later ones."""
        found = np.empty((WARM_UP, CHAINS, 3))
        for row in found:
            self.step()
            row[:] = self.population
        return found[WARM_UP // 4 :].reshape(-1, 3)

    def _round(self, length: int) -> FloatArray:
        """Run ``length`` steps, and return their draws."""
        q = len(self.data.n)
        found = np.empty((length, CHAINS, 3 + 2 * q))
        for row in found:
            self.step()
            row[:, 0:1], row[:, 1:2], row[:, 2:3] = self.center, self.spread, 1 + np.exp(self.log_df)
            row[:, 3 : 3 + q] = self.delta
            np.sqrt(self.sigma2, out=row[:, 3 + q :])
        return found

    def step(self) -> None:
        """Update all parameters of all chains once."""
        self._move_deltas()
        self._move_given_deltas()
        self._draw_sigma()
        df = 1 + np.exp(self.log_df)
        z2 = ((self.delta - self.center) / self.spread) ** 2
        scale = 2 * self.random.standard_gamma((df + 1) / 2, self.delta.shape) / (df + z2)
        scale = self._move_given_scales(scale)
        self._draw_deltas(scale)
        self._draw_population(scale)
        self._draw_population_given_standardised()

    def _move_deltas(self) -> None:
        """Propose a jump for each delta, near its own data or near the population; sigma and scale are integrated out.

        An outlying data set is either noisy or different, and small steps hardly lead from one explanation to the
        other.
        """
        d, shape, df = self.data, self.delta.shape, 1 + np.exp(self.log_df)
        by_data = self.random.random(shape) < 0.5
        draws = self.random.standard_t(np.where(by_data, d.own_df, df))
        new = np.where(by_data, d.mean + d.own_scale * draws, self.center + self.spread * draws)
        gain = self._weight_of_deltas(new, df) - self._weight_of_deltas(self.delta, df)
        self.delta = np.where(np.log(self.random.random(shape)) < gain, new, self.delta)

    def _weight_of_deltas(self, delta: FloatArray, df: FloatArray) -> FloatArray:
        """The log of the target density over the proposal density, U L / (U + L) with two t densities U and L."""
        d = self.data
        others, own = _log_t(delta, self.center, self.spread, df), _log_t(delta, d.mean, d.own_scale, d.own_df)
        return np.asarray(np.minimum(others, own) - np.log(1 + np.exp(-np.abs(others - own))))

    def _draw_sigma(self) -> None:
        d = self.data
        rate = (d.within + (d.mean - self.delta) ** 2 / d.inflation) / 2
        with np.errstate(divide="ignore"):  # a draw of 0 is rejected below
            new = rate / self.random.standard_gamma(np.broadcast_to((d.n - 1) / 2, rate.shape))
        self.sigma2 = np.where(new < d.highest_sigma**2, new, self.sigma2)

    def _proposal(self) -> Proposal:
        """Proposed center, spread and log(nu − 1), and the chains for which they are inside their priors."""
        new = self.population + self.random.normal(size=(CHAINS, 3)) @ self.reach.T
        center, log_df = new[:, 0:1], new[:, 2:3]
        spread: FloatArray = np.exp(np.minimum(new[:, 1:2], 300))
        allowed = (np.abs(center) < self.data.largest) & (spread < self.data.highest_spread) & (spread > 1e-12)
        return center, spread, log_df, allowed & (np.abs(log_df - MIDDLE) < FARTHEST_LOG_DF)

    def _accept(self, gain: FloatArray, new: Proposal) -> BoolArray:
        """The Metropolis step: accept the proposal in some chains, and return in which."""
        center, spread, log_df, allowed = new
        taken = allowed & (np.log(self.random.random(gain.shape)) < gain)
        self.center = np.where(taken, center, self.center)
        self.spread = np.where(taken, spread, self.spread)
        self.log_df = np.where(taken, log_df, self.log_df)
        return np.asarray(taken)

    def _move_given_deltas(self) -> None:
        """Update the population given the deltas, with the scales integrated out."""
        here = self._density_of_deltas(self.center, self.spread, self.log_df)
        for _ in range(MOVES):
            new = self._proposal()
            there = self._density_of_deltas(*new[:3])
            here = np.where(self._accept(there - here, new), there, here)

    def _density_of_deltas(self, center: FloatArray, spread: FloatArray, log_df: FloatArray) -> FloatArray:
        """The log density of the t-distributed deltas and of the priors, with the spread on the log scale."""
        deltas = _total(_log_t(self.delta, center, spread, 1 + np.exp(log_df)))
        return np.asarray(deltas + np.log(spread) + np.interp(log_df, self.grid, self.log_prior))

    def _move_given_scales(self, scale: FloatArray) -> FloatArray:
        """Update the population given the standardised logarithms of the scales, with the deltas integrated out.

        The scales change with the population, so that their standardised logarithms stay the same.
        """
        log_scale, (mean, sd) = np.log(scale), _log_gamma_moments(self.log_df)
        standard = (log_scale - mean) / sd
        here = self._density_of_means(self.center, self.spread, self.log_df, log_scale, sd)
        for _ in range(MOVES):
            new = self._proposal()
            mean, sd = _log_gamma_moments(new[2])
            moved = mean + sd * standard
            there = self._density_of_means(*new[:3], moved, sd)
            taken = self._accept(there - here, new)
            here, log_scale = np.where(taken, there, here), np.where(taken, moved, log_scale)
        return np.asarray(np.exp(log_scale))

    def _density_of_means(
        self, center: FloatArray, spread: FloatArray, log_df: FloatArray, log_scale: FloatArray, sd: FloatArray
    ) -> FloatArray:
        """The log density of the observed means, of the standardised log scales, and of the priors."""
        d, half, q = self.data, (1 + np.exp(log_df)) / 2, log_scale.shape[1]
        scale = np.exp(log_scale)
        variance = self.sigma2 * d.inflation + spread**2 / scale
        means = -_total(np.log(variance) + (d.mean - center) ** 2 / variance) / 2
        scales = half * _total(log_scale - scale) + q * (half * np.log(half) - gammaln(half) + np.log(sd))
        return np.asarray(means + scales + np.log(spread) + np.interp(log_df, self.grid, self.log_prior))

    def _draw_deltas(self, scale: FloatArray) -> None:
        above, below = scale / self.spread**2, 1 / (self.sigma2 * self.data.inflation)
        total = above + below
        mean = (above * self.center + below * self.data.mean) / total
        self.delta = mean + self.random.normal(size=mean.shape) / np.sqrt(total)

    def _draw_population(self, scale: FloatArray) -> None:
        weight = scale.sum(axis=1, keepdims=True)
        mean = (scale * self.delta).sum(axis=1, keepdims=True) / weight
        new = mean + self.spread / np.sqrt(weight) * self.random.normal(size=mean.shape)
        self.center = np.where(np.abs(new) < self.data.largest, new, self.center)
        rate = (scale * (self.delta - self.center) ** 2).sum(axis=1, keepdims=True) / 2
        new = np.sqrt(rate / self.random.standard_gamma((self.delta.shape[1] - 1) / 2, rate.shape))
        self.spread = np.where((new < self.data.highest_spread) & (new > 1e-12), new, self.spread)

    def _draw_population_given_standardised(self) -> None:
        """Update center and spread given the standardised deltas.

        The means of the data sets are a linear regression on the standardised deltas, with center as the intercept and
        spread as the slope.
        """
        d = self.data
        eta = (self.delta - self.center) / self.spread
        weight = 1 / (self.sigma2 * d.inflation)
        w, we, wee = (_total(weight * x) for x in (np.ones_like(eta), eta, eta**2))
        wy, wey = _total(weight * d.mean), _total(weight * eta * d.mean)
        precision = wee - we**2 / w
        with np.errstate(divide="ignore", invalid="ignore"):  # equal deltas say nothing of a slope: rejected below
            mean, sd = (wey - we * wy / w) / precision, 1 / np.sqrt(precision)
            spread = mean + sd * _normal_above(-mean / sd, self.random.random(mean.shape))
            center = (wy - we * spread) / w + self.random.normal(size=mean.shape) / np.sqrt(w)
        inside = (np.abs(center) < d.largest) & (spread < d.highest_spread) & (spread > 1e-12) & np.isfinite(center)
        self.spread, self.center = np.where(inside, spread, self.spread), np.where(inside, center, self.center)
        self.delta = self.center + self.spread * eta


def _total(x: FloatArray) -> FloatArray:
    return np.asarray(x.sum(axis=1, keepdims=True))


def _log_t(x: FloatArray, center: FloatArray, scale: FloatArray, df: FloatArray) -> FloatArray:
    """The log density of Student's t up to a constant (with log, since log1p is much slower)."""
    peak = gammaln((df + 1) / 2) - gammaln(df / 2) - np.log(df) / 2 - np.log(scale)
    return np.asarray(peak - (df + 1) / 2 * np.log(1 + ((x - center) / scale) ** 2 / df))


def _log_gamma_moments(log_df: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean and standard deviation of the logarithm of a gamma variable with mean 1 and shape nu / 2."""
    half = (1 + np.exp(log_df)) / 2
    return digamma(half) - np.log(half), np.sqrt(zeta(2, half))  # zeta(2, x) is the trigamma function


def _normal_above(bound: FloatArray, uniform: FloatArray) -> FloatArray:
    """A standard normal variable truncated to values above the bound, from a uniform variable."""
    return np.asarray(-ndtri(uniform * ndtr(-bound)))


def _prior_of_log_df() -> tuple[FloatArray, FloatArray]:
    """The log prior density of log(nu − 1) on a grid, with shape and rate of the gamma prior integrated out."""
    grid = np.linspace(-12, 9, 2_000)
    nodes, weights = np.polynomial.legendre.leggauss(24)
    shapes, rates = (low + (high - low) * (nodes + 1) / 2 for low, high in (SHAPES, RATES))
    s, r = shapes[:, None, None], rates[None, :, None]
    density = np.exp(s * np.log(r) - gammaln(s) + s * grid - r * np.exp(grid))
    return grid, np.log(np.einsum("i,j,ijk->k", weights, weights, density) + 1e-300)


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
