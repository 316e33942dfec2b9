"""Odd but plausible tables of scores: what people have on their disks, each with what its author means by it.

A kind is a function from the true scores to a table of cells; a dress is how it is written: delimiter, decimal sign,
scale, order of rows. ``MEANT`` says that the true scores must be read; any other text is what the refusal must say.
"""

from __future__ import annotations

import io

import numpy as np
import pandas as pd

MEANT = "meant"
DATASETS = ("iris", "wine", "glass", "sonar", "vehicle", "letter", "splice", "zoo")
METHODS = ("C4.5", "NB", "svm")
_random = np.random.default_rng(30)
TRUE = pd.DataFrame(
    np.round(_random.uniform(0.6, 0.95, (8, 1)) + np.array([0.01, 0, 0.005]) + _random.normal(0, 0.03, (8, 3)), 3),
    index=list(DATASETS), columns=list(METHODS),
)  # fmt: skip


def wide(scores, title="dataset"):
    return scores.rename_axis(title).reset_index()


def with_row(name, numbers):
    """A row below the scores: a function of them, or numbers."""
    return lambda s: pd.concat([wide(s), pd.DataFrame([[name, *_made(numbers, s, 0)]], columns=["dataset", *METHODS])])


def with_column(title, numbers):
    return lambda s: wide(s).assign(**{title: _made(numbers, s, 1)})


def _made(numbers, scores, axis):
    return list(np.round(numbers(scores, axis=axis), 3)) if callable(numbers) else numbers


def turned(title):
    return lambda s: wide(s.T, title)


def long(s, **columns):
    rows = s.rename_axis("dataset").reset_index().melt("dataset", var_name="method", value_name="value")
    return rows.assign(**columns)


def with_folds(s, extra=None):
    parts = [long(s + shift).assign(fold=str(f)) for f, shift in enumerate((-0.01, 0.0, 0.01))]
    more = [] if extra is None else [long(s).assign(fold=extra)]
    return pd.concat([*parts, *more])[["dataset", "method", "fold", "value"]]


def failed(column, word, placeholder=0.0):
    """A run of one method failed, and its score is a placeholder."""

    def made(s):
        rows = long(s).assign(**{column: "ok" if column == "status" else ""})
        lost = (rows["dataset"] == "zoo") & (rows["method"] == "NB")
        rows.loc[lost, ["value", column]] = [placeholder, word]
        return rows

    return made


def respelled(column, before, after):
    def made(s):
        rows = long(s)
        rows.loc[(rows[column] == before) & (rows.index % 2 == 0), column] = after
        return rows

    return made


def scaled(who, axis):
    """Some scores in percent among shares, or shares among percentages."""

    def made(s):
        odd = s.copy()
        if axis == 1:
            odd[who] = odd[who] * 100
        else:
            odd.loc[who] = odd.loc[who] * 100
        return wide(odd)

    return made


mean, std = (lambda s, axis: s.mean(axis=axis)), (lambda s, axis: s.std(axis=axis))
median, best = (lambda s, axis: s.median(axis=axis)), (lambda s, axis: s.max(axis=axis))
ranks = lambda s, axis: s.rank(axis=1, ascending=False).mean(axis=axis)  # noqa: E731
SCALES = "must be on one scale"

KINDS = {
    "plain": (wide, MEANT),
    "row Average": (with_row("Average", mean), MEANT),
    "row AVG.": (with_row("AVG.", mean), MEANT),
    "row Overall": (with_row("Overall", mean), MEANT),
    "row Mean accuracy": (with_row("Mean accuracy", mean), MEANT),
    "row Mittelwert": (with_row("Mittelwert", mean), MEANT),
    "row Moyenne": (with_row("Moyenne", mean), MEANT),
    "row Std": (with_row("Std", std), MEANT),
    "row Median": (with_row("Median", median), MEANT),
    "row Max": (with_row("Max", best), MEANT),
    "row without a telling name": (with_row("(all eight)", mean), MEANT),
    "row Avg. rank": (with_row("Avg. rank", ranks), MEANT),
    "row p-value": (with_row("p-value", [np.nan, 0.04, 0.21]), MEANT),
    "row Wins": (with_row("Wins", [5, 2, 1]), MEANT),
    "row of a part": (with_row("Mean (small)", lambda s, axis: s.iloc[:4].mean(axis=axis)), MEANT),
    "row below another": (with_row("zoo (std)", [0.011, 0.02, 0.013]), MEANT),
    "row MW": (with_row("MW", mean), MEANT),
    "row Standardabw.": (with_row("Standardabw.", lambda s, axis: s.std(axis=axis, ddof=0)), MEANT),
    "row 25%": (with_row("25%", lambda s, axis: s.quantile(0.25, axis=axis)), MEANT),
    "row macro": (with_row("macro", mean), MEANT),
    "rows in Polish": (
        lambda s: pd.concat([with_row("Średnia", mean)(s), with_row("Śr. ranga", ranks)(s).iloc[-1:]]), MEANT,
    ),
    "training, validation and test": (
        lambda s: pd.concat([long(s + 0.05, split="train"), long(s + 0.02, split="val"), long(s, split="test")]), MEANT,
    ),
    "columns of training scores": (lambda s: wide(s.join((s + 0.04).add_suffix(" train"))), MEANT),
    "fold OOF": (lambda s: with_folds(s, "OOF"), MEANT),
    "ranks": (lambda s: wide(s.rank(axis=1)), "are ranks (1 to 3 on each data set)"),
    "another measure in the corner": (lambda s: wide(s, "Error (%)"), "is titled 'Error (%)'"),
    "a second column of one title": (lambda s: wide(s).assign(**{"NB.1": 0.5}), "is a second 'NB'"),
    "folds of methods in titles": (
        lambda s: wide(s.add_suffix("_fold1").join(s.add_suffix("_fold2"))), "seem to be splits of methods",
    ),
    "column t_NB": (with_column("t_NB", [1.5, 2.0, 1.1, 9.2, 3.3, 2.1, 0.3, 0.9]), MEANT),
    "column Klassen": (with_column("Klassen", [3, 3, 6, 2, 4, 26, 3, 7]), MEANT),
    "column Average": (with_column("Average", mean), MEANT),
    "column mean": (with_column("mean", mean), MEANT),
    "column max": (with_column("Max", best), MEANT),
    "column std": (with_column("std", std), MEANT),
    "column of an oracle": (with_column("portfolio", best), MEANT),
    "column p-value": (with_column("p-value", [0.04, 0.5, 0.3, 0.01, 0.02, 0.6, 0.2, 0.1]), MEANT),
    "column of deviations": (with_column("C4.5 std", [0.011, 0.02, 0.01, 0.03, 0.02, 0.01, 0.02, 0.01]), MEANT),
    "column of ranks": (with_column("rank_NB", [2, 2, 1, 2, 2, 3, 2, 1]), MEANT),
    "column n": (with_column("n", [150, 178, 214, 208, 846, 20000, 3190, 101]), MEANT),
    "column classes": (with_column("#classes", [3, 3, 6, 2, 4, 26, 3, 7]), MEANT),
    "column of words": (with_column("source", ["UCI"] * 8), MEANT),
    "column of seconds": (with_column("svm time", [1.5, 2.0, 1.1, 9.2, 3.3, 2.1, 0.3, 0.9]), MEANT),
    "numbered rows": (lambda s: wide(s).assign(no=range(1, 9))[["no", "dataset", *METHODS]], MEANT),
    "index of pandas": (lambda s: wide(s).assign(**{"": range(8)})[["", "dataset", *METHODS]], MEANT),
    "turned, Method": (turned("Method"), MEANT),
    "turned, Methods": (turned("Methods"), MEANT),
    "turned, Approach": (turned("Approach"), MEANT),
    "turned, Model name": (turned("Model name"), MEANT),
    "turned, algorithm \\ dataset": (turned("algorithm \\ dataset"), MEANT),
    "turned, no title": (turned(""), MEANT),
    "turned, another title": (turned("x"), MEANT),
    "turned, Data set": (turned("Data set"), MEANT),
    "turned, average": (lambda s: turned("Model")(s).assign(Average=s.T.mean(axis=1).to_numpy()), MEANT),
    "no title": (lambda s: wide(s, ""), MEANT),
    "long": (long, MEANT),
    "long, other titles": (lambda s: long(s).set_axis(["Problem", "Algorithm name", "Accuracy (%)"], axis=1), MEANT),
    "long, a row of averages": (
        lambda s: pd.concat([long(s), long(s.mean().to_frame("Average").T.rename_axis("dataset").round(3))]), MEANT,
    ),
    "folds": (with_folds, MEANT),
    "fold mean": (lambda s: with_folds(s, "mean"), MEANT),
    "fold std": (lambda s: with_folds(s, "std"), MEANT),
    "fold all": (lambda s: with_folds(s, "all"), MEANT),
    "status failed": (failed("status", "failed"), "lost"),
    "error MemoryError": (failed("error", "MemoryError"), "lost"),
    "flag failed": (lambda s: failed("failed", "1")(s).replace({"failed": {"": "0"}}), "lost"),
    "Iris and iris": (respelled("dataset", "iris", "Iris"), MEANT),
    "NB and nb": (respelled("method", "NB", "nb"), MEANT),
    "a data set with a no-break space": (respelled("dataset", "sonar", "sonar\u00a0"), MEANT),
    "a method on the other scale": (scaled("NB", 1), SCALES),
    "a data set on the other scale": (scaled("zoo", 0), SCALES),
    "method and measure in titles": (lambda s: wide(s.add_suffix("_acc")), MEANT),
    "measure before the method": (lambda s: wide(s.add_prefix("acc ")), MEANT),
    "a method called run": (lambda s: wide(s.rename(columns={"svm": "run"})), "run"),
    "a method called model": (lambda s: wide(s.rename(columns={"svm": "model"})), "model"),
    "a mean that is none": (with_column("mean", [0.8, 0.7, 0.75, 0.8, 0.7, 0.7, 0.8, 0.7]), "any"),
    "one row twice": (lambda s: wide(pd.concat([s, s.iloc[:1]])), "must have one row, but "),
    "methods that differ in case": (lambda s: wide(s.rename(columns={"svm": "nb"})), "as one method"),
}  # fmt: skip


def dresses():
    """The five dresses: a name, the options of ``to_csv``, the factor of all scores, and whether rows are shuffled."""
    return {
        "csv": ({}, 1, False),
        "percent": ({}, 100, False),
        "semicolons and commas": ({"sep": ";", "decimal": ","}, 1, False),
        "tabs": ({"sep": "\t"}, 100, True),
        "quoted": ({"quoting": 1}, 1, False),
    }


def written(kind, dress):
    """The text of a table of a kind in a dress, and the scale of its scores."""
    options, factor, reverse = dresses()[dress]
    table = KINDS[kind][0](TRUE[::-1] if reverse else TRUE)
    numbers = table.select_dtypes("floating").columns
    if "other scale" in kind or kind == "ranks":
        factor = 1  # it has both already
    for c in numbers:
        plain = table[table.columns[0]].isin(["p-value", "Wins", "Avg. rank", "Śr. ranga"]) | (
            c in ("p-value", "svm time", "t_NB")
        )
        table[c] = table[c].where(plain, table[c] * factor).round(4 if factor == 1 else 2)
    text = io.StringIO()
    table.to_csv(text, index=False, **options)
    return text.getvalue(), factor
