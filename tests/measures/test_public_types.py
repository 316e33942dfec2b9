"""Editors and type checkers know the arguments of every measure: the stub, and what mypy finds with its help."""

import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from public_stub import STUB, functions, other_names, text

ROOT = Path(__file__).parents[2]

OWN = """\
from fairtrial.measures import FloatArray, PerClass, Ranking, measure, ratio

@measure("Hits", of=PerClass, worst=0.0, best=1.0)
def hits(c: PerClass) -> FloatArray:
    return ratio(c.tp, c.tp + c.fn)

assert_type(hits([1, 0], [1, 1], positive=1), float)
hits([1, 0], [1, 1], postive=1)  # planted
hits([1, 0])  # planted

@measure("Hits", of=PerClass, worst=0.0, best=1.0)  # planted
def of_another_intermediate(r: Ranking) -> FloatArray:
    return r.against_rest()

import numpy as np
measures.compute(["accuracy"], truth=[0, 1], channels={"label": [0, 1]}, classes=np.array(["no", "yes"]))
measures.precision(["no", "yes"], np.array(["no", "yes"]), classes=np.array(["no", "yes"]), prior=[0.9, 0.1])
measures.expected_cost([0, 1], [0, 1], costs=[1, 5], prior=measures.Beta(2, 5))
measures.kappa([0, 1], [0, 1], disagreement="squared")  # planted
"""


def test_the_stub_is_up_to_date():
    made = text()
    if not STUB.exists() or STUB.read_text(encoding="utf-8") != made:
        STUB.write_text(made, encoding="utf-8")
        raise AssertionError(f"{STUB} was out of date and has been written anew: look at its changes and commit it")


def test_the_package_tells_type_checkers_that_it_has_types():
    assert (ROOT / "src" / "fairtrial" / "py.typed").exists()


def calls():
    """For each measure a call with all its arguments, and three with a mistake."""
    for name, found in (functions() | other_names()).items():
        parameters = inspect.signature(found).parameters.values()
        data = ", ".join("[0, 1]" for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD)
        options = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
        given = ", ".join(f"{p.name}={p.default!r}" for p in options)
        yield f"assert_type(measures.{name}({data}, {given}), float)"
        yield f"measures.{name}({data}, {options[-1].name}s={options[-1].default!r})  # planted"
        yield f"measures.{name}({data}, {given}, nonsense=1)  # planted"
        yield f"measures.{name}({given})  # planted"


@pytest.mark.slow
def test_mypy_finds_the_mistakes_in_a_users_file_and_nothing_else(tmp_path):
    lines = ["from typing import assert_type", "from fairtrial import measures", *calls(), *OWN.splitlines()]
    file = tmp_path / "users_file.py"
    file.write_text("\n".join(lines), encoding="utf-8")
    mypy = [sys.executable, "-m", "mypy", "--config-file=pyproject.toml", "--no-pretty", str(file)]
    said = subprocess.run(mypy, cwd=ROOT, capture_output=True, encoding="utf-8", env=os.environ | {"NO_COLOR": "1"})
    found = {int(n) for n in re.findall(r"users_file\.py:(\d+): error:", said.stdout)}
    planted = {i for i, line in enumerate(lines, 1) if line.endswith("# planted")}
    assert len(planted) > 3 * len(functions())
    wrong = [f"{lines[i - 1]}" for i in sorted(found ^ planted)]
    assert wrong == [], said.stdout + said.stderr
