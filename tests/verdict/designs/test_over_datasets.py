"""Over data sets: known tables, constructed data whose truth is known, ratios."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_scores import BASE, CLEAR, NOISE, folds, table, texts

from fairtrial import stats
from fairtrial.results import read_scores

GOLDEN = Path(__file__).parents[2] / "golden"  # demsar_2006_table6.csv: Demšar 2006, JMLR 7:1-30, Table 6


@pytest.mark.slow
class TestOverDatasets:
    def test_garcia_herrera(self, shared_table):
        verdict = read_scores(shared_table("garcia_herrera_2008.csv"), measure="accuracy").verdict()
        assert verdict.omnibus.statistic == pytest.approx(39.913, abs=5e-4)
        assert verdict.omnibus.details["without_tie_correction"] == pytest.approx(39.647, abs=5e-4)
        assert "39.913" in texts(verdict)
        assert verdict.winner is None
        assert verdict.finding.order[0] == "C4.5"
        assert verdict.finding.best == ("C4.5", "NaiveBayes")
        assert "With 95 % confidence the typically best is one of 2: C4.5 and NaiveBayes." in str(verdict)

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
        assert re.fullmatch(
            r"It typically beats middle by 0\.05\d \[0\.04\d, 0\.05\d\] \(p = 0\.0005, for this pair alone\)\.",
            verdict.finding.sentences[1],
        )
        assert verdict.stable[:2] == (
            "the same winner whichever data set is left out",
            "all 3 significant differences (of 3 pairs) stay whichever data set is left out",
        )

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
        random = np.random.default_rng(12)
        noise = {f"other{i}": random.uniform(0.3, 1, 12) for i in range(5)}
        many = read_scores(table(two | noise), measure="accuracy").verdict()
        assert few.comparisons.outcomes[0].p_value == many.comparisons.outcomes[0].p_value

    def test_identical_methods(self):
        verdict = read_scores(table({"a": BASE, "b": BASE}), measure="accuracy").verdict()
        assert verdict.winner is None
        assert verdict.comparisons.p_adjusted == (1.0,)
        nothing = "a and b have the same score on all 12 data sets, so that there is nothing to test"
        assert verdict.finding.sentences == (f"No verdict: {nothing}.",)
        assert verdict.stable == ()

    def test_nothing_could_be_told(self):
        columns = {f"m{i}": BASE[:6] + i / 50 + NOISE[:6, i] for i in range(4)}
        verdict = read_scores(table(columns), measure="accuracy").verdict()
        assert verdict.winner == "m3"  # it beats each other in a test of its own, which 6 data sets allow
        assert (
            "with 6 data sets and 6 pairs signed ranks can't show a difference between two methods, however large"
            in texts(verdict)
        )
        assert [row[-1] for row in verdict.to_table().rows] == ["", "(*)", "(*)", "(*)"]
        assert "so each interval and p is for its pair alone" in verdict.to_table().notes[0]

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
        assert "the split scheme of these scores is unknown" in texts(verdict)


class TestRatios:
    SCALES = np.array([1e-3, 1e-2, 0.1, 1, 10, 100, 1e3, 1e4])

    def results(self, factor, **more):
        wobble = np.array([0.98, 1.02, 0.99, 1.01, 0.97, 1.03, 1.0, 1.005])
        return read_scores(table({"a": self.SCALES * factor * wobble, "b": self.SCALES}), **more)

    def test_effect_is_a_ratio(self):
        verdict = self.results(0.5, measure="rmse").verdict()
        assert verdict.winner == "a"
        assert re.fullmatch(
            r"Its rmse is typically 0\.5\d* \[0\.4\d+, 0\.5\d+\] times that of b \(p = 0\.008\)\.",
            verdict.finding.sentences[1],
        )
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
        assert "less than the 10 % that you said matters" in str(near)

    def test_zeros_are_compared_by_differences(self):
        frame = table({"a": [0, 1, 2, 3, 4, 5.0], "b": [1, 2, 3, 4, 5, 6.5]})
        verdict = read_scores(frame, measure="fit_time").verdict(smallest_difference=0.1)
        assert not verdict.evidence.as_ratio
        assert "compared by differences, not by ratios" in texts(verdict)
        assert verdict.winner == "a"


class TestFewSizes:
    """Two methods whose differences take few values, so that the typical difference has no interval of use."""

    def verdict(self, differences, **asked):
        below = np.linspace(0.3, 0.5, len(differences))
        return read_scores(table({"a": below + np.array(differences) / 8, "b": below}), measure="accuracy").verdict(
            **asked
        )

    @pytest.mark.parametrize("steps", [[0] * 25 + [1] * 15, [0] * 9 + [1] * 31, [-1] * 12 + [0] * 20 + [1] * 8])
    def test_the_means_of_many_are_compared(self, steps):
        # by hand: the mean of the differences and its t interval
        steps = np.random.default_rng(1).permutation(steps)
        verdict = self.verdict(steps)
        found = verdict.finding.pairs[0].effect
        alone = stats.paired_t(np.array(steps) / 8, np.zeros(40)).effect
        assert (found.estimate, found.low, found.high) == pytest.approx((alone.estimate, alone.low, alone.high))
        assert "so many differences are equal in size that none is typical" in " ".join(str(verdict).split())
        assert "by signed ranks" not in str(verdict)  # p is that of t

    def test_so_are_those_of_an_interval_without_width(self):
        # a fifth is equal, no size has half: signed ranks of 400 differences leave one number as their interval
        steps = np.repeat([-2, -1, 0, 1, 2], 80)
        alone = stats.wilcoxon(steps, np.zeros(400), zeros="pratt").effect
        assert (alone.low, alone.high) == (0, 0)
        assert self.verdict(np.random.default_rng(1).permutation(steps)).finding.pairs[0].effect.high > 0.005

    def test_few_data_sets_show_the_mean(self):
        verdict = self.verdict([1] * 14 + [2])
        assert verdict.finding.pairs[0].own.has_no_width
        mean = stats.mean_interval(np.array([1] * 14 + [2]) / 8)
        shown = f"by {mean.estimate:.3f} [{mean.low:.3f}, {mean.high:.3f}] (t; by signed ranks p = 6.1e−05)"
        assert shown in verdict.finding.sentences[1]

    @pytest.mark.parametrize("n", [10, 40])
    def test_equal_differences_have_no_interval(self, n):
        verdict = self.verdict([1] * n)
        assert verdict.winner == "a"
        assert "beats b by 0.125 (p = " in verdict.finding.sentences[1]
        row = next(r for r in verdict.to_table().rows if r[0] == "b")
        assert row[[c.key for c in verdict.to_table().columns].index("interval")] is None
        assert any("interval without width" in note for note in verdict.to_table().notes)
