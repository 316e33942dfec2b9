"""Procedures for response surfaces: the fit, its stationary point, the best setting, and where to go on."""
