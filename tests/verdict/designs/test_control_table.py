"""Against a control on each data set, as WEKA's Experimenter does."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


UNKNOWN_SPLITS = pd.DataFrame({"dataset": ["a", "b", "c"], "low": [0.6, 0.7, 0.8], "high": [0.7, 0.8, 0.9]})


class TestWeka:
    """The Experimenter's own tables: marks and win/tie/loss row."""

    @pytest.mark.parametrize(
        ("test", "expected"),
        [("corrected_t", "weka/expected_base_j48.txt"), ("paired_t", "weka/expected_uncorrected_base_j48.txt")],
    )
    def test_same_marks(self, weka, shared_table, test, expected):
        verdict = weka.verdict(control="J48", per_dataset=test, adjust="none")
        marks, counts = weka_marks(shared_table(expected).read_text(encoding="utf-8"))
        rows = verdict.to_table().rows
        ours = {row[0]: [cell[-1] if cell[-1] in "v*" else " " for cell in row[3:]] for row in rows[:-1]}
        assert ours == marks
        assert [cell.strip() for cell in rows[-1][3:]] == counts

    def test_same_means(self, weka):
        verdict = weka.verdict(control="J48", per_dataset="corrected_t", adjust="holm")
        assert verdict.to_table().rows[4][3:5] == ("64.67 (3.07) *", "93.57 (10.27) v")

    def test_needs_a_control_and_a_known_test(self, weka):
        with pytest.raises(InputError, match="--control"):
            weka.verdict(per_dataset="corrected_t")
        with pytest.raises(UnknownName, match="corrected_t"):
            weka.verdict(control="J48", per_dataset="corected_t")
        with pytest.raises(UnknownName, match="did you mean 'J48'"):
            weka.verdict(control="J4.8")

    def test_needs_known_folds(self):
        with pytest.raises(InputError, match="--resampling"):
            read_scores(UNKNOWN_SPLITS, measure="accuracy").verdict(control="low", per_dataset="corrected_t")


def weka_marks(text):
    """Data set → marks of the columns after the base; and the last row."""
    lines = text.splitlines()
    first, last = (i for i, line in enumerate(lines) if line.startswith("-----"))
    marks = {}
    for line in lines[first + 1 : last]:
        cells = re.findall(r"\(\s*[\d.]+\) ?(.)", line.split("|")[1] + "  ")
        marks[line.split()[0]] = cells
    return marks, re.findall(r"\(\d+/\d+/\d+\)", lines[last + 1])
