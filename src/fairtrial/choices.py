"""The choices that users have, each list once: types for editors, values for checks, sentences for help.

This module imports nothing heavy, so that the command line can list every choice at once. The rooms take their types
and checks from here. A keyword of a verdict or of a figure is declared in :class:`VerdictOptions` or
:class:`FigureOptions`; the command line makes an option of it, and ``Results.verdict`` and ``Results.figure`` spell it
out in their signatures, which mypy and a test compare with the declaration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypedDict, get_args

__all__ = [
    "ALTERNATIVES",
    "DOMAINS",
    "ESTIMANDS",
    "FAILURE_POLICIES",
    "FOLDS_OF_CURVES",
    "MEMORIES",
    "OBJECTIVES",
    "RANK_TESTS",
    "TIMINGS",
    "Alternatives",
    "Domains",
    "Estimand",
    "FailurePolicy",
    "FigureOptions",
    "FoldsOfCurves",
    "Memory",
    "Objective",
    "RankTests",
    "Timing",
    "VerdictOptions",
]

Domains = Literal["such as these", "these"]
DOMAINS: tuple[Domains, ...] = get_args(Domains)
"""What a verdict is about: data sets that are similar to these, or each of these."""

Alternatives = Literal["two-sided", "better", "not worse"]
ALTERNATIVES: tuple[Alternatives, ...] = get_args(Alternatives)
"""What is asked about each method and the control: any difference, only a better one, or none that is worse."""

Estimand = Literal["typical", "mean"]
ESTIMANDS: tuple[Estimand, ...] = get_args(Estimand)
"""What a difference over data sets is: the typical one (pseudo-median), or that of the means."""

FailurePolicy = Literal["baseline", "worst", "drop", "refuse"]
FAILURE_POLICIES: tuple[FailurePolicy, ...] = get_args(FailurePolicy)
"""How failed trials are scored."""

Timing = Literal["shared", "exclusive"]
TIMINGS: tuple[Timing, ...] = get_args(Timing)
"""Whether trials may run at the same time, or one at a time, for the sake of their times."""

Memory = Literal["mark", "exact"]
MEMORIES: tuple[Memory, ...] = get_args(Memory)
"""How the peak memory of a trial is measured: by the mark of its process, or exactly, by tracing allocations."""

FoldsOfCurves = Literal["merged", "vertical", "horizontal", "threshold"]
FOLDS_OF_CURVES: tuple[FoldsOfCurves, ...] = get_args(FoldsOfCurves)
"""How the test sets of a method become one curve: merged into one ranking, or as an average of their ROC curves."""

RankTests = Literal["nemenyi", "bonferroni_dunn"]
RANK_TESTS: tuple[RankTests, ...] = get_args(RankTests)
"""The tests of average ranks by which a critical-difference diagram can be drawn, instead of by the verdict's tests."""

Objective = Literal["classify", "find", "rank", "probabilities", "values", "distribution", "cost"]
OBJECTIVES: dict[Objective, str] = {
    "classify": "predict the right class as often as possible",
    "find": "find the positives; negatives that are left alone don't matter",
    "rank": "rank instances; the threshold is chosen later",
    "probabilities": "predict probabilities that can be trusted",
    "values": "predict a number",
    "distribution": "predict a number and its uncertainty",
    "cost": "train and predict within limits of time and memory",
}
"""What predictions are for, and what that means."""


class VerdictOptions(TypedDict, total=False):
    """The options of a verdict: type, name of the value in help, and what each does.

    An option that also is a field of :class:`~fairtrial.Question` replaces that part of the study's question.
    """

    measure: Annotated[
        str | Sequence[str] | None,
        "NAME",
        "What 'better' means: a measure of `fairtrial list measures`; A,B tests several at once.",
    ]
    control: Annotated[str | None, "METHOD", "Compare all other methods with this one, instead of all pairs."]
    smallest_difference: Annotated[
        float | Mapping[str, float] | None,
        "X",
        "The smallest difference that matters, in units of the measure; or by measure: accuracy=0.01,rmse=0.1.",
    ]
    level: Annotated[float | None, "X", "Confidence level of intervals and tests; 0.95 by default."]
    claim: Annotated[float | None, "X", "Test whether one method is better than this level of the measure."]
    domains: Annotated[Domains | None, "", "One verdict on data sets such as these (default), or one on each of these."]
    alternative: Annotated[
        Alternatives | None, "", "Ask only whether methods are better than the control, or not worse by what matters."
    ]
    estimand: Annotated[Estimand | None, "", "Compare by the typical difference over data sets (default) or the mean."]
    family: Annotated[
        Mapping[str, Sequence[str]] | None, "NAME=A,B", "Data sets that belong together and count as one, in a family."
    ]
    context: Annotated[Mapping[str, object] | None, "", "Where the methods will be used: class balance and costs."]
    failures: Annotated[FailurePolicy | None, "", "How failed trials are scored."]
    baseline: Annotated[str | None, "METHOD", "The method whose score replaces the scores of failed trials."]
    adjust: Annotated[
        str, "HOW", "Adjustment for several comparisons: simultaneous (default), holm and others, or none."
    ]
    per_dataset: Annotated[str | None, "TEST", "Compare with the control on each data set: corrected_t, or paired_t."]
    test: Annotated[str | None, "NAME", "A test by name: five_by_two_f, five_by_two_t, repeated_anova or mcnemar."]


class FigureOptions(TypedDict, total=False):
    """The options of figures of results; each kind of figure takes some of them."""

    dataset: Annotated[str | None, "NAME", "The data set, where there are several."]
    methods: Annotated[Sequence[str] | None, "A,B", "Only these methods; one for a confusion matrix."]
    positive: Annotated[object, "CLASS", "The positive class, against all others (one-vs-rest)."]
    folds: Annotated[FoldsOfCurves, "", "One curve of all test sets merged (default), or the average of ROC curves."]
    measure: Annotated[str | None, "NAME", "The measure that is drawn, of `fairtrial list measures`."]
    factor: Annotated[str | None, "NAME", "The factor whose levels are drawn, where there are several."]
    cost: Annotated[str | None, "NAME", "The cost that quality is drawn against; fit_time by default."]
    control: Annotated[str | None, "METHOD", "The control that all other methods are compared with."]
    smallest_difference: Annotated[float | None, "X", "The smallest difference that matters, drawn as a band."]
    test: Annotated[RankTests | None, "", "Decide by average ranks in a critical-difference diagram."]
