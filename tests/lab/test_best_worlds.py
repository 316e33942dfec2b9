"""Worlds in which it is known how far each method is from the best."""

from functools import partial

import numpy as np
import pytest

from fairtrial.lab import best_worlds
from fairtrial.lab.best_worlds import FALSE, HOLDS, NAMED, OUT, centers, experiments, scores, simulate, skewed_center


def test_claims_of_a_clear_best():
    counts = simulate("typical", "normal", "one clear best", 3, 12, np.random.default_rng(0), 30)
    assert set(counts) == {HOLDS, OUT, FALSE, NAMED}
    assert counts[OUT] == counts[FALSE] == (0, 30)
    assert counts[NAMED][0] > 15


def test_a_wrong_truth_is_noticed(monkeypatch):
    # the scores are those of a clear best, and the world says that all are equal
    clear = scores(
        "typical", "normal", "one clear best", 9 * centers(3)["one clear best"], 12, np.random.default_rng(0)
    )
    monkeypatch.setattr(best_worlds, "scores", lambda *_: clear)
    counts = simulate("typical", "normal", "all equal", 3, 12, np.random.default_rng(0), 1)
    assert counts == {HOLDS: (0, 1), OUT: (0, 1), FALSE: (1, 1), NAMED: (1, 1)}


def test_the_best_is_the_first():
    assert all(truth.argmax() == 0 for truth in centers(5).values())


def test_a_circle_has_false_winners_only():
    counts = simulate("typical", "normal", "circle", 5, 30, np.random.default_rng(0), 10)
    assert set(counts) == {FALSE, "no one is left"}


def typical(d):
    return np.median((d[:-1:2] + d[1::2]) / 2)


@pytest.mark.parametrize(("estimand", "of"), [("typical", typical), ("mean", np.mean)])
def test_skewed_scores_have_the_true_lead(estimand, of):
    draw = partial(scores, estimand, "skewed", "one clear best", centers(3)["one clear best"])
    table = draw(400_000, np.random.default_rng(1))
    assert of(table[:, 0] - table[:, 1]) == pytest.approx(1.5, abs=0.01)
    assert 0.8 < skewed_center(estimand) <= 1.0


def test_means_of_skewed_scores_have_no_limit():
    for experiment in experiments():
        assert bool(experiment.limits) == (not experiment.world.startswith("mean, skewed"))
