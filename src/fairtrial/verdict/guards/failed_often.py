"""Methods that failed often, and are among the best where they ran: their place is that of their failures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import FEWEST_DATASETS
from fairtrial.notices import Notice
from fairtrial.stats.score_arrays import ScoreTable
from fairtrial.tables import formats
from fairtrial.words import part_of

if TYPE_CHECKING:
    from fairtrial.results import Results
    from fairtrial.results.failure_policy import Grid

PLACES_LOST = 3
OFTEN = 0.1  # of the data sets: others lack some scores, too
REMEDY = "say how often it failed beside how good it is where it ran (the table failures has both counts and reasons)"


def best_where_they_ran(results: Results, grid: Grid) -> Iterator[Notice]:
    """A doubt for each method that is among the first three on the data sets where none of its trials failed.

    It is told if the method loses its first place, or three places, over all data sets. Places are those of mean ranks.
    """
    columns = [i for i, m in enumerate(grid.methods) if m not in results.yardsticks]
    failed = grid.failed()[:, columns] > 0
    if not failed.any() or len(columns) < 2:
        return
    better = 1 if results.measure(results.question.measure).higher_is_better else -1
    scores = better * np.array([grid.values[grid.owner == i][:, columns].mean(axis=0) for i in range(len(failed))])
    over_all = _mean_ranks(scores)
    for m in map(int, np.flatnonzero(failed.any(axis=0))):
        ran = ~failed[:, m]
        if ran.sum() < FEWEST_DATASETS or failed[:, m].mean() < OFTEN:
            continue
        there = _mean_ranks(scores[ran])
        place, now = _place(there, m), _place(over_all, m)
        if (place == 1 < now) or (place <= PLACES_LOST <= now - place):
            yield _notice(grid.methods[columns[m]], failed[:, m], place, len(columns), (there[m], over_all[m]))


def _mean_ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    names = tuple(map(str, range(scores.shape[1])))
    ranks: NDArray[np.float64] = ScoreTable(scores, names).doubled_ranks(higher_is_better=True).mean(axis=0) / 2
    return ranks


def _place(ranks: NDArray[np.float64], m: int) -> int:
    return 1 + int((ranks < ranks[m]).sum())


def _notice(name: str, failed: NDArray[np.bool_], place: int, k: int, ranks: tuple[float, float]) -> Notice:
    n, gone = len(failed), int(failed.sum())
    best = {1: "best", 2: "second best", 3: "third best"}[place]
    there, over_all = map(formats.fixed(2), ranks)
    return Notice(
        f"{name} lacks scores on {part_of(gone, n, 'data set')}: on the {n - gone} others it has the {best} mean rank "
        f"of these {k} methods ({there}, over all {over_all}), so that its place is that of its failures",
        "doubt",
        about=name,
        evidence={"datasets": gone, "mean_rank": ranks[0], "mean_rank_over_all": ranks[1]},
        remedy=REMEDY,
    )
