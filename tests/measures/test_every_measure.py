"""What holds for every registered measure."""

import math

import numpy as np
import pytest

from fairtrial import measures
from fairtrial.measures import all_measures, compute

EVERY = [pytest.param(m, id=m.name) for m in all_measures()]
PREDICTED = [pytest.param(m, id=m.name) for m in all_measures() if m.needs]


def sample(facts, n_classes, *, perfect):
    """Truth and channels, two instances a class at least."""
    rng = np.random.default_rng(7)
    if facts.task == "values":
        truth = rng.normal(size=40)
        return truth, {"value": truth if perfect else rng.normal(size=40)}
    truth = np.arange(40) % n_classes
    p = np.eye(n_classes)[truth] if perfect else rng.dirichlet(np.ones(n_classes), 40)
    return truth, {"label": p.argmax(axis=1), "probability": p}


def value(facts, truth, channels, n_classes):
    classes = n_classes if facts.task == "classes" else None
    return compute([facts.name], truth=truth, channels=channels, classes=classes)[facts.name][0]


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("facts", PREDICTED)
class TestComputed:
    def test_perfect_prediction_is_best(self, facts, n_classes):
        assert value(facts, *sample(facts, n_classes, perfect=True), n_classes) == facts.best

    def test_any_prediction_is_in_range(self, facts, n_classes):
        found = value(facts, *sample(facts, n_classes, perfect=False), n_classes)
        low, high = sorted((facts.worst, facts.best))
        factor = 2 if facts.name == "brier" and n_classes > 2 else 1
        assert low <= found <= high * factor
        assert found != facts.best

    def test_equal_weights_change_nothing(self, facts, n_classes):
        truth, channels = sample(facts, n_classes, perfect=False)
        classes = n_classes if facts.task == "classes" else None
        arguments = {"truth": truth, "channels": channels, "classes": classes}
        plain, weighted = (
            compute([facts.name], **arguments, weights=w)[facts.name][0] for w in (None, np.full(len(truth), 0.3))
        )
        assert weighted == pytest.approx(plain, rel=1e-12)

    def test_a_weight_of_two_is_an_instance_twice(self, facts, n_classes):
        truth, channels = sample(facts, n_classes, perfect=False)
        classes = n_classes if facts.task == "classes" else None
        times = 1 + np.arange(len(truth)) % 3
        repeated = {name: np.repeat(c, times, axis=0) for name, c in channels.items()}
        once = compute([facts.name], truth=truth, channels=channels, classes=classes, weights=times)[facts.name]
        twice = compute([facts.name], truth=np.repeat(truth, times), channels=repeated, classes=classes)[facts.name]
        np.testing.assert_allclose(once, twice, rtol=1e-12)


@pytest.mark.parametrize("facts", EVERY)
class TestFacts:
    def test_docstring_teaches(self, facts):
        assert ".. math::" in facts.doc
        assert ">>> " + facts.name in facts.doc
        assert facts.title
        assert facts.use_when
        assert facts.beware
        assert facts.range

    def test_says_when_it_is_undefined(self, facts):
        assert "ndefined (nan)" in facts.doc or facts.from_trials
        assert facts.undefined

    def test_best_and_worst(self, facts):
        assert facts.best != facts.worst
        assert math.isfinite(facts.best)

    def test_is_public(self, facts):
        assert facts.name in measures.__all__
        assert isinstance(getattr(measures, facts.name).__doc__, str)
