"""How the leading difference varies over data sets: winners that depend, properties, far data sets, spreads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from made_scores import table

from fairtrial.results import read_scores
from fairtrial.stats import qualitative_interaction
from fairtrial.verdict import check_consistency
from fairtrial.verdict.claims.dependence import FarAway, NothingSeparates, Separates, SpreadsDiffer, WinnerDepends
from fairtrial.verdict.claims.difference import Alike
from fairtrial.verdict.claims.support import NextStep

RNG = np.random.default_rng
HALVES = np.r_[np.full(10, 0.05), np.full(10, -0.05)]


def scores(d, more=(), **asked):
    """Two methods, a ahead of b by these differences, and others."""
    base = RNG(2).uniform(0.6, 0.8, len(d))
    columns = {"a": base + d, "b": base} | {f"c{i}": base + lead for i, lead in enumerate(more)}
    return read_scores(table(columns), measure="accuracy").verdict(family={"none": []}, **asked)


def on_folds(leads, noise, seed=2, folds=10, **asked):
    """Two methods on the folds of data sets, the first ahead by these leads."""
    rng = RNG(seed)
    b = 0.7 + rng.normal(0, 0.02, (len(leads), folds))
    a = b + np.asarray(leads)[:, None] + rng.normal(0, noise, b.shape)
    rows = [
        (f"w{chr(97 + i)}x", m, f, s[i, f])
        for i in range(len(leads))
        for m, s in (("a", a), ("b", b))
        for f in range(folds)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "fold", "accuracy"])
    return read_scores(frame, measure="accuracy", resampling=f"{folds}-fold").verdict(family={"none": []}, **asked)


def kinds(verdict, kind):
    return verdict.finding.of_kind(kind)


class TestWinnerDepends:
    @pytest.mark.parametrize("more", [(), (-0.15,)])
    @pytest.mark.parametrize("delta", [None, 0.01])
    def test_two_groups_without_folds(self, more, delta):
        found = scores(HALVES + RNG(3).normal(0, 0.003, 20), more, smallest_difference=delta)
        said = kinds(found, WinnerDepends)
        if more or delta is None:
            (one,) = said
            assert (one.ahead, one.behind, one.n, one.is_shown) == (10, 10, 20, False)
            assert one.by == pytest.approx(0.05, abs=0.004)
        else:
            assert kinds(found, Alike)  # which says it
        (step,) = kinds(found, NextStep)
        assert step.action == "ask"
        assert "not who wins there" in step.words.render()
        assert check_consistency(found) == ()

    @pytest.mark.parametrize("delta", [None, 0.01])
    def test_more_than_noise_within_the_data_sets(self, delta):
        found = on_folds([0.05] * 12 + [-0.05] * 12, 0.02, smallest_difference=delta)
        if delta is None:
            (said,) = kinds(found, WinnerDepends)
            assert said.p_value < 1e-6
        else:
            (said,) = kinds(found, WinnerDepends)
            assert said.first
            assert found.answer.startswith("Which of ")
            assert "each somewhere by more than noise within the data sets (Gail–Simon, p < 0.001)" in found.answer

    def test_noise_is_no_dependence(self):
        said = sum(bool(kinds(on_folds([0.0] * 12, 0.03, seed), WinnerDepends)) for seed in range(40))
        assert said <= 4

    def test_the_test_is_that_of_gail_and_simon_by_the_corrected_error(self):
        found = on_folds([0.05] * 4 + [-0.05] * 4, 0.02)
        folds = [f[:, 0] - f[:, 1] for f in found.evidence.folds]
        errors = [np.sqrt((1 / 10 + 1 / 9) * d.var(ddof=1)) for d in folds]
        expected = qualitative_interaction([d.mean() for d in folds], errors, df=9).p_value
        assert kinds(found, WinnerDepends)[0].p_value == pytest.approx(expected)

    def test_a_winner_that_is_not_better_everywhere(self):
        found = on_folds([0.06] * 14 + [-0.05, -0.06], 0.01)
        (said,) = kinds(found, WinnerDepends)
        assert found.winner == "a"
        assert (said.wins, said.behind) == (True, 2)
        assert "a is not better everywhere: on 2 of the 16 data sets b is ahead" in " ".join(found.sentences)

    def test_normal_differences_are_no_two_groups(self):
        said = [kinds(scores(RNG(seed).normal(0, 0.02, 9)), WinnerDepends) for seed in range(60)]
        assert sum(map(bool, said)) <= 2


class TestFarAway:
    def test_it_is_named(self):
        d = RNG(5).normal(0.01, 0.01, 16)
        d[4] = 0.2
        found = scores(d)
        (said,) = kinds(found, FarAway)
        assert said.sets == ("d4",)
        assert said.there == pytest.approx((0.2,))
        assert (said.mean, said.without) == pytest.approx((d.mean(), np.delete(d, 4).mean()))
        assert said.decides  # the mean is shown without it only
        assert "d4 (ahead by 0.2" in str(found)
        assert "look at d4 before means are used" in str(found)

    def test_two_in_opposite_directions(self):
        d = RNG(5).normal(0.0, 0.005, 20)
        d[[3, 7]] = 0.2, -0.2
        (said,) = kinds(scores(d), FarAway)
        sign = 1 if said.method == "a" else -1
        found = dict(zip(said.sets, said.there, strict=True))
        assert found == pytest.approx({"d3": sign * 0.2, "d7": -sign * 0.2})
        text = " ".join(scores(d).stable)
        assert f"d3 ({'ahead' if sign > 0 else 'behind'} by 0.2" in text
        assert f"d7 ({'behind' if sign > 0 else 'ahead'} by 0.2" in text

    @pytest.mark.parametrize("n", [7, 9])
    def test_the_mean_is_not_doubted_on_normal_differences(self, n):
        told = 0
        for seed in range(60):
            found = scores(RNG(seed).normal(0.01, 0.01, n), control="b")
            told += any("decide the mean" in notice.sentence for notice in found.notices)
        assert told <= 1

    def test_a_mean_that_one_data_set_decides(self):
        d = np.r_[RNG(1).normal(0, 0.004, 11), 0.12]
        names = [n.sentence for n in scores(np.tile(d, 1), control="b").notices if "decide the mean" in n.sentence]
        assert all("d11" in text for text in names)


class TestSeparates:
    def verdict(self, d, **facts):
        base = np.linspace(0.5, 0.6, len(d))
        results = read_scores(table({"a": base + d, "b": base}), measure="accuracy")
        sets = {f"d{i}": {name: values[i] for name, values in facts.items()} for i in range(len(d))}
        return replace(results, datasets=sets).verdict(family={"none": []})

    def test_finds_the_property(self):
        n = np.arange(20) * 100 + 50
        d = np.where(n > 1000, 0.04, -0.03) + RNG(1).normal(0, 0.005, 20)
        found = self.verdict(d, n=n, p=RNG(2).integers(2, 90, 20))
        (said,) = kinds(found, Separates)
        assert (said.what, said.count, said.properties) == ("the number of instances", 10, 2)
        assert 950 < said.cut < 1050
        assert said.inside > 0 > said.outside
        assert "Perhaps why: a is ahead of b by 0.0" in " ".join(found.sentences)
        assert "to be tested on new data sets" in " ".join(found.sentences)

    def test_a_covariate(self):
        d = np.tile([0.03, -0.03], 8) + RNG(1).normal(0, 0.003, 16)
        found = self.verdict(d, covariates=[{"domain": "text" if i % 2 else "image"} for i in range(16)])
        (said,) = kinds(found, Separates)
        assert (said.what, said.label) == ("domain", "image")

    def test_nothing_separates(self):
        found = self.verdict(HALVES + RNG(3).normal(0, 0.003, 20), n=RNG(4).permutation(20))
        assert kinds(found, NothingSeparates) or kinds(found, Separates)[0].p_value < 0.05

    @pytest.mark.slow
    def test_says_nothing_by_chance(self):
        said = 0
        for seed in range(60):
            facts = {"n": RNG([seed, 1]).integers(50, 9000, 15), "p": RNG([seed, 2]).integers(2, 90, 15)}
            said += bool(kinds(self.verdict(RNG(seed).normal(0, 0.02, 15), **facts), Separates))
        assert said <= 8  # 5 % of 60 are 3

    def test_nothing_where_one_is_always_better(self):
        assert not kinds(self.verdict(np.linspace(0.01, 0.05, 20), n=np.arange(20)), Separates)

    def test_nothing_without_facts(self):
        assert not kinds(self.verdict(np.linspace(-0.05, 0.05, 20)), Separates)


class TestSpreadsDiffer:
    def test_a_lead_that_depends_on_how_hard_a_data_set_is(self):
        hard = RNG(1).uniform(0, 0.3, 20)
        frame = table({"a": 0.9 - 0.4 * hard + RNG(2).normal(0, 0.005, 20), "b": 0.92 - hard})
        found = read_scores(frame, measure="accuracy").verdict(family={"none": []})
        (said,) = kinds(found, SpreadsDiffer)
        assert said.method == "b"
        assert said.low < 2.5 < said.high
        assert "scores of b vary" in " ".join(found.stable)

    def test_equal_spreads(self):
        said = [kinds(scores(RNG(seed).normal(0, 0.02, 15)), SpreadsDiffer) for seed in range(60)]
        assert sum(map(bool, said)) <= 2
