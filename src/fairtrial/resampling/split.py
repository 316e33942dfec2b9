"""One split of a data set, and how the splits of a scheme depend on each other.

Every random number in fairtrial comes from a seed that is derived here.

A seed is a function of what it is for, never of when, where or in which order it is used:
the numbers of a study don't depend on workers, order, engine or resuming.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairtrial.slotted import sent_by_fields

Indices = NDArray[np.int32]


@sent_by_fields
@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Which instances train and which test, by row number.

    ``train`` is None if it consists of all rows that are not tested, as in most schemes; that is shorter to store and
    send. Otherwise it may hold a row more than once (bootstrap), and leave rows out (a validation set, later rows).
    """

    repeat: int
    fold: int
    n: int
    test: Indices
    train: Indices | None = None

    def train_rows(self) -> Indices:
        """The row numbers of the training instances, in ascending order where the scheme has no order of its own."""
        if self.train is not None:
            return self.train
        rest = np.ones(self.n, dtype=bool)
        rest[self.test] = False
        return rest.nonzero()[0].astype(np.int32)

    def left_out(self) -> Indices:
        """The row numbers that neither train nor test: a validation part, a gap, the future."""
        rest = np.ones(self.n, dtype=bool)
        rest[self.test] = False
        rest[self.train_rows()] = False
        return rest.nonzero()[0].astype(np.int32)

    @property
    def n_test(self) -> int:
        return len(self.test)

    @property
    def n_train(self) -> int:
        return self.n - len(self.test) if self.train is None else len(self.train)

    def digest(self) -> bytes:
        """A hash of the indices: two splits with one digest are the same split."""
        state = hashlib.blake2b(digest_size=16)
        state.update(self.n.to_bytes(8, "little"))
        state.update(self.train_rows().astype("<i4").tobytes())
        state.update(b"|")
        state.update(self.test.astype("<i4").tobytes())
        return state.digest()


OVERLAPS = ((1 / 9, 1.83), (1 / 4, 1.67), (0.49, 1.4), (1.0, 0.9))
"""Test/train, and its factor with very many repeats, where the lab has looked (`fairtrial lab schemes`)."""


MEASURED_FOLDS = (5, 10)
FEWEST_MEASURED = 3  # random holdouts, bootstrap samples, or repeats of 2-fold


@dataclass(frozen=True, slots=True)
class Dependence:
    """How scores over the splits of one data set depend on each other, as far as it is known.

    It decides which test is valid: scores from overlapping training sets are not independent evidence. ``test_share``
    is the share of test instances among training and test instances (0.1 for 10-fold), which the corrected t-test
    needs. It is nan if it is unknown, or if no test of the splits of one data set would be valid; ``caution`` then says
    why. ``optimistic`` scores come from training instances; they are never tested, not even over data sets. ``folds``
    is 0 if it depends on the data (leave-one-out). With ``seeds`` these are no splits at all, but one fixed split on
    which the methods were trained with several random seeds.
    """

    scheme: str
    repeats: int = 1
    folds: int = 1
    test_share: float = math.nan
    disjoint: bool = False
    shared: bool = True
    caution: str = ""
    optimistic: bool = False
    seeds: bool = False

    @property
    def overlap(self) -> float:
        """What test/train is multiplied by in the variance of a mean over the splits: 1 for a single k-fold.

        Repeats test the same instances again, and their scores vary less than what they estimate: the more, the more
        repeats there are, and the larger the training sets. One constant for a scheme, the smallest with which
        1-nearest-neighbour, the worst of seven learners, errs in about 5 %: a factor from the instability of
        predictions over repeats can't be had, since those of 1-nearest-neighbour change as rarely in 10-fold as those
        of linear discriminants on 60 instances, which need half of it. No estimate from one data set is unbiased
        (Bengio & Grandvalet 2004).
        """
        if self.repeats == 1:
            return 1.0
        ratios, factors = zip(*OVERLAPS, strict=True)
        known = (
            OVERLAPS[0][1]
            if math.isnan(self.test_share) or self.test_share >= 1
            else float(np.interp(self.test_share / (1 - self.test_share), ratios, factors))
        )
        return round(1 + (known - 1) * (1 - 1 / max(self.repeats, 1)), 2)

    @property
    def is_measured(self) -> bool:
        """Whether the lab has measured how often the corrected t-test errs for this scheme."""
        if self.folds in MEASURED_FOLDS:
            return True
        return self.folds in (1, 2) and self.repeats >= FEWEST_MEASURED and 0.1 <= self.test_share <= 0.5

    @classmethod
    def unknown(cls) -> Dependence:
        """The dependence of scores from elsewhere whose split scheme is unknown."""
        return cls("unknown", repeats=0, folds=0)

    def counted(self, splits: int) -> Dependence:
        """This dependence with its number of splits, where only the data set tells that (leave-one-out)."""
        if self.folds or not self.disjoint or splits < 2:
            return self
        return replace(self, folds=splits, test_share=1 / splits)

    @property
    def known(self) -> bool:
        return not math.isnan(self.test_share)

    @property
    def lacking(self) -> str:
        """What would allow a test on one data set whose scores can't be tested, as advice."""
        return "bring scores on several splits" if self.seeds else "say how the splits were made (resampling='10-fold')"

    def to_dict(self) -> dict[str, Any]:
        return {
            "scheme": self.scheme,
            "repeats": self.repeats,
            "folds": self.folds,
            "test_share": None if math.isnan(self.test_share) else self.test_share,
            "disjoint": self.disjoint,
            "shared": self.shared,
            "caution": self.caution,
            "optimistic": self.optimistic,
            **({"seeds": True} if self.seeds else {}),  # files of earlier versions know no seeds
        }


def score_unit(schemes: Iterable[Dependence]) -> str:
    """The word for what each score of a method on one data set belongs to: a seed, or else a split.

    >>> score_unit([Dependence.unknown()]), score_unit([Dependence("5 seeds", repeats=5, seeds=True)])
    ('split', 'seed')
    """
    kinds = {known.seeds for known in schemes}
    return "seed" if kinds == {True} else "split"


def derive_seed(*parts: object) -> int:
    """A seed below 2³¹ from the parts' texts.

    >>> derive_seed(1, "split", 0) == derive_seed(1, "split", 0) != derive_seed(1, "split", 1)
    True
    """
    text = "\x1f".join(p.hex() if isinstance(p, bytes) else str(p) for p in parts)
    digest = hashlib.blake2b(text.encode(), digest_size=4).digest()
    return int.from_bytes(digest, "little") & 0x7FFFFFFF


def generator(*parts: object) -> np.random.RandomState:
    """A generator whose stream numpy has promised to keep for ever (the newer Generator's may change)."""
    return np.random.RandomState(derive_seed(*parts))
