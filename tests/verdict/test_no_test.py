"""Where no test is possible, it says why."""

from __future__ import annotations

from made_scores import BASE, folds, table

from fairtrial.results import read_scores


class TestDescribeOnly:
    def test_unknown_folds_allow_no_test(self):
        verdict = read_scores(folds({"a": BASE[:10], "b": BASE[:10] + 0.1}), measure="accuracy").verdict()
        assert verdict.rule == "too little is known"
        assert verdict.finding.sentences == (
            "Whether the methods differ in accuracy is open: 1 data set is too few to compare over, and the split "
            "scheme of the scores is unknown.",
            "b has the higher accuracy, ahead of a by 0.100.",
        )
        assert verdict.finding.test == "none."
        assert verdict.winner is None

    def test_one_score_each(self):
        verdict = read_scores(table({"a": [0.9, 0.8], "b": [0.7, 0.6]}), measure="accuracy").verdict()
        assert (
            "2 data sets are too few to compare over, and one score per method and data set has no spread"
            in verdict.sentence
        )
        assert (
            verdict.finding.sentences[1]
            == "a has the higher mean (0.850, ahead of b by 0.200), and the higher accuracy on 2 of 2 data sets."
        )
