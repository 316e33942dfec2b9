"""Verdicts as data of figures about pairs: the same decisions as the verdict's own."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.comparisons.verdict_pairs import (
    critical_difference_of,
    dataset_differences_of,
    leading_pair,
    pairwise_of,
    ranks_of,
)
from fairtrial.results import Results, read_scores
from fairtrial.stats import bonferroni_dunn, corrected_t, nemenyi


def scores(n: int = 12, k: int = 4, measure: str = "accuracy", step: float = 0.02, seed: int = 0) -> Results:
    random = np.random.default_rng(seed)
    base = random.uniform(0.6, 0.8, n)
    columns = {f"m{i}": base - step * i + random.normal(0, 0.015, n) for i in range(k)}
    return read_scores(pd.DataFrame({"dataset": [f"d{i}" for i in range(n)], **columns}), measure=measure)


@pytest.fixture(scope="module")
def verdict():
    return scores().verdict()


class TestRanks:
    def test_agree_with_the_decisions(self, verdict) -> None:
        data = ranks_of(verdict)
        names = verdict.evidence.methods
        for row in data.rows:
            m = names.index(row.name)
            own = [p for p in verdict.finding.pairs if m in (p.first, p.second) and p.winner is not None]
            if verdict.winner is None:
                assert row.low == 1 + sum(p.winner != m for p in own)
                assert row.high == len(names) - sum(p.winner == m for p in own)
        assert "joint flips over 6 pairs" in data.tested

    def test_a_control_leaves_pairs_out(self) -> None:
        with pytest.raises(InputError, match=r"'ranks' needs all pairs.*leave control out"):
            ranks_of(scores().verdict(control="m0"))

    def test_no_test_no_ranks(self) -> None:
        with pytest.raises(InputError, match="a figure of 'ranks' needs a test of all pairs, but here few data sets"):
            ranks_of(scores(n=3).verdict())


class TestPairwise:
    def test_signs_follow_the_measure(self) -> None:
        higher, lower = (pairwise_of(scores(measure=m).verdict()) for m in ("accuracy", "error_rate"))
        assert higher.names == lower.names[::-1]
        best = next(c for c in lower.cells if (c.row, c.column) == (0, 3))
        assert best.value < 0 < best.share

    def test_values_and_p_are_the_verdict_s(self, verdict) -> None:
        data = pairwise_of(verdict)
        pair = verdict.finding.pairs[0]
        i, j = (data.names.index(verdict.evidence.methods[m]) for m in (pair.first, pair.second))
        cell = next(c for c in data.cells if (c.row, c.column) == (i, j))
        assert cell.value == pytest.approx(pair.effect.estimate)
        assert cell.different == (pair.different or verdict.winner in (data.names[i], data.names[j]))


class TestCriticalDifference:
    def test_the_verdict_s_tests_decide_around_a_control(self) -> None:
        verdict = scores().verdict(control="m3")
        data = critical_difference_of(verdict)
        worse = {verdict.evidence.methods[p.first] for p in verdict.finding.pairs if p.different}
        assert {label.name for label in data.labels if label.against == "better"} == worse
        assert data.note.startswith("decided by Wilcoxon signed ranks of each method and the control, joint flips")

    def test_says_that_the_winner_has_its_own_tests(self) -> None:
        d = np.array([[0, 2.6, 2.1], [0, -0.5, 1.1], [0, 1.7, 1.1], [0, 0.2, 2.4], [0, 2.9, 5.1], [0, 1.2, 2.7]]) / 100
        narrow = pd.DataFrame(0.8 - np.r_[d, d[[2, 2]] + [0, 0.001, 0.002]], columns=list("abc"))
        own = read_scores(narrow.assign(dataset=[f"d{i}" for i in range(8)]), measure="accuracy").verdict()
        assert own.winner == "a"
        assert not own.comparisons.different().all(axis=0, where=~np.eye(3, dtype=bool))[0]
        for note in (critical_difference_of(own).note, ranks_of(own).tested, pairwise_of(own).tested):
            assert "; the winner beats each other method in its own test" in note
        assert "winner" not in critical_difference_of(scores(step=0.1).verdict()).note

    def test_bonferroni_dunn_on_request(self) -> None:
        results = scores()
        data = critical_difference_of(results.verdict(control="m2"), "bonferroni_dunn")
        table = results.verdict().evidence.comparable
        found = bonferroni_dunn(table, "m2", names=[f"m{i}" for i in range(4)])
        assert data.critical_difference == found.details["critical_difference"]
        low, high = data.reach
        for label in data.labels:
            assert (label.against in ("better", "worse")) == (not low <= label.rank <= high)

    def test_nemenyi_on_request(self, verdict) -> None:
        found = nemenyi(verdict.evidence.comparable, names=verdict.evidence.methods)
        data = critical_difference_of(verdict, "nemenyi")
        assert data.critical_difference == found.details["critical_difference"]
        assert "Nemenyi" in data.note

    def test_says_what_was_wrong(self, verdict) -> None:
        with pytest.raises(InputError, match="'bonferroni_dunn' compares with a control; give control"):
            critical_difference_of(verdict, "bonferroni_dunn")
        with pytest.raises(InputError, match="'nemenyi' compares all pairs; leave control out"):
            critical_difference_of(scores().verdict(control="m0"), "nemenyi")
        with pytest.raises(InputError, match="needs 3 methods and 6 data sets at least, got 2 and 12"):
            critical_difference_of(scores(k=2).verdict())

    @pytest.mark.slow
    def test_too_many_methods_are_sent_elsewhere(self) -> None:
        with pytest.raises(InputError, match="for 25 methods at most, got 26; draw 'ranks' or 'pairwise' instead"):
            critical_difference_of(scores(k=26, step=0.001).verdict())


class TestDatasets:
    def test_without_splits_there_are_no_intervals(self, verdict) -> None:
        data = dataset_differences_of(verdict, ["m1", "m0"])
        assert (data.first, data.second, data.has_intervals) == ("m1", "m0", False)
        means = verdict.evidence.means
        assert {row.name: row.estimate for row in data.rows} == pytest.approx(
            {f"d{i}": means[i, 1] - means[i, 0] for i in range(12)}
        )
        pair = next(p for p in verdict.finding.pairs if {p.first, p.second} == {0, 1})
        assert data.overall.estimate == pytest.approx(-pair.effect.estimate)

    def test_splits_give_intervals(self) -> None:
        random = np.random.default_rng(1)
        rows = [
            {"dataset": f"d{d}", "method": m, "fold": f, "value": 0.7 + 0.05 * (m == "A") + random.normal(0, 0.02)}
            for d in range(2) for m in "AB" for f in range(10)
        ]  # fmt: skip
        frame = pd.DataFrame(rows)
        data = dataset_differences_of(read_scores(frame, measure="accuracy", resampling="10-fold").verdict())
        a, b = (frame[(frame.dataset == "d0") & (frame.method == m)].value.to_numpy() for m in "AB")
        effect = corrected_t(a, b, test_share=0.1).effect
        row = next(row for row in data.rows if row.name == "d0")
        assert (row.low, row.high) == (pytest.approx(effect.low), pytest.approx(effect.high))
        assert data.overall is None  # each data set is judged by itself

    def test_ratios(self) -> None:
        frame = pd.DataFrame({"dataset": list("abcdef"), "A": [1, 2, 3, 4, 5, 6.0], "B": [2, 4, 6, 8, 10, 3.0]})
        data = dataset_differences_of(read_scores(frame, measure="fit_time").verdict())
        assert data.ratio
        assert sorted(row.estimate for row in data.rows) == pytest.approx([0.5] * 5 + [2.0])
        assert math.isnan(data.rows[0].low)

    def test_methods_must_be_two(self, verdict) -> None:
        with pytest.raises(InputError, match="methods must be two different methods"):
            leading_pair(verdict, ["m0", "m0"])
        with pytest.raises(UnknownName, match="no method of these results is called 'm9'"):
            leading_pair(verdict, ["m0", "m9"])
        with pytest.raises(InputError, match="is about two methods, but there is only one"):
            leading_pair(scores(k=1).verdict())

    def test_the_leading_pair(self, verdict) -> None:
        assert leading_pair(verdict)[0] == verdict.finding.order[0]
        assert leading_pair(scores().verdict(control="m3")) == (verdict.finding.order[0], "m3")
