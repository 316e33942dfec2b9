"""Result tables: small ones made here, and real ones that may be read but not committed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from fairtrial.results import read_scores

settings.register_profile("no deadline", deadline=None)  # first calls import and fill caches
settings.load_profile("no deadline")

TABLES = Path(__file__).parents[2].parent / "shared" / "known-answers" / "tables"


@pytest.fixture
def shared_table():
    """The path of a table that is not part of the project, or a skip."""

    def find(name):
        if not (TABLES / name).exists():
            pytest.skip(f"{name} may not be committed, and ../shared/known-answers/tables is not there")
        return TABLES / name

    return find


@pytest.fixture(scope="session")
def weka():
    """The results of WEKA's Experimenter, read once."""
    path = TABLES / "weka" / "results_10x10.arff"
    if not path.exists():
        pytest.skip("weka/results_10x10.arff is read from ../shared/known-answers/tables, which is not there")
    return read_scores(path)
