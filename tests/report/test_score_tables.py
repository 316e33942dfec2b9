"""Tables of scores: the best has a sign, failed trials a mark, directions are told."""

from __future__ import annotations

import pytest
from html_page import Page

from fairtrial.report.score_tables import dataset_means, measure_means
from fairtrial.results import Results


class TestDatasetMeans:
    @pytest.mark.slow
    def test_the_best_is_bold_and_has_a_sign(self, study: Results, pages: dict[str, str]) -> None:
        verdict = study.verdict()
        table = dataset_means(verdict)
        means = verdict.evidence.means[:, :3]
        for row, cells in zip(means, table.rows, strict=True):
            marked = [i for i, cell in enumerate(cells[1:4]) if str(cell).startswith("★")]
            assert marked == [i for i in range(3) if row[i] == row.max()]
        assert '<td class="right"><strong>★ 0.' in pages["study"]

    @pytest.mark.slow
    def test_a_method_that_did_not_run_has_no_column(self, absent: Results) -> None:
        means = dataset_means(absent.verdict())
        assert [c.title for c in means.columns] == ["data set", "A", "B", "C"]
        assert str(means.rows[3][2]) == "failed"
        assert "left out: never <b> has no score" in means.notes


class TestMeasureMeans:
    def test_other_measures_have_a_direction(self, pages: dict[str, str]) -> None:
        text = Page(pages["study"]).text
        assert "log loss ↓" in text
        assert "accuracy ↑" in text

    @pytest.mark.slow
    def test_other_measures_follow_the_failure_policy(self, study: Results) -> None:
        verdict = study.verdict()
        table = measure_means(study, verdict.finding.order)
        assert table is not None
        shown = {row[0]: str(row[1]).removeprefix("★ ") for row in table.rows}
        means = dict(zip(verdict.evidence.columns, verdict.evidence.means.mean(axis=0), strict=True))
        failed = {m: "†" if verdict.evidence.stood_in(m) else "" for m in means}
        assert list(failed.values()).count("†") == 1
        assert shown == {method: f"{mean:.3f}{failed[method]}" for method, mean in means.items()}
        assert table.notes[1].startswith("† 3 of 72 trials failed: ")
        assert table.notes[2:] == (
            "fit time of failed trials: the limit that cut them off, or the largest of the other methods",
        )
