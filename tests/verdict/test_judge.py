"""From results to a verdict: does it depend on the failure policy, was it asked before?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from made_scores import BASE, few_datasets, table, with_failures

from fairtrial.design import Study
from fairtrial.results import read_scores, read_study
from fairtrial.store import StudyFile


class TestFailurePolicies:
    def test_an_answer_that_depends_on_the_policy(self):
        columns = {"a": BASE + 0.01, "b": BASE.copy(), "base": np.full(12, 0.3)}
        columns["a"][:6] = np.nan
        verdict = read_scores(table(columns), measure="accuracy", baseline="base").verdict()
        assert any("depends on the failure policy" in s or "other pairs differ" in s for s in verdict.stable)

    def test_an_answer_that_does_not(self):
        stable = with_failures(baseline="base").verdict().stable
        assert "the same winner and the same differences under the other failure policies (worst and drop)" in stable

    def test_the_answer_to_a_claim(self):
        columns = {"a": np.linspace(0.85, 0.95, 12), "base": np.full(12, 0.3)}
        columns["a"][[2, 5]] = np.nan
        results = replace(read_scores(table(columns), measure="accuracy"), yardsticks=("base",), baseline="base")
        assert results.verdict(claim=0.8, failures="drop").stable[-1] == (
            "the answer to the claim depends on the failure policy: it is another with 'baseline' or 'worst'"
        )
        assert results.verdict(claim=0.2).stable[-1] == (
            "the same answer to the claim under the other failure policies (worst and drop)"
        )

    def test_without_failures_nothing_is_said_of_it(self):
        verdict = read_scores(table({"a": BASE, "b": BASE - 0.1}), measure="accuracy").verdict()
        assert not any("policies" in text for text in verdict.stable)


class TestWhy:
    def test_a_rule_of_the_table(self):
        verdict = few_datasets().verdict()
        assert verdict.rule == "several methods, few data sets"
        assert verdict.why.startswith("fewer than 6 data sets")

    def test_a_table_per_data_set_was_asked_for(self):
        verdict = few_datasets().verdict(control="b", per_dataset="corrected_t")
        assert (verdict.rule, verdict.why) == ("against a control on each data set", "asked for")
        assert "Nadeau" in verdict.reference


class TestRestOfTheRun:
    def test_the_rest_of_the_plan_comes_first(self, tmp_path):
        parts = {"datasets": ["iris"], "methods": ["majority", "one_rule"], "resampling": "3-fold"}
        Study(**parts).run(tmp_path / "a.trial", workers=0, progress=False)
        assert not any(step.action == "run on" for step in read_study(tmp_path / "a.trial").verdict().next_steps)
        with StudyFile(tmp_path / "a.trial", write=True) as file:
            file.register(Study(**parts | {"datasets": ["iris", "labor"]}).plan())
        first, *_ = read_study(tmp_path / "a.trial").verdict().next_steps
        assert (first.action, first.amount, first.unit) == ("run on", 6, "trial")
