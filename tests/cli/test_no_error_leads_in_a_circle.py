"""An error names only options that its command takes, and its kind of table or figure as well: no advice is a wall."""

from __future__ import annotations

import re

import numpy as np
import pytest
from click.testing import CliRunner

import fairtrial as ft
from fairtrial.cli import cli
from fairtrial.cli.reading import READING, ROLES
from fairtrial.figures import KINDS as FIGURES
from fairtrial.figures import options_of_figure
from fairtrial.result_tables import KINDS as TABLES
from fairtrial.result_tables import options_of_table

pytestmark = pytest.mark.slow  # runs whole studies, and several hundred commands

OF_ALL_KINDS = {*READING, "dataset", "at", "out", "size", "caption", "lower_is_better"}
FILES = {
    "failed.trial": [], "levels.trial": [], "scores.csv": ["--measure", "accuracy"], "unnamed.csv": [],
    "predictions.csv": ["--truth", "y"], "untold.csv": [],
}  # fmt: skip
QUESTIONS = (
    [], ["--claim", "0.85"], ["--alternative", "better"],
    ["--alternative", "not worse", "--control", "none"], ["--per-dataset", "corrected_t"], ["--test", "mcnemar"],
    ["--costs", "1,5"], ["--positives", "0.2"], ["--estimand", "mean"], ["--measure", "acuracy"],
    ["--methods", "nobody"], ["--datasets", "nowhere"], ["--at", "noise=1"], ["--columns", "fold=x"],
)  # fmt: skip


class Odd:
    """A classifier that fails on training sets with an odd number of rows."""

    def get_params(self, deep=True):
        return {}

    def set_params(self):
        return self

    def fit(self, X, y):
        if len(X) % 2:
            raise ValueError("an odd number of rows")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Studies with failed trials and with levels; scores and predictions, of which some need help to be read."""
    folder, random = tmp_path_factory.mktemp("circles"), np.random.default_rng(1)
    parts = {
        "datasets": ["iris", "wine"],
        "methods": {"odd": Odd(), "rule": "one_rule", "chance": "uniform"},
        "resampling": "3-fold",
    }
    ft.Study(**parts, failures="refuse").run(folder / "failed.trial", workers=0, progress=False)
    factors = {"train_size": [40, 80], "label_noise": [0, 0.2]}
    ft.Study(**parts, factors=factors).run(folder / "levels.trial", workers=0, progress=False)
    rows = [f"d{i},{a:.3f},{'' if i == 3 else round(a - 0.02, 3)}" for i, a in enumerate(random.uniform(0.6, 0.9, 9))]
    (folder / "scores.csv").write_text("dataset,forest,bayes\n" + "\n".join(rows) + "\n")
    (folder / "unnamed.csv").write_text("dataset,forest,bayes\n" + "\n".join(rows) + "\n")
    lines = [f"{i},{y},{random.uniform():.3f},{random.uniform():.3f}" for i, y in enumerate(random.integers(0, 2, 40))]
    (folder / "predictions.csv").write_text("id,y,a,b\n" + "\n".join(lines) + "\n")
    (folder / "untold.csv").write_text("id,y,a,b\n" + "\n".join(lines) + "\n")
    return folder


def refused(*words):
    """What a command says when it refuses; nothing where it does not. An error that is not one of ours goes through."""
    found = CliRunner().invoke(cli, [str(word) for word in words])
    if found.exception is not None and not isinstance(found.exception, (SystemExit, ft.FairtrialError)):
        raise found.exception
    if isinstance(found.exception, ft.FairtrialError):
        return str(found.exception)
    return found.output if found.exit_code == 2 else ""


def walls(text, command, taken=None):
    """The options that an error names and that don't help, and words of Python; other commands stand in backquotes."""
    own = re.sub(r"`fairtrial .*?`", "", text)
    named = {flag[2:].replace("-", "_") for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]*", own)}
    options = {
        flag[2:].replace("-", "_")
        for param in cli.commands[command].params
        for flag in (*param.opts, *param.secondary_opts)
    }
    unknown = named - options - {"help"}
    if taken is not None:
        unknown |= named - {*taken, *OF_ALL_KINDS}
    keywords = "|".join(options - {"at"} | set(ROLES))
    return unknown | set(re.findall(rf"(?<!--columns )(?<![\w,=])(?:{keywords})=['…\[]|results\.\w+\(|read_\w+\(", own))


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("command", ["table", "draw"])
def test_of_tables_and_figures(files, command, file):
    kinds, options_of = (TABLES, options_of_table) if command == "table" else (FIGURES, options_of_figure)
    read = () if file.endswith(".trial") else ("measure",)  # it helps to read a table
    given = [*FILES[file], *(("--out", files / "out.png") if command == "draw" else ())]
    found = {
        kind: walls(refused(command, files / file, kind, *given), command, (*options_of(kind), *read)) for kind in kinds
    }
    assert {kind: names for kind, names in found.items() if names} == {}


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("command", ["compare", "report"])
def test_of_questions(files, command, file):
    more = ["--out", files / "out.html"] if command == "report" else []
    found = {str(q): walls(refused(command, files / file, *FILES[file], *q, *more), command) for q in QUESTIONS}
    assert {question: names for question, names in found.items() if names} == {}


@pytest.mark.parametrize("words", [
    ("table", "failed.trial", "ranking", "--failures", "worst", "--datasets", "iris"),
    ("draw", "failed.trial", "pairwise", "--failures", "worst", "--dataset", "iris"),
    ("compare", "failed.trial", "--claim", "0.85", "--methods", "rule"),
    ("compare", "failed.trial", "--control", "none", "--failures", "worst"),
    ("table", "unnamed.csv", "failures", "--measure", "accuracy"),
    ("table", "predictions.csv", "confusion", "--truth", "y", "--positive", "1", "--methods", "a"),
    ("draw", "predictions.csv", "folds", "--truth", "y"), ("effects", "levels.trial"),
    ("report", "scores.csv", "--measure", "accuracy", "--failures", "worst"),
    ("robust", "levels.trial"), ("ablation", "levels.trial"),
    ("export", "failed.trial", "--scores", "-", "--methods", "rule", "--datasets", "iris"),
])  # fmt: skip
def test_what_once_was_a_wall(files, words):
    out = {"draw": ["--out", files / "out.png"], "report": ["--out", files / "out.html"]}.get(words[0], [])
    command, file, *rest = words
    assert refused(command, files / file, *rest, *out) == ""


def test_a_control_of_the_study_can_be_left_out(files):
    scores = ["compare", files / "scores.csv", "--measure", "accuracy", "--failures", "worst", "--control"]
    assert "no method" in refused(*scores, "nobody")
    assert refused(*scores, "none") == ""


def test_a_study_has_no_columns(files):
    assert "needs no help to be read; leave it out" in refused("compare", files / "failed.trial", "--columns", "fold=x")
