"""Guards of comparisons: what should be known of the tests of all pairs, by what they were made on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design import smallest_p
from fairtrial.notices import Notice, guard
from fairtrial.stats.outcome import bound_if
from fairtrial.tables import formats
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from fairtrial.verdict.compare_methods import Compared

__all__: list[str] = []


@guard(stage="verdict", sees="comparison")
def asked_about_these(compared: Compared) -> Iterator[Notice]:
    """A question about each data set that can only be answered for data sets such as these."""
    if compared.question.domains == "these" and _is_over_datasets(compared):
        wanted = "asked about each of these data sets, which takes splits whose scheme is known"
        yield Notice(f"{wanted}; this is about such data sets")


@guard(stage="verdict", sees="comparison")
def too_few_datasets(compared: Compared) -> Iterator[Notice]:
    """Fewer data sets than it takes to find any difference, with so many pairs."""
    n, m = len(compared.evidence.datasets), len(compared.pairs)
    reached = smallest_p(n) * m
    adjusted = compared.comparisons.adjusted != "none"
    if _is_over_datasets(compared) and adjusted and reached > 1 - compared.question.level:
        design = f"{plural(n, 'data set')} and {plural(m, 'pair')}"
        yield Notice(
            f"with {design} no difference, however clear, could be told at this level",
            evidence={"datasets": n, "pairs": m, "smallest_p": reached},
        )


@guard(stage="verdict", sees="comparison")
def omnibus_disagrees(compared: Compared) -> Iterator[Notice]:
    """Whether Friedman's test of all methods at once agrees with the tests of the pairs."""
    omnibus = compared.omnibus
    if omnibus is None:
        return
    any_pair = any(p.different for p in compared.pairs)
    agrees = any_pair == bool(omnibus.p_value < 1 - compared.question.level)
    words = "agrees" if agrees else "disagrees; the pairwise tests decide"
    statistic = formats.significant(5)(omnibus.statistic)
    p = formats.p_equals(bound_if(omnibus.p_value, omnibus.at_floor))
    sentence = f"Friedman ({omnibus.method}) {words}: chi-square {statistic}, {p}"
    plain = omnibus.details.get("without_tie_correction", omnibus.statistic)
    if abs(plain - omnibus.statistic) > 1e-9:
        sentence += f" (without tie correction {formats.significant(5)(plain)})"
    numbers = {"statistic": float(omnibus.statistic), "p_value": float(omnibus.p_value)}
    yield Notice(sentence, "fine" if agrees else "warning", evidence=numbers)


@guard(stage="verdict", sees="comparison")
def equal_scores(compared: Compared) -> Iterator[Notice]:
    """Pairs of methods with equal scores on some data sets."""
    equal = sum(bool(o.details.get("zeros", 0)) for o in compared.comparisons.outcomes)
    if equal and _is_over_datasets(compared):
        pairs = plural(equal, "pair")
        sentence = f"{pairs} had equal scores on some data sets, which are left out of their tests"
        yield Notice(sentence, "fine", evidence={"pairs": equal})


@guard(stage="verdict", sees="comparison")
def zero_scores(compared: Compared) -> Iterator[Notice]:
    """Scores of 0 of a measure that is compared by ratios."""
    evidence = compared.evidence
    if _is_over_datasets(compared) and evidence.measure.compare == "log-ratio" and not evidence.as_ratio:
        yield Notice(
            "some scores are 0, so methods are compared by differences, not by ratios; smallest_difference is not used"
        )


@guard(stage="verdict", sees="comparison")
def no_spread(compared: Compared) -> Iterator[Notice]:
    """Pairs of methods whose difference is the same on every split of a data set."""
    methods = compared.evidence.methods
    unclear = [f"{methods[p.first]} and {methods[p.second]}" for p in compared.pairs if np.isnan(p.p_value)]
    if unclear and not _is_over_datasets(compared) and not _is_of_instances(compared):
        sentence = f"the difference of {listed(unclear)} is the same on every split: no spread to test it against"
        yield Notice(sentence, about=compared.evidence.datasets[0], evidence={"pairs": len(unclear)})


@guard(stage="verdict", sees="comparison")
def fixed_models(compared: Compared) -> Iterator[Notice]:
    """Fixed models, about whose algorithms nothing is said."""
    if _is_of_instances(compared):
        yield Notice("this is about these fixed models; the algorithms that made them may do otherwise", "fine")


def _is_over_datasets(compared: Compared) -> bool:
    return len(compared.evidence.datasets) > 1


def _is_of_instances(compared: Compared) -> bool:
    return compared.evidence.losses is not None or compared.evidence.predictions is not None
