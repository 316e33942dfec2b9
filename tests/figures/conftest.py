"""What tests of several figures share: that nothing is clipped, and a stand-in for ``results.effects(…)``."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from fairtrial.figures import to_svg
from fairtrial.figures.drawing.worded_figure import quiet
from fairtrial.measures import registry
from fairtrial.stats import effects_over_datasets, factorial_model, lenth


@pytest.fixture
def drawn_whole():
    """Check that all of a figure lies inside it, and that its SVG is XML; returns the texts, each on one line."""

    def check(figure) -> list[str]:
        with quiet():
            boxes = [ax.get_tightbbox() for ax in figure.axes]
        for box in boxes:
            assert min(box.x0, box.y0) >= 0
            assert box.x1 <= figure.bbox.width
            assert box.y1 <= figure.bbox.height
        root = ElementTree.fromstring(to_svg(figure, title="a & <b>"))
        written = [
            " ".join("".join(element.itertext()).split()) for element in root.iter() if element.tag.endswith("text")
        ]
        return [*written, *(" ".join(text.get_text().split()) for ax in figure.axes for text in ax.texts)]

    return check


@dataclass
class StandIn:
    """What ``results.effects(…)`` gives, as far as figures need it; the results themselves are in another test."""

    settings: Any
    scores: Any
    kind: str = "over data sets"
    measure: Any = field(default_factory=lambda: registry.get("accuracy"))
    as_ratio: bool = False
    parts: dict = field(default_factory=dict)

    def __post_init__(self):
        names = list(self.settings[0])
        levels = {n: list(dict.fromkeys(s[n] for s in self.settings)) for n in names}
        self.units = tuple(f"d{i}" for i in range(len(self.scores)))
        self.varied = tuple(SimpleNamespace(name=n, levels=levels[n]) for n in names)
        coded = {n: [2 * levels[n].index(s[n]) - 1 for s in self.settings] for n in names}
        self.model = factorial_model(coded, interactions=None if self.kind == "one split" else 2)
        self.values = self.model.values(self.scores)
        analyse = lenth if self.kind == "one split" else effects_over_datasets
        self.effects = analyse(self.values)

    def to_table(self):
        return self.effects.to_table()


@pytest.fixture
def stand_in():
    """Results whose ``effects(…)`` gives a stand-in of a 2³ experiment; they keep what they were asked for."""

    def make(kind="over data sets", *, n=8, as_ratio=False):
        rng = np.random.default_rng(3)
        settings = [
            dict(zip(("depth", "rate", "<a & b>_%"), c, strict=True))
            for c in itertools.product((2, 8), (0.1, 0.3), ("x", "y"))
        ]
        depth = np.array([s["depth"] == 8 for s in settings])
        rate = np.array([s["rate"] == 0.3 for s in settings])
        units = 1 if kind == "one split" else n
        scores = 0.7 + 0.08 * depth + 0.04 * (depth == rate) + rng.uniform(0, 0.2, (units, 1))
        scores = scores + rng.normal(0, 0.004, (units, len(settings)))
        made = StandIn(settings, np.log(scores) if as_ratio else scores, kind, as_ratio=as_ratio)
        results = SimpleNamespace(asked=[])

        def effects(measure=None, *, method=None, dataset=None):
            results.asked.append((measure, method, dataset))
            return made

        results.effects, results.made = effects, made
        return results

    return make
