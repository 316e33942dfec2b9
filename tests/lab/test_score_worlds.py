"""Worlds of scores over data sets."""

import numpy as np
import pytest

from fairtrial.lab.score_worlds import CLAIMS, World, experiments, judge, nemenyi_stars, normal, simulate, worlds
from fairtrial.stats import nemenyi

SMALL_FORM = ("all equal, 2 methods × 10 data sets", "ties and zeros, 5 × 10", "three groups, 5 × 10")


class TestJudge:
    def test_a_clear_winner(self):
        world = World("clear", (9.0, 0.0, 0.0), normal(12, 3))
        claims = judge(world, world.table(np.random.default_rng(0)))
        assert claims["sole winner: named"]
        assert claims["joint intervals: beats every other"]
        assert claims["best set: has the best"]

    def test_a_wrong_truth_is_noticed(self):
        # the second column is best, and the world says that the first is
        world = World("lie", (1.0, 0.0), lambda _: np.column_stack([np.zeros(12), np.arange(12) + 5.0]))
        claims = judge(world, world.table(np.random.default_rng(0)))
        assert not claims["sole winner: named"]
        assert not claims["best set: has the best"]
        assert not claims["joint intervals: all hold"]

    def test_stars_of_equal_methods_are_false(self):
        world = World("equal", (0.0, 0.0), lambda _: np.column_stack([np.arange(12) + 5.0, np.zeros(12)]))
        claims = judge(world, world.table(np.random.default_rng(0)))
        assert claims["joint intervals: a false star"]
        assert claims["sole winner: a false one"]


class TestNemenyiStars:
    def test_are_those_of_its_p_values(self):
        generator = np.random.default_rng(5)
        for _ in range(10):
            table = np.round(2 * generator.normal(size=(12, 6))) + 1.2 * np.arange(6)  # with ties
            stars = nemenyi_stars(table)
            assert stars.tolist() == [p < 0.05 for p in nemenyi(table).p_adjusted]
            assert 0 < stars.sum() < 15


class TestWorlds:
    def test_differences_of_both_signs_are_large_and_typically_none(self):
        world = next(w for w in worlds() if w.name == "differences of both signs, 10 × 30")
        table = np.concatenate([world.table(np.random.default_rng(seed)) for seed in range(40)])
        d = table[:, 0] - table[:, 1]
        assert np.median(d) == pytest.approx(0, abs=0.1)
        assert np.mean(np.abs(d) > 1) == pytest.approx(0.5, abs=0.06)

    def test_pairs_of_equals_have_two_best(self):
        assert next(w for w in worlds() if w.name == "three pairs of equals, 6 × 10").best == (4, 5)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL_FORM)
def test_small_form_keeps_its_limits(name):
    world = next(w for w in worlds() if w.name == name)
    counts = simulate(world, np.random.default_rng(11), 100)
    for claim, limit in CLAIMS.items():
        if claim in counts:
            made, of = counts[claim]
            slack = 2 * np.sqrt(0.94 * 0.06 / of) if limit.kind == "at least" else 0
            assert limit.holds(made / of + slack, of), claim


def test_worlds_have_names_of_their_own():
    names = [e.world for e in experiments()]
    assert len(set(names)) == len(names)
