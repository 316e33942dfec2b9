"""Predictions from elsewhere: several models, the same instances, any program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design import Question
from fairtrial.doors import door
from fairtrial.errors import InputError
from fairtrial.measures import computable, get
from fairtrial.resampling import Dependence, Seeds
from fairtrial.results.how_read import Reading
from fairtrial.results.provenance import Provenance
from fairtrial.results.readers.declared_dependence import declared_dependence
from fairtrial.results.readers.reader_table import PREDICTIONS, reader_of
from fairtrial.results.readers.request import Request
from fairtrial.results.readers.seed_scores import is_seed
from fairtrial.results.readers.tested_sets import PredictedSets, TablePredictions, TestedSet
from fairtrial.results.results import Results

if TYPE_CHECKING:
    import pandas as pd

DEFAULTS = {"classes": ("accuracy", "average_recall"), "values": ("rmse", "mae", "r2")}


@door
def read_predictions(
    source: str | Path | pd.DataFrame, *, truth: str | None = None, measure: str | None = None,
    dataset: str | None = None, method: str | None = None, instance: str | None = None, repeat: str | None = None,
    fold: str | None = None, cluster: str | None = None, resampling: str | None = None, positive: object = None,
    methods: Sequence[str] | None = None,
) -> Results:  # fmt: skip
    """Results from per-instance predictions of several models on the same test set or sets.

    - wide: a row per instance, the column ``truth``, and a column per model. A model's column holds labels or numbers.
      With two classes, numbers between 0 and 1 are probabilities of the positive class; other numbers are scores, which
      are higher for it. The positive class is ``positive``; by default it is 1 (of 0 and 1, or −1 and 1) or True;
    - long: dataset, instance, method, truth, and ``label`` or ``value`` or ``score`` or ``p_<class>`` columns; besides
      ``value`` perhaps ``std``, the standard deviation of a predicted distribution (empty for methods without one).

    A label that is none of the classes is wrong. Whole numbers of at most 20 kinds are taken as classes, unless
    ``measure`` is one for numeric targets; of more kinds, the mistakes tell (classes have no near misses). All models
    must have predicted the same instances. ``methods`` selects some of them; columns of text and of what a prediction
    cost are not used. :attr:`Results.reading` says how the table was understood.

    In a long table a column ``positive`` may say, per data set, which class is the positive one.

    ``cluster`` names a column whose equal entries belong together (one patient, one document): such rows are not
    independent evidence. Without ``fold`` these are fixed models on one
    test set, and the verdict is about the models, not about the algorithms that made them.
    """
    request = Request(
        truth=truth, measure=measure, dataset=dataset, method=method, instance=instance, repeat=repeat, fold=fold,
        cluster=cluster, resampling=resampling, positive=positive, methods=methods,
    )  # fmt: skip
    found = reader_of(source, PREDICTIONS).read(source, request)
    tasks = {s.task for s in found.sets}
    if len(tasks) > 1:
        raise InputError(
            f"{found.source}: all data sets must have one task, but some have classes and some have values"
        )
    made = TablePredictions(found.sets)
    chosen = _measures(measure, made, tasks.pop())
    return Results(
        scores=made.scores(chosen),
        question=Question(measure=chosen[0], about="algorithm" if found.has_folds or resampling else "model"),
        dependence={s.dataset: _dependence(s, resampling, found.columns.get("repeat")) for s in found.sets},
        measures={m: get(m) for m in chosen},
        failures=_no_failures(),
        datasets={s.dataset: s.facts() for s in found.sets},
        notes=tuple(dict.fromkeys([*found.notes, *(n for s in found.sets for n in s.notes)])),
        provenance=Provenance(source=found.source, reader="read_predictions", reading=request.given()),
        source=made,
        reading=_reading(found),
    )


def _reading(found: PredictedSets) -> Reading:
    """What was understood of the table: how much of what it holds, of which methods, and what was decided."""
    names = tuple(dict.fromkeys(method for s in found.sets for method in s.channels))
    instances = sum(len(s.truth) for s in found.sets)
    counts = ((len(found.sets), "data set"), (len(names), "method"), (instances, "instance"))
    of_sets = dict.fromkeys(remark for s in found.sets for remark in s.remarks)
    return Reading(counts, found.columns, (*found.remarks, *of_sets), names)


def _dependence(s: TestedSet, resampling: str | None, repeat: str | None) -> Dependence:
    """The declared dependence; without a declaration, that of one test set is known, and that of seeds as repeats."""
    places = len(np.unique(np.stack([s.repeat, s.fold]), axis=1).T)
    if resampling is None:
        if is_seed(repeat or "") and places > 1 and not s.fold.any():
            return Seeds(places).dependence()
        return Dependence("one test set", 1, 1) if places == 1 else Dependence.unknown()
    remedy = "; name the columns that number them (repeat='…', fold='…')"
    return declared_dependence(resampling, s.dataset, places, "test sets", remedy)


def _measures(asked: str | None, made: TablePredictions, task: str) -> list[str]:
    """The measures: the requested one, then the usual ones that can be computed for all methods."""
    channels = set.intersection(*(set(c) for s in made.sets for c in s.channels.values()))
    usual = DEFAULTS[task] + (("auc", "log_loss") if task == "classes" else ())
    wanted = [get(asked).name] if asked else []
    found = list(dict.fromkeys([*wanted, *computable(usual, channels)]))
    if not found:
        shown = "; ".join(f"{m}: {', '.join(c)}" for s in made.sets[:1] for m, c in s.channels.items())
        raise InputError(f"no usual measure can be computed for all methods ({shown}); name one with measure='…'")
    return found


def _no_failures() -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(columns=["dataset", "method", "repeat", "fold", "error"])
