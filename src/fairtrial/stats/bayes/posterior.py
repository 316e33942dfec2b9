"""The result of a Bayesian comparison: three named probabilities, their meaning, and an interval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from fairtrial.errors import InputError
from fairtrial.stats.arguments import number
from fairtrial.stats.outcome import Interval
from fairtrial.stats.score_arrays import MOST_DRAWS, FloatArray
from fairtrial.tables import Column, Shown, Table, formats

Triple = tuple[float, float, float]

LARGEST = "probability that this share of data sets is the largest of the three"


@dataclass(frozen=True, slots=True)
class Posterior(Shown):
    """Posterior probabilities of a difference: below, in and above the region of practical equivalence.

    The region of practical equivalence reaches from −``rope`` to ``rope``. ``left`` is the probability that the true
    value lies below it, ``equivalent`` in it, ``right`` above it. For a difference, ``right`` is evidence for the first
    of the two methods. The three sum to 1. ``meaning`` says what they are probabilities of: of the difference itself,
    or of a region having the largest share of data sets. In the latter case ``shares`` are the expected shares.
    ``words`` are the three statements. ``error`` is the Monte Carlo standard error of the most uncertain of the three,
    at least that of a single draw, and 0 if they are computed in closed form. ``draws`` has a row for each draw and the
    columns left, equivalent and right; it is None in closed form.

    >>> print(Posterior("made up", "difference", 0.01, 0.1, 0.2, 0.7, difference_statements(0.01), "P", "flat", 5))
    the first is larger by more than 0.01: probability 0.700
      the difference is at most 0.01 either way: 0.200
      the second is larger by more than 0.01: 0.100
      made up, n = 5, P; prior: flat
    """

    test: str
    quantity: str
    rope: float
    left: float
    equivalent: float
    right: float
    words: tuple[str, str, str]
    meaning: str
    prior: str
    n: int
    interval: Interval | None = None
    shares: Triple | None = None
    error: float = 0.0
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    draws: FloatArray | None = field(default=None, repr=False, compare=False)

    @property
    def probabilities(self) -> Triple:
        """The probabilities ``left``, ``equivalent`` and ``right``."""
        return self.left, self.equivalent, self.right

    def __str__(self) -> str:
        order = sorted(range(3), key=lambda i: -self.probabilities[i])
        shown = [f"{self.words[i]}: {_probability(self.probabilities[i])}" for i in order if self.words[i]]
        first = shown[0].replace(": ", ": probability ", 1) if not math.isnan(self.right) else "undecided: see the note"
        error = f", Monte Carlo error {self.error:.1g}" if self.error else ""
        lines = [first, *shown[1:], f"{self.test}, n = {self.n}, {self.meaning}{error}; prior: {self.prior}"]
        lines += [] if self.interval is None else [str(self.interval)]
        lines += [f"note: {note}" for note in self.notes]
        return "\n  ".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """All fields except the draws, as plain data."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "draws"}
        values["interval"] = None if self.interval is None else self.interval.to_dict()
        values["details"] = dict(self.details)
        return values

    def to_table(self) -> Table:
        """A table with a row for each of the three statements."""
        shares = self.shares or (None, None, None)
        rows = zip(("left", "equivalent", "right"), self.words, self.probabilities, shares, strict=True)
        columns = (
            Column("region", align="left"),
            Column("statement", align="left"),
            Column("probability", _probability),
            Column("expected share", formats.significant(4)),
        )
        shown = tuple(row for row in rows if row[1])
        caption = f"{self.test}: {self.meaning}; prior: {self.prior}"
        if self.shares is None:
            return Table(columns=columns[:3], rows=tuple(r[:3] for r in shown), caption=caption, notes=self.notes)
        return Table(columns=columns, rows=shown, caption=caption, notes=self.notes)


def _probability(value: object) -> str:
    """A probability with three decimals, or <0.001 and >0.999 if it is not exactly 0 or 1."""
    number = float(value)  # type: ignore[arg-type]
    if 0 < number < 0.0005:
        return "<0.001"
    return ">0.999" if 0.9995 <= number < 1 else formats.fixed(3)(number)


def check_rope(rope: float) -> None:
    """Refuse a half-width of the region of practical equivalence that is negative or not a number."""
    if not 0 <= number(rope) < math.inf:
        raise InputError(
            "rope must be the largest difference that does not matter, a finite number of at least 0 (0.01 for a "
            f"percentage point of accuracy), got {rope!r}"
        )


def check_draws(draws: int) -> None:
    """Refuse a number of draws that is not a whole number of at least 100, or that no machine can make."""
    if not (isinstance(draws, int | np.integer) and 100 <= draws <= MOST_DRAWS):
        raise InputError(f"draws must be a whole number of at least 100 (50_000 is usual), got {draws!r}")


def difference_statements(rope: float) -> tuple[str, str, str]:
    """The statements of left, equivalent and right about a difference; without a region the middle one is empty."""
    if rope == 0:
        return "the second is larger", "", "the first is larger"
    by = f"by more than {rope:g}"
    return f"the second is larger {by}", f"the difference is at most {rope:g} either way", f"the first is larger {by}"


def largest_share(draws: FloatArray) -> FloatArray:
    """For each draw of three shares, 1 for the largest and 0 for the others; equally large ones divide the 1.

    >>> largest_share(np.array([[0.2, 0.5, 0.3], [0.5, 0.0, 0.5]])).tolist()
    [[0.0, 1.0, 0.0], [0.5, 0.0, 0.5]]
    """
    left, equivalent, right = columns = draws.T
    best = columns >= np.maximum(np.maximum(left, equivalent), right) - 1e-12
    return np.asarray((best / best.sum(axis=0)).T)
