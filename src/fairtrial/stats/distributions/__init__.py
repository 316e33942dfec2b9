"""Null distributions, accurate tail probabilities, and distributions over resamples, which the procedures use.

The computation of an exact null distribution belongs here; the tests that use it are in the folders above.
"""
