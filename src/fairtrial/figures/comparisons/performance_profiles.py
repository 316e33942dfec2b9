"""Performance profiles: on which share of the data sets a method is close to the best one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.comparisons.compared_pair import evidence_of
from fairtrial.figures.drawing.boxed_curves import Curve, CurvesData, curves_figure
from fairtrial.figures.drawing.inputs import FigureData, Rows, number_grid, some_names
from fairtrial.figures.result_views import View, figure_of
from fairtrial.stats.score_arrays import FloatArray
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results

BOX = (4.4, 3.2)
MOST = 12
"""The most methods that have a curve of their own."""

CLOSE = 1e-12
"""Scores that differ by less than this are equal: binary fractions break ties that exist on paper."""


@dataclass(frozen=True, slots=True)
class ProfilesData(FigureData):
    """All that the figure shows. ``behind`` has a row for each method: how far it is behind the best on each data set.

    ``ratio``: it is the factor between the two, 1 for the best; else the distance, 0 for the best. It is infinite where
    a method has no score.
    """

    methods: tuple[str, ...]
    datasets: tuple[str, ...]
    behind: Rows
    measure: str
    ratio: bool

    @property
    def title(self) -> str:
        """What the profiles are of: the measure and the number of data sets."""
        return f"{self.measure}, {plural(len(self.datasets), 'data set')}"

    @property
    def nearest(self) -> float:
        """The τ of the best method itself: the factor 1 or the distance 0."""
        return 1.0 if self.ratio else 0.0

    def share(self, method: str, within: float) -> float:
        """The share of data sets on which a method is within a factor, or a distance, of the best."""
        if method not in self.methods:
            raise UnknownName.among("method of this figure", method, self.methods)
        own = np.array(self.behind[self.methods.index(method)])
        return float((own <= within + CLOSE * max(within, 1.0)).mean())

    def to_table(self) -> Table:
        """The share of data sets on which each method is best, and how far behind it is on half and on all of them."""
        columns = (Column("method", align="left"), *(Column(t, formats.significant(3)) for t in self._heads()))
        rows = tuple((name, self.share(name, self.nearest), *self._reach(name)) for name in self.methods)
        note = "inf: no score on some of these data sets" if any(math.inf in row for row in self.behind) else ""
        return Table(columns, rows, caption=f"performance profiles: {self.title}", notes=tuple(filter(None, (note,))))

    def _heads(self) -> tuple[str, str, str]:
        unit = "factor" if self.ratio else "distance"
        return "share with the best score", f"{unit} on half", f"{unit} on all"

    def _reach(self, method: str) -> tuple[float, float]:
        own = sorted(self.behind[self.methods.index(method)])
        return own[(len(own) - 1) // 2], own[-1]


def profiles_data(
    datasets: Sequence[str],
    methods: Sequence[str],
    scores: npt.ArrayLike,
    *,
    measure: str,
    higher_is_better: bool,
    ratio: bool = False,
) -> ProfilesData:
    r"""The data of performance profiles; ``scores`` are data sets × methods, nan where a method failed.

    With the score :math:`t_{ds}` of method s on data set d, the profile of s is

    .. math:: \rho_s(\tau) = \frac1n \left|\{d : t_{ds} / \min_r t_{dr} \le \tau\}\right|,

    the share of data sets on which s is within a factor τ of the best. Without ``ratio`` it is a distance τ, for
    measures such as accuracy, whose ratios say little. A method without a score is never within any τ, also on data
    sets on which no method has one.

    Reference: Dolan & Moré (2002), Mathematical Programming 91:201-213, doi:10.1007/s101070100263.

    >>> times = [[1, 2], [9, 3], [4, 4]]
    >>> data = profiles_data("abc", ["A", "B"], times, measure="time", higher_is_better=False, ratio=True)
    >>> data.behind[0], data.share("A", 1), data.share("B", 2)   # A needs three times as long on b
    ((1.0, 3.0, 1.0), 0.6667, 1.0)
    """
    rows, columns = some_names("datasets", datasets), some_names("methods", methods)
    grid = np.array(number_grid("scores", scores, (len(rows), len(columns))), dtype=float)
    if ratio and (grid <= 0).any():
        raise InputError(f"scores must be above 0 for ratios, got {np.nanmin(grid)!r}; draw distances with ratio=False")
    behind = _behind(grid, higher_is_better=higher_is_better, ratio=ratio)
    return ProfilesData(columns, rows, tuple(map(tuple, behind.T.tolist())), measure, ratio)


def _behind(grid: FloatArray, *, higher_is_better: bool, ratio: bool) -> FloatArray:
    """How far each score is behind the best in its row; infinite where there is none."""
    cost = np.log(grid) if ratio else grid
    cost = -cost if higher_is_better else cost
    known = np.where(np.isfinite(cost), cost, np.inf)
    best = known.min(axis=1, keepdims=True)
    distance = np.full(known.shape, np.inf)
    np.subtract(known, best, out=distance, where=np.isfinite(known))
    distance[np.isfinite(known) & (distance <= CLOSE * np.maximum(np.abs(best), 1.0))] = 0.0
    return np.exp(distance) if ratio else distance


@figure_of("profiles")
def profiles_view(results: Results, *, methods: Sequence[str] | None = None, measure: str | None = None) -> View:
    """Performance profiles of all methods, as a figure and as a table."""
    evidence, _ = evidence_of(results, measure, None)
    data = profiles_of(evidence, methods)
    return View(str(data.to_table()), profiles_figure(data), title=data.title)


def profiles_of(evidence: Evidence, methods: Sequence[str] | None = None) -> ProfilesData:
    """The profiles of the methods of this evidence; those that did not run are never close to the best.

    Data sets on which trials of a method failed count as failures of the method. Yardsticks are left out unless named.
    """
    absent = [a.method for a in evidence.absent]
    known = (*evidence.methods, *(name for name in absent if name not in evidence.yardsticks))
    wanted = list(methods or known)
    for name in wanted:
        if name not in (*evidence.columns, *absent):
            raise UnknownName.among("method of these results", name, (*evidence.columns, *absent))
    scores = np.full((len(evidence.datasets), len(wanted)), math.nan)
    for j, name in enumerate(wanted):
        if name in evidence.columns:
            m = evidence.columns.index(name)
            failed = np.zeros(len(scores)) if evidence.failed is None else evidence.failed[:, m]
            scores[:, j] = np.where(failed > 0, math.nan, evidence.means[:, m])
    return profiles_data(
        evidence.datasets,
        wanted,
        scores,
        measure=Wording(evidence.measure).name,
        higher_is_better=evidence.measure.higher_is_better,
        ratio=evidence.as_ratio,
    )


def profiles_figure(data: ProfilesData) -> Figure:
    """Performance profiles as a Figure; see :func:`profiles_data`."""
    return curves_figure(profiles_curves(data))


def profiles_curves(data: ProfilesData) -> CurvesData:
    """The profiles as steps in a box; further up and further left is better."""
    reached = [v for row in data.behind for v in row if math.isfinite(v)]
    farthest = max(reached, default=data.nearest)
    end = max(farthest * 1.05 if farthest > data.nearest else data.nearest + 1.0, 1.02 * data.nearest)
    failing = [m for m, row in zip(data.methods, data.behind, strict=True) if math.inf in row]
    what = "factor τ of" if data.ratio else "distance τ from"
    left = 1.0 if data.ratio else -0.02 * end
    return CurvesData(
        curves=_curves(data, end),
        references=(),
        labels=(f"{what} the best {data.measure}", "share of data sets within τ"),
        limits=((left, end), (0.0, 1.0)),
        heading="best on, of the data sets (ties count for all)",
        remarks=(f"failed on some data sets, and never within τ there: {listed(failing)}",) if failing else (),
        size=BOX,
        log=(data.ratio, False),
    )


def _curves(data: ProfilesData, end: float) -> tuple[Curve, ...]:
    """A curve for each method; of more than twelve the best have their own, and the others are thin and grey."""
    lines = [_steps(row, data.nearest, end) for row in data.behind]
    areas = [math.fsum(max(end - v, 0.0) for v in row) for row in data.behind]
    first = sorted(range(len(lines)), key=lambda j: -areas[j])[:MOST]
    shares = [f"{100 * data.share(name, data.nearest):.0f} %" for name in data.methods]
    own = tuple(Curve(data.methods[j], lines[j], number=shares[j]) for j in sorted(first))
    others = tuple(line for j, line in enumerate(lines) if j not in first)
    return (*own, Curve(f"{len(others)} others", parts=others, muted=True)) if others else own


def _steps(behind: Sequence[float], start: float, end: float) -> Rows:
    """The corners of a profile, from the best score to the edge of the box.

    >>> _steps((1.0, 3.0, 1.0, math.inf), 1.0, 4.0)
    ((1.0, 0.5), (3.0, 0.5), (3.0, 0.75), (4.0, 0.75))
    """
    own = np.array(behind)
    corners = [(start, float((own <= start).mean()))]
    for place in sorted({v for v in behind if start < v <= end}):
        corners += [(place, corners[-1][1]), (place, float((own <= place).mean()))]
    return (*corners, (end, corners[-1][1]))
