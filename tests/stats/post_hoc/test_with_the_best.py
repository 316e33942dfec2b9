"""Comparisons with the best."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.stats import comparisons_with_the_best, paired_t, sole_winner, wilcoxon
from fairtrial.stats.post_hoc.with_the_best import best_without_each_row

RNG = np.random.default_rng
tables = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 6), min_size=k, max_size=k), min_size=2, max_size=11)
)


def ends(found):
    return np.array([(lead.interval.low, lead.interval.high) for lead in found.leads])


def standings(found):
    return [lead.standing for lead in found.leads]


def signed_rank_sum(d):
    ranks = np.empty(len(d))
    ranks[np.argsort(np.abs(d))] = np.arange(1, len(d) + 1)
    return int((ranks * np.sign(d)).sum())


def naive(x):
    """The construction written out for few rows without ties, with all flips, as (standings, intervals)."""
    n, k = x.shape
    flips = list(itertools.product([-1, 1], repeat=n))
    d = {(i, j): x[:, i] - x[:, j] for i in range(k) for j in range(k)}
    walsh = {p: sorted((v[a] + v[b]) / 2 for a in range(n) for b in range(a, n)) for p, v in d.items()}
    m = n * (n + 1) // 2
    sums = [sum(s * r for s, r in zip(signs, range(1, n + 1), strict=True)) for signs in flips]
    z = max(t for t in sums if 2 * sum(s >= t for s in sums) / 2**n >= 0.05)
    t = {p: signed_rank_sum(v) for p, v in d.items()}
    residuals = {p: v - np.median(walsh[p]) for p, v in d.items()}
    flipped = [{p: signed_rank_sum(r * np.array(f)) for p, r in residuals.items()} for f in flips]

    def others(i):
        return [j for j in range(k) if j != i]

    def smallest(lead, marked):
        c = z
        while sum(mark or one > c for one, mark in zip(lead, marked, strict=True)) >= 0.05 * 2**n:
            c += 1
            if c > m:
                return None
        return c

    def low(i, j, c):
        return -np.inf if c is None or c >= m else walsh[i, j][int(np.ceil((m - c) / 2)) - 1]

    def high(i, j, c):
        return np.inf if c is None or c >= m else walsh[i, j][int(np.floor((m + c) / 2))]

    someone = [any(all(f[w, j] > z for j in others(w)) for w in range(k)) for f in flipped]
    c, both = [], []
    for i in range(k):
        c.append(smallest([max(f[j, i] for j in others(i)) for f in flipped], someone))
        rival = min(others(i), key=lambda j: np.median(walsh[i, j]))
        largest = [max(abs(f[i, j]) for j in others(i)) for f in flipped]
        both.append(smallest(largest, [f[i, rival] > z for f in flipped]))
    won = [w for w in range(k) if all(t[w, j] > z for j in others(w))]
    inside = won or [i for i in range(k) if c[i] is None or max(t[j, i] for j in others(i)) <= c[i]]
    if len(inside) == 1 and not won:
        inside = sorted(inside + [j for j in others(inside[0]) if t[inside[0], j] <= z])
    unbounded = [d is None or d >= m for d in both]
    upper = [c[b] if unbounded[b] else both[b] for b in range(k)]
    found = []
    for i in range(k):
        rivals = [b for b in inside if b != i]
        if won == [i]:
            found.append((min(low(i, j, z) for j in others(i)), min(high(i, j, upper[i]) for j in others(i))))
        elif i in inside:
            found.append((-max(high(b, i, upper[b]) for b in rivals), min(high(i, j, upper[i]) for j in others(i))))
        else:
            best = max(-low(b, i, both[b]) for b in rivals)
            found.append((-max(high(b, i, upper[b]) for b in rivals), min(0, best)))
    if won:  # who is not the winner is behind by at least what it is ahead
        (w,) = won
        found = [(lo, hi if i == w else min(hi, -found[w][0])) for i, (lo, hi) in enumerate(found)]
    kinds = ["winner" if won == [i] else "in" if i in inside else "out" for i in range(k)]
    return kinds, np.array(found)


class TestByHand:
    def test_against_the_construction_written_out(self):
        seen = set()
        for seed in range(12):
            x = RNG(seed).normal([0, 0.7, 1.3, 2.2][: 3 + seed % 2], 1, (7 + seed // 2 % 2, 3 + seed % 2))
            found = comparisons_with_the_best(x)
            kinds, expected = naive(x)
            assert standings(found) == kinds
            assert ends(found) == pytest.approx(expected, abs=1e-9)
            seen |= set(kinds)
        assert seen == {"winner", "in", "out"}

    def test_a_winner(self):
        # A leads both by different numbers on 8 data sets, always: p = 2/256, and z leaves out 3 of the 36 rank sums
        b, c = np.array([1.0, 2, 3, 4, 5, 6, 7, 8]), np.array([12.0, 10.1, 19.3, 18.7, 13.9, 14.2, 15.4, 11.8])
        found = comparisons_with_the_best(np.column_stack([np.zeros(8), -b, -c]), names="ABC")
        assert (found.winner, found.best, found.leader) == ("A", ("A",), "A")
        first = found.leads[0]
        assert first.p_value == 2 / 256
        assert first.rival == "B"
        assert first.interval.estimate == 4.5
        assert first.interval.low == 2.0  # the fourth smallest of 1, 1.5, 2, 2, 2.5, 2.5, …
        assert found.leads[2].interval.high < -8
        assert not found.leads[1].closed


class TestTwoMethods:
    @pytest.mark.parametrize("seed", range(8))
    def test_is_wilcoxons_test(self, seed):
        x = RNG(seed).normal([0, 0.6], 1, (5 + 4 * seed, 2)).round(1)
        pair = wilcoxon(x[:, 1], x[:, 0], zeros="pratt")
        found = comparisons_with_the_best(x)
        assert ends(found)[1] == pytest.approx((pair.effect.low, pair.effect.high))
        assert ends(found)[0] == pytest.approx((-pair.effect.high, -pair.effect.low))
        assert (found.winner is not None) == (pair.p_value < 0.05)
        assert min(lead.p_value for lead in found.leads) == pytest.approx(pair.p_value)
        assert not any(lead.closed for lead in found.leads)

    def test_of_means_is_the_paired_t_test(self):
        x = RNG(3).normal([0, 1.9], 1, (12, 2))
        pair = paired_t(x[:, 1], x[:, 0])
        found = comparisons_with_the_best(x, estimand="mean")
        assert ends(found)[1] == pytest.approx((pair.effect.low, pair.effect.high))
        assert (found.winner, found.leads[1].p_value) == ("1", pytest.approx(pair.p_value))


class TestProperties:
    @settings(max_examples=60, deadline=None)
    @given(tables, st.sampled_from(["typical", "mean"]))
    def test_intervals_agree_with_the_standing(self, table, estimand):
        found = comparisons_with_the_best(table, estimand=estimand)
        if estimand == "typical":
            assert found.winner == sole_winner(table).details["winner"]
        for lead in found.leads:
            low, high = lead.interval.low, lead.interval.high
            assert low <= high
            if lead.standing == "winner":
                assert low > 0
                assert found.best == (lead.method,)
                assert lead.p_value < 0.05
            elif lead.standing == "in":
                assert low <= 0 <= high
                assert lead.p_value >= 0.05 or found.circle
            else:
                assert high <= 0
                assert lead.p_value < 0.05
                assert lead.closed == (high == 0)
        assert bool(found.best) != bool(found.circle)
        assert len(found.best) != 1 or found.winner

    @settings(max_examples=25, deadline=None)
    @given(tables, st.sampled_from(["typical", "mean"]), st.randoms(use_true_random=False))
    def test_the_order_of_columns_does_not_matter(self, table, estimand, random):
        k = len(table[0])
        order = random.sample(range(k), k)
        x = np.array(table) + 1e-3 * RNG(0).normal(size=np.shape(table))  # differences of 0 have no order
        first = comparisons_with_the_best(x, estimand=estimand)
        second = comparisons_with_the_best(x[:, order], estimand=estimand, names=[str(i) for i in order])
        assert [standings(first)[i] for i in order] == standings(second)
        assert [first.leads[i].p_value for i in order] == pytest.approx([lead.p_value for lead in second.leads])

    @pytest.mark.parametrize("estimand", ["typical", "mean"])
    def test_shifts_turns_and_orders(self, estimand):
        x = RNG(5).normal([0, 0.4, 1.1, 1.2, -0.3], 1, (11, 5))
        found = comparisons_with_the_best(x, estimand=estimand)
        negated = comparisons_with_the_best(-x, estimand=estimand, higher_is_better=False)
        assert ends(negated) == pytest.approx(ends(found))
        assert standings(negated) == standings(found)
        order = [3, 1, 4, 0, 2]
        assert ends(comparisons_with_the_best(x[:, order], estimand=estimand)) == pytest.approx(ends(found)[order])
        rows = x + np.arange(11.0)[:, None]  # harder data sets for all
        assert ends(comparisons_with_the_best(rows, estimand=estimand)) == pytest.approx(ends(found))
        ahead = x + np.array([0, 0, 0, 5.0, 0])
        moved = comparisons_with_the_best(ahead, estimand=estimand)
        assert (moved.winner, moved.leader) == ("3", "3")
        assert moved.leads[3].interval.estimate == pytest.approx(found.leads[3].interval.estimate + 5, abs=1.0)

    @pytest.mark.slow
    def test_the_winner_is_todays_with_many_rows_and_ties(self):
        for seed in range(30):
            x = RNG(seed).normal([0, 0, 0.3, 0.9], 1, (14 + seed, 4)).round(seed % 3)
            assert comparisons_with_the_best(x, draws=99).winner == sole_winner(x).details["winner"]

    @pytest.mark.parametrize("estimand", ["typical", "mean"])
    def test_another_level_and_its_p_values(self, estimand):
        x = RNG(2).normal([0, 0.5, 1.0, 1.3], 1, (13, 4))
        for level in (0.5, 0.8, 0.9, 0.99):
            found = comparisons_with_the_best(x, level=level, estimand=estimand)
            for lead in found.leads:
                assert (lead.standing == "out") == (lead.p_value < 1 - level and lead.standing != "winner")


class TestSpecialCases:
    def test_a_circle_has_no_best(self):
        # on each data set the five have the scores 0 to 4, turned: each is 1 ahead of the next on four of five
        turned = (np.arange(5) + np.arange(200)[:, None]) % 5 + 0.01 * RNG(0).normal(size=(200, 5))
        found = comparisons_with_the_best(np.column_stack([turned, np.full(200, -9.0)]), names="ABCDE-")
        assert found.circle == ("A", "B", "C", "D", "E")
        assert (found.best, found.winner) == ((), None)
        assert set(standings(found)) == {"in"}
        assert "A, B, C, D and E beat each other in a circle: there is no best" in str(found)

    def test_the_one_left_takes_back_those_that_it_does_not_beat(self):
        generator = RNG(4)
        table = (np.arange(5) + generator.integers(0, 5, (40, 1))) % 5 + 0.3 * generator.normal(size=(40, 5))
        found = comparisons_with_the_best(table, draws=999)
        sums = np.array([[signed_rank_sum(table[:, j] - table[:, i]) for j in range(5)] for i in range(5)])
        assert (sums.max(axis=1) > np.array(found.critical_values) / 2).tolist() == [False, True, True, True, True]
        beaten = [wilcoxon(table[:, 0], table[:, j]).p_value < 0.05 and sums[0, j] < 0 for j in range(5)]
        assert standings(found) == ["out" if lost else "in" for lost in beaten] == ["in", "in", "out", "in", "out"]

    @pytest.mark.parametrize("estimand", ["typical", "mean"])
    def test_equal_scores_leave_all_in(self, estimand):
        found = comparisons_with_the_best(np.ones((12, 3)), estimand=estimand)
        assert found.best == ("0", "1", "2")
        assert (ends(found) == 0).all()
        assert {lead.p_value for lead in found.leads} == {1.0}

    def test_too_few_rows_have_no_bounds(self):
        found = comparisons_with_the_best(RNG(0).normal([0, 9, 20], 1, (4, 3)))
        assert found.best == ("0", "1", "2")
        assert np.isinf(ends(found)).all()
        assert found.leads[0].interval.notes == ("too few data sets for a bounded interval at this level",)

    def test_an_end_without_a_bound_is_closed_at_zero(self):
        # 6 data sets, 3 methods: flips bound one side only; the first two are nearly equal, the third is far behind
        generator = RNG(0)
        first, near, behind = generator.normal(size=6), generator.normal(size=6), generator.normal(size=6)
        found = comparisons_with_the_best(np.column_stack([first, first + 0.3 * near, first - 9 - behind]))
        assert standings(found) == ["in", "in", "out"]
        assert found.leads[2].closed
        assert found.leads[2].interval.high == 0
        assert "by how much is not shown" in str(found)

    def test_the_same_lead_everywhere_is_no_certainty_for_means(self):
        x = np.column_stack([np.arange(4.0), np.arange(4.0) + 1, np.arange(4.0)])
        found = comparisons_with_the_best(x, estimand="mean")
        assert found.winner is None
        assert found.leads[1].interval.estimate == 1.0
        assert comparisons_with_the_best(np.vstack([x, x]), estimand="mean").winner == "1"

    def test_many_rows_by_the_normal_limit(self):
        x = RNG(1).normal([0, 0.02, 0.3, 0.32], 1, (1200, 4))
        for estimand in ("typical", "mean"):
            many = comparisons_with_the_best(x, estimand=estimand)
            assert many.best == ("2", "3")
            few = comparisons_with_the_best(x[:1000], estimand=estimand)
            width = (ends(few)[3, 1] - ends(few)[3, 0]) / (ends(many)[3, 1] - ends(many)[3, 0])
            assert width == pytest.approx(np.sqrt(1.2), rel=0.05)

    def test_the_mean_and_the_typical_lead_may_disagree(self):
        x = np.zeros((40, 3))
        x[:, 0] = np.r_[np.linspace(0.1, 0.2, 37), -9, -9.5, -8]
        x[:, 2] = -5 + np.linspace(0, 1, 40)
        assert comparisons_with_the_best(x).best == ("0",)
        assert comparisons_with_the_best(x, estimand="mean").leader == "1"

    @pytest.mark.parametrize(
        ("table", "options", "why"),
        [
            ([[1.0], [2.0]], {}, r"at least 2 data sets \(rows\) and 2 methods"),
            (np.ones((9, 3)), {"estimand": "median"}, r"estimand must be 'typical' or 'mean', got 'median'"),
            (np.ones((9, 3)), {"level": 95}, r"level must lie strictly between 0 and 1"),
            (np.ones((9, 3)), {"draws": 0}, r"draws must be a whole number"),
        ],
    )
    def test_says_what_was_wrong(self, table, options, why):
        with pytest.raises(InputError, match=why):
            comparisons_with_the_best(table, **options)

    def test_as_a_dictionary(self):
        found = comparisons_with_the_best(RNG(0).normal([0, 3], 1, (12, 2)), names=["tree", "forest"]).to_dict()
        assert (found["winner"], found["best"], found["leads"][0]["standing"]) == ("forest", ("forest",), "out")


class TestErrorRates:
    @pytest.mark.slow
    @pytest.mark.parametrize("estimand", ["typical", "mean"])
    def test_all_intervals_hold_together(self, estimand):
        truth = np.array([0.02, 0, -0.02, -1.5])
        lead = np.array([truth[i] - np.delete(truth, i).max() for i in range(4)])
        generator, held, out = RNG(7), 0, 0
        for _ in range(300):
            found = comparisons_with_the_best(generator.normal(truth, 1, (9, 4)), estimand=estimand)
            held += bool(((ends(found)[:, 0] <= lead) & (lead <= ends(found)[:, 1])).all())
            out += found.leads[0].standing == "out"
        assert held >= 0.95 * 300 - 2 * np.sqrt(300 * 0.05 * 0.95)
        assert out <= 0.05 * 300 + 2 * np.sqrt(300 * 0.05 * 0.95)


class TestWithoutEachRow:
    @pytest.mark.slow
    @pytest.mark.parametrize("estimand", ["typical", "mean"])
    def test_against_doing_it_again(self, estimand):
        same = 0
        for seed, n in ((0, 9), (1, 20), (2, 30), (3, 40)):
            x = RNG(seed).normal([0, 0.4, 0.9, 1.3], 1, (n, 4))
            without = best_without_each_row(x, comparisons_with_the_best(x, estimand=estimand))
            assert len(without) == n
            for row, one in enumerate(without):
                again = comparisons_with_the_best(np.delete(x, row, axis=0), estimand=estimand)
                assert one.winner == again.winner
                same += one.best == again.best
        assert same >= 0.95 * 99

    def test_lower_may_be_better(self):
        x = RNG(2).normal([0, 2, 4], 1, (20, 3))
        found = comparisons_with_the_best(x, higher_is_better=False, names="ABC")
        without = best_without_each_row(x, found, higher_is_better=False)
        assert {(one.winner, one.best) for one in without} == {("A", ("A",))}

    def test_two_methods(self):
        x = RNG(4).normal([0, 0.3], 1, (24, 2))
        without = best_without_each_row(x, comparisons_with_the_best(x))
        again = [wilcoxon(*np.delete(x, row, axis=0).T, zeros="pratt").p_value < 0.05 for row in range(24)]
        assert [one.winner is not None for one in without] == again
        assert len(set(again)) == 2
        assert all(one.best == (("1",) if one.winner else ("0", "1")) for one in without)
