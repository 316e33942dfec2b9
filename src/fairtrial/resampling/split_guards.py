"""Guards of splits: what should be known of them before their scores are believed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from fairtrial.data import Dataset
from fairtrial.notices import Notice, guard, look
from fairtrial.resampling.split import Split
from fairtrial.tables import formats
from fairtrial.words import part_of, plural, verb

__all__ = ["FEWEST_PER_FOLD", "advice"]

FEWEST_PER_FOLD = 30
"""The number of tested instances below which a fold's score is hardly normally distributed."""


def advice(dataset: Dataset, splits: Sequence[Split]) -> Iterator[Notice]:
    """What all guards find in the splits of a data set.

    >>> from fairtrial.data import datasets
    >>> from fairtrial.resampling import KFold
    >>> labor = datasets("labor")[0]
    >>> for notice in advice(labor, list(KFold(10).splits(labor, seed=1))):
    ...     print(notice.text)
    labor has 5 instances a fold (30 advised, too many for its 57: leave-one-out or repeated 2-fold may do better)
    """
    return look("splits", dataset, splits)


@guard(stage="plan", sees="splits")
def small_folds(dataset: Dataset, splits: Sequence[Split]) -> Iterator[Notice]:
    """Test sets of fewer than 30 instances; those of leave-one-out are meant to have one."""
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
    sentence = f"{dataset.name} has {plural(smallest, 'instance')} a fold ({FEWEST_PER_FOLD} advised{better})"
    yield Notice(sentence, "note", dataset.name, {"smallest": smallest, "advised": FEWEST_PER_FOLD})


@guard(stage="plan", sees="splits")
def missing_classes(dataset: Dataset, splits: Sequence[Split]) -> Iterator[Notice]:
    """Test or training sets that lack a class."""
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
            count = f"{part_of(lacking, len(splits), f'{part} set')} {verb(lacking, 'lacks', 'lack')}"
            numbers = {"part": part, "lacking": lacking, "splits": len(splits)}
            yield Notice(f"{dataset.name}: {count} a class", about=dataset.name, evidence=numbers)


@guard(stage="plan", sees="splits")
def torn_groups(dataset: Dataset, splits: Sequence[Split]) -> Iterator[Notice]:
    """Groups of which one part trains and another tests, so that a method that learns by heart looks good."""
    if dataset.groups is None:
        return
    group = _group_numbers(dataset)
    torn = sum(bool(np.isin(group[s.test], group[s.train_rows()]).any()) for s in splits)
    if torn:
        count = f"{part_of(torn, len(splits), 'split')} {verb(torn, 'tears', 'tear')}"
        sentence = f"{dataset.name}: {count} groups apart, so that learning by heart pays"
        yield Notice(sentence, about=dataset.name, evidence={"torn": torn, "splits": len(splits)})


@guard(stage="plan", sees="splits")
def uneven_groups(dataset: Dataset, splits: Sequence[Split]) -> Iterator[Notice]:
    """Groups so unequal that one test set has more than twice the instances of another."""
    sizes = [s.n_test for s in splits]
    if dataset.groups is None or max(sizes) <= 2 * min(sizes):
        return
    counts = np.bincount(_group_numbers(dataset))
    largest = float(counts.max() / dataset.n)
    yield Notice(
        f"{dataset.name}: its {plural(len(counts), 'group')} {verb(len(counts), 'makes', 'make')} test sets of "
        f"{min(sizes)} to {max(sizes)} instances (the largest group has {formats.percent(largest)} of all)",
        about=dataset.name,
        evidence={"groups": len(counts), "smallest": min(sizes), "largest": max(sizes), "largest_group": largest},
        remedy="fewer folds are more even",
    )


def _group_numbers(dataset: Dataset) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """The number of the group of each row."""
    _, numbers = np.unique(np.asarray(dataset.groups), return_inverse=True)
    return numbers.reshape(-1)


@guard(stage="plan", sees="splits")
def training_on_the_future(dataset: Dataset, splits: Sequence[Split]) -> Iterator[Notice]:
    """Training sets with instances that come later than those that are tested."""
    order = dataset.order
    if order is None:
        return
    late = sum(bool(order[s.train_rows()].max() >= order[s.test].min()) for s in splits)
    if late:
        yield Notice(
            f"{dataset.name} declares an order, which this resampling ignores: it trains on what comes later, too",
            about=dataset.name,
            evidence={"late": late, "splits": len(splits)},
        )
