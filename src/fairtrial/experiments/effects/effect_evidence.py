"""The evidence on effects: scores of all settings on shared splits, after the failure policy, seeds averaged."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import FACTORS, Level, find_level
from fairtrial.errors import InputError, UnknownName
from fairtrial.experiments.effects.effect_factors import METHOD, Setting
from fairtrial.measures import Measure
from fairtrial.notices import Notice, look
from fairtrial.resampling import Dependence
from fairtrial.results.at_levels import settings_as_methods
from fairtrial.results.failure_policy import ABSENT, Grid, apply_policy
from fairtrial.results.prediction_source import why_undefined
from fairtrial.results.score_measures import is_known_measure
from fairtrial.verdict.evidence import Evidence, FloatArray
from fairtrial.words import listed, part_of, plural, verb

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results import Results

MOST_UNDEFINED = 0.10
PLACE = ["dataset", "repeat", "fold"]


@dataclass(frozen=True, slots=True, eq=False)
class EffectEvidence:
    """Scores of settings: ``evidence`` has a column for each of the ``settings``, and its splits in rows.

    ``seeds`` has the axes data set × split × seed × setting where there are replicates, nan where there is no score.
    ``methods`` are those whose settings these are.
    """

    evidence: Evidence
    settings: tuple[Setting, ...]
    methods: tuple[str, ...]
    notices: tuple[Notice, ...] = ()
    seeds: FloatArray | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Scores in a table: a row for each score, and the numbers of its setting and of its split."""

    rows: pd.DataFrame
    settings: tuple[Setting, ...]
    grid: Grid


def gather_settings(results: Results, method: str | None = None) -> EffectEvidence:
    """The scores of all settings for the question's measure; yardsticks only stand in for failed trials.

    A setting is a method at levels of its own factors and of those of the training data. A failed trial is scored by
    the failure policy at its own level, then replicates are averaged. Splits on which a setting has not been run, or
    has no defined score, are left out for all settings.
    """
    facts = results.measure(results.question.measure)
    if not facts.directed:
        raise InputError(
            f"{facts.name} has no better and worse, so that no effect on it helps; ask for another measure"
        )
    methods = _methods(results, method)
    table = _table(results, facts, methods)
    rows, notices = table.rows, list(look("grid", results, table.grid))
    split, places = _numbered(rows, PLACE)
    shape = (len(places), len(table.settings))
    counts, sums = np.zeros(shape), np.zeros(shape)
    np.add.at(counts, (split, rows["setting"]), 1)
    np.add.at(sums, (split, rows["setting"]), rows["value"].to_numpy(dtype=float))
    of_setting = [str(setting.get(METHOD, methods[0])) for setting in table.settings]
    why = partial(why_undefined, results, facts)
    kept = _usable(facts, places, counts, sums, notices, lambda dataset, i: why(dataset, of_setting[i]))
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / counts
    names = tuple(dict.fromkeys(places.loc[kept, "dataset"]))
    own = [kept & (places["dataset"] == name).to_numpy() for name in names]
    folds = tuple(means[each] for each in own)
    dependence = tuple(_dependence(results, facts, name) for name in names)
    labels = tuple(map(str, range(len(table.settings))))
    evidence = Evidence(facts, names, labels, (), folds, dependence, policy=results.policy)
    apart = not (is_known_measure(facts.name) or facts.higher_is_better or results.question.delta is not None)
    evidence = replace(evidence, by_ratio=apart and evidence.scales_apart)
    seeds = _seeds(rows, split, own, len(table.settings))
    return EffectEvidence(evidence, table.settings, methods, tuple(notices), seeds)


def on_one_dataset(results: Results, dataset: str | None) -> Results:
    """The results on one data set, as if no other had been asked for; on all of them if none is named."""
    known = results.dataset_names()
    if dataset is None:
        return results
    if dataset not in known:
        raise UnknownName.among("data set of these results", dataset, known)
    there = {dataset: results.datasets[dataset]} if dataset in results.datasets else {}
    return replace(results, scores=results.scores[results.scores["dataset"] == dataset], datasets=there)


def why_averaged(known: Dependence) -> str:
    """Why the splits of a data set can't be tested, and are averaged."""
    why = known.caution or "the split scheme is unknown"
    return f"{why}, so that splits are averaged and count as one"


def _methods(results: Results, method: str | None) -> tuple[str, ...]:
    """The methods whose settings are compared: the one that is named, or all but yardsticks and the baseline."""
    known = results.method_names()
    if method is not None:
        if method not in known:
            raise UnknownName.among("method of these results", method, known)
        return (method,)
    left = tuple(m for m in known if m not in results.yardsticks)
    return tuple(m for m in left if m != results.baseline) or left


def _table(results: Results, facts: Measure, methods: Sequence[str]) -> _Table:
    """The scores of the settings after the failure policy.

    Levels of the training data are parts of the rows of the grid, so that a failed trial is scored by the baseline at
    the same level.
    """
    import pandas as pd

    training = [name for name in results.factors if name in FACTORS]
    others = [name for name in results.factors if name not in FACTORS]
    own = results.scores[results.scores["measure"] == facts.name].reset_index(drop=True)
    block, blocks = _numbered(own, training) if training else (np.zeros(len(own), dtype=np.int64), None)
    named = settings_as_methods(own, others) if others else own
    levels = 1 + int(block.max(initial=0))
    flat = named.assign(fold=named["fold"].to_numpy() * levels + block)
    columns = list(dict.fromkeys(flat["method"]))
    is_own = own["method"].isin(list(methods)).to_numpy()
    wanted = list(dict.fromkeys(flat.loc[is_own, "method"]))
    stands_in = [m for m in (results.baseline,) if m in columns and m not in wanted]
    kept = tuple(wanted + [m for m in stands_in if m is not None])
    flat = flat[flat["method"].isin(kept)]
    whole = Grid.of(replace(results, scores=flat), facts.name, kept)
    codes = pd.factorize(flat["dataset"])[0]
    index = pd.MultiIndex.from_arrays([codes, flat["replicate"], flat["repeat"], flat["fold"]]).unique().sort_values()
    grid = apply_policy(whole, results.policy, results.baseline, facts)
    places = index.to_frame(index=False, name=["dataset", "replicate", "repeat", "fold"])
    places["dataset"] = [whole.datasets[i] for i in places["dataset"]]
    places = places[places["dataset"].isin(grid.datasets)].reset_index(drop=True)
    there = grid.state[:, : len(wanted)] != ABSENT
    row, column = np.nonzero(there)
    rows = places.iloc[row].reset_index(drop=True)
    rows = rows.assign(value=grid.values[row, column], column=column, block=rows["fold"] % levels)
    rows["fold"] //= levels
    number, pairs = _numbered(rows, ["column", "block"])
    first = own.loc[~named["method"].duplicated()].set_index(named.loc[~named["method"].duplicated(), "method"])
    settings = tuple(
        _setting(results, first.loc[wanted[c]], others, None if blocks is None else blocks.iloc[b], methods)
        for c, b in pairs.itertuples(index=False)
    )
    return _Table(rows.assign(setting=number), settings, grid)


def _setting(
    results: Results, row: pd.Series, others: Sequence[str], block: pd.Series | None, methods: Sequence[str]
) -> Setting:
    """The levels of one setting, in the order of the factors; the method is one of them where there are several."""
    cells = {name: row[name] for name in others} | ({} if block is None else block.to_dict())
    found: dict[str, Level] = {METHOD: str(row["method"])} if len(methods) > 1 else {}
    for name, levels in results.factors.items():
        if cells[name] == cells[name]:  # nan: the factor does not exist there
            (found[name],) = find_level(levels, cells[name]) or (cells[name],)
    return found


def _numbered(frame: pd.DataFrame, columns: list[str]) -> tuple[NDArray[np.int64], pd.DataFrame]:
    """The number of each row's combination of entries, and the combinations."""
    number = frame.groupby(columns, sort=False, dropna=False).ngroup().to_numpy()
    first = frame.loc[~frame.duplicated(columns), columns].reset_index(drop=True)
    return number, first


def _usable(
    facts: Measure,
    places: pd.DataFrame,
    counts: FloatArray,
    sums: FloatArray,
    notices: list[Notice],
    why: Callable[[str, int], str],
) -> NDArray[np.bool_]:
    """The splits on which every setting has a defined score; notices say what is left out."""
    complete: NDArray[np.bool_] = np.asarray((counts > 0).all(axis=1))
    if not complete.any():
        raise InputError(
            "no split has a score of every setting, so that no effect can be estimated; let the run go on, or choose "
            "levels that all data sets have (results.at)"
        )
    if not complete.all():
        waiting = int((~complete).sum())
        lost = set(places["dataset"]) - set(places.loc[complete, "dataset"])
        more = f"; {plural(len(lost), 'data set')} ({listed(sorted(lost))}) {verb(len(lost), 'has', 'have')} none"
        text = f"{part_of(waiting, len(complete), 'split')} without a score of every setting left out"
        notices.append(Notice(text + (more if lost else ""), stage="verdict"))
    undefined: NDArray[np.bool_] = np.asarray(complete & ~np.isfinite(sums).all(axis=1))
    if undefined.any():
        for name in dict.fromkeys(places["dataset"]):
            own = (places["dataset"] == name).to_numpy() & complete
            if own.any() and undefined[own].mean() > MOST_UNDEFINED:
                never = np.flatnonzero(~np.isfinite(sums[own]).any(axis=0)).tolist()
                reason = why(name, never[0]) if never else facts.undefined
                raise InputError(
                    f"{facts.name} is undefined on {part_of(int(undefined[own].sum()), int(own.sum()), 'split')} of "
                    f"{name} ({reason}), too many to leave out; take another measure, or leave it out"
                )
        where = part_of(int(undefined.sum()), int(complete.sum()), "split")
        text = f"{facts.name} is undefined on {where} ({facts.undefined}): left out for all settings"
        notices.append(Notice(text, stage="verdict"))
    return np.asarray(complete & ~undefined)


def _dependence(results: Results, facts: Measure, dataset: str) -> Dependence:
    """The dependence between the splits of a data set; a measure that is pooled over folds allows no test of them."""
    known = results.dependence.get(dataset, Dependence.unknown())
    pooled = facts.combine == "pooled" and not facts.from_trials
    return replace(known, test_share=math.nan) if pooled else known


def _seeds(
    rows: pd.DataFrame, split: NDArray[np.int64], own: Sequence[NDArray[np.bool_]], settings: int
) -> FloatArray | None:
    """Scores as data set × split × seed × setting; None without replicates."""
    seeds = rows["replicate"].nunique()
    if seeds < 2:
        return None
    made = np.full((len(own), max(int(each.sum()) for each in own), int(rows["replicate"].max()) + 1, settings), np.nan)
    for i, each in enumerate(own):
        number = np.full(len(each), -1)
        number[each] = np.arange(each.sum())
        there = number[split] >= 0
        picked = rows[there]
        made[i, number[split][there], picked["replicate"], picked["setting"]] = picked["value"]
    return made
