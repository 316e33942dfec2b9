"""The gate as a test: run it with pytest."""

from pathlib import Path

import fairtrial as ft
from fairtrial.testing import assert_not_worse

RESULTS = ft.read_scores(Path(__file__).parent / "auc.csv", measure="auc")


def test_the_candidate_is_not_worse():
    assert_not_worse(RESULTS, control="released", delta=0.01, candidates=["candidate"])
