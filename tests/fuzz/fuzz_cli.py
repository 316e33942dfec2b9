"""Fuzzer of the command line through click's runner: odd files, odd values of options, options that do not fit."""

from __future__ import annotations

from random import Random

import click
import fuzz_predictions
import fuzz_scores
import fuzz_toml
from attempts import file_with, finding
from click.testing import CliRunner
from fuzzed_tables import ODD_TEXTS, damaged, mutated, written

from fairtrial.cli import cli
from fairtrial.errors import FairtrialError

ODD = (
    *ODD_TEXTS,
    "~nouser/x.csv",
    "a\0b",
    "0",
    "-1",
    "1e400",
    "1_000",
    "nan",
    "a=",
    "=b",
    "a=b=c",
    "*=x",
    "(",
    "f_measure(beta=2",
    "1,2",
)
READING = (
    "--dataset",
    "--method",
    "--fold",
    "--repeat",
    "--value",
    "--resampling",
    "--control",
    "--measure",
    "--methods",
    "--positive",
    "--level",
    "--adjust",
    "--smallest-difference",
    "--per-dataset",
    "--at",
    "--family",
    "--costs",
    "--positives",
    "--format",
    "--truth",
    "--instance",
    "--cluster",
)
TABLES = (
    "scores",
    "ranking",
    "pairwise",
    "winners",
    "measures",
    "win_tie_loss",
    "critical_values",
    "confusion",
    "nothing",
)


def arguments(random: Random) -> list[str]:
    """A command with its options, and a file that it reads."""
    command = random.choice(
        ("compare",) * 6 + ("table", "table", "plan", "advise", "choose", "list", "status", "export", "verify", "merge")
    )
    if command in ("compare", "table"):
        predictions = random.random() < 0.25
        made = random.choice((fuzz_predictions if predictions else fuzz_scores).SHAPES)(random)
        table = mutated(made, random) if random.random() < 0.6 else made
        name, content = written(table, random)
        path = str(file_with(name, damaged(content, random) if random.random() < 0.1 else content))
        words = [command, path] if command == "compare" else [command, path, random.choice(TABLES)]
        if predictions:
            words += ["--truth", "truth"]
        elif random.random() < 0.9:
            words += random.choice((["--measure", "accuracy"], ["--higher-is-better"], ["--measure", "rmse"]))
        titles = [title for title in table.titles if title]
    else:
        content = f"{fuzz_toml.DATA}".encode()
        path = str(
            file_with(
                random.choice(("d.csv", "study.toml", "x.trial", "v.json")),
                random.choice((content, b"", b"{}", b"\0" * 99, b"seed = 1")),
            )
        )
        words, titles = [command, path], ["x", "y"]
        if command == "choose":
            words = [command, "--answers", random.choice(("2,1", "1,1,1,1", "9", "x", "", "2,3,1,3,1,1", "1_0"))]
        elif command == "merge":
            words += ["--into", path + ".new"]
        elif command == "list":
            words = [command, random.choice(("rules", "measures", "data", "x"))]
    for _ in range(random.choice((0, 1, 1, 2, 3))):
        words += [
            random.choice(READING),
            random.choice((*titles, *ODD))
            if random.random() < 0.8
            else random.choice(("json", "accuracy", "0.9", "bayes", "2-fold")),
        ]
    return words


def case(seed: int) -> str | None:
    """Run a command: it ends with 0, 1 or 2, and an error is one of ours or of click's."""
    words = arguments(Random(f"cli {seed}"))
    return finding(lambda: _run(words))


def _run(words: list[str]) -> str | None:
    ended = CliRunner().invoke(cli, words)
    error = ended.exception
    if error is not None and not isinstance(error, (FairtrialError, SystemExit, click.ClickException)):
        raise error
    return None if ended.exit_code in (0, 1, 2) else f"exit code {ended.exit_code} of {words}"
