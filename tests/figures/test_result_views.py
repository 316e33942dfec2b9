"""Figures of results, by kind."""

from __future__ import annotations

import inspect
from dataclasses import replace

import pytest
from matplotlib.text import Text
from offenders import for_each
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.choices import FigureOptions
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures import KINDS, figures_table, levels_data, result_views, view_of_results

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    methods = {"bayes $1$": GaussianNB(), "logistic": LogisticRegression(max_iter=5000)}
    study = ft.Study(datasets=["breast_cancer"], methods=methods, resampling="2-fold")
    return study.run(tmp_path_factory.mktemp("study") / "s.trial", workers=0, progress=False)


OF_EFFECTS = ("pareto_effects", "half_normal", "main_effects", "interactions", "contour", "slices")
"""Kinds for studies with several settings of a method, which their own tests draw."""


OVER_DATASETS = ("simplex", "power", "critical_difference", "robust_setting")
"""Kinds for several data sets, which their own tests draw."""

ELSEWHERE = (*OF_EFFECTS, *OVER_DATASETS, "training_gap")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("levels", "growth", *ELSEWHERE)])
def test_every_kind_is_drawn(results, kind, tmp_path):
    figure = results.figure(kind)
    figure.savefig(tmp_path / "figure.svg")
    assert "<svg" in (tmp_path / "figure.svg").read_text()
    shown = "".join(text.get_text() for text in figure.findobj(Text))
    assert "logistic" in shown or kind == "decision_path"


@pytest.fixture(scope="module")
def at_levels(tmp_path_factory):
    methods = {"bayes $1$": GaussianNB(), "logistic": LogisticRegression(max_iter=5000)}
    study = ft.Study(
        datasets=["breast_cancer"], methods=methods, resampling="3-fold", factors={"train_size": [30, 60, 1]}
    )
    return study.run(tmp_path_factory.mktemp("study") / "levels.trial", workers=0, progress=False)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ELSEWHERE])
def test_every_kind_is_drawn_of_a_study_with_factors(at_levels, kind, tmp_path):
    results = at_levels if kind in ("levels", "growth") else at_levels.at(train_size=60)
    results.figure(kind).savefig(tmp_path / "figure.svg")
    assert "<svg" in (tmp_path / "figure.svg").read_text()


def test_a_learning_curve_goes_up(at_levels):
    data = levels_data(at_levels, measure="auc")
    assert data.levels == ("30", "60", "379")
    assert data.estimates[-1][1] > data.estimates[0][1]


def test_words_say_what_is_shown(at_levels):
    assert view_of_results(at_levels, "growth", measure="fit_time").words.startswith("fit time of bayes $1$ ")
    assert view_of_results(at_levels.at(train_size=1), "pareto").words.startswith("On the front of accuracy and fit t")
    assert view_of_results(at_levels, "levels").words.startswith("accuracy\ntraining rows  bayes $1$")


def test_levels_are_not_mixed(at_levels):
    with pytest.raises(InputError, match="at several levels of train_size"):
        at_levels.figure("roc")
    with pytest.raises(InputError, match="at several levels of train_size"):
        at_levels.figure("pareto")


def test_says_what_was_wrong(results):
    with pytest.raises(UnknownName, match="no figure is called 'rok'; did you mean 'roc'"):
        results.figure("rok")
    curves = "roc, coverage, precision_recall, cost and reliability"
    with pytest.raises(InputError, match=f"positive is for {curves}, not for the figure 'contexts'; leave it out"):
        results.figure("contexts", positive="benign")
    with pytest.raises(InputError, match="folds is for roc, not for the figure 'cost'"):
        results.figure("cost", folds="vertical")
    takers = "leads, critical_difference, ranks, pairwise, differences and [0-9]+ others"
    with pytest.raises(InputError, match=f"measure is for {takers}, not for the figure 'roc'"):
        results.figure("roc", measure="auc")
    with pytest.raises(InputError, match="factor is for levels and growth, not for the figure 'pareto'"):
        results.figure("pareto", factor="train_size")
    with pytest.raises(InputError, match="cost is for pareto, not for the figure 'levels'"):
        results.figure("levels", cost="fit_time")


@for_each("kind", KINDS)
class TestEveryKind:
    def test_its_module_has_its_maker(self, kind):
        made_by = result_views.figure_of.maker(kind).__module__.removeprefix("fairtrial.figures.")
        assert made_by in (KINDS[kind].module, "drawing.boxed_curves")

    def test_it_takes_only_options_that_the_command_line_has(self, kind):
        parameters = inspect.signature(result_views.figure_of.maker(kind)).parameters
        assert next(iter(parameters)) == "results"
        asked = {*result_views.figure_of.asks.get(kind, ())}
        assert set(parameters) - {"results"} | asked == set(result_views.options_of_figure(kind))
        assert set(result_views.options_of_figure(kind)) <= set(FigureOptions.__annotations__)

    def test_it_is_listed(self, kind):
        row = next(row for row in figures_table().rows if row[0] == kind)
        assert row[1:] == (KINDS[kind].shows, ", ".join(result_views.options_of_figure(kind)))


class TestTheRoom:
    def test_every_maker_has_a_row(self):
        assert all(result_views.figure_of.maker(kind) for kind in KINDS)  # imports their modules
        assert set(result_views.figure_of._found) == set(KINDS)


class TestNotes:
    def test_they_stand_below_the_figure(self, results):
        view = view_of_results(results, "confusion", methods=["logistic"])
        plain_height = view.figure.get_size_inches()[1]
        assert view.notes == ()
        fewer = replace(
            results, failures=results.failures.reindex([0]).assign(dataset="breast_cancer", method="logistic")
        )
        noted = view_of_results(fewer, "confusion", methods=["logistic"])
        said = "failed trials on breast_cancer have no predictions and are left out: 1 of logistic"
        assert noted.notes == (said,)
        assert noted.words == f"{view.words}\n{said}"
        below = [text.get_text().replace("\n", " ") for text in noted.figure.texts]
        assert below == [said, "logistic on breast_cancer"]
        assert noted.figure.get_size_inches()[1] > plain_height
