"""Tuned methods: parameters are searched inside each training set, on inner splits that all methods share."""

from fairtrial.methods.tuning.declaration import tuned
from fairtrial.methods.tuning.inner_resampling import InnerSplits, Rows, as_inner, inner_splits
from fairtrial.methods.tuning.space import SEARCHES, Search
from fairtrial.methods.tuning.tuned_parts import (
    check_tuning,
    configurations_of,
    inner_fits_of,
    reachable,
    tunes_apart,
    unequal_tuning,
    with_measure,
)

__all__ = [
    "SEARCHES",
    "InnerSplits",
    "Rows",
    "Search",
    "as_inner",
    "check_tuning",
    "configurations_of",
    "inner_fits_of",
    "inner_splits",
    "reachable",
    "tuned",
    "tunes_apart",
    "unequal_tuning",
    "with_measure",
]
