"""Fixed models on one test set: the instances are the evidence, and the answer is about these models."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from fairtrial.design import Question
from fairtrial.errors import InputError
from fairtrial.stats import Interval, Outcome, compare_pairs, mcnemar, mean_interval, paired_t, proportion_interval
from fairtrial.stats.adjust import TITLES
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.decide import pair_up, sizes_of, standing
from fairtrial.verdict.evidence import Check, Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.one_dataset import own_delta, pairs_table
from fairtrial.verdict.over_datasets import wanted_pairs, within_range
from fairtrial.verdict.sentences import answer
from fairtrial.verdict.wording import Wording, plural, span_of

__all__ = ["estimate_on_instances", "on_instances"]

COUNTED = ("accuracy", "error_rate")


def on_instances(evidence: Evidence, question: Question, adjust: str) -> Finding:
    """Exact McNemar where right and wrong are counted, a paired t over instances (or clusters) for other losses."""
    losses, clustered = _losses(evidence), evidence.clustered
    k = len(evidence.methods)
    counted = evidence.measure.name in COUNTED and not clustered
    test: Callable[..., Outcome] = partial(mcnemar if counted else paired_t, level=question.level)
    wanted = wanted_pairs(evidence, question)
    columns = list(losses[:, :k].T)
    comparisons = compare_pairs(columns, wanted, test=test, adjust=adjust, names=evidence.methods, level=question.level)
    delta = own_delta(evidence, question)
    sizes = None if delta is None else sizes_of(test, columns, wanted, question.level, adjust)
    pairs = pair_up(comparisons, evidence.sign, delta, sizes)
    order = standing(pairs, k, -evidence.sign * evidence.means[0, :k])
    told = answer(evidence, question, pairs, order, f"on instances such as those of {evidence.datasets[0]}")
    levels: dict[int, Interval | None] = {m: _level(losses[:, m], counted, question.level, evidence) for m in range(k)}
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
        next_steps=("more instances would tell more",) if any(p.decision == "undecided" for p in pairs) else (),
    )


def estimate_on_instances(evidence: Evidence, question: Question, adjust: str) -> Finding:  # noqa: ARG001
    """One fixed model on one test set: its level, with the interval that its instances (or clusters) allow."""
    losses, clustered = _losses(evidence), evidence.clustered
    words = Wording(evidence.measure)
    counted = evidence.measure.name in COUNTED and not clustered
    level = _level(losses[:, 0], counted, question.level, evidence)
    ends = span_of(level)
    method, dataset, mean = evidence.methods[0], evidence.datasets[0], float(evidence.means[0, 0])
    inside = "" if ends is None else f" [{formats.span(words.value)(ends)}]"
    columns = (
        Column("method", align="left"),
        Column(words.name, words.value, key="mean"),
        Column(f"{100 * question.level:g} % interval", formats.span(words.value), key="interval"),
    )
    over = plural(len(losses), "cluster" if clustered else "instance")
    return Finding(
        sentences=(
            f"The {words.name} of {method} on instances such as those of {dataset} is {words.value(mean)}{inside}.",
        ),
        table=Table(columns=columns, rows=((method, mean, ends),), caption=f"{words.name} on {dataset}, over {over}"),
        test=f"no test: one model is estimated; {level.method} interval over {over}.",
        order=(method,),
    )


def _level(losses: npt.NDArray[np.float64], counted: bool, level: float, evidence: Evidence) -> Interval:
    if counted:
        return proportion_interval(int(losses.sum()), len(losses), level=level)
    return within_range(mean_interval(losses, level=level), evidence.measure)


def _losses(evidence: Evidence) -> npt.NDArray[np.float64]:
    if evidence.losses is None:
        raise InputError(
            "instances can be compared only where predictions are there and the measure is a mean of losses"
        )
    return evidence.losses
