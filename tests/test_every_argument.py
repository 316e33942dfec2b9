"""No wrong argument is printed whole: tables, arrays and long lists are described, whichever argument they are."""

from __future__ import annotations

import inspect

import numpy as np
import pandas as pd
import pytest
from offenders import for_each

import fairtrial as ft
from fairtrial.design import layouts
from fairtrial.errors import InputError

pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")

ROWS, COLUMNS = 1000, 12
CELL = "7351"  # each cell holds it, so that a printed one is found
ARRAY = np.full((ROWS, COLUMNS), 7351.5)
FRAME = pd.DataFrame(ARRAY, columns=[f"c{i}" for i in range(COLUMNS)])
HELD = {
    "frame": FRAME,
    "series": FRAME["c1"],
    "array": ARRAY,
    "vector": ARRAY[:, 0],
    "polars": pl.DataFrame(ARRAY),
    "polars series": pl.Series(ARRAY[:, 0]),
    "arrow": pa.Table.from_pandas(FRAME),
    "list": ARRAY[:, 0].tolist(),
    "list of frames": [FRAME, FRAME],
    "frame in a dict": {"a": FRAME, 3: FRAME},
}
LONGEST = 700


def call(function, held, argument):
    """The message with which it is refused, or nothing if it is taken."""
    try:
        function(**{argument: held})
    except InputError as error:
        return str(error)
    return ""


def options(function, *but):
    return [p for p in inspect.signature(function).parameters if p not in ("self", "cls", *but)]


def study(**given):
    return ft.Study(**{"datasets": ["iris"], "methods": {"one": "one_rule"}, "resampling": "2-fold", **given})


def made_of_frame(**given):
    return ft.Dataset.from_frame(**{"frame": SMALL, **given})


def made_of_arrays(**given):
    return ft.Dataset.from_arrays(**{"X": SMALL[["a"]].to_numpy(), "y": SMALL["y"].to_numpy(), **given})


def found(**given):
    return ft.datasets(*given.pop("given", ["iris"]), **given)


SMALL = pd.DataFrame({"a": [1.0, 2, 3, 4], "y": ["u", "v", "u", "v"]})
ENTRIES = [
    *((study, argument) for argument in options(ft.Study)),
    *((ft.Question, argument) for argument in options(ft.Question)),
    *((made_of_frame, argument) for argument in options(ft.Dataset.from_frame)),
    *((made_of_arrays, argument) for argument in options(ft.Dataset.from_arrays)),
    *((found, argument) for argument in options(ft.datasets)),
    *((lambda **o: ft.read_dataset(**o), argument) for argument in ["path"]),
    *((lambda **o: ft.Factor(**{"name": "depth", "levels": [1, 2], **o}), a) for a in options(ft.Factor)),
    *((lambda **o: layouts.FullFactorial(**o), argument) for argument in options(layouts.FullFactorial)),
]


@for_each("kind", HELD)
@for_each(("function", "argument"), ENTRIES, ids=lambda e: getattr(e, "__name__", str(e)))
def test_a_refused_argument_is_described(function, argument, kind):
    said = call(function, HELD[kind], argument)
    assert len(said) <= LONGEST
    assert said.count(CELL) <= 5, "single values may be named"
    assert "\n" not in said


@for_each("kind", HELD)
def test_a_frame_in_the_wrong_place_is_refused_by_name(kind):
    """Not one of them is taken for a seed, a question, a measure or a resampling."""
    for argument in ("question", "measures", "seed", "resampling", "replicates", "training_scores", "timing", "memory"):
        assert argument in call(study, HELD[kind], argument)
