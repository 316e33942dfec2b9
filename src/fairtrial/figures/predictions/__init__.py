"""Figures of predictions: confusion matrices, ROC and cost curves, calibration."""
