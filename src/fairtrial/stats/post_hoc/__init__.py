"""Procedures that say which of several methods differ over data sets: pairs, average ranks, groups, rank intervals."""
