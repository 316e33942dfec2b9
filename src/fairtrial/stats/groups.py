"""Groups of scores on their way in, their means, and the one variance that they share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError
from fairtrial.measures.channel_checks import same_index
from fairtrial.stats.arguments import share_ratio
from fairtrial.stats.score_arrays import FloatArray, method_names, numbers
from fairtrial.words import plural

__all__ = [
    "FOLD_NOTE",
    "Groups",
    "GroupsLike",
    "PooledMeans",
    "check_magnitude",
    "no_spread_note",
    "pooled_means",
    "refuse_one_array",
    "sample_groups",
]

GroupsLike: TypeAlias = Sequence[npt.ArrayLike] | Mapping[str, npt.ArrayLike] | Any

NOISE = 1e-12  # of the largest score: what is smaller is float noise
FOLD_NOTE = (
    "scores over folds or resamples of one data set are not independent, as this test assumes: "
    "give test_share for them (0.1 for 10-fold)"
)


@dataclass(frozen=True, slots=True)
class Groups:
    """Several samples, one for each method; they need not be of one size."""

    samples: tuple[FloatArray, ...]
    names: tuple[str, ...]

    @property
    def k(self) -> int:
        return len(self.samples)

    @property
    def sizes(self) -> FloatArray:
        return np.array([len(x) for x in self.samples], dtype=np.float64)

    @property
    def n(self) -> int:
        return int(self.sizes.sum())

    @property
    def noise(self) -> float:
        """Differences up to this are float noise."""
        return NOISE * max(float(np.abs(x).max()) for x in self.samples)


def sample_groups(
    groups: GroupsLike, names: Sequence[str] | None = None, *, dimensions: int = 1, blocks: bool = False
) -> Groups:
    """A list of samples, a mapping from names to samples, or a DataFrame with a column for each group.

    ``blocks``: the groups share their rows, in one order.

    >>> sample_groups({"forest": [0.8, 0.9], "bayes": [0.7, 0.6, 0.8]}).names
    ('forest', 'bayes')
    """
    refuse_one_array(groups, "groups", dimensions)
    found, labels = _named(groups, names)
    if blocks:
        same_index({f"group {label!r}": values for label, values in zip(labels, found, strict=True)})
    samples = tuple(_sample(values, label, dimensions) for values, label in zip(found, labels, strict=True))
    bad = {label: int((~np.isfinite(x)).sum()) for x, label in zip(samples, labels, strict=True)}
    bad = {label: count for label, count in bad.items() if count}
    if bad:
        raise InputError(
            f"scores must be finite, but {sum(bad.values())} are not (by group: {bad}); "
            "choose a failure policy or leave them out"
        )
    check_magnitude(samples)
    return Groups(samples, labels)


def refuse_one_array(groups: Any, argument: str, dimensions: int = 1) -> None:
    """One array does not say along which axis its groups lie; a DataFrame does, and a list has one group an entry."""
    if not hasattr(groups, "__array__") or hasattr(groups, "columns") or np.ndim(groups) != dimensions + 1:
        return
    remedy = f"list(array.T) when its columns are the {argument}, list(array) when its rows are"
    if dimensions > 1:
        remedy = f"list(np.moveaxis(array, axis, 0)) with the axis along which the {argument} lie"
    raise InputError(f"{argument} as an array of shape {np.shape(groups)} is ambiguous: pass {remedy}")


def check_magnitude(samples: Sequence[FloatArray]) -> None:
    """Squares of scores must still be numbers."""
    largest = max(float(np.abs(x).max()) for x in samples)
    if largest and not 1e-140 < largest < 1e140:
        raise InputError(f"scores must be between 1e-140 and 1e140 in size, or their squares are lost, got {largest!r}")


def _named(groups: Any, names: Sequence[str] | None) -> tuple[list[npt.ArrayLike], tuple[str, ...]]:
    own: Iterable[object]
    if hasattr(groups, "columns"):
        found, own = [groups.iloc[:, j] for j in range(groups.shape[1])], groups.columns
    elif isinstance(groups, Mapping):
        found, own = list(groups.values()), groups
    elif isinstance(groups, str) or not isinstance(groups, Iterable):
        raise InputError(f"groups must be a list of samples or a mapping from names to samples, got {groups!r}")
    else:
        found = list(groups)
        own = range(len(found))
    if len(found) < 2:
        raise InputError(f"groups must be at least two samples, one for each method, got {len(found)}")
    return found, method_names(names, own)


def _sample(values: npt.ArrayLike, label: str, dimensions: int) -> FloatArray:
    x = numbers(values, f"group {label!r}")
    if x.ndim != dimensions or x.size == 0:
        shape = "a list of numbers" if dimensions == 1 else "a table, a row for each fold and a column for each measure"
        raise InputError(f"group {label!r} must be {shape}, got an array of shape {x.shape}")
    return x


@dataclass(frozen=True, slots=True)
class PooledMeans:
    r"""Means of several groups and their common variance.

    ``factors`` times ``variance`` is the squared standard error of each mean: 1/n, plus the ratio of test to training
    size when the scores come from resamples. A variance that is only float noise is 0.
    """

    names: tuple[str, ...]
    means: FloatArray
    sizes: FloatArray
    factors: FloatArray
    variance: float
    df: int
    total: int
    blocks: bool
    noise: float

    @property
    def k(self) -> int:
        return len(self.names)

    def gap(self, i: int, j: int) -> float:
        """The difference of two means; float noise is none."""
        gap = float(self.means[i] - self.means[j])
        return gap if abs(gap) > self.noise else 0.0

    def error(self, i: int, j: int) -> float:
        """The standard error of the difference of two means."""
        return math.sqrt(self.variance * float(self.factors[i] + self.factors[j]))

    def between(self) -> float:
        """The weighted sum of squares of the means: with factors 1/n, the sum of squares between groups."""
        if np.ptp(self.means) <= self.noise:
            return 0.0
        weights = 1 / self.factors
        centred = self.means - float(self.means @ weights) / float(weights.sum())
        return float(centred**2 @ weights)


def pooled_means(groups: Groups, test_share: float | None = None, *, blocks: bool = False) -> PooledMeans:
    """The means with the variance within groups; with ``blocks``, the variance left when rows are taken out too.

    >>> found = pooled_means(sample_groups([[1, 2, 3], [5, 6, 10]]))
    >>> found.means.tolist(), found.variance, found.df   # (2 + 14) / (2 + 2)
    ([2.0, 7.0], 4.0, 4)
    """
    ratio = share_ratio(test_share)
    residuals, df = _residuals(groups, blocks=blocks)
    if df < 1:
        raise InputError(
            "groups must hold enough scores to leave some for their spread, "
            f"got {plural(groups.n, 'score')} of {groups.k} groups"
        )
    flat = max(float(np.abs(r).max()) for r in residuals) <= groups.noise
    return PooledMeans(
        names=groups.names,
        means=np.array([x.mean() for x in groups.samples]),
        sizes=groups.sizes,
        factors=1 / groups.sizes + ratio,
        variance=0.0 if flat else sum(float(r @ r) for r in residuals) / df,
        df=df,
        total=groups.n,
        blocks=blocks,
        noise=groups.noise,
    )


def _residuals(groups: Groups, *, blocks: bool) -> tuple[list[FloatArray], int]:
    within = [x - x.mean() for x in groups.samples]
    if not blocks:
        return within, groups.n - groups.k
    sizes = groups.sizes.astype(int).tolist()
    if len(set(sizes)) > 1:
        raise InputError(f"blocks need groups of one size, the same folds in the same order, got sizes {sizes}")
    rows = np.mean(within, axis=0)
    return [x - rows for x in within], (groups.k - 1) * (sizes[0] - 1)


def no_spread_note(what: str = "scores within groups") -> str:
    return f"all {what} are equal: without spread the test is undefined"
