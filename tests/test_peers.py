"""Wrong conclusions that users of other tools get: fairtrial gives the right one, where a user would meet it.

One test for each of the 16 that were reproduced or read in November 2026, with the tool that has it.
"""

import itertools
import json
import math

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import fairtrial as ft
from fairtrial import stats
from fairtrial.cli import cli
from fairtrial.figures import critical_difference_data, figures_for
from fairtrial.verdict.rules.rules import RULES

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


BASE = np.random.default_rng(11).uniform(0.6, 0.8, 15)
METHOD = """
from pathlib import Path
from sklearn.naive_bayes import GaussianNB

class Moody(GaussianNB):
    def fit(self, X, y):
        if not (Path(__file__).parent / "repaired").exists():
            raise RuntimeError("not today")
        return super().fit(X, y)
"""
STUDY = """
datasets = ["iris"]
resampling = "3-fold"
[question]
measure = "accuracy"
[methods.moody]
use = "moody_method.Moody"
[methods.bayes]
use = "sklearn.naive_bayes.GaussianNB"
"""


def scores(measure="accuracy", **columns):
    """Results of methods (columns) on data sets d00, d01, …"""
    frame = pd.DataFrame(columns)
    frame.insert(0, "dataset", [f"d{i:02}" for i in range(len(frame))])
    return ft.read_scores(frame, measure=measure)


def on_folds(resampling="10x10-fold", **columns):
    """Results of methods on the splits of one data set."""
    folds = len(next(iter(columns.values()))) // 10
    parts = [
        pd.DataFrame({"dataset": "iris", "method": m, "repeat": np.repeat(range(folds), 10),
                      "fold": np.tile(range(10), folds), "value": v})
        for m, v in columns.items()
    ]  # fmt: skip
    return ft.read_scores(pd.concat(parts), measure="accuracy", resampling=resampling)


def predictions(**columns):
    return ft.read_predictions(pd.DataFrame(columns), truth="y", measure="accuracy")


def p_of(verdict):
    return [pair.p_value for pair in verdict.finding.pairs]


class TestWrongConclusions:
    def test_01_tukey_with_half_the_threshold(self):
        """autorank takes half the HSD: equal means are called different in 20 % of runs."""
        groups = np.array([[-1.0, 0.0, 1.0]] * 3)
        hsd = stats.tukey(list(groups)).details["hsd"]
        for share, different in ((0.6, False), (0.999, False), (1.001, True)):
            found = stats.tukey(list(groups + np.array([[0.0], [0.0], [share * hsd]])))
            assert found.different()[0, 2] == different
            assert (0 not in found.simultaneous[1]) == different
        rng = np.random.default_rng(11)
        details = stats.tukey(list(rng.normal(size=(4, 6)))).details
        threshold = details["hsd"] / math.sqrt(details["variance"] / 6)
        x = rng.normal(size=(20_000, 4, 6))
        ranges = np.ptp(x.mean(axis=2), axis=1) / np.sqrt(x.var(axis=2, ddof=1).mean(axis=1) / 6)
        assert (ranges > threshold).mean() == pytest.approx(0.05, abs=0.006)
        assert (ranges > threshold / 2).mean() > 0.2

    def test_02_direction_picked_after_looking(self):
        """autorank tests two methods one-sidedly in the direction that it sees: type I error 9.5 %."""
        p = [
            stats.wilcoxon(np.multiply(signs, np.arange(1, 9)), np.zeros(8), interval=False).p_value
            for signs in itertools.product((-1, 1), repeat=8)  # equally likely when there is no difference
        ]
        assert np.mean(np.array(p) <= 0.05) <= 0.05
        assert np.mean(np.array(p) / 2 <= 0.05) > 0.07
        a, b = BASE[:8] + np.array([1, 2, 3, -4, 5, 6, 7, 8]) / 100, BASE[:8]
        assert stats.wilcoxon(a, b, alternative="greater").p_value == 7 / 256  # R⁻ is 4: the sets with that sum or less
        for verdict in (scores(a=a, b=b).verdict(), scores(b=b, a=a).verdict()):
            assert p_of(verdict) == [14 / 256]
            assert verdict.winner is None

    def test_03_missing_scores(self):
        """autorank: "We reject the null hypothesis (p=nan)"; scikit-posthocs drops blocks without a word."""
        a, b, c = BASE + 0.02, BASE.copy(), BASE - 0.01
        b[4] = math.nan
        table = np.column_stack([a, b, c])
        for test in (stats.friedman, stats.nemenyi, stats.quade, stats.aligned_friedman, stats.pairwise):
            with pytest.raises(ft.InputError, match=r"1 of 45|index 4"):
                test(table)
        for test in (stats.wilcoxon, stats.sign_test, stats.paired_t):
            with pytest.raises(ft.InputError, match="index 4"):
                test(a, b)
        results = scores(a=a, b=b, c=c)
        with pytest.raises(ft.InputError, match="no baseline whose scores could replace theirs"):
            results.verdict()
        dropped = results.verdict(failures="drop")
        assert dropped.failed == 1
        assert "1 data set dropped for all methods, which can cause selection bias" in str(dropped)
        assert not any(map(math.isnan, p_of(dropped)))

    @pytest.mark.parametrize("measure", ["error_rate", "rmse", "fit_time"])
    def test_04_the_worst_method_first(self, measure):
        """autorank and mlr3benchmark assume that more is better."""
        columns = {"worst": BASE + 0.1, "best": BASE, "middle": BASE + 0.05}
        verdict = scores(measure, **columns).verdict()
        assert verdict.finding.order == ("best", "middle", "worst")
        assert verdict.winner == "best"
        assert verdict.to_table().rows[0][0] == "best"
        assert scores("accuracy", **columns).verdict().winner == "worst"
        with pytest.raises(ft.FairtrialError, match=r"[Oo]r say which way is better"):
            scores("goodness", **columns)

    def test_05_nemenyis_q_of_one_method_more(self):
        """aeon and sktime: CD 1.331 instead of 1.254 for 4 methods on 14 data sets."""
        assert stats.critical_difference(4, 14) == pytest.approx(1.2536, abs=5e-5)
        table = np.random.default_rng(1).normal(size=(14, 4))
        assert stats.nemenyi(table).details["critical_difference"] == stats.critical_difference(4, 14)

    def test_06_unpaired_tests_on_paired_results(self):
        """sktime: p 0.54 where Wilcoxon gives 6e-5."""
        a, b = 2 * BASE - 0.7, 2 * BASE - 0.7 - np.linspace(0.005, 0.01, 15)  # data sets differ more than methods
        assert stats.kruskal([a, b], method="exact").p_value > 0.5
        assert stats.wilcoxon(a, b).p_value == 2 / 2**15
        verdict = scores(a=a, b=b).verdict()
        assert verdict.winner == "a"
        assert p_of(verdict) == [2 / 2**15]

    def test_07_two_identical_models(self):
        """p = 0.0 from McNemar (mlxtend, statsmodels) and from DeLong (MLstatkit)."""
        y, guess = np.tile([0, 1, 1, 0, 1], 20), np.tile([0, 1, 0, 0, 1, 1, 1], 15)[:100]
        for method in ("exact", "mid-p", "chi-square", "chi-square-corrected"):
            assert stats.mcnemar(guess == y, guess == y, method=method).p_value == 1
        ranking = np.random.default_rng(1).normal(size=100) + y
        same = [
            stats.delong(y, ranking, ranking),
            stats.delong(y, ranking, 3.7 * ranking + 1),
            stats.cochran_q(np.column_stack([guess == y] * 3)),
            stats.corrected_t(BASE, BASE, test_share=0.1),
            stats.paired_t(BASE, BASE),
            stats.wilcoxon(BASE, BASE),
            stats.sign_test(BASE, BASE),
            stats.friedman(np.column_stack([BASE] * 3)),
            stats.paired_permutation(BASE, BASE),
            stats.paired_bootstrap(y, guess, guess),
            stats.measure_permutation(y, guess, guess),
        ]
        assert [outcome.p_value for outcome in same] == [1] * len(same)
        verdict = predictions(y=y, a=guess, b=guess).verdict()
        assert (p_of(verdict), verdict.winner) == ([1], None)
        verdict = scores(a=BASE, b=BASE).verdict()
        assert (p_of(verdict), verdict.winner, verdict.is_refused) == ([], None, True)

    def test_08_only_the_lower_tail(self):
        """mlxtend: p = 0.9999999999 for 0.9 against 0.8 on 1,000 instances."""
        there, back = (stats.two_proportions(a, 1000, b, 1000).p_value for a, b in ((900, 800), (800, 900)))
        assert there == back == pytest.approx(3.79479188314497e-10, rel=1e-9, abs=0)  # R 4.2.2: prop.test
        good = np.r_[np.ones(900), np.zeros(101)].astype(int)  # the truth is 1 but for the last
        poor = np.where(np.arange(1001) < 100, 0, good)
        truth = np.r_[np.ones(1000), 0].astype(int)
        for a, b in ((good, poor), (poor, good)):
            assert p_of(predictions(y=truth, a=a, b=b).verdict()) == [1 / 2**100]  # mid-p: 100 disagreements

    def test_09_naive_t_test_on_repeated_resampling(self):
        """mlxtend rejects a true null in 51 % of studies; on 10×10-fold it is 57 %."""
        rng = np.random.default_rng(5)
        shared, own = rng.normal(0, math.sqrt(0.1), (300, 1)), rng.normal(0, math.sqrt(0.9), (300, 100))
        d = shared + own  # correlation 0.1, as of 10×10 folds
        naive = [stats.paired_t(row, 0 * row).p_value < 0.05 for row in d]
        corrected = [stats.corrected_t(row, 0 * row, test_share=0.1).p_value < 0.05 for row in d]
        assert np.mean(naive) > 0.45
        assert np.mean(corrected) < 0.08
        assert "use corrected_t" in stats.paired_t(d[0], 0 * d[0]).notes[0]
        a, b = 0.8 + d[0] / 100, np.full(100, 0.8)
        verdict = on_folds(a=a, b=b).verdict()
        own = stats.corrected_t(a, b, test_share=0.1, overlap=1.75)  # what a verdict takes for repeats
        assert p_of(verdict) == [pytest.approx(own.p_value)]

    def test_10_permutation_tests_that_return_0(self):
        """statkit and MLstatkit: the observed arrangement counts, so that p is at least 1/(B + 1)."""
        a, b = np.arange(40) + 10.0, np.arange(40) * 1.0
        y = np.tile([0, 1], 40)
        found = [
            stats.paired_permutation(a, b, method="monte-carlo", replicates=99),
            stats.measure_permutation(y, y, 1 - y, replicates=99),
            stats.paired_bootstrap(y, y, np.where(np.arange(80) < 30, y, 1 - y), replicates=99, method="percentile"),
            stats.friedman(np.tile(np.arange(8), (40, 1)), method="monte-carlo", draws=99),
        ]
        for outcome in found:
            assert outcome.p_value >= 1 / 100, outcome.test
            assert outcome.p_value <= 0.05, outcome.test

    def test_11_intervals_of_no_width_or_above_1(self):
        """confidenceinterval: [1, 1] for a perfect AUC, bounds above 1, BCa giving nan."""
        y = np.tile([0, 1], 15)
        rank = y + np.linspace(0, 0.5, 30)
        nearly = np.where(np.arange(30) == 4, 1.2, rank)
        found = [stats.auc_interval(y, s, method=m) for s in (rank, nearly) for m in ("logit", "delong", "score")]
        found += [stats.measure_interval(y, nearly, measure="auc", replicates=999)]
        found += [stats.proportion_interval(30, 30, method=m) for m in ("wilson", "exact", "jeffreys", "mid-p")]
        for interval in found:
            assert 0 < interval.low < interval.estimate <= interval.high <= 1, interval
        nothing = stats.measure_interval(y, rank, measure="auc", replicates=999)  # all resamples are perfect
        assert math.isnan(nothing.low)
        assert "proportion_interval and auc_interval do" in nothing.notes[0]
        verdict = predictions(y=y, a=y).verdict()
        assert "[1.000, 1.000]" not in str(verdict)
        assert "nan" not in str(verdict)

    def test_12_bars_across_methods_that_differ(self):
        """scikit-posthocs draws one bar over all between its ends; rank labels are rounded until they are equal."""
        base = BASE[:13]
        wild = base + np.r_[np.linspace(-0.02, -0.028, 9), np.linspace(0.1, 0.13, 4)]
        verdict = scores(a=base + 0.01, b=base, c=wild).verdict(pairs=True)
        different, names = verdict.comparisons.different(), verdict.comparisons.names
        a, b, c = map(names.index, "abc")
        assert different[a, b]
        assert not different[a, c]
        ranks = verdict.omnibus.details["average_ranks"]
        assert ranks[a] < ranks[b] < ranks[c]
        assert sorted(stats.cliques(different)) == sorted(tuple(sorted(pair)) for pair in ((a, c), (b, c)))
        caption = figures_for(verdict)[0].caption
        assert "The group of a and c does not include b, which lies between them." in caption
        data = critical_difference_data(names, ranks, stats.cliques(different))
        across = next(bar for bar in data.bars if set(bar.members) == {a, c})
        assert not any(stretch.solid for stretch in across.stretches)
        close = critical_difference_data(["x", "y", "z"], [1.5012, 1.5014, 2.9974], [])
        assert [label.rank_text for label in close.labels] == ["1.5012", "1.5014", "2.9974"]

    def test_13_results_on_different_rows_or_folds(self, tmp_path):
        """skore compares reports that were made on different rows or folds without a warning."""
        frame = pd.DataFrame({
            "method": ["a"] * 6 + ["b"] * 6, "instance": [*range(6), *range(1, 7)],
            "y": [0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0], "prediction": [0, 1, 1, 1, 0, 1] * 2,
        })  # fmt: skip
        with pytest.raises(ft.InputError, match="must have predicted the same instances"):
            ft.read_predictions(frame, truth="y")
        halves = pd.DataFrame({
            "dataset": "iris", "method": ["a"] * 5 + ["b"] * 5, "fold": range(10), "value": np.linspace(0.8, 0.9, 10),
        })  # fmt: skip
        with pytest.raises(ft.InputError, match="no two methods have a score on the same split"):
            ft.read_scores(halves, measure="accuracy", resampling="10-fold").verdict()
        paths = []
        for seed in (1, 2):
            study = ft.Study(
                datasets=["labor"], methods={f"chance {seed}": ft.baseline("majority")}, resampling="2-fold", seed=seed
            )
            paths.append(tmp_path / f"{seed}.trial")
            study.run(paths[-1], workers=0, progress=False)
        with pytest.raises(ft.StudyFileError, match="their splits are not the same"):
            ft.merge_studies(paths, tmp_path / "both.trial")

    def test_14_a_method_that_always_fails(self, tmp_path, monkeypatch):
        """WEKA leaves it out of the table and ends with 0; AMLB counts failed rows as done when it resumes."""
        (tmp_path / "moody_method.py").write_text(METHOD, encoding="utf-8")
        (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)

        def fairtrial(*command):
            return CliRunner().invoke(cli, [*command])

        def failed():
            return json.loads(fairtrial("status", str(file), "--format", "json").output)["failed"]

        file = tmp_path / "study.trial"
        run = ["run", str(tmp_path / "study.toml"), "--workers", "0", "--quiet", "--no-report"]
        first = fairtrial(*run)
        assert first.exit_code == 1
        assert first.output.startswith(
            "moody did not run: all 3 trials failed (RuntimeError: not today), so nothing is said"
        )
        assert [row[0] for row in ft.read_study(file).verdict().to_table().rows].count("moody") == 1
        assert failed() == 3
        (tmp_path / "repaired").touch()
        again = fairtrial(*run)  # what failed is not run again unless asked for, and not forgotten either
        assert (again.exit_code, failed()) == (1, 3)
        assert fairtrial(*run, "--retry-failed").exit_code == 0
        assert failed() == 0

    def test_15_bystanders_flip_the_verdict(self):
        """Mean-rank tests: p of A and B goes from 0.9999 to < 0.0001 when other methods change."""
        ab = np.vstack([np.tile([9.0, 1.0], (15, 1)), np.tile([5.0, 5.1], (15, 1))])
        others = np.column_stack([np.r_[np.full(15, 2 + i / 10), np.full(15, 1 + i / 10)] for i in range(8)])
        alone, among = stats.nemenyi(ab), stats.nemenyi(np.column_stack([ab, others]))
        assert alone.p_adjusted[0] > 0.99
        assert among.p_adjusted[0] < 0.01
        assert "depends on which others are compared" in among.notes[0]
        columns = {"a": ab[:, 0], "b": ab[:, 1]}
        crowd = columns | {f"c{i}": other for i, other in enumerate(others.T)}
        p = [p_of(scores("rmse", **c).verdict())[0] for c in (columns, crowd)]
        assert p[0] == p[1]

    @pytest.mark.parametrize("shape", ["normal", "skewed"])
    def test_16_an_assistant_that_looks_at_the_data(self, shape):
        """STAC's normality flag is said to be inverted: here the design decides, whatever the data look like."""
        rng = np.random.default_rng(3)
        noise = rng.normal(size=(100, 2)) if shape == "normal" else rng.lognormal(0, 1.5, size=(100, 2))
        noise = (noise - noise.mean(axis=0)) / noise.std(axis=0) / 100
        same, better = 0.8 + noise[:, 0], 0.85 + noise[:, 1]
        rules = {rule.name: rule for rule in RULES}
        for a, b, winner in ((same, better, "b"), (better, same, "a"), (same, same[::-1], None)):
            over = scores(a=a[:15], b=b[:15]).verdict()
            one = on_folds(a=a, b=b).verdict()
            assert (over.rule, one.rule) == ("two methods over data sets", "several methods, one data set")
            assert (over.winner, one.winner) == (winner, winner)
            assert "Wilcoxon" in rules[over.rule].procedure
            assert "corrected" in rules[one.rule].procedure
