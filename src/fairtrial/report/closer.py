"""A closer look at a few data sets: ROC curves, and what the leading method takes for what."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairtrial.errors import InputError
from fairtrial.figures import Picture, confusion_figure, roc_figure
from fairtrial.results.failure_policy import LeftOut

if TYPE_CHECKING:
    from fairtrial.results import Results
    from fairtrial.verdict import Verdict

__all__ = ["closer_look"]

MOST_DATASETS = 3
"""With more data sets the page would become an atlas; ``fairtrial draw`` makes any of these pictures."""


def closer_look(results: Results, verdict: Verdict) -> Iterator[Picture]:
    """Pictures of each data set, where there are predictions of classes, and few data sets."""
    names = [d for d in verdict.evidence.datasets if results.datasets.get(d, {}).get("classes")]
    if results.source is None or not 0 < len(names) <= MOST_DATASETS:
        return
    first = verdict.finding.order[0] if verdict.finding.order else verdict.evidence.methods[0]
    for name in names:
        try:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always", LeftOut)
                pictures = list(_pictures(results, name, first))
            left_out = dict.fromkeys(str(w.message) for w in said if issubclass(w.category, LeftOut))
            words = "".join(f" {text[0].upper()}{text[1:]}." for text in left_out)
            yield from (p._replace(caption=p.caption + words) for p in pictures)
        except InputError:  # a method without labels, or without both classes: then this picture is not to be had
            continue


def _pictures(results: Results, dataset: str, method: str) -> Iterator[Picture]:
    if len(results.datasets[dataset]["classes"]) == 2:
        curves = results.curves("roc", dataset=dataset)
        caption = (
            "All test sets merged into one ranking: a view of all thresholds, not a test. "
            "The areas differ from the mean over folds, since scores of different models need not be comparable."
        )
        yield Picture(f"ROC curves on {dataset}", caption, roc_figure(curves))  # type: ignore[arg-type]
    matrix = results.confusion_matrix(method, dataset)
    caption = "Over all test sets; shares are of the true class."
    yield Picture(f"Confusion matrix of {method} on {dataset}", caption, confusion_figure(matrix))
