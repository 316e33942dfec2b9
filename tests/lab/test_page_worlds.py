"""Whole pages in drawn worlds: contradictions and false doubts are counted where they are."""

from dataclasses import replace

import numpy as np
import pytest

from fairtrial.figures import leads_of
from fairtrial.lab import page_worlds
from fairtrial.lab.page_worlds import CONTRADICTS, DOUBTS, NOISES, contradictions, drawn, experiments, has_false_doubt
from fairtrial.notices import Notice


def counts(world, runs):
    (found,) = (e for e in experiments() if e.world == world)
    return found.simulate(np.random.default_rng(1), runs)


@pytest.mark.slow
def test_no_page_contradicts_itself():
    assert counts("any question, normal", 3) == {CONTRADICTS: (0, 3)}


@pytest.mark.slow
def test_every_contradiction_is_counted(monkeypatch):
    monkeypatch.setattr(page_worlds, "check_consistency", lambda _: ("planted",))
    assert counts("any question, three values", 3) == {CONTRADICTS: (3, 3)}


def test_a_clear_winner_is_not_doubted():
    assert counts("clean, clear winner, 4 × 12", 3) == {DOUBTS: (0, 3)}


def test_a_planted_doubt_is_counted():
    results, asked = drawn(np.random.default_rng([32, 3]), "normal")
    verdict = results.verdict(**asked)
    doubted = (*verdict.statements, Notice("planted", "doubt"))
    assert not has_false_doubt(verdict)
    assert has_false_doubt(replace(verdict, finding=replace(verdict.finding, statements=doubted)))


def test_a_figure_with_another_mark_contradicts_its_page(monkeypatch):
    results, asked = drawn(np.random.default_rng([32, 3]), "normal")
    verdict = results.verdict(**asked)
    assert contradictions(verdict) == ()
    other = leads_of(results.verdict(control="m1"))
    monkeypatch.setattr(page_worlds, "leads_of", lambda _: other)
    assert any("figure" in text for text in contradictions(verdict))


@pytest.mark.parametrize("noise", NOISES)
def test_scores_lie_between_0_and_1(noise):
    results, _ = drawn(np.random.default_rng(2), noise)
    assert 0 < np.nanmin(results.scores["value"]) <= np.nanmax(results.scores["value"]) < 2
