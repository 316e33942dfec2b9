"""What is asked and how it will be tried: Question, Study, Plan; from Python or from a TOML file."""

from fairtrial.design.plan import FEWEST_DATASETS, FEWEST_PER_FOLD, Plan, Trial, smallest_p
from fairtrial.design.question import Question
from fairtrial.design.study import FAILURE_POLICIES, FailurePolicy, Study
from fairtrial.design.toml import import_modules, load_study

__all__ = [
    "FAILURE_POLICIES",
    "FEWEST_DATASETS",
    "FEWEST_PER_FOLD",
    "FailurePolicy",
    "Plan",
    "Question",
    "Study",
    "Trial",
    "import_modules",
    "load_study",
    "smallest_p",
]
