"""Fixed models on one test set: the instances are the evidence, and the answer is about these models."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from fairtrial.design import Question
from fairtrial.stats import Interval, Outcome, compare_pairs, mcnemar, mean_interval, paired_t, proportion_interval
from fairtrial.stats.adjust import TITLES
from fairtrial.verdict.decide import pair_up, standing
from fairtrial.verdict.evidence import Check, Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.one_dataset import pairs_table
from fairtrial.verdict.over_datasets import wanted_pairs
from fairtrial.verdict.sentences import answer
from fairtrial.verdict.wording import plural

__all__ = ["Losses", "on_instances"]

Losses = Callable[[str], npt.NDArray[np.float64]]
COUNTED = ("accuracy", "error_rate")


def on_instances(
    evidence: Evidence, question: Question, adjust: str, losses: npt.NDArray[np.float64], clustered: bool
) -> Finding:
    """Exact McNemar where right and wrong are counted, a paired t over instances (or clusters) for other losses.

    ``losses`` has the measure of each instance by itself, or its mean in each cluster; methods in columns.
    """
    k = len(evidence.methods)
    counted = evidence.measure.name in COUNTED and not clustered
    test: Callable[..., Outcome] = partial(mcnemar if counted else paired_t, level=question.level)
    wanted = wanted_pairs(evidence, question)
    columns = list(losses[:, :k].T)
    comparisons = compare_pairs(columns, wanted, test=test, adjust=adjust, names=evidence.methods, level=question.level)
    pairs = pair_up(comparisons, evidence.sign, question.smallest_difference)
    order = standing(pairs, k, -evidence.sign * evidence.means[0, :k])
    told = answer(evidence, question, pairs, order, f"on instances such as those of {evidence.datasets[0]}")
    levels = {m: _level(losses[:, m], counted, question.level) for m in range(k)}
    title = TITLES.get(adjust, adjust)
    unit = "cluster" if clustered else "instance"
    name = "exact McNemar" if counted else f"paired t over {unit}s"
    several = f", {title} over {plural(len(pairs), 'pair')}" if len(pairs) > 1 else ""
    return Finding(
        sentences=told.sentences,
        table=pairs_table(evidence, question, pairs, order, levels, title, f"over {plural(len(losses), unit)}"),
        test=f"{name}, {plural(len(losses), unit)}{several}.",
        winner=told.winner,
        order=tuple(evidence.methods[m] for m in order),
        pairs=tuple(pairs),
        comparisons=comparisons,
        checks=(Check(True, "this is about these fixed models; the algorithms that made them may do otherwise"),),
        next_steps=("more instances",) if any(p.decision == "undecided" for p in pairs) else (),
    )


def _level(losses: npt.NDArray[np.float64], counted: bool, level: float) -> Interval:
    if counted:
        return proportion_interval(int(losses.sum()), len(losses), level=level)
    return mean_interval(losses, level=level)
