"""The pilot of a study: one trial of each data set, method and setting, to estimate the cost of all."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fairtrial.design import Plan, Trial
from fairtrial.engine.pilot_scores import pilot_score
from fairtrial.engine.processes import Processes
from fairtrial.engine.setting_costs import predicted_seconds, tried_settings
from fairtrial.engine.supplies import supplies_of
from fairtrial.store import Record

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
