"""Scores of several random seeds: recognised by the title of a column, or declared as '5 seeds'."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.resampling import Dependence, Seeds, parse
from fairtrial.results.readers.known_names import words_of
from fairtrial.results.readers.long_scores import LongScores, combination_codes
from fairtrial.results.readers.read_table import SEEDS
from fairtrial.results.readers.score_shapes import FoldColumns, ScoreShape

if TYPE_CHECKING:
    import pandas as pd


def is_seed(title: str) -> bool:
    """Whether a column of this title holds random seeds, or the scores of one of them.

    >>> [is_seed(title) for title in ("Seed", "random_seed", "seed 3", "run", "seedling")]
    [True, True, True, False, False]
    """
    return "_".join(words_of(title)).rstrip("0123456789").rstrip("_") in SEEDS


def seeds_in(shape: ScoreShape) -> str:
    """The column of the long form that numbers random seeds, by the titles of the table: repeat, fold or none."""
    if isinstance(shape, FoldColumns):
        return "fold" if is_seed(shape.values[0]) else ""
    return "repeat" if is_seed(shape.places.repeat or "") else ""


def seeds_as_replicates(scores: LongScores, resampling: str | None) -> LongScores:
    """The scores with their seeds as replicates, since seeds are neither repeats nor folds of a resampling.

    A ``resampling`` that names splits says that each seed drew a new one. Where no two methods share a seed, those of
    each method are numbered by themselves.
    """
    frame = scores.frame
    if resampling is None and scores.seeds_in:
        seeds, rest = frame[scores.seeds_in].to_numpy(), {scores.seeds_in: 0}
    elif resampling is not None and isinstance(parse(resampling), Seeds):
        places = [name for name in ("replicate", "repeat", "fold") if name in frame]
        seeds, rest = combination_codes(frame, places), {"repeat": 0, "fold": 0}
    else:
        return scores
    made = frame.assign(replicate=seeds, **rest)
    if (made.groupby("replicate")["method"].nunique() < 2).all():
        own = made.groupby(["dataset", "method", *scores.factors], dropna=False)["replicate"]
        made["replicate"] = own.rank(method="dense").to_numpy(dtype=np.int64) - 1
    return replace(scores, frame=made)


def seeds_on_one_split(scores: pd.DataFrame) -> dict[str, Dependence]:
    """The dependence of each data set, where all have one split only, and some have replicates on it; else nothing."""
    if scores["replicate"].nunique() < 2 or len(scores[["repeat", "fold"]].drop_duplicates()) > 1:
        return {}
    counts = scores.groupby("dataset", sort=False)["replicate"].nunique()
    return {str(name): Seeds(int(n)).dependence() for name, n in counts.items()}
