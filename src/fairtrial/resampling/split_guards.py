"""Guards of splits: what should be known of them before their scores are believed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from fairtrial.data import Dataset
from fairtrial.notices import Notice, guard, look
from fairtrial.resampling.split import Split
from fairtrial.tables import formats
from fairtrial.words import part_of, plural, verb

FEWEST_PER_FOLD = 30
"""The number of tested instances below which a fold's score is hardly normally distributed."""


def advice(dataset: Dataset, splits: Sequence[Split]) -> Iterator[Notice]:
    """The findings of all guards in the splits of a data set.

    >>> from fairtrial.data import datasets
    >>> from fairtrial.resampling import KFold
    >>> iris = datasets("iris")[0]
    >>> for notice in advice(iris, list(KFold(10).splits(iris, seed=1))):
    ...     print(notice.text)
    iris has 15 instances a fold, but 30 are advised; use at most 5 folds
    """
    return look("splits", dataset, splits)


@guard(stage="plan", sees="resampled data")
def groups_not_kept(dataset: Dataset, keeps: str) -> Iterator[Notice]:
    """Declared groups that a resampling scheme would divide."""
    if dataset.groups is not None and keeps != "groups":
        yield Notice(
            f"{dataset.name} declares groups, and this resampling would divide them",
            "refusal",
            about=dataset.name,
            evidence={"declares": "groups", "keeps": keeps},
            remedy="use 'grouped 10-fold' (GroupKFold), or drop the groups",
        )


@guard(stage="plan", sees="resampled data")
def order_not_kept(dataset: Dataset, keeps: str) -> Iterator[Notice]:
    """A declared order that a resampling scheme would ignore, so that it trains on what comes later."""
    if dataset.order is not None and keeps != "order":
        forward = "use 'forward 5' (Forward), or " if dataset.groups is None else ""
        yield Notice(
            f"{dataset.name} declares an order, and this resampling would train on what comes later",
            "refusal",
            about=dataset.name,
            evidence={"declares": "order", "keeps": keeps},
            remedy=f"{forward}drop the order",
        )


@guard(stage="plan", sees="splits")
def small_folds(dataset: Dataset, splits: Sequence[Split]) -> Iterator[Notice]:
    """Test sets of fewer than 30 instances; leave-one-out is exempt."""
    smallest, largest = min(s.n_test for s in splits), max(s.n_test for s in splits)
    if smallest >= FEWEST_PER_FOLD or (largest == 1 and len(splits) == dataset.n):
        return
    folds, most = max(s.fold for s in splits) + 1, dataset.n // FEWEST_PER_FOLD
    if folds <= max(2, most):
        better = ""
    elif most >= 2:
        better = f"; use at most {most} folds"
    else:
        better = f"; it has only {dataset.n} instances in all, so leave-one-out or repeated 2-fold may do better"
    sentence = f"{dataset.name} has {plural(smallest, 'instance')} a fold, but {FEWEST_PER_FOLD} are advised{better}"
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
    """Groups with instances in both training and test set, so that a method that learns by heart looks good."""
    if dataset.groups is None:
        return
    group = _group_numbers(dataset)
    torn = sum(bool(np.isin(group[s.test], group[s.train_rows()]).any()) for s in splits)
    if torn:
        count = f"{part_of(torn, len(splits), 'split')} {verb(torn, 'divides', 'divide')}"
        sentence = f"{dataset.name}: {count} groups, so that methods that learn by heart look good"
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
            f"{dataset.name} declares an order, but {part_of(late, len(splits), 'split')} "
            f"{verb(late, 'trains', 'train')} on what comes later",
            about=dataset.name,
            evidence={"late": late, "splits": len(splits)},
            remedy="use 'forward 5'",
        )
