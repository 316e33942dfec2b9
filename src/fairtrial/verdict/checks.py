"""Guards: what was looked at before the numbers were believed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design import FEWEST_PER_FOLD
from fairtrial.methods.tuning import unequal_tuning
from fairtrial.verdict.evidence import Check, Evidence
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from fairtrial.results import Results

__all__ = ["check_results"]

IMBALANCED = 0.9
CEILING = 0.995
MOST_WARNINGS = 4
MISLED_BY_IMBALANCE = ("accuracy", "error_rate", "Percent_correct", "Percent_incorrect")


def check_results(results: Results, evidence: Evidence) -> Iterator[Check]:
    """What should be known about these results."""
    yield from (Check(False, note) for note in results.notes)
    yield from _splits(results, evidence)
    yield from _small_folds(results, evidence)
    yield from _imbalance(results, evidence)
    yield from _ceiling(evidence)
    yield from _tuning(results, evidence)
    yield from _warnings(results)
    exact = results.definition is not None and results.definition.memory == "exact"
    if evidence.measure.name == "peak_memory" and not exact:
        yield Check(False, "peak memory is a lower bound: a worker that is warm already has memory to reuse")


def _splits(results: Results, evidence: Evidence) -> Iterator[Check]:
    schemes = {d.scheme for d in evidence.dependence}
    if schemes == {"unknown"}:
        folds = max(map(len, evidence.folds))
        if folds > 1:
            text = (
                "nobody said how the scores of one data set were made (resampling='…' would), so they are only averaged"
            )
            yield Check(False, text)
    elif results.definition is not None:
        yield Check(True, "same splits for all methods")
    yield from (Check(False, text) for text in dict.fromkeys(d.caution for d in evidence.dependence) if text)
    kept = (results.definition.split_warnings if results.definition else None) or {}
    warned = [text for name in evidence.datasets for text in kept.get(name, ())]
    yield from (Check(False, text) for text in warned[:MOST_WARNINGS])
    if len(warned) > MOST_WARNINGS:
        yield Check(False, f"{len(warned) - MOST_WARNINGS} more such warnings about splits: the plan lists them")


def _small_folds(results: Results, evidence: Evidence) -> Iterator[Check]:
    used = results.scores[results.scores["dataset"].isin(evidence.datasets)]
    sizes = used.groupby("dataset", sort=False)["n_test"].agg(["min", "max"]).dropna()
    small = sizes.loc[(sizes["min"] < FEWEST_PER_FOLD) & (sizes["max"] > 1), "min"]  # leave-one-out means one
    if len(small):
        shown = listed([f"{name} ({int(n)})" for name, n in small.items()])
        yield Check(False, f"fewer than {FEWEST_PER_FOLD} instances a fold: {shown}")


def _imbalance(results: Results, evidence: Evidence) -> Iterator[Check]:
    """Accuracy under imbalance: what ignores the rare class looks good."""
    if evidence.measure.name not in MISLED_BY_IMBALANCE:
        return
    shares = {d: max(f["balance"]) for d, f in results.datasets.items() if f.get("balance") and d in evidence.datasets}
    skewed = [f"{d} ({share:.0%})" for d, share in shares.items() if share >= IMBALANCED]
    if skewed:
        where = listed(skewed)
        text = f"one class has nearly all instances of {where}: {evidence.measure.name} says little there"
        yield Check(False, f"{text}; look at average_recall")


def _ceiling(evidence: Evidence) -> Iterator[Check]:
    """Where all methods are nearly perfect no difference can show."""
    best, worst = evidence.measure.best, evidence.measure.worst
    if not (np.isfinite(best) and np.isfinite(worst)):
        return
    reached = np.abs(evidence.means[:, : len(evidence.methods)] - worst) / abs(best - worst)
    full = [d for d, row in zip(evidence.datasets, reached, strict=True) if row.min() > CEILING]
    if full:
        yield Check(
            False,
            f"ceiling: all methods are nearly perfect on {listed(full)}, so no difference can show there",
        )
    elif len(evidence.datasets) > 1:
        yield Check(True, "no ceiling: on no data set are all methods nearly perfect")


def _tuning(results: Results, evidence: Evidence) -> Iterator[Check]:
    """A method that was tuned against one that was not: what is compared is partly the effort."""
    methods = results.definition.methods if results.definition else ()
    tried = {m.name: m.configurations for m in methods if m.name in evidence.methods and m.configurations is not None}
    if text := unequal_tuning(tried):
        yield Check(False, text)
    elif len(tried) > 1 and (n := next(iter(tried.values()))):
        yield Check(True, f"all methods are tuned over {plural(n, 'configuration')}")


def _warnings(results: Results) -> Iterator[Check]:
    counted = (("warnings while fitting", results.warnings), ("printed while fitting", results.outputs))
    for what, counts in counted:
        if counts:
            shown = listed([f"{m} ({plural(n, 'trial')})" for m, n in counts.items()])
            yield Check(False, f"{what}: {shown}")
