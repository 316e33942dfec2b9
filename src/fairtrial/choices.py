"""The choices that users have, each list once: types for editors, values for checks, sentences for help.

This module imports nothing heavy, so that the command line can list every choice at once. The rooms take their types
and checks from here. A keyword of a verdict, of a figure or of a table is declared in :class:`VerdictOptions`,
:class:`FigureOptions` or :class:`TableOptions`; the command line makes an option of it, and ``Results.verdict`` spells
it out in its signature, which mypy and a test compare with the declaration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypedDict, get_args

Domains = Literal["such as these", "these"]
DOMAINS: tuple[Domains, ...] = get_args(Domains)
"""What a verdict is about: data sets that are similar to these, or each of these."""

Alternatives = Literal["two-sided", "better", "not worse"]
ALTERNATIVES: tuple[Alternatives, ...] = get_args(Alternatives)
"""What is asked about each method and the control: any difference, only a better one, or none that is worse."""

Estimand = Literal["typical", "mean"]
ESTIMANDS: tuple[Estimand, ...] = get_args(Estimand)
"""What a difference over data sets is: the typical one (pseudo-median), or that of the means."""

Criterion = Literal["worst quarter", "mean", "regret"]
CRITERIA: tuple[Criterion, ...] = get_args(Criterion)
"""By what the most robust setting is chosen: the mean of its worst quarter, its mean, or its largest regret."""

AboutFactors = Literal["effects", "ablation", "robust_setting"]
ABOUT_FACTORS: dict[AboutFactors, str] = {
    "effects": "Say which factors matter, instead of a verdict at each level.",
    "ablation": "Say why it is better: divide the advantage of the last levels of all factors over the first.",
    "robust_setting": "Say which setting to take for a data set like these, and what the mean would have chosen.",
}
"""The questions about factors that can be asked instead of a verdict, and what each says."""

FailIf = Literal["worse", "not-better", "not-equivalent"]
FAIL_IF: tuple[FailIf, ...] = get_args(FailIf)
"""What a gate refuses: methods that are worse than the control, not better than it, or not equivalent to it."""

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

Spread = Literal["standard error", "standard deviation", "interval", "none"]
SPREADS: tuple[Spread, ...] = get_args(Spread)
"""What stands behind ± in a table of scores; an interval by half its width."""

Strongest = Literal["best", "indistinguishable", "winner", "none"]
STRONGEST: tuple[Strongest, ...] = get_args(Strongest)
"""Which scores are bold: the best, also all that are not distinguishable from it, or only one that beats all others."""

TimeStyle = Literal["units", "signs"]
TIME_STYLES: tuple[TimeStyle, ...] = get_args(TimeStyle)
"""How a table writes times, each in the unit that fits it: by name (1 min 12 s) or by sign (1.2′)."""

Rows = Literal["datasets", "methods"]
ROWS: tuple[Rows, ...] = get_args(Rows)
"""What the rows of a table of scores from elsewhere are."""

FigureSize = Literal["column", "page"]
FIGURE_SIZES: tuple[FigureSize, ...] = get_args(FigureSize)
"""The width of a figure in a paper: one column (3.4 inches), or the whole page (7 inches)."""

Summary = Literal["average", "best"]
SUMMARIES: tuple[Summary, ...] = get_args(Summary)
"""What a table of scores may have below or beside the scores: the average over data sets, the best of the methods."""

PaperWidth = Literal["text", "column", "page"]
PAPER_WIDTHS: tuple[PaperWidth, ...] = get_args(PaperWidth)
"""What a table in LaTeX has to fit: a page with one column of text, one column of a page with two, or both of them."""

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


SurfaceScale = Literal["measure", "logit"]
"""The scale of a response surface: that of the measure, or the logit of a measure from 0 to 1."""


class SurfaceOptions(TypedDict, total=False):
    """The options of a response surface, besides its measure: what each does.

    ``level``, ``failures`` and ``baseline`` are those of a verdict.
    """

    factors: Annotated[Sequence[str] | None, "A,B", "These numeric factors; by default all that vary."]
    method: Annotated[str | None, "METHOD", "The settings of this method."]
    dataset: Annotated[str | None, "NAME", "On this data set, over its splits; by default over all data sets."]
    order: Annotated[int, "1|2", "A plane (1) or a curved surface (2)."]
    scale: Annotated[SurfaceScale, "SCALE", "The scale of the fit: that of the measure, or logit."]
    level: Annotated[float | None, "SHARE", "The confidence level."]
    failures: Annotated[FailurePolicy | None, "POLICY", "How failed trials are scored."]
    baseline: Annotated[str | None, "METHOD", "The method that failed trials are scored by."]


class AskedOptions(TypedDict, total=False):
    """What can be asked of results by verdicts, tables and figures: type, name of the value in help, what each does.

    An option that also is a field of :class:`~fairtrial.Question` replaces that part of the study's question.
    """

    control: Annotated[
        str | None,
        "METHOD",
        "Compare all other methods with this one; 'none': with the best, where the study has a control.",
    ]
    level: Annotated[float | None, "X", "Confidence level of intervals and tests; 0.95 by default."]
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


class VerdictOptions(AskedOptions, total=False):
    """The options of a verdict, beside those that it shares with tables and figures."""

    measure: Annotated[
        str | Sequence[str] | None,
        "NAME",
        "What 'better' means: a measure of `fairtrial list measures`; A,B tests several at once.",
    ]
    smallest_difference: Annotated[
        float | str | Mapping[str, float | str] | None,
        "X",
        "The smallest difference that matters: 0.5pp (percentage points), 5% where ratios are compared, or a number in "
        "units of the measure; or by measure: accuracy=1pp,rmse=5%.",
    ]
    claim: Annotated[
        float | str | None, "X", "Test whether one method is better than this level of the measure: 95% or 0.95."
    ]
    domains: Annotated[Domains | None, "", "One verdict on data sets such as these (default), or one on each of these."]
    pairs: Annotated[bool | None, "", "Compare all pairs instead of each method with the best of the others."]
    adjust: Annotated[
        str,
        "HOW",
        "Adjustment for several comparisons: best (default), simultaneous (all pairs), holm and others, or none.",
    ]
    per_dataset: Annotated[str | None, "TEST", "Compare with the control on each data set: corrected_t, or paired_t."]
    test: Annotated[str | None, "NAME", "A test by name: five_by_two_f, five_by_two_t, repeated_anova or mcnemar."]


class FigureOptions(AskedOptions, total=False):
    """The options of figures of results; each kind of figure takes some of them."""

    dataset: Annotated[str | None, "NAME", "The data set, where there are several."]
    methods: Annotated[Sequence[str] | None, "A,B", "Only these methods; two for a scatter or simplex."]
    positive: Annotated[object, "CLASS", "The positive class, against all others (one-vs-rest)."]
    folds: Annotated[FoldsOfCurves, "", "One curve of all test sets merged (default), or the average of ROC curves."]
    measure: Annotated[str | None, "NAME", "The measure that is drawn, of `fairtrial list measures`."]
    factor: Annotated[str | None, "NAME", "The factor whose levels are drawn, where there are several."]
    cost: Annotated[str | None, "NAME", "The cost that quality is drawn against; fit_time by default."]
    smallest_difference: Annotated[
        float | str | None, "X", "The smallest difference that matters (0.5pp, 5%); the question's by default."
    ]
    test: Annotated[RankTests | None, "", "Decide by average ranks in a critical-difference diagram."]
    joined: Annotated[bool | None, "", "Join the scores of the same fold with lines."]
    size: Annotated[FigureSize | None, "", "The width in a paper: one column (3.4 in) or the page (7 in); any figure."]
    caption: Annotated[bool | None, "NO", "The title above the figure and the remarks below it; any figure."]


class TableOptions(AskedOptions, total=False):
    """The options of tables of results; each kind of table takes some of them."""

    measure: Annotated[str | None, "NAME", "The measure that is shown, of `fairtrial list measures`."]
    measures: Annotated[Sequence[str] | None, "A,B", "The measures that are shown, where a table shows several."]
    dataset: Annotated[str | None, "NAME", "The data set, where there are several."]
    methods: Annotated[Sequence[str] | None, "A,B", "Only these methods, in this order."]
    smallest_difference: Annotated[
        float | str | None, "X", "The smallest difference that matters (0.5pp, 5%); the question's by default."
    ]
    factor: Annotated[str | None, "NAME", "The factor whose levels are shown, where there are several."]
    adjust: Annotated[str | None, "HOW", "Adjustment for several comparisons: simultaneous, holm and others, or none."]
    test: Annotated[str | None, "NAME", "The test whose critical values are shown, or that decides about marks."]
    spread: Annotated[Spread | None, "", "What stands behind ±."]
    strong: Annotated[Strongest | None, "", "Which scores are bold."]
    marks: Annotated[
        Mapping[str, Sequence[str]] | None,
        "SIGN=A:B,…",
        "Signs for chosen comparisons: *=new:old marks new where it is significantly better than old.",
    ]
    transpose: Annotated[bool | None, "", "Methods in rows, data sets in columns."]
    beside: Annotated[str | None, "NAME", "A further measure in brackets, such as predict_time."]
    summary: Annotated[
        Sequence[str] | None,
        "A,B",
        "Further rows: the average over data sets, the best of the methods (average, best).",
    ]
    percent: Annotated[bool | None, "", "Write shares as percentages."]
    decimals: Annotated[int | None, "N", "Decimals; by default as many as the uncertainty allows."]
    caption: Annotated[bool | None, "NO", "The caption above the table, which says what is estimated; any table."]
    times: Annotated[TimeStyle | None, "", "Write each time in its own unit (1 min 12 s), or with its sign (1.2′)."]
