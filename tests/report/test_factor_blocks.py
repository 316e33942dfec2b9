"""Questions about factors in a report."""

import numpy as np
import pandas as pd
import pytest

from fairtrial.report import write_report
from fairtrial.report.factor_blocks import ANSWERS, factors_numbers, factors_question, facts_of
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
    @pytest.mark.slow
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
        assert factors_numbers(made(), found).entries == (
            ("8", "data sets"), ("2", "factors"), ("4", "settings"), ("32", "trials"), ("0", "failed"),
            ("95 %", "confidence"),
        )  # fmt: skip
        assert factors_question(found) == "Which factors matter for accuracy?"


class TestAblationInAReport:
    def test_page(self, tmp_path):
        results = made()
        found = results.ablation()
        page = write_report(results, tmp_path / "page.html", found).read_text(encoding="utf-8")
        assert "Why it is better" in page
        assert "Why is depth 9 + rate 3 better than depth 2 + rate 1?" in page
        assert found.sentence in page
        assert "What works together" in page
        assert "Shapley" in page
        assert (
            "ablation = results.ablation(&#x27;accuracy&#x27;)" in page
            or "ablation = results.ablation('accuracy')" in page
        )

    def test_every_answer_has_titles(self):
        assert all(facts.name == name for name, facts in ANSWERS.items())
        assert facts_of(made().ablation()).call("auc") == "ablation = results.ablation('auc')"
