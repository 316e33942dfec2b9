"""From scores to the answer: known tables, constructed data whose truth is known, and the words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fairtrial import stats
from fairtrial.errors import InputError
from fairtrial.results import read_predictions, read_scores
from fairtrial.tables.render import escape_markdown

GOLDEN = Path(__file__).parents[1] / "golden"  # demsar_2006_table6.csv: Demšar 2006, JMLR 7:1-30, Table 6


def table(columns, n=None):
    """Scores of methods (columns) on data sets d0, d1, …"""
    frame = pd.DataFrame(columns)
    frame.insert(0, "dataset", [f"d{i}" for i in range(len(frame))])
    return frame


def folds(columns, dataset="iris"):
    """Long scores of methods on the ten folds of one data set."""
    parts = [
        pd.DataFrame({"dataset": dataset, "method": m, "fold": np.arange(len(v)), "value": v})
        for m, v in columns.items()
    ]
    return pd.concat(parts)


def texts(verdict):
    return " | ".join(c.text for c in verdict.checks)


rng = np.random.default_rng(11)
BASE = rng.uniform(0.6, 0.8, 12)
NOISE = rng.normal(0, 0.004, (12, 4))
CLEAR = {"low": BASE, "high": BASE + 0.1 + NOISE[:, 0], "middle": BASE + 0.05 + NOISE[:, 1]}


class TestOverDatasets:
    def test_garcia_herrera(self, shared_table):
        verdict = read_scores(shared_table("garcia_herrera_2008.csv"), measure="accuracy").verdict()
        assert verdict.omnibus.statistic == pytest.approx(39.913, abs=5e-4)
        assert verdict.omnibus.details["without_tie_correction"] == pytest.approx(39.647, abs=5e-4)
        assert "39.913" in texts(verdict)
        assert "39.647" in texts(verdict)
        assert verdict.winner is None
        assert verdict.finding.order[0] == "C4.5"
        assert "it can't be told from NaiveBayes and is better than CN2, k-NN(k=1) and Kernel" in str(verdict)

    def test_demsar(self):
        verdict = read_scores(GOLDEN / "demsar_2006_table6.csv", measure="auc").verdict()
        # Demšar 2006, section 3.2.2, prints average ranks 3.143, 2.000, 2.893, 1.964; recomputed here on the three
        # digits of Table 6, with ties sharing ranks
        ranks = dict(zip(verdict.evidence.methods, verdict.omnibus.details["average_ranks"], strict=True))
        assert ranks["C4.5"] == pytest.approx(3.143, abs=5e-4)
        assert ranks["C4.5+m"] == pytest.approx(2.000, abs=5e-4)
        assert stats.critical_difference(4, 14) == pytest.approx(1.25, abs=5e-3)

    def test_a_clear_effect_is_found(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict()
        assert verdict.winner == "high"
        assert verdict.sentence == "high has the highest accuracy of these 3 methods on data sets such as these 12."
        assert verdict.finding.order == ("high", "middle", "low")
        assert re.fullmatch(r"It beats middle by 0\.05\d \[0\.04\d, 0\.05\d\]\.", verdict.finding.sentences[1])
        assert verdict.stable == ("the same winner whichever data set is left out",)

    @pytest.mark.parametrize("measure", ["error_rate", "mae", "fit_time"])
    def test_lowest_first_where_lower_is_better(self, measure):
        verdict = read_scores(table(CLEAR), measure=measure).verdict()
        assert verdict.winner == "low"
        assert verdict.finding.order == ("low", "middle", "high")
        assert "the lowest" in verdict.sentence

    def test_the_pairwise_tests_equal_those_of_stats(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict()
        alone = stats.wilcoxon(CLEAR["low"], CLEAR["high"])
        assert verdict.comparisons.outcomes[0].p_value == alone.p_value
        assert verdict.finding.pairs[0].effect.estimate == pytest.approx(alone.effect.estimate)

    def test_bystanders_do_not_change_a_pair(self):
        two = {k: CLEAR[k] for k in ("low", "middle")}
        few = read_scores(table(two), measure="accuracy").verdict()
        noise = {f"other{i}": rng.uniform(0.3, 1, 12) for i in range(5)}
        many = read_scores(table(two | noise), measure="accuracy").verdict()
        assert few.comparisons.outcomes[0].p_value == many.comparisons.outcomes[0].p_value

    def test_identical_methods(self):
        verdict = read_scores(table({"a": BASE, "b": BASE}), measure="accuracy").verdict()
        assert verdict.winner is None
        assert verdict.comparisons.p_adjusted == (1.0,)
        assert verdict.finding.sentences[1] == "Their scores are equal."

    def test_two_methods_either_way_round(self):
        for names in (("high", "low"), ("low", "high")):
            verdict = read_scores(table({n: CLEAR[n] for n in names}), measure="accuracy").verdict()
            assert verdict.sentence == "Of high and low, high has the higher accuracy on data sets such as these 12."
            assert verdict.finding.sentences[1].startswith("It beats low by 0.")

    def test_who_is_ahead_is_read_from_the_effect(self):
        # b wins more often, a by more: mean ranks favour b, the typical difference a
        d = np.array([-1, -1, -1, -1, 5, 5, 5]) / 100
        verdict = read_scores(table({"a": BASE[:7] + d, "b": BASE[:7]}), measure="accuracy").verdict()
        assert verdict.winner is None
        assert verdict.finding.sentences[1].startswith("a is ahead by 0.0")

    def test_nothing_could_be_told(self):
        columns = {f"m{i}": BASE[:6] + i / 50 for i in range(4)}
        verdict = read_scores(table(columns), measure="accuracy").verdict()
        assert verdict.winner is None
        assert "with 6 data sets and 6 pairs no difference, however clear, could be told" in texts(verdict)

    def test_a_mark_is_never_set_without_a_p_value(self):
        verdict = read_scores(
            folds({"a": np.full(10, 0.9), "b": np.full(10, 0.8)}), measure="accuracy", resampling="10-fold"
        )
        verdict = verdict.verdict()
        assert np.isnan(verdict.comparisons.p_adjusted[0])
        assert verdict.winner is None
        assert not any(row[-1] == "*" for row in verdict.to_table().rows)
        assert "no spread to test it against" in texts(verdict)
        assert "a is ahead by 0.100, which can't be tested." in str(verdict)

    def test_null_tables(self):
        """Three methods that don't differ, on ten data sets: a difference in fewer than one of ten tables."""
        random = np.random.default_rng(2)
        wrong = 0
        for _ in range(200):
            scores = random.uniform(0.5, 0.9, (10, 1)) + random.normal(0, 0.02, (10, 3))
            found = stats.pairwise(scores)
            wrong += min(found.p_adjusted) < 0.05
        assert wrong / 200 < 0.1

    def test_null_verdicts(self):
        random = np.random.default_rng(3)
        found = []
        for _ in range(15):
            scores = random.uniform(0.5, 0.8, (10, 1)) + random.normal(0, 0.02, (10, 3))
            found.append(
                read_scores(table(dict(zip("abc", scores.T, strict=True))), measure="accuracy").verdict().winner
            )
        assert sum(w is not None for w in found) <= 2

    def test_unknown_dependence_is_only_averaged(self):
        long = pd.concat(
            folds({m: v[i] + np.linspace(-0.05, 0.05, 10) for m, v in CLEAR.items()}, f"d{i}") for i in range(8)
        )
        verdict = read_scores(long, measure="accuracy").verdict()
        assert "over 8 data sets" in verdict.finding.test
        assert "nobody said how" in texts(verdict)


class TestControl:
    def test_words(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict(control="middle")
        text = "In accuracy on data sets such as these 12, high does better than middle; low does worse."
        assert verdict.sentence == text
        assert len(verdict.comparisons.pairs) == 2
        assert verdict.finding.sentences[1].startswith("high beats middle by 0.05")
        assert "place" not in [c.title for c in verdict.to_table().columns]

    def test_open(self):
        columns = {"control": BASE, "same": BASE + rng.permutation(np.linspace(-0.02, 0.02, 12)), "low": BASE - 0.1}
        verdict = read_scores(table(columns), measure="rmse").verdict(control="control")
        assert verdict.sentence == (
            "In rmse (lower is better) on data sets such as these 12, low does better than control; "
            "same can't be told from it."
        )
        assert verdict.finding.sentences[1].startswith("low's rmse is 0.8")

    def test_the_control_beats_all(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict(control="high")
        assert verdict.winner == "high"
        assert "middle and low do worse than high." in verdict.sentence


class TestSmallestDifference:
    """The one decision rule, on constructed differences."""

    def decision(self, d, **more):
        d = np.asarray(d)
        frame = table({"a": np.full(len(d), 0.7) + d, "b": np.full(len(d), 0.7)})
        return read_scores(frame, measure="accuracy").verdict(smallest_difference=0.02, **more)

    def test_better_by_more_than_matters(self):
        verdict = self.decision(np.linspace(0.04, 0.06, 10))
        assert verdict.finding.pairs[0].decision == "better by more than matters"
        assert "larger than the 0.02 that you said matters" in str(verdict)

    def test_better_size_open(self):
        verdict = self.decision(np.linspace(0.005, 0.05, 10))
        assert verdict.finding.pairs[0].decision == "better, size open"
        assert "though it may be smaller than the 0.02" in str(verdict)

    def test_better_but_negligible(self):
        verdict = self.decision(np.linspace(0.004, 0.006, 10))
        assert verdict.finding.pairs[0].decision == "better but negligible"
        assert "but smaller than the 0.02" in str(verdict)
        assert verdict.winner == "a"

    def test_equivalent(self):
        verdict = self.decision([0.001, -0.002, 0.003, -0.004, 0.005, -0.006, 0.007, -0.0075, 0.0055, -0.0035])
        assert verdict.finding.pairs[0].decision == "equivalent"
        assert verdict.winner is None
        assert verdict.sentence == "a and b are equivalent in accuracy on data sets such as these 10."
        assert "smaller than the 0.02" in verdict.finding.sentences[1]

    def test_undecided(self):
        verdict = self.decision([0.1, -0.2, 0.15, -0.04, 0.05, -0.06, 0.07, -0.1, 0.1, -0.03])
        assert verdict.finding.pairs[0].decision == "undecided"
        assert verdict.sentence.startswith("No difference in accuracy between")
        assert "but the interval is −" in verdict.finding.sentences[1]
        assert verdict.finding.next_steps

    def test_a_level_without_a_wider_one(self):
        assert self.decision([0.1, -0.2, 0.15, -0.04, 0.05, -0.06], level=0.4).finding.pairs

    def test_on_one_data_set(self):
        a = 0.8 + np.array([1, -1, 2, -2, 1, -1, 2, -2, 1, -1]) / 1000
        frame = folds({"a": a, "b": np.full(10, 0.8)})
        verdict = read_scores(frame, measure="accuracy", resampling="10-fold").verdict(smallest_difference=0.01)
        assert verdict.finding.pairs[0].decision == "equivalent"

    def test_a_ratio_on_one_data_set_is_a_share_of_the_mean(self):
        a = 200 + np.array([1, -1, 2, -2, 1, -1, 2, -2, 1, -1])
        results = read_scores(folds({"a": a, "b": np.full(10, 200.0)}), measure="rmse", resampling="10-fold")
        assert results.verdict(smallest_difference=0.1).finding.pairs[0].decision == "equivalent"  # 10 % of 200
        assert "10 %" in str(results.verdict(smallest_difference=0.1))
        assert results.verdict(smallest_difference=0.001).finding.pairs[0].decision == "undecided"

    def test_fixed_models(self):
        y = np.arange(400) % 2
        a, b = y.copy(), y.copy()
        a[:3] = 1 - a[:3]
        b[3:6] = 1 - b[3:6]
        results = read_predictions(pd.DataFrame({"y": y, "a": a, "b": b}))
        assert results.verdict(smallest_difference=0.05).finding.pairs[0].decision == "equivalent"


class TestRatios:
    SCALES = np.array([1e-3, 1e-2, 0.1, 1, 10, 100, 1e3, 1e4])

    def results(self, factor, **more):
        wobble = np.array([0.98, 1.02, 0.99, 1.01, 0.97, 1.03, 1.0, 1.005])
        return read_scores(table({"a": self.SCALES * factor * wobble, "b": self.SCALES}), **more)

    def test_effect_is_a_ratio(self):
        verdict = self.results(0.5, measure="rmse").verdict()
        assert verdict.winner == "a"
        assert re.fullmatch(r"Its rmse is 0\.5\d* \[0\.4\d+, 0\.5\d+\] times that of b\.", verdict.finding.sentences[1])
        row = next(r for r in verdict.to_table().rows if r[0] == "b")
        effect = row[[c.key for c in verdict.to_table().columns].index("effect")]
        assert effect == pytest.approx(2, rel=0.03)  # against the winner, in the measure's own direction

    def test_geometric_means(self):
        verdict = self.results(2, measure="fit_time").verdict()
        keys = [c.key for c in verdict.to_table().columns]
        rows = {r[0]: r for r in verdict.to_table().rows}
        assert rows["b"][keys.index("mean")] == pytest.approx(np.exp(np.log(self.SCALES).mean()))
        assert verdict.to_table().columns[1].title == "geometric mean"
        assert verdict.winner == "b"

    def test_smallest_difference_is_a_share(self):
        verdict = self.results(0.5, measure="rmse").verdict(smallest_difference=0.1)
        assert "larger than the 10 % that you said matters" in str(verdict)
        near = self.results(1.0, measure="rmse").verdict(smallest_difference=0.1)
        assert near.finding.pairs[0].decision == "equivalent"
        assert "smaller than the 10 %" in str(near)

    def test_zeros_are_compared_by_differences(self):
        frame = table({"a": [0, 1, 2, 3, 4, 5.0], "b": [1, 2, 3, 4, 5, 6.5]})
        verdict = read_scores(frame, measure="fit_time").verdict(smallest_difference=0.1)
        assert not verdict.evidence.as_ratio
        assert "compared by differences, not by ratios" in texts(verdict)
        assert verdict.winner == "a"

    def test_one_method(self):
        verdict = read_scores(table({"a": self.SCALES}), measure="rmse").verdict()
        assert verdict.sentence.startswith("a has a geometric mean rmse of 3.162 [")


class TestFewDatasets:
    def results(self, n=3):
        parts = []
        for i in range(n):
            wobble = np.random.default_rng(i).normal(0, 0.004, (10, 3))
            own = {"a": 0.8 + wobble[:, 0], "b": 0.7 + wobble[:, 1], "c": 0.6 + wobble[:, 2]}
            if i == n - 1:
                own["b"] = 0.8 + wobble[:, 1]
            parts.append(folds(own, f"d{i}"))
        return read_scores(pd.concat(parts), measure="accuracy", resampling="10-fold")

    def test_each_is_judged_by_itself(self):
        verdict = self.results().verdict()
        assert verdict.rule == "several methods, few data sets"
        assert list(verdict.parts) == ["d0", "d1", "d2"]
        assert verdict.finding.sentences == (
            "a has the highest accuracy on d0 and d1.",
            "On d2 no method beats all others.",
        )
        assert verdict.winner is None
        assert "6 data sets or more" in verdict.finding.next_steps[0]

    def test_these_data_sets_without_known_splits(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict(domains="these")
        assert "such as these 12" in verdict.sentence
        assert "asked about each of these data sets" in texts(verdict)

    def test_these_data_sets_only(self):
        verdict = self.results(7).verdict(domains="these")
        assert list(verdict.parts) == [f"d{i}" for i in range(7)]
        assert verdict.finding.next_steps == ()

    def test_against_a_control(self):
        verdict = self.results().verdict(control="b")
        assert verdict.sentence == (
            "Against b in accuracy, data set by data set: a better on 2 of 3; c worse on 3 of 3."
        )
        assert verdict.to_table().rows[0][3] == "better"

    def test_nobody_wins(self):
        same = 0.8 + np.random.default_rng(0).normal(0, 0.01, (2, 10))
        parts = [folds({"a": same[0], "b": same[1]}, f"d{i}") for i in range(2)]
        verdict = read_scores(pd.concat(parts), measure="accuracy", resampling="10-fold").verdict()
        assert verdict.sentence == "On none of these 2 data sets does one method beat the other in accuracy."

    def test_unknown_folds_allow_no_test(self):
        verdict = read_scores(folds({"a": BASE[:10], "b": BASE[:10] + 0.1}), measure="accuracy").verdict()
        assert verdict.rule == "too little is known"
        assert (
            verdict.finding.test
            == "none: 1 data set is too few to compare over, and nobody said how the scores of one were made."
        )
        assert verdict.winner is None

    def test_one_score_each(self):
        verdict = read_scores(table({"a": [0.9, 0.8], "b": [0.7, 0.6]}), measure="accuracy").verdict()
        assert "2 data sets are too few to compare over, and one score per method has no spread" in verdict.finding.test


class TestOneDataset:
    def test_corrected_t(self):
        a, b = 0.8 + NOISE[:10, 0], 0.75 + NOISE[:10, 1]
        verdict = read_scores(folds({"a": a, "b": b}), measure="accuracy", resampling="10-fold").verdict()
        expected = stats.corrected_t(a, b, test_share=0.1)
        assert verdict.comparisons.outcomes[0].p_value == pytest.approx(expected.p_value)
        assert verdict.sentence == "Of a and b, a has the higher accuracy on iris."

    def test_no_interval_leaves_the_range(self):
        frame = folds({"a": [1, 1, 0.9, 1, 1, 1, 1, 0.9, 1, 0.8], "b": np.linspace(0.8, 0.9, 10)})
        verdict = read_scores(frame, measure="accuracy", resampling="10-fold").verdict()
        row = next(r for r in verdict.to_table().rows if r[0] == "a")
        assert row[2][1] == 1.0

    def test_one_method(self):
        verdict = read_scores(folds({"a": 0.8 + NOISE[:10, 0]}), measure="accuracy", resampling="10-fold").verdict()
        assert re.fullmatch(
            r"a has a mean accuracy of 0\.8\d* \[0\.\d+, 0\.\d+\] on iris\.|.*0\.79.*", verdict.sentence
        )
        assert verdict.winner is None


class TestFailures:
    def results(self, **more):
        columns = {"a": CLEAR["high"].copy(), "b": CLEAR["low"].copy(), "base": np.full(12, 0.3)}
        columns["b"][[2, 5]] = np.nan
        return read_scores(table(columns), measure="accuracy", **more)

    def test_baseline(self):
        verdict = self.results(baseline="base").verdict()
        assert verdict.evidence.means[2, 1] == 0.3
        assert (
            "2 of 36 trials failed: b on d2 (1), b on d5 (1); scored as the baseline 'base' on those splits"
            in texts(verdict)
        )
        assert verdict.failed == 2
        assert any("the same winner" in s and "(worst, drop)" in s for s in verdict.stable)

    def test_no_baseline(self):
        with pytest.raises(
            InputError, match=r"no baseline that could stand in; name one .*--baseline.*failures='worst'"
        ):
            self.results().verdict()

    def test_worst(self):
        verdict = self.results().verdict(failures="worst")
        assert verdict.evidence.means[2, 1] == 0
        assert "scored as 0, the worst" in texts(verdict)

    def test_worst_needs_a_bound(self):
        columns = {"a": CLEAR["high"].copy(), "b": CLEAR["low"]}
        columns["a"][0] = np.nan
        with pytest.raises(InputError, match="rmse has none"):
            read_scores(table(columns), measure="rmse").verdict(failures="worst")

    def test_drop(self):
        verdict = self.results().verdict(failures="drop")
        assert len(verdict.evidence.datasets) == 10
        assert "2 data sets dropped for all methods, which is selection" in texts(verdict)

    def test_refuse(self):
        with pytest.raises(InputError, match="the failure policy is 'refuse'"):
            self.results().verdict(failures="refuse")

    def test_nothing_vanishes(self):
        columns = {"a": CLEAR["high"], "never": np.full(12, np.nan), "base": CLEAR["low"]}
        verdict = read_scores(table(columns), measure="accuracy", baseline="base").verdict()
        assert [row[0] for row in verdict.to_table().rows] == ["a", "base", "never"]
        assert verdict.to_table().rows[-1] == ("never", *(None,) * 7, "has no score on any of 12 data sets")
        assert verdict.failed == 12

    def test_an_answer_that_depends_on_the_policy(self):
        columns = {"a": BASE + 0.01, "b": BASE.copy(), "base": np.full(12, 0.3)}
        columns["a"][:6] = np.nan
        verdict = read_scores(table(columns), measure="accuracy", baseline="base").verdict()
        assert any("depends on the failure policy" in s or "not the same pairs differ" in s for s in verdict.stable)

    def test_the_baseline_failed_too(self):
        columns = {"a": BASE.copy(), "base": BASE.copy(), "c": BASE}
        columns["a"][0] = columns["base"][0] = np.nan
        with pytest.raises(InputError, match="the baseline 'base' failed too"):
            read_scores(table(columns), measure="accuracy", baseline="base").verdict()


class TestUndefined:
    def results(self, nothing_positive):
        """Recall's counterpart: precision is undefined in folds where nothing is predicted positive."""
        y = np.tile([1, 0, 0, 1, 0, 1], 40)
        fold = np.arange(240) // 12
        a = np.where(np.isin(fold, nothing_positive), 0, y)
        b = np.where(np.arange(240) % 7 == 0, 1 - y, y)
        return read_predictions(pd.DataFrame({"y": y, "fold": fold, "a": a, "b": b}), resampling="20-fold")

    def test_left_out_for_all_and_counted(self):
        verdict = self.results([3]).verdict("precision")
        assert len(verdict.evidence.folds[0]) == 19
        assert "precision is undefined on 1 of 20 splits" in texts(verdict)

    def test_too_many(self):
        with pytest.raises(InputError, match=r"precision is undefined on 3 of 20 splits of .*too many to leave out"):
            self.results([3, 4, 5]).verdict("precision")


class TestGuards:
    def test_ceiling(self):
        columns = {"a": np.r_[np.full(2, 0.999), CLEAR["high"]], "b": np.r_[np.full(2, 0.998), CLEAR["low"]]}
        assert "nearly perfect on d0 and d1, so no difference can show there" in texts(
            read_scores(table(columns), measure="accuracy").verdict()
        )

    def test_small_folds(self, weka):
        assert "labor-neg-data (5)" in texts(weka.verdict())


class TestRendering:
    def verdicts(self, fixed_models):
        yield read_scores(table(CLEAR), measure="accuracy").verdict(smallest_difference=0.01)
        yield read_scores(table(CLEAR), measure="rmse").verdict(control="low")
        yield read_scores(table({"a": BASE}), measure="accuracy").verdict()
        yield TestFewDatasets().results().verdict()
        yield TestFewDatasets().results().verdict(control="b")
        yield TestFewDatasets().results().verdict(control="b", per_dataset="corrected_t")
        yield read_predictions(fixed_models).verdict()
        yield read_predictions(fixed_models[["y", "a"]]).verdict()
        yield read_scores(table({"a": [0.9, 0.8], "b": [0.7, 0.6]}), measure="accuracy").verdict()
        yield TestFailures().results(baseline="base").verdict()
        yield read_scores(
            folds({"a": np.full(10, 0.9), "b": np.full(10, 0.8)}), measure="accuracy", resampling="10-fold"
        ).verdict()

    def test_every_format(self, fixed_models):
        for verdict in self.verdicts(fixed_models):
            found = json.loads(verdict.render("json"))
            assert found["answer"] == verdict.sentence
            for how in ("text", "csv", "md", "latex"):
                assert verdict.render(how).strip()
            assert escape_markdown(verdict.sentence) in verdict.render("md")
            assert "<table" in verdict._repr_html_()

    def test_sentences_are_sentences(self, fixed_models):
        for verdict in self.verdicts(fixed_models):
            for sentence in verdict.finding.sentences:
                assert sentence.endswith(".")
                assert not re.search(r"\bnan\b|\bNone\b|  | a [aeiou]\w+ of|\.\.", sentence), sentence
            assert "nan" not in str(verdict)
