"""Small tables of scores and predictions that several tests of readers use."""

import numpy as np
import pandas as pd

WIDE = "dataset,forest,bayes\niris,0.95,0.90\nwine,0.97,0.98\nglass,0.75,0.50\n"
LONG = "problem,learner,cv_fold,quality\niris,1,0,0.9\niris,1,1,0.8\niris,2,0,0.7\niris,2,1,0.6\n"

# 10 instances; a is right on 8 of them, b on 6
TRUTH = ["cat"] * 6 + ["dog"] * 4
A = ["cat"] * 5 + ["dog"] * 4 + ["cat"]
B = ["cat", "dog", "cat", "dog", "cat", "dog", "dog", "dog", "dog", "cat"]
LABELS = pd.DataFrame({"truth": TRUTH, "a": A, "b": B})

rng = np.random.default_rng(7)
N = 200
Y = rng.random(N) < 0.6  # the class called 1 is the more frequent one
GOOD = np.clip(0.5 * Y + 0.5 * rng.random(N), 0, 1)
POOR = np.clip(0.2 * Y + 0.8 * rng.random(N), 0, 1)


def wide_of(results):
    """Scores with data sets in rows and methods in columns."""
    return results.scores.pivot_table(index="dataset", columns="method", values="value", sort=False)


def score(results, measure, method):
    """The values of a measure of one method."""
    own = results.with_measures(measure).scores
    return own[(own["measure"] == measure) & (own["method"] == method)]["value"].to_numpy()
