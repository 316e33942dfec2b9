"""Bayesian answers: how probable is it that one is better, that the other is, or that the difference doesn't matter?

``posterior`` (what all return), ``conjugate`` (one data set, in closed form), ``signs`` (over data sets, one score
each), ``hierarchical`` and ``gibbs`` (over data sets, from the folds), ``chains`` (were there enough draws?),
``strengths`` (of many methods).
"""

from fairtrial.stats.bayes.conjugate import bayes_correlated_t, beta_posterior
from fairtrial.stats.bayes.hierarchical import bayes_hierarchical
from fairtrial.stats.bayes.posterior import Posterior
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
