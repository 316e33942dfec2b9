"""Public functions, classes and methods with one argument that is not what it must be: an error of ours, or an answer.

A seed is a door, one of its arguments and a value; neighbouring seeds are of different doors.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from attempts import attempt, file_with, finding
from broken_arguments import BROKEN, changed_by

import fairtrial as ft

BAD: dict[str, Callable[[], Any]] = {
    **{name: functools.partial(changed_by, breaker, None) for name, breaker in BROKEN.items()},
    **{name: lambda value=value: value for name, value in {
        "five": 5, "a letter": "A", "a list of texts": ["x"], "numbers": [1, 2], "nested": [["A"], ["B"]],
        "mixed": (1, "a"), "numbers to numbers": {1: 2}, "a path": Path("x.csv"), "an object": object(),
        "a long text": "x" * 100_000, "no text": "", "NUL": "a\0b", "half a character": "\udc80", "two lines": "a\nb",
    }.items()},
}  # fmt: skip
ERRORS = ("FairtrialError", "InputError", "StudyFileError", "UnknownName")
# Code of the user, seconds of work, or files where they are told to be.
LONG = {"map_text", "final_model", "plan", "report", "run"}


@functools.cache
def doors() -> list[tuple[str, Callable[..., Any], dict[str, Any], inspect.Parameter]]:
    """Each argument of each door: its name, the function, and the other arguments that it needs."""
    frame = pd.DataFrame({"a": [1.0, 2, 3, 4] * 5, "b": list("uvwu") * 5, "y": list("uvuv") * 5})
    scores = pd.DataFrame(
        {"dataset": list("abcdef"), "A": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], "B": [0.2, 0.1, 0.4, 0.4, 0.6, 0.7]}
    )
    guesses = pd.DataFrame({"truth": list("uvuvuvuvuv"), "A": list("uvuvuvuuuv"), "B": list("uvuvvvuvuu")})
    study = ft.Study(datasets=["iris", "labor"], methods=["one_rule", "majority"], resampling="2-fold")
    file = file_with("doors.trial", b"")
    file.unlink()
    of_scores = ft.read_scores(scores, measure="accuracy")
    needed: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
        name: (getattr(ft, name), {}) for name in ft.__all__ if callable(getattr(ft, name)) and name not in ERRORS
    }
    needed |= {
        "Study": (ft.Study, {"datasets": ["iris"], "methods": ["one_rule"], "resampling": "2-fold"}),
        "from_frame": (ft.Dataset.from_frame, {"frame": frame}),
        "from_arrays": (ft.Dataset.from_arrays, {"X": frame[["a"]].to_numpy(), "y": frame["y"].to_numpy()}),
        "read_scores": (ft.read_scores, {"source": scores}),
        "read_predictions": (ft.read_predictions, {"source": guesses}),
        "tuned": (ft.tuned, {"estimator": "one_rule", "space": {"min_count": [1, 2]}}),
        "Factor": (ft.Factor, {"name": "depth", "levels": [1, 2]}),
    }
    for owner in (study, study.plan(), study.run(file, workers=0), of_scores, ft.read_predictions(guesses),
                  of_scores.verdict(), ft.datasets("iris")[0], ft.Table.from_records([{"a": 1}])):  # fmt: skip
        for name, _ in inspect.getmembers(type(owner), callable):
            if not name.startswith("_") and name not in LONG:
                needed[f"{type(owner).__name__} {id(owner)}.{name}"] = (getattr(owner, name), {})
    return [
        (name.split(" ")[0] + name.partition(".")[2], function, given, parameter)
        for name, (function, given) in needed.items()
        for parameter in inspect.signature(function).parameters.values()
    ]


def case(seed: int) -> str | None:
    """Call one door with one odd argument, and report what went wrong."""
    called, function, given, parameter = doors()[seed % len(doors())]
    how = sorted(BAD)[seed // len(doors()) % len(BAD)]
    value = BAD[how]()

    def work() -> None:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.POSITIONAL_ONLY):
                function(value, **given)
            else:
                function(**{**given, "zzz" if parameter.kind is parameter.VAR_KEYWORD else parameter.name: value})

    here = Path.cwd()
    os.chdir(file_with("here", b"").parent)  # some of them write
    try:
        found = finding(lambda: attempt(work))
    finally:
        os.chdir(here)
    missing = found is not None and ("required" in found or "unexpected keyword" in found)
    return None if found is None or missing else f"seed {seed}: {called}({parameter.name}={how}): {found}"
