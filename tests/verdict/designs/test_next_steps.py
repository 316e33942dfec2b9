"""What would settle an open question."""

from __future__ import annotations

import numpy as np
import pytest
from made_scores import BASE, CLEAR, NOISE, table

from fairtrial import stats
from fairtrial.results import read_scores


def steps(n=12, sd=0.01, shift=0.0, delta=None, seed=5):
    noise = np.random.default_rng(seed).normal(0, 1, n)
    noise = sd * (noise - noise.mean()) / noise.std(ddof=1) + shift
    results = read_scores(table({"a": 0.7 + noise, "b": np.full(n, 0.7)}), measure="accuracy")
    return results.verdict(smallest_difference=delta).next_steps


class TestNextOverDatasets:
    def test_the_number_is_that_of_stats(self):
        needed = stats.sample_size("wilcoxon", effect=0.7, level=0.95).n
        (step,) = steps(sd=0.01, shift=0.003, delta=0.007)
        assert (step.action, step.amount, step.unit, set(step.methods)) == (
            "more data",
            needed,
            "data sets",
            {"a", "b"},
        )

    def test_the_range_is_that_of_the_spread(self):
        # 80 % χ² interval of the standard deviation, 11 degrees of freedom: 5.578 and 17.275 (R 4.2.2 qchisq)
        (step,) = steps(sd=0.01, shift=0.003, delta=0.007)
        expected = [stats.sample_size("wilcoxon", effect=0.7 / np.sqrt(11 / q), level=0.95).n for q in (17.275, 5.578)]
        assert [step.low, step.high] == pytest.approx(expected, abs=1)

    def test_of_several_methods_it_is_for_the_tests_that_make_a_winner_together(self):
        # the leader against each of k − 1 rivals
        noise = np.random.default_rng(5).normal(0, 0.01, (12, 3))
        results = read_scores(table(dict(zip("abc", (0.7 + noise).T, strict=True))), measure="accuracy")
        verdict = results.verdict(smallest_difference=0.012)
        (step,) = verdict.next_steps
        i, j = (list("abc").index(m) for m in step.methods)
        effect = 0.012 / (noise[:, i] - noise[:, j]).std(ddof=1)
        assert step.amount == stats.sample_size("wilcoxon", effect=effect, level=1 - 0.05 / 2).n
        assert step.methods[0] == verdict.finding.leads.leader
        assert set(step.methods) <= set(verdict.finding.best)

    def test_it_does_not_depend_on_the_difference_that_was_seen(self):
        near, far = steps(shift=0.003, delta=0.007), steps(shift=0.004, delta=0.007)
        assert [(s.amount, s.low, s.high) for s in near] == [(s.amount, s.low, s.high) for s in far]

    def test_without_delta_there_is_no_number(self):
        (step,) = steps()
        assert (step.action, step.amount, step.unit) == ("say what matters", None, "data sets")

    def test_enough_data_sets_should_have_shown_it(self):
        (step,) = steps(n=20, sd=0.02, shift=0.008, delta=0.015)
        assert step.action == "more data"
        assert step.amount <= 20

    def test_what_no_number_of_data_sets_would_settle_has_none(self):
        # half of them favour one method by more than matters, and half the other
        d = [0.1, -0.2, 0.15, -0.04, 0.05, -0.06, 0.07, -0.1, 0.1, -0.03]
        columns = {"a": 0.7 + np.array(d), "b": np.full(10, 0.7)}
        (step,) = read_scores(table(columns), measure="accuracy").verdict(smallest_difference=0.02).next_steps
        assert (step.action, step.amount) == ("ask", None)

    def test_a_winner_needs_a_difference_that_matters(self):
        (step,) = read_scores(table(CLEAR), measure="accuracy").verdict().next_steps
        assert (step.action, step.methods) == ("say what matters", ())

    def test_nothing_where_the_winner_is_known_to_matter(self):
        found = read_scores(table(CLEAR), measure="accuracy").verdict(smallest_difference=0.01)
        assert found.next_steps == ()

    def test_no_number_settles_what_depends_on_the_data_set(self):
        base = np.linspace(0.6, 0.8, 40)
        columns = {"a": base + np.repeat([0.05, -0.05], 20) + 1e-4 * np.sin(np.arange(40)), "b": base}
        (step,) = read_scores(table(columns), measure="accuracy").verdict(smallest_difference=0.01).next_steps
        assert (step.action, step.amount) == ("ask", None)

    @pytest.mark.parametrize(("asked", "enough"), [({"pairs": True}, 8), ({"control": "m0"}, 7)])
    def test_how_many_data_sets_allow_intervals_that_hold_together(self, asked, enough):
        # 6 pairs: 6 · 2^(1−n) < 0.05 from n = 8 on (0.047); 3 pairs: from 7 on (0.047)
        columns = {f"m{i}": BASE[:6] + i / 50 + NOISE[:6, i] for i in range(4)}
        (step,) = read_scores(table(columns), measure="accuracy").verdict(**asked).next_steps
        assert step.action == "more data"
        assert str(step.words).startswith(f"{enough} data sets or more")
