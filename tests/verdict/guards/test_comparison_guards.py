"""Guards of comparisons, each on scores that have what it looks for, and on scores that have not."""

from __future__ import annotations

import numpy as np
import pytest
from made_scores import BASE, CLEAR, NOISE, table, texts, without_spread

from fairtrial.results import read_predictions, read_scores
from fairtrial.statements import Role, by_role
from fairtrial.verdict.claims.steadiness import MeansDisagree
from fairtrial.verdict.guards.comparison_guards import find_cycle

RNG = np.random.default_rng


def notices(columns, measure="accuracy", **asked):
    return {n.guard: n for n in read_scores(table(columns), measure=measure).verdict(**asked).notices}


class TestOverDatasets:
    def test_nothing_but_friedman(self):
        found = notices(CLEAR)
        assert [n.guard for n in found.values()] == ["shared_splits", "ceiling", "omnibus_disagrees"]
        assert found["omnibus_disagrees"].text.startswith(
            "Friedman (exact) agrees that not all methods are equal: chi-square 24.000, p = "
        )
        assert found["omnibus_disagrees"].is_fine

    def test_friedman_disagrees(self):
        random = np.random.default_rng(3)  # noise in which the ranks of all see a difference, and no pair does
        columns = {m: BASE + random.normal(0, 0.02, 12) for m in "abc"}
        columns["c"] = columns["c"] + 0.014
        found = notices(columns, pairs=True)["omnibus_disagrees"]
        assert found.severity == "doubt"
        assert found.evidence == pytest.approx({"statistic": 6.5, "p_value": 0.0384}, abs=1e-3)
        assert notices(columns)["omnibus_disagrees"].is_fine  # a method is out, so that not all are equal

    def test_asked_about_these(self):
        found = notices(CLEAR, domains="these")["asked_about_these"]
        assert found.text.endswith(
            "which needs splits whose scheme is known; this answer is about data sets such as these"
        )

    @pytest.mark.parametrize(("adjust", "fires"), [("simultaneous", True), ("holm", True), ("none", False)])
    def test_too_few_datasets(self, adjust, fires):
        columns = {m: BASE[:6] + i * 0.01 + NOISE[:6, i] for i, m in enumerate("abcd")}
        found = notices(columns, adjust=adjust)
        assert ("too_few_datasets" in found) == fires
        if fires:
            assert found["too_few_datasets"].evidence == {"datasets": 6, "pairs": 6}
            assert "one method can still be shown to be better than every other" in found["too_few_datasets"].sentence

    def test_too_few_datasets_for_leads(self):
        equal = {m: BASE[:6] + RNG(i).normal(0, 0.01, 6) for i, m in enumerate("abcdefgh")}
        found = notices(equal)["too_few_datasets"]
        assert (found.severity, found.evidence) == ("doubt", {"datasets": 6, "methods": 8})
        clear = {m: BASE[:6] + i * 0.01 + NOISE[:6, 0] * i / 100 for i, m in enumerate("abcd")}
        assert "too_few_datasets" not in notices(clear)  # there is a winner

    @pytest.mark.parametrize(
        "asked",
        [{}, {"pairs": True}, {"adjust": "hochberg"}, {"estimand": "mean"}],
        ids=["the best", "joint flips", "hochberg", "means"],
    )
    def test_enough_datasets_for_the_adjustment_that_is_used(self, asked):
        # 7 × 6 pairs: Bonferroni has no p below 0.094, but joint flips reach 0.047, and Hochberg 0.016
        d = np.array([2.6, 1.7, 0.2, 2.9, 1.2, 1.1, 1.3]) / 100
        low = np.array([3.9, 2.9, 4.6, 91.5, 4.7, 3.5, 2.2]) / 100
        top = np.array([83.4, 62.8, 62.4, 91.5, 93.4, 83.0, 86.7]) / 100
        last = np.array([2.1, 1.1, 2.4, 5.1, 2.7, 2.3, 0.4]) / 100
        columns = {"A": top, "B": top - d, "C": top - low, "D": top - last}
        verdict = read_scores(table(columns), measure="accuracy").verdict(**asked)
        assert any(p.different for p in verdict.finding.pairs)
        assert "too_few_datasets" not in {n.guard for n in verdict.notices}

    @pytest.mark.parametrize(("decimals", "told"), [(1, 1), (2, 2), (3, None)])
    def test_rounded_scores_with_ties(self, decimals, told):
        a = np.round(0.5 + np.arange(12) / 30, decimals)
        step = 10.0**-decimals
        b = a + np.r_[np.zeros(5), np.full(4, step), np.full(3, -step)]
        found = notices({"a": a, "b": b, "c": a - 3 * step})["equal_scores"]
        assert found.evidence.get("decimals") == told
        assert ("rounded to" in found.sentence) == (told is not None)
        assert ("more decimals" in found.remedy) == (told is not None)

    def test_equal_scores(self):
        columns = {**CLEAR, "high": np.where(np.arange(12) < 2, CLEAR["low"], CLEAR["high"])}
        found = notices(columns)["equal_scores"]
        assert found.text == "1 pair had equal scores on some data sets, which are ranked without a sign"

    def test_zero_scores(self):
        columns = {"a": np.r_[0.0, BASE[1:]], "b": CLEAR["high"]}
        assert "compared by differences, not by ratios" in notices(columns, "rmse")["zero_scores"].text
        assert "zero_scores" not in notices({"a": BASE, "b": CLEAR["high"]}, "rmse")
        assert "zero_scores" not in notices(columns)  # accuracy is compared by differences anyway


class TestHeadToHead:
    def test_a_worse_mean_that_typically_wins(self):
        # b is better by 0.01 on ten data sets and worse by 0.3 on the last two
        d = np.r_[np.linspace(0.01, 0.02, 18), -0.3, -0.3]
        base = np.linspace(0.4, 0.6, 20)
        columns = {"a": base, "b": base + d, "low": base - 0.2}
        assert notices(columns, pairs=True)["head_to_head"].evidence == {"pairs": 1}
        assert "head_to_head" not in notices(columns)  # pairs are not the claims of that page

    def test_none_where_means_agree(self):
        assert "head_to_head" not in notices(CLEAR, pairs=True)

    def test_a_circle_of_wins(self):
        assert find_cycle([(0, 1), (1, 2), (2, 0)]) == [0, 1, 2, 0]
        assert find_cycle([(0, 1), (1, 2), (0, 2)]) == []
        assert find_cycle([(4, 5), (2, 3), (3, 4), (4, 2)]) == [2, 3, 4, 2]


class TestMeans:
    LOST = np.r_[np.linspace(0.01, 0.02, 18), -0.15, -0.15]
    SPREAD = np.linspace(0.4, 0.6, 20)

    def test_typical_differences_that_means_do_not_show(self):
        columns = {"a": self.SPREAD, "b": self.SPREAD + self.LOST, "c": self.SPREAD - 0.3 + self.LOST}
        assert notices(columns, pairs=True)["means_do_not_show_it"].evidence == {"pairs": 1}
        assert notices(columns, control="a")["means_do_not_show_it"].evidence == {"pairs": 1}

    @pytest.mark.parametrize("low", [None, 0.3])
    def test_a_typical_lead_that_the_means_do_not_show_is_said_in_the_answer(self, low):
        columns = {"a": self.SPREAD, "b": self.SPREAD + self.LOST} | ({} if low is None else {"c": self.SPREAD - low})
        verdict = read_scores(table(columns), measure="accuracy").verdict()
        assert verdict.winner == "b"
        (told,) = verdict.finding.of_kind(MeansDisagree)
        assert (told.method, told.other, told.mean.estimate) == ("b", "a", pytest.approx(self.LOST.mean()))
        assert 0 in told.mean
        assert told in by_role(verdict.statements)[Role.ANSWER]
        assert "means_do_not_show_it" not in {n.guard for n in verdict.notices}  # it is not said twice

    @pytest.mark.slow
    def test_in_worlds(self):
        def told(seed, gaps, lost):
            rng = RNG(seed)
            base = rng.uniform(0.6, 0.7, 20)
            columns = {m: base + g + rng.normal(0, 0.004, 20) for m, g in zip("abc", gaps, strict=True)}
            columns["a"] -= rng.permutation(np.r_[np.zeros(18), lost, lost])
            return bool(read_scores(table(columns), measure="accuracy").verdict().finding.of_kind(MeansDisagree))

        assert sum(told(seed, (0.015, 0.0, -0.2), 0.15) for seed in range(10)) >= 9
        assert sum(told(seed, (0.06, 0.03, 0.0), 0.0) for seed in range(10)) == 0

    def test_means_that_are_turned_round(self):
        d = np.r_[np.linspace(0.01, 0.02, 18), -0.3, -0.3]
        columns = {"a": self.SPREAD, "b": self.SPREAD + d, "c": self.SPREAD - 0.3}
        (told,) = read_scores(table(columns), measure="accuracy").verdict().finding.of_kind(MeansDisagree)
        assert (told.method, told.other) == ("b", "a")
        assert told.mean.estimate < 0

    def test_means_that_differ_without_a_typical_difference(self):
        # two tiny losses of eight: Wilcoxon's p is 0.039 alone and above 0.05 with three pairs, t finds the mean
        # though two data sets are far from the others
        d = np.array([0.05, 0.051, 0.049, 0.052, 0.048, 0.0505, -0.001, -0.002])
        base = np.linspace(0.4, 0.6, 8)
        columns = {"a": base, "b": base + d, "low": base - np.linspace(0.19, 0.21, 8)}
        found = notices(columns, pairs=True)["means_do_not_show_it"]
        assert found.evidence == {"pairs": 1, "datasets": ["d6", "d7"]}

    @pytest.mark.parametrize("asked", [{}, {"pairs": True}, {"control": "low"}, {"estimand": "mean"}])
    def test_none_where_they_agree(self, asked):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict(**asked)
        assert "means_do_not_show_it" not in {n.guard for n in verdict.notices}
        assert not verdict.finding.of_kind(MeansDisagree)


class TestOnOneDataset:
    def test_no_spread(self):
        (found,) = (n for n in without_spread().verdict().notices if n.guard == "no_spread")
        assert found.text == "the difference of a and b is the same on every split: no spread to test it against"
        assert (found.about, found.evidence) == ("iris", {"pairs": 1})

    def test_fixed_models(self, fixed_models):
        assert "this is about these fixed models" in texts(read_predictions(fixed_models).verdict())


class TestWhyMeansDoNotShowIt:
    def test_the_data_sets_with_the_largest_differences_are_named(self):
        # three methods that differ by little on all data sets but one, where the order is turned round by much
        base = np.linspace(0.4, 0.5, 20)[:, None] + np.array([0.02, 0.01, 0.0]) + RNG(3).normal(0, 0.001, (20, 3))
        base[7] += np.array([-0.35, 0.0, 0.35])
        found = notices({m: base[:, i] for i, m in enumerate("abc")}, pairs=True)["means_do_not_show_it"]
        assert (found.severity, found.evidence) == ("doubt", {"pairs": 3})
        assert found.sentence.endswith(": all of them have their largest difference on d7")
