"""Figures that stand on a verdict, by kind: the question of the results is answered, and its evidence is drawn.

Those of pairs ask for all pairs together, which are another family of claims than the default page's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairtrial.choices import RankTests
from fairtrial.errors import InputError
from fairtrial.figures.comparisons.critical_difference import critical_difference_figure
from fairtrial.figures.comparisons.dataset_differences import dataset_differences_figure, differences_figure
from fairtrial.figures.comparisons.decision_path import decision_path_figure, decision_path_words
from fairtrial.figures.comparisons.leads import leads_figure
from fairtrial.figures.comparisons.null_distribution import null_distribution_figure
from fairtrial.figures.comparisons.pairwise_map import pairwise_figure
from fairtrial.figures.comparisons.rank_rows import ranks_figure
from fairtrial.figures.comparisons.verdict_pairs import (
    critical_difference_of,
    dataset_differences_of,
    null_of,
    pairwise_of,
    ranks_of,
)
from fairtrial.figures.comparisons.verdict_pictures import differences_of, leads_of
from fairtrial.figures.result_views import View, figure_of
from fairtrial.verdict.designs.decide import SIMULTANEOUS
from fairtrial.verdict.rules.rule_questions import decision_path_of

if TYPE_CHECKING:
    from fairtrial.results import Results


@figure_of("leads")
def _leads(
    results: Results,
    *,
    measure: str | None = None,
    control: str | None = None,
    smallest_difference: float | str | None = None,
) -> View:
    data = leads_of(results.verdict(measure, control=control, smallest_difference=smallest_difference))
    return View(data.words, leads_figure(data))


@figure_of("critical_difference")
def _critical_difference(
    results: Results, *, measure: str | None = None, control: str | None = None, test: RankTests | None = None
) -> View:
    data = critical_difference_of(results.verdict(measure, control=control, adjust=SIMULTANEOUS), test)
    return View(f"{data.words} {data.note[:1].upper()}{data.note[1:]}.", critical_difference_figure(data))


@figure_of("ranks")
def _ranks(results: Results, *, measure: str | None = None) -> View:
    data = ranks_of(results.verdict(measure, adjust=SIMULTANEOUS))
    return View(f"{data.words} {data.tested}", ranks_figure(data))


@figure_of("pairwise")
def _pairwise(results: Results, *, measure: str | None = None) -> View:
    data = pairwise_of(results.verdict(measure, adjust=SIMULTANEOUS))
    return View(f"{data.words} {' '.join(data.remarks)}", pairwise_figure(data))


@figure_of("differences")
def _differences(
    results: Results,
    *,
    measure: str | None = None,
    control: str | None = None,
    smallest_difference: float | str | None = None,
) -> View:
    verdict = results.verdict(measure, control=control, smallest_difference=smallest_difference, adjust=SIMULTANEOUS)
    if verdict.comparisons is None:
        raise InputError(f"a figure of 'differences' needs tests of pairs, but here {verdict.why}")
    data = differences_of(verdict)
    return View(data.words, differences_figure(data))


@figure_of("dataset_differences")
def _dataset_differences(
    results: Results,
    *,
    measure: str | None = None,
    methods: Sequence[str] | None = None,
    smallest_difference: float | str | None = None,
) -> View:
    verdict = results.verdict(measure, smallest_difference=smallest_difference, adjust=SIMULTANEOUS)
    data = dataset_differences_of(verdict, methods)
    return View(data.words, dataset_differences_figure(data))


@figure_of("null_distribution")
def _null_distribution(
    results: Results,
    *,
    measure: str | None = None,
    methods: Sequence[str] | None = None,
    control: str | None = None,
) -> View:
    data = null_of(results.verdict(measure, control=control), methods)
    return View(" ".join((data.words, *data.notes)), null_distribution_figure(data))


@figure_of("decision_path")
def _decision_path(results: Results, *, measure: str | None = None, control: str | None = None) -> View:
    path = decision_path_of(results.verdict(measure, control=control))
    return View(decision_path_words(path), decision_path_figure(path))
