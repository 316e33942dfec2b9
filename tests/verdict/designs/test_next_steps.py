"""What would settle an open question."""

from __future__ import annotations

import re

import numpy as np
import pytest
from made_scores import CLEAR, table

from fairtrial import stats
from fairtrial.results import read_scores


def steps(n=12, sd=0.01, shift=0.0, delta=None, seed=5):
    noise = np.random.default_rng(seed).normal(0, 1, n)
    noise = sd * (noise - noise.mean()) / noise.std(ddof=1) + shift
    results = read_scores(table({"a": 0.7 + noise, "b": np.full(n, 0.7)}), measure="accuracy")
    return results.verdict(smallest_difference=delta).finding.next_steps


class TestNextOverDatasets:
    def test_the_number_is_that_of_stats(self):
        needed = stats.sample_size("wilcoxon", effect=0.3, level=0.95).n
        (text,) = steps(sd=0.01, delta=0.003)
        assert f"takes about {needed} data sets in all" in text

    def test_the_range_is_that_of_the_spread(self):
        # 80 % χ² interval of the standard deviation, 11 degrees of freedom: 5.578 and 17.275 (R 4.2.2 qchisq)
        (text,) = steps(sd=0.01, delta=0.003)
        low, high = (int(x) for x in re.search(r"(\d+) to (\d+) by the uncertainty", text).groups())
        expected = [stats.sample_size("wilcoxon", effect=0.3 / np.sqrt(11 / q), level=0.95).n for q in (17.275, 5.578)]
        assert [low, high] == pytest.approx(expected, abs=1)

    def test_it_does_not_depend_on_the_difference_that_was_seen(self):
        near, far = steps(sd=0.01, delta=0.003), steps(sd=0.01, shift=0.002, delta=0.003)
        assert near == far

    def test_without_delta_there_is_no_number(self):
        (text,) = steps()
        assert text.startswith("say which difference matters (smallest_difference)")
        assert not re.search(r"\d", text.replace("a and b", ""))

    def test_enough_data_sets_should_have_shown_it(self):
        (text,) = steps(n=40, sd=0.02, shift=0.005, delta=0.0095)
        assert text.startswith("40 data sets should have shown a difference of 0.0095 between a and b")

    def test_a_winner_needs_a_difference_that_matters(self):
        (step,) = read_scores(table(CLEAR), measure="accuracy").verdict().finding.next_steps
        assert step == "say which difference matters (smallest_difference) to learn whether the lead is large enough"

    def test_nothing_where_the_winner_is_known_to_matter(self):
        found = read_scores(table(CLEAR), measure="accuracy").verdict(smallest_difference=0.01)
        assert found.finding.next_steps == ()

    def test_splits_would_tell_noise_from_differences(self):
        base = np.linspace(0.6, 0.8, 40)
        columns = {"a": base + np.repeat([0.05, -0.05], 20) + 1e-4 * np.sin(np.arange(40)), "b": base}
        (step,) = read_scores(table(columns), measure="accuracy").verdict(smallest_difference=0.01).finding.next_steps
        assert step.startswith("bring the scores of single splits")
