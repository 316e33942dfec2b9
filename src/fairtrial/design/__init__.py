"""The design of a study: Question, Study, factors, Plan; from Python or from a TOML file."""

import fairtrial.design.plan_guards  # noqa: F401 - registers its guards
from fairtrial.choices import FAILURE_POLICIES, FailurePolicy
from fairtrial.design.checklist import Guideline, StudyOutline, checklist, checklist_facts
from fairtrial.design.factors import (
    FACTORS,
    RESERVED,
    AnyFactor,
    ClassBalance,
    Factor,
    FeatureCount,
    FeatureNoise,
    LabelNoise,
    Level,
    RowOrder,
    Training,
    TrainingFactor,
    TrainingSize,
    are_numbers,
    as_factors,
    factors_table,
    find_level,
    level_text,
    method_at,
    narrowed,
    of_methods,
    training_factor,
    varied,
    write_levels,
    write_one,
    write_setting,
)
from fairtrial.design.plan import Plan, Trial
from fairtrial.design.plan_answers import FEWEST_DATASETS, smallest_p
from fairtrial.design.question import Question
from fairtrial.design.study import Study, digest_of
from fairtrial.design.toml import import_modules, load_study
from fairtrial.resampling import FEWEST_PER_FOLD

__all__ = [
    "FACTORS",
    "FAILURE_POLICIES",
    "FEWEST_DATASETS",
    "FEWEST_PER_FOLD",
    "RESERVED",
    "AnyFactor",
    "ClassBalance",
    "Factor",
    "FailurePolicy",
    "FeatureCount",
    "FeatureNoise",
    "Guideline",
    "LabelNoise",
    "Level",
    "Plan",
    "Question",
    "RowOrder",
    "Study",
    "StudyOutline",
    "Training",
    "TrainingFactor",
    "TrainingSize",
    "Trial",
    "are_numbers",
    "as_factors",
    "checklist",
    "checklist_facts",
    "digest_of",
    "factors_table",
    "find_level",
    "import_modules",
    "level_text",
    "load_study",
    "method_at",
    "narrowed",
    "of_methods",
    "smallest_p",
    "training_factor",
    "varied",
    "write_levels",
    "write_one",
    "write_setting",
]
