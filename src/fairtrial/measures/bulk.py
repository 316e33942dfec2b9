"""Computation of many measures in many folds at once, from stored predictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from fairtrial.errors import InputError
from fairtrial.measures import channel_checks
from fairtrial.measures.channel_checks import Classes
from fairtrial.measures.confusion_matrix import Margins, PerClass, by_margins
from fairtrial.measures.fold_axis import FloatArray, Folds, numbered_kinds
from fairtrial.measures.predictions import Predictions
from fairtrial.measures.registry import Entry, Measure, find_entry, get
from fairtrial.words import quoted

CELLS = 10**7
"""The number of cells of confusion matrices that are in memory at a time."""

MANY = 200_000
"""The number of instances from which on threads save time."""


def compute(
    names: Iterable[str],
    *,
    truth: ArrayLike,
    channels: Mapping[str, ArrayLike],
    folds: ArrayLike | None = None,
    classes: int | Classes = None,
    positive: int | None = None,
    weights: ArrayLike | None = None,
) -> dict[str, FloatArray]:
    """Compute measures in each fold: arrays of one value per fold, nan where a measure is undefined.

    Counts, rankings and checks are made once for all measures and all folds. :func:`why_undefined` explains a nan.

    truth
        Class codes 0 … K − 1; or numbers, for a numeric target (then leave out ``classes``).
    channels
        ``label`` (class codes; −1 stands for a label that is none of the classes, which is always wrong),
        ``probability`` (a column per class, or one for the positive of two), ``score`` (a column per class, or one
        that is higher for the *positive* class), ``value`` (numbers). Without a score, the probability is used for
        ranking.
    folds
        The fold 0 … F − 1 of each instance; None means one fold. A number that does not occur is an empty fold: nan.
    classes
        The classes, or their number, whether or not each occurs.
    positive
        The code of the positive class: by default the last of two. With more classes, the default is the mean over all.

    >>> compute(
    ...     ["accuracy", "auc", "precision"],
    ...     truth=[0, 1, 1, 0, 0, 1],
    ...     channels={"label": [0, 1, 0, 0, 0, 0], "score": [0.2, 0.9, 0.3, 0.4, 0.3, 0.4]},
    ...     folds=[0, 0, 0, 0, 1, 1],
    ...     classes=2,
    ... )
    {'accuracy': array([0.75, 0.5 ]), 'auc': array([0.75, 1.  ]), 'precision': array([ 1., nan])}
    """
    channel_checks.check_kind("channels", channels, Mapping, "a mapping from channels (label, score, …) to predictions")
    entries = _entries(names, _how_many(classes), frozenset(channels))
    predictions = Predictions.checked(
        truth, channels, n_classes=_how_many(classes), folds=folds, positive=positive, weights=weights
    )
    return _values(entries, predictions)


def compute_on(predictions: Predictions, names: Iterable[str]) -> dict[str, FloatArray]:
    """Compute measures as :func:`compute` does, from :class:`Predictions`, which keep their counts and rankings."""
    return _values(_entries(names, predictions.n_classes, frozenset(predictions.channels)), predictions)


def losses_on(predictions: Predictions, name: str) -> FloatArray:
    """A measure of each instance by itself; of labels, each kind of answer is measured once.

    >>> own = Predictions.checked([0, 1, 1], {"label": [0, 0, 1]}, n_classes=2)
    >>> losses_on(own, "error_rate")
    array([0., 1., 0.])
    """
    n, k = len(predictions.truth), predictions.n_classes
    rows = which = np.arange(n)
    if get(name).needs == ("label",) and predictions.weights is None and n:
        labels = channel_checks.codes_of("label", predictions.channel("label"), k, lowest=-1)
        kinds, which = numbered_kinds(predictions.truth * (k + 1) + labels + 1)
        rows = np.empty(len(kinds), dtype=np.intp)
        rows[which] = np.arange(n)
    alone = predictions.subset(rows, Folds.of(np.arange(len(rows)), len(rows)) if n else predictions.folds)
    return compute_on(alone, [name])[name][which]


def _values(entries: Mapping[str, Entry], predictions: Predictions) -> dict[str, FloatArray]:
    cells = max((cells_of(found, predictions) for found in entries.values()), default=1)
    parts = [_at_once(entries, b) if len(b.truth) else _nothing(entries, b) for b in _blocks(predictions, cells)]
    return parts[0] if len(parts) == 1 else {n: np.concatenate([part[n] for part in parts]) for n in entries}


def cells_of(found: Entry, predictions: Predictions) -> int:
    """The number of counts that a measure holds for each fold."""
    k = predictions.n_classes
    own = replace(predictions, prior=found.settings.get("prior", predictions.prior))  # type: ignore[arg-type]
    return max(1, 4 * k if found.of in (Margins, PerClass) and by_margins(own) else k * (k + 1))


def _nothing(entries: Mapping[str, Entry], predictions: Predictions) -> dict[str, FloatArray]:
    """The values in folds that are all empty: nan."""
    return {name: np.full(predictions.folds.count, np.nan) for name in entries}


def _at_once(entries: Mapping[str, Entry], predictions: Predictions) -> dict[str, FloatArray]:
    """Compute all measures in all folds; for many instances, the measures of each channel in their own thread."""
    families: dict[str, list[str]] = {}
    for name, found in entries.items():
        families.setdefault(found.facts.needs[0], []).append(name)

    def values(names: Iterable[str]) -> dict[str, FloatArray]:
        return {name: entries[name].values(predictions) for name in names}

    if len(families) < 2 or len(predictions.truth) < MANY:
        return values(entries)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(families)) as pool:  # numpy sorts and calculates large arrays in parallel
        made = {name: value for part in pool.map(values, families.values()) for name, value in part.items()}
    return {name: made[name] for name in entries}


def _blocks(predictions: Predictions, cells: int) -> Iterator[Predictions]:
    """Blocks of folds whose counts fit into memory together, even with many classes: so many ``cells`` a fold."""
    folds = predictions.folds
    at_once = max(1, CELLS // cells)
    if folds.index is None or folds.count <= at_once:
        yield predictions
        return
    order = np.argsort(folds.index, kind="stable")
    firsts = np.arange(0, folds.count, at_once)
    for first, rows in zip(firsts, np.split(order, np.searchsorted(folds.index[order], firsts[1:])), strict=True):
        count = min(at_once, folds.count - int(first))
        yield predictions.subset(rows, Folds(folds.index[rows] - first, count, len(rows)))


def _entries(names: Iterable[str], n_classes: int, available: frozenset[str]) -> dict[str, Entry]:
    """The measures of these names, each checked against the task and the channels."""
    if isinstance(names, str):
        raise InputError(f"names must be a list of measures, got the single name {names!r}")
    entries = {name: find_entry(name) for name in channel_checks.list_of("names", names, "measures")}
    for found in entries.values():
        _check(found, n_classes, available)
    return entries


def computable(names: Iterable[str], channels: Iterable[str]) -> tuple[str, ...]:
    """Select the measures that can be computed from some channels. Resources never can: trials record them.

    >>> computable(["accuracy", "auc", "log_loss", "fit_time"], ["label", "score"])
    ('accuracy', 'auc')
    """
    available = frozenset(map(str, channel_checks.list_of("channels", channels, "names of channels")))
    wanted = channel_checks.list_of("names", names, "measures")
    return tuple(name for name in wanted if get(name).can_use(available))


def _how_many(classes: int | Classes) -> int:
    if classes is None:
        return 0
    found = int(classes) if isinstance(classes, (int, np.integer)) else -1
    several = isinstance(classes, Sized) and not isinstance(classes, str) and getattr(classes, "ndim", 1) > 0
    found = len(classes) if several else found  # type: ignore[arg-type]
    if found < 1:
        raise InputError(f"classes must be all classes or their number, got {classes!r}")
    return found


def _check(found: Entry, n_classes: int, available: frozenset[str]) -> None:
    facts = found.facts
    if facts.from_trials:
        raise InputError(f"{facts.name} is recorded with each trial, not computed from predictions; leave it out")
    if (facts.task == "classes") != (n_classes > 0):
        raise InputError(_wrong_task(facts, n_classes))
    if not facts.can_use(available):
        lacking = next(n for n in facts.needs if not replace(facts, needs=(n,)).can_use(available))
        raise InputError(
            f"{facts.name} needs the channel {lacking!r}, but channels has only {quoted(sorted(available)) or 'none'}"
        )


def _wrong_task(facts: Measure, n_classes: int) -> str:
    if n_classes:
        return f"{facts.name} is for a numeric target, but there are {n_classes} classes; choose another measure"
    return f"{facts.name} is for classes, but classes were not given; give classes, or choose another measure"
