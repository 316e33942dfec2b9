"""Figures of factors and settings: effects, surfaces, ablations, robust settings, layouts of plans."""
