"""Wins, losses and ties of all pairs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.design import Question
from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores
from fairtrial.stats import corrected_t
from fairtrial.verdict import gather, pairs_chart
from fairtrial.verdict.wins_chart import significant_signs, win_counts

# Dietterich's form: rows against columns, the last method first.
MEANS = pd.DataFrame(
    {
        "dataset": list("abcdefg"),
        "tree": [0.80, 0.70, 0.60, 0.90, 0.75, 0.66, 0.50],
        "bagged": [0.82, 0.75, 0.60, 0.91, 0.74, 0.70, 0.55],
        "boosted": [0.85, 0.69, 0.66, 0.89, 0.79, 0.70, 0.40],
    }
)


def chart(scores=MEANS, measure="accuracy", wins="by mean", **asked):
    results = read_scores(scores, measure=measure)
    return pairs_chart(gather(results), Question(measure=measure, **asked), wins)


class TestChart:
    def test_counted_by_hand(self):
        table = chart()
        assert [c.title for c in table.columns] == ["method", "tree", "bagged"]
        assert table.rows == (("boosted", "4–3–0", "3–3–1"), ("bagged", "5–1–1", ""))

    def test_lower_is_better(self):
        assert chart(measure="error_rate").rows == (("boosted", "3–4–0", "3–3–1"), ("bagged", "1–5–1", ""))

    def test_what_does_not_matter_is_a_tie(self):
        assert chart(smallest_difference=0.03).rows == (("boosted", "4–1–2", "3–2–2"), ("bagged", "3–0–4", ""))

    def test_float_noise_is_a_tie(self):
        scores = pd.DataFrame({"dataset": list("abcdef"), "A": [0.3] * 6, "B": [0.1 + 0.2] * 6})
        assert chart(scores).rows == (("B", "0–0–6"),)

    def test_significant_wins_are_those_of_the_corrected_t(self):
        random = np.random.default_rng(1)
        rows = [
            (d, m, f, 0.7 + shift * (m == "B") + 0.02 * random.normal())
            for d, shift in zip("abcdef", (0.2, 0.0, -0.2, 0.2, 0.2, 0.0), strict=True)
            for m in "AB"
            for f in range(10)
        ]
        long = pd.DataFrame(rows, columns=["dataset", "method", "fold", "accuracy"])
        results = read_scores(long, measure="accuracy", value="accuracy", resampling="10-fold")
        table = pairs_chart(gather(results), Question(measure="accuracy"), "significant")
        assert table.rows == (("B", "3–1–2"),)
        assert "corrected resampled t at 0.05, unadjusted" in table.notes[0]

    def test_unknown_way(self):
        with pytest.raises(UnknownName, match="no way to count wins is called 'all'"):
            chart(wins="all")

    def test_significant_wins_need_a_known_scheme(self):
        with pytest.raises(
            InputError, match=r"splits of a known scheme, but a has 1 score for each method, scheme 'unk"
        ):
            chart(wins="significant")

    def test_repeats_are_corrected_as_in_verdicts(self):
        random = np.random.default_rng(2)
        rows = [
            (d, m, r, f, 0.7 + 0.03 * (m == "B") + 0.03 * random.normal())
            for d in "abcdef" for m in "AB" for r in range(10) for f in range(5)
        ]  # fmt: skip
        long = pd.DataFrame(rows, columns=["dataset", "method", "repeat", "fold", "accuracy"])
        results = read_scores(long, measure="accuracy", value="accuracy", resampling="10x5-fold")
        evidence = gather(results)
        assert evidence.dependence[0].overlap > 1
        level = 0.6
        expected = []
        for i, known in enumerate(evidence.dependence):
            a, b = evidence.folds[i].T
            found = corrected_t(a, b, test_share=known.test_share, overlap=known.overlap)
            expected.append(int(np.sign(found.statistic)) if found.p_value < 1 - level else 0)
        signs = significant_signs(evidence, level)
        assert signs[:, 0, 1].tolist() == expected
        assert signs[:, 1, 0].tolist() == [-sign for sign in expected]
        assert 0 < sum(map(abs, expected)) < 6

    def test_a_method_that_did_not_run_somewhere_is_not_counted_there(self):
        scores = MEANS.assign(tree=[np.nan, *MEANS["tree"][1:]])
        results = read_scores(scores, measure="accuracy", baseline="bagged")
        counts = win_counts(gather(results), Question(measure="accuracy"))
        assert counts[0, 1].tolist() == [1, 4, 1]
        assert counts[1, 2].sum() == 7
