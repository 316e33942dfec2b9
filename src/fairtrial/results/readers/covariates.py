"""Columns of a table that describe its data sets, such as their domain: they are set apart before scores are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairtrial.errors import InputError, UnknownName
from fairtrial.results.readers.read_table import read_table
from fairtrial.results.readers.request import Source
from fairtrial.words import listed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class Apart:
    """A table without its covariates, these columns, and the name of its source."""

    scores: pd.DataFrame
    own: pd.DataFrame
    name: str

    def by_dataset(self, title: str | None) -> dict[str, dict[str, Any]]:
        """The covariates of each data set, the same in all of its rows; ``title`` is the column of data sets."""
        found: dict[str, dict[str, Any]] = {}
        home = self.scores[self.scores.columns[0] if title is None else title].astype(str)
        for name in self.own.columns:
            groups = self.own[name].groupby(home, sort=False)
            several = groups.nunique(dropna=False)
            if (several > 1).any():
                bad = list(several.index[several > 1])
                raise InputError(
                    f"covariates must be the same in all rows of a data set, but {name!r} has several values on "
                    f"{listed(bad, most=3)}; leave {name!r} out"
                )
            for dataset, value in groups.first().items():
                number = value.item() if hasattr(value, "item") else value
                found.setdefault(str(dataset), {})[name] = None if number != number else number
        return found


def set_apart(source: Source, names: Sequence[str], others: Sequence[str | None]) -> Apart:
    """The table with the columns of these names apart; ``others`` are columns that are read as text."""
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise InputError(f"covariates must be a list of columns such as ['domain'], got {names!r}")
    frame, title, _ = read_table(source, others)
    for name in names:
        if name not in frame.columns:
            raise UnknownName.among("column (for covariates)", name, list(map(str, frame.columns)))
    return Apart(frame.drop(columns=list(names)), frame[list(names)], title)
