"""Every method against the control on each data set, as WEKA's Experimenter prints it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from fairtrial.design import Question
from fairtrial.errors import InputError, UnknownName
from fairtrial.results.absentees import DidNotRun
from fairtrial.statements import Remark, Role, Text
from fairtrial.stats import adjust as adjusted_p
from fairtrial.stats import corrected_t, paired_t
from fairtrial.stats.adjust import TITLES
from fairtrial.tables import Column, Marked, Table, formats
from fairtrial.verdict.absent_methods import legend
from fairtrial.verdict.claims.support import ByTest, next_step
from fairtrial.verdict.designs.pair_tests import TOGETHER
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.words.wording import Scope, Wording
from fairtrial.words import listed, plural

PER_DATASET_TESTS = ("corrected_t", "paired_t")


def against_control(evidence: Evidence, question: Question, adjust: str, test: str) -> Finding:
    """Marks on each data set: ``v`` better than the control, ``*`` worse; adjusted over methods and data sets."""
    if question.control is None:
        raise InputError("a table per data set needs a method to compare with; name it: control='…' (--control)")
    if test not in PER_DATASET_TESTS:
        raise UnknownName.among("test per data set", test, PER_DATASET_TESTS)
    others = [m for m in evidence.methods if m != question.control]
    if not others and evidence.absent:
        missing = listed([str(a) for a in evidence.absent])
        raise DidNotRun(f"no method is left to compare with {question.control!r}: {missing}; leave out per_dataset")
    each = [evidence.on(i) for i in range(len(evidence.datasets))]
    tests = len(each) * len(others)
    marks = [_marks_by_name(one, question.control, others, question, adjust, test, tests) for one in each]
    counts = [tuple(sum(row.get(m) == sign for row in marks) for sign in (1, 0, -1)) for m in others]
    words = Wording(evidence.measure)
    better, worse = ([f"{m} on {c[side]}" for m, c in zip(others, counts, strict=True) if c[side]] for side in (0, 2))
    n = plural(len(evidence.datasets), "data set")
    first = f"Better than {question.control} in {words.name}: {listed(better)} of {n}." if better else (
        f"No method is better than {question.control} in {words.name} on any of {n}."
    )  # fmt: skip
    sentences = [first, *([f"Worse: {listed(worse)} of {n}."] if worse else [])]
    if adjust == "none" and tests > 1:
        chance = formats.significant(2)((1 - question.level) * tests)
        sentences.append(
            f"These are {tests} tests without adjustment: about {chance} marks are expected by chance alone."
        )
    name = (
        "corrected resampled t"
        if test == "corrected_t"
        else "plain paired t (folds are not independent: far too liberal)"
    )
    step = "adjust for the number of tests (leave adjust out), or ask over all data sets (leave per_dataset out)"
    return Finding(
        statements=(
            *(Remark(Role.ANSWER, Text(text), "marks", rank) for rank, text in enumerate(sentences)),
            ByTest("", f"{name} on each data set", details=(_adjustment(adjust, tests),)),
            next_step("ask", step),
        ),
        table=_table(evidence, question, others, marks, counts),
        scope=Scope(words, f"on each of {n}", count=len(evidence.methods), level=question.level),
        each=True,
    )


def _adjustment(adjust: str, tests: int) -> str:
    """The adjustment of the marks, in words."""
    if adjust in TOGETHER:
        return f"Bonferroni over {plural(tests, 'test')} (methods and data sets)"
    return "unadjusted" if adjust == "none" else f"{TITLES.get(adjust, adjust)} over the methods"


def _marks_by_name(
    one: Evidence, control: str, others: Sequence[str], question: Question, adjust: str, test: str, tests: int
) -> dict[str, int]:
    """Marks on one data set, by method that ran there; none where the control did not."""
    names = [m for m in others if m in one.methods]
    if control not in one.methods or not names:
        return {}
    numbers = [one.methods.index(m) for m in names]
    if adjust in TOGETHER:
        question, adjust = replace(question, level=1 - (1 - question.level) / tests), "none"
    found = marks_against(one, one.methods.index(control), numbers, question, adjust, test)
    return dict(zip(names, found, strict=True))


def marks_against(
    evidence: Evidence,
    control: int,
    others: list[int],
    question: Question,
    adjust: str = "none",
    test: str = "corrected_t",
) -> list[int]:
    """Marks of methods on one data set: +1 better than the control, −1 worse, 0 neither."""
    dependence = evidence.dependence[0]
    folds = evidence.folds[0]
    if dependence.seeds:
        raise InputError(
            f"per_dataset={test!r} is for splits, but {evidence.datasets[0]} has {dependence.scheme} on one of them; "
            f"{dependence.lacking}, or leave out per_dataset"
        )
    if len(folds) < 2 or (test == "corrected_t" and not dependence.known):
        raise InputError(
            f"{evidence.datasets[0]} has {plural(len(folds), 'score')} per method, whose split scheme is unknown; "
            "say resampling='10x10-fold' (--resampling), or leave out per_dataset"
        )
    run = partial(corrected_t, test_share=dependence.test_share) if test == "corrected_t" else paired_t
    outcomes = [run(folds[:, m], folds[:, control]) for m in others]
    p = adjusted_p([o.p_value for o in outcomes], adjust)
    signs = [np.sign(evidence.sign * (o.effect.estimate if o.effect else 0.0)) for o in outcomes]
    return [int(s) if q < 1 - question.level else 0 for s, q in zip(signs, p, strict=True)]


def _table(
    evidence: Evidence,
    question: Question,
    others: Sequence[str],
    marks: Sequence[Mapping[str, int]],
    counts: Sequence[tuple[int, ...]],
) -> Table:
    words, control = Wording(evidence.measure), str(question.control)

    def cell(i: int, method: str, symbol: str = "") -> str:
        mean, spread = evidence.cell(i, method), evidence.folds[i][:, evidence.columns.index(method)].std(ddof=1)
        if isinstance(mean, Marked) and mean.text:
            return f"{mean.text}{' ' * len(symbol)}"
        value, sign = (mean.value, mean.mark) if isinstance(mean, Marked) else (mean, "")
        number, deviation = words.values(float(value), float(spread))  # type: ignore[arg-type]
        return f"{number}{sign} ({deviation}){symbol}"

    symbols = {1: " v", 0: "  ", -1: " *"}
    rows: list[tuple[object, ...]] = []
    for i, name in enumerate(evidence.datasets):
        cells = (cell(i, m, symbols[marks[i].get(m, 0)]) for m in others)
        rows.append((name, len(evidence.folds[i]), cell(i, control), *cells))
    rows.append(("", None, "(v/ /*)", *(f"({a}/{b}/{c})  " for a, b, c in counts)))
    columns = (
        Column("data set", align="left"),
        Column("splits"),
        Column(control),
        *(Column(f"{m}  ", key=m) for m in others),
    )
    caption = f"{words.name}, mean (standard deviation) over splits, against {question.control}"
    notes = (
        f"v better, * worse than {question.control} at {1 - question.level:.3g}; last row: wins / ties / losses",
        *legend(evidence, None, evidence.scored_alone),
    )
    return Table(columns=columns, rows=tuple(rows), caption=caption, notes=notes, rule_before=(len(rows) - 1,))
