"""The design of a study: Question, Study, factors, Plan; from Python or from a TOML file.

``question`` has what is asked, ``amounts`` how differences are written. ``study`` and ``study_parts`` bring what people
give into form, ``toml`` reads files. ``plan`` has the trials, ``setting_rows`` their settings, ``plan_effects``,
``plan_answers`` and ``compare_plans`` what a plan can tell, ``guidelines`` and ``plan_guards`` what it lacks.
"""

from fairtrial.rooms import lazy_names

_HOMES = {
    "factors.all_factors": (
        "FACTORS as_factors factors_table narrowed training_factor varied write_levels write_one write_setting "
    ),
    "factors.method_factor": "Factor Level RESERVED are_numbers find_level level_text",
    "factors.settings": "AnyFactor method_at of_methods",
    "factors.training_factor": (
        "ClassBalance FeatureCount FeatureNoise LabelNoise RowOrder Training TrainingFactor TrainingSize "
    ),
    "guidelines": "Guideline StudyOutline checklist checklist_facts",
    "plan": "Plan Trial",
    "plan_answers": "FEWEST_DATASETS smallest_p",
    "question": "Question",
    "study": "Study digest_of",
    "toml": "import_modules load_study",
}

__all__, __getattr__, __dir__ = lazy_names(__name__, _HOMES)
