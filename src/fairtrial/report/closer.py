"""A closer look at a few data sets: ROC curves, and what the leading method takes for what."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from fairtrial.errors import InputError
from fairtrial.figures import Picture, confusion_figure, roc_figure
from fairtrial.results.analyses.tested_methods import absent_from
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
    order = (*verdict.finding.order, *verdict.evidence.methods)
    for name in names:
        absent = absent_from(results, name)
        first = next((m for m in order if m not in absent), order[0])
        if len(results.datasets[name]["classes"]) == 2:
            yield from _with_what_is_left_out(partial(_curves, results, name))
        yield from _with_what_is_left_out(partial(_matrix, results, name, first))


def _with_what_is_left_out(make: Callable[[], Picture]) -> Iterator[Picture]:
    """The picture, where it is to be had, with a caption that says which trials and methods are not in it."""
    try:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", LeftOut)
            picture = make()
    except InputError:  # a method without labels, or without both classes
        return
    left_out = dict.fromkeys(str(w.message) for w in said if issubclass(w.category, LeftOut))
    words = "".join(f" {text[0].upper()}{text[1:]}." for text in left_out)
    yield picture._replace(caption=picture.caption + words)


def _curves(results: Results, dataset: str) -> Picture:
    curves = results.curves("roc", dataset=dataset)
    caption = (
        "All test sets merged into one ranking: a view of all thresholds, not a test. "
        "The areas differ from the mean over folds, since scores of different models need not be comparable."
    )
    return Picture(f"ROC curves on {dataset}", caption, roc_figure(curves))  # type: ignore[arg-type]


def _matrix(results: Results, dataset: str, method: str) -> Picture:
    matrix = results.confusion_matrix(method, dataset)
    caption = "Over all test sets; shares are of the true class."
    return Picture(f"Confusion matrix of {method} on {dataset}", caption, confusion_figure(matrix))
