"""Convergence of Markov chains: R-hat and the effective sample size."""

from __future__ import annotations

import numpy as np

from fairtrial.stats.score_arrays import FloatArray


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
