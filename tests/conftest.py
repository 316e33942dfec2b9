"""What several rooms' tests share: real result tables that may be read but not committed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples each time, so that a change is judged by what it changed; `make explore` looks for new ones.
# No deadline: first calls import and fill caches.
settings.register_profile("same examples", deadline=None, derandomize=True)
settings.register_profile(
    "new examples", deadline=None, max_examples=int(os.environ.get("FAIRTRIAL_EXAMPLES", "1")), print_blob=True
)
settings.load_profile("new examples" if "FAIRTRIAL_EXAMPLES" in os.environ else "same examples")

# In the background of a shell Ctrl-C is ignored, also by the processes that tests start and stop with it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

TABLES = Path(__file__).parents[1].parent / "shared" / "known-answers" / "tables"


@pytest.fixture
def shared_table():
    """The path of a table that is not part of the project, or a skip."""

    def find(name):
        if not (TABLES / name).exists():
            pytest.skip(f"{name} may not be committed, and ../shared/known-answers/tables is not there")
        return TABLES / name

    return find


@pytest.fixture
def made_results():
    """Results from a function of (dataset, method, level, fold) that gives the value of each measure.

    A value of None is a failed trial; a pair ("stopped", seconds) one that ran into its time limit.
    """

    def make(score, *, datasets=("wine",), methods=("a", "b"), factor=None, levels=(None,), folds=5,
             yardsticks=(), measures=("accuracy", "fit_time"), p=10):  # fmt: skip
        import pandas as pd

        from fairtrial.design import Question
        from fairtrial.measures import get
        from fairtrial.resampling import Dependence
        from fairtrial.results import Results

        rows = []
        for dataset in datasets:
            for level in levels:
                for method in methods:
                    for fold in range(folds):
                        scores = score(dataset, method, level, fold)
                        for name in measures:
                            value = None if scores is None else scores[name]
                            stopped = isinstance(value, tuple)
                            rows.append({
                                "dataset": dataset, "method": method, **({factor: level} if factor else {}),
                                "replicate": 0, "repeat": 0, "fold": fold, "measure": name,
                                "value": value[1] if stopped else value, "n_train": level or 100, "n_test": 25,
                                "status": "failed" if value is None or stopped else "ok",
                            })  # fmt: skip
        frame = pd.DataFrame(rows).astype({"value": float})
        return Results(
            scores=frame,
            question=Question(measure=measures[0]),
            dependence=dict.fromkeys(datasets, Dependence("5-fold", 1, folds, 0.2)),
            measures={name: get(name) for name in measures},
            failures=frame[(frame["status"] == "failed") & (frame["measure"] == measures[0])],
            yardsticks=yardsticks,
            baseline=yardsticks[0] if yardsticks else None,
            datasets={d: {"p": p, "task": "classes"} for d in datasets},
            factors={factor: tuple(levels)} if factor else {},
        )

    return make
