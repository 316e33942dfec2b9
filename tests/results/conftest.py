"""Small result tables, made here."""

from __future__ import annotations

import pytest


@pytest.fixture
def write(tmp_path):
    """A text as a file."""

    def make(text, name="scores.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return make
