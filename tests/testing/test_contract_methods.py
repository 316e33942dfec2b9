"""The methods that the contract of executors runs do what they are meant to."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest
from sklearn.base import clone

from fairtrial.testing.contract_methods import Draws, Ends, Grows, Raises, Sleeps

X, Y = np.zeros((6, 1)), np.array(["b", "a"] * 3)


def test_the_plain_ones_predict_the_first_class():
    for method in (Sleeps(), Grows(1), Ends(os.getpid())):
        assert clone(method).fit(X, Y).predict(X).tolist() == ["a"] * 6


def test_draws_depend_on_the_global_generator_alone():
    fitted, drawn = Draws().fit(X, Y), []
    for seed in (1, 1, 2):
        np.random.seed(seed)  # noqa: NPY002
        drawn.append(fitted.predict(np.zeros((50, 1))).tolist())
    assert drawn[0] == drawn[1] != drawn[2]


def test_raises():
    with pytest.raises(ValueError, match="did not converge"):
        Raises().fit(X, Y)


def test_sleeps():
    begun = time.monotonic()
    Sleeps(0.05).fit(X, Y)
    assert time.monotonic() - begun >= 0.05


@pytest.mark.slow
def test_ends_its_process_unless_that_is_spared():
    code = "from fairtrial.testing.contract_methods import Ends; Ends(0).fit([[0]], [0])"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 3
