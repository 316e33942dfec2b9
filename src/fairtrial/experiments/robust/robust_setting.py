"""The most robust setting, beside the one that the mean would have chosen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fairtrial.choices import CRITERIA
from fairtrial.design import Level
from fairtrial.experiments.factor_answer import FactorAnswer
from fairtrial.stats import Interval, RobustChoice
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.evidence import FloatArray
from fairtrial.words import plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_ROWS = 10
TITLES = {"worst quarter": "worst quarter", "mean": "mean difference", "regret": "largest regret"}
KEYS = {"worst quarter": "worst_quarter", "mean": "mean", "regret": "regret"}


@dataclass(frozen=True, eq=False, kw_only=True)
class RobustSetting(FactorAnswer):
    """A recommended setting and its rivals; ``print`` shows them, ``figure`` draws them.

    ``found`` has the values of all criteria for each of the ``settings`` (levels of controllable factors), as
    differences from the mean over settings, positive where better; logarithms where ratios are compared (``as_ratio``).
    ``means`` are the mean scores. ``conditions`` are the combinations of uncontrollable levels that every setting was
    tried under.
    """

    name = "robust_setting"

    found: RobustChoice
    settings: tuple[Mapping[str, Level], ...]
    controllable: tuple[str, ...]
    conditions: tuple[Mapping[str, Level], ...]
    means: FloatArray

    @property
    def factors(self) -> tuple[str, ...]:
        """The names of the factors that are set, in order."""
        return self.controllable

    @property
    def setting(self) -> Mapping[str, Level]:
        """The recommended setting."""
        return self.settings[self.found.chosen]

    @property
    def best_mean(self) -> Mapping[str, Level]:
        """The setting that the mean recommends."""
        return self.settings[self.found.best_by("mean")]

    def measured(self, value: float) -> float:
        """A difference that is positive where better, as a difference or ratio of the measure itself."""
        return self.words.as_measured(Interval("difference", value, value, value)).estimate

    def to_table(self) -> Table:
        """The best settings by the criterion, and the one with the best mean."""
        differ = self.words.difference
        columns = (
            Column("setting", align="left"),
            Column("mean", self.words.value, key="score"),
            *(Column(TITLES[name], differ, key=KEYS[name]) for name in CRITERIA),
            Column("lower decile", differ, key="decile"),
            Column("chosen in", formats.percent, key="share"),
            Column("", align="left", key="mark"),
        )
        order = self.found.order()
        best = self.found.best_by("mean")
        shown = order[:MOST_ROWS] if best in order[:MOST_ROWS] else [*order[: MOST_ROWS - 1], best]
        return Table(columns, tuple(self._row(j) for j in shown), caption=self._caption())

    def _row(self, j: int) -> tuple[object, ...]:
        found = self.found
        mean = float(self.means[j])
        score = math.exp(mean) if self.as_ratio else mean
        values = (self.measured(float(found.values[name][j])) for name in CRITERIA)
        marks = ["recommended"] if j == found.chosen else []
        marks += ["best mean"] if j == found.best_by("mean") else []
        decile = self.measured(float(found.decile[j]))
        return (found.names[j], score, *values, decile, float(found.share[j]), ", ".join(marks))

    def _caption(self) -> str:
        several = plural(len(self.settings), "setting")
        over = plural(len(self.units), "data set")
        if len(self.conditions) > 1:
            over = f"{over} × {plural(len(self.conditions), 'condition')}"
        return f"{self.words.name}: {several} by their {self.found.criterion}, {over}"

    def _short(self, table: Table) -> Table:
        if (left := len(self.settings) - len(table.rows)) <= 0:
            return table
        rest = (f"and {plural(left, 'other')}", *(None,) * (len(table.columns) - 1))
        return replace(table, rows=(*table.rows, rest))

    def explanations(self) -> tuple[tuple[str, str], ...]:
        """What the columns of the table mean, by their titles."""
        return tuple(self._explained())

    def _explained(self) -> Iterator[tuple[str, str]]:
        of, distance = ("ratio to", "ratio") if self.as_ratio else ("difference from", "distance")
        lower = "" if self.measure.higher_is_better else f"; of {self.words.name} lower is better"
        mean = "the mean of all settings on the same data set"
        yield "mean", f"over data sets; that of a chosen setting is too good, and no interval around it holds{lower}"
        yield "worst quarter", f"the mean {of} {mean}, on the quarter of the data sets where the setting is worst"
        yield "mean difference", f"the mean {of} {mean}"
        yield "largest regret", f"the largest {distance} to the best setting of a data set"
        yield "lower decile", "; ".join((f"a tenth of the data sets have a smaller {of} {mean}", *self.found.notes))
        if not any(math.isnan(share) for share in self.found.share):
            yield "chosen in", "the share of resamples of the data sets in which a setting is recommended"

    def more_tables(self) -> tuple[Table, ...]:
        """What each criterion gives on data sets that took no part in the choice."""
        if self.found.left_out is None:
            return ()
        columns = (
            Column("chosen by", align="left"),
            Column("worst quarter", self.words.difference, key="worst_quarter"),
            Column("mean difference", self.words.difference, key="mean"),
        )
        rows = tuple(
            (
                name,
                self.measured(self.found.expected("worst quarter", of=name)),
                self.measured(self.found.expected("mean", of=name)),
            )
            for name in CRITERIA
        )
        note = "each data set in turn is left out, and the others choose the setting"
        return (Table(columns, rows, caption="what the choice gives on a data set that took no part", notes=(note,)),)

    def found_data(self) -> dict[str, Any]:
        """The settings, the values of all criteria, and the choice."""
        return {
            "criterion": self.found.criterion,
            "setting": dict(self.setting),
            "best_mean": dict(self.best_mean),
            "settings": [dict(setting) for setting in self.settings],
            "conditions": [dict(condition) for condition in self.conditions],
            "means": self.means.tolist(),
            "choice": self.found.to_dict(),
        }

    def figure(self) -> Figure:
        """The mean against the worst quarter, a point for each setting."""
        from fairtrial.figures import robust_points, robust_setting_figure

        return robust_setting_figure(robust_points(self))

    def __repr__(self) -> str:
        return f"RobustSetting({self.found.names[self.found.chosen]!r}, by {self.found.criterion})"
