"""The examples that make published tables in their own form."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np
import pytest

from fairtrial.results import read_scores
from fairtrial.tables import Strong

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def printed(capsys):
    def run(name):
        runpy.run_path(str(EXAMPLES / name))
        return capsys.readouterr().out

    return run


def test_33_data_sets(printed):
    text = printed("table_33_data_sets.py")
    assert re.search(r"^sonar +0\.3257 ± 0\.0637 +0\.2018 ± 0\.0545 +\* +0\.2752 ± 0\.0607 +\* +0\.1651 ", text, re.M)
    assert re.search(
        r"^shuttle +0\.0003 ± 0\.0003 +0\.0002 ± 0\.0002 +0\.0002 ± 0\.0002 +0\.0001 ± 0\.0002$", text, re.M
    )
    assert len(re.findall(r" ± ", text)) == 1 + 4 * 33
    assert "* pruned trees" in text


def test_breast_cancer(printed):
    text = printed("table_breast_cancer.py")
    assert re.search(r"^C4\.5 +★ 75\.50 +★ 0\.4324 +0\.27 +★ 0\.04 +★ 0\.74 +0\.27 +0\.40 +0\.59$", text, re.M)


def test_two_cities(printed):
    text = printed("table_two_cities.py")
    assert re.search(r"^ +SXGP +0\.77 \* +224 +108 +−1\.10 \* +0\.74 \* +163 \* +73 +−1\.12$", text, re.M)
    assert "◊ GP improves kNN; • SGP / XGP improve GP; * SXGP improves XGP" in text


def test_plant_disease(printed):
    text = printed("table_plant_disease.py")
    assert re.search(r"FULL +93\.3 ± 0\.4 \(20 ms\) +95\.4 ± 0\.5 \(150 ms\) +62\.6 +50\.0$", text, re.M)


def test_kernels(printed):
    text = printed("table_kernels.py")
    assert re.search(r"^CSM .* 72\.8 ± 0\.4 \* +OUT OF MEMORY +OUT OF MEMORY +87\.0 ± 0\.2 \*", text, re.M)


def test_folds_of_kernels_have_the_published_means_and_errors():
    results = read_scores(EXAMPLES / "kernels.csv", measure="accuracy", resampling="10-fold")
    scores = results.scores[(results.scores["dataset"] == "COX2") & (results.scores["method"] == "PK")]["value"]
    assert scores.mean() == pytest.approx(79.4, abs=1e-3)
    assert scores.std() * np.sqrt(1 / 10 + 1 / 9) == pytest.approx(0.6, abs=1e-3)
    table = results.table("scores", strong="winner", adjust="none", spread="standard error", decimals=1)
    assert [cell for row in table.cells() for cell in row if isinstance(cell, Strong)] == [
        "72.8 ± 0.4 *", "76.9 ± 0.2 *",
    ]  # fmt: skip
