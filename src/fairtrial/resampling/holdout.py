"""One part trains, another tests: holdout, train/validation/test, and, as a warning, no holdout at all.

Seeds on one fixed split: scores that exist already, and tell the noise of training only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairtrial.data import Dataset
from fairtrial.doors import door
from fairtrial.errors import InputError
from fairtrial.resampling.allocation import check_at_least, check_share, even_positions, spread, strata, times
from fairtrial.resampling.split import Dependence, Split, generator
from fairtrial.words import plural


@dataclass(frozen=True, slots=True)
class Resubstitution:
    """Training and testing on the same instances, all of them: an optimistic estimate.

    A method that learns by heart is perfect here. This is the apparent error, from which .632 and .632+ start. Compared
    with an honest estimate it shows overfitting; no significance test uses it.
    """

    name, written, analysis = "resubstitution", "resubstitution", "never tested"
    use: ClassVar[str] = "seeing how much a method overfits; the apparent error for .632 and .632+"
    beware: ClassVar[str] = "optimistic: learning by heart is perfect here"

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:  # noqa: ARG002
        rows = np.arange(dataset.n, dtype=np.int32)
        yield Split(0, 0, dataset.n, rows, train=rows)

    def dependence(self, dataset: Dataset | None = None) -> Dependence:  # noqa: ARG002
        caution = "resubstitution is optimistic: methods were tested on the instances that they had learned from"
        return Dependence("resubstitution (optimistic)", 1, 1, caution=caution, optimistic=True)


@door
@dataclass(frozen=True, slots=True)
class Holdout:
    """A random share of the instances is the test set, the rest the training set; once, or repeated with new draws.

    Test sets of repeated holdout overlap, so the plain t-test on them rejects far too often.
    """

    name, written, analysis = "holdout", "30x holdout 0.3", "corrected t"
    use: ClassVar[str] = "very many instances; a test share of your own choice"
    beware: ClassVar[str] = "one split says nothing about the algorithms; repeated, the test sets overlap"
    test_share: float = 1 / 3
    repeats: int = 1
    stratify: bool = True

    def __post_init__(self) -> None:
        check_share("test_share", self.test_share)
        check_at_least("repeats", self.repeats, 1)

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:
        n_test = round(self.test_share * dataset.n)
        if not 0 < n_test < dataset.n:
            raise InputError(
                f"test_share must leave instances on both sides, but {self.test_share!r} of the "
                f"{dataset.n} of {dataset.name} is {n_test}; choose another share"
            )
        rows = strata(dataset, self.stratify)
        for repeat in range(self.repeats):
            random = generator(seed, "holdout", repeat)
            order = spread(rows, random)
            chosen = order[even_positions(n_test, dataset.n, start=int(random.randint(dataset.n)))]
            yield Split(repeat, 0, dataset.n, np.sort(chosen).astype(np.int32))

    def dependence(self, dataset: Dataset | None = None) -> Dependence:  # noqa: ARG002
        scheme = times(self.repeats, f"holdout of {100 * self.test_share:.3g} %")
        return Dependence(scheme, self.repeats, 1, self.test_share, disjoint=False)


@dataclass(frozen=True, slots=True)
class TrainValidationTest:
    """Three parts: a training, a validation and a test set; once, or repeated with new draws.

    The validation set (:meth:`Split.left_out`) is neither trained on nor tested. It is for methods that need one of
    their own, such as early stopping. To choose parameters, tuning inside the training set wastes fewer instances.
    """

    name, written, analysis = "train/validation/test", "60/20/20", "corrected t"
    use: ClassVar[str] = "very many instances, and methods that stop or choose on data of their own"
    beware: ClassVar[str] = "whoever looks at the test part while choosing has no test part"
    validation_share: float = 0.2
    test_share: float = 0.2
    repeats: int = 1
    stratify: bool = True

    def __post_init__(self) -> None:
        check_share("validation_share", self.validation_share)
        check_share("test_share", self.test_share)
        check_share("validation_share + test_share", self.validation_share + self.test_share)
        check_at_least("repeats", self.repeats, 1)

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:
        n_test, n_validation = round(self.test_share * dataset.n), round(self.validation_share * dataset.n)
        if not (n_test and n_validation and n_test + n_validation < dataset.n):
            sizes = f"{dataset.n - n_validation - n_test}, {n_validation} and {n_test}"
            raise InputError(
                f"all three parts must have instances, but {dataset.name} with {dataset.n} gives {sizes}; "
                "choose other shares"
            )
        rows = strata(dataset, self.stratify)
        for repeat in range(self.repeats):
            random = generator(seed, "train/validation/test", repeat)
            order = spread(rows, random)
            chosen = even_positions(n_test, dataset.n, start=int(random.randint(dataset.n)))
            rest = np.delete(order, chosen)
            kept = even_positions(n_validation, len(rest), start=int(random.randint(len(rest))))
            test, train = np.sort(order[chosen]), np.sort(np.delete(rest, kept))
            yield Split(repeat, 0, dataset.n, test.astype(np.int32), train=train.astype(np.int32))

    def dependence(self, dataset: Dataset | None = None) -> Dependence:  # noqa: ARG002
        parts = (1 - self.validation_share - self.test_share, self.validation_share, self.test_share)
        scheme = times(self.repeats, "/".join(f"{100 * part:.3g}" for part in parts))
        return Dependence(scheme, self.repeats, 1, self.test_share / (1 - self.validation_share), disjoint=False)


CAUTION = "seeds show the noise of training on one fixed split, not how scores vary with the data"


@dataclass(frozen=True, slots=True)
class Seeds:
    """One fixed split, on which each method was trained with several random seeds, as deep-learning papers report.

    It names how scores from elsewhere were made. It makes no splits: a study has ``replicates`` for other seeds.
    Scores over seeds are averaged, and no test uses their spread, since all of them share their training and test data.
    """

    name, written, analysis = "seeds", "5 seeds", "averaged, not tested"
    use: ClassVar[str] = "scores that exist: several seeds on the one split of each data set"
    beware: ClassVar[str] = "seeds tell nothing about other data; a study varies seeds by replicates=5"
    seeds: int = 5

    def __post_init__(self) -> None:
        check_at_least("seeds", self.seeds, 1)

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:  # noqa: ARG002
        raise InputError(self.refusal("resampling"))

    def dependence(self, dataset: Dataset | None = None) -> Dependence:  # noqa: ARG002
        return Dependence(plural(self.seeds, "seed"), self.seeds, caution=CAUTION, seeds=True)

    def refusal(self, argument: str) -> str:
        """Why seeds make no splits, and what does."""
        return (
            f"{argument} must say how data are split, got {plural(self.seeds, 'seed')}, which share one split; run a "
            f"study with replicates={self.seeds} (other seeds on the same splits) and splits such as '10-fold' or "
            "'holdout 0.3'"
        )
