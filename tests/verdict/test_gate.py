"""Gates on verdicts of every kind: one over data sets, one on each data set, one at each level, and none."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from made_scores import few_datasets, folds, table
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from fairtrial.data import Dataset
from fairtrial.design import Question, Study
from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores
from fairtrial.verdict import check_gate, gate_of

N = 30
_random = np.random.default_rng(8)
OLD = _random.uniform(0.6, 0.9, N)
NOISE = _random.normal(0, 0.004, (N, 5))
MADE = {
    "old": OLD,
    "bad": OLD - 0.05 + NOISE[:, 0],
    "good": OLD + 0.05 + NOISE[:, 1],
    "same": OLD + NOISE[:, 2],
    "wild": OLD + 10 * NOISE[:, 3] - 10 * NOISE[:, 3].mean(),
}
"""The truth: bad is worse by 0.05, good better by 0.05, same is equal within 0.01, wild varies from −0.1 to 0.1."""


def results(*names):
    return read_scores(table({name: MADE[name] for name in ("old", *names)}), measure="accuracy")


def gate(*names, fail_if="worse", candidates=None, **options):
    options = {"control": "old", "smallest_difference": 0.01} | options
    return gate_of(results(*names).verdict(**options), fail_if, candidates=candidates)


class TestOverDatasets:
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("bad", ("failed", "failed", "failed")),
            ("good", ("passed", "passed", "failed")),
            ("same", ("passed", "failed", "passed")),
            ("wild", ("undecided", "undecided", "undecided")),
        ],
    )
    def test_known_truth(self, name, expected):
        verdict = results(name).verdict(control="old", smallest_difference=0.01)
        assert tuple(gate_of(verdict, f).state for f in ("worse", "not-better", "not-equivalent")) == expected

    def test_the_worst_case_decides(self):
        found = gate("good", "bad", "wild")
        assert [(case.method, case.state) for case in found.cases] == [
            ("good", "passed"),
            ("bad", "failed"),
            ("wild", "undecided"),
        ]
        assert found.state == "failed"
        assert found.sentence.startswith("Gate failed: bad is worse than old by more than 0.01 (difference in accuracy")
        assert found.sentence.endswith("3 comparisons: 1 failed, 1 undecided, 1 passed.")
        assert gate("good", "wild").state == "undecided"
        assert gate("good", "same").state == "passed"

    def test_candidates_are_the_methods_that_matter(self):
        assert gate("good", "bad", candidates=["good"]).state == "passed"
        with pytest.raises(UnknownName, match=r"no method that is compared with old is called 'god'; did you mean"):
            gate("good", "bad", candidates=["god"])
        with pytest.raises(UnknownName, match="is called 'old'"):
            gate("good", "bad", candidates=["old"])

    def test_lower_is_better(self):
        errors = read_scores(table({"old": 1 - OLD, "bad": 1 - MADE["bad"]}), measure="error_rate")
        found = gate_of(errors.verdict(control="old"), "worse")
        assert found.state == "failed"
        assert "difference in error rate +0.049 [+0.047, +0.050]" in found.sentence

    def test_ratios_are_judged_on_their_own_scale(self):
        """δ = 0.1 means 10 %: an RMSE of 5 % more is not worse by 10 %, and one of 20 % more is."""
        sizes = 10.0 ** _random.uniform(-1, 3, N)
        for factor, expected in ((1.05, "passed"), (1.2, "failed")):
            scores = table({"old": sizes, "new": sizes * factor * np.exp(NOISE[:, 0])})
            verdict = read_scores(scores, measure="rmse").verdict(control="old", smallest_difference=0.1)
            found = gate_of(verdict, "worse")
            assert found.state == expected
            assert f"ratio in rmse ×{factor:.2f}" in found.sentence
            assert "10 %" in found.sentence

    def test_without_delta_the_hint_says_what_is_missing(self):
        found = gate("same", smallest_difference=None)
        assert found.state == "undecided"
        assert "say smallest_difference" in found.sentence
        assert "say smallest_difference" not in gate("bad", smallest_difference=None).sentence

    def test_on_one_side_the_hint_says_so(self):
        found = gate("bad", alternative="not worse")
        assert found.state == "undecided"
        assert "can pass or stay open, but not fail" in found.sentence
        assert gate("same", alternative="not worse").state == "passed"

    def test_equal_on_average_is_not_equivalent(self):
        halves = read_scores(table({"a": OLD + np.tile([0.05, -0.05], N // 2), "b": OLD}), measure="accuracy")
        found = gate_of(halves.verdict(control="b", smallest_difference=0.02), "not-equivalent")
        assert found.state == "undecided"  # the noise of single data sets is unknown
        assert "on single data sets it is open" in found.sentence

    @pytest.mark.slow
    def test_a_small_difference_is_not_equivalence_on_single_data_sets(self):
        d = np.random.default_rng(1).normal(0.003, 0.012, 120)
        base = np.linspace(0.6, 0.8, 120)
        verdict = read_scores(table({"a": base + d, "b": base}), measure="accuracy").verdict(
            control="b", smallest_difference=0.01
        )
        assert verdict.finding.pairs[0].decision == "better but negligible"
        assert gate_of(verdict, "not-equivalent").state == "undecided"
        assert gate_of(verdict, "worse").state == "passed"
        assert gate_of(verdict, "not-better").state == "failed"


class TestOtherVerdicts:
    def test_each_data_set_is_a_case(self):
        found = gate_of(few_datasets().verdict(control="b", smallest_difference=0.02), "worse")
        states = {case.name: case.state for case in found.cases}
        assert states["c, on d0"] == "failed"
        assert states["a, on d0"] == states["a, on d2"] == "passed"
        assert len(states) == 6
        assert found.sentence.startswith("Gate failed: on d0, c is worse than b by more than 0.02 (")

    def test_each_level_is_a_case(self, made_results):
        def score(dataset, method, level, fold):
            wobble = np.random.default_rng([fold, int(dataset[1:]), ord(method[0])]).normal(0, 0.002)
            lost = 0.1 if method == "new" and level == 0.2 else 0
            return {"accuracy": 0.7 + int(dataset[1:]) / 100 - lost + wobble}

        datasets = tuple(f"d{i}" for i in range(10))
        made = made_results(
            score,
            datasets=datasets,
            methods=("old", "new"),
            factor="label_noise",
            levels=(0, 0.2),
            measures=("accuracy",),
        )
        found = gate_of(made.verdicts(control="old", smallest_difference=0.02), "worse")
        assert [(case.name, case.state) for case in found.cases] == [
            ("new, at label_noise 0 %", "passed"),
            ("new, at label_noise 20 %", "failed"),
        ]
        assert found.sentence.startswith("Gate failed: at label_noise 20 %, new is worse than old by more than 0.02 (")

    def test_one_data_set(self):
        wobble = np.random.default_rng(3).normal(0, 0.004, (10, 2))
        scores = folds({"old": 0.8 + wobble[:, 0], "new": 0.7 + wobble[:, 1]})
        verdict = read_scores(scores, measure="accuracy", resampling="10-fold").verdict(control="old")
        assert gate_of(verdict, "worse").state == "failed"

    def test_a_refused_verdict_is_undecided(self):
        y = np.arange(60) % 2
        features = np.column_stack([99 * np.random.default_rng(1).normal(size=(60, 2)), y])  # a copy of the target
        data = Dataset.from_arrays(features, y, name="leak", positive=1)
        methods = {"old": KNeighborsClassifier(1), "new": DecisionTreeClassifier(max_depth=1)}
        results = Study(datasets=[data], methods=methods, resampling="3-fold").run(workers=0, progress=False)
        verdict = results.verdict(control="old", smallest_difference=0.01)
        assert verdict.answer.startswith("No verdict")
        found = gate_of(verdict, "worse")
        assert found.state == "undecided"
        assert "(no verdict: " in found.sentence

    @pytest.mark.parametrize(
        ("fail_if", "state"), [("worse", "passed"), ("not-equivalent", "passed"), ("not-better", "failed")]
    )
    def test_a_change_that_changes_nothing_is_neither_worse_nor_better(self, fail_if, state):
        copies = pd.DataFrame({"dataset": list("abcdefghijkl"), "old": OLD[:12], "new": OLD[:12]})
        verdict = read_scores(copies, measure="accuracy").verdict(control="old", smallest_difference=0.01)
        assert verdict.answer.startswith("No verdict")
        found = gate_of(verdict, fail_if)
        assert found.state == state
        assert "its scores equal those of old everywhere" in found.sentence

    def test_too_few_data_for_a_test_are_undecided(self):
        verdict = read_scores(table({"old": OLD[:2], "new": OLD[:2] - 0.1}), measure="accuracy").verdict(control="old")
        found = gate_of(verdict, "worse")
        assert found.state == "undecided"
        assert "(whether the methods differ in accuracy is open: 2 data sets are too few" in found.sentence

    def test_a_method_that_did_not_run_is_undecided(self):
        columns = {"old": OLD, "good": MADE["good"], "gone": np.where(np.arange(N) < 2, 0.9, np.nan)}
        verdict = read_scores(table(columns), measure="accuracy").verdict(control="old", smallest_difference=0.01)
        found = gate_of(verdict, "worse")
        assert {case.method: case.state for case in found.cases} == {"good": "passed", "gone": "undecided"}
        assert "gone" in found.sentence
        assert "has no score" in found.sentence


class TestRefused:
    def test_without_a_control(self):
        with pytest.raises(InputError, match=r"compares methods with a control.*say control='…' \(--control\)"):
            gate_of(results("bad").verdict(), "worse")
        with pytest.raises(InputError, match="one of 'old' and 'new'"):
            check_gate("worse", Question(), ["old", "new"])

    def test_equivalence_needs_delta_and_both_sides(self):
        with pytest.raises(InputError, match="equivalence needs the smallest difference that matters"):
            check_gate("not-equivalent", Question(control="old"))
        one_side = Question(control="old", smallest_difference=0.01, alternative="not worse")
        with pytest.raises(InputError, match="equivalence is about both sides"):
            check_gate("not-equivalent", one_side)
        other = results("bad").verdict(control="old", smallest_difference={"auc": 0.01})
        with pytest.raises(InputError, match="none is given for this measure"):
            gate_of(other, "not-equivalent")

    def test_other_conditions_and_claims(self):
        with pytest.raises(UnknownName, match="did you mean 'worse'"):
            check_gate("worst", Question(control="old"))
        with pytest.raises(InputError, match="claims a level"):
            check_gate("worse", Question(claim=0.9))

    def test_nothing_passes_where_nothing_is_compared(self):
        for found, candidates in ((results(), None), (results("bad"), [])):
            with pytest.raises(InputError, match="a gate needs a method besides the control 'old'"):
                gate_of(found.verdict(control="old"), "worse", candidates=candidates)

    def test_effects_are_not_about_methods(self, made_results):
        made = made_results(
            lambda *given: {"accuracy": 0.7 + given[-1] / 100},
            factor="label_noise",
            levels=(0, 0.2),
            measures=("accuracy",),
        )
        with pytest.raises(InputError, match="an answer about factors; name a control"):
            gate_of(made.effects(), "worse")

    def test_marks_have_no_decisions(self):
        verdict = few_datasets().verdict(control="b", per_dataset="corrected_t")
        with pytest.raises(InputError, match=r"leave it out, or say domains='these'"):
            gate_of(verdict, "worse")


class TestGate:
    def test_as_data(self):
        found = gate("good", "bad")
        told = found.to_dict()
        assert (told["state"], told["fail_if"], told["control"]) == ("failed", "worse", "old")
        assert told["cases"][1]["method"] == "bad"
        assert [row[:2] for row in found.to_table().rows] == [("good", "passed"), ("bad", "failed")]
        assert str(found) == found.sentence

    def test_a_long_list_stops_at_three(self):
        many = read_scores(table({"old": OLD} | {f"b{i}": OLD - 0.05 + NOISE[:, i] for i in range(5)}), measure="auc")
        found = gate_of(many.verdict(control="old"), "worse")
        assert found.sentence.count(" is worse than old") == 3
        assert found.sentence.endswith("and 2 others failed.")
