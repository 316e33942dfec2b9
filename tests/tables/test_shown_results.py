"""What a notebook shows of results: what they say first, then their table, escaped, with its style."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
import re
from dataclasses import dataclass

import pytest

import fairtrial as ft
from fairtrial.measures import confusion_matrix
from fairtrial.tables import Answer, Document, Shown, Table

TABLE = Table.from_records([{"method": "<b>forest</b>", "accuracy": 0.904}], caption="means & more")


@dataclass(frozen=True, slots=True)
class Bare(Shown):
    def to_table(self):
        return TABLE


@dataclass(frozen=True, slots=True)
class Led(Bare):
    text: str

    def __str__(self):
        return self.text


@dataclass(frozen=True, slots=True)
class Written(Bare):
    def to_document(self):
        return Document((Answer("forest is best."),))


def body(html: str) -> str:
    """What stands between the style sheet and the end."""
    found = re.fullmatch(r'<div class="fairtrial">\n<style>\n.*</style>\n(.*)\n</div>', html, re.DOTALL)
    assert found
    return found[1]


class TestShown:
    def test_a_table_alone(self):
        assert str(Bare()) == TABLE.to_text()
        assert body(Bare()._repr_html_()) == TABLE.to_html()
        assert "<b>" not in Bare()._repr_html_()

    def test_what_stands_above_the_table_in_the_text_stands_above_it_here(self):
        html = body(Led(f"forest > tree\n\nby 3 points\n{TABLE}")._repr_html_())
        first = '<p class="answer"><strong>forest &gt; tree</strong></p>\n<p>by 3 points</p>\n'
        assert html == first + TABLE.to_html()

    def test_the_first_line_of_a_text_without_the_table(self):
        html = body(Led("forest is best\n  p = 0.01")._repr_html_())
        assert html.startswith('<p class="answer"><strong>forest is best</strong></p>\n<div class="table">')
        assert "0.01" not in html

    def test_a_document_is_all_that_is_said(self):
        assert str(Written()) == "forest is best."
        assert body(Written()._repr_html_()) == '<p class="answer"><strong>forest is best.</strong></p>'

    def test_a_real_one(self):
        html = body(confusion_matrix(["a", "a", "b"], ["a", "b", "b"])._repr_html_())
        assert html.startswith('<p class="answer"><strong>2 of 3 predicted right (accuracy 0.667)</strong></p>')
        assert "<table>" in html


def classes():
    """All public classes of the package."""
    found = {}
    for module in pkgutil.walk_packages(ft.__path__, "fairtrial."):
        if not module.name.startswith(("fairtrial.cli", "fairtrial.worker", "fairtrial.engine.dask")):
            for name, cls in vars(importlib.import_module(module.name)).items():
                if inspect.isclass(cls) and cls.__module__.startswith("fairtrial.") and not name.startswith("_"):
                    found[cls] = None
    return found


@pytest.mark.slow
def test_every_result_that_prints_itself_shows_itself():
    silent = [
        cls.__qualname__
        for cls in classes()
        if dataclasses.is_dataclass(cls)
        and cls.__str__ is not object.__str__
        and "_repr_pretty_" not in vars(cls)
        and cls.__name__ not in {"Source", "Limit", "Patch"}  # parts of documents, of the lab and of the engine
    ]
    assert not silent
