"""Columns of uncertainties and signs beside scores."""

from __future__ import annotations

import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.results import read_scores

FRAME = pd.DataFrame({"dataset": ["d", "d", "e", "e"], "method": list("ABAB"), "value": [0.5, 0.6, 0.7, 0.8]})


def test_without_such_columns():
    found = read_scores(FRAME, measure="accuracy").published
    assert (found.kind, dict(found.spreads), dict(found.signs)) == ("none", {}, {})


@pytest.mark.parametrize(
    ("title", "kind"),
    [("standard_error", "standard error"), ("Half_Width", "interval"), ("standard_deviation", "standard deviation")],
)
def test_uncertainties(title, kind):
    found = read_scores(FRAME.assign(**{title: [0.1, 0.2, None, 0.0]}), measure="accuracy").published
    assert found.kind == kind
    assert found.spreads == {("d", "A", ""): 0.1, ("d", "B", ""): 0.2, ("e", "B", ""): 0.0}


def test_beside_a_column_called_as_the_measure():
    frame = FRAME.rename(columns={"value": "accuracy"}).assign(standard_error=0.1)
    assert read_scores(frame).published.spread("e", "A", "accuracy") == 0.1


def test_signs_behind_scores_or_in_a_column_of_their_own():
    signed = FRAME.assign(sign=["*", None, "", " • "], P=["p", "", "", ""])
    found = read_scores(signed, measure="accuracy").published
    assert (found.signs, found.title) == ({("d", "A", ""): "*", ("e", "B", ""): "•"}, "")
    named = read_scores(signed, measure="accuracy", sign="P").published
    assert (named.signs, named.title) == ({("d", "A", ""): "p"}, "P")


def test_a_verdict_does_not_use_them():
    plain, given = (read_scores(f, measure="accuracy") for f in (FRAME, FRAME.assign(half_width=0.3)))
    assert str(plain.verdict()) == str(given.verdict())


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"standard_error": 0.1, "half_width": 0.2}, "must have one column of uncertainties, but it has"),
        ({"half_width": [0.1, "±", 0.2, 0.3]}, "half_width must hold numbers from 0 on, or nothing, got '±'"),
        ({"half_width": [0.1, -0.2, 0.2, 0.3]}, "half_width must hold numbers from 0 on"),
        ({"half_width": 0.1, "dataset": "d", "fold": [0, 0, 1, 1]}, "but some have several; remove that column"),
    ],
)
def test_refused(columns, message):
    with pytest.raises(InputError, match=message):
        read_scores(FRAME.assign(**columns), measure="accuracy")


def test_a_sign_column_that_is_not_there():
    with pytest.raises(InputError, match="sign must name a column, got 'Q'"):
        read_scores(FRAME, measure="accuracy", sign="Q")
