"""What several rooms' tests share: real result tables that may be read but not committed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples each time, so that a change is judged by what it changed; `make explore` looks for new ones.
# No deadline: first calls import and fill caches.
settings.register_profile("same examples", deadline=None, derandomize=True)
settings.register_profile(
    "new examples", deadline=None, max_examples=int(os.environ.get("FAIRTRIAL_EXAMPLES", "1")), print_blob=True
)
settings.load_profile("new examples" if "FAIRTRIAL_EXAMPLES" in os.environ else "same examples")

TABLES = Path(__file__).parents[1].parent / "shared" / "known-answers" / "tables"


@pytest.fixture
def shared_table():
    """The path of a table that is not part of the project, or a skip."""

    def find(name):
        if not (TABLES / name).exists():
            pytest.skip(f"{name} may not be committed, and ../shared/known-answers/tables is not there")
        return TABLES / name

    return find
