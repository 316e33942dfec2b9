"""Statistics for comparing methods: plain arrays in, an :class:`Outcome` or an :class:`Interval` out.

Files by question: ``one`` (one method), ``pair`` (two, on one data set), ``domains`` (over several data sets),
``posthoc`` (which of several differ), ``adjust`` (many p-values). Knows nothing of experiments.
"""

from fairtrial.stats.adjust import adjust
from fairtrial.stats.comparisons import Comparisons
from fairtrial.stats.domains import friedman, sign_test, wilcoxon
from fairtrial.stats.one import mean_interval, proportion_interval
from fairtrial.stats.outcome import Interval, Outcome
from fairtrial.stats.pair import corrected_t, paired_t
from fairtrial.stats.posthoc import (
    cliques,
    compare_pairs,
    critical_difference,
    nemenyi,
    pairwise,
    versus_control,
)

__all__ = [
    "Comparisons",
    "Interval",
    "Outcome",
    "adjust",
    "cliques",
    "compare_pairs",
    "corrected_t",
    "critical_difference",
    "friedman",
    "mean_interval",
    "nemenyi",
    "paired_t",
    "pairwise",
    "proportion_interval",
    "sign_test",
    "versus_control",
    "wilcoxon",
]
