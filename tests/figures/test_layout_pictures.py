"""The figures of a plan."""

from __future__ import annotations

import pytest
from sklearn.tree import DecisionTreeClassifier

from fairtrial.design import Study
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures import layout_figure

FACTORS = {"max_depth": [2, 9], "min_samples_leaf": [1, 9], "max_features": [0.5, 1.0]}


def plan(factors=FACTORS, **more):
    parts = {"datasets": ["iris"], "methods": {"tree": DecisionTreeClassifier()}, "resampling": "3-fold"}
    return Study(factors=factors, **parts, **more).plan()


class TestLayoutFigure:
    def test_a_half_is_drawn_with_what_it_mixes(self):
        figure = plan(plan={"kind": "fractional factorial", "runs": 4}).figure()
        texts = " ".join(t.get_text() for ax in figure.axes for t in (*ax.get_xticklabels(), *ax.get_yticklabels()))
        assert "max_depth" in texts

    def test_how_well_it_predicts(self):
        assert plan().figure("prediction_variance", model="main").axes

    def test_a_plan_without_factors(self):
        with pytest.raises(InputError, match="needs a study that varies factors of its methods"):
            plan(factors=()).figure()

    def test_an_unknown_kind(self):
        with pytest.raises(UnknownName, match="did you mean 'alias_map'"):
            layout_figure({}, "alias_mep")
