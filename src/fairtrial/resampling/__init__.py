"""Resampling: how data are split. Splits are made and hashed before the run, and shared by all methods.

``split`` has :class:`Split` and seeds, ``scheme`` what every scheme is, ``spellings`` how people write them,
``allocation`` what schemes share. A family of schemes is a file: ``holdout``, ``folds``, ``bootstrap``, ``bates``
(nested folds for Bates' interval), ``own_splits`` (given from elsewhere, and rows that are held back).
"""

from fairtrial.resampling.bates import NestedKFold
from fairtrial.resampling.bootstrap import APPARENT, Bootstrap
from fairtrial.resampling.folds import FiveByTwo, Forward, GroupKFold, KFold, LeaveOneOut, RepeatedKFold
from fairtrial.resampling.holdout import Holdout, Resubstitution, Seeds, TrainValidationTest
from fairtrial.resampling.own_splits import HeldBack, OwnSplits, SplitterSplits, from_sklearn, hold_back, read_splits
from fairtrial.resampling.scheme import Resampling, describe
from fairtrial.resampling.spellings import SCHEMES, parse
from fairtrial.resampling.split import Dependence, Split, derive_seed, generator, score_unit
from fairtrial.resampling.split_guards import FEWEST_PER_FOLD, advice
from fairtrial.tables import Column, Table

__all__ = [
    "APPARENT",
    "FEWEST_PER_FOLD",
    "SCHEMES",
    "Bootstrap",
    "Dependence",
    "FiveByTwo",
    "Forward",
    "GroupKFold",
    "HeldBack",
    "Holdout",
    "KFold",
    "LeaveOneOut",
    "NestedKFold",
    "OwnSplits",
    "RepeatedKFold",
    "Resampling",
    "Resubstitution",
    "Seeds",
    "Split",
    "SplitterSplits",
    "TrainValidationTest",
    "advice",
    "derive_seed",
    "describe",
    "from_sklearn",
    "generator",
    "hold_back",
    "parse",
    "read_splits",
    "score_unit",
    "to_table",
]


def to_table() -> Table:
    """All schemes, for ``fairtrial list resamplings``; the last one is only for scores that exist."""
    titles = ("written", "class", "take it for", "on one data set", "beware")
    listed: tuple[type[Resampling], ...] = (*SCHEMES, Seeds)
    rows = tuple((s.written, s.__name__, s.use, s.analysis, s.beware) for s in listed)
    return Table(columns=tuple(Column(t, align="left") for t in titles), rows=rows, caption="resampling schemes")
