"""Guards of scores: what the numbers themselves say about whether they can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fairtrial.notices import Notice, guard
from fairtrial.resampling import score_unit
from fairtrial.results.score_measures import is_known_measure, is_vague
from fairtrial.stats.score_arrays import differences
from fairtrial.tables import formats
from fairtrial.verdict.designs.units import kind_of_scores, units_of
from fairtrial.verdict.guards.trivial_policies import policies_in, ranked_in_words, rankings
from fairtrial.words import listed, part_of, plural

if TYPE_CHECKING:
    from fairtrial.results import Results
    from fairtrial.verdict.evidence import Evidence

NEAR_PERFECT = 0.95  # of the way from the trivial to the perfect, which the best method reaches at a ceiling
NEAR_BEST = 0.9  # of the way from the trivial to the best reached, which the weakest method reaches at a ceiling
NEAR_TRIVIAL = 0.05  # of the way from the trivial to the perfect, which the best method does not reach at a floor
NOT_TWICE = "look whether it is one method twice"
DIVERGED = 1000.0  # times the median of the other methods
SEED = re.compile(r"[\s_.,(-]*(?:random[\s_]?state|seed|run|rep)[\s_=:.-]*\d+\)?$", re.IGNORECASE)


def _room(evidence: Evidence) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], bool] | None:
    """The best and the weakest method of each data set, as shares of the way from the trivial to the perfect.

    The trivial is the best yardstick, where there is one, else the middle of the measure's range, which is where
    guessing between two classes gets. The best is that of the methods that ran on the data set: nan if none did. None
    for measures without bounds.
    """
    best, worst = evidence.measure.best, evidence.measure.worst
    if not (np.isfinite(best) and np.isfinite(worst)) or evidence.is_resource:
        return None
    k = len(evidence.methods)
    trivial = np.full(len(evidence.datasets), (best + worst) / 2)
    known = len(evidence.yardsticks) > 0 and not np.isnan(evidence.means[:, k:]).any()
    if known:
        trivial = evidence.sign * (evidence.sign * evidence.means[:, k:]).max(axis=1)
    whole = np.where(np.abs(best - trivial) > 0, best - trivial, np.nan)
    share = (evidence.means[:, :k] - trivial[:, None]) / whole[:, None]
    ran = [[not evidence.gone(i, m) for m in evidence.methods] for i in range(len(evidence.datasets))]
    best_of = np.where(np.any(ran, axis=1), np.where(ran, share, -np.inf).max(axis=1), np.nan)
    return best_of, share.min(axis=1), known


def _of_few_values(evidence: Evidence) -> bool:
    """Whether scores are right or wrong, or grades: a question that all answer right is no ceiling."""
    return kind_of_scores(evidence, units_of(evidence, {})) != "measured"


@guard(stage="verdict", sees="results")
def ceiling(results: Results, evidence: Evidence) -> Iterator[Notice]:  # noqa: ARG001
    """Data sets on which all methods are nearly as good as can be, so that differences can hardly show."""
    room = _room(evidence)
    if room is None or len(evidence.methods) < 2 or _of_few_values(evidence):
        return
    best, weakest, _ = room
    full = [
        d
        for d, top, low in zip(evidence.datasets, best, weakest, strict=True)
        if top >= NEAR_PERFECT and low >= NEAR_BEST * top
    ]
    if full:
        alone = len(evidence.datasets) == 1
        where = full[0] if alone else part_of(len(full), len(evidence.datasets), "data set")
        names = "" if alone else f" ({listed(full)})"
        yield Notice(
            f"ceiling: on {where}{names} even the weakest method is close to the best possible score, so that "
            "differences can hardly show there",
            "grave" if len(full) == len(evidence.datasets) else "warning",
            evidence={"datasets": full},
            remedy="compare on harder data sets" if len(full) == len(evidence.datasets) else "",
        )
    elif len(evidence.datasets) > 1 and not (room[2] and (best < NEAR_TRIVIAL).any()):
        yield Notice("no ceiling: on no data set are all methods close to the best possible score", "fine")


@guard(stage="verdict", sees="results")
def floor(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Data sets on which no method does noticeably better than the trivial yardstick."""
    room = _room(evidence)
    if room is None or not room[2]:
        return
    low = [d for d, top in zip(evidence.datasets, room[0], strict=True) if top < NEAR_TRIVIAL]
    ranked = rankings(evidence, results) if low else {}
    if seen := [d for d in low if d in ranked]:
        shown, remedy = ranked_in_words([ranked[d] for d in seen])
        yield Notice(
            f"floor: on {listed(seen)} no method decides noticeably better than the yardstick, though {shown}: the "
            "threshold may be the cause",
            evidence={"datasets": seen},
            remedy=remedy,
        )
    if low := [d for d in low if d not in ranked]:
        yield Notice(
            f"floor: on {listed(low)} no method does noticeably better than the yardstick: differences there are "
            "between methods that learned next to nothing",
            evidence={"datasets": low},
        )


def diverged_scores(evidence: Evidence) -> dict[tuple[str, str], float]:
    """Methods and data sets whose error is a thousand times that of the other methods there, with that ratio."""
    k = len(evidence.methods)
    found: dict[tuple[str, str], float] = {}
    if evidence.is_resource or not evidence.as_ratio or k < 3:
        return found
    scores = evidence.means[:, :k]
    for m, name in enumerate(evidence.methods):
        others = np.median(np.delete(scores, m, axis=1), axis=1)
        ratio = scores[:, m] / others if evidence.sign < 0 else others / scores[:, m]
        found |= {(name, evidence.datasets[i]): float(ratio[i]) for i in np.flatnonzero(ratio >= DIVERGED)}
    return found


@guard(stage="verdict", sees="results")
def diverged(results: Results, evidence: Evidence) -> Iterator[Notice]:  # noqa: ARG001
    """Errors that are a thousand times those of the other methods on the same data set."""
    found = diverged_scores(evidence)
    if found:
        (method, dataset), largest = max(found.items(), key=lambda item: item[1])
        rest = [f"{m} on {d}" for m, d in found if (m, d) != (method, dataset)]
        count = "one score seems" if not rest else f"{len(found)} scores seem"
        more = f"; the others are {listed(rest, most=3)}" if rest else ""
        yield Notice(
            f"{count} to have diverged: the {evidence.measure.name} of {method} on {dataset} is "
            f"{formats.significant(2)(largest)} times the median of the other methods{more}",
            "doubt",
            about=dataset,
            evidence={"scores": len(found), "largest_ratio": largest},
            remedy="look at such runs before means are used: one such score decides a mean",
        )


@guard(stage="verdict", sees="results")
def scales_apart(results: Results, evidence: Evidence) -> Iterator[Notice]:  # noqa: ARG001
    """Scores without a common scale over data sets that are compared by differences."""
    if not evidence.scales_apart or (evidence.as_ratio and not evidence.by_ratio):
        return
    smallest, largest = evidence.scales
    low, high = map(formats.significant(2), (smallest, largest))
    kinds = ", perhaps of different measures" if is_vague(evidence.measure.name) else ""
    what = f"scores are on different scales{kinds}: typically {low} on one data set and {high} on another"
    numbers = {"smallest": smallest, "largest": largest}
    if evidence.as_ratio:
        told = "scores are on different scales" if kinds else what  # the answer has the numbers
        yield Notice(f"{told}; methods are therefore compared by ratios", evidence=numbers)
        return
    scaled = "bring scores to a common scale, for instance by dividing those of a data set by those of a baseline"
    yield Notice(
        f"{what}, so that the mean over data sets is that of the largest",
        "grave",
        evidence=numbers,
        remedy=f"if data sets have different measures, take a verdict for each measure; else {scaled}"
        if kinds
        else scaled,
    )


@guard(stage="verdict", sees="results")
def one_scale(results: Results, evidence: Evidence) -> Iterator[Notice]:  # noqa: ARG001
    """A measure whose name does not say what was measured: its scores may be those of different measures."""
    name = evidence.measure.name
    if is_known_measure(name) or len(evidence.datasets) < 2 or len(evidence.methods) < 2 or not is_vague(name):
        return
    effects = "ratios" if evidence.as_ratio else "differences"
    low, high = map(formats.significant(2), evidence.scales)
    scales = f" (scores are typically {low} on one data set and {high} on another)" if evidence.scales_apart else ""
    yield Notice(
        f"the name {name} does not say what was measured{scales}: if data sets have different measures, then means, "
        f"{effects} and signed-rank tests over them, and so this answer, have no clear meaning; ranks and wins have",
        "doubt",
        remedy="if data sets have different measures, take a verdict for each measure",
    )


@guard(stage="verdict", sees="results")
def same_method_twice(results: Results, evidence: Evidence) -> Iterator[Notice]:
    """Methods with equal scores everywhere, or that differ in their random seed only."""
    k = len(evidence.methods)
    whole = np.vstack([f[:, :k] for f in evidence.folds])
    pairs = list(combinations(range(k), 2))
    twins = _equal_columns(whole) if len(whole) > 1 else []
    stand_ins = {pair: name for pair in twins if (name := _stand_in_of(evidence, pair[0], results.baseline))}
    if own := [pair for pair in twins if pair not in stand_ins]:
        names = listed(f"{evidence.methods[i]} and {evidence.methods[j]}" for i, j in own)
        single, unit = len(whole) == len(evidence.datasets), score_unit(evidence.dependence)
        where = f"all {plural(len(whole), evidence.unit)}" if single else f"all {plural(len(whole), unit)}"
        alone = f"{names} have the same score on {where}, so that there is nothing to test"
        yield _one_method(alone if k == 2 else f"equal scores on {where}: {names}", k, len(own), NOT_TWICE)
    for (i, j), name in stand_ins.items():
        both = f"{evidence.methods[i]} and {evidence.methods[j]}"
        yield Notice(f"{both} have everywhere the scores of {name}", evidence={"pairs": 1})
    by_seed = ((i, j) for i, j in pairs if _differ_by_seed(results, evidence.methods[i], evidence.methods[j]))
    seeds = [pair for pair in by_seed if pair not in twins]
    if seeds:
        names = listed(f"{evidence.methods[i]} and {evidence.methods[j]}" for i, j in seeds)
        sentence = f"the same method under two random seeds: {names}; a difference between them is chance"
        yield _one_method(sentence, k, len(seeds), "run one of them with replicates instead")


def _equal_columns(whole: npt.NDArray[np.float64]) -> list[tuple[int, int]]:
    """The pairs of columns without a difference: only those whose sums are near each other are compared."""
    sums = whole.sum(axis=0)
    order = np.argsort(sums, kind="stable")
    near = np.searchsorted(sums[order], sums[order] + len(whole) * np.abs(whole).max() * 1e-10, "right")
    pairs = ((int(order[i]), int(order[j])) for i, stop in enumerate(near.tolist()) for j in range(i + 1, stop))
    return sorted((min(p), max(p)) for p in pairs if not differences(whole[:, p[0]], whole[:, p[1]]).whole.any())


def _stand_in_of(evidence: Evidence, method: int, baseline: str | None) -> str | None:
    """What has the scores of a method on all splits: a yardstick, or what the failure policy put in; None if nothing.

    Two such methods need not be one method twice: both answer as the yardstick does, or failed.
    """
    whole = np.vstack(evidence.folds)
    given = np.zeros(len(whole), dtype=bool)
    for name in dict.fromkeys((*evidence.yardsticks, *([baseline] if baseline in evidence.columns else []))):
        alike = whole[:, evidence.columns.index(name)] == whole[:, method]
        if alike.all() and name != evidence.methods[method]:
            return f"the {name}" if name in policies_in(evidence) else str(name)
        given |= alike
    if evidence.failed is None or not evidence.failed[:, method].any():
        return None
    given |= whole[:, method] == evidence.measure.worst
    return "the failure policy and of trivial methods" if given.all() else None


def _one_method(sentence: str, k: int, pairs: int, remedy: str) -> Notice:
    """The notice that methods are one and the same; where there are only two, it leaves no verdict."""
    return Notice(
        sentence,
        "grave" if k == 2 else "warning",
        evidence={"pairs": pairs},
        remedy=remedy,
        guard="same_method_twice",
        stage="plan" if k == 2 else "verdict",
    )


def _differ_by_seed(results: Results, first: str, second: str) -> bool:
    """Whether two methods are the same but for random_state: by their recipes, or else by their names."""
    recipes = {m.name: m.recipe for m in results.definition.methods} if results.definition else {}
    if (own := recipes.get(first)) and (its := recipes.get(second)):
        return own != its and _without_seed(own) == _without_seed(its)
    one, other = (SEED.sub("", name) for name in (first, second))
    return one == other and one != "" and first != second


def _without_seed(recipe: str) -> str:
    """A recipe without its random states.

    >>> _without_seed("Forest(50, random_state=3)"), _without_seed("Tree(random_state=1)")
    ('Forest(50)', 'Tree')
    """
    return re.sub(r"(, )?random_state=\d+", "", recipe).replace("(, ", "(").replace("()", "")
