"""The pilot of a study: one trial of each data set, method and setting, to estimate the cost of all.

The score of a trial of a pilot, by the first measure of the study: what effects are computed from before a run.

The cost of settings that a pilot did not try, predicted from those that it tried.

Costs of settings differ by orders of magnitude, and factors mostly multiply them: 500 trees take ten times as long as
50, whatever their depth. So the model has main effects of the factors on the logarithm of the seconds.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset
from fairtrial.design import Level, Plan, Trial, are_numbers
from fairtrial.engine.executors.processes import Processes
from fairtrial.engine.supplies import supplies_of
from fairtrial.measures import Predictions, compute_on, get, is_known
from fairtrial.store import Record


def pilot_score(plan: Plan, trial: Trial, record: Record) -> float:
    """The score of a trial by the study's first measure; nan if it failed, or if one split does not determine it."""
    name = plan.study.measures[0]
    if record.status != "ok" or not is_known(name):
        return math.nan
    if get(name).from_trials:
        return float(record.resources.get(name, math.nan))
    dataset, tested = plan.study.datasets[trial.dataset], plan.splits[trial.split].test
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = float(compute_on(_predictions(dataset, tested, record), [name])[name][0])
    except Exception:  # noqa: BLE001 - a measure that refuses these predictions, or one of the user's own
        return math.nan
    return value if math.isfinite(value) else math.nan


def _predictions(dataset: Dataset, tested: NDArray[np.int32], record: Record) -> Predictions:
    channels = {name: packed.unpack() for name, packed in record.arrays.items()}
    if dataset.task != "classes":
        return Predictions.checked(dataset.target[tested], channels, n_classes=0)
    positive = None if dataset.positive is None else dataset.classes.index(dataset.positive)
    if "score" in channels and channels["score"].ndim == 1 and positive == 0:
        channels["score"] = -channels["score"]  # a single column is for the second class
    return Predictions.checked(dataset.codes[tested], channels, n_classes=len(dataset.classes), positive=positive)


MOST_TRIED = 32
SHORTEST = 1e-4  # seconds: below that, times are noise
RIDGE = 1e-3  # keeps effects finite that the tried settings can't tell apart

Setting = Mapping[str, Level]


def tried_settings(settings: Sequence[Setting]) -> list[int]:
    """The settings that a pilot tries: all if they are few; else those with each level, or each end of numbers.

    The rest of the 32 are spread evenly over the list.

    >>> len(tried_settings([{"depth": d} for d in range(100)]))
    32
    """
    n = len(settings)
    if n <= MOST_TRIED:
        return list(range(n))
    corners: dict[int, None] = {}
    for name, levels in _levels(settings).items():
        ends = (min(levels), max(levels)) if are_numbers(levels) else levels  # type: ignore[type-var]
        for level in ends:
            if not any(_has(settings[i], name, level) for i in corners):
                corners[next(i for i in range(n) if _has(settings[i], name, level))] = None
    spread = np.linspace(0, n - 1, MOST_TRIED).round().astype(int).tolist()
    left = max(0, MOST_TRIED - len(corners))
    return sorted([*corners, *[i for i in spread if i not in corners][:left]])


def predicted_seconds(settings: Sequence[Setting], seconds: Sequence[float]) -> list[float]:
    """The seconds of all settings: as they were measured, else (nan) as the main effects of the factors predict.

    By hand: 1 s with 10 trees, 10 s with 100, and twice as long at depth 9 give 20 s for 100 trees of depth 9.

    >>> settings = [{"trees": t, "depth": d} for t in (10, 100) for d in (3, 9)]
    >>> [round(s, 1) for s in predicted_seconds(settings, [1, 2, 10, math.nan])]
    [1, 2, 10, 20.0]
    """
    known = np.asarray(seconds, dtype=float)
    usable = known > 0  # a trial that failed took no time, which says nothing of the others
    if not np.isnan(known).any():
        return list(seconds)
    if not usable.any():
        return [0.0 if math.isnan(s) else s for s in seconds]
    columns = _columns(settings)
    centre = columns[usable].mean(axis=0)
    logs = np.log(np.maximum(known[usable], SHORTEST))
    X, y = columns[usable] - centre, logs - logs.mean()
    penalty = RIDGE * np.eye(X.shape[1])
    effects = np.linalg.lstsq(np.vstack([X, penalty]), np.concatenate([y, np.zeros(X.shape[1])]), rcond=None)[0]
    found = np.exp(logs.mean() + (columns - centre) @ effects)
    return [float(found[i]) if math.isnan(s) else s for i, s in enumerate(seconds)]


def _columns(settings: Sequence[Setting]) -> NDArray[np.float64]:
    """A column for each number (log where all are positive) and for each category but the first; absent is 0."""
    columns = [np.zeros(len(settings))]
    for name, levels in _levels(settings).items():
        if are_numbers(levels):
            numbers = [float(level) for level in levels]  # type: ignore[arg-type]
            scale = math.log if min(numbers) > 0 else float
            low, high = scale(min(numbers)), scale(max(numbers))
            middle, half = (low + high) / 2, (high - low) / 2 or 1.0
            columns.append(np.array([(scale(s[name]) - middle) / half if name in s else 0.0 for s in settings]))  # type: ignore[arg-type]
        else:
            columns += [np.array([float(_has(s, name, level)) for s in settings]) for level in levels[1:]]
        there = np.array([float(name in s) for s in settings])
        columns += [there] if there.min() < 1 else []
    return np.column_stack(columns)


def _levels(settings: Sequence[Setting]) -> dict[str, list[Level]]:
    found: dict[str, dict[tuple[type, Level], Level]] = {}
    for setting in settings:
        for name, level in setting.items():
            found.setdefault(name, {})[type(level), level] = level
    return {name: list(levels.values()) for name, levels in found.items()}


def _has(setting: Setting, name: str, level: Level) -> bool:
    return name in setting and setting[name] == level and type(setting[name]) is type(level)


Place = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class PilotRun:
    """What a pilot found, by the numbers of data set, method and setting: seconds of a trial, and scores.

    ``seconds`` has all settings; those that were not tried are predicted. ``scores`` has those that were tried, by the
    first measure of the study; nan where a trial failed.
    """

    seconds: dict[Place, float]
    scores: dict[Place, float]


def pilot(plan: Plan) -> PilotRun:
    """The cost and the score of one trial of each data set, method and setting; records are not kept.

    The first trial of each runs in a worker process, under the study's limits. If a method has many settings, some of
    them are tried, with each level of each factor at least once, and the others are predicted from them. A trial that
    fails counts with the time that was recorded: its limit if it exceeded that, otherwise 0.
    """
    first: dict[Place, Trial] = {}
    for row in range(len(plan)):
        place = int(plan.owners[row]), int(plan.method[row]), int(plan.level[row])
        if place not in first:
            first[place] = plan.trial(row)
    settings: dict[tuple[int, int], list[int]] = {}
    for dataset, method, level in sorted(first):
        settings.setdefault((dataset, method), []).append(level)
    chosen = {
        (dataset, method, own[i])
        for (dataset, method), own in settings.items()
        for i in tried_settings([plan.levels[v] for v in own])
    }
    found = _run(plan, {place: trial for place, trial in first.items() if place in chosen})
    seconds = dict(found.seconds)
    for (dataset, method), own in settings.items():
        known = [seconds.get((dataset, method, level), math.nan) for level in own]
        costs = predicted_seconds([plan.levels[v] for v in own], known)
        seconds |= {(dataset, method, level): cost for level, cost in zip(own, costs, strict=True)}
    return PilotRun(seconds, found.scores)


def _run(plan: Plan, trials: dict[Place, Trial]) -> PilotRun:
    places = {trial.key: place for place, trial in trials.items()}
    found = PilotRun({}, {})

    def done(record: Record) -> None:
        place = places[record.key]
        found.seconds[place] = sum(record.resources.get(r, 0.0) for r in ("fit_time", "predict_time"))
        found.scores[place] = pilot_score(plan, trials[place], record)

    with Processes(1).open(supplies_of(plan)) as pool:
        pool.run(trials.values(), done, lambda: None)
    return found
