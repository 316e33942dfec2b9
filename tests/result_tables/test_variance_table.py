"""The analysis of variance of results."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from made_results import by_means, many, over_folds
from scipy import stats as scipy_stats

from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores
from fairtrial.stats import corrected_t

DRUGS = [[30, 28, 16, 34], [14, 18, 10, 22], [24, 20, 18, 30], [38, 34, 20, 44], [26, 28, 14, 30], [26, 28, 14, 30]]


def row(table, source):
    found = next(row for row in table.rows if row[0] == source)
    return dict(zip([c.key for c in table.columns], found, strict=True))


class TestOverDataSets:
    @pytest.fixture
    def results(self):
        scores = pd.DataFrame(np.array(DRUGS) / 100, columns=list("wxyz"))
        return by_means(scores=scores.assign(dataset=list("abcdef")))

    def test_by_hand(self, results):
        # means of columns 0.26333, 0.26, 0.15333, 0.31667 and of all 0.24833
        x = np.array(DRUGS) / 100
        methods = 6 * ((x.mean(axis=0) - x.mean()) ** 2).sum()
        rows = 4 * ((x.mean(axis=1) - x.mean()) ** 2).sum()
        total = ((x - x.mean()) ** 2).sum()
        table = results.table("anova")
        assert [r[0] for r in table.rows] == ["methods", "data sets", "residual", "total"]
        assert [r[1] for r in table.rows] == pytest.approx([methods, rows, total - methods - rows, total])
        assert [r[2] for r in table.rows] == [3, 5, 15, 23]
        f = (methods / 3) / ((total - methods - rows) / 15)
        assert row(table, "methods")["F"] == pytest.approx(f)
        assert row(table, "methods")["effect_size"] == pytest.approx(methods / (total - rows))

    def test_two_methods_are_a_paired_t(self, results):
        table = results.table("anova", methods=["w", "z"])
        x = np.array(DRUGS)
        t = scipy_stats.ttest_rel(x[:, 0], x[:, 3])  # scipy
        assert row(table, "methods")["F"] == pytest.approx(t.statistic**2)
        assert row(table, "methods")["p"] == pytest.approx(t.pvalue)

    def test_all_equal(self):
        scores = pd.DataFrame({"dataset": list("abcdefg"), **{m: [0.5] * 7 for m in "xyz"}})
        table = by_means(scores=scores).table("anova")
        assert row(table, "methods")["p"] == 1
        assert "all scores are equal" in table.notes

    @pytest.mark.slow
    def test_many(self):
        assert row(many().table("anova"), "total")["df"] == 7199


class TestOverFolds:
    def test_two_methods_are_the_corrected_t(self):
        results = over_folds((0.01,))
        fold = results.scores.pivot(index="fold", columns="method", values="value")
        t = corrected_t(fold["B"].to_numpy(), fold["A"].to_numpy(), test_share=0.1)
        found = row(results.table("anova"), "methods")
        assert found["F"] == pytest.approx(t.statistic**2)
        assert found["p"] == pytest.approx(t.p_value)

    def test_one_way_by_scipy(self):
        results = over_folds((0.01,), methods=("A", "B", "C"))
        groups = [own["value"].to_numpy() for _, own in results.scores.groupby("method")]
        plain = scipy_stats.f_oneway(*groups)
        table = results.table("anova", test="anova")
        assert [r[0] for r in table.rows] == ["between methods", "within methods", "total"]
        between, within = row(table, "between methods"), row(table, "within methods")
        assert between["mean square"] / within["mean square"] == pytest.approx(plain.statistic)
        assert between["F"] == pytest.approx(plain.statistic / (1 + 10 / 9))  # corrected: 1 + K q, q = 0.1 / 0.9

    def test_one_of_several_data_sets(self):
        table = over_folds((0.01, 0.2)).table("anova", dataset="d1")
        assert "accuracy on d1" in table.caption
        assert row(table, "methods")["p"] < 0.001
        assert "<0.001" in str(table)


def test_of_factors():
    random = np.random.default_rng(4)
    levels = [(d, "m", depth, noise) for d in "abcdefgh" for depth in (2, 8) for noise in (0.0, 0.2)]
    rows = [(*at, 0.7 + 0.02 * at[2] / 8 - 0.3 * at[3] + 0.01 * random.normal()) for at in levels]
    long = pd.DataFrame(rows, columns=["dataset", "method", "train_size", "label_noise", "value"])
    long["train_size"] *= 0.1
    table = read_scores(long, measure="accuracy").table("anova")
    noise, error = row(table, "label_noise"), row(table, "label_noise × data sets")
    assert noise["F"] == pytest.approx(noise["mean square"] / error["mean square"])
    assert noise["effect_size"] == pytest.approx(
        noise["sum of squares"] / (noise["sum of squares"] + error["sum of squares"])
    )
    assert noise["p"] < 0.001
    own = [r[1] for r in table.rows]
    assert sum(own[:-1]) == pytest.approx(own[-1])


class TestErrors:
    def test_a_few_data_sets(self):
        with pytest.raises(InputError, match=r"over data sets needs 6 of them, got 2; name one of 'd0' and 'd1'"):
            over_folds((0.1, 0.1)).table("anova")

    def test_one_score(self):
        with pytest.raises(InputError, match=r"several scores from splits of a known scheme, but a has 1 score"):
            by_means(scores=pd.DataFrame({"dataset": ["a"], "x": [0.5], "y": [0.6]})).table("anova")

    def test_one_way_over_data_sets(self):
        with pytest.raises(InputError, match=r"test='anova' is for the folds of one data set"):
            by_means().table("anova", test="anova")

    def test_unknown_test(self):
        with pytest.raises(UnknownName, match=r"no analysis of variance is called 'two_way'"):
            by_means().table("anova", test="two_way")


def test_f_follows_from_the_rows():
    table = over_folds((0.1, 0.1)).table("anova", dataset="d0")
    (methods, *_), (between, _, within, _) = [r[4] for r in table.rows], [r[3] for r in table.rows]
    (note,) = (n for n in table.notes if n.startswith("F is the ratio"))
    by = float(note.removeprefix("F is the ratio of the mean squares divided by ").partition(",")[0])
    assert methods == pytest.approx(between / within / by, rel=1e-3)
