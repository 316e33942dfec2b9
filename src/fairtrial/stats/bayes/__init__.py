"""Bayesian comparisons: the probability that one method is better, that the other is, or that neither is.

``posterior`` has the result of the comparisons, ``conjugate`` one data set in closed form, ``signs`` many data sets
with one score each, ``hierarchical`` and its sampler ``gibbs`` many data sets with the scores of all folds, ``chains``
the convergence of the sampler, ``strengths`` the strengths of many methods.
"""

from fairtrial.stats.bayes.hierarchical import bayes_hierarchical
from fairtrial.stats.bayes.posterior import Posterior, bayes_correlated_t, beta_posterior
from fairtrial.stats.bayes.signs import bayes_sign, bayes_signed_rank
from fairtrial.stats.bayes.strengths import Strengths, bradley_terry, plackett_luce

__all__ = [
    "Posterior",
    "Strengths",
    "bayes_correlated_t",
    "bayes_hierarchical",
    "bayes_sign",
    "bayes_signed_rank",
    "beta_posterior",
    "bradley_terry",
    "plackett_luce",
]
