"""No verdict contradicts itself, in worlds drawn at random; and each contradiction is found where there is one."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from made_scores import CLEAR, table, without_spread

from fairtrial.lab.page_worlds import contradictions, drawn
from fairtrial.results import read_scores
from fairtrial.stats import Interval
from fairtrial.verdict import Verdict, check_consistency
from fairtrial.verdict.claims.best import Choice, Circle, MayBeBest, Winner
from fairtrial.verdict.claims.difference import AgainstControl, Better, Differences, Equivalent, NotShown
from fairtrial.verdict.claims.steadiness import Hinges, Kept, MeansDisagree, OnlyJust, WouldWin
from fairtrial.verdict.claims.support import NextStep

RNG = np.random.default_rng
WORLDS = 60


class TestRandomWorlds:
    @pytest.mark.slow
    @pytest.mark.parametrize("seeds", [range(i, i + 10) for i in range(0, WORLDS, 10)], ids=lambda s: f"from {s[0]}")
    def test_no_contradiction(self, seeds):
        for seed in seeds:
            results, asked = drawn(RNG([32, seed]))
            assert contradictions(results.verdict(**asked)) == (), (seed, asked)


@pytest.mark.parametrize("seed", [2088, 2196])
def test_a_lead_below_nought_without_bounds_is_not_ahead(seed):
    results, asked = drawn(RNG([32, seed]))
    verdict = results.verdict(**asked)
    assert [c.wins for c in verdict.finding.of_kind(Choice)] == [False]
    assert check_consistency(verdict) == ()


def scored(columns: dict[str, np.ndarray], **asked: object) -> Verdict:
    return read_scores(table(columns), measure="accuracy").verdict(**asked)


def noisy(*leads: float, n: int = 12, sd: float = 0.01, seed: int = 1) -> dict[str, np.ndarray]:
    base = RNG(seed).uniform(0.5, 0.8, n)
    return {f"m{i}": base + lead + RNG([seed, i]).normal(0, sd, n) for i, lead in enumerate(leads)}


@pytest.fixture(scope="module")
def won():
    return scored(CLEAR)


@pytest.fixture(scope="module")
def open_():
    """No winner: m0 or m1 may be the best, and m2 is out."""
    return scored(noisy(0.0, 0.0, -0.1))


@pytest.fixture(scope="module")
def pair():
    return scored({m: CLEAR[m] for m in ("high", "low")})


@pytest.fixture(scope="module")
def no_pair():
    return scored(noisy(0.0, 0.0), smallest_difference=0.05)


@pytest.fixture(scope="module")
def control():
    return scored(CLEAR, control="middle")


def doctored(verdict: Verdict, *more: object, without: type | tuple[()] = (), **fields: object) -> Verdict:
    """The verdict with further statements, without those of a kind, and with other fields of its finding."""
    kept = tuple(s for s in verdict.statements if not isinstance(s, without))
    return replace(verdict, finding=replace(verdict.finding, statements=(*kept, *more), **fields))


def with_rows(verdict: Verdict, change) -> Verdict:
    """The verdict, whose comparison has other rows."""
    compared = verdict.finding.compared
    changed = replace(compared)
    object.__setattr__(changed, "rows", [change(row) for row in compared.rows])
    return doctored(verdict, compared=changed)


def moved(interval: Interval, by: float) -> Interval:
    return replace(interval, estimate=interval.estimate + by, low=interval.low + by, high=interval.high + by)


def only(verdict: Verdict, kind):
    [statement] = verdict.finding.of_kind(kind)
    return statement


def standing(method: str, mark: str):
    """A change of rows: the mark of a method."""
    return lambda verdict: with_rows(
        verdict,
        lambda row: replace(row, standing=mark) if verdict.evidence.methods[row.method] == method else row,
    )


def shifted(method: str, by: float):
    """A change of rows: the interval of a method is moved."""
    return lambda verdict: with_rows(
        verdict,
        lambda row: (
            replace(row, effect=moved(row.effect, by)) if verdict.evidence.methods[row.method] == method else row
        ),
    )


def outside(verdict: Verdict) -> Verdict:
    """The estimates lie below their intervals."""
    return with_rows(
        verdict, lambda row: row if row.effect is None else replace(row, effect=replace(row.effect, estimate=-9.0))
    )


def larger_p(verdict: Verdict) -> Verdict:
    return with_rows(verdict, lambda row: replace(row, p_value=None if row.p_value is None else 0.4))


def behind(verdict: Verdict) -> Verdict:
    """The estimates have the opposite sign."""
    return with_rows(verdict, lambda row: replace(row, effect=replace(row.effect, estimate=-abs(row.effect.estimate))))


def turned_round(verdict: Verdict) -> Verdict:
    leader = verdict.finding.leads.leader
    return doctored(behind(verdict), MeansDisagree(leader, "m2", Interval("mean", -0.1, -0.2, 0.1)))


def turned(verdict: Verdict) -> Verdict:
    compared = replace(verdict.finding.compared)
    object.__setattr__(compared, "rows", tuple(reversed(verdict.finding.compared.rows)))
    return doctored(verdict, compared=compared)


def instead(kind: type, **fields: object):
    """A change of the one statement of a kind."""
    return lambda verdict: doctored(verdict, replace(only(verdict, kind), **fields), without=kind)


def adding(*more: object):
    return lambda verdict: doctored(verdict, *more)


def having(**fields: object):
    return lambda verdict: doctored(verdict, **fields)


NONE = Interval("d", 0.01, -0.02, 0.04)
SOME = Interval("d", 0.03, 0.02, 0.04)

CONTRADICTIONS = [
    ("won", shifted("high", -0.2), "high is best, but its interval holds 0"),
    ("won", shifted("low", 0.5), "low is out, but its interval holds 0"),
    ("won", larger_p, "is best, but its p is"),
    ("control", outside, "lies outside its interval"),
    ("control", standing("low", ""), "the methods that are worse are others"),
    ("control", instead(AgainstControl, better=()), "the methods that are better are others"),
    ("pair", shifted("low", 0.5), "low is worse, but its interval holds 0"),
    ("no_pair", shifted("m0", 0.5), "m0 has no mark, but its interval excludes 0"),
    ("won", instead(Winner, method="low"), "low is the best of the answer, but not of the table"),
    ("won", instead(Winner, lead=SOME), "the lead of high in the answer is not that of the table"),
    ("won", having(winner=None), "high is the best of the answer"),
    ("won", adding(MayBeBest(("high", "low"), ())), "no best is shown, but high wins"),
    ("won", adding(Circle(("high", "low", "middle"))), "wins go in a circle, but there is a best"),
    ("won", adding(NotShown("high", "low", None)), "no difference is shown, but high wins"),
    ("open_", instead(MayBeBest, methods=("m0",)), "others in the answer than in the table"),
    ("open_", having(best=("m0", "m2")), "others in the answer than in the data"),
    ("open_", instead(Choice, method="m2"), "m2 is chosen, but out"),
    ("open_", instead(Choice, loss=0.9), "the loss by choosing .* is not the end of its interval"),
    ("open_", lambda v: instead(Choice, wins=True)(behind(v)), "is said to be ahead, but its lead is below 0"),
    ("open_", turned_round, "the means are turned round, but the typical lead of m[01] is not above 0"),
    ("open_", turned, "methods that are out stand above others"),
    ("pair", instead(Better, lead=NONE), "the interval of its lead holds 0"),
    ("pair", instead(Better, lead=SOME), "the lead of high in the answer is not that of the table"),
    ("no_pair", adding(NotShown("m0", "m1", SOME)), "no difference of m0 is shown, but the interval excludes 0"),
    ("no_pair", adding(Equivalent("m0", "m1", Interval("d", 0.2, 0.1, 0.3))), "are equivalent, but differ by more"),
    ("pair", adding(Equivalent("high", "low", None)), "are equivalent, but differ by more"),
    ("won", adding(Differences((), 3, "low")), "the winner of the answer is another"),
    ("open_", adding(Hinges(("d1",), 12)), "the win hinges on single data sets, but there is none, or it stays"),
    ("won", adding(Hinges(("d1",), 12), Kept("the same winner", 12, 12, "data set")), "there is none, or it stays"),
    ("won", adding(WouldWin("low", ("d1",), 12)), "there is a winner, but another one would win"),
    ("open_", adding(OnlyJust("m2", True, ("d1",), 12)), "m2 is only just in, but it is not"),
    ("no_pair", adding(NextStep("say what matters")), "what matters is said already"),
    ("won", adding(NextStep("more data", 30, "data sets", ("low",))), "more data are asked for, but there is a winner"),
    ("open_", adding(NextStep("more data", 30, "data sets", ("m0", "m2"))), "asked for a pair that is decided"),
    ("won", instead(Winner, runner_up="nobody"), "nobody is named, but its row is not shown"),
]  # fmt: skip


class TestChoice:
    def test_a_leader_that_loses_more_often_is_not_said_to_be_ahead(self):
        d = np.array([-1, -1, -1, -1, -1, 3, 3, 4]) / 100
        base = np.linspace(0.5, 0.7, 8)
        verdict = scored({"a": base + d, "b": base, "c": base - 0.2})
        choice = only(verdict, Choice)
        assert (choice.method, choice.wins) == ("a", False)
        assert only(verdict, MayBeBest).methods[0] == "a"

    def test_nor_is_one_whose_lead_is_below_zero(self):
        """Typical leads can go in a circle, though no test shows one: nobody's is above 0."""
        noise = RNG(51).standard_t(2, (7, 3)).round(1) * 0.02
        verdict = scored({f"m{i}": 0.5 + noise[:, i] for i in range(3)})
        choice = only(verdict, Choice)
        assert (choice.method, choice.wins) == ("m1", False)
        assert verdict.finding.compared.rows[0].effect.estimate < 0
        assert not verdict.finding.of_kind(MeansDisagree)
        assert check_consistency(verdict) == ()


class TestContradictions:
    @pytest.mark.parametrize("of", ["won", "open_", "pair", "no_pair", "control"])
    def test_none_before(self, of, request):
        assert check_consistency(request.getfixturevalue(of)) == ()

    @pytest.mark.parametrize(
        ("of", "change", "complaint"), CONTRADICTIONS, ids=[f"{c[0]}: {c[2]}" for c in CONTRADICTIONS]
    )
    def test_is_found(self, of, change, complaint, request):
        found = check_consistency(change(request.getfixturevalue(of)))
        assert any(re.search(complaint, text) for text in found), found

    def test_a_refused_verdict_has_no_winner(self):
        refused = scored({"a": np.linspace(0.6, 0.8, 10), "b": np.linspace(0.6, 0.8, 10)})
        assert refused.is_refused
        assert check_consistency(refused) == ()
        assert check_consistency(doctored(refused, winner="a")) == ("there is no verdict, but a winner or a best set",)

    def test_a_decision_without_spread_is_none(self):
        assert check_consistency(without_spread().verdict()) == ()
