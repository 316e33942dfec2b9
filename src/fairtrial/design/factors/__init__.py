"""Factors: what is varied on purpose, in the training data (the test data stay as they are) or in methods."""

from fairtrial.design.factors.all_factors import (
    FACTORS,
    OPTIONS,
    as_factors,
    factors_table,
    narrowed,
    offered,
    training_factor,
    varied,
    write_levels,
    write_one,
    write_setting,
)
from fairtrial.design.factors.feature_count import FeatureCount
from fairtrial.design.factors.level_values import Level, Role, are_numbers, find_level, level_text
from fairtrial.design.factors.method_factor import METHOD, RESERVED, Factor
from fairtrial.design.factors.noise import FeatureNoise, LabelNoise
from fairtrial.design.factors.setting_digests import SettingDigests
from fairtrial.design.factors.settings import (
    AnyFactor,
    check_factors,
    exists,
    factors_of,
    method_at,
    of_methods,
)
from fairtrial.design.factors.training_factor import Training, TrainingFactor
from fairtrial.design.factors.training_rows import ClassBalance, RowOrder, TrainingSize

__all__ = [
    "FACTORS",
    "METHOD",
    "OPTIONS",
    "RESERVED",
    "AnyFactor",
    "ClassBalance",
    "Factor",
    "FeatureCount",
    "FeatureNoise",
    "LabelNoise",
    "Level",
    "Role",
    "RowOrder",
    "SettingDigests",
    "Training",
    "TrainingFactor",
    "TrainingSize",
    "are_numbers",
    "as_factors",
    "check_factors",
    "exists",
    "factors_of",
    "factors_table",
    "find_level",
    "level_text",
    "method_at",
    "narrowed",
    "of_methods",
    "offered",
    "training_factor",
    "varied",
    "write_levels",
    "write_one",
    "write_setting",
]
