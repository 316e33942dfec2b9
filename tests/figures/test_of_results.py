"""Figures of one data set's results, through the one-line method."""

from __future__ import annotations

import pytest
from matplotlib.text import Text
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial import cli
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.of_results import KINDS
from fairtrial.measures.advise import OBJECTIVES


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    methods = {"bayes $1$": GaussianNB(), "logistic": LogisticRegression(max_iter=5000)}
    study = ft.Study(datasets=["breast_cancer"], methods=methods, resampling="2-fold")
    return study.run(tmp_path_factory.mktemp("study") / "s.trial", workers=0, progress=False)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn(results, kind, tmp_path):
    methods = ["logistic"] if kind == "confusion" else None
    figure = results.figure(kind, methods=methods)
    figure.savefig(tmp_path / "figure.svg")
    assert "<svg" in (tmp_path / "figure.svg").read_text()
    shown = "".join(text.get_text() for text in figure.findobj(Text))
    assert "logistic" in shown or kind == "confusion"


def test_says_what_was_wrong(results):
    with pytest.raises(UnknownName, match="no kind of figure is called 'rok'; did you mean 'roc'"):
        results.figure("rok")
    with pytest.raises(
        InputError, match=r"a confusion matrix is of one method, which must be named: one of bayes \$1\$"
    ):
        results.figure("confusion")
    with pytest.raises(InputError, match="positive is for curves"):
        results.figure("contexts", positive="benign")


def test_the_command_line_knows_the_same_words():
    """It lists them itself, so that help answers without loading anything."""
    from typing import get_args

    from fairtrial.results import FoldsOfCurves

    assert cli.KINDS_OF_FIGURES == KINDS
    assert get_args(FoldsOfCurves) == cli.FOLDS_OF_CURVES
    assert tuple(OBJECTIVES) == cli.OBJECTIVES
