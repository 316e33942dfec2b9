"""Bootstrap: as many instances as there are, drawn with replacement, train; those never drawn test."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.resampling.allocation import check_at_least, refuse_structure
from fairtrial.resampling.split import Dependence, Split, generator

APPARENT = -1
"""The fold of a split that tests what it trains on: its scores are never among the others."""


@dataclass(frozen=True, slots=True)
class Bootstrap:
    r"""Draws n of n instances with replacement to train, and tests on those that were not drawn (out of bag).

    An instance is not drawn with probability :math:`(1 - 1/n)^n \approx e^{-1} = 0.368`. So each training set holds
    about 63.2 % of the instances, some several times, and the out-of-bag error is pessimistic, about like that of
    2-fold. With ``apparent`` there is one more split, on which each method is trained and tested on all instances. It
    is no part of the scores: :meth:`Results.bootstrap_errors` uses it to correct the pessimism. A draw that leaves no
    instance out of bag (tiny data) is repeated. Methods with a search of their own may have copies of one row on both
    sides of their splits; :func:`fairtrial.tuned` keeps copies together.

    Reference: Efron & Tibshirani (1997), JASA 92:548-560, doi:10.1080/01621459.1997.10474007.
    """

    name, written, analysis = "bootstrap", "bootstrap 200", "corrected t"
    use: ClassVar[str] = "small data and the .632 estimates; how much fits vary"
    beware: ClassVar[str] = "pessimistic (63 % of the instances train); repeated rows mislead inner tuning"
    samples: int = 200
    apparent: bool = False

    def __post_init__(self) -> None:
        check_at_least("samples", self.samples, 1)
        if not isinstance(self.apparent, bool):
            raise InputError(f"apparent must be true or false, got {self.apparent!r}")

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:
        refuse_structure(dataset)
        n = dataset.n
        for sample in range(self.samples):
            random = generator(seed, "bootstrap", sample)
            how_often = np.ones(n, dtype=np.int64)
            while how_often.all():
                how_often = np.bincount(random.randint(n, size=n), minlength=n)
            train = np.repeat(np.arange(n, dtype=np.int32), how_often)
            yield Split(sample, 0, n, np.flatnonzero(how_often == 0).astype(np.int32), train=train)
        if self.apparent:
            rows = np.arange(n, dtype=np.int32)
            yield Split(0, APPARENT, n, rows, train=rows)

    def dependence(self, dataset: Dataset | None = None) -> Dependence:  # noqa: ARG002
        return Dependence(f"bootstrap of {self.samples}, out of bag", self.samples, 1, math.exp(-1), disjoint=False)
