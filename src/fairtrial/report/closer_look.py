"""A closer look at predictions: curves and confusion matrices, where there are few data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial

from fairtrial.errors import InputError
from fairtrial.figures import confusion_figure, roc_figure
from fairtrial.results import Results
from fairtrial.results.analyses.tested_methods import absent_from
from fairtrial.tables import Picture
from fairtrial.verdict import Verdict
from fairtrial.words import as_sentence

MOST_DATASETS = 3
"""Pictures of each data set are shown up to this number of data sets; ``fairtrial draw`` makes any of them."""

HOW_TO_READ_ROC = (
    "Each point of a curve is a threshold: to the right more negatives are called positive, upwards more positives are "
    "found. A curve nearer to the upper left corner is better; the diagonal is guessing."
)
HOW_TO_READ_CONFUSION = (
    "Rows are true classes, columns are predicted ones. Right predictions stand on the diagonal; the darkest cells "
    "beside it are the most frequent confusions."
)


def closer_look(results: Results, verdict: Verdict) -> Iterator[Picture]:
    """Curves and confusion matrices, where there are predictions of classes on few data sets."""
    names = [d for d in verdict.evidence.datasets if results.datasets.get(d, {}).get("classes")]
    if results.source is None or not 0 < len(names) <= MOST_DATASETS:
        return
    order = (*verdict.finding.order, *verdict.evidence.methods)
    for name in names:
        absent = absent_from(results, name)
        first = next((m for m in order if m not in absent), order[0])
        if len(results.datasets[name]["classes"]) == 2:
            yield from _if_possible(partial(_roc_picture, results, name))
        yield from _if_possible(partial(_confusion_picture, results, name, first))


def _if_possible(make: Callable[[], Picture]) -> Iterator[Picture]:
    """The picture, unless a method has no labels, or not both classes."""
    with suppress(InputError):
        yield make()


def _sentences(notes: Iterable[str]) -> str:
    """Notes as sentences that follow a caption."""
    return "".join(f" {as_sentence(note)}" for note in notes)


def _roc_picture(results: Results, dataset: str) -> Picture:
    curves = results.curves("roc", dataset=dataset)
    caption = (
        "All test sets merged into one ranking: a view of all thresholds, not a test. "
        "The areas differ from the mean over folds, since scores of different models need not be comparable."
    )
    title, figure = f"ROC curves on {dataset}", roc_figure(curves)  # type: ignore[arg-type]
    call = f"results.figure('roc', dataset={dataset!r})"
    return Picture(title, caption + _sentences(curves.notes), figure, explain=HOW_TO_READ_ROC, call=call)


def _confusion_picture(results: Results, dataset: str, method: str) -> Picture:
    matrix = results.confusion_matrix(method, dataset)
    caption = "Over all test sets; shares are of the true class."
    caption += _sentences(matrix.notes)
    title, figure = f"Confusion matrix of {method} on {dataset}", confusion_figure(matrix)
    call = f"results.figure('confusion', methods=[{method!r}], dataset={dataset!r})"
    return Picture(title, caption, figure, explain=HOW_TO_READ_CONFUSION, call=call)
