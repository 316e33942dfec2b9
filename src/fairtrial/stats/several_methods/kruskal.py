"""Rank tests of several independent samples: Kruskal and Wallis' test, and Dunn's test of all pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Literal

import numpy as np
from scipy.special import chdtri, ndtri

from fairtrial.errors import InputError
from fairtrial.stats.arguments import check_option
from fairtrial.stats.bibliography import DUNN_1964, KRUSKAL_WALLIS_1952
from fairtrial.stats.comparisons import POOL_NOTE, Comparisons, all_pairs
from fairtrial.stats.distributions.fisher_f import agreeing_level, share_explained
from fairtrial.stats.distributions.tail import Tail, chi_square_tail, normal_tail
from fairtrial.stats.groups import Groups, GroupsLike, sample_groups
from fairtrial.stats.multiplicity import adjust as adjusted_p
from fairtrial.stats.outcome import Chances, Interval, Null, Outcome, check_level
from fairtrial.stats.procedures import SAMPLES, SEVERAL_METHODS, procedure
from fairtrial.stats.score_arrays import FloatArray, IntArray, doubled_midranks, whole_values
from fairtrial.words import listed

NULL_DUNN = "the two groups have the same expected rank among these groups"
NULL = "all groups have the same distribution"

AUTO_WORK = 3_000_000  # states of the exact null distribution that take about half a second
MOST_WORK = 40_000_000  # states that method 'exact' accepts
LARGEST_KEY = 2**62  # the largest code of a state that fits into 64 bits

PAIRED_NOTE = (
    "this test is for independent samples; use friedman for methods on the same folds or data sets, which are paired"
)


@procedure(
    question=SEVERAL_METHODS, null=NULL, assumes=SAMPLES, references=(KRUSKAL_WALLIS_1952,), test="Kruskal-Wallis"
)
def kruskal(
    groups: GroupsLike,
    *,
    method: Literal["auto", "exact", "chi-square"] = "auto",
    names: Sequence[str] | None = None,
    level: float = 0.95,
) -> Outcome:
    r"""Kruskal and Wallis' rank test: does one of several independent groups tend to have larger values?

    Null hypothesis: all groups have the same distribution.

    All N values are rounded (docs/statistics.md, "Rounding before ranking") and ranked together, the smallest first;
    tied values share the mean of their ranks. With the rank sum :math:`R_j` of the :math:`n_j` values of group j and t
    the size of each set of ties,

    .. math:: H = \frac{\frac{12}{N(N+1)} \sum_j R_j^2 / n_j - 3(N+1)}{1 - \sum (t^3 - t) / (N^3 - N)}

    ``method``: ``exact`` counts all ways to distribute the observed ranks, tied ranks included, over groups of these
    sizes; ``chi-square`` compares H with :math:`\chi^2_{k-1}`; ``auto`` is exact where that takes about half a second
    (three groups of 10, four of 5, two of 45), else chi-square. For two groups the exact test is the two-sided test of
    Mann and Whitney.

    **Do not use it for methods on the same folds or data sets**, as is sometimes advised: their scores are paired, and
    :func:`friedman` compares them within each fold or data set. Here groups are independent samples, such as runs with
    different seeds.

    The effect is the rank :math:`\varepsilon^2 = H / (N - 1)`, the share of the variance of the ranks between groups,
    with the noncentral-F interval of an analysis of variance of the ranks. The interval is an approximation, at the
    level that agrees with a one-tailed test (90 % for a test at 5 %). If all values are equal, p is 1 and the statistic
    is nan.

    References: Kruskal & Wallis (1952), doi:10.1080/01621459.1952.10483441.

    >>> outcome = kruskal([[2.9, 3.0, 2.5, 2.6, 3.2], [3.8, 2.7, 4.0, 2.4], [2.8, 3.4, 3.7, 2.2, 2.0]])
    >>> outcome.statistic, outcome.p_value, outcome.method
    (0.7714, 0.7108, 'exact')
    """
    check_level(level)
    check_option("method", method, ("auto", "exact", "chi-square"))
    data = sample_groups(groups, names, ranks=True)
    ranks = _ranks(data)
    h, f, df = _kruskal_statistics(ranks, data)
    tail, chosen = _kruskal_p(ranks, data, h, method)
    if chosen == "" and method == "exact":
        sizes = listed(f"{size:g}" for size in data.sizes)
        raise InputError(f"method 'exact' would take too long for groups of sizes {sizes}; use 'chi-square' or 'auto'")
    estimate = h / (data.n - 1)
    return Outcome(
        test="Kruskal-Wallis",
        null=NULL,
        statistic=h,
        critical_value=float(chdtri(df[0], 1 - level)) if chosen == "chi-square" else math.nan,
        p_value=tail.value,
        log10_p=tail.log10,
        n=data.n,
        method=chosen,
        effect=share_explained("rank epsilon²", estimate, f, *df, total=data.n, level=agreeing_level(level)),
        df=df[0],
        null_distribution=(
            Null("Kruskal and Wallis' H", side="greater", chances=partial(_kruskal_chances, ranks))
            if chosen == "exact"
            else Null("chi-square", df[0])
        ),
        notes=(PAIRED_NOTE,) if h == h else (PAIRED_NOTE, "all values are equal"),
        details={"mean_ranks": [float(r.mean()) / 2 for r in ranks], "names": list(data.names)},
    )


def _ranks(data: Groups) -> list[IntArray]:
    """The ranks of the values of each group, doubled so that ranks of ties are whole numbers.

    The values are rounded first, so that values that differ only by rounding errors are ties.
    """
    whole = whole_values(np.concatenate(data.samples))
    return np.split(doubled_midranks(whole), np.cumsum(data.sizes.astype(int))[:-1])


def _kruskal_statistics(ranks: list[IntArray], data: Groups) -> tuple[float, float, tuple[int, int]]:
    """Kruskal and Wallis' H, the F of an analysis of variance of the ranks, and its degrees of freedom."""
    df = data.k - 1, data.n - data.k
    everything = np.concatenate(ranks) / 2
    total = float(((everything - (data.n + 1) / 2) ** 2).sum())
    if total == 0:
        return math.nan, math.nan, df
    between = sum(float((r.sum() / 2 - len(r) * (data.n + 1) / 2) ** 2) / len(r) for r in ranks)
    within = total - between
    f = between / df[0] / (within / df[1]) if within > 1e-9 * total else math.inf if df[1] else math.nan
    return (data.n - 1) * between / total, f, df


def _kruskal_p(ranks: list[IntArray], data: Groups, h: float, method: str) -> tuple[Tail, str]:
    """The p-value and the method that computed it; the method is empty if 'exact' would take too long."""
    if math.isnan(h):
        return Tail(1.0, 0.0), "exact"
    if method != "chi-square":
        p = exact_kruskal(ranks, MOST_WORK if method == "exact" else AUTO_WORK)
        if p is not None:
            return Tail(p, math.log10(p)), "exact"
    return chi_square_tail(h, data.k - 1), "" if method == "exact" else "chi-square"


def exact_kruskal(ranks: list[IntArray], work: float) -> float | None:
    """The exact p-value of Kruskal and Wallis' test, or ``None`` if more than ``work`` states would be visited.

    >>> exact_kruskal([np.array([2, 4]), np.array([6, 8])], 1000)   # 2 of the 6 ways to divide four ranks
    0.3333
    """
    found, multiple = _dealt(ranks, work), math.lcm(*map(len, ranks))
    observed = sum(int(r.sum()) ** 2 * (multiple // len(r)) for r in ranks)
    return None if found is None else min(float(found[1][found[0] >= observed].sum()), 1.0)


def _kruskal_chances(ranks: list[IntArray]) -> Chances:
    """The values of H under all ways to distribute the ranks over the groups, and their probabilities."""
    found = _dealt(ranks, MOST_WORK)
    assert found is not None, "the p-value was counted in the same way"
    squares, places = np.unique(found[0], return_inverse=True)
    everything = np.concatenate(ranks)
    n, total = len(everything), int(everything.sum())
    between = squares / math.lcm(*map(len, ranks)) - total**2 / n
    spread = float(everything @ everything) - total**2 / n
    return (n - 1) * between / spread, np.bincount(places, found[1]).astype(np.float64)


def _dealt(ranks: list[IntArray], work: float) -> tuple[IntArray, FloatArray] | None:
    """The sums of squares of all ways to distribute the ranks over the groups, and the probabilities of these ways.

    The ranks are distributed one after the other. A state has one code for each group: its number of ranks and their
    sum. Groups of equal size are interchangeable, so that their codes may be sorted. Comparisons use whole numbers. The
    result is ``None`` if more than ``work`` states would be visited.
    """
    sizes, dealt = np.array([len(r) for r in ranks]), np.sort(np.concatenate(ranks))
    one_more = int(dealt.sum()) + 1  # what one more rank adds to the code of a group
    base = (int(sizes.max()) + 1) * one_more
    if float(base) ** (len(sizes) - 1) > LARGEST_KEY:
        return None
    powers = base ** np.arange(len(sizes) - 1, dtype=np.int64)
    states, weights, done = np.zeros((1, len(sizes)), dtype=np.int64), np.ones(1), 0
    for step, rank in enumerate(dealt.tolist()):
        done += states.size
        if done > work:
            return None
        room = sizes - states // one_more
        which, group = np.nonzero(room)
        chances = weights[which] * room[which, group] / (len(dealt) - step)
        states = states[which]
        states[np.arange(len(which)), group] += one_more + rank
        if (sizes == sizes[0]).all():
            states.sort(axis=1)
        _, first, same = np.unique(states[:, :-1] @ powers, return_index=True, return_inverse=True)
        states, weights = states[first], np.bincount(same, weights=chances).astype(np.float64)
    scale = math.lcm(*sizes.tolist()) // sizes
    return ((states % one_more) ** 2 * scale).sum(axis=1), weights


@procedure(question=SEVERAL_METHODS, null=NULL_DUNN, assumes=SAMPLES, references=(DUNN_1964,))
def dunn(
    groups: GroupsLike, *, adjust: str = "holm", names: Sequence[str] | None = None, level: float = 0.95
) -> Comparisons:
    r"""Dunn's test of all pairs: which of several independent groups differ in mean rank?

    Null hypothesis for each pair: the two groups have the same expected rank among these groups.

    With the mean ranks :math:`\bar R_j` over all N values, as in :func:`kruskal`,

    .. math:: z_{ij} = (\bar R_i - \bar R_j) \Big/ \sqrt{\left(\frac{N(N+1)}{12} - \frac{\sum (t^3 - t)}{12 (N-1)}
              \right) \left(\frac1{n_i} + \frac1{n_j}\right)}

    is compared with the normal distribution; t are the sizes of the sets of ties. ``adjust`` is any adjustment of
    :func:`adjust`. The result for two groups depends on the others, since the ranks are shared. If all values are
    equal, p is 1.

    Reference: Dunn (1964), Technometrics 6:241-252, doi:10.1080/00401706.1964.10490181.

    >>> found = dunn([[2.9, 3.0, 2.5, 2.6, 3.2], [3.8, 4.7, 4.0, 5.4], [2.8, 3.4, 3.7, 2.2, 2.0]])
    >>> found.outcomes[0].statistic, found.outcomes[0].p_value, found.p_adjusted[0]
    (-2.4588, 0.0139, 0.0342)
    """
    check_level(level)
    data = sample_groups(groups, names, ranks=True)
    ranks = _ranks(data)
    everything = np.concatenate(ranks) / 2
    variance = float(((everything - (data.n + 1) / 2) ** 2).sum()) / (data.n - 1)
    heights = [float(r.mean()) / 2 for r in ranks]
    pairs = all_pairs(data.k)
    outcomes = tuple(
        _mean_rank_outcome(
            heights[i] - heights[j],
            math.sqrt(variance * (1 / len(ranks[i]) + 1 / len(ranks[j]))),
            len(ranks[i]) + len(ranks[j]),
            level,
        )
        for i, j in pairs
    )
    return Comparisons(
        names=data.names,
        pairs=tuple(pairs),
        outcomes=outcomes,
        p_adjusted=tuple(adjusted_p([o.p_value for o in outcomes], adjust).tolist()),
        adjusted=adjust,
        level=level,
        notes=(POOL_NOTE, PAIRED_NOTE),
        details={"mean_ranks": heights},
    )


def _mean_rank_outcome(gap: float, error: float, n: int, level: float) -> Outcome:
    z = gap / error if error > 0 else 0.0
    tail = normal_tail(z, "two-sided")
    critical = -float(ndtri((1 - level) / 2))
    return Outcome(
        test="Difference of mean ranks",
        null=NULL_DUNN,
        statistic=z if error > 0 else math.nan,
        critical_value=critical,
        p_value=tail.value,
        log10_p=tail.log10,
        n=n,
        method="asymptotic",
        null_distribution=Null("normal"),
        effect=Interval(
            "difference of mean ranks", gap, gap - critical * error, gap + critical * error, level, "normal"
        ),
        notes=() if error > 0 else ("all values are equal",),
    )
