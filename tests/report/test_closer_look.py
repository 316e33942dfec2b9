"""A closer look at predictions, where there are few data sets."""

from __future__ import annotations

from fairtrial.report.sections import closer_look
from fairtrial.results import Results


class TestCloserLook:
    def test_the_confusion_matrix_of_the_best(self, predictions: Results) -> None:
        verdict = predictions.verdict()
        *_, picture = closer_look(predictions, verdict)
        best = verdict.finding.order[0]
        assert picture.title.startswith(f"Confusion matrix of {best} on ")
        assert picture.call.startswith(f"results.figure('confusion', methods=[{best!r}], dataset=")
        assert picture.explain

    def test_scores_have_no_closer_look(self, scores: Results) -> None:
        assert list(closer_look(scores, scores.verdict())) == []
