"""What a published table prints beside its scores: uncertainties and signs, which no test uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fairtrial.choices import Spread

SPREAD_TITLES: dict[str, Spread] = {
    "standard_error": "standard error",
    "standard_deviation": "standard deviation",
    "half_width": "interval",
}
"""The titles of columns with uncertainties, and what each of them is."""

Cell = tuple[str, str, str]
"""A data set, a method and a measure; the measure is empty in a table that has one measure only."""


@dataclass(frozen=True, slots=True, eq=False)
class Published:
    """Uncertainties and signs as they were published, of each data set, method and measure.

    ``kind`` says what the uncertainties are. Signs stand behind the scores or, if their column has a ``title`` of its
    own, in a column of that title.
    """

    kind: Spread = "none"
    spreads: Mapping[Cell, float] = field(default_factory=dict)
    signs: Mapping[Cell, str] = field(default_factory=dict)
    title: str = ""

    def spread(self, dataset: str, method: str, measure: str) -> float:
        """The uncertainty of a score; nan where there is none."""
        found = self.spreads.get((dataset, method, measure))
        return self.spreads.get((dataset, method, ""), float("nan")) if found is None else found

    def sign(self, dataset: str, method: str, measure: str) -> str:
        """The sign of a score; empty where there is none."""
        found = self.signs.get((dataset, method, measure))
        return self.signs.get((dataset, method, ""), "") if found is None else found
