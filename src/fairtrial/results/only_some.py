"""Results of some methods and data sets only.

Results in which each setting of a method is a method of its own: ``forest (max_depth 3)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairtrial.design import FACTORS, write_setting
from fairtrial.errors import InputError, UnknownName
from fairtrial.words import listed, quoted

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.how_read import Reading
    from fairtrial.results.results import Results


def results_of(results: Results, methods: Sequence[str] | None, datasets: Sequence[str] | None) -> Results:
    """The results of some methods and data sets, which say that they are a part, and of what."""
    asked = {"methods": methods, "datasets": datasets}
    part = {name: tuple(given) for name, given in asked.items() if given is not None}
    known = {"methods": [m for m in results.method_names() if m not in results.yardsticks]}
    known["datasets"] = list(results.dataset_names())
    found = only_some(results, methods, datasets)
    notes = [
        f"chosen from {len(known[name])} {word}: {listed(part[name])}"
        for name, word in (("methods", "methods"), ("datasets", "data sets"))
        if name in part and not set(known[name]) <= set(part[name])
    ]
    provenance = replace(found.provenance, part={**results.provenance.part, **part})
    return replace(found, notes=(*found.notes, *notes), provenance=provenance, reading=_reading_of(found))


def _reading_of(part: Results) -> Reading | None:
    """How the table was read, with the numbers of what was chosen of it."""
    names, instances = part.method_names(), sum(facts.get("n", 0) for facts in part.datasets.values())
    now = {part.provenance.unit: len(part.dataset_names()), "method": len(names), "instance": instances}
    if (read := part.reading) is None:
        return None
    counts = tuple((now.get(noun, n), noun) for n, noun in read.counts)
    return replace(read, counts=counts, methods=tuple(m for m in read.methods if m in names))


def only_some(results: Results, methods: Sequence[str] | None, datasets: Sequence[str] | None) -> Results:
    """The results of some methods, in their order, on some data sets; yardsticks stay."""
    _check("method", methods, results.method_names())
    _check("data set", datasets, results.dataset_names())
    part = {} if datasets is None else {"dataset": list(datasets)}
    if methods is not None:
        part["method"] = [*methods, *(m for m in results.yardsticks if m not in methods)]
    scores, failures = (rows_of(frame, part, frame) for frame in (results.scores, results.failures))
    if methods is not None:
        scores = scores.sort_values("method", key=lambda own: own.map(part["method"].index), kind="stable")
    source = None if results.source is None else results.source.only(part)
    there = part.get("dataset", results.dataset_names())
    control = results.question.control if methods is None or results.question.control in part["method"] else None
    return replace(
        results,
        scores=scores.reset_index(drop=True),
        failures=failures,
        dependence={name: known for name, known in results.dependence.items() if name in there},
        datasets={name: known for name, known in results.datasets.items() if name in there},
        factors={name: own for name, own in results.factors.items() if scores[name].notna().any()},
        question=replace(results.question, control=control),
        baseline=results.baseline if methods is None or results.baseline in part["method"] else None,
        source=source,
        **({} if source is None else source.trial_remarks()),
    )


def rows_of(frame: pd.DataFrame, part: Mapping[str, Sequence[str]], before: pd.DataFrame) -> pd.DataFrame:
    """The rows of some methods and data sets, by their names, or by those that they had ``before``."""
    for column, names in part.items():
        there = frame[column].isin(names) | before[column].isin(names)
        frame, before = frame[there], before[there]
    return frame


def _check(kind: str, names: Sequence[str] | None, known: Sequence[str]) -> None:
    for name in names or ():
        if name not in known:
            raise UnknownName.among(f"{kind} of these results", name, known)
    if names is not None and (len(set(names)) < len(names) or not names):
        word = f"{kind.replace(' ', '')}s"
        raise InputError(f"{word} must name each {kind} once, and at least one, got {quoted(names)}")


def results_by_setting(results: Results) -> Results:
    """The results with a method for each setting; factors of the training data stay factors."""
    own = [name for name in results.factors if name not in FACTORS]
    if not own:
        raise InputError("these results have no factors on methods whose settings could be compared")
    scores, failures = (settings_as_methods(frame, own) for frame in (results.scores, results.failures))
    return replace(
        results,
        scores=scores,
        failures=failures,
        factors={name: levels for name, levels in results.factors.items() if name not in own},
        named_by_setting=True,
        source=None if results.source is None else results.source.by_setting(),
    )


def settings_as_methods(frame: pd.DataFrame, factors: Sequence[str]) -> pd.DataFrame:
    """A table with the names of settings as methods, without the columns of these factors."""
    there = [name for name in factors if name in frame]
    number = frame.groupby(["method", *there], sort=False, dropna=False).ngroup()
    first = frame.loc[~number.duplicated(), ["method", *there]]
    names = {}
    for n, row in zip(number[first.index], first.to_dict("records"), strict=True):
        levels = {name: row[name] for name in there if row[name] == row[name]}  # nan: it does not exist there
        names[n] = write_setting(str(row["method"]), levels)
    return frame.assign(method=number.map(names).astype("str")).drop(columns=there)
