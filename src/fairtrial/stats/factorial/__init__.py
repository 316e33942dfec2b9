"""Procedures for experiments with several factors: effects, their tests, analysis of variance, shares of variance."""
