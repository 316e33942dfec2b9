"""Comparisons with the best from the intervals of all pairs."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_scores import CLEAR, NOISE, folds, table, without_spread

from fairtrial import stats
from fairtrial.results import read_predictions, read_scores
from fairtrial.verdict.consistency import check_consistency
from fairtrial.verdict.designs.compare_methods import leads_of_pairs

BASE = 0.8 + 0.02 * NOISE[:10, 3]


def verdict(measure="accuracy", **columns):
    return read_scores(folds(columns), measure=measure, resampling="10-fold").verdict()


def of(found):
    return {lead.method: lead for lead in found.finding.leads.leads}


def ends(first, second, level=0.95):
    effect = stats.corrected_t(first, second, test_share=0.1, level=level).effect
    return effect.low, effect.high


class TestByHand:
    """A method's smallest lead, by intervals that hold for all pairs: Bonferroni over 3."""

    A, B, C = BASE + NOISE[:10, 0], BASE - 0.001 + NOISE[:10, 1], BASE - 0.05 + NOISE[:10, 2]
    WIDE = 1 - 0.05 / 3

    def test_nobody_wins(self):
        found = verdict(a=self.A, b=self.B, c=self.C)
        leads = of(found)
        assert {m: lead.standing for m, lead in leads.items()} == {"a": "in", "b": "in", "c": "out"}
        assert (found.finding.best, found.winner) == (("a", "b"), None)
        for m, others in (("a", "bc"), ("b", "ac"), ("c", "ab")):
            pairs = [ends(getattr(self, m.upper()), getattr(self, o.upper()), self.WIDE) for o in others]
            assert leads[m].interval.low == pytest.approx(min(low for low, _ in pairs))
            assert leads[m].interval.high == pytest.approx(min(high for _, high in pairs))

    def test_the_rival_is_the_leader_and_for_the_leader_the_next(self):
        leads = of(verdict(a=self.A, b=self.B, c=self.C))
        assert {m: lead.rival for m, lead in leads.items()} == {"a": "b", "b": "a", "c": "a"}
        for m, lead in leads.items():
            expected = getattr(self, m.upper()).mean() - getattr(self, lead.rival.upper()).mean()
            assert lead.interval.estimate == pytest.approx(expected)

    def test_p_is_that_of_the_strongest_rival(self):
        leads = of(verdict(a=self.A, b=self.B, c=self.C))
        p = [stats.corrected_t(x, self.C, test_share=0.1).p_value for x in (self.A, self.B)]
        assert leads["c"].p_value == pytest.approx(3 * min(p))

    def test_the_winner_has_its_own_tests_and_intervals(self):
        b = self.A - 0.0049 + 2 * NOISE[:10, 1]
        alone = [stats.corrected_t(self.A, x, test_share=0.1) for x in (b, self.C)]
        assert 0.05 / 3 < alone[0].p_value < 0.05  # shown by itself, but not among all pairs
        found = verdict(a=self.A, b=b, c=self.C)
        leads = of(found)
        assert found.winner == "a"
        assert (leads["a"].standing, leads["a"].p_value) == ("winner", pytest.approx(max(o.p_value for o in alone)))
        assert leads["a"].interval.low == pytest.approx(min(o.effect.low for o in alone))
        assert leads["a"].interval.low > 0
        # b is out by decision: it is behind by at least what the winner is ahead, and p is that of the winner's test
        assert (leads["b"].standing, leads["b"].closed) == ("out", False)
        assert leads["b"].interval.high == pytest.approx(-leads["a"].interval.low)
        assert leads["b"].p_value == pytest.approx(alone[0].p_value)
        assert (leads["c"].closed, leads["c"].interval.high < 0) == (False, True)

    def test_lower_is_better(self):
        higher, lower = (
            verdict(a=self.A, b=self.B, c=self.C),
            verdict("error_rate", a=1 - self.A, b=1 - self.B, c=1 - self.C),
        )
        for m, lead in of(higher).items():
            other = of(lower)[m]
            assert (other.standing, other.rival) == (lead.standing, lead.rival)
            assert (other.interval.low, other.interval.high) == pytest.approx((lead.interval.low, lead.interval.high))


class TestTwo:
    def test_is_their_pair(self):
        a, b = BASE + NOISE[:10, 0], BASE - 0.05 + NOISE[:10, 1]
        leads = of(verdict(a=a, b=b))
        assert (leads["a"].interval.low, leads["a"].interval.high) == pytest.approx(ends(a, b))
        assert (leads["b"].interval.low, leads["b"].interval.high) == pytest.approx(ends(b, a))
        assert (leads["a"].standing, leads["b"].standing) == ("winner", "out")

    @pytest.mark.parametrize("asked", [{}, {"estimand": "mean"}])
    def test_over_data_sets_it_has_the_estimand_of_the_question(self, asked):
        two = {m: CLEAR[m] for m in ("low", "high")}
        leads = read_scores(table(two), measure="accuracy").verdict(**asked).finding.leads
        assert leads.estimand == asked.get("estimand", "typical")
        test = stats.paired_t if asked else stats.wilcoxon
        effect = test(CLEAR["high"], CLEAR["low"]).effect
        assert (leads.leads[1].method, leads.leads[1].interval.low) == ("high", pytest.approx(effect.low))

    def test_without_a_test_nothing_is_decided(self):
        leads = of(without_spread().verdict())
        assert {lead.standing for lead in leads.values()} == {"in"}
        assert leads["a"].interval.has_no_width or math.isnan(leads["a"].interval.low)


class TestUndefinedPairs:
    """a and b differ by the same amount on every fold, so that this pair has no test."""

    A = np.round(BASE, 2)

    @pytest.mark.parametrize("order", ["abc", "bca", "cab"])
    @pytest.mark.parametrize("gap", [-0.1, 0.1])
    def test_the_order_of_the_columns_does_not_matter(self, order, gap):
        columns = {"a": self.A, "b": self.A + 0.1, "c": self.A + gap / 2 + NOISE[:10, 0]}
        found = verdict(**{m: columns[m] for m in order})
        leads = of(found)
        wide = 1 - 0.05 / 3
        assert leads["b"].interval.low == -math.inf  # its lead over a is not known
        assert leads["b"].interval.high == pytest.approx(ends(columns["b"], columns["c"], wide)[1])
        assert leads["b"].standing == "in"
        assert (leads["a"].standing, leads["c"].standing) == (("in", "out") if gap < 0 else ("out", "out"))
        if gap > 0:  # a is shown to be worse than c
            assert leads["a"].interval.high < 0
            assert leads["a"].p_value < 0.05
        else:
            assert math.isnan(leads["a"].p_value)
        assert check_consistency(found) == ()


class TestCircle:
    def test_there_is_no_best(self):
        # a wins against b, b against c, c against a: two of three folds each, as medians of signs would have it
        found = _compared_in_a_circle()
        assert found.circle == ("a", "b", "c")
        assert (found.best, found.winner) == ((), None)
        assert {lead.standing for lead in found.leads} == {"out"}
        assert all(lead.interval.high <= 0 for lead in found.leads)


def _compared_in_a_circle():
    """The leads where each of three methods is beaten by another one, which transitive means do not allow."""
    from dataclasses import replace

    compared = verdict(a=TestByHand.A, b=TestByHand.B, c=TestByHand.C).finding.compared
    signs = {(0, 1): 1, (0, 2): -1, (1, 2): 1}

    def turned(pair):
        size = 0.05 * signs[pair.first, pair.second]
        effect = replace(pair.effect, estimate=size, low=size - 0.01, high=size + 0.01)
        return replace(pair, effect=effect, own=effect, p_value=0.001, p_adjusted=0.003, different=True)

    pairs = tuple(turned(p) for p in compared.pairs)
    found = replace(compared, winner=None, leads=None)
    found.__dict__["pairs"] = pairs
    return leads_of_pairs(found)


class TestOfOneMind:
    """Standings, ends and p of a page never contradict each other, whichever numbers there are."""

    @settings(max_examples=15, deadline=None)
    @given(st.integers(0, 10**6), st.integers(2, 5), st.sampled_from([0.0, 0.002, 0.01, 0.05]), st.booleans())
    def test_on_one_data_set(self, seed, k, gap, lower):
        random = np.random.default_rng(seed)
        scores = random.uniform(0.6, 0.8, (10, 1)) + random.normal(0, 0.01, (10, k)) + gap * random.normal(size=k)
        found = verdict("error_rate" if lower else "accuracy", **dict(zip("abcde", scores.T, strict=False)))
        self.holds(found)

    @settings(max_examples=8, deadline=None)
    @given(st.integers(0, 10**6), st.integers(2, 4))
    def test_for_fixed_models(self, seed, k):
        random = np.random.default_rng(seed)
        y = random.integers(0, 2, 80)
        right = random.random((80, k)) < random.uniform(0.6, 0.95, k)
        frame = pd.DataFrame(np.where(right, y[:, None], 1 - y[:, None]), columns=list("abcd")[:k])
        self.holds(read_predictions(frame.assign(y=y)).verdict())

    def holds(self, found):
        assert check_consistency(found) == ()
        leads = found.finding.leads
        if leads is None:
            return
        standings = [lead.standing for lead in leads.leads]
        assert ("winner" in standings) == (found.winner is not None)
        assert standings.count("out") == len(standings) - 1 or "winner" not in standings
        for lead in leads.leads:
            low, high = lead.interval.low, lead.interval.high
            if lead.standing == "in" and not math.isnan(low):
                assert low <= 0 <= high
            elif lead.standing == "out" and not math.isnan(low):
                assert high <= 0
                assert lead.closed == (high == 0)
                assert lead.p_value < 0.05
