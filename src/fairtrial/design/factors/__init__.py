"""Factors of the training data: what a learner is given is varied on purpose, and the test data stay as they are."""

from fairtrial.design.factors.all_factors import (
    FACTORS,
    as_factors,
    factors_table,
    narrowed,
    offered,
    varied,
    write_levels,
)
from fairtrial.design.factors.factor import Factor, Level, Training
from fairtrial.design.factors.feature_count import FeatureCount
from fairtrial.design.factors.noise import FeatureNoise, LabelNoise
from fairtrial.design.factors.training_rows import ClassBalance, RowOrder, TrainingSize

__all__ = [
    "FACTORS",
    "ClassBalance",
    "Factor",
    "FeatureCount",
    "FeatureNoise",
    "LabelNoise",
    "Level",
    "RowOrder",
    "Training",
    "TrainingSize",
    "as_factors",
    "factors_table",
    "narrowed",
    "offered",
    "varied",
    "write_levels",
]
