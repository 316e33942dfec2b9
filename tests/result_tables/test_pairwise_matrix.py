"""All pairs: difference, wins and p."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from made_results import FORMATS, HARD_NAMES, MEANS, by_means, hard, many, names_are_right, over_folds

from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores
from fairtrial.stats import wilcoxon


@pytest.fixture
def demsar(request):
    path = request.config.rootpath / "examples" / "demsar_2006_auc.csv"
    return read_scores(path, measure="auc")


def records(table):
    return list(csv.DictReader(io.StringIO(table.to_csv())))


class TestMatrix:
    def test_is_the_upper_triangle_from_best_to_worst(self, demsar):
        table = demsar.table("pairwise")
        assert [c.title for c in table.columns] == ["method", "", "C4.5+m", "C4.5+cf", "C4.5"]
        assert [row[0] for row in table.rows] == ["C4.5+m+cf", "", "", "C4.5+m", "", "", "C4.5+cf", "", ""]
        assert table.rows[3:6] == (
            ("C4.5+m", "difference", "", "+0.009", "+0.013"),
            ("", "wins–ties–losses", "", "10–1–3", "10–2–2"),
            ("", "p (joint flips)", "", "0.219", "0.041*"),
        )
        assert table.rule_before == (3, 6)

    @pytest.mark.slow
    def test_agrees_with_the_verdict(self, demsar):
        verdict = demsar.verdict(adjust="holm")
        found = {(r["first"], r["second"]): r for r in records(demsar.table("pairwise", adjust="holm"))}
        names = verdict.evidence.methods
        for pair in verdict.finding.pairs:
            first, second = names[pair.first], names[pair.second]
            row = found.get((first, second)) or found[second, first]
            assert float(row["p_adjusted"]) == pytest.approx(float(pair.p_adjusted))
            assert (row["mark"] == "*") == pair.different

    def test_numbers_of_a_pair_by_an_independent_way(self, demsar):
        wide = demsar.scores.pivot(index="dataset", columns="method", values="value")
        a, b = wide["C4.5+m"], wide["C4.5"]
        row = next(r for r in records(demsar.table("pairwise")) if (r["first"], r["second"]) == ("C4.5+m", "C4.5"))
        counts = int((a > b).sum()), int((a == b).sum()), int((a < b).sum())
        assert tuple(int(row[k]) for k in ("wins", "ties", "losses")) == counts == (10, 2, 2)
        assert float(row["p"]) == pytest.approx(wilcoxon(a, b, zeros="pratt").p_value)

    def test_lower_is_better(self):
        table = by_means("error_rate", scores=MEANS).table("pairwise")
        first = records(table)[0]
        assert float(first["difference"]) <= 0  # the better method has the lower error
        assert any("lower error rate is better" in note for note in table.notes)

    def test_too_few_data_sets_for_all_pairs_together(self):
        table = hard(8).table("pairwise")
        assert "p (alone)" in [row[1] for row in table.rows]
        assert not any("*" in str(cell) for row in table.rows for cell in row[2:])
        assert any("too few data sets for tests of all pairs together" in note for note in table.notes)


class TestRows:
    def test_two_methods(self):
        table = by_means().table("pairwise", methods=["tree", "bagged"])
        assert [c.key for c in table.columns][:4] == ["first", "second", "difference", "interval"]
        assert table.rows[0][:2] == ("bagged", "tree")
        assert "p (alone)" not in [c.title for c in table.columns]

    def test_against_a_control(self, demsar):
        table = demsar.table("pairwise", control="C4.5")
        assert [row[:2] for row in table.rows] == [(m, "C4.5") for m in ("C4.5+m+cf", "C4.5+m", "C4.5+cf")]

    def test_a_few_data_sets_are_judged_one_by_one(self):
        table = over_folds((0.2, 0.0, -0.2)).table("pairwise")
        assert [row[:3] for row in table.rows][::2] == [("d0", "B", "A"), ("d2", "A", "B")]
        assert [row[-1] for row in table.rows] == ["*", "", "*"]

    def test_one_data_set(self):
        table = over_folds((0.2, 0.0, -0.2), methods=("A", "B", "C")).table("pairwise", dataset="d0")
        assert table.caption.startswith("accuracy on d0, mean over 10-fold")
        assert [row[1] for row in table.rows[:2]] == ["difference", "p (Bonferroni)"]

    @pytest.mark.slow
    def test_many_methods(self):
        table = many(methods=16, datasets=12).table("pairwise")
        assert len(table.rows) == 120
        assert all(table.render(how) for how in FORMATS)


def test_p_below_a_thousandth_is_written_so():
    table = by_means(
        scores=pd.DataFrame({"dataset": range(30), "x": [0.9 - i / 1000 for i in range(30)], "y": [0.5] * 30})
    )
    assert "<0.001" in str(table.table("pairwise"))


@pytest.mark.slow
def test_hard_names_in_every_format():
    assert names_are_right(hard().table("pairwise"), HARD_NAMES)


def test_all_scores_equal():
    scores = pd.DataFrame({"dataset": list("abcdefg"), **{m: [0.5] * 7 for m in "xyz"}})
    table = by_means(scores=scores).table("pairwise")
    assert table.rows[0][2:] == ("0.000", "0.000")
    assert table.rows[1][2:] == ("0–7–0", "0–7–0")


class TestErrors:
    def test_no_test_is_possible(self):
        with pytest.raises(InputError, match="a table of tests needs tests, but there are none: Whether the methods"):
            by_means(scores=MEANS[:1]).table("pairwise")

    def test_unknown_data_set(self):
        with pytest.raises(UnknownName, match="no data set of these results is called 'z'"):
            by_means().table("pairwise", dataset="z")

    def test_unknown_method(self):
        with pytest.raises(UnknownName, match="no method of these results is called 'boost'; did you mean 'boosted'"):
            by_means().table("pairwise", methods=["tree", "boost"])
