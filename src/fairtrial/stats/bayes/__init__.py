"""Bayesian comparisons: the probability that one method is better, that the other is, or that neither is.

``posterior`` has the result of the comparisons, and one data set in closed form; ``signs`` many data sets with one
score each, ``hierarchical`` many data sets with the scores of all folds, ``strengths`` the strengths of many methods.
"""
