"""Power curves: the power to find a difference against the number of data sets."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design import Plan
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures.comparisons.compared_pair import evidence_of
from fairtrial.figures.drawing.boxed_curves import Curve, CurvesData, Reference, curves_figure
from fairtrial.figures.drawing.inputs import FigureData, Rows
from fairtrial.figures.result_views import View, figure_of
from fairtrial.stats import power
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.designs.compare_methods import on_scale
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results

BOX = (4.4, 3.2)
FEWEST, MOST = 4, 200
"""The smallest and the largest number of data sets that is drawn."""

WANTED = 0.8
EFFECTS = {"0.3 sd": 0.3, "0.5 sd": 0.5, "0.8 sd": 0.8, "1.2 sd": 1.2}
"""Effects in standard deviations of the differences between data sets, where no difference that matters is known."""


@dataclass(frozen=True, slots=True)
class PowerData(FigureData):
    """All that the figure shows: a row of powers for each effect, at the numbers of data sets ``sizes``.

    ``effects`` are in standard deviations of the differences between data sets; ``names`` say what they are.
    ``present`` is the number of data sets that there are, and ``now`` the powers with it.
    """

    names: tuple[str, ...]
    effects: tuple[float, ...]
    sizes: tuple[int, ...]
    powers: Rows
    present: int
    now: tuple[float, ...]
    pairs: int
    level: float
    remark: str = ""

    def needed(self, i: int) -> int | None:
        """The smallest number of data sets with which the power is 0.8; None if it is beyond the figure."""
        return next((n for n, p in zip(self.sizes, self.powers[i], strict=True) if p >= WANTED), None)

    def to_table(self) -> Table:
        """The power of each effect with the data sets that there are, and how many it takes for a power of 0.8."""
        titles = ("effect", "in sd", f"power with {self.present}", "data sets for 0.8")
        write = (formats.auto, formats.significant(3), formats.significant(3), formats.auto)
        columns = tuple(
            Column(t, w, align="left" if t == "effect" else "right") for t, w in zip(titles, write, strict=True)
        )
        rows = tuple(
            (name, self.effects[i], self.now[i], self.needed(i) or f"more than {self.sizes[-1]}")
            for i, name in enumerate(self.names)
        )
        return Table(
            columns, rows, caption="power over data sets", notes=tuple(filter(None, (self._test, self.remark)))
        )

    @property
    def _test(self) -> str:
        pairs = f", Bonferroni over {plural(self.pairs, 'pair')}" if self.pairs > 1 else ""
        return f"Wilcoxon signed ranks at level {1 - self.level:.3g}{pairs}, normal differences"


def power_data(
    present: int, *, effects: dict[str, float] | None = None, pairs: int = 1, level: float = 0.95, remark: str = ""
) -> PowerData:
    """The data of a figure of power: Wilcoxon's test over data sets, for each of the named effects.

    ``effects`` are mean differences in standard deviations of the differences between data sets; ``present`` is the
    number of data sets that there are. With several ``pairs`` of methods the level is Bonferroni's, as in a plan.

    >>> data = power_data(12, effects={"a large one": 1.0})
    >>> data.now, data.needed(0)
    ((0.8648,), 11)
    """
    if present < 1 or pairs < 1:
        raise InputError(f"present and pairs must be 1 at least, got {present!r} and {pairs!r}")
    own = dict(EFFECTS if effects is None else effects)
    if not own or not all(0 < effect < np.inf for effect in own.values()):
        raise InputError(f"effects must be numbers above 0 with names, got {own!r}")
    strict = 1 - (1 - level) / pairs
    sizes = tuple(range(FEWEST, MOST + 1))
    powers = [[power("wilcoxon", n=n, effect=e, level=strict).power for n in sizes] for e in own.values()]
    enough = [next((n for n, p in zip(sizes, row, strict=True) if p >= WANTED), sizes[-1]) for row in powers]
    end = min(max(2 * present, round(1.25 * sorted(enough)[len(enough) // 2]), 20), MOST)
    keep = end - FEWEST + 1
    now = tuple(power("wilcoxon", n=max(present, 3), effect=e, level=strict).power for e in own.values())
    rows = tuple(tuple(row[:keep]) for row in powers)
    return PowerData(tuple(own), tuple(own.values()), sizes[:keep], rows, present, now, pairs, level, remark)


@figure_of("power")
def power_view(
    results: Results,
    *,
    methods: Sequence[str] | None = None,
    measure: str | None = None,
    smallest_difference: float | str | None = None,
) -> View:
    """The power to find differences with more or fewer data sets, as a figure and as a table."""
    evidence, delta = evidence_of(results, measure, smallest_difference)
    data = power_of(evidence, delta, results.question.level, methods)
    return View(
        str(data.to_table()),
        power_figure(data),
        title=f"{Wording(evidence.measure).name} over {plural(data.present, 'data set')}",
    )


def power_of(evidence: Evidence, delta: float | None, level: float, methods: Sequence[str] | None = None) -> PowerData:
    """The power for half the difference that matters, for the difference itself, and for twice as much.

    The standard deviation is that of these results: the median over pairs of methods. Without a difference that matters
    the effects are in standard deviations.
    """
    names = list(methods or evidence.methods)
    for name in names:
        if name not in evidence.columns:
            raise UnknownName.among("method of these results", name, evidence.columns)
    if len(names) < 2 or len(evidence.datasets) < 2:
        found = f"{plural(len(names), 'method')} on {plural(len(evidence.datasets), 'data set')}"
        raise InputError(f"power over data sets needs 2 methods and 2 data sets at least, got {found}")
    scores = evidence.comparable[:, [evidence.columns.index(name) for name in names]]
    pairs = list(itertools.combinations(range(len(names)), 2))
    spread = float(np.median([np.std(scores[:, i] - scores[:, j], ddof=1) for i, j in pairs]))
    if not spread > 0:
        raise InputError("power needs differences that vary over data sets, but here they are all the same")
    n, words = len(evidence.datasets), Wording(evidence.measure)
    unit = f"a factor of {np.exp(spread):.3g}" if evidence.as_ratio else f"{spread:.2g}"
    which = "of their differences" if len(pairs) == 1 else f"(the median over {len(pairs)} pairs)"
    remark = f"one standard deviation {which} between these {n} data sets is {unit}"
    if delta is None:
        return power_data(n, pairs=len(pairs), level=level, remark=remark)
    effects = {words.delta(f * delta): (on_scale(f * delta, evidence.as_ratio) or 0) / spread for f in (0.5, 1, 2)}
    return power_data(n, effects=effects, pairs=len(pairs), level=level, remark=remark)


def power_of_plan(plan: Plan) -> PowerData:
    """The power that a plan has before anything has run, for effects in standard deviations between data sets."""
    if plan.pairs < 1:
        raise InputError("a plan with one method compares nothing, so it has no power to find a difference")
    return power_data(len(plan.study.datasets), pairs=plan.pairs, level=plan.study.question.level)


def power_figure(data: PowerData) -> Figure:
    """Power curves as a Figure; see :func:`power_data`."""
    return curves_figure(lines_of_power(data))


def lines_of_power(data: PowerData) -> CurvesData:
    """The curves in a box, with a mark at the number of data sets that there are."""
    end = data.sizes[-1]
    here = ((float(data.present), 0.0), (float(data.present), 1.0))
    inside = data.present <= end
    return CurvesData(
        curves=tuple(
            Curve(
                f"difference {name}" + ("" if name.endswith("sd") else f" ({data.effects[i]:.2g} sd)"),
                tuple((float(n), p) for n, p in zip(data.sizes, data.powers[i], strict=True)),
                marks=((float(data.present), data.now[i]),) if inside else (),
                number=f"{data.now[i]:.2f}",
            )
            for i, name in enumerate(data.names)
        ),
        references=(
            Reference(((0.0, WANTED), (float(end), WANTED)), "power 0.8"),
            *((Reference(here, f"these {plural(data.present, 'data set')}", solid=True),) if inside else ()),
        ),
        labels=("number of data sets", "power"),
        limits=((0.0, float(end)), (0.0, 1.0)),
        heading=f"power with {plural(data.present, 'data set')}, for a true",
        remarks=tuple(filter(None, (data._test, data.remark))),
        size=BOX,
    )
