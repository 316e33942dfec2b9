"""Strengths of many methods on one scale: Plackett-Luce's model from rankings, Bradley-Terry's from wins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.arguments import number
from fairtrial.stats.bibliography import BRADLEY_TERRY_1952, HUNTER_2004, LUCE_1959, PLACKETT_1975
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import BAYES, procedure
from fairtrial.stats.score_arrays import FloatArray, ScoreTable, method_names, numbers, score_table
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.words import listed, verb

RANKINGS = "independent rankings; the odds of two methods do not depend on the others"
COMPARISONS = "independent comparisons; one strength for each method"
MOST_TIED = 12  # tied methods: 2¹² choices for one tie
MOST_ITERATIONS = 100_000  # MM steps
MOST_PSEUDO = 1e9  # larger values of pseudo would leave no weight to the data


@dataclass(frozen=True, slots=True)
class Strengths(Shown):
    """Strengths of methods: the first of two wins with the probability of its strength over the sum of both strengths.

    ``worth`` holds the strengths, which sum to 1: each is the probability of being the best of all. ``intervals`` are
    those of the log strengths relative to the average, which is 0.

    >>> found = bradley_terry([[0, 8], [2, 0]], names=["forest", "bayes"])
    >>> found.worth, found.probability("forest", "bayes").estimate
    ((0.8, 0.2), 0.8)
    """

    test: str
    names: tuple[str, ...]
    worth: tuple[float, ...]
    intervals: tuple[Interval, ...]
    covariance: tuple[tuple[float, ...], ...]  # of log strengths against the average
    n: int
    notes: tuple[str, ...] = ()

    def probability(self, first: str, second: str) -> Interval:
        """The probability that the first method does better than the second, with an interval from the log odds."""
        i, j = (self._position(name) for name in (first, second))
        from scipy.special import expit, ndtri

        c = self.covariance
        odds = math.log(self.worth[i] / self.worth[j])
        level = self.intervals[i].level
        reach = float(ndtri((1 + level) / 2)) * math.sqrt(max(c[i][i] + c[j][j] - 2 * c[i][j], 0.0))
        low, middle, high = (float(expit(odds + sign * reach)) for sign in (-1, 0, 1))
        return Interval(f"probability that {first} beats {second}", middle, low, high, level, "Wald, on log odds")

    def _position(self, name: str) -> int:
        if name not in self.names:
            raise UnknownName.among("method", name, self.names)
        return self.names.index(name)

    def __str__(self) -> str:
        best = max(range(len(self.names)), key=lambda i: self.worth[i])
        share = formats.percent(self.worth[best])
        head = f"{self.names[best]} is the strongest: best of these {len(self.names)} with probability {share}"
        return "\n".join((head, self.to_table().to_text()))

    def to_dict(self) -> dict[str, Any]:
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        values["intervals"] = [interval.to_dict() for interval in self.intervals]
        return values

    def to_table(self) -> Table:
        write = formats.significant(4)
        columns = (
            Column("method", align="left"),
            Column("strength", write),
            Column("log strength", write),
            Column("low", write),
            Column("high", write),
        )
        order = sorted(range(len(self.names)), key=lambda i: -self.worth[i])
        each = ((self.names[i], self.worth[i], self.intervals[i]) for i in order)
        rows = tuple((name, worth, i.estimate, i.low, i.high) for name, worth, i in each)
        level = f"{100 * self.intervals[0].level:g} %"
        caption = f"{self.test}, n = {self.n}; log strength against the average, {level} intervals"
        return Table(columns=columns, rows=rows, caption=caption, notes=self.notes)


@procedure(question=BAYES, assumes=RANKINGS, references=(HUNTER_2004, LUCE_1959, PLACKETT_1975))
def plackett_luce(
    table: npt.ArrayLike,
    *,
    higher_is_better: bool = True,
    names: Sequence[str] | None = None,
    pseudo: float = 0.0,
    level: float = 0.95,
) -> Strengths:
    r"""Plackett-Luce strengths of several methods (columns), from their rankings on data sets (rows).

    A ranking is a series of choices: first the best of all methods, then the best of the others, and so on. Among the
    methods that are left (:math:`S`), method i is chosen with probability

    .. math:: P(i \mid S) = \frac{w_i}{\sum_{j \in S} w_j}.

    The strengths w maximise the likelihood; Hunter's MM algorithm finds them. Only ranks count, not the size of
    differences. The model assumes that the odds of two methods do not depend on which other methods take part (Luce's
    axiom); average ranks do depend on them. For ties, all orders of the tied methods count equally. Scores are rounded
    before they are ranked (docs/statistics.md, "Rounding before ranking"); more than 12 tied methods are refused.

    The intervals of the log strengths are Wald's, from the observed information, with data sets as independent. If
    the methods form two groups such that all of one rank above all of the other on every data set, the strengths are
    infinitely far apart, and the error names the groups. ``pseudo=0.5`` adds half a win and half a loss of each method
    against an imaginary average method, which acts as a prior and always gives an answer.

    References: Luce (1959), Individual Choice Behavior; Plackett (1975), Applied Statistics 24:193-202,
    doi:10.2307/2346567; Hunter (2004), Annals of Statistics 32:384-406, doi:10.1214/aos/1079120141.

    >>> table = [[0.9, 0.8, 0.7], [0.8, 0.9, 0.6], [0.7, 0.6, 0.5], [0.5, 0.6, 0.7]]
    >>> found = plackett_luce(table, names=["forest", "svm", "bayes"])
    >>> found.worth
    (0.4295, 0.4637, 0.1067)
    """
    check_level(level)
    scores = score_table(table, names)
    wins, sets, weights = _choices(scores, higher_is_better=higher_is_better)
    beats = _beats(scores, higher_is_better=higher_is_better)
    _check_pseudo(pseudo)
    if not pseudo:
        _check_connected(beats, scores.names)
    return _fit("Plackett-Luce", wins, sets, weights, scores.names, scores.n, pseudo, level)


@procedure(question=BAYES, assumes=COMPARISONS, references=(BRADLEY_TERRY_1952, HUNTER_2004))
def bradley_terry(
    wins: npt.ArrayLike, *, names: Sequence[str] | None = None, pseudo: float = 0.0, level: float = 0.95
) -> Strengths:
    r"""Bradley-Terry strengths of several methods, from a table of wins.

    ``wins[i][j]`` is the number of times that method i did better than method j, ties counting half for each (the
    diagonal is 0). Method i wins against method j with probability

    .. math:: P(i \text{ beats } j) = \frac{w_i}{w_i + w_j}.

    The strengths maximise the likelihood; Hunter's MM algorithm finds them. The intervals are Wald's on the log scale,
    and take all comparisons as independent. The pairs of one ranking are not independent: for methods on the same data
    sets use :func:`plackett_luce`. For two methods the strengths are the shares of wins.

    If some methods never lost against the others, or were never compared with them, the strengths don't exist, and the
    error names the groups; ``pseudo`` is as in :func:`plackett_luce`.

    References: Bradley & Terry (1952), Biometrika 39:324-345, doi:10.2307/2334029; Hunter (2004), Annals of
    Statistics 32:384-406, doi:10.1214/aos/1079120141.

    >>> found = bradley_terry([[0, 7, 9], [3, 0, 6], [1, 4, 0]], names=["forest", "svm", "bayes"])
    >>> found.worth
    (0.6625, 0.2197, 0.1178)
    """
    check_level(level)
    _check_pseudo(pseudo)
    counts = numbers(wins, "wins")
    k = len(counts) if counts.ndim else 0
    square = k > 1 and counts.shape == (k, k)
    if not square or not np.isfinite(counts).all() or (counts < 0).any() or counts.diagonal().any():
        raise InputError(
            "wins must be a square table of counts of at least 0, with zeros on the diagonal, "
            f"got an array of shape {counts.shape}"
        )
    labels = method_names(names, getattr(wins, "columns", range(k)))
    if not pseudo:
        _check_connected(counts, labels)
    pairs = list(combinations(range(k), 2))
    sets = np.zeros((len(pairs), k))
    for row, pair in zip(sets, pairs, strict=True):
        row[list(pair)] = 1
    weights = np.array([counts[i, j] + counts[j, i] for i, j in pairs])
    n = round(float(counts.sum()))
    return _fit("Bradley-Terry", counts.sum(axis=1), sets, weights, labels, n, pseudo, level)


def _check_pseudo(pseudo: float) -> None:
    if not 0 <= number(pseudo) <= MOST_PSEUDO:
        raise InputError(f"pseudo must be a number from 0 to {MOST_PSEUDO:g} (0.5 is usual), got {pseudo!r}")


def _choices(scores: ScoreTable, *, higher_is_better: bool) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The number of times that each method is chosen, the sets from which a choice is made, and their frequencies.

    Of g tied methods each subset of size m is equally likely to be left: its frequency is 1 / C(g, m).
    """
    chosen, found = np.zeros(scores.k), dict[frozenset[int], float]()
    for ranks in scores.doubled_ranks(higher_is_better=higher_is_better):
        worse = frozenset(range(scores.k))
        for rank in sorted(set(ranks.tolist())):
            tied = np.flatnonzero(ranks == rank).tolist()
            if len(tied) > MOST_TIED:
                raise InputError(
                    f"table must have at most {MOST_TIED} tied methods on a data set, got {len(tied)}; "
                    "leave some of them out"
                )
            worse -= frozenset(tied)
            for size in range(1, len(tied) + 1):
                for left in combinations(tied, size):
                    choice = worse | frozenset(left)
                    if len(choice) > 1:
                        found[choice] = found.get(choice, 0.0) + 1 / math.comb(len(tied), size)
                        chosen[list(left)] += 1 / math.comb(len(tied), size) / size
    sets = np.array([[float(i in choice) for i in range(scores.k)] for choice in found])
    return chosen, sets, np.array(list(found.values()))


def _beats(scores: ScoreTable, *, higher_is_better: bool) -> FloatArray:
    """The number of data sets on which each method does at least as well as each other method."""
    ranks = scores.doubled_ranks(higher_is_better=higher_is_better)
    return np.asarray((ranks[:, :, None] <= ranks[:, None, :]).sum(axis=0) * (1.0 - np.eye(scores.k)))


def _check_connected(beats: FloatArray, names: tuple[str, ...]) -> None:
    """Check Ford's condition, under which strengths exist: a chain of wins leads from each method to every other."""
    k = len(names)
    reached = (beats > 0) | np.eye(k, dtype=bool)
    for middle in range(k):
        reached |= reached[:, middle : middle + 1] & reached[middle]
    if reached.all():
        return
    start = int(np.argmin(reached.sum(axis=1)))
    inside, outside = np.flatnonzero(reached[start]), np.flatnonzero(~reached[start])
    below, above = (listed(names[i] for i in group) for group in (inside, outside))
    if not beats[np.ix_(outside, inside)].any():
        raise InputError(
            f"the strengths do not exist, since {below} {verb(len(inside), 'was', 'were')} never compared with {above};"
            " fit each group by itself, or give pseudo=0.5"
        )
    raise InputError(
        f"the strengths do not exist, since {below} never did as well as {above} and would be infinitely weaker; "
        "give pseudo=0.5, or leave out one of the groups"
    )


def _fit(
    test: str,
    wins: FloatArray,
    sets: FloatArray,
    weights: FloatArray,
    names: tuple[str, ...],
    n: int,
    pseudo: float,
    level: float,
) -> Strengths:
    """Maximum likelihood strengths with Wald intervals, from choices out of sets."""
    from scipy.special import ndtri

    k = len(wins)
    if pseudo:  # the last row and column are an imaginary method that is compared with each of the others
        meetings = np.hstack([np.eye(k), np.ones((k, 1))])
        sets = np.vstack([np.hstack([sets, np.zeros((len(sets), 1))]), meetings])
        weights = np.concatenate([weights, np.full(k, 2 * pseudo)])
        wins = np.append(wins + pseudo, k * pseudo)
    log_worth = np.log(_maximise(wins, sets, weights))
    covariance = _covariance(log_worth, sets, weights, k)
    log_worth = log_worth[:k] - log_worth[:k].mean()
    reach = float(ndtri((1 + level) / 2)) * np.sqrt(covariance.diagonal())
    worth = np.exp(log_worth - log_worth.max())
    worth /= worth.sum()
    intervals = tuple(
        Interval(f"log strength of {name}", float(v), float(v - r), float(v + r), level, "Wald")
        for name, v, r in zip(names, log_worth, reach, strict=True)
    )
    note = f"{pseudo:g} wins and {pseudo:g} losses against an imaginary average method were added for each method"
    notes = (note,) if pseudo else ()
    rows = tuple(tuple(row) for row in covariance.tolist())
    return Strengths(test, names, tuple(worth.tolist()), intervals, rows, n, notes)


def _maximise(wins: FloatArray, sets: FloatArray, weights: FloatArray) -> FloatArray:
    """Maximum likelihood strengths: Hunter's MM steps until they hardly change, then Newton's for the last digits."""
    worth = np.ones(len(wins))
    for _ in range(MOST_ITERATIONS):
        new = wins / ((weights / (sets @ worth)) @ sets)
        new /= np.exp(np.log(new).mean())
        done = np.abs(np.log(new / worth)).max() < 1e-6
        worth = new
        if done:
            break
    log_worth = np.log(worth)
    for _ in range(20):
        shares = _shares(log_worth, sets)
        step = np.linalg.pinv(_information(shares, weights)) @ (wins - weights @ shares)
        log_worth = log_worth + step
        if np.abs(step).max() < 1e-13:
            break
    return np.asarray(np.exp(log_worth - log_worth.mean()))


def _shares(log_worth: FloatArray, sets: FloatArray) -> FloatArray:
    """The probability that each method is chosen from each set."""
    worth = sets * np.exp(log_worth - log_worth.max())
    return np.asarray(worth / worth.sum(axis=1, keepdims=True))


def _information(shares: FloatArray, weights: FloatArray) -> FloatArray:
    """The observed information of the log strengths."""
    return np.asarray(np.diag(weights @ shares) - (shares * weights[:, None]).T @ shares)


def _covariance(log_worth: FloatArray, sets: FloatArray, weights: FloatArray, k: int) -> FloatArray:
    """The covariance of the first k log strengths relative to their average."""
    inverse = np.linalg.pinv(_information(_shares(log_worth, sets), weights))[:k, :k]
    centre = np.eye(k) - 1 / k
    return np.asarray(centre @ inverse @ centre)
