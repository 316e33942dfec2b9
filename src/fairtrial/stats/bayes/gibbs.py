"""The Gibbs sampler of the hierarchical model: eight chains at a time, with numpy only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import digamma, gammaln, ndtr, ndtri, zeta

from fairtrial.stats.bayes.chains import effective_size
from fairtrial.stats.score_arrays import BoolArray, FloatArray

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
