"""Tables of scores: means on each data set, and the mean of every measure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fairtrial.figures.of_verdict import intervals
from fairtrial.measures import Measure
from fairtrial.results import Results
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict import Verdict
from fairtrial.verdict.wording import Wording, plural

__all__ = ["BEST", "dataset_means", "measure_means"]

BEST = "★"
"""Stands before the best number, which is bold as well: never told by colour alone."""

SAME = 12
"""Means that agree to so many decimals are one: the rest is rounding."""


def dataset_means(verdict: Verdict) -> Table:
    """Means of the question's measure: data sets in rows, methods in columns; the best of each row is marked.

    These are the very numbers that the verdict was made from, after its failure policy.
    """
    evidence, level = verdict.evidence, verdict.question.level
    words = Wording(evidence.measure)
    k = len(evidence.methods)
    low, high = intervals(evidence, level)
    half = (high - low) / 2
    best = _best(evidence.means[:, :k], evidence.measure)
    rows = []
    for i, name in enumerate(evidence.datasets):
        cells = (
            _cell(words, evidence.means[i, m], half[i, m], best=m < k and bool(best[i, m]))
            for m in range(len(evidence.columns))
        )
        rows.append((name, *cells))
    notes = [f"{BEST} best of the row"] if k > 1 else []
    if np.isfinite(half).any():
        notes.append(f"± half the {100 * level:g} % interval of that mean, corrected for shared training data")
    if evidence.yardsticks:
        notes.append(f"yardstick: {', '.join(evidence.yardsticks)}")
    columns = (Column("data set", align="left"), *(Column(m) for m in evidence.columns))
    return Table(
        columns, tuple(rows), caption=f"{words.name}, {_direction(evidence.measure)}", notes=("; ".join(notes),)
    )


def _best(means: NDArray[np.float64], measure: Measure) -> NDArray[np.bool_]:
    """Which are the best of their row; ties all are."""
    rounded = np.round(means, SAME)
    if means.shape[1] < 2:
        return np.zeros(means.shape, dtype=np.bool_)
    extreme = np.nanmax if measure.higher_is_better else np.nanmin
    found: NDArray[np.bool_] = rounded == extreme(rounded, axis=1, keepdims=True)
    return found


def _cell(words: Wording, mean: float, half: float, *, best: bool) -> str:
    text = words.value(float(mean)) + (f" ± {words.value(float(half))}" if np.isfinite(half) else "")
    return f"{BEST} {text}" if best else text


def _direction(measure: Measure) -> str:
    return f"{'higher' if measure.higher_is_better else 'lower'} is better"


def measure_means(results: Results, order: Sequence[str]) -> Table | None:
    """The mean of every measure for each method; None where there is only one measure.

    Over splits, then over data sets; for measures without a common scale (times, errors) the geometric mean over data
    sets. A data set counts only where every method has a value.
    """
    if len(results.measures) < 2:
        return None
    methods = sorted(results.method_names(), key=lambda m: (m in results.yardsticks, _place(order, m)))
    compared = sum(m not in results.yardsticks for m in methods)
    columns, texts, notes, scaled = [Column("method", align="left")], [], [], True
    for measure in results.measures.values():
        words = Wording(measure)
        means, used, of = _overall(results, measure, methods)
        if not used:
            continue
        write = formats.duration if measure.unit == "s" else words.value
        unit = f" ({measure.unit})" if measure.unit and measure.unit != "s" else ""
        columns.append(Column(f"{words.name}{unit} {'↑' if measure.higher_is_better else '↓'}"))
        best = _best(means[None, :compared], measure)[0]
        scaled = scaled and measure.compare == "difference"
        marks = [f"{BEST} " if i < compared and best[i] else "" for i in range(len(methods))]
        texts.append([mark + write(float(mean)) for mark, mean in zip(marks, means, strict=True)])
        if used < of:
            notes.append(f"{words.name} over {used} of {plural(of, 'data set')}: undefined for a method on the others")
    if len(texts) < 2:
        return None
    rows = tuple((m, *(column[i] for column in texts)) for i, m in enumerate(methods))
    signs = f"↑ higher is better, ↓ lower is better, {BEST} best of the column"
    lost = ("failed trials are left out here; the verdict scores them as said below",) if len(results.failures) else ()
    sets = plural(len(results.dataset_names()), "data set")
    caption = f"mean over {sets}" if scaled else f"mean over {sets}; of times and unscaled errors the geometric mean"
    return Table(tuple(columns), rows, caption=caption, notes=(signs, *notes, *lost))


def _place(order: Sequence[str], method: str) -> int:
    return order.index(method) if method in order else len(order)


def _overall(results: Results, measure: Measure, methods: Sequence[str]) -> tuple[NDArray[np.float64], int, int]:
    """Means of the methods, over how many data sets, of how many."""
    own = results.scores[results.scores["measure"] == measure.name]
    wide = own.pivot_table(index="dataset", columns="method", values="value", aggfunc="mean", sort=False)
    wide = wide.reindex(columns=list(methods))
    able = wide.columns[wide.notna().any()]
    table = wide[wide[able].notna().all(axis=1)].to_numpy(dtype=float) if len(able) else wide.to_numpy()[:0]
    if measure.compare == "log-ratio" and (table[~np.isnan(table)] > 0).all():
        means = np.exp(np.log(table).mean(axis=0)) if len(table) else np.full(len(methods), np.nan)
    else:
        means = table.mean(axis=0) if len(table) else np.full(len(methods), np.nan)
    return means, len(table), own["dataset"].nunique()
