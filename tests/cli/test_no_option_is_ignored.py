"""No option is ignored: each changes what a command prints, or is refused, or had nothing to do for a reason."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

from fairtrial.cli import cli

VALUES = {
    "measure": "auc", "control": "bayes", "smallest_difference": "2pp", "level": "0.9", "claim": "70%",
    "domains": "these", "alternative": "better", "estimand": "mean", "failures": "worst", "baseline": "bayes",
    "adjust": "holm",
    "per_dataset": "corrected_t", "test": "mcnemar", "families": "f=d0,d1", "levels": "label_noise=0.1",
    "positives": "0.2", "costs": "1,5", "methods": "forest,bayes", "positive": "0", "truth": "y",
    "columns": "instance=nowhere", "datasets": "d0,d1", "rows": "methods", "resampling": "5-fold", "fail_if": "worse",
    "candidates": "forest", "covariates": "svm", "where": "n > 3", "criterion": "mean", "surface": "logit",
}  # fmt: skip
WITHOUT_WORK = {
    "failures": "no run has failed",
    "baseline": "no run has failed",
    "higher_is_better": "it agrees with what is known of the measure",
    "adjust": "there is one comparison",
    "domains": "there is one data set",
}
NOT_ASKED = ("file", "figure", "report", "summary", "junit", "how")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder, random = tmp_path_factory.mktemp("options"), np.random.default_rng(1)
    base = random.uniform(0.6, 0.9, 9)
    rows = [
        f"d{i}," + ",".join(f"{b + 0.02 * j + random.normal(0, 0.02):.3f}" for j in range(3))
        for i, b in enumerate(base)
    ]
    (folder / "scores.csv").write_text("dataset,forest,bayes,svm\n" + "\n".join(rows) + "\n")
    truth = random.integers(0, 2, 120)
    shares = [np.clip(0.5 + s * (truth - 0.5) + random.normal(0, 0.2, 120), 0, 1) for s in (0.4, 0.3)]
    lines = [f"{i},{y},{i // 3},{a:.3f},{b:.3f}" for i, (y, a, b) in enumerate(zip(truth, *shares, strict=True))]
    (folder / "predictions.csv").write_text("id,y,group,forest,bayes\n" + "\n".join(lines) + "\n")
    return folder


def printed(arguments):
    found = CliRunner().invoke(cli, arguments)
    return found.exit_code, found.output, str(found.exception)


def without(arguments, flag):
    """The arguments without an option that is given again."""
    at = arguments.index(flag) if flag in arguments else len(arguments)
    return [*arguments[:at], *arguments[at + 2 :]]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "given"), [
    ("scores.csv", ["--measure", "accuracy"]),
    ("predictions.csv", ["--truth", "y", "--columns", "cluster=group"]),
])  # fmt: skip
def test_of_compare(files, file, given):
    before = ["compare", str(files / file)]
    plain, ignored = printed([*before, *given]), []
    assert plain[0] == 0, plain
    for option in cli.commands["compare"].params:
        if option.name in NOT_ASKED or getattr(option, "hidden", False) or option.name in WITHOUT_WORK:
            continue
        for flag in option.opts:
            value = [] if getattr(option, "is_flag", False) else [VALUES[option.name]]
            if printed([*before, *without(given, flag), flag, *value]) == plain:
                ignored.append(flag)
    # these are all methods already, and their one pair
    allowed = {"--methods", "--truth", "--pairs"} if file == "predictions.csv" else set()
    allowed |= {"--compare-trivial"}  # no listed method learns nothing
    assert set(ignored) <= allowed


@pytest.mark.parametrize("name", sorted(WITHOUT_WORK))
def test_a_reason_is_known(name):
    assert WITHOUT_WORK[name]
    assert any(option.name == name for option in cli.commands["compare"].params)


@pytest.mark.parametrize(("command", "kind", "flags"), [
    ("table", "scores", ["--columns", "instance=id"]), ("draw", "scatter", ["--columns", "cluster=group"]),
    ("table", "scores", ["--columns", "dataset=nowhere"]), ("draw", "dots", ["--columns", "fold=nowhere"]),
    ("table", "ranking", ["--transpose"]), ("draw", "scatter", ["--positive", "1"]),
    ("table", "scores", ["--factor", "x"]), ("table", "pairwise", ["--percent"]),
])  # fmt: skip
def test_of_tables_and_figures(files, command, kind, flags):
    code, output, error = printed([command, str(files / "scores.csv"), kind, "--measure", "accuracy", *flags])
    assert code != 0
    assert (
        flags[0].lstrip("-").replace("-", "_") in (output + error).replace("-", "_") or flags[1].split("=")[0] in error
    )


@pytest.mark.parametrize("role", ["method", "repeat", "fold", "value", "instance", "cluster"])
def test_former_spellings_answer_with_the_line_of_today(files, role):
    code, output, _ = printed(["compare", str(files / "scores.csv"), f"--{role}", "x"])
    assert code == 2
    assert f"--{role} is --columns {role}=x now" in output
