"""Wins, losses and ties of every pair of methods over data sets: the counts, and a chart of them."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import Question
from fairtrial.errors import InputError, UnknownName
from fairtrial.stats.comparisons import all_pairs
from fairtrial.stats.score_arrays import differences
from fairtrial.stats.two_methods.paired_t import corrected_t_signs
from fairtrial.tables import Column, Table
from fairtrial.verdict.absent_methods import failed_note
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import plural

Wins = Literal["by mean", "significant"]
WINS: tuple[Wins, ...] = ("by mean", "significant")
ORDER = "wins–losses–ties of the row against the column"


def pairs_chart(evidence: Evidence, question: Question, wins: Wins = "by mean") -> Table:
    """Each method against each other: on how many data sets it wins, loses and ties (Dietterich 2000, table 3).

    A win ``by mean`` is a better mean on the data set, by more than the question's smallest difference if it has one. A
    ``significant`` win is one by the corrected resampled t-test on the data set, without adjustment. Many authors count
    in this way, although it counts differences that were merely not significant as ties (Demšar 2006).
    """
    counts = win_counts(evidence, question, wins)
    methods, k = evidence.methods, len(evidence.methods)
    rows = [
        (methods[i], *(in_numbers(counts[i, j]) for j in range(i)), *[""] * (k - 1 - i)) for i in range(k - 1, 0, -1)
    ]
    words = Wording(evidence.measure)
    caption = f"{words.name}: {ORDER} over {plural(len(evidence.datasets), 'data set')}"
    columns = (Column("method", align="left"), *(Column(name) for name in methods[:-1]))
    notes = (win_rule(evidence, question, wins), *failed_note(evidence))
    return Table(columns=columns, rows=tuple(rows), caption=caption, notes=notes)


def win_counts(evidence: Evidence, question: Question, wins: Wins = "by mean") -> NDArray[np.int64]:
    """The numbers of wins, losses and ties (last axis) of each method (row) against each other (column).

    Data sets on which one of the two did not run are not counted.
    """
    if wins not in WINS:
        raise UnknownName.among("way to count wins", wins, WINS)
    k = len(evidence.methods)
    counts = np.zeros((k, k, 3), dtype=np.int64)
    signs = significant_signs(evidence, question.level) if wins == "significant" else None
    means, ran = evidence.means, which_ran(evidence)
    for i, j in all_pairs(k):
        both = ran[:, i] & ran[:, j]
        found = signs[both, i, j] if signs is not None else _signs(evidence, question, means[both, i], means[both, j])
        counts[i, j] = (found > 0).sum(), (found < 0).sum(), (found == 0).sum()
        counts[j, i] = counts[i, j][[1, 0, 2]]
    return counts


def significant_signs(evidence: Evidence, level: float) -> NDArray[np.int64]:
    """The significant differences on each data set (first axis): +1 where the method in the row is better, −1 worse.

    The test is the corrected resampled t-test, each by itself; it needs several scores from splits of a known scheme.
    A method that did not run on a data set has no difference there.
    """
    k = len(evidence.methods)
    found = []
    for name, folds, known in zip(evidence.datasets, evidence.folds, evidence.dependence, strict=True):
        if len(folds) < 2 or not known.known:
            raise InputError(
                f"a test on each data set needs several scores from splits of a known scheme, but {name} has "
                f"{plural(len(folds), 'score')} for each method, scheme {known.scheme!r}; {known.lacking}, or count "
                "wins by the means"
            )
        share, overlap = known.test_share, known.overlap
        found.append(corrected_t_signs(folds[:, :k], test_share=share, overlap=overlap, level=level))
    ran = which_ran(evidence)
    return np.where(ran[:, :, None] & ran[:, None, :], np.stack(found) * int(evidence.sign), 0)


def win_rule(evidence: Evidence, question: Question, wins: Wins = "by mean") -> str:
    """What counts as a win, in words."""
    if wins == "significant":
        return f"a win is significant on its data set: corrected resampled t at {1 - question.level:.3g}, unadjusted"
    delta = question.delta
    size = "" if delta is None else f" by {Wording(evidence.measure).delta(delta)} or more"
    return f"a win is a better mean on the data set{size}; no test is made"


def in_numbers(counts: NDArray[np.int64]) -> str:
    """Wins, losses and ties as a cell of a table."""
    return "–".join(map(str, counts.tolist()))


def which_ran(evidence: Evidence) -> NDArray[np.bool_]:
    """Whether each method (column) ran on each data set (row)."""
    return np.array([[not evidence.gone(i, name) for name in evidence.methods] for i in range(len(evidence.datasets))])


def _signs(
    evidence: Evidence, question: Question, a: NDArray[np.float64], b: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The sign of the first means against the second ones, a mean for each data set: +1 better, 0 or −1."""
    if not len(a):
        return np.zeros(0)
    better: NDArray[np.float64] = evidence.sign * np.sign(differences(a, b).whole)
    delta = question.delta
    if delta is None:
        return better
    scale = (np.abs(a) + np.abs(b)) / 2 if evidence.measure.compare == "log-ratio" else 1.0
    return np.where(np.abs(a - b) >= delta * scale, better, 0.0)
