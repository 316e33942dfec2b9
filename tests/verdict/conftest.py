"""WEKA's results, read once."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairtrial.results import read_scores


@pytest.fixture(scope="session")
def weka():
    """The results of WEKA's Experimenter, read once."""
    path = Path(__file__).parents[2].parent / "shared" / "known-answers" / "tables" / "weka" / "results_10x10.arff"
    if not path.exists():
        pytest.skip("weka/results_10x10.arff is read from ../shared/known-answers/tables, which is not there")
    return read_scores(path)
