"""A folder to work in, and a study that was run; lets the tests of commands import ``calling``."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A table of predictions, a module with a measure, and a study that uses it."""
    folder = tmp_path_factory.mktemp("work")
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 200)
    rows = [f"{t},{t + rng.normal():.3f},{t + 2 * rng.normal():.3f}" for t in truth]
    (folder / "predictions.csv").write_text("y,good,bad\n" + "\n".join(rows))
    labels = [f"{t},{t},{int(t > 0 and i % 3 > 0)}" for i, t in enumerate(truth)]
    (folder / "labels.csv").write_text("y,all right,some missed\n" + "\n".join(labels))
    (folder / "mine.py").write_text(
        "from fairtrial.measures import PerClass, measure, ratio\n"
        "@measure('Hits', of=PerClass, worst=0.0, best=1.0)\n"
        "def hits(c):\n    'Hits of all.'\n    return ratio(c.tp, c.tp + c.fp + c.fn)\n"
    )
    (folder / "study.toml").write_text(
        "datasets = ['breast_cancer']\nresampling = '2-fold'\nimports = ['mine']\nmethods = ['majority', 'one_rule']\n"
        "[question]\nmeasure = 'hits'\n"
    )
    return folder


@pytest.fixture(scope="session")
def study(tmp_path_factory):
    """A folder with a study of sizes and noise that was run."""
    folder = tmp_path_factory.mktemp("levels")
    (folder / "sizes.toml").write_text(
        "datasets = ['breast_cancer']\nresampling = '3-fold'\nmethods = ['majority', 'one_rule']\n"
        "[factors]\ntrain_size = [40, 80, 160, 320]\nlabel_noise = [0, 0.2]\n"
    )
    from calling import fairtrial

    done = fairtrial(folder, "run", "sizes.toml", "--quiet", "--workers", "1", "--no-report")
    assert done.returncode == 0, done.stderr
    return folder
