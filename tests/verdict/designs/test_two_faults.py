"""Two faults at once: each is named, and the page is of one mind."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.results import read_scores
from fairtrial.verdict import check_consistency
from fairtrial.verdict.claims.dependence import FarAway, WinnerDepends
from fairtrial.verdict.guards.notices_in_answer import GUARD

WORDS = ("adult", "abalone", "anneal", "audio", "balance", "blood", "breast", "car", "census", "chess")


def names_of(verdict):
    return {n.guard for n in verdict.notices if n.severity != "fine"}


def related_with_an_outlier_and_a_trivial_method(rng):
    names = [f"{w}/{part}" for w in WORDS[:8] for part in ("a1", "b2", "c3")]
    base = rng.uniform(0.5, 0.6, 24)
    lead = np.repeat(rng.normal(0.01, 0.005, 8), 3) + rng.normal(0, 0.002, 24)
    lead[3:6] = 0.3
    frame = pd.DataFrame({"dataset": names, "u": base + lead, "v": base, "ZeroR": base - 0.2})
    verdict = read_scores(frame, measure="accuracy").verdict()
    assert verdict.evidence.yardsticks == ("ZeroR",)
    (far,) = verdict.finding.of_kind(FarAway)
    return verdict, GUARD in names_of(verdict) and far.sets == ("abalone",)


def related_folds_whose_winner_depends(rng):
    rows = [
        (f"{w}-{part}", m, f, 0.7 + (0.04 if i % 2 else -0.04) * (m == "u") + rng.normal(0, 0.015))
        for i, w in enumerate(WORDS[:10])
        for part in (1, 2)
        for m in "uvw"
        for f in range(5)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "fold", "accuracy"])
    verdict = read_scores(frame, measure="accuracy", resampling="5-fold").verdict(smallest_difference=0.01)
    depends = [s for s in verdict.finding.of_kind(WinnerDepends) if s.is_shown]
    return verdict, GUARD in names_of(verdict) and bool(depends) and verdict.finding.scope.units == "families"


def answers_in_clusters_of_an_article(rng):
    names = [f"a{i}-q{j}" for i in range(20) for j in range(5)]
    hard = np.repeat(rng.random(20) < 0.5, 5)
    right = {m: (~hard | (rng.random(100) < p)).astype(float) for m, p in zip("uvw", (0.9, 0.2, 0.1), strict=True)}
    verdict = read_scores(pd.DataFrame({"dataset": names, **right}), measure="accuracy").verdict()
    return verdict, GUARD in names_of(verdict) and "McNemar" not in verdict.test and verdict.finding.scope.n == 20


@pytest.mark.parametrize(
    "world",
    [
        related_with_an_outlier_and_a_trivial_method,
        related_folds_whose_winner_depends,
        answers_in_clusters_of_an_article,
    ],
)
def test_both_are_named(world):
    found = [world(np.random.default_rng(seed)) for seed in range(6)]
    assert sum(named for _, named in found) >= 5
    assert not [text for verdict, _ in found for text in check_consistency(verdict)]
