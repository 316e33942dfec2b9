"""Analyses of results beside a verdict: curves, intervals and error estimates, growth of costs, tuning."""
