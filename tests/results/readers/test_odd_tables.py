"""300 odd tables are read as they are meant, or refused in words; none is misread without a word."""

from __future__ import annotations

import numpy as np
import pytest
from odd_tables import KINDS, MEANT, METHODS, TRUE, dresses, written

from fairtrial.errors import InputError
from fairtrial.results import read_scores


def grid(results):
    """The mean scores of data sets and methods that were read, with names in the spelling of the truth."""
    scores = results.scores.pivot_table(index="dataset", columns="method", values="value", dropna=False)
    return scores.rename(index=str.lower, columns={"Nb": "NB", "nb": "NB"})


def outcome(path, meant, factor):
    """'' if a table was understood or refused as it should be; else what happened."""
    try:
        results = read_scores(path, measure="accuracy")
    except InputError as error:
        return "" if meant == "any" or (meant not in (MEANT, "lost") and meant in str(error)) else f"refused: {error}"
    if meant == "any":
        return "" if len(results.method_names()) == 4 else f"misread: {results.reading}"
    if meant not in (MEANT, "lost", "run", "model"):
        return f"read: {results.reading}"
    want = TRUE.rename(columns={"svm": meant}) if meant in ("run", "model") else TRUE.copy()
    if meant == "lost":
        want.loc["zoo", "NB"] = np.nan
    found = grid(results)
    same = set(found.index) == set(want.index) and set(found.columns) == set(want.columns)
    if same and np.allclose(found.loc[want.index, want.columns], factor * want, atol=0.006 * factor, equal_nan=True):
        return ""
    return f"misread: {results.reading}"


@pytest.mark.slow
@pytest.mark.parametrize("dress", dresses())
def test_read_as_meant_or_refused(tmp_path, dress):
    wrong = {}
    for kind, (_, meant) in KINDS.items():
        text, factor = written(kind, dress)
        path = tmp_path / "table.csv"
        path.write_text(text)
        if said := outcome(path, meant, factor):
            wrong[kind] = said
    assert wrong == {}


def test_there_are_three_hundred_of_them():
    assert len(KINDS) * len(dresses()) >= 300
    assert tuple(TRUE.columns) == METHODS
