"""Two or more methods on one data set, over shared resamples: corrected t with Holm."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from fairtrial.design import Question
from fairtrial.resampling import Dependence
from fairtrial.results.readers.read_table import A_FRAME
from fairtrial.statements import Remark, Role, Statement, Text
from fairtrial.stats import corrected_t, mean_interval
from fairtrial.tables import Table, formats
from fairtrial.verdict.absent_methods import legend
from fairtrial.verdict.claims.support import ByTest, NextStep, next_step
from fairtrial.verdict.designs.assumptions import of_t
from fairtrial.verdict.designs.compare_methods import Compared, answers, compare, own_delta, side_of, wanted_pairs
from fairtrial.verdict.designs.comparison_table import comparison_table, pairs_table
from fairtrial.verdict.designs.decide import one_by_one
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.words.wording import Scope, Wording
from fairtrial.verdict.yardsticks.given import beaten_in_words, unbeaten_on_one
from fairtrial.words import plural

REPEATS = 10
WORTH_REPEATING = 0.03  # by which share intervals must become narrower for repeats to be advised


def on_one_dataset(
    evidence: Evidence, question: Question, adjust: str, *, datasets: int = 1, tests: int | None = None
) -> Finding:
    """Compare all pairs, or each method with the control, by the corrected resampled t-test.

    Where several data sets are judged singly, ``datasets`` is their number, and ``tests`` that of the pairs on all of
    them: these are one family.
    """
    folds, dependence = evidence.folds[0], evidence.dependence[0]
    k = len(evidence.methods)
    delta = own_delta(evidence, question)
    found = one_by_one(
        list(folds[:, :k].T),
        wanted_pairs(evidence, question),
        test=partial(corrected_t, test_share=dependence.test_share, overlap=dependence.overlap),
        names=evidence.methods,
        level=question.level,
        adjust=adjust,
        family=tests,
        side=side_of(evidence, question, delta),
        places=datasets,
    )
    compared = compare(evidence, question, found, adjust, means=evidence.means[0, :k], delta=delta)
    beaten = tuple(unbeaten_on_one(evidence, i, question) for i in range(len(evidence.yardsticks)))
    compared = replace(compared, unbeaten=beaten)
    return compared.finding(
        scope_on(evidence, question, evidence.datasets[0]),
        (*answers(compared), *_beware(compared, dependence), *_next(compared, dependence), _test(compared, dependence)),
        **tables_on_one(compared, f"mean over {dependence.scheme}"),
    )


def scope_on(evidence: Evidence, question: Question, where: str) -> Scope:
    """What statements about one data set are about; instances have a place of their own."""
    return Scope(
        Wording(evidence.measure),
        f"{where if ' ' in where else f'on {where}'}{f', at {evidence.at}' if evidence.at else ''}",
        count=len(evidence.methods),
        delta=question.delta,
        level=question.level,
    )


def _test(compared: Compared, dependence: Dependence) -> ByTest:
    splits = f"{plural(len(compared.evidence.folds[0]), 'split')} ({dependence.scheme})"
    details = [compared.bonferroni, *filter(None, [correction_in_words(dependence)]), _worst_case(dependence)]
    a, b = compared.order[:2]
    folds = compared.evidence.folds[0]
    details.append(of_t(folds[:, a] - folds[:, b]))
    return ByTest(compared.family_in_words, "corrected resampled t", splits, tuple(filter(None, details)))


def _beware(compared: Compared, dependence: Dependence) -> Iterator[Statement]:
    """That nobody knows how often a test errs by which something was found."""
    found = compared.winner is not None or any(p.different for p in compared.pairs)
    if found and not dependence.is_measured:
        yield Remark(Role.ANSWER, Text(f"How often this test errs is not known for {dependence.scheme}."), "errors", 2)


def tables_on_one(compared: Compared, over: str) -> dict[str, Any]:
    """The table of a finding on one data set, and further ones; ``over`` says what the means are over."""
    methods = table_on_one(compared, over)
    if compared.family != "pairs":
        return {"table": methods}
    return {"table": pairs_table(compared, Wording(compared.evidence.measure), caption=methods.caption),
            "more_tables": (methods,)}  # fmt: skip


def table_on_one(compared: Compared, over: str) -> Table:
    """The methods on one data set, each with its lead."""
    evidence = compared.evidence
    words = Wording(evidence.measure)
    return comparison_table(
        compared,
        words,
        mean=lambda m: evidence.cell(0, evidence.columns[m]),
        yardstick=lambda i: _beaten(compared, i),
        caption=f"{words.name}{on_named(evidence)}, {over}",
        legend=legend(evidence, evidence.columns),
    )


def on_named(evidence: Evidence) -> str:
    """The data set of a table, ' on iris'; empty where it has no name of its own."""
    return "" if evidence.datasets[0] == A_FRAME else f" on {evidence.datasets[0]}"


def _beaten(compared: Compared, yardstick: int) -> str:
    """Which methods beat the yardstick, in words, where there are resamples to test with."""
    fails = compared.unbeaten[yardstick] if compared.unbeaten else None
    return "" if fails is None else f": {beaten_in_words(fails)}"


def _worst_case(dependence: Dependence) -> str:
    """How often equal learners were called different, at most, in ``fairtrial lab one-dataset`` and ``schemes``.

    Other schemes were not measured there.
    """
    if not dependence.is_measured:
        return "how often it errs was not measured for this scheme (`fairtrial lab schemes`)"
    share = "4.7 %" if dependence.repeats == 1 else "5.4 %"
    usual = "1 to 2 %" if dependence.folds > 2 else "2 to 4 %"
    return (
        f"at 5 % it called equal learners different in at most {share} of the lab's runs (1-nearest-neighbour), and in "
        f"{usual} for most learners"
    )


def correction_in_words(dependence: Dependence) -> str:
    """The correction for repeats, as the lab found it."""
    return "" if dependence.overlap == 1 else f"test/train × {dependence.overlap:g} for repeats, from the lab"


def _next(compared: Compared, dependence: Dependence) -> Iterator[NextStep]:
    tested = [p for p in compared.pairs if not math.isnan(p.p_value)]
    if compared.winner is None and any(p.decision == "undecided" for p in tested):
        gain = 1 - _width_with_repeats(dependence, compared.question.level)
        repeats = (
            f"{REPEATS} repeats of the {dependence.folds} folds would narrow the intervals by about "
            f"{formats.percent(gain)}"
            if gain >= WORTH_REPEATING
            else "more repeats would hardly narrow the intervals"
        )
        text = f"{repeats}; more instances, or other data sets, tell more"
        if compared.delta is not None:
            delta = Wording(compared.evidence.measure).delta(compared.question.delta or 0.0)
            text = f"these intervals are too wide to judge differences of {delta}: {text}"
        yield next_step("more repeats", text)
        return
    if not dependence.is_measured:
        yield next_step("ask", "10-fold, once or repeated, has a test whose errors the lab has measured")
    yield next_step("more data", "other data sets would tell whether this holds beyond this one")


def _width_with_repeats(dependence: Dependence, level: float) -> float:
    """The expected width of an interval after ten repeats of the folds, as a share of its width now."""
    if dependence.folds < 2 or dependence.repeats >= REPEATS or not 0 < dependence.test_share < 1:
        return 1.0
    after = replace(dependence, repeats=REPEATS)
    now, then = (_width(d, d.repeats * d.folds, level) for d in (dependence, after))
    return then / now if now > 0 else 1.0


def _width(dependence: Dependence, splits: int, level: float) -> float:
    """Half the width of a corrected t interval for values whose standard deviation is 1."""
    interval = mean_interval(
        np.arange(splits, dtype=float), test_share=dependence.test_share, overlap=dependence.overlap, level=level
    )
    return (interval.high - interval.low) / float(np.arange(splits).std(ddof=1))
