"""Results at several levels of a study's factors: the combinations, the results at some of them, and a refusal."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from fairtrial.design import Level
from fairtrial.errors import InputError, UnknownName
from fairtrial.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.results import Results

__all__ = ["level_combinations", "refuse_several_levels", "results_at"]


def level_combinations(results: Results) -> list[dict[str, Level]]:
    """The combinations of levels with results, in the study's order; without factors, one empty combination."""
    factors = results.factors
    there = {tuple(row) for row in results.scores[list(factors)].drop_duplicates().itertuples(index=False)}
    combinations = itertools.product(*factors.values())
    return [dict(zip(factors, c, strict=True)) for c in combinations if not factors or c in there]


def results_at(results: Results, chosen: Mapping[str, Level]) -> Results:
    """The results at some levels, without the factors that are chosen."""
    for name, level in chosen.items():
        if name not in results.factors:
            raise UnknownName.among("factor of these results", name, results.factors)
        if level not in results.factors[name]:
            raise InputError(f"{name} must be one of {list(results.factors[name])} in these results, got {level!r}")
    source = None if results.source is None else results.source.at(chosen)
    scores, failures = (_rows_at(frame, chosen) for frame in (results.scores, results.failures))
    planned = set(scores["dataset"]) if source is None else source.datasets()
    return replace(
        results,
        scores=scores,
        failures=failures,
        dependence={name: known for name, known in results.dependence.items() if name in planned},
        datasets={name: known for name, known in results.datasets.items() if name in planned},
        factors={name: own for name, own in results.factors.items() if name not in chosen},
        chosen={**results.chosen, **chosen},
        source=source,
        **({} if source is None else source.trial_remarks()),
    )


def _rows_at(frame: pd.DataFrame, levels: Mapping[str, Level]) -> pd.DataFrame:
    """The rows at some levels, without the columns of those factors."""
    for name, level in levels.items():
        frame = frame[frame[name] == level]
    return frame.drop(columns=list(levels))


def refuse_several_levels(results: Results) -> None:
    """Refuse results at several levels where an analysis would mix them."""
    if results.factors:
        name, levels = next(iter(results.factors.items()))
        raise InputError(
            f"these results are at several levels of {listed(results.factors)}; choose one, such as "
            f"results.at({name}={levels[0]}), or take results.verdicts(), which judges each (command line: --at)"
        )
