"""Null distributions, tails that keep their digits, and distributions over resamples: what the procedures stand on.

A kernel for an exact null distribution belongs here; which test uses it is decided a floor above.
"""
