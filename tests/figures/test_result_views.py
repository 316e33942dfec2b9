"""Figures of one data set's results, through the one-line method."""

from __future__ import annotations

import pytest
from matplotlib.text import Text
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.cli import list_and_advise, result_commands
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures import levels_data, view_of_results
from fairtrial.figures.result_views import KINDS
from fairtrial.measures.advise import OBJECTIVES

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    methods = {"bayes $1$": GaussianNB(), "logistic": LogisticRegression(max_iter=5000)}
    study = ft.Study(datasets=["breast_cancer"], methods=methods, resampling="2-fold")
    return study.run(tmp_path_factory.mktemp("study") / "s.trial", workers=0, progress=False)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("levels", "growth")])
def test_every_kind_is_drawn(results, kind, tmp_path):
    methods = ["logistic"] if kind == "confusion" else None
    figure = results.figure(kind, methods=methods)
    figure.savefig(tmp_path / "figure.svg")
    assert "<svg" in (tmp_path / "figure.svg").read_text()
    shown = "".join(text.get_text() for text in figure.findobj(Text))
    assert "logistic" in shown or kind == "confusion"


@pytest.fixture(scope="module")
def at_levels(tmp_path_factory):
    methods = {"bayes $1$": GaussianNB(), "logistic": LogisticRegression(max_iter=5000)}
    study = ft.Study(
        datasets=["breast_cancer"], methods=methods, resampling="3-fold", factors={"train_size": [30, 60, 1]}
    )
    return study.run(tmp_path_factory.mktemp("study") / "levels.trial", workers=0, progress=False)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn_of_a_study_with_factors(at_levels, kind, tmp_path):
    methods = ["logistic"] if kind == "confusion" else None
    results = at_levels if kind in ("levels", "growth") else at_levels.at(train_size=60)
    results.figure(kind, methods=methods).savefig(tmp_path / "figure.svg")
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
    with pytest.raises(UnknownName, match="no kind of figure is called 'rok'; did you mean 'roc'"):
        results.figure("rok")
    with pytest.raises(
        InputError, match=r"a confusion matrix is of one method, which must be named: one of bayes \$1\$"
    ):
        results.figure("confusion")
    with pytest.raises(InputError, match="positive is for curves"):
        results.figure("contexts", positive="benign")
    with pytest.raises(InputError, match="measure is for levels and growth and pareto, not for a figure of 'roc'"):
        results.figure("roc", measure="auc")
    with pytest.raises(InputError, match="factor is for levels and growth, not for a figure of 'pareto'"):
        results.figure("pareto", factor="train_size")
    with pytest.raises(InputError, match="cost is for pareto, not for a figure of 'levels'"):
        results.figure("levels", cost="fit_time")


def test_the_command_line_knows_the_same_words():
    """It lists them itself, so that help answers without loading anything."""
    from typing import get_args

    from fairtrial.results import FoldsOfCurves

    assert result_commands.KINDS_OF_FIGURES == KINDS
    assert get_args(FoldsOfCurves) == result_commands.FOLDS_OF_CURVES
    assert tuple(OBJECTIVES) == list_and_advise.OBJECTIVES
