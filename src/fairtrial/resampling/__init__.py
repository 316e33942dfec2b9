"""How data are split. Splits are made and hashed before the run, and shared by all methods."""

from fairtrial.resampling.schemes import SCHEMES, Holdout, KFold, RepeatedKFold, Resampling, describe, parse
from fairtrial.resampling.seeds import derive_seed, generator
from fairtrial.resampling.split import Dependence, Split
from fairtrial.tables import Column, Table

__all__ = [
    "SCHEMES",
    "Dependence",
    "Holdout",
    "KFold",
    "RepeatedKFold",
    "Resampling",
    "Split",
    "derive_seed",
    "describe",
    "generator",
    "parse",
    "to_table",
]


def to_table() -> Table:
    """All schemes, for ``fairtrial list resamplings``."""
    rows = tuple((s.name, s.__name__, (s.__doc__ or "").split("\n")[0]) for s in SCHEMES)
    columns = (Column("name", align="left"), Column("class", align="left"), Column("what it does", align="left"))
    return Table(columns=columns, rows=rows, caption="resampling schemes")
