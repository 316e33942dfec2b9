"""Which claims hinge on single data sets."""

from __future__ import annotations

import numpy as np
import pytest
from made_scores import CLEAR, table

from fairtrial.results import read_scores
from fairtrial.stats.distributions.signed_rank import pseudo_median

RNG = np.random.default_rng


def stable(columns, **asked):
    return read_scores(table(columns), measure="accuracy").verdict(**asked).stable


class TestStability:
    def test_nothing_changes(self):
        assert stable(CLEAR)[:2] == (
            "the same winner whichever data set is left out",
            "all 3 significant differences (of 3 pairs) stay whichever data set is left out",
        )

    def test_the_winner_hinges_on_a_data_set(self):
        # seven wins, six of which are needed: the smallest difference is the only loss without …
        base = np.linspace(0.5, 0.7, 8)
        d = np.array([0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, -0.065])
        verdict = read_scores(table({"a": base + d, "b": base}), measure="accuracy").verdict()
        assert verdict.winner is None
        assert "Without d7 a would win." in verdict.finding.sentences
        assert not any("winner" in text for text in verdict.stable)

    def test_who_may_be_the_best_without_a_data_set(self):
        # c is beaten by a everywhere but on d0, where it is so far ahead that its mean may be the best
        base = RNG(3).normal(0.6, 0.02, (12, 4))
        base[:, 1] -= 0.2
        base[:, 2] = base[:, 0] - np.linspace(0.001, 0.012, 12)
        base[0, 2] = base[0, 0] + 0.05
        frame = table({m: base[:, i] for i, m in enumerate("abcd")})
        found = read_scores(frame, measure="accuracy").verdict(estimand="mean")
        assert "c is only just in: without d0 it would be out." in found.finding.sentences
        assert not any("only just" in text for text in found.stable)

    def test_the_same_methods_may_be_the_best(self):
        base = RNG(4).normal(0.6, 0.001, (10, 3)) - np.array([0, 0, 0.3])
        found = stable({m: base[:, i] for i, m in enumerate("abc")})
        assert "no winner, and the same 2 methods may be the best, whichever data set is left out" in found

    def test_lost_stars_are_named(self):
        scores = RNG(15).normal([0.7, 0.714, 0.75], 0.01, (12, 3))
        found = " ".join(stable({m: scores[:, i] for i, m in enumerate("abc")}))
        assert "2 of 3 significant differences (of 3 pairs) stay whichever data set" in found
        assert "lost are: a and b (" in found

    def test_a_fragile_winner_is_said_in_the_answer(self):
        base, d = np.linspace(0.5, 0.7, 16), np.r_[np.zeros(10), 0.05 + 0.001 * np.arange(6)]
        verdict = read_scores(table({"a": base + d, "b": base}), measure="accuracy").verdict()
        assert verdict.winner == "a"
        sets = "any one of 6 of the 16 data sets (d10, d11, d12, d13, d14 and 1 other)"
        expected = f"The win hinges on single data sets: without {sets} there is no winner."
        assert expected in verdict.finding.sentences
        assert not any("winner" in text for text in verdict.stable)  # it is not said twice
        firm = read_scores(table(CLEAR), measure="accuracy").verdict()
        assert not any("hinges" in sentence for sentence in firm.finding.sentences)

    def test_a_winner_by_means_is_tried_without_each_data_set(self):
        # six wins among thirty data sets, most of which are equal: one of them decides
        def columns(n, seed=0):
            rng = RNG(seed)
            d = np.r_[rng.uniform(0.02, 0.1, 6), rng.uniform(-0.1, 0.02), np.zeros(n - 7)]
            return {"a": 0.5 + d, "b": np.full(n, 0.5), "c": 0.5 - np.where(np.arange(n) < 8, 0.2, 0.0)}

        whole = columns(30)
        verdict = read_scores(table(whole), measure="accuracy").verdict()
        assert verdict.finding.test.startswith("paired t of the means")
        left_out = [{m: np.delete(v, i) for m, v in whole.items()} for i in range(30)]
        winners = [read_scores(table(part), measure="accuracy").verdict(estimand="mean").winner for part in left_out]
        assert (verdict.winner, set(winners)) == ("a", {"a", None})
        assert f"without any one of {winners.count(None)} of the 30 data sets (" in verdict.finding.sentences[-1]
        assert verdict.sentence.startswith("a narrowly has the highest accuracy")

    def test_results_of_a_margin_are_not_called_differences(self):
        found = stable(CLEAR, control="middle", alternative="not worse", smallest_difference=0.01)
        assert found[0] == "the one significant result stays whichever data set is left out"

    def test_six_data_sets_can_not_spare_one(self):
        few = {m: values[:6] for m, values in CLEAR.items()}
        assert stable(few)[0] == "can't be tried: with one data set less there are fewer than 6"

    def test_against_a_control(self):
        found = stable(CLEAR, control="middle")
        assert found[0] == "both significant differences stay whichever data set is left out"

    def test_the_data_set_that_moves_most(self):
        base = np.linspace(0.5, 0.7, 9)
        d = np.array([-0.003, 0.01, 0.02, 0.03, 0.04, 0.05, 0.09, 0.2, 0.3])
        found = stable({"a": base + d, "b": base})
        left_out = [pseudo_median(np.delete(1000 * d, i)) for i in range(9)]
        most = int(np.argmax(np.abs(np.array(left_out) - pseudo_median(1000 * d))))
        assert found[-1].startswith(f"d{most} moves the typical difference of b and a most: from −0.0")

    def test_what_moves_a_difference_that_is_not_shown_is_not_told(self):
        base, d = np.linspace(0.5, 0.7, 9), np.array([-0.04, -0.03, -0.02, -0.01, 0.005, 0.02, 0.031, 0.052, 0.3])
        assert stable({"a": base + d, "b": base}) == ("no winner whichever data set is left out",)

    @pytest.mark.slow
    def test_several_are_only_just_in_or_out(self):
        rows = RNG(1).normal([0.7, 0.698, 0.694, 0.692, 0.69, 0.5], 0.01, (18, 6))
        whole = {m: rows[:, i] for i, m in enumerate("abcdef")}
        verdict = read_scores(table(whole), measure="accuracy").verdict()
        counts = "in brackets how many single data sets of 18 would change that if left out"
        assert f"Only just in: c (2), and only just out: d (6) ({counts})." in verdict.finding.sentences
        assert not any("only just" in text for text in verdict.stable)
        parts = [{m: np.delete(v, i) for m, v in whole.items()} for i in range(18)]
        best = [read_scores(table(part), measure="accuracy").verdict().finding.best for part in parts]
        assert ("c" in verdict.finding.best, "d" in verdict.finding.best) == (True, False)
        assert sum("c" not in found for found in best) == pytest.approx(2, abs=1)  # critical values are approximate
        assert sum("d" in found for found in best) == pytest.approx(6, abs=1)

    def test_nobody_is_out_of_a_set_that_was_not_named(self):
        rows = RNG(4).normal([0.7, 0.69, 0.685], 0.02, (10, 3)) + RNG(1004).uniform(-0.1, 0.1, (10, 1))
        verdict = read_scores(table(dict(zip("abc", rows.T, strict=True))), measure="accuracy").verdict()
        assert verdict.finding.best == ("a", "b")
        assert verdict.sentence.startswith("The data show no difference")
        assert "only just" not in " ".join(verdict.finding.sentences).lower()

    def test_a_data_set_that_moves_little_is_not_told(self):
        assert not any("moves the typical difference" in text for text in stable(CLEAR))

    def test_equivalent_methods_stay_so(self):
        base, d = np.linspace(0.5, 0.7, 30), 0.003 * np.sin(np.arange(30))
        found = stable({"a": base + d, "b": base}, smallest_difference=0.02)
        assert found[0] == "the typical difference stays inside the margin whichever data set is left out"

    def test_what_is_said_of_a_control_hinges(self):
        base, d = np.linspace(0.5, 0.7, 9), np.array([0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, -0.005])
        columns = {"a": base + d, "c": base, "b": base - 0.2 - d / 9}
        verdict = read_scores(table(columns), measure="accuracy").verdict(control="c", level=0.985)
        assert any(s.startswith("What is said of a") for s in verdict.finding.sentences), verdict.finding.sentences

    def test_families_are_left_out_as_one(self):
        verdict = read_scores(table(CLEAR), measure="accuracy").verdict(family={"f": ["d0", "d1", "d2"]})
        assert verdict.stable[0] == "the same winner whichever family is left out"
