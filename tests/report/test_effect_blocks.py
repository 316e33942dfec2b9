"""Effects in a report."""

import numpy as np
import pandas as pd

from fairtrial.report import write_report
from fairtrial.report.effect_blocks import effects_numbers, effects_question
from fairtrial.results import read_scores


def made():
    """A 2 × 2 of settings on eight data sets, in which depth adds 0.1."""
    random = np.random.default_rng(0)
    rows = [
        {"dataset": f"d{i}", "method": "m", "depth": d, "rate": r, "replicate": 0, "repeat": 0, "fold": 0,
         "measure": "accuracy", "value": 0.5 + 0.1 * (d == 9) + random.normal(0, 0.01), "n_train": 9, "n_test": 9,
         "status": "ok"}
        for i in range(8) for d in (2, 9) for r in (1, 3)
    ]  # fmt: skip
    return read_scores(pd.DataFrame(rows), measure="accuracy")


class TestEffectsInAReport:
    def test_page(self, tmp_path):
        results = made()
        page = write_report(results, tmp_path / "page.html").read_text(encoding="utf-8")
        assert "What matters" in page
        assert "Which factors matter for accuracy?" in page
        assert results.effects().sentence in page
        assert "Analysis of variance over data sets" in page
        assert "Romano" in page

    def test_numbers(self):
        found = made().effects()
        assert effects_numbers(made(), found).entries == (
            ("8", "data sets"), ("2", "factors"), ("4", "settings"), ("32", "trials"), ("0", "failed"),
            ("95 %", "confidence"),
        )  # fmt: skip
        assert effects_question(found) == "Which factors matter for accuracy?"
