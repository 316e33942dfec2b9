"""Several measures at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from made_rows import measured, models, on_folds
from scipy.stats import f as f_distribution

from fairtrial.errors import InputError
from fairtrial.resampling import Dependence
from fairtrial.results import read_scores
from fairtrial.stats import hotelling, hotelling_repeated, manova


@pytest.fixture
def random():
    return np.random.default_rng(5)


def by_measure(results, measure):
    own = results.scores[results.scores["measure"] == measure]
    return own.pivot_table(index="dataset", columns="method", values="value", sort=False)


class TestTwoMethods:
    def test_is_hotelling_over_data_sets(self, random):
        results = measured(random, [0.05, 0.0])
        verdict = results.verdict(measure=["recall", "fpr"])
        tables = [np.column_stack([by_measure(results, m)[k] for m in ("recall", "fpr")]) for k in "ab"]
        direct = hotelling(*tables)
        assert verdict.joint_test.p_value == pytest.approx(direct.p_value)
        assert verdict.sentence.startswith(
            "a and b differ in recall and fpr jointly on data sets such as these 20 (p = "
        )
        a = "a has the higher recall (by 0.0473 [0.0403, 0.0544]) and lower fpr (by 0.0533 [0.0471, 0.0594])."
        assert verdict.sentences[1] == a
        assert verdict.winner == "a"
        row = verdict.to_table().rows[1]
        wanted = direct.details["measures"][1]
        assert (row[3], *row[4]) == tuple(wanted[k] for k in ("difference", "low (Bonferroni)", "high (Bonferroni)"))

    def test_each_measure_has_its_own_direction(self, random):
        results = measured(random, [0.05, 0.0])
        scores = results.scores.assign(value=lambda f: f["value"].where(f["measure"] == "recall", 1 - f["value"]))
        verdict = read_scores(scores[["dataset", "method", "measure", "value"]], measure="recall").verdict(
            ["recall", "fpr"]
        )
        assert verdict.sentences[1] == "Neither is better in every measure."
        assert [s.partition(" (by")[0] for s in verdict.sentences[2:]] == [
            "a has the higher recall",
            "b has the lower fpr",
        ]
        assert [step.action for step in verdict.next_steps] == ["ask"]
        assert verdict.winner is None

    def test_no_difference(self, random):
        verdict = measured(random, [0.0, 0.0]).verdict(measure=["recall", "fpr"])
        assert verdict.sentence.startswith("The data show no difference in recall and fpr jointly between a and b")
        assert len(verdict.sentences) == 1

    def test_ratios_are_tested_on_the_log_scale(self, random):
        scale = 10.0 ** random.integers(0, 5, 20)
        rows = [
            (f"d{i}", m, measure, scale[i] * (1.3 if m == "a" else 1.0) * np.exp(random.normal(0, 0.05)))
            for i in range(20)
            for m in "ab"
            for measure in ("rmse", "mae")
        ]
        frame = pd.DataFrame(rows, columns=["dataset", "method", "measure", "value"])
        verdict = read_scores(frame, measure="rmse").verdict(measure=["rmse", "mae"])
        assert verdict.to_table().rows[0][3] == pytest.approx(1.3, rel=0.05)
        assert "rmse and mae: geometric means and ratios" in verdict.to_table().to_text()

    def test_fixed_models(self, random):
        verdict = models(random, [0.95, 0.75], scores=True).verdict(measure=["brier", "accuracy"])
        assert verdict.sentence.startswith("a and b differ in brier and accuracy jointly on instances such as those of")
        assert verdict.test == "Hotelling's T², paired over 300 instances"


class TestSeveralMethods:
    def test_is_hotelling_of_all_differences(self, random):
        results = measured(random, [0.05, 0.0, 0.0])
        verdict = results.verdict(measure=["recall", "fpr"])
        tables = [np.column_stack([by_measure(results, m)[k] for m in ("recall", "fpr")]) for k in "abc"]
        for i in range(3):  # whichever method the others are compared with
            others = [t for j, t in enumerate(tables) if j != i]
            found = hotelling(np.hstack(others), np.hstack([tables[i]] * 2))
            assert verdict.joint_test.p_value == pytest.approx(found.p_value)
        d = np.hstack([tables[1] - tables[0], tables[2] - tables[0]])  # 4 columns, 20 rows: F(4, 16)
        t2 = 20 * d.mean(axis=0) @ np.linalg.solve(np.cov(d.T), d.mean(axis=0))
        assert verdict.joint_test.p_value == pytest.approx(f_distribution.sf(t2 * 16 / (4 * 19), 4, 16))
        assert verdict.sentences[1] == "They differ in recall and fpr (Bonferroni over 2 measures)."
        alone = [hotelling_repeated(by_measure(results, m)).p_value for m in ("recall", "fpr")]
        assert [row[2] for row in verdict.finding.more_tables[0].rows] == pytest.approx(alone)
        assert [row[3] for row in verdict.finding.more_tables[0].rows] == pytest.approx([2 * p for p in alone])

    def test_is_manova_with_few_data_sets_as_blocks(self, random):
        results = measured(random, [0.05, 0.0, 0.0], n=9)
        verdict = results.verdict(measure=["recall", "fpr"])
        assert "in 6 to 13 % of studies instead of 5 %" in "; ".join(verdict.test_details)
        groups = {k: np.column_stack([by_measure(results, m)[k] for m in ("recall", "fpr")]) for k in "abc"}
        assert verdict.joint_test.p_value == pytest.approx(manova(groups, blocks=True).p_value)
        assert verdict.sentences[1] == "They differ in recall and fpr (Bonferroni over 2 measures)."
        assert [c.key for c in verdict.to_table().columns] == ["method", "recall", "fpr"]

    def test_as_data(self, random):
        assert measured(random, [0.1, 0, 0]).verdict(measure=["recall", "fpr"]).to_dict()["measures"] == [
            "recall",
            "fpr",
        ]


class TestSaysWhatIsMissing:
    def test_data_sets(self, random):
        with pytest.raises(InputError, match=r"2 measures at once need more than 7 data sets, .* got 7; ask for one"):
            measured(random, [0.1, 0.0], n=7).verdict(measure=["recall", "fpr"])

    def test_training_data_and_each_data_set(self, random):
        results = measured(random, [0.1, 0.0])
        with pytest.raises(InputError, match="domains='these' asks about each"):
            results.verdict(measure=["recall", "fpr"], domains="these")
        apparent = {d: Dependence("resubstitution", optimistic=True) for d in results.dataset_names()}
        with pytest.raises(InputError, match="not trained on, got the scheme 'resubstitution'"):
            replace(results, dependence=apparent).verdict(measure=["recall", "fpr"])

    def test_one_method(self, random):
        with pytest.raises(InputError, match="several measures at once compare methods, got 'a' alone"):
            measured(random, [0.1]).verdict(measure=["recall", "fpr"])

    def test_a_control_among_several(self, random):
        with pytest.raises(InputError, match="leave control and alternative out"):
            measured(random, [0.1, 0.0, 0.0]).verdict(measure=["recall", "fpr"], control="a")

    def test_measures_of_models_that_are_no_averages(self, random):
        with pytest.raises(InputError, match=r"only if each is an average over instances .* which recall is not"):
            models(random, [0.9, 0.8]).verdict(measure=["accuracy", "recall"])

    def test_the_same_measure_twice(self, random):
        with pytest.raises(InputError, match="different measures, got 'recall' twice"):
            measured(random, [0.1, 0.0]).verdict(measure=["recall", "recall"])

    def test_unknown_measures_and_no_measure(self, random):
        with pytest.raises(InputError, match="'precison'"):
            measured(random, [0.1, 0.0]).verdict(measure=["recall", "precison"])
        with pytest.raises(InputError, match=r"a list of names such as \['recall', 'fpr'\], got \[\]"):
            measured(random, [0.1, 0.0]).verdict(measure=[])

    def test_a_named_test(self, random):
        with pytest.raises(InputError, match="have tests of their own; leave test and per_dataset out"):
            measured(random, [0.1, 0.0]).verdict(measure=["recall", "fpr"], test="repeated_anova")

    def test_other_data_sets(self, random):
        scores = measured(random, [0.1, 0.0]).scores
        fewer = scores[(scores["measure"] == "recall") | (scores["dataset"] != "d3")]
        results = read_scores(fewer[["dataset", "method", "measure", "value"]], measure="recall")
        with pytest.raises(InputError, match="scores of the same data sets, but d3 have scores of only one of"):
            results.verdict(measure=["recall", "fpr"])


def test_one_name_in_a_list_is_one_measure(random):
    results = on_folds(random, [0.05, 0.0])
    assert results.verdict(measure=["accuracy"]).sentence == results.verdict().sentence
