"""Which claims hinge on single data sets."""

from __future__ import annotations

import numpy as np
import pytest
from made_scores import CLEAR, table

from fairtrial.results import read_scores
from fairtrial.statements import Role, by_role
from fairtrial.stats.distributions.signed_rank import pseudo_median
from fairtrial.verdict.claims.steadiness import CannotBeTried, ClaimsHinge, Hinges, Kept, Moves, OnlyJust, WouldWin

RNG = np.random.default_rng
NAMES = "abcdef"


def judged(columns, **asked):
    return read_scores(table(columns), measure="accuracy").verdict(**asked)


def steadiness(columns, **asked):
    """What is said about single data sets."""
    kinds = (CannotBeTried, ClaimsHinge, Hinges, Kept, Moves, OnlyJust, WouldWin)
    return [s for s in judged(columns, **asked).finding.statements if isinstance(s, kinds)]


def named(scores):
    return dict(zip(NAMES, np.transpose(scores), strict=False))


def left_out(columns, **asked):
    """The verdict without each data set."""
    n = len(next(iter(columns.values())))
    return [judged({m: np.delete(v, i) for m, v in columns.items()}, **asked) for i in range(n)]


class TestWithTheBest:
    def test_nothing_changes(self):
        assert steadiness(CLEAR) == [Kept("the same winner", 12, 12, "data set")]

    def test_the_same_methods_may_be_the_best(self):
        found = steadiness(named(RNG(4).normal(0.6, 0.001, (10, 3)) - np.array([0, 0, 0.3])))
        assert [(type(s), s.count, s.total) for s in found] == [(Kept, 10, 10)]

    def test_a_doubt_or_that_it_stays_and_never_both(self):
        for seed in range(6):
            found = steadiness(named(RNG(seed).normal([0.7, 0.695, 0.69], 0.01, (9, 3))))
            changes = [s for s in found if isinstance(s, (Hinges, OnlyJust, WouldWin))]
            assert bool(changes) != any(isinstance(s, Kept) for s in found)
            assert all(
                s.role == Role.STABILITY for s in changes if isinstance(s, WouldWin) or getattr(s, "is_in", False)
            )

    @pytest.mark.slow
    @pytest.mark.parametrize("estimand", ["typical", "mean"])
    def test_what_is_said_is_what_is_found_without_each_data_set(self, estimand):
        seen = set()
        for seed in range(2, 6):
            columns = named(RNG(seed).normal([0.7, 0.693, 0.686], 0.01, (9, 3)))
            verdict, parts = judged(columns, estimand=estimand), left_out(columns, estimand=estimand)
            winners = [part.winner for part in parts]
            for said in steadiness(columns, estimand=estimand):
                seen.add(type(said))
                if isinstance(said, Hinges):
                    lost = [f"d{i}" for i, w in enumerate(winners) if w != verdict.winner]
                    assert (list(said.sets), said.another) == (
                        lost,
                        any(w not in (None, verdict.winner) for w in winners),
                    )
                elif isinstance(said, WouldWin):
                    assert list(said.sets) == [f"d{i}" for i, w in enumerate(winners) if w is not None]
                elif isinstance(said, OnlyJust):
                    assert said.is_in == (said.method in verdict.finding.best)
                    turned = [f"d{i}" for i, part in enumerate(parts) if part.winner is None
                              and (said.method in part.finding.best) != said.is_in]  # fmt: skip
                    assert list(said.sets) == turned
                elif verdict.winner is not None:
                    assert set(winners) == {verdict.winner}
        assert len(seen) > 2, seen

    @pytest.mark.slow
    def test_several_are_only_just_in_or_out(self):
        columns = named(RNG(1).normal([0.7, 0.698, 0.694, 0.692, 0.69, 0.5], 0.01, (18, 6)))
        verdict, parts = judged(columns), left_out(columns)
        turns = {m: sum((m in part.finding.best) != (m in verdict.finding.best) for part in parts) for m in columns}
        for just in verdict.finding.of_kind(OnlyJust):
            own = {m: n for m, n in turns.items() if (m in verdict.finding.best) == just.is_in}
            assert turns[just.method] == max(own.values())
            assert len(just.sets) == pytest.approx(turns[just.method], abs=1)  # critical values are approximate
            assert just.others == sum(n > 0 for n in own.values()) - 1
        assert verdict.finding.of_kind(OnlyJust)

    def test_who_may_be_the_best_by_means_without_a_data_set(self):
        # c is beaten by a everywhere but on d0, where it is so far ahead that its mean may be the best
        base = RNG(3).normal(0.6, 0.02, (12, 4))
        base[:, 1] -= 0.2
        base[:, 2] = base[:, 0] - np.linspace(0.001, 0.012, 12)
        base[0, 2] = base[0, 0] + 0.05
        (just,) = judged(named(base), estimand="mean").finding.of_kind(OnlyJust)
        assert (just.method, just.is_in, just.sets, just.n) == ("c", True, ("d0",), 12)

    def test_nobody_is_only_just_out_of_a_set_that_stays(self):
        rows = RNG(4).normal([0.7, 0.69, 0.685], 0.02, (10, 3)) + RNG(1004).uniform(-0.1, 0.1, (10, 1))
        verdict = judged(named(rows))
        assert verdict.finding.best == ("a", "b")
        just = verdict.finding.of_kind(OnlyJust)
        assert all(s.sets and s.is_in == (s.method in ("a", "b")) for s in just)

    def test_six_data_sets_can_not_spare_one(self):
        assert steadiness({m: values[:6] for m, values in CLEAR.items()}) == [CannotBeTried("data set", 6)]

    def test_families_are_left_out_as_one(self):
        assert steadiness(CLEAR, family={"f": ["d0", "d1", "d2"]}) == [Kept("the same winner", 10, 10, "family")]


class TestOfTwo:
    def test_a_data_set_without_which_one_would_win(self):
        base = np.linspace(0.5, 0.7, 8)
        d = np.array([0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, -0.065])
        assert steadiness({"a": base + d, "b": base}) == [WouldWin("a", ("d7",), 8)]

    def test_a_fragile_winner_is_said_on_the_page_and_is_no_doubt(self):
        base, d = np.linspace(0.5, 0.7, 16), np.r_[np.zeros(10), 0.05 + 0.001 * np.arange(6)]
        verdict = judged({"a": base + d, "b": base})
        assert verdict.winner == "a"
        (hinges,) = verdict.finding.of_kind(Hinges)
        assert (hinges.sets, hinges.n, hinges.another) == (tuple(f"d{i}" for i in range(10, 16)), 16, False)
        assert hinges in by_role(verdict.statements)[Role.STABILITY]
        assert [what for what, _ in verdict.page_remarks()] == ["Read", "Test", "Fragile", "Next"]
        assert not verdict.finding.of_kind(Kept)  # it is not said twice

    def test_the_data_set_that_moves_most(self):
        base = np.linspace(0.5, 0.7, 9)
        d = np.array([-0.003, 0.01, 0.02, 0.03, 0.04, 0.05, 0.09, 0.2, 0.3])
        (moves,) = (s for s in steadiness({"a": base + d, "b": base}) if isinstance(s, Moves))
        left = [pseudo_median(np.delete(1000 * d, i)) / 1000 for i in range(9)]
        whole = pseudo_median(1000 * d) / 1000
        most = int(np.argmax(np.abs(np.array(left) - whole)))
        assert (moves.dataset, moves.method, moves.other) == (f"d{most}", "b", "a")
        assert (moves.before, moves.after) == pytest.approx((-whole, -left[most]))

    def test_what_moves_a_difference_that_is_not_shown_is_not_told(self):
        base, d = np.linspace(0.5, 0.7, 9), np.array([-0.04, -0.03, -0.02, -0.01, 0.005, 0.02, 0.031, 0.052, 0.3])
        assert steadiness({"a": base + d, "b": base}) == [Kept("no difference", 9, 9, "data set")]

    def test_a_data_set_that_moves_little_is_not_told(self):
        two = {m: CLEAR[m] for m in ("low", "high")}
        assert steadiness(two) == [Kept("the same answer", 12, 12, "data set")]

    def test_equivalent_methods_stay_so(self):
        base, d = np.linspace(0.5, 0.7, 30), 0.003 * np.sin(np.arange(30))
        (kept,) = steadiness({"a": base + d, "b": base}, smallest_difference=0.02)
        assert (kept.count, kept.total) == (30, 30)

    @pytest.mark.slow
    def test_a_winner_by_means_of_many_equal_scores(self):
        # six wins among thirty data sets, most of which are equal: one of them decides, and means are compared unasked
        d = np.r_[RNG(0).uniform(0.02, 0.1, 6), RNG(1).uniform(-0.1, 0.02), np.zeros(23)]
        columns = {"a": 0.5 + d, "b": np.full(30, 0.5)}
        verdict = judged(columns)
        assert verdict.finding.compared.switched
        winners = [part.winner for part in left_out(columns, estimand="mean")]
        lost = tuple(f"d{i}" for i, w in enumerate(winners) if w != verdict.winner)
        assert [s.sets for s in verdict.finding.of_kind(Hinges if verdict.winner else WouldWin)] == (
            [lost] if lost else []
        )


class TestOfPairs:
    def test_all_pairs(self):
        (kept,) = (s for s in steadiness(CLEAR, pairs=True) if isinstance(s, Kept))
        assert (kept.count, kept.total) == (3, 3)

    @pytest.mark.slow
    def test_lost_differences_are_counted(self):
        columns = named(RNG(15).normal([0.7, 0.714, 0.75], 0.01, (12, 3)))
        (kept,) = (s for s in steadiness(columns, pairs=True) if isinstance(s, Kept))
        always = [
            all(p.different for p in own)
            for own in zip(*(v.finding.pairs for v in left_out(columns, pairs=True)), strict=True)
        ]
        assert (kept.count, kept.total) == (sum(always), 3) == (2, 3)

    def test_against_a_control(self):
        (kept,) = (s for s in steadiness(CLEAR, control="middle") if isinstance(s, Kept))
        assert (kept.count, kept.total) == (2, 2)

    def test_a_margin(self):
        found = steadiness(CLEAR, control="middle", alternative="not worse", smallest_difference=0.01)
        assert [(s.count, s.total) for s in found if isinstance(s, Kept)] == [(1, 1)]

    def test_what_is_said_of_a_control_hinges(self):
        base, d = np.linspace(0.5, 0.7, 9), np.array([0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, -0.005])
        columns = {"a": base + d, "c": base, "b": base - 0.2 - d / 9}
        assert ClaimsHinge(("a",)) in steadiness(columns, control="c", level=0.985)
