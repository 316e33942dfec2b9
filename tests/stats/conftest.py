"""Golden cases, and those on tables that may be read but not committed."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))  # for example_data
GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="session")
def golden():
    """The cases of tests/golden/known_answers.json by id; made with R 4.2.2 and exact integers, sources inside."""
    cases = json.loads((GOLDEN / "known_answers.json").read_text(encoding="utf-8"))
    return {case["id"]: case for case in cases}


@pytest.fixture(scope="session")
def shared_case(shared_file):
    def read(name):
        cases = json.loads(shared_file("cases.json").read_text(encoding="utf-8"))
        return next(c for c in cases if c["id"] == name)

    return read


@pytest.fixture(scope="session")
def seed_table():
    """Tables that lecture notes and papers print, which the golden cases use."""
    return lambda name: _numbers(GOLDEN / f"seed_{name}.csv")


def _numbers(path):
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return np.array([[float(v) for v in row[1:]] for row in rows[1:]])


@pytest.fixture(scope="session")
def several_rows():
    """Data sets of R (O'Brien and Kaiser's, iris), as mappings row by row."""

    def read(name):
        with (GOLDEN / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    return read
