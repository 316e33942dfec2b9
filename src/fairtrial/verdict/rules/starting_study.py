"""A study in TOML to start from: bundled or made-up data and three methods, to be replaced by one's own."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator

from fairtrial.verdict.rules.taxonomy_walk import Answers

STUDY = "study.toml"
TWO_CLASSES = ("pima-diabetes", "vote", "ionosphere", "credit-g", "breast-cancer", "labor", "breast_cancer")
MORE_CLASSES = ("glass", "iris", "wine", "digits")
GROUPS, ROWS_OF_GROUP = 40, 5

METHODS = {
    "tree": 'use = "sklearn.tree.DecisionTreeClassifier"',
    "logistic": """use = "sklearn.pipeline.make_pipeline"
args = [
  { use = "sklearn.preprocessing.StandardScaler" },
  { use = "sklearn.linear_model.LogisticRegression", max_iter = 1000 },
]""",
    "forest": 'use = "sklearn.ensemble.RandomForestClassifier"\nn_estimators = 100',
}


def study_files(answers: Answers, resampling: str) -> dict[str, str]:
    """The files of a study to start from, by name: the study in TOML and, if it needs them, tables of example data."""
    files = {STUDY: "\n".join(_lines(answers, resampling)) + "\n"}
    if _has_own_columns(answers):
        files |= {f"{name}.csv": _example(seed) for seed, name in enumerate(_places(answers))}
    return files


def _has_own_columns(answers: Answers) -> bool:
    """Whether the data need a column of groups or times, which no bundled data set has."""
    fixed = answers["about"] == "models" and answers["sample"] == "large"
    return answers["rows"] != "independent" and not fixed


def _lines(answers: Answers, resampling: str) -> Iterator[str]:
    names = ["tree", "logistic", "forest"][: {"one": 1, "two": 2}.get(answers["compared"], 3)]
    measures = {"average": ["accuracy"], "other": ["auc"], "cost": ["fit_time"]}.get(
        answers["measure"], ["accuracy", "brier"]
    )
    yield "# A study to start from, made by `fairtrial choose`: put your own data sets and methods into it."
    yield "# Show what it would run:                fairtrial plan study.toml"
    yield "# Run it, or continue where it stopped:  fairtrial run study.toml"
    yield ""
    yield f"datasets = {_datasets(answers)}"
    yield f'resampling = "{resampling}"'
    yield f"measures = [{_quoted(measures)}]"
    yield "seed = 1"
    yield ""
    yield "[question]"
    yield f'measure = "{measures[0]}"'
    yield from _question(answers, names[0])
    for name in names:
        yield ""
        yield f"[methods.{name}]"
        yield METHODS[name]


def _datasets(answers: Answers) -> str:
    if _has_own_columns(answers):
        column = 'groups = "patient"' if answers["rows"] == "groups" else 'order = "day"'
        yours = [
            f'{{ file = "{name}.csv", target = "outcome", positive = "yes", {column} }}' for name in _places(answers)
        ]
        return yours[0].join("[]") if len(yours) == 1 else "[\n  " + ",\n  ".join(yours) + ",\n]"
    known = TWO_CLASSES if answers["measure"] != "several" else TWO_CLASSES + MORE_CLASSES
    return f"[{_quoted(known[: len(_places(answers))])}]"


def _places(answers: Answers) -> list[str]:
    """A name for each data set that the example needs."""
    most = len(TWO_CLASSES) if answers["measure"] != "several" else len(TWO_CLASSES + MORE_CLASSES)
    n = {"one": 1, "few": 3, "each": 3}.get(answers.get("domains", "one"), most)
    return [f"example_{i + 1}" for i in range(n)]


def _quoted(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _question(answers: Answers, control: str) -> Iterator[str]:
    """The parts of the question that follow from the answers."""
    if answers["about"] == "models" and answers["sample"] == "large":
        yield 'about = "model"'
    if answers.get("domains") == "each":
        yield 'domains = "these"'
    if answers["compared"] == "versus control":
        yield f'control = "{control}"'
    if answers["aim"] == "claim":
        yield f"claim = {1.0 if answers['measure'] == 'cost' else 0.7}  # the level to be better than"
    if answers["aim"] == "superiority":
        yield 'alternative = "better"'
    if answers["aim"] == "non-inferiority":
        yield 'alternative = "not worse"'
    if answers["aim"] in ("equivalence", "non-inferiority"):
        yield f"smallest_difference = {0.1 if answers['measure'] == 'cost' else 0.01}  # the smallest that matters"


def _example(seed: int) -> str:
    """Made-up visits of patients: a group (patient), a time (day), two features and an outcome."""
    draw = random.Random(seed)
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\n")
    write.writerow(["patient", "day", "age", "dose", "outcome"])
    for patient in range(GROUPS):
        age = draw.randint(20, 80)
        for visit in range(ROWS_OF_GROUP):
            dose = round(draw.uniform(0, 10), 1)
            sick = draw.random() < 0.2 + 0.006 * age
            write.writerow([f"p{patient + 1}", visit * GROUPS + patient + 1, age, dose, "yes" if sick else "no"])
    return text.getvalue()
