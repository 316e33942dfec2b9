"""Rules of thumb for splits: what should be known before their scores are believed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from fairtrial.data import Dataset
from fairtrial.resampling.split import Split
from fairtrial.tables import formats

__all__ = ["FEWEST_PER_FOLD", "advice", "lasting_advice"]

FEWEST_PER_FOLD = 30
"""Below it a fold's score is hardly normal (003, section 12.2)."""


def advice(dataset: Dataset, splits: Sequence[Split]) -> Iterator[str]:
    """What the splits of a data set should be known for, in words.

    >>> from fairtrial.data import datasets
    >>> from fairtrial.resampling import KFold
    >>> labor = datasets("labor")[0]
    >>> print(*advice(labor, list(KFold(10).splits(labor, seed=1))), sep="\\n")
    labor has 5 instances a fold (30 advised, too many for its 57: leave-one-out or repeated 2-fold may do better)
    """
    yield from _small_folds(dataset, splits)
    yield from lasting_advice(dataset, splits)


def lasting_advice(dataset: Dataset, splits: Sequence[Split]) -> Iterator[str]:
    """That part of the advice which can't be seen from the scores any more."""
    yield from _missing_classes(dataset, splits)
    yield from _torn_groups(dataset, splits)
    yield from _future(dataset, splits)


def _small_folds(dataset: Dataset, splits: Sequence[Split]) -> Iterator[str]:
    """At least 30 instances a fold; leave-one-out is meant to have one."""
    smallest, largest = min(s.n_test for s in splits), max(s.n_test for s in splits)
    if smallest >= FEWEST_PER_FOLD or (largest == 1 and len(splits) == dataset.n):
        return
    folds, most = max(s.fold for s in splits) + 1, dataset.n // FEWEST_PER_FOLD
    if folds <= max(2, most):
        better = ""
    elif most >= 2:
        better = f": at most {most} folds"
    else:
        better = f", too many for its {dataset.n}: leave-one-out or repeated 2-fold may do better"
    yield f"{dataset.name} has {smallest} instance{'s' * (smallest != 1)} a fold ({FEWEST_PER_FOLD} advised{better})"


def _missing_classes(dataset: Dataset, splits: Sequence[Split]) -> Iterator[str]:
    if dataset.task != "classes":
        return
    codes, k = dataset.codes, len(dataset.classes)
    everywhere = np.bincount(codes, minlength=k)
    lacking_test = lacking_training = 0
    for split in splits:
        tested = np.bincount(codes[split.test], minlength=k)
        trained = everywhere - tested if split.train is None else np.bincount(codes[split.train], minlength=k)
        lacking_test += 0 in tested.tolist()
        lacking_training += 0 in trained.tolist()
    if max(s.n_test for s in splits) == 1:
        lacking_test = 0  # a single instance has one class, as it must
    for part, lacking in (("test", lacking_test), ("training", lacking_training)):
        if lacking:
            yield f"{dataset.name}: {lacking} of {len(splits)} {part} sets lack{'s' * (lacking == 1)} a class"


def _torn_groups(dataset: Dataset, splits: Sequence[Split]) -> Iterator[str]:
    if dataset.groups is None:
        return
    names, group = np.unique(dataset.groups, return_inverse=True)
    group = group.reshape(-1)
    torn = sum(bool(np.isin(group[s.test], group[s.train_rows()]).any()) for s in splits)
    if torn:
        count = f"{torn} of {len(splits)} splits tear{'s' * (torn == 1)}"
        yield f"{dataset.name}: {count} groups apart, so that learning by heart pays"
    sizes = [s.n_test for s in splits]
    if max(sizes) > 2 * min(sizes):
        largest = float(np.bincount(group).max() / dataset.n)
        yield (
            f"{dataset.name}: its {len(names)} groups make test sets of {min(sizes)} to {max(sizes)} instances "
            f"(the largest group has {formats.percent(largest)} of all); fewer folds are more even"
        )


def _future(dataset: Dataset, splits: Sequence[Split]) -> Iterator[str]:
    order = dataset.order
    if order is not None and any(order[s.train_rows()].max() >= order[s.test].min() for s in splits):
        yield f"{dataset.name} declares an order, which this resampling ignores: it trains on what comes later, too"
