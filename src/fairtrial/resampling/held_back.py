"""Rows that are held back before a study is planned, so that what it chooses can be confirmed on them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from fairtrial.data import Dataset, datasets
from fairtrial.doors import door
from fairtrial.resampling.allocation import check_share
from fairtrial.resampling.holdout import Holdout
from fairtrial.resampling.own_splits import OwnSplits
from fairtrial.resampling.seeds import generator
from fairtrial.resampling.split import Indices


@dataclass(frozen=True, eq=False)
class HeldBack:
    """Data sets in two parts: ``searched`` is what a study may see, ``held`` what it is confirmed on.

    ``whole`` are the data sets with all rows, ``rows`` the rows of each that are held back.
    """

    whole: tuple[Dataset, ...]
    rows: Mapping[str, Indices]

    @cached_property
    def searched(self) -> tuple[Dataset, ...]:
        """The data sets without the rows that are held back, to plan and run a study on."""
        return tuple(_part(data, np.setdiff1d(np.arange(data.n), self.rows[data.name])) for data in self.whole)

    @cached_property
    def held(self) -> tuple[Dataset, ...]:
        """The rows that are held back."""
        return tuple(_part(data, self.rows[data.name]) for data in self.whole)

    @property
    def resampling(self) -> OwnSplits:
        """One split of each whole data set: methods learn from the searched rows, and are tested on the others."""
        digest = hashlib.blake2b(digest_size=16)
        for name in sorted(self.rows):
            digest.update(f"{name}:{self.rows[name].tolist()};".encode())
        rows = {name: {(0, 0): {"test": own}} for name, own in self.rows.items()}
        return OwnSplits("rows held back", digest.hexdigest(), None, rows)


@door
def hold_back(given: Any, share: float = 0.3, *, seed: int = 0, target: str | None = None) -> HeldBack:
    """Hold a share of the rows of each data set back, before anything is planned.

    The best of many settings looks better than it is on the rows that it was chosen on, and fresh splits of the same
    rows do not help against that. ``given`` are data sets as a :class:`~fairtrial.Study` takes them. Classes keep their
    shares. Rows that belong together (groups) stay together; of rows in order the last ones are held back.

    >>> parts = hold_back(["iris"], 0.2, seed=1)
    >>> parts.searched[0].n, parts.held[0].n, parts.held[0].balance["setosa"].__round__(2)
    (120, 30, 0.33)
    """
    check_share("share", share)
    whole = tuple(datasets(*(given if isinstance(given, list | tuple) else [given]), target=target))
    return HeldBack(whole, {data.name: _held_rows(data, share, seed) for data in whole})


def _held_rows(data: Dataset, share: float, seed: int) -> Indices:
    wanted = max(round(share * data.n), 1)
    if data.order is not None:
        return np.sort(np.argsort(data.order, kind="stable")[data.n - wanted :]).astype(np.int32)
    if data.groups is None:
        (split,) = Holdout(share).splits(data, seed)
        return split.test
    names, sizes = np.unique(data.groups.astype(str), return_counts=True)
    order = generator(seed, "held back", data.name).permutation(len(names))
    taken = order[: 1 + int(np.searchsorted(np.cumsum(sizes[order]), wanted))]
    return np.flatnonzero(np.isin(data.groups.astype(str), names[taken])).astype(np.int32)


def _part(data: Dataset, rows: Indices) -> Dataset:
    parts = {name: getattr(data, name) for name in ("groups", "order", "weights")}
    chosen: dict[str, Any] = {name: None if value is None else value[rows] for name, value in parts.items()}
    return replace(data, X=data.X[rows], target=data.target[rows], **chosen)
