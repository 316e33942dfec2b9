"""Tables of scores: means on each data set, and the mean of every measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError
from fairtrial.measures import Measure
from fairtrial.results import Results
from fairtrial.results.absentees import absences
from fairtrial.results.failure_policy import MARK, is_resource
from fairtrial.tables import Column, Marked, Strong, Table, formats
from fairtrial.verdict import Verdict, gather
from fairtrial.verdict.absent_methods import failed_note, left_out, legend
from fairtrial.verdict.estimates import intervals
from fairtrial.verdict.wording import Wording
from fairtrial.words import listed, part_of, plural

__all__ = ["BEST", "dataset_means", "measure_means"]

BEST = "★"
"""The sign before the best number, which is bold, too: colour alone is not enough."""

SAME = 12
"""Means that agree to this many decimals are ties: the rest is rounding."""


def dataset_means(verdict: Verdict) -> Table:
    """Means of the question's measure: data sets in rows, methods in columns; the best of each row is marked.

    These are exactly the numbers that the verdict is based on, after its failure policy.
    """
    evidence, level = verdict.evidence, verdict.question.level
    words = Wording(evidence.measure)
    k = len(evidence.methods)
    low, high = intervals(evidence, level)
    half = (high - low) / 2
    gone = np.array([[evidence.gone(i, m) for m in evidence.columns] for i in range(len(evidence.datasets))])
    best = _best(np.where(gone, np.nan, evidence.means)[:, :k], evidence.measure)
    rows = []
    for i, name in enumerate(evidence.datasets):
        cells = (
            _cell(words, evidence.cell(i, method), half[i, m], best=m < k and bool(best[i, m]))
            for m, method in enumerate(evidence.columns)
        )
        rows.append((name, *cells))
    notes = [f"{BEST} best of the row"] if k > 1 else []
    if np.isfinite(half).any():
        notes.append(f"± half the {100 * level:g} % interval of that mean, corrected for shared training data")
    if evidence.yardsticks:
        notes.append(f"yardstick: {listed(evidence.yardsticks)}")
    columns = (Column("data set", align="left"), *(Column(m) for m in evidence.columns))
    failed = (
        *legend(evidence, evidence.columns, evidence.scored_alone),
        *failed_note(evidence),
        *left_out(evidence.absent),
    )
    caption = f"{words.name}, {_direction(evidence.measure)}"
    return Table(columns, tuple(rows), caption=caption, notes=(*(("; ".join(notes),) if notes else ()), *failed))


def _best(means: NDArray[np.float64], measure: Measure) -> NDArray[np.bool_]:
    """Whether each mean is the best of its row; tied means all are."""
    rounded = np.round(means, SAME)
    if means.shape[1] < 2:
        return np.zeros(means.shape, dtype=np.bool_)
    extreme = np.fmax.reduce if measure.higher_is_better else np.fmin.reduce
    found: NDArray[np.bool_] = rounded == extreme(rounded, axis=1)[:, None]
    return found


def _cell(words: Wording, mean: object, half: float, *, best: bool) -> str:
    if isinstance(mean, Marked) and mean.text:
        return mean.text
    value, mark = (mean.value, mean.mark) if isinstance(mean, Marked) else (mean, "")
    number, *interval = words.values(float(value), *([float(half)] if np.isfinite(half) else []))  # type: ignore[arg-type]
    text = " ± ".join([number + mark, *interval])
    return Strong(f"{BEST} {text}") if best else text


def _direction(measure: Measure) -> str:
    return f"{'higher' if measure.higher_is_better else 'lower'} is better"


def measure_means(results: Results, order: Sequence[str]) -> Table | None:
    """The mean of every measure for each method; None if there is only one measure.

    The mean is over splits, then over data sets; for measures without a common scale (times, errors) it is the
    geometric mean over data sets. Failed trials are scored by the failure policy. If the policy can't be applied to a
    measure, they are left out, and only data sets with a value of every method count; the notes of the table say so.
    """
    if len(results.measures) < 2:
        return None
    absent = absences(results).everywhere
    there = [m for m in results.method_names() if m not in {a.method for a in absent}]
    methods = sorted(there, key=lambda m: (m in results.yardsticks, _place(order, m)))
    found = {m: _overall(results, m, methods) for m in results.measures.values()}
    found = {m: overall for m, overall in found.items() if overall.used}
    if len(found) < 2:
        return None
    compared = sum(m not in results.yardsticks for m in methods)
    texts = [_column(m, overall, compared) for m, overall in found.items()]
    columns = (Column("method", align="left"), *(Column(_heading(m)) for m in found))
    rows = tuple((m, *(column[i] for column in texts)) for i, m in enumerate(methods))
    sets = plural(len(results.dataset_names()), "data set")
    scaled = all(m.compare == "difference" for m in found)
    caption = f"mean over {sets}" if scaled else f"mean over {sets}; of times and unscaled errors the geometric mean"
    signs = f"↑ higher is better, ↓ lower is better, {BEST} best of the column"
    notes = (signs, *_remarks(found, len(results.dataset_names())), *left_out(absent))
    return Table(columns, rows, caption=caption, notes=notes)


def _place(order: Sequence[str], method: str) -> int:
    return order.index(method) if method in order else len(order)


def _heading(measure: Measure) -> str:
    unit = f" ({measure.unit})" if measure.unit and measure.unit != "s" else ""
    arrow = "" if not measure.directed else " ↑" if measure.higher_is_better else " ↓"
    return f"{Wording(measure).name}{unit}{arrow}"


def _column(measure: Measure, overall: _Overall, compared: int) -> list[str]:
    """The cells of one measure; the best of the compared methods, which come first, has a star."""
    write = formats.duration if measure.unit == "s" else Wording(measure).value
    means = overall.means
    best = _best(means[None, :compared], measure)[0] if measure.directed else np.zeros(compared, dtype=bool)
    signs = [MARK if lost and not np.isnan(mean) else "" for lost, mean in zip(overall.failed, means, strict=True)]
    texts = [write(float(mean)) + sign for mean, sign in zip(means, signs, strict=True)]
    return [Strong(f"{BEST} {text}") if i < compared and best[i] else text for i, text in enumerate(texts)]


@dataclass(frozen=True, eq=False)
class _Overall:
    """The means of the methods over ``used`` data sets, and how failed trials count in them.

    ``failed`` has the methods with failed trials, and ``scored`` describes how these were scored. Otherwise failed
    trials are left out (``left_out``), or get the largest cost of the others (``largest``).
    """

    means: NDArray[np.float64]
    used: int
    failed: tuple[bool, ...]
    left_out: bool = False
    largest: bool = False
    scored: str = ""


def _remarks(found: Mapping[Measure, _Overall], of: int) -> Iterator[str]:
    """Notes on means over fewer data sets, and on failed trials."""
    fewer: dict[int, list[str]] = {}
    for measure, overall in found.items():
        if overall.used < of:
            fewer.setdefault(overall.used, []).append(Wording(measure).name)
    for used, names in fewer.items():
        yield f"{listed(names)} over {part_of(used, of, 'data set')}: not every method has a value on the others"
    scored = dict.fromkeys(overall.scored for overall in found.values() if overall.scored and not overall.largest)
    yield from (f"{MARK} {text}" for text in scored)
    left_out = [Wording(measure).name for measure, overall in found.items() if overall.left_out]
    if left_out:
        yield f"{MARK} failed trials are left out of {listed(left_out)}"
    largest = [Wording(measure).name for measure, overall in found.items() if overall.largest]
    if largest:
        yield f"{listed(largest)} of failed trials: the limit that cut them off, or the largest of the other methods"


def _overall(results: Results, measure: Measure, methods: Sequence[str]) -> _Overall:
    try:
        question = replace(results.question, measure=measure.name, control=None)
        evidence = gather(replace(results, question=question))
    except InputError:
        pass
    else:
        there = [m for m in methods if m in evidence.columns]
        own_means = _average(evidence.means[:, [evidence.columns.index(m) for m in there]], measure)
        known = dict(zip(there, own_means.tolist(), strict=True))
        failed = tuple(m in known and evidence.stood_in(m) > 0 for m in methods)
        means = np.array([known.get(m, np.nan) for m in methods])
        largest = any(failed) and is_resource(measure)
        return _Overall(means, len(evidence.datasets), failed, largest=largest, scored=evidence.scored)
    own = results.scores[results.scores["measure"] == measure.name]
    wide = own.pivot_table(index="dataset", columns="method", values="value", aggfunc="mean", sort=False)
    wide = wide.reindex(columns=list(methods))
    able = wide.columns[wide.notna().any()]
    table = wide[wide[able].notna().all(axis=1)].to_numpy(dtype=float)
    lost = set(own.loc[own["status"] != "ok", "method"])
    failed = tuple(m in lost for m in methods)
    return _Overall(_average(table, measure), len(table) if len(able) else 0, failed, left_out=any(failed))


def _average(table: NDArray[np.float64], measure: Measure) -> NDArray[np.float64]:
    """The mean over data sets; the geometric mean where only ratios make sense."""
    if not len(table):
        return np.full(table.shape[1], np.nan)
    ratios = measure.compare == "log-ratio" and bool((table[~np.isnan(table)] > 0).all())
    means: NDArray[np.float64] = np.exp(np.log(table).mean(axis=0)) if ratios else table.mean(axis=0)
    return means
