"""Results that tests of tables share."""

from __future__ import annotations

import numpy as np
import pandas as pd

from fairtrial.results import read_scores

HARD_NAMES = ["a & b <c>", "under_score 50 %", '"quote" \'s', "emoji 🌲", "שלום", "x" * 80]
# Means on 7 data sets, worked by hand below: wins, ties and firsts are different for each method.
MEANS = pd.DataFrame(
    {
        "dataset": list("abcdefg"),
        "tree": [0.80, 0.70, 0.60, 0.90, 0.75, 0.66, 0.50],
        "bagged": [0.82, 0.75, 0.60, 0.91, 0.74, 0.70, 0.55],
        "boosted": [0.85, 0.69, 0.66, 0.89, 0.79, 0.70, 0.40],
    }
)
FORMATS = ("text", "html", "latex", "md", "csv", "json")


def by_means(measure="accuracy", scores=MEANS, **more):
    return read_scores(scores, measure=measure, **more)


def hard(n=8, measure="error_rate"):
    """Methods whose names are hard to write, on data sets with such names."""
    random = np.random.default_rng(1)
    scores = pd.DataFrame(np.round(random.uniform(0.5, 0.9, size=(n, len(HARD_NAMES))), 2), columns=HARD_NAMES)
    scores.insert(0, "dataset", [f"d_{i} & 5 % <b>" for i in range(n)])
    return read_scores(scores, measure=measure, methods=HARD_NAMES)


def over_folds(shifts, *, methods=("A", "B"), folds=10, scheme="10-fold", seed=1):
    """Scores over folds; on data set i the second method is better by ``shifts[i]`` than all others."""
    random = np.random.default_rng(seed)
    rows = [
        (f"d{i}", m, f, 0.6 + shift * (m == methods[1]) + 0.01 * random.normal())
        for i, shift in enumerate(shifts)
        for m in methods
        for f in range(folds)
    ]
    long = pd.DataFrame(rows, columns=["dataset", "method", "fold", "accuracy"])
    return read_scores(long, measure="accuracy", value="accuracy", resampling=scheme)


def many(methods=60, datasets=120, seed=0):
    random = np.random.default_rng(seed)
    skill = np.linspace(0, 0.05, methods)
    values = np.clip(
        random.uniform(0.6, 0.9, size=(datasets, 1)) + skill + random.normal(0, 0.03, (datasets, methods)), 0, 1
    )
    scores = pd.DataFrame(values, columns=[f"m{i}" for i in range(methods)])
    scores.insert(0, "dataset", [f"d{i}" for i in range(datasets)])
    return read_scores(scores, measure="accuracy")


def names_are_right(table, names):
    """Every format has every name, as that format writes it."""
    html, latex = table.to_html(), table.to_latex()
    for name in names:
        assert name in table.to_text()
        assert (
            name.replace("&", "&amp;")
            .replace("<", "&lt;")
            .replace(">", "&gt;")
            .replace('"', "&quot;")
            .replace("'", "&#x27;")
            in html
        )
    assert "a & b" not in latex
    assert r"a \& b \textless{}c\textgreater{}" in latex
    assert r"under\_score 50 \%" in latex
    return True
