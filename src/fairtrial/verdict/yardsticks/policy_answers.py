"""What trivial policies do: the class that a method which learns nothing predicts for all cases, by data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.measures import Measure
from fairtrial.measures.operating_context import costs_of
from fairtrial.methods import ByCosts
from fairtrial.words import part_of

if TYPE_CHECKING:
    from fairtrial.results import Results


def policies_of(results: Results, measure: Measure, datasets: Sequence[str]) -> dict[tuple[str, str], str]:
    """What each trivial method that decides by the costs of the measure does on each data set; empty without costs."""
    costs: Any = costs_of(measure.name)
    if costs is None or results.definition is None or results.source is None:
        return {}
    wanted = ByCosts("costs", **costs).canonical()
    made = [
        m.name for m in results.definition.methods if m.canonical.get("decide") == wanted and _is_trivial(m.canonical)
    ]
    found = {}
    for name in made:
        for dataset in datasets:
            facts = results.datasets[dataset]
            if facts["classes"] and _has_predictions(results, dataset, name):
                predicted = results.source.predictions(dataset, name)
                folds = np.zeros(1, int) if predicted.folds.index is None else predicted.folds.index
                each = predicted.channels["label"][np.unique(folds, return_index=True)[1]]  # the first of each fold
                found[name, dataset] = _answer(each, facts["classes"], facts["positive"])
    return found


def _is_trivial(canonical: Mapping[str, object]) -> bool:
    estimator = canonical["estimator"]
    return isinstance(estimator, Mapping) and str(estimator.get("class", "")).startswith("sklearn.dummy.")


def _has_predictions(results: Results, dataset: str, method: str) -> bool:
    own = results.scores[(results.scores["dataset"] == dataset) & (results.scores["method"] == method)]
    return bool((own["status"] == "ok").any())


def _answer(chosen: NDArray[np.int32], classes: Sequence[str], positive: int | None) -> str:
    """The class that is predicted for all cases, on each split, in words.

    >>> _answer(np.array([1, 1], dtype=np.int32), ["no", "yes"], 1), _answer(np.array([0, 2, 2]), ["a", "b", "c"], None)
    ("flag everyone (always 'yes')", "always 'c' on 2 of 3 splits, else another class")
    """
    counts = np.bincount(chosen, minlength=len(classes))
    usual = int(counts.argmax())
    always = f"always {classes[usual]!r}"
    if len(classes) == 2 and positive is not None:
        always = f"flag {'everyone' if usual == positive else 'no one'} ({always})"
    if counts[usual] == len(chosen):
        return always
    return f"{always} on {part_of(int(counts[usual]), len(chosen), 'split')}, else another class"
