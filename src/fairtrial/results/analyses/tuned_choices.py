"""Choices of tuned methods, also of thresholds, what they tried, and the cost, from the details of trials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.results.absentees import absences
from fairtrial.results.failure_policy import MARK
from fairtrial.store.checks.json import DECISION, TUNING, Check, fits
from fairtrial.tables import Column, Table, formats
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.results import Results

EXTREME = {"none": np.inf, "all": -np.inf}  # thresholds that flag no case, or each
FEW = 3
"""The most different values that are counted one by one; more numbers are summed up."""


def chosen_frame(results: Results) -> pd.DataFrame:
    """One row per trial of a tuned method: the choice, its inner score, and the cost of the search."""
    rows = [
        {
            **place,
            **{f"param_{name}": value for name, value in search["chosen"].items()},
            "inner_score": np.nan if search["score"] is None else search["score"],
            "measure": search["measure"],
            "search": search["search"],
            "inner": search["inner"],
            **{name: search[name] for name in ("configurations", "failed", "fits", "seconds", "refit_seconds")},
        }
        for place, search in _reported(results, "tuning", TUNING)
    ]
    return _frame(results, rows, ("inner_score", "configurations", "fits", "seconds"))


def tried_frame(results: Results) -> pd.DataFrame:
    """One row per trial and configuration, best first: parameters, inner score, and the score of each inner split."""
    rows = [
        {
            **place,
            "place": i,
            **{f"param_{name}": value for name, value in tried["parameters"].items()},
            "inner_score": np.nan if tried["score"] is None else tried["score"],
            "rows": tried["rows"],
            "scores": tried.get("scores", []),
            "error": tried.get("error", ""),
        }
        for place, search in _reported(results, "tuning", TUNING)
        for i, tried in enumerate(search["tried"], start=1)
    ]
    return _frame(results, rows, ("place", "inner_score", "rows", "scores", "error"))


def _frame(results: Results, rows: list[dict[str, Any]], columns: Sequence[str]) -> pd.DataFrame:
    """A frame with the parameters of all methods after the columns of the trial, also where it has no rows."""
    import pandas as pd

    if not rows:
        return pd.DataFrame(columns=[*_places(results), *columns])
    frame = pd.DataFrame(rows)
    parameters = [c for c in frame.columns if c.startswith("param_")]
    for name in parameters:
        frame[name] = pd.Series(
            [row.get(name) for row in rows], dtype=object
        )  # as objects: beside a gap, 1 would become 1.0
    first = [*_places(results), *parameters]
    return frame[[*first, *(c for c in frame.columns if c not in first)]]


def _places(results: Results) -> list[str]:
    return ["dataset", "method", *results.factors, "replicate", "repeat", "fold"]


def _reported(results: Results, name: str, check: Check) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The trials whose details have a part of that name, such as a search, each with this part."""
    if results.source is None or (trials := results.source.trials) is None:
        return
    details = results.source.details()
    names = _places(results)
    for trial, *place in trials.loc[trials["trial"].isin(list(details)), ["trial", *names]].itertuples(index=False):
        part = details[trial].get(name)
        if part is not None and fits(part, check):  # otherwise the detail is the method's own
            yield dict(zip(names, place, strict=True)), part


def threshold_table(results: Results) -> Table | None:
    """The thresholds that methods tuned for their decisions, and the share of cases flagged; None without any."""
    found: dict[str, dict[str, list[float]]] = {}
    for place, decision in _reported(results, "decision", DECISION):
        given = decision["threshold"]
        found.setdefault(place["method"], {}).setdefault(place["dataset"], []).append(EXTREME.get(given, given))
    rows = []
    for method, by_dataset in found.items():
        values = sorted(value for own in by_dataset.values() for value in own)
        flagged = float(np.mean([flagged_share(results, dataset, method) for dataset in by_dataset]))
        rows.append((method, values[len(values) // 2], values[0], values[-1], flagged))
    columns = (
        Column("method", align="left"),
        Column("threshold", threshold_in_words),
        Column("lowest", threshold_in_words),
        Column("highest", threshold_in_words),
        Column("flags", formats.percent),
    )
    notes = (
        "a case is flagged (predicted positive) from this probability on, or this score where a method has no "
        "probabilities; median, lowest and highest over trials; flags: the share of tested cases",
    )
    return Table(columns, tuple(rows), caption="tuned thresholds", notes=notes) if rows else None


def threshold_in_words(value: object) -> str:
    """A threshold as it is shown; none or all: it flags no case, or each.

    >>> threshold_in_words(0.03226), threshold_in_words(float("inf"))
    ('0.0323', 'none')
    """
    return next((name for name, extreme in EXTREME.items() if value == extreme), formats.significant(3)(value))


def flagged_share(results: Results, dataset: str, method: str) -> float:
    """The share of the tested cases for which a method predicted the positive class."""
    assert results.source is not None
    predicted = results.source.predictions(dataset, method)
    positive = 1 if predicted.positive is None else predicted.positive
    return float((predicted.channels["label"] == positive).mean())


def tuning_table(results: Results) -> Table | None:
    """The table of each method's tuning and its cost; None where nothing was tuned."""
    frame = chosen_frame(results)
    if frame.empty:
        return None
    rows: list[tuple[object, ...]] = []
    lost = results.failures["method"].value_counts()
    absent = absences(results).methods()
    for name in (m for m in results.method_names() if m not in results.yardsticks):
        own = frame[frame["method"] == name]
        if name in absent:
            rows.append((name, "did not run", *(None,) * 5))
        elif len(own):
            rows.append(_row(f"{name}{MARK}" if name in lost else name, own))
        else:
            rows.append((name, "not tuned", 0, None, None, None, None))
    columns = (
        Column("method", align="left"),
        Column("search", align="left"),
        Column("configurations", formats.count),
        Column("fits a trial", formats.count, key="fits"),
        Column("tuning a trial", formats.duration, key="seconds"),
        Column("in all", formats.duration, key="total"),
        Column("chosen", align="left"),
    )
    counts = [f"{lost[m]} of {m}" for m in dict.fromkeys(frame["method"]) if m in lost and m not in absent]
    failed = [f"{MARK} failed trials are left out: {listed(counts)}"] if counts else []
    notes = ("fits and times are medians over trials; the time to fit includes the tuning", *failed, *_failed(frame))
    return Table(columns, tuple(rows), caption="tuning", notes=notes)


def _failed(frame: pd.DataFrame) -> Iterator[str]:
    for name, n in frame.groupby("method", sort=False)["failed"].sum().items():
        if n:
            yield f"{plural(int(n), 'configuration')} of {name} failed, over all trials: results.tried has why"


def _row(name: str, own: pd.DataFrame) -> tuple[object, ...]:
    first = own.iloc[0]
    how = f"{first['search']}, {first['measure']} over {first['inner']}"
    chosen = [_chosen(c.removeprefix("param_"), own[c].dropna().tolist()) for c in own if c.startswith("param_")]
    return (
        name,
        how,
        int(own["configurations"].median()),
        int(own["fits"].median()),
        float(own["seconds"].median()),
        float(own["seconds"].sum()),
        "; ".join(text for text in chosen if text),
    )


def _chosen(name: str, values: list[Any]) -> str:
    """Text on how often each value was chosen; many numbers by their median and bounds.

    >>> _chosen("C", [1, 1, 10]), _chosen("C", [0.5, 1, 2, 6]), _chosen("C", [])
    ('C 1 (2 of 3), 10 (1)', 'C 1.50 (0.500 to 6)', '')
    """
    if not values:
        return ""
    counts = Counter(map(_write, values)).most_common()
    numbers = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)
    if len(counts) > FEW and numbers:
        middle, low, high = (_write(float(f(values))) for f in (np.median, np.min, np.max))
        return f"{name} {middle} ({low} to {high})"
    shown = [f"{v} ({n} of {len(values)})" if not i else f"{v} ({n})" for i, (v, n) in enumerate(counts[:FEW])]
    return f"{name} {', '.join(shown)}{', …' * (len(counts) > FEW)}"


def _write(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}" if value.is_integer() else formats.significant(3)(value)
    return f"{value}"
