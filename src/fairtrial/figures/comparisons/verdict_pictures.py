"""Pictures of a verdict: the choice of the one that fits, and captions with quantity, data sets and intervals.

Figures that stand on a verdict, by kind: the question of the results is answered, and its evidence is drawn.

Those of pairs ask for all pairs together, which are another family of claims than the default page's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, cast

import numpy as np

from fairtrial.choices import RankTests
from fairtrial.errors import InputError
from fairtrial.figures.comparisons.critical_difference import critical_difference_figure
from fairtrial.figures.comparisons.dataset_differences import (
    DifferencesData,
    band_of,
    dataset_differences_figure,
    differences_data,
    differences_figure,
)
from fairtrial.figures.comparisons.decision_path import decision_path_figure, decision_path_words
from fairtrial.figures.comparisons.dots import DotsData, dots_data, dots_figure
from fairtrial.figures.comparisons.leads import LeadsData, leads_data, leads_figure
from fairtrial.figures.comparisons.null_distribution import null_distribution_figure
from fairtrial.figures.comparisons.pairwise_map import pairwise_figure
from fairtrial.figures.comparisons.rank_rows import ranks_figure
from fairtrial.figures.comparisons.verdict_pairs import (
    MOST_IN_DIAGRAM,
    critical_difference_of,
    dataset_differences_of,
    in_measure,
    null_of,
    pairwise_of,
    ranks_of,
    with_reading_help,
)
from fairtrial.figures.drawing.style import on_paper, shorten, without_caption
from fairtrial.figures.result_views import View, figure_of
from fairtrial.measures import Measure
from fairtrial.stats.multiplicity import TITLES
from fairtrial.tables import Picture, Table
from fairtrial.verdict.absent_methods import left_out
from fairtrial.verdict.designs.decide import SIMULTANEOUS
from fairtrial.verdict.estimates import intervals
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.rules.rule_questions import decision_path_of
from fairtrial.verdict.rules.rules import rule_named
from fairtrial.verdict.verdict import Verdict
from fairtrial.verdict.words.wording import Wording
from fairtrial.verdict.yardsticks.given import given_yardsticks
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results
    from fairtrial.verdict.designs.compare_methods import Compared


MOST_IN_MAP = 80
"""Methods in a map of all pairs: the cells of more can't be seen."""

MOST_LEADS = 40
"""Methods whose leads are drawn; the rest is counted."""

SHOWN = ("method", "effect", "interval", "mark")
"""The columns of a table that a figure of leads shows."""

MOST_DOTS = 300
"""More dots than these, methods times data sets, can't be read; a table has the numbers."""


def figure_for(verdict: Verdict) -> Figure:
    """The figure that fits the verdict best.

    It shows the family of claims that the page is about, and no other:

    - methods that are compared: the lead of each over the best of the others, or over the control, with its interval;
    - all pairs over data sets, if they were asked for: critical-difference diagram, groups from the pairwise tests, or
      rank intervals if there are more than 15 methods;
    - a verdict per data set, one method, or no test possible: dots and intervals, a row per data set.

    >>> import pandas as pd
    >>> from fairtrial.results import read_scores
    >>> scores = pd.DataFrame({"dataset": list("abcdef"), "A": [3, 4, 5, 6, 7, 8], "B": [1, 3, 4, 4, 6, 5.5]})
    >>> figure = figure_for(read_scores(scores, measure="rmse").verdict())
    >>> figure.axes[0].get_yticklabels()[0].get_text()   # rmse: lower is better
    'B'
    """
    from fairtrial.figures.drawing.worded_figure import describe

    picture = next(_pictures(verdict))
    figure = cast("Figure", picture.figure)
    describe(figure, picture.title, picture.caption)
    return figure


def figures_for(verdict: Verdict) -> list[Picture]:
    """All pictures for a report, the one that fits best first; levels on each data set come last.

    >>> import pandas as pd
    >>> from fairtrial.results import read_scores
    >>> scores = pd.DataFrame({"dataset": list("abcdef"), "A": [3, 4, 5, 6, 7, 8], "B": [1, 3, 4, 4, 6, 5.5]})
    >>> [picture.title for picture in figures_for(read_scores(scores, measure="rmse").verdict())]
    ['Leads with their intervals', 'B and A on each data set', 'Levels on each data set']
    """
    return list(_pictures(verdict, captioned=True))


def _pictures(verdict: Verdict, *, captioned: bool = False) -> Iterator[Picture]:
    """The figure that fits the row of the rule table, then others of the same family of claims.

    Where figures are ``captioned``, remarks that are in the caption are not written into the figure, too.
    """
    compared, evidence = verdict.finding.compared, verdict.evidence
    family = None if compared is None or rule_named(verdict.rule).figure == "dots" else compared.family
    if family == "pairs" and verdict.omnibus is not None:
        k = len(evidence.methods)
        if k <= MOST_IN_DIAGRAM:
            yield _critical_difference(verdict)
        else:
            yield _ranks(verdict, captioned)
            if k <= MOST_IN_MAP:
                yield _pairwise(verdict, captioned)
    if family is not None:
        yield _leads(verdict, captioned)
    if family == "pair" and len(evidence.datasets) > 1:
        yield _on_datasets(verdict, captioned)
    several = len(evidence.datasets) > 1 or _resampled(evidence)
    if family is None or (several and evidence.means.size <= MOST_DOTS):
        yield _dots(verdict)


def _resampled(evidence: Evidence) -> bool:
    """Whether means have intervals; dots without intervals on one data set would only repeat the table."""
    return any(d.known and len(folds) > 1 for d, folds in zip(evidence.dependence, evidence.folds, strict=True))


def pictures_of_test(verdict: Verdict) -> list[Picture]:
    """How the test of a verdict was chosen and, where it has one, its null distribution for the two leading methods."""
    path = decision_path_of(verdict)
    chosen = Picture("How the test was chosen", decision_path_words(path), decision_path_figure(path))
    found = [with_reading_help("decision_path", chosen, verdict)]
    with suppress(InputError):  # no test of two methods, or one without a null distribution
        data = null_of(verdict)
        caption = " ".join((data.words, *data.notes))
        null = Picture("The null distribution of the test", caption, null_distribution_figure(data))
        found.append(with_reading_help("null_distribution", null, verdict))
    return found


def _critical_difference(verdict: Verdict) -> Picture:
    data = critical_difference_of(verdict)
    over = f"Ranks by {Wording(verdict.measure).name} over {plural(len(verdict.evidence.datasets), 'data set')}"
    caption = f"{' '.join(data.caption)} {over}; {data.note}.{_without(verdict)}"
    picture = Picture("Critical-difference diagram", caption, critical_difference_figure(data))
    return with_reading_help("critical_difference", picture, verdict)


def _ranks(verdict: Verdict, captioned: bool) -> Picture:
    data = ranks_of(verdict)
    may = [row.name for row in data.rows if row.low == 1]
    caption = (
        f"The ranks of {plural(len(data.rows), 'method')} that the tests do not rule out; rank 1 is not ruled out "
        f"for {listed(may)}. Dots are ranks by the estimated differences. {' '.join(data.remarks[1:])}"
        f"{_without(verdict)}"
    )
    with without_caption(captioned):
        figure = ranks_figure(data)
    return with_reading_help("ranks", Picture("Rank intervals", caption, figure), verdict)


def _pairwise(verdict: Verdict, captioned: bool) -> Picture:
    data = pairwise_of(verdict)
    with without_caption(captioned):
        figure = pairwise_figure(data)
    picture = Picture("All pairs", f"{' '.join(data.remarks)}{_without(verdict)}", figure)
    return with_reading_help("pairwise", picture, verdict)


def _on_datasets(verdict: Verdict, captioned: bool) -> Picture:
    data = dataset_differences_of(verdict)
    caption = f"{data.words} {' '.join(data.remarks)}{_without(verdict)}"
    title = f"{data.first} and {data.second} on each data set"
    with without_caption(captioned):
        figure = dataset_differences_figure(data)
    picture = Picture(title, caption, figure)
    return with_reading_help("dataset_differences", picture, verdict)


def nemenyi_figure(verdict: Verdict) -> Figure:
    """The classical critical-difference diagram, in which Nemenyi's test joins ranks that differ too little.

    What it says about two methods depends on which other methods are compared; a note below it says so. The tests
    behind the groups of :func:`figure_for` don't depend on other methods.

    Reference: Demšar (2006), JMLR 7:1-30, https://jmlr.org/papers/v7/demsar06a.html.
    """
    return critical_difference_figure(critical_difference_of(verdict, "nemenyi"))


def _leads(verdict: Verdict, captioned: bool) -> Picture:
    data = leads_of(verdict)
    datasets = verdict.evidence.datasets
    over = plural(len(datasets), "data set") if len(datasets) > 1 else datasets[0]
    title = f"{data.quantity[:1].upper()}{data.quantity[1:]}"
    with without_caption(captioned):
        figure = leads_figure(data)
    caption = f"{title}, over {over}. {' '.join(data.remarks)}{_without(verdict)}"
    return with_reading_help("leads", Picture("Leads with their intervals", caption, figure), verdict)


def _without(verdict: Verdict) -> str:
    return _as_sentences(left_out(verdict.evidence.absent))


def _as_sentences(texts: Iterable[str]) -> str:
    """Remarks as sentences that follow a caption."""
    return "".join(f" {text[0].upper()}{text[1:]}." for text in texts if text)


def leads_of(verdict: Verdict) -> LeadsData:
    """The leads of the page: its methods, with the numbers, ends and marks that their table has.

    A page of all pairs has pairs in its first table; its methods stand in another one, against the leader.
    """
    compared, question = verdict.finding.compared, verdict.question
    if compared is None:
        raise InputError(f"a figure of 'leads' needs tests of methods, but here {verdict.why}")
    words = Wording(verdict.measure, verdict.evidence.as_ratio and len(verdict.evidence.datasets) > 1)
    table, k = _table_of_methods(verdict), len(compared.rows)
    at = [_keys(table).index(key) for key in SHOWN]
    rows = [tuple(row[i] for i in at) for row in table.rows[:k]]
    texts = [f"{row[at[1]]} [{row[at[2]]}]" if row[at[2]] else row[at[1]] for row in table.cells()[:k]]
    drawn = [i for i, row in enumerate(rows) if i < MOST_LEADS or row[0] == question.control]
    names, leads, ends, marks = zip(*(rows[i] for i in drawn), strict=True)
    delta = compared.delta if compared.delta is None or not words.ratio else math.expm1(compared.delta)
    together = compared.family == "best" or (compared.family != "pair" and compared.comparisons.simultaneous)
    return leads_data(
        names,
        [math.nan if lead is None else lead for lead in leads],
        ends,
        quantity=_lead_quantity(compared, words),
        marks=marks,
        texts=[texts[i] for i in drawn],
        band=band_of(delta, ratio=words.ratio),
        ratio=words.ratio,
        higher_is_better=verdict.measure.higher_is_better or not words.ratio,
        level=question.level,
        hold="which all hold together" if together else "" if k == 2 else "each for its own comparison",
        note=_rest([row[-1] for i, row in enumerate(rows) if i not in drawn]) or _circle(compared),
    )


def _table_of_methods(verdict: Verdict) -> Table:
    """The table with the lead of each method."""
    return next(table for table in (verdict.to_table(), *verdict.more_tables()) if set(SHOWN) <= set(_keys(table)))


def _keys(table: Table) -> list[str]:
    return [column.key for column in table.columns]


def _lead_quantity(compared: Compared, words: Wording) -> str:
    """What is shown of each method, as a label."""
    with on_paper(None):  # the same on any paper, since captions have it, too
        leader = shorten(compared.name(compared.leader))
    over = {"best": "the best of the others", "pair": "the other"}.get(compared.family, leader)
    kind = f"{compared.question.estimand} " if len(compared.evidence.datasets) > 1 else ""
    name = f"{words.name}{' (%)' if words.measure.unit == '%' else ''}"
    return f"{kind}ratio of {name} to {over}" if words.ratio else f"{kind}lead over {over} in {name}"


def _circle(compared: Compared) -> str:
    """That methods beat each other in a circle, so that none is the best."""
    circle = () if compared.leads is None else compared.leads.circle
    return f"{listed(circle)} beat each other in a circle: there is no best." if circle else ""


def _rest(marks: Sequence[object]) -> str:
    """How many methods are not drawn, and how they stand."""
    out = sum(mark == "out" for mark in marks)
    state = ", all of them out" if out == len(marks) else f", {out} of them out" if out else ""
    return f"{plural(len(marks), 'more method')}{state}: not drawn." if marks else ""


def differences_of(verdict: Verdict) -> DifferencesData:
    """Differences of each method from the control or, without one, from the first, in the direction of the measure."""
    evidence, question = verdict.evidence, verdict.question
    reference = evidence.methods.index(question.control or verdict.winner or verdict.finding.order[0])
    words = Wording(evidence.measure, evidence.as_ratio and len(evidence.datasets) > 1)
    rows = {}
    for pair in verdict.finding.pairs:
        if reference in (pair.first, pair.second):
            against = pair if pair.second == reference else pair.swapped()
            rows[against.first] = (in_measure(against, evidence, words), "*" if pair.different else "")
    order = [m for name in verdict.finding.order if (m := evidence.methods.index(name)) in rows]
    numbers = np.array([rows[m][0] for m in order])
    return differences_data(
        [evidence.methods[m] for m in order],
        evidence.methods[reference],
        *numbers.T,
        quantity=f"{'ratio' if words.ratio else 'difference'} of {words.name}",
        smallest_difference=question.delta,
        marks=[rows[m][1] for m in order],
        ratio=words.ratio,
        higher_is_better=evidence.measure.higher_is_better,
        level=question.level,
        marked=_marked(verdict, null=1 if words.ratio else 0),
    )


def _marked(verdict: Verdict, null: int) -> str:
    """What the star of a difference means."""
    comparisons = verdict.comparisons
    if comparisons is None:
        return ""
    if comparisons.simultaneous:
        return f"{null} lies outside the interval, which holds for all pairs together"
    how = TITLES.get(comparisons.adjusted, comparisons.adjusted)
    return f"p{'' if comparisons.adjusted == 'none' else f' ({how})'} < {1 - verdict.question.level:.3g}"


def _dots(verdict: Verdict) -> Picture:
    data = dots_of(verdict)
    schemes = {d.scheme for d in verdict.evidence.dependence}
    scheme = schemes.pop() if len(schemes) == 1 else "unknown"
    over = "" if scheme in ("unknown", "one test set") else f", mean over {scheme}"
    yardsticks = " Grey and hollow: yardstick." if data.yardsticks else ""
    lines = (
        f" Lines are {100 * data.level:g} % intervals of each mean by itself (t, corrected for shared training data); "
        "whether two methods differ is decided by the tests, not by whether lines overlap."
        if data.has_intervals
        else ""
    )
    where = "each data set" if len(data.datasets) > 1 else data.datasets[0]
    caption = f"{verdict.measure.title}{over}.{lines}{yardsticks}{_not_drawn(verdict.evidence)}"
    return with_reading_help("dots", Picture(f"Levels on {where}", caption, dots_figure(data)), verdict)


def _not_drawn(evidence: Evidence) -> str:
    """Sentences for a caption: methods that did not run, and how failed trials were scored."""
    here = [a for d in evidence.datasets for a in evidence.absent_on.get(d, ())]
    gone, scored = left_out((*evidence.absent, *here)), evidence.scored_alone
    return _as_sentences((*gone, scored))


def _with_unit(measure: Measure) -> str:
    """The name of a measure for an axis, with its unit where it has one."""
    return f"{Wording(measure).name} ({measure.unit})" if measure.unit else Wording(measure).name


def dots_of(verdict: Verdict) -> DotsData:
    """Means of all methods on all data sets, with corrected t intervals where the resampling is known."""
    evidence, level = verdict.evidence, verdict.question.level
    means = evidence.means
    for i in range(len(evidence.datasets)):
        means[i, [evidence.gone(i, m) for m in evidence.columns]] = np.nan
    low, high = intervals(evidence, level)
    log = (evidence.measure.compare == "log-ratio" or evidence.by_ratio) and bool((means[~np.isnan(means)] > 0).all())
    reference = {name: level for name, level in _given_levels(verdict) if level > 0 or not log}
    least, most = sorted((evidence.measure.worst, evidence.measure.best))
    return dots_data(
        evidence.datasets,
        evidence.columns,
        means,
        np.clip(low, least, most),
        np.clip(high, least, most),
        measure=_with_unit(evidence.measure),
        higher_is_better=evidence.measure.higher_is_better,
        level=level,
        yardsticks=evidence.yardsticks,
        reference=reference,
        log=log,
    )


def _given_levels(verdict: Verdict) -> Iterator[tuple[str, float]]:
    """The levels that the question gives: the claim, and the yardsticks that have one level on all data sets."""
    for given in given_yardsticks(verdict.evidence, verdict.question):
        if given.level is not None and len(set(given.levels)) == 1:
            yield given.name, given.level
    if verdict.question.claim is not None:
        yield "claim", float(verdict.question.claim)


@figure_of("leads")
def _leads_view(
    results: Results,
    *,
    measure: str | None = None,
    control: str | None = None,
    smallest_difference: float | str | None = None,
) -> View:
    data = leads_of(results.verdict(measure, control=control, smallest_difference=smallest_difference))
    return View(data.words, leads_figure(data))


@figure_of("critical_difference")
def _critical_difference_view(
    results: Results, *, measure: str | None = None, control: str | None = None, test: RankTests | None = None
) -> View:
    data = critical_difference_of(results.verdict(measure, control=control, adjust=SIMULTANEOUS), test)
    return View(f"{data.words} {data.note[:1].upper()}{data.note[1:]}.", critical_difference_figure(data))


@figure_of("ranks")
def _ranks_view(results: Results, *, measure: str | None = None) -> View:
    data = ranks_of(results.verdict(measure, adjust=SIMULTANEOUS))
    return View(f"{data.words} {data.tested}", ranks_figure(data))


@figure_of("pairwise")
def _pairwise_view(results: Results, *, measure: str | None = None) -> View:
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
