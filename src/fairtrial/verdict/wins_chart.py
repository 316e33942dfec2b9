"""Wins, losses and ties of every pair of methods over data sets, as one chart."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.design import Question
from fairtrial.errors import UnknownName
from fairtrial.stats.score_arrays import differences
from fairtrial.tables import Column, Table
from fairtrial.verdict.absent_methods import failed_note
from fairtrial.verdict.control_table import marks_against
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.wording import Wording
from fairtrial.words import plural

__all__ = ["WINS", "Wins", "pairs_chart"]

Wins = Literal["by mean", "significant"]
WINS: tuple[Wins, ...] = ("by mean", "significant")


def pairs_chart(evidence: Evidence, question: Question, wins: Wins = "by mean") -> Table:
    """Each method against each other: on how many data sets it wins, loses and ties (Dietterich 2000, table 3).

    A win ``by mean`` is a better mean on the data set, by more than the question's smallest difference if it has one. A
    ``significant`` win is one by the corrected resampled t-test on the data set, without adjustment. Many authors count
    in this way, although it counts differences that were merely not significant as ties (Demšar 2006).
    """
    if wins not in WINS:
        raise UnknownName.among("way to count wins", wins, WINS)
    methods, k = evidence.methods, len(evidence.methods)
    rows = []
    for first in range(k - 1, 0, -1):
        cells = [_cell(_signs(evidence, question, first, second, wins)) for second in range(first)]
        rows.append((methods[first], *cells, *[""] * (k - 1 - first)))
    words = Wording(evidence.measure)
    caption = f"{words.name}: wins–losses–ties of the row against the column over {_over(evidence)}"
    columns = (Column("method", align="left"), *(Column(name) for name in methods[:-1]))
    notes = (_rule(evidence, question, wins), *failed_note(evidence))
    return Table(columns=columns, rows=tuple(rows), caption=caption, notes=notes)


def _over(evidence: Evidence) -> str:
    return plural(len(evidence.datasets), "data set")


def _rule(evidence: Evidence, question: Question, wins: Wins) -> str:
    if wins == "significant":
        return f"a win is significant on its data set: corrected resampled t at {1 - question.level:.3g}, unadjusted"
    delta = question.delta
    size = "" if delta is None else f" by {Wording(evidence.measure).delta(delta)} or more"
    return f"a win is a better mean on the data set{size}; no test is made"


def _signs(
    evidence: Evidence, question: Question, first: int, second: int, wins: Wins
) -> NDArray[np.float64] | NDArray[np.intp]:
    """The sign of the first against the second on each data set on which both ran: +1, 0 or −1."""
    names = evidence.methods[first], evidence.methods[second]
    both = [i for i in range(len(evidence.datasets)) if not any(evidence.gone(i, name) for name in names)]
    if wins == "significant":
        return np.array([_mark(evidence.on(i), *names, question) for i in both])
    a, b = evidence.means[both, first], evidence.means[both, second]
    better: NDArray[np.float64] = evidence.sign * np.sign(differences(a, b).whole)
    delta = question.delta
    if delta is None:
        return better
    scale = (np.abs(a) + np.abs(b)) / 2 if evidence.measure.compare == "log-ratio" else 1.0
    return np.where(np.abs(a - b) >= delta * scale, better, 0.0)


def _mark(one: Evidence, first: str, second: str, question: Question) -> int:
    return marks_against(one, one.methods.index(second), [one.methods.index(first)], question)[0]


def _cell(signs: NDArray[np.float64] | NDArray[np.intp]) -> str:
    return f"{(signs > 0).sum()}–{(signs < 0).sum()}–{(signs == 0).sum()}"
