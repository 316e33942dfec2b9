"""The dependence of scores from elsewhere, as the caller declares it, checked against their number."""

from __future__ import annotations

from fairtrial.errors import InputError
from fairtrial.resampling import Dependence, parse


def declared_dependence(resampling: str, dataset: str, places: int, what: str, remedy: str = "") -> Dependence:
    """The dependence of a declared resampling; refused where the number of ``places`` of a data set does not fit.

    >>> declared_dependence("2x5-fold", "iris", 10, "scores").repeats
    2
    """
    declared = parse(resampling).dependence().counted(places)
    wanted = declared.repeats * declared.folds
    if wanted and places != wanted:
        raise InputError(f"resampling={resampling!r} means {wanted} {what}, but {dataset!r} has {places}{remedy}")
    return declared
