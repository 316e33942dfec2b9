"""The gallery has every table and figure by name, and its lines make what it shows."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fairtrial import figures, result_tables

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS))
import gallery  # noqa: E402

TEXT = gallery.PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def names():
    return gallery.run_studies()


def test_it_has_all_tables():
    assert {line.name for line in gallery.TABLES} == set(result_tables.KINDS)


def test_it_has_all_figures():
    assert {line.name for line in gallery.FIGURES} == set(figures.KINDS)


def test_its_pictures_are_there():
    shown = {f"{gallery.IMAGES}/{n:02}_{line.name}.png" for n, line in enumerate(gallery.FIGURES)}
    assert {str(p.relative_to(DOCS)) for p in (DOCS / gallery.IMAGES).iterdir()} == shown
    assert all(f"]({image})" in TEXT for image in shown)


@pytest.mark.slow
@pytest.mark.parametrize("line", gallery.TABLES, ids=lambda line: line.name)
def test_each_line_makes_the_table_beside_it(line, names):
    made = gallery.table_of(line, names)
    assert f"```python\nprint({gallery.table_call(line)})\n```" in TEXT
    assert f"```text\n{made}\n```" in TEXT
    assert len(made.explain) > 60


@pytest.mark.slow
@pytest.mark.parametrize("line", gallery.FIGURES, ids=lambda line: f"{line.name} {line.options}")
def test_each_line_draws_a_figure(line, names):
    assert f"```python\n{line.call('figure')}\n```" in TEXT
    figure = eval(line.call("figure"), names)
    assert any(ax.get_children() and (ax.lines or ax.texts or ax.patches or ax.collections) for ax in figure.get_axes())
    width, height = figure.get_size_inches()
    assert 2 < width < 12
    assert 1 < height < 12
