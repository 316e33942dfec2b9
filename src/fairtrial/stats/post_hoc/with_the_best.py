"""Comparisons with the best: the winner, the methods that may be best, and how far each may be from the best."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from fairtrial.choices import ESTIMANDS, Estimand
from fairtrial.errors import InputError
from fairtrial.stats.bibliography import (
    EDWARDS_HSU_1983,
    GUTMANN_MAYMIN_1987,
    HSU_1984,
    ROMANO_WOLF_2005,
    STEFANSSON_KIM_HSU_1988,
)
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.post_hoc.best_evidence import Evidence, MeanLeads, TypicalLeads, mean_border, rank_border
from fairtrial.stats.post_hoc.joint_flips import (
    CACHED,
    DRAWS,
    EXACT_ROWS,
    MORE_DRAWS,
    NEAR,
    SAME,
    Maxima,
    one_thread,
    sign_flips,
)
from fairtrial.stats.post_hoc.left_out import (
    critical_without_one,
    matrices_without_each,
    standardised_sums,
    sums_without_each,
    winners_of_pairs,
)
from fairtrial.stats.procedures import COMPARABLE, POST_HOC, procedure
from fairtrial.stats.score_arrays import BoolArray, FloatArray, IntArray, pair_differences, random_draws, score_table
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import is_one_of, listed

NULL = "for each method: no other one is better"
MANY_ROWS = 1000  # beyond, flipped sums are drawn from their normal limit

Standing = Literal["winner", "in", "out"]


@dataclass(frozen=True, slots=True)
class Lead:
    """The lead of one method over the best of the others; positive where the method is better.

    The estimate and ``rival`` are those of one comparison: with the leader, and for the leader with the next. The ends
    of the interval are about the best of the others, whichever that is. ``p_value`` is the smallest level at which the
    method is out; that of a winner is the largest of its own tests. ``closed``: the method is out, and its upper end is
    0 by decision: it is not better, and by how much is not shown.
    """

    method: str
    rival: str
    interval: Interval
    p_value: float
    standing: Standing
    closed: bool = False


@dataclass(frozen=True, slots=True)
class WithTheBest(Shown):
    """The leads of all methods over the best of the others, which hold together, and what follows about the best.

    ``circle`` has the methods that beat each other in a circle, so that nobody is left; it is nearly always empty.
    ``exact``: all flips were counted. ``critical_values`` has for each method the largest lead of a rival with which
    it stays, in units of the statistic (the doubled signed-rank sum, or the sum over the root of the sum of squares).
    """

    names: tuple[str, ...]
    leads: tuple[Lead, ...]
    leader: str
    winner: str | None
    circle: tuple[str, ...]
    level: float
    estimand: Estimand
    exact: bool
    critical_values: tuple[float, ...] = ()

    @property
    def best(self) -> tuple[str, ...]:
        """The winner alone, or the methods that may be best, in the order of the table; none in a circle."""
        if self.circle:
            return ()
        return tuple(lead.method for lead in self.leads if lead.standing != "out")

    def to_dict(self) -> dict[str, Any]:
        leads = [
            {f.name: getattr(lead, f.name) for f in fields(lead)} | {"interval": lead.interval.to_dict()}
            for lead in self.leads
        ]
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"leads": leads, "best": self.best}

    def to_table(self) -> Table:
        """A row for each method: its lead over the best of the others with the interval, and whether it may be best."""
        write = formats.significant(4)
        columns = (
            *(Column(title, align="left") for title in ("method", "against")),
            *(Column(title, write) for title in ("lead", "low", "high")),
            Column("p", formats.p_value),
            Column("best", align="left"),
        )
        words = {"winner": "winner", "in": "may be", "out": "no"}
        rows = tuple(
            (x.method, x.rival, x.interval.estimate, x.interval.low, x.interval.high, x.p_value, words[x.standing])
            for x in self.leads
        )
        ends = f"low and high: lead over the best of the others; all hold together at {100 * self.level:g} %"
        circle = f"{listed(self.circle)} beat each other in a circle: there is no best" if self.circle else ""
        closed = "high = 0 of a method that is out: it is not better, by how much is not shown"
        notes = (ends, circle, closed if any(lead.closed for lead in self.leads) else "")
        return Table(columns, rows, caption="comparisons with the best", notes=tuple(filter(None, notes)))


@procedure(
    question=POST_HOC,
    null=NULL,
    assumes=COMPARABLE,
    references=(HSU_1984, EDWARDS_HSU_1983, STEFANSSON_KIM_HSU_1988, GUTMANN_MAYMIN_1987, ROMANO_WOLF_2005),
)
def comparisons_with_the_best(
    table: npt.ArrayLike,
    *,
    higher_is_better: bool = True,
    estimand: Estimand = "typical",
    names: Sequence[str] | None = None,
    level: float = 0.95,
    draws: int = DRAWS,
    seed: int = 0,
) -> WithTheBest:
    r"""Which method is best over data sets (rows), which may be best, and how far each may be from the best.

    Null hypothesis for each method: no other one is better.

    For each method i this is about its lead over the best of the others, :math:`\min_j \theta_{ij}`, where
    :math:`\theta_{ij}` is the typical lead of i over j, the pseudo-median of their differences. :math:`T_{ij}` is their
    signed-rank sum, and :math:`z_{ij}` the largest one at which Wilcoxon's two-sided test of the pair does not reject.

    - A method w with :math:`T_{wj} > z_{wj}` for all j is the winner, as in :func:`sole_winner`; all others are out.
    - Otherwise i is out if :math:`\max_j T_{ji} > c_i`. The rest may be best. If one method is left that does not
      itself beat all, those that it does not beat come back. If none is left, methods beat each other in a circle, and
      there is no best.

    The critical values come from joint flips of the signs of rows, as in :func:`joint_intervals`, with sums
    :math:`T^*` of the residuals: :math:`c_i \geq z` is the smallest value such that at most 1 − level of the flips have
    :math:`\max_j T^*_{ji} > c_i` or a winner; :math:`d_i \geq z` that for :math:`\max_j |T^*_{ij}| > d_i`, or i beating
    its strongest rival. :math:`L_{ij}(c)` and :math:`U_{ij}(c)` are the smallest and largest shift whose sum does not
    exceed c. S being the winner or those that may be best, the ends are

    .. math:: \Big[\min_j L_{wj}(z_{wj}),\ \min_j U_{wj}(d_w)\Big],\quad
              \Big[-\!\!\max_{b \in S \setminus i} U_{bi}(d_b),\ \min_j U_{ij}(d_i)\Big],\quad
              \Big[-\max_{b \in S} U_{bi}(d_b),\ \min\big(0, \max_{b \in S} -L_{bi}(d_b)\big)\Big]

    for the winner, for those in S, and for those out; beside a winner, who is ahead by at least :math:`L`, the upper
    ends of all others are at most :math:`-L`. All hold together with the given level, and a given best method
    is out in at most 1 − level of the cases. Of several methods that are equally good, any one may be out more often.
    An upper end of 0 of a method that is out is closed: it is not better, by how much is not shown. The estimate is
    the typical lead over the leader: the winner, or the one of S with the largest smallest lead. The p-value is the
    smallest level at which a method is out.

    All :math:`2^N` flips are counted up to 13 data sets. Beyond there are ``draws`` random ones, ten times as many
    where a decision is close. With more than 1,000 data sets the flipped sums are drawn from their normal limit, whose
    covariances are the products of the residuals' signed ranks. Equal scores are ranked and have no sign, ties share
    their ranks. All scores equal: all may be best, with [0, 0]. With too few data sets ends are infinite: where
    :math:`d` does not exist :math:`c` takes its place. Of two methods all is :func:`wilcoxon` with ``zeros="pratt"``.

    With ``estimand="mean"`` leads are those of means, each pair's own test is :func:`paired_t`, sums are divided by
    the root of their sum of squares, and ends are those t-intervals whose critical value comes from the flips. A lead
    that is the same on all data sets has no t: its p-value is that of all flips of its sign, :math:`2^{1-N}`.

    References: Hsu (1984), doi:10.1214/aos/1176346732; Edwards & Hsu (1983), doi:10.1080/01621459.1983.10477047;
    Stefansson, Kim & Hsu (1988), Statistical Decision Theory and Related Topics IV 2:89-104; Gutmann & Maymin (1987),
    Annals of Statistics 15:456-461; Romano & Wolf (2005), doi:10.1198/016214504000000539.

    >>> scores = [[9, 8, 1], [8, 6, 2], [7, 8, 3], [9, 8, 1], [8, 7, 5], [9, 9, 8], [7, 8, 4], [9, 8, 2], [8, 6, 3]]
    >>> print(comparisons_with_the_best(scores, names=["A", "B", "C"]))
    comparisons with the best
    method  against    lead      low    high      p  best
    A       B         1.000  −0.5000   2.000  1.000  may be
    B       A        −1.000   −2.000  0.5000  0.188  may be
    C       A        −5.000   −8.000  −2.000  0.004  no
    low and high: lead over the best of the others; all hold together at 95 %
    """
    check_level(level)
    if not is_one_of(estimand, ESTIMANDS):
        raise InputError(f"estimand must be {listed(map(repr, ESTIMANDS), last='or')}, got {estimand!r}")
    random_draws(draws, seed)
    scores = score_table(table, names)
    columns = np.ascontiguousarray(scores.scores.T if higher_is_better else -scores.scores.T)
    leads: Evidence = MeanLeads.of(columns) if estimand == "mean" else TypicalLeads.of(columns)
    found = _decide(leads, columns.mean(axis=1), 1 - level, draws, seed)
    lows, highs, closed = found.ends(level)
    k, best = scores.k, found.leader
    next_best = int(np.where(np.arange(k) == best, np.inf, leads.estimates[best]).argmin())
    quantity = "mean difference" if estimand == "mean" else "pseudo-median difference"
    method = f"{'flipped t' if estimand == 'mean' else 'Hodges-Lehmann'}, comparisons with the best"
    few = ("too few data sets for a bounded interval at this level",)
    rows = []
    for i in range(k):
        rival = next_best if i == best else best
        low, high = lows[i], highs[i]
        notes = () if math.isfinite(low) and math.isfinite(high) else few
        interval = Interval(quantity, float(leads.estimates[i, rival]), low, high, level, method, notes)
        standing: Standing = "winner" if i == found.winner else "in" if found.inside[i] or found.circle else "out"
        rows.append(Lead(scores.names[i], scores.names[rival], interval, float(found.p[i]), standing, bool(closed[i])))
    return WithTheBest(
        names=scores.names,
        leads=tuple(rows),
        leader=scores.names[best],
        winner=None if found.winner is None else scores.names[found.winner],
        circle=tuple(scores.names[i] for i in found.circle),
        level=level,
        estimand=estimand,
        exact=scores.n <= EXACT_ROWS,
        critical_values=tuple(found.single.tolist()),
    )


@dataclass(frozen=True, slots=True)
class _Flips:
    """For each flip (column): the largest lead of a rival over each method, and how clearly some method wins.

    ``either`` has the largest lead on either side, and is infinite where the method beats its strongest rival.
    """

    rival: FloatArray
    either: FloatArray
    strength: FloatArray
    exact: bool
    tolerance: float

    def critical(self, values: FloatArray, alpha: float) -> float:
        return Maxima(np.sort(values).astype(np.float64), self.exact, self.tolerance).critical(alpha)

    def p_values(self, leads: Evidence, alpha: float, floors: FloatArray) -> FloatArray:
        """For each method the smallest level at which it is out, and none below ``alpha`` where it is not out there.

        At a level the flips count whose lead is as large as the observed one, and those with a winner at that level.
        """
        levels = leads.own_p(self.strength)
        order = np.argsort(levels, kind="stable")
        extra = 0 if self.exact else 1
        found = np.ones(len(floors))
        for i, (lead, floor) in enumerate(zip(leads.statistics.max(axis=0), floors, strict=True)):
            reached = self.rival[i] >= lead - self.tolerance
            q = levels[order][~reached[order]]  # levels from which on one flip more has a winner
            share = (int(reached.sum()) + np.arange(len(q) + 1) + extra) / (len(reached) + extra)
            start = np.maximum(np.maximum(share, np.append(0.0, q)), floor)
            valid = start < np.append(q, np.inf)
            here = int(np.searchsorted(q, alpha))
            if valid[here] and start[here] < alpha:
                found[i] = start[: here + 1][valid[: here + 1]].min()
            elif valid[here:].any():
                found[i] = min(float(start[here:][valid[here:]].min()), 1.0)
        return found


@one_thread()
def _flip(leads: Evidence, alpha: float, draws: int, seed: int) -> _Flips:
    """Flip the signs of rows jointly."""
    k, border = len(leads.statistics), leads.border(alpha)
    spread = np.where(leads.residual_spread > 0, leads.residual_spread, 1).astype(leads.residuals.dtype)
    rival = np.arange(k), np.array([_strongest_rival(leads, i) for i in range(k)])
    low, high = np.minimum(*rival), np.maximum(*rival)
    own = low * (2 * k - low - 1) // 2 + high - low - 1  # the pair of each method with its strongest rival
    signs = np.where(rival[1] > rival[0], 1, -1).astype(spread.dtype)[:, None]
    beating = (border * spread[own].astype(np.float64)).astype(spread.dtype)[:, None]
    parts = []
    for weights, flips in _flips_of(leads.residuals, draws, seed):
        least, most, strength = _extremes(weights, flips, None if (spread == 1).all() else spread, k)
        beaten = signs * (weights[own] @ flips) > beating
        parts.append((-least, np.where(beaten, np.inf, np.maximum(-least, most)), strength))
    rivals, eithers, strengths = zip(*parts, strict=True)
    joined = (np.concatenate(rivals, axis=1), np.concatenate(eithers, axis=1), np.concatenate(strengths))
    return _Flips(*joined, exact=leads.residuals.shape[1] <= EXACT_ROWS, tolerance=leads.tolerance)


def _extremes(
    weights: FloatArray, flips: FloatArray, spread: FloatArray | None, k: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The smallest and the largest lead of each method (row) under each flip, and how clearly some method wins.

    The sums of a method's pairs with all later ones are made together, near the processor: for the first of a pair they
    are leads, for the second their negatives. Leads over others have each a ``spread``, which decides who wins.
    """
    shape = (k, flips.shape[1])
    least, most = np.full(shape, np.inf, dtype=weights.dtype), np.full(shape, -np.inf, dtype=weights.dtype)
    behind, ahead, scaled = least.copy(), most.copy(), (least, most) if spread is None else (least.copy(), most.copy())
    for first, last, pairs in _together(k):
        together, start = weights[pairs] @ flips, 0
        for i in range(first, last):
            sums = together[start : start + k - 1 - i]
            start += len(sums)
            least[i], most[i] = sums.min(axis=0), sums.max(axis=0)
            np.maximum(ahead[i + 1 :], sums, out=ahead[i + 1 :])
            np.minimum(behind[i + 1 :], sums, out=behind[i + 1 :])
            if spread is not None:
                sums /= spread[pairs][start - len(sums) : start, None]
                scaled[0][i] = sums.min(axis=0)
                np.maximum(scaled[1][i + 1 :], sums, out=scaled[1][i + 1 :])
    np.minimum(least, -ahead, out=least)
    np.maximum(most, -behind, out=most)
    wins = least if spread is None else np.minimum(scaled[0], -scaled[1])
    return least, most, np.asarray(wins.max(axis=0))


def _together(k: int) -> Iterator[tuple[int, int, slice]]:
    """The first and the last of methods whose pairs with later ones make one product, and the rows of these pairs."""
    first, begin, end = 0, 0, 0
    for i in range(k - 1):
        end += k - 1 - i
        if end - begin >= CACHED or i == k - 2:
            yield first, i + 1, slice(begin, end)
            first, begin = i + 1, end


def _strongest_rival(leads: Evidence, i: int) -> int:
    """The method over which i has the smallest lead, by the estimate and then by the statistic."""
    order = np.lexsort((leads.statistics[i], leads.estimates[i]))
    return int(order[order != i][0])


def _flips_of(residuals: FloatArray, draws: int, seed: int) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Pairs (rows) and blocks of flips (columns) whose products are the flipped sums."""
    pairs, n = residuals.shape
    if n > MANY_ROWS:
        wide = residuals.astype(np.float64)
        values, vectors = np.linalg.eigh(wide @ wide.T)
        root = vectors * np.sqrt(np.maximum(values, 0))
        generator = random_draws(draws, seed)
        for start in range(0, draws, CACHED):
            yield root, generator.normal(size=(pairs, min(CACHED, draws - start)))
        return
    for flips in sign_flips(n, pairs, seed=seed, draws=draws):
        for start in range(0, len(flips), CACHED):
            yield residuals, np.ascontiguousarray(flips[start : start + CACHED].T.astype(residuals.dtype))


@dataclass(frozen=True, slots=True)
class _Decision:
    """Who is the winner, who may be best (``inside``) and what decides the ends; all by number of column."""

    leads: Evidence
    winner: int | None
    inside: BoolArray
    circle: tuple[int, ...]
    leader: int
    p: FloatArray
    single: FloatArray
    both: FloatArray

    def ends(self, level: float) -> tuple[list[float], list[float], BoolArray]:
        """The lower and upper ends of all leads, and which upper ends are 0 by decision."""
        k = len(self.inside)
        bests = list(range(k)) if self.circle else np.flatnonzero(self.inside).tolist()
        lows, highs = np.full((k, k), np.nan), np.full((k, k), np.nan)
        for b in bests:
            others = np.arange(k) != b
            lows[b, others], highs[b, others] = self._over_others(b, level)
        low, high, closed = np.zeros(k), np.zeros(k), np.zeros(k, dtype=np.bool_)
        for i in range(k):
            others = [b for b in bests if b != i]
            if i == self.winner:
                low[i] = min(self.leads.own_ends(i, j, level)[0] for j in range(k) if j != i)
                high[i] = max(np.nanmin(highs[i]), low[i])
            elif i in bests:
                low[i], high[i] = min(0.0, -highs[others, i].max()), max(0.0, np.nanmin(highs[i]))
            else:
                high[i] = min(0.0, (-lows[others, i]).max())
                low[i] = min(-highs[others, i].max(), high[i])
                closed[i] = high[i] == 0
        if self.winner is not None:  # who is not the winner is behind by at least what it is ahead
            others = np.arange(k) != self.winner
            high[others] = np.minimum(high[others], -low[self.winner])
            low[others] = np.minimum(low[others], high[others])
            closed &= high == 0
        return (low + 0.0).tolist(), (high + 0.0).tolist(), closed

    def _over_others(self, b: int, level: float) -> tuple[npt.ArrayLike, npt.ArrayLike]:
        """The smallest and largest lead of b over each other, as joint intervals with b as the control have them."""
        if len(self.inside) == 2:
            return self.leads.own_ends(b, 1 - b, level)
        if self.both[b] < self.leads.most:
            return self.leads.ends(b, self.both[b])
        return -math.inf, self.leads.ends(b, self.single[b])[1]


def _decide(leads: Evidence, means: FloatArray, alpha: float, draws: int, seed: int) -> _Decision:
    """Decide who is the winner, who may be best and who is out."""
    k = len(means)
    alone, single, both = _criticals(leads, alpha, draws, seed)
    winners, insides = _standing(_beats(leads, alpha)[None], (alone < alpha)[None])
    winner, inside = (int(winners[0]) if winners[0] >= 0 else None), insides[0]
    p = alone.copy()
    ahead = np.flatnonzero(((leads.statistics > 0) | np.eye(k, dtype=np.bool_)).all(axis=1)).tolist()
    for m in ahead:  # one at most: at the level of its largest p-value it is the winner, and all others are out
        largest = float(np.delete(leads.p[m], m).max())
        p = np.minimum(p, largest)
        p[m] = alone[m] if winner is None else largest
    back = np.flatnonzero(inside & (alone < alpha)).tolist() if winner is None else []
    left = int((inside & (alone >= alpha)).argmax())
    for i in back:  # it stays until the one left beats it
        p[i] = max(alone[i], leads.p[left, i]) if leads.statistics[left, i] > 0 else 1.0
    smallest = np.where(np.eye(k, dtype=np.bool_), np.inf, leads.estimates).min(axis=1)
    keys = (smallest, means) if isinstance(leads, TypicalLeads) else (means, smallest)
    some = bool(inside.any())
    leader = max(np.flatnonzero(inside if some else ~inside).tolist(), key=lambda i: (keys[0][i], keys[1][i]))
    circle = () if some else _circle((leads.statistics > single) & (alone < alpha))
    return _Decision(leads, winner, inside, circle, leader if winner is None else winner, p, single, both)


def _criticals(leads: Evidence, alpha: float, draws: int, seed: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """For each method the level at which the flips put it out, and its critical values, one-sided and two-sided."""
    k = len(leads.statistics)
    if k == 2:  # the pair's own test decides
        return np.ones(k), np.full(k, np.inf), np.full(k, np.inf)
    spread = leads.spread.max(axis=1)
    spread[spread == 0] = 1.0  # equal to all others
    rival = leads.statistics.argmax(axis=0)
    floors = np.maximum(leads.own_p(leads.statistics.max(axis=0) / spread), leads.p[np.arange(k), rival])
    flips = _flip(leads, alpha, draws, seed)
    alone = flips.p_values(leads, alpha, floors)
    near = bool(np.any(np.abs(alone - alpha) < NEAR * math.sqrt(alpha * (1 - alpha) / (draws + 1))))
    if near and not flips.exact and draws < MORE_DRAWS and not _beats(leads, alpha).all(axis=1).any():
        flips = _flip(leads, alpha, MORE_DRAWS, seed)
        alone = flips.p_values(leads, alpha, floors)
    border = leads.border(alpha)
    single = [flips.critical(np.where(flips.strength > border, np.inf, values), alpha) for values in flips.rival]
    both = [flips.critical(values, alpha) for values in flips.either]
    return alone, np.maximum(single, border * spread), np.maximum(both, border * spread)


def _beats(leads: Evidence, alpha: float) -> BoolArray:
    """Whether the pair's own test finds each method (row) better than each other one, and itself."""
    return np.asarray(((leads.p < alpha) & (leads.statistics > 0)) | np.eye(len(leads.p), dtype=np.bool_))


def _standing(beats: BoolArray, out: BoolArray) -> tuple[IntArray, BoolArray]:
    """For each table (first axis) the winner, or −1, and who may be best; each method beats itself."""
    won = np.asarray(beats.all(axis=2))
    has = np.asarray(won.any(axis=1))
    inside = np.where(has[:, None], won, ~out)
    for row in np.flatnonzero((inside.sum(axis=1) == 1) & ~has).tolist():
        inside[row] |= ~beats[row, int(inside[row].argmax())]
    return np.where(has, won.argmax(axis=1), -1), inside


def _circle(beaten_by: BoolArray) -> tuple[int, ...]:
    """The methods that only those beat, directly or through others, whom they beat so themselves.

    ``beaten_by[j, i]``: j beats i.
    """
    reach = beaten_by.copy()
    for middle in range(len(reach)):
        reach |= reach[:, [middle]] & reach[[middle], :]
    return tuple(np.flatnonzero((~reach | reach.T).all(axis=0)).tolist())


@dataclass(frozen=True, slots=True)
class WithoutRow:
    """Who is the winner, if anyone, and which methods may be best, when one data set is left out."""

    winner: str | None
    best: tuple[str, ...]


def best_without_each_row(
    table: npt.ArrayLike, found: WithTheBest, *, higher_is_better: bool = True
) -> tuple[WithoutRow, ...]:
    """The winner and the methods that may be best without the first data set (row), without the second, and so on.

    ``found`` is the result of all data sets. Up to 14 data sets it is found again without each. With more, the critical
    values hardly depend on which one is left out: they are taken from all of them, in standard deviations (of means: as
    t), while the statistics are those without the row. The winner is the one that the tests of the rest find.
    """
    scores = score_table(table, found.names)
    n, k = scores.scores.shape
    if n == 2:
        return (WithoutRow(None, found.names),) * 2  # one data set decides nothing
    if n - 1 <= EXACT_ROWS:
        again = (
            comparisons_with_the_best(
                np.delete(scores.scores, row, axis=0),
                higher_is_better=higher_is_better,
                estimand=found.estimand,
                names=found.names,
                level=found.level,
            )
            for row in range(n)
        )
        return tuple(WithoutRow(one.winner, one.best) for one in again)
    pairs = pair_differences(scores.scores.T if higher_is_better else -scores.scores.T)
    alpha, mean = 1 - found.level, found.estimand == "mean"
    statistics = matrices_without_each(pairs, standardised_sums if mean else sums_without_each)
    beats = statistics > (mean_border if mean else rank_border)(n - 1, alpha)
    beats[:, np.arange(k), np.arange(k)] = True
    if not mean:  # ties and zeros have borders of their own, so that the tests themselves decide who is the winner
        winners = winners_of_pairs(pairs, statistics, found.level)
        is_winner = np.array([[w == i for i in range(k)] for w in winners])
        beats |= is_winner[:, :, None]
        beats &= ~beats.all(axis=2, keepdims=True) | is_winner[:, :, None] | np.eye(k, dtype=np.bool_)
    criticals = np.array([critical_without_one(c, n, found.estimand) for c in found.critical_values])
    won, inside = _standing(beats, statistics.max(axis=1) > criticals + SAME)
    return tuple(
        WithoutRow(None if w < 0 else found.names[w], tuple(found.names[i] for i in np.flatnonzero(row)))
        for w, row in zip(won.tolist(), inside, strict=True)
    )
