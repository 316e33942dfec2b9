"""Procedures for two or more methods over several data sets, where each data set is one independent observation."""
