"""Tests that a verdict makes only if they are asked for by name: 5×2 cv, repeated-measures ANOVA, McNemar on a study.

Each says in its test line what to beware of. Where the design does not allow a test, the error says what is missing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.design import FEWEST_DATASETS, Question
from fairtrial.errors import InputError
from fairtrial.resampling import Dependence
from fairtrial.results.analyses.instance_tests import instance_answers
from fairtrial.statements import Remark, Role, Text
from fairtrial.stats import Outcome, details_table, five_by_two_f, five_by_two_t, repeated_anova
from fairtrial.stats.outcome import Alternative
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.absent_methods import legend
from fairtrial.verdict.claims.support import ByTest, next_step
from fairtrial.verdict.designs.compare_methods import answers, compare, own_delta, side_of, wanted_pairs
from fairtrial.verdict.designs.decide import one_by_one
from fairtrial.verdict.designs.fixed_models import COUNTED, on_instances
from fairtrial.verdict.designs.one_dataset import scope_on, tables_on_one
from fairtrial.verdict.designs.units import units_of
from fairtrial.verdict.evidence import Evidence, FloatArray
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.words.wording import Scope, Wording
from fairtrial.words import listed, plural, quoted

if TYPE_CHECKING:
    from fairtrial.results import Results

REPEATS, FOLDS = 5, 2
F_ERRORS = "in the lab two equal 1-nearest-neighbour methods were called different in 13 to 16 % instead of 5 %"
T_ERRORS = (
    "it errs in 12 to 16 % instead of 5 % near chance on few instances, and its difference is that of the first fold "
    "of the first repeat alone"
)


def by_five_by_two(evidence: Evidence, question: Question, adjust: str, *, test: str) -> Finding:
    """Compare all pairs, or each method with the control, by a test of five times two-fold cross-validation."""
    _check_methods(evidence, test)
    dependence = _check_five_by_two(evidence, test)
    delta = own_delta(evidence, question)
    side = side_of(evidence, question, delta)
    uses_f = test == "five_by_two_f"
    if uses_f and not side.is_both:
        raise InputError(
            f"test='five_by_two_f' has no direction, but alternative={question.alternative!r} was asked; leave "
            "alternative out, or ask for test='five_by_two_t'"
        )
    k = len(evidence.methods)
    tests = one_by_one(
        list(evidence.folds[0][:, :k].T),
        wanted_pairs(evidence, question),
        test=_f_of_pair if uses_f else _t_of_pair,
        names=evidence.methods,
        level=question.level,
        adjust=adjust,
        side=side,
    )
    compared = compare(evidence, question, tests, adjust, means=evidence.means[0, :k], delta=delta)
    name, errors = ("5×2 cv F (Alpaydin)", F_ERRORS) if uses_f else ("5×2 cv t (Dietterich)", T_ERRORS)
    details = (*filter(None, [compared.bonferroni]), "models trained on half of the data")
    return compared.finding(
        scope_on(evidence, question, evidence.datasets[0]),
        (
            *answers(compared),
            ByTest(compared.family_in_words, name, details=details),
            Remark(Role.DOUBT, Text(errors), "errors"),
            next_step("ask", "without test= the corrected resampled t compares, which errs less often on repeats"),
        ),
        **tables_on_one(compared, f"mean over {dependence.scheme}"),
    )


def _check_methods(evidence: Evidence, test: str) -> None:
    if len(evidence.methods) < 2:
        raise InputError(f"test={test!r} compares methods, got {listed(evidence.methods)} alone; leave test out")
    if evidence.is_optimistic:
        raise InputError(
            f"test={test!r} needs instances that the methods were not trained on, got the scheme "
            f"{evidence.dependence[0].scheme!r}; use another resampling, such as '10x10-fold'"
        )


def _check_five_by_two(evidence: Evidence, test: str) -> Dependence:
    """The dependence of five times two folds on one data set; refused for all else."""
    if len(evidence.datasets) > 1:
        raise InputError(
            f"test={test!r} is about one data set, got {plural(len(evidence.datasets), 'data set')}; give results of "
            "one data set, or leave test out"
        )
    dependence, splits = evidence.dependence[0], len(evidence.folds[0])
    if (dependence.repeats, dependence.folds, splits) != (REPEATS, FOLDS, REPEATS * FOLDS):
        raise InputError(
            f"test={test!r} needs all ten scores of five times two-fold cross-validation (resampling='5x2'), got "
            f"{plural(splits, 'score')} per method of the scheme {dependence.scheme!r}; leave test out, or run "
            "that scheme"
        )
    return dependence


def _f_of_pair(first: FloatArray, second: FloatArray, *, level: float) -> Outcome:
    return five_by_two_f((first - second).reshape(REPEATS, FOLDS), level=level)


def _t_of_pair(
    first: FloatArray, second: FloatArray, *, level: float, alternative: Alternative = "two-sided"
) -> Outcome:
    return five_by_two_t((first - second).reshape(REPEATS, FOLDS), level=level, alternative=alternative)


def by_anova(evidence: Evidence, question: Question, adjust: str) -> Finding:  # noqa: ARG001
    """Test whether all methods have the same mean, by a repeated-measures ANOVA over data sets or splits."""
    _check_methods(evidence, "repeated_anova")
    if question.control is not None or question.alternative != "two-sided":
        raise InputError(
            "test='repeated_anova' asks whether all methods are equal, without a control or a side; leave control and "
            "alternative out, or leave test out to compare with the control"
        )
    scores, share, where, over = rows_of_anova(evidence, question)
    k = len(evidence.methods)
    found = repeated_anova(scores, test_share=share, names=evidence.methods, level=question.level)
    words = Wording(evidence.measure, evidence.as_ratio and len(evidence.datasets) > 1)
    means = scores.mean(axis=0)
    order = sorted(range(k), key=lambda m: (-evidence.sign * means[m], m))
    shown = np.exp(means) if words.ratio else means
    kind = "geometric mean" if words.ratio else "mean"
    table = Table(
        columns=(Column("method", align="left"), Column(kind, words.value, key="mean")),
        rows=tuple((evidence.methods[m], evidence.overall(evidence.methods[m], float(shown[m]))) for m in order),
        caption=f"{words.name}, over {over}",
        notes=legend(evidence),
    )
    details = (
        f"F with {_df(found)} degrees of freedom (Greenhouse–Geisser){_share(found)}",
        "it needs sphericity (all differences have the same variance), which the correction only approximates, and "
        "normal scores on one scale",
    )
    which = (next_step("ask", "which pairs differ: a verdict without test="),)
    return Finding(
        statements=(
            Remark(Role.ANSWER, Text(_answer_of_anova(found, evidence, words, where, question.level)), "anova"),
            ByTest("", "one-way repeated-measures ANOVA", over, details),
            *(which if found.p_value < 1 - question.level else ()),
        ),
        table=table,
        scope=Scope(words, where, count=k, level=question.level),
        more_tables=(details_table(found),),
        order=tuple(evidence.methods[m] for m in order),
        joint_test=found,
    )


def rows_of_anova(evidence: Evidence, question: Question) -> tuple[FloatArray, float | None, str, str]:
    """The scores (data sets or splits in rows), their test share, and both as words for sentence and caption."""
    k, n = len(evidence.methods), len(evidence.datasets)
    if n > 1:
        if question.domains == "these":
            raise InputError(
                f"test='repeated_anova' over {n} data sets is about data sets such as these, but domains='these' was "
                "asked; leave domains or test out"
            )
        units = units_of(evidence, question.family)
        if units.n < FEWEST_DATASETS:
            raise InputError(
                f"test='repeated_anova' needs {FEWEST_DATASETS} or more data sets, or one with splits whose scheme is "
                f"known, got {units.in_words}; leave test out to judge each data set by itself"
            )
        return units.scores[:, :k], None, units.such, units.in_words
    dependence, folds = evidence.dependence[0], evidence.folds[0]
    if not dependence.known or len(folds) < 2:
        raise InputError(
            f"test='repeated_anova' needs several data sets, or splits whose scheme is known, got one data set with "
            f"{plural(len(folds), 'score')} per method of the scheme {dependence.scheme!r}; {dependence.lacking}"
        )
    ratio = dependence.overlap * dependence.test_share / (1 - dependence.test_share)
    over = f"{plural(len(folds), 'split')} ({dependence.scheme}), corrected for shared training data"
    return folds[:, :k], ratio / (1 + ratio), f"on {evidence.datasets[0]}", over


def _answer_of_anova(found: Outcome, evidence: Evidence, words: Wording, where: str, level: float) -> str:
    names, p = listed(evidence.methods), formats.p_equals(found.p_value)
    if np.isnan(found.p_value):
        return f"Whether {names} differ in {words.name} {where} is undefined: {listed(found.notes)}."
    if found.p_value < 1 - level:
        equal = "do not have the same" if len(evidence.methods) == 2 else "do not all have the same"
        return f"{names} {equal} mean {words.name} {where} ({p})."
    return f"The data show no difference in mean {words.name} among {names} {where} ({p})."


def _share(found: Outcome) -> str:
    """The share of the variance that is between methods, with its interval."""
    if found.effect is None or np.isnan(found.effect.low):
        return ""
    e, write = found.effect, formats.fixed(2)
    ends = formats.span(write)((e.low, e.high))
    return f", {e.quantity} {write(e.estimate)} [{ends}] ({e.method}, {100 * e.level:g} %)"


def _df(found: Outcome) -> str:
    return " and ".join(map(formats.significant(3), np.atleast_1d(np.asarray(found.df, dtype=float))))


def by_mcnemar(evidence: Evidence, question: Question, adjust: str) -> Finding:
    """Compare classifiers by the instances on which only one of two is right; see :func:`with_pooled_losses`."""
    _check_methods(evidence, "mcnemar")
    scheme = evidence.dependence[0].scheme
    finding = on_instances(evidence, question, adjust)
    said = tuple(replace(s, over=f"{s.over}; {scheme}") if isinstance(s, ByTest) else s for s in finding.statements)
    about = "it is about these models, and says nothing about how the algorithms vary with their training data"
    return replace(finding, statements=(*said, Remark(Role.DOUBT, Text(about), "models")))


def with_pooled_losses(results: Results, evidence: Evidence) -> Evidence:
    """The evidence for McNemar's test on a study: right and wrong on each instance, the folds of one repeat pooled."""
    if evidence.losses is not None and evidence.measure.name in COUNTED and not evidence.clustered:
        return evidence
    if len(evidence.datasets) > 1:
        raise InputError(
            f"test='mcnemar' is about one data set, got {plural(len(evidence.datasets), 'data set')}; leave test out, "
            "or take results.mcnemar(), which tests on each data set"
        )
    if evidence.measure.name not in COUNTED or evidence.clustered:
        what = "clusters of rows" if evidence.clustered else repr(evidence.measure.name)
        raise InputError(
            f"test='mcnemar' counts right and wrong of single instances: it needs the measure "
            f"{quoted(COUNTED, last='or')}, got {what}; leave test out"
        )
    if results.source is None:
        raise InputError("test='mcnemar' needs the predictions of single instances, got scores alone; leave test out")
    if results.scores["replicate"].nunique() > 1:
        raise InputError(
            "test='mcnemar' is about one model of each method, got several replicates; choose one "
            "(results.at(replicate=0)), or leave test out"
        )
    pooled = np.column_stack([_first_repeat(results, evidence, method) for method in evidence.methods])
    known = evidence.dependence[0]
    scheme = f"folds of the first repeat pooled, {known.scheme}" if known.repeats > 1 else f"{known.scheme}, pooled"
    return replace(
        evidence,
        yardsticks=(),
        folds=(pooled.mean(axis=0)[None, :],),
        dependence=(replace(known, scheme=scheme, repeats=1, folds=1, test_share=float("nan")),),
        losses=pooled,
        predictions=None,
        nested=None,
        failed=None if evidence.failed is None else evidence.failed[:, : len(evidence.methods)],
    )


def _first_repeat(results: Results, evidence: Evidence, method: str) -> FloatArray:
    """The counted measure of a method on each instance in the first repeat: right and wrong as 0 and 1."""
    right = next(iter(instance_answers(results, evidence.datasets[0], method).values()))
    return np.asarray(right if evidence.measure.higher_is_better else ~right, dtype=float)
