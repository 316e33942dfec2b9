"""Every picture of a verdict says how to read it, and the Python that makes it runs."""

from __future__ import annotations

import pandas as pd
import pytest

import fairtrial as ft
from fairtrial.figures import figures_for, pictures_of_test
from fairtrial.figures.comparisons.verdict_pairs import HOW_TO_READ
from fairtrial.results import Results, read_scores


@pytest.fixture(scope="module")
def results() -> Results:
    frame = pd.DataFrame(
        {
            "dataset": list("abcdefg"),
            "A": [0.81, 0.92, 0.77, 0.85, 0.90, 0.68, 0.74],
            "B": [0.79, 0.87, 0.78, 0.81, 0.84, 0.65, 0.66],
            "C": [0.66, 0.71, 0.52, 0.80, 0.79, 0.60, 0.61],
        }
    )
    return read_scores(frame, measure="accuracy")


@pytest.mark.slow
@pytest.mark.parametrize("asked", [{}, {"control": "B"}, {"adjust": "simultaneous"}])
def test_explained_and_made_again(results: Results, asked: dict[str, str]) -> None:
    verdict = results.verdict(**asked)
    pictures = [*figures_for(verdict), *pictures_of_test(verdict)]
    assert len(pictures) >= 4
    for picture in pictures:
        assert picture.explain in HOW_TO_READ.values()
        figure = eval(picture.call, {"ft": ft, "results": results, "verdict": verdict})
        assert len(figure.axes) == len(picture.figure.axes)  # type: ignore[attr-defined]
