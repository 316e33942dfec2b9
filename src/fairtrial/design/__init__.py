"""The design of a study: Question, Study, factors, Plan; from Python or from a TOML file."""

import fairtrial.design.family_guards
import fairtrial.design.plan_guards  # noqa: F401 - both register their guards
from fairtrial.choices import FAILURE_POLICIES, FailurePolicy
from fairtrial.design.checklist import Guideline, StudyOutline, checklist, checklist_facts
from fairtrial.design.factors import (
    FACTORS,
    ClassBalance,
    Factor,
    FeatureCount,
    FeatureNoise,
    LabelNoise,
    Level,
    RowOrder,
    Training,
    TrainingSize,
    as_factors,
    factors_table,
    narrowed,
    varied,
    write_levels,
)
from fairtrial.design.plan import FEWEST_DATASETS, FEWEST_PER_FOLD, Plan, Trial, smallest_p
from fairtrial.design.question import Question
from fairtrial.design.study import Study, digest_of
from fairtrial.design.toml import import_modules, load_study

__all__ = [
    "FACTORS",
    "FAILURE_POLICIES",
    "FEWEST_DATASETS",
    "FEWEST_PER_FOLD",
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
    "TrainingSize",
    "Trial",
    "as_factors",
    "checklist",
    "checklist_facts",
    "digest_of",
    "factors_table",
    "import_modules",
    "load_study",
    "narrowed",
    "smallest_p",
    "varied",
    "write_levels",
]
