"""How fairtrial answers the known cases: a function for each method (or case) from inputs to what it finds, by key.

A value that can't be compared as it is, is a function that looks at the expected one and says whether they agree.
"""

import csv
import math

import numpy as np

ANSWERS = {}
SIDES = ("two-sided", "greater", "less")


def answers(*names):
    def known(function):
        ANSWERS.update(dict.fromkeys(names, function))
        return function

    return known


def number(value):
    """R's NA, NaN and Inf are strings."""
    return float(value) if value not in ("NA", None) else math.nan


def interval_and_p(found, **more):
    effect = found.effect
    ends = {"estimate": effect.estimate, "ci_low": effect.low, "ci_high": effect.high}
    return {"t": found.statistic, "df": found.df, "p": found.p_value, **ends, **more}


def by_side(test, names=("p_two", "p_greater", "p_less")):
    return {name: test(alternative=side).p_value for name, side in zip(names, SIDES, strict=True)}


def columns(path):
    """A table with names: the first column is text."""
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    return head[1:], np.array([[float(v) for v in row[1:]] for row in rows])


def matrix_of(case, table):
    given = case["inputs"]
    return given["matrix"] if "matrix" in given else columns(table(given["csv"].removeprefix("tables/")))[1]


def direction(case):
    return {"higher_is_better": case["params"]["higher_is_better"]}


def of_pairs(found):
    return {
        "pairs": [list(pair) for pair in found.pairs],
        "z": [abs(o.statistic) for o in found.outcomes],
        "p": [o.p_value for o in found.outcomes],
    }
