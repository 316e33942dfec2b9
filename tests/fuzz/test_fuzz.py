"""The short form of the fuzzers, on fixed seeds; `make fuzz` is the long one."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import fuzz_loop
import pytest

SHORT = {
    "scores": 120,
    "predictions": 60,
    "data": 90,
    "arff": 300,
    "toml": 60,
    "functions": 40,
    "doors": 400,
    "cli": 25,
    "processes": 0,
}
"""The number of cases; processes take too long."""

PLANTED = """
import os, time

def case(seed):
    if seed == 2:
        return "raw ValueError"
    if seed == 3:
        time.sleep(60)
    if seed == 5:
        os._exit(7)
    return None
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in fuzz_loop.fuzzers() if SHORT.get(name, 20)])
def test_no_raw_errors_and_nothing_silently_wrong(name):
    case = importlib.import_module(f"fuzz_{name}").case
    found = {seed: told for seed in range(SHORT.get(name, 20)) if (told := case(seed)) is not None}
    assert found == {}


@pytest.mark.slow
def test_the_loop_reports_findings_hangs_and_deaths_and_goes_on(tmp_path):
    (tmp_path / "fuzz_planted.py").write_text(PLANTED)
    loop = Path(fuzz_loop.__file__).read_text(encoding="utf-8").replace("USUAL_HANG = 30.0", "USUAL_HANG = 1.0")
    (tmp_path / "fuzz_loop.py").write_text(loop.replace('"scores": 30_000', '"planted": 8, "scores": 30_000'))
    for _ in range(2):  # the second time there is nothing left to do
        done = subprocess.run(
            [sys.executable, "fuzz_loop.py"], cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False
        )
        assert done.returncode == 1
    kept = json.loads((tmp_path / "fuzz-planted.json").read_text())
    assert kept["next"] == 8
    assert [seed for seed, _ in kept["findings"]] == [2, 3, 5]
    assert [told.split(":")[0] for _, told in kept["findings"]] == [
        "raw ValueError", "hang", "the process ended with exit code 7"
    ]  # fmt: skip
