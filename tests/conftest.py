"""What several rooms' tests share: real result tables that may be read but not committed."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("no deadline", deadline=None)  # first calls import and fill caches
settings.load_profile("no deadline")

TABLES = Path(__file__).parents[1].parent / "shared" / "known-answers" / "tables"


@pytest.fixture
def shared_table():
    """The path of a table that is not part of the project, or a skip."""

    def find(name):
        if not (TABLES / name).exists():
            pytest.skip(f"{name} may not be committed, and ../shared/known-answers/tables is not there")
        return TABLES / name

    return find
