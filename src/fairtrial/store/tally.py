"""The tally of a table: what all its rows come to, so that one that is missing or doubled is noticed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Tally:
    """The number of rows of a table, of those without a seal, and all seals joined by exclusive or."""

    rows: int = 0
    unchecked: int = 0
    seals: int = 0

    def add(self, seal: int | None) -> None:
        """Count one more row."""
        self.rows += 1
        if seal is None:
            self.unchecked += 1
        else:
            self.seals ^= seal
