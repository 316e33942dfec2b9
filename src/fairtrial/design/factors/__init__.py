"""Factors of the training data: what a learner is given is varied on purpose, and the test data stay as they are."""

from fairtrial.design.factors.combined import (
    FACTORS,
    as_factors,
    factors_table,
    narrowed,
    offered,
    varied,
    write_levels,
)
from fairtrial.design.factors.factor import Factor, Level, Training
from fairtrial.design.factors.features import FeatureCount
from fairtrial.design.factors.noise import FeatureNoise, LabelNoise
from fairtrial.design.factors.rows import ClassBalance, RowOrder, TrainingSize

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
