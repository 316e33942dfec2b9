"""Groups of scores: checked input, the means of the groups, and the variance pooled within them."""

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
from fairtrial.words import listed, part_of, plural, verb

GroupsLike: TypeAlias = Sequence[npt.ArrayLike] | Mapping[str, npt.ArrayLike] | Any

NOISE = 1e-12  # times the largest score: differences below this are rounding errors of floating point
FOLD_NOTE = (
    "this test assumes independent scores; scores over folds or resamples of one data set are not independent: "
    "give test_share for them (0.1 for 10-fold)"
)


@dataclass(frozen=True, slots=True)
class Groups:
    """Several samples of scores, one for each method; their sizes may differ."""

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
        """The largest difference that may be a rounding error of floating point."""
        return NOISE * max(float(np.abs(x).max()) for x in self.samples)


def sample_groups(
    groups: GroupsLike,
    names: Sequence[str] | None = None,
    *,
    dimensions: int = 1,
    blocks: bool = False,
    ranks: bool = False,
) -> Groups:
    """Check groups of scores: a list of samples, a mapping from names to samples, or a DataFrame of columns.

    ``blocks`` says that the groups share their rows, in the same order, ``ranks`` that only ranks are used, so that
    scores may have any size.

    >>> sample_groups({"forest": [0.8, 0.9], "bayes": [0.7, 0.6, 0.8]}).names
    ('forest', 'bayes')
    """
    refuse_one_array(groups, "groups", dimensions)
    found, labels = _with_names(groups, names)
    if blocks:
        same_index({f"group {label!r}": values for label, values in zip(labels, found, strict=True)})
    samples = tuple(_sample(values, label, dimensions) for values, label in zip(found, labels, strict=True))
    bad = {label: int((~np.isfinite(x)).sum()) for x, label in zip(samples, labels, strict=True)}
    bad = {label: count for label, count in bad.items() if count}
    if bad:
        total, size = sum(bad.values()), sum(x.size for x in samples)
        counted = listed(f"{count} in {label!r}" for label, count in bad.items())
        raise InputError(
            f"groups must be finite, but {part_of(total, size, 'score')} {verb(total, 'is', 'are')} not ({counted}); "
            "choose a failure policy or leave such scores out"
        )
    if not ranks:
        check_magnitude(samples)
    return Groups(samples, labels)


def refuse_one_array(groups: Any, argument: str, dimensions: int = 1) -> None:
    """Refuse a single array, which does not say along which axis its groups lie.

    A DataFrame has its groups in columns, and a list has one group in each entry.
    """
    if not hasattr(groups, "__array__") or hasattr(groups, "columns") or np.ndim(groups) != dimensions + 1:
        return
    remedy = f"list(array.T) if its columns are the {argument}, list(array) if its rows are"
    if dimensions > 1:
        remedy = f"list(np.moveaxis(array, axis, 0)) with the axis along which the {argument} lie"
    raise InputError(
        f"{argument} must be a list, since an array does not say along which axis its {argument} lie, "
        f"got an array of shape {np.shape(groups)}; pass {remedy}"
    )


def check_magnitude(samples: Sequence[FloatArray]) -> None:
    """Refuse scores so large or so small that their squares overflow or underflow."""
    largest = max(float(np.abs(x).max()) for x in samples)
    if largest and not 1e-140 < largest < 1e140:
        raise InputError(
            "the largest absolute score must lie between 1e-140 and 1e140, so that its square is a number, "
            f"got {largest!r}; change the unit of the scores"
        )


def _with_names(groups: Any, names: Sequence[str] | None) -> tuple[list[npt.ArrayLike], tuple[str, ...]]:
    """The samples and their names, from any of the forms that groups may have."""
    own: Iterable[object]
    if hasattr(groups, "columns"):
        found, own = [groups.iloc[:, j] for j in range(groups.shape[1])], groups.columns
    elif isinstance(groups, Mapping):
        found, own = list(groups.values()), groups
    elif isinstance(groups, str) or not isinstance(groups, Iterable) or getattr(groups, "ndim", 1) == 0:
        raise InputError(
            "groups must be a list of samples, a mapping from names to samples or a DataFrame with a column for each, "
            f"got {groups!r}"
        )
    else:
        found = list(groups)
        own = range(len(found))
    if len(found) < 2:
        raise InputError(f"groups must hold at least two samples, one for each method, got {len(found)}")
    return found, method_names(names, own)


def _sample(values: npt.ArrayLike, label: str, dimensions: int) -> FloatArray:
    x = numbers(values, f"group {label!r}")
    if x.ndim != dimensions or x.size == 0:
        shape = "a list of numbers" if dimensions == 1 else "a table, a row for each fold and a column for each measure"
        raise InputError(f"group {label!r} must be {shape}, got an array of shape {x.shape}")
    return x


@dataclass(frozen=True, slots=True)
class PooledMeans:
    r"""Means of several groups and the variance pooled within them.

    ``factors`` times ``variance`` is the squared standard error of each mean. A factor is 1/n, plus the ratio of test
    to training size when the scores come from resamples. A variance that is only rounding error is set to 0.
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
        """The difference of two means, 0 if it is only rounding error."""
        gap = float(self.means[i] - self.means[j])
        return gap if abs(gap) > self.noise else 0.0

    def error(self, i: int, j: int) -> float:
        """The standard error of the difference of two means."""
        return math.sqrt(self.variance * float(self.factors[i] + self.factors[j]))

    def between(self) -> float:
        """The weighted sum of squares of the means: the sum of squares between groups if the factors are 1/n."""
        if np.ptp(self.means) <= self.noise:
            return 0.0
        weights = 1 / self.factors
        centred = self.means - float(self.means @ weights) / float(weights.sum())
        return float(centred**2 @ weights)


def pooled_means(groups: Groups, test_share: float | None = None, *, blocks: bool = False) -> PooledMeans:
    """Means of the groups with their pooled variance; with ``blocks``, the variance after row effects are removed.

    >>> found = pooled_means(sample_groups([[1, 2, 3], [5, 6, 10]]))
    >>> found.means.tolist(), found.variance, found.df   # (2 + 14) / (2 + 2)
    ([2.0, 7.0], 4.0, 4)
    """
    ratio = share_ratio(test_share)
    residuals, df = _residuals(groups, blocks=blocks)
    if df < 1:
        raise InputError(
            "groups must hold more scores than there are means to estimate, so that a variance can be computed, "
            f"got {plural(groups.n, 'score')} in {groups.k} groups"
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
    """Residuals of each group, after its mean and (with ``blocks``) row effects, and their degrees of freedom."""
    within = [x - x.mean() for x in groups.samples]
    if not blocks:
        return within, groups.n - groups.k
    sizes = groups.sizes.astype(int).tolist()
    if len(set(sizes)) > 1:
        raise InputError(f"blocks=True needs groups of equal size, over the same folds in the same order, got {sizes}")
    rows = np.mean(within, axis=0)
    return [x - rows for x in within], (groups.k - 1) * (sizes[0] - 1)


def no_spread_note(what: str = "scores within groups") -> str:
    """The note of a test whose variance is zero."""
    return f"all {what} are equal: their variance is zero, and the test is undefined"
