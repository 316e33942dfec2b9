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


class FactorOptions(TypedDict, total=False):
    """What all questions about factors take, besides the measure: what each does."""

    method: Annotated[str | None, "METHOD", "the settings of this method"]
    failures: Annotated[FailurePolicy | None, "POLICY", "failed trials: baseline, worst, drop or refuse"]
    baseline: Annotated[str | None, "METHOD", "its scores replace those of failed trials"]


class EffectsOptions(FactorOptions, total=False):
    """The options of effects."""

    smallest_difference: Annotated[
        float | str | Mapping[str, float | str] | None, "X", "what matters: 0.5pp, 5% or 0.01"
    ]
    level: Annotated[float | None, "X", "of intervals and tests; 0.95 by default"]
    dataset: Annotated[str | None, "NAME", "on this data set, over its splits"]
    interactions: Annotated[int | None, "N", "factors in the largest interaction; 2 by default"]


class AblationOptions(FactorOptions, total=False):
    """The options of an ablation."""

    smallest_difference: Annotated[
        float | str | Mapping[str, float | str] | None, "X", "what matters: 0.5pp, 5% or 0.01"
    ]
    level: Annotated[float | None, "X", "of intervals and tests; 0.95 by default"]
    dataset: Annotated[str | None, "NAME", "on this data set, over its splits"]
    components: Annotated[
        Sequence[str] | Mapping[str, Sequence[object]] | None, "A,B", "these factors; or A=from:to,B=from:to"
    ]


class RobustOptions(FactorOptions, total=False):
    """The options of the most robust setting."""

    criterion: Annotated[Criterion, "HOW", "worst quarter (default), mean or regret"]


class SurfaceOptions(FactorOptions, total=False):
    """The options of a response surface, besides its measure: what each does."""

    factors: Annotated[Sequence[str] | None, "A,B", "these numeric factors; by default all that vary"]
    dataset: Annotated[str | None, "NAME", "on this data set, over its splits"]
    order: Annotated[int, "1|2", "a plane (1) or a curved surface (2)"]
    scale: Annotated[SurfaceScale, "SCALE", "of the fit: measure (default) or logit"]
    level: Annotated[float | None, "X", "of intervals and tests; 0.95 by default"]


class AskedOptions(TypedDict, total=False):
    """What can be asked of results by verdicts, tables and figures: type, name of the value in help, what each does.

    An option that also is a field of :class:`~fairtrial.Question` replaces that part of the study's question.
    """

    control: Annotated[
        str | None,
        "METHOD",
        "compare all others with this one; or 'none'",
    ]
    level: Annotated[float | None, "X", "of intervals and tests; 0.95 by default"]
    alternative: Annotated[Alternatives | None, "SIDE", "only 'better' or 'not worse' than the control"]
    estimand: Annotated[Estimand | None, "WHICH", "typical difference over data sets, or mean"]
    family: Annotated[
        Mapping[str, Sequence[str]] | None, "NAME=A,B", "data sets that count as one; 'none': no families"
    ]
    context: Annotated[Mapping[str, object] | None, "", "where methods will be used: class balance, costs"]
    failures: Annotated[FailurePolicy | None, "POLICY", "failed trials: baseline, worst, drop or refuse"]
    baseline: Annotated[str | None, "METHOD", "its scores replace those of failed trials"]


class VerdictOptions(AskedOptions, total=False):
    """The options of a verdict, beside those that it shares with tables and figures."""

    measure: Annotated[
        str | Sequence[str] | None,
        "NAME",
        "what 'better' means; A,B tests several at once",
    ]
    smallest_difference: Annotated[
        float | str | Mapping[str, float | str] | None,
        "X",
        "what matters: 0.5pp, 5%, 0.01; accuracy=1pp,rmse=5%",
    ]
    claim: Annotated[float | str | None, "X", "test one method against this level: 95% or 0.95"]
    where: Annotated[str | None, "CONDITION", "claim about some data sets against others: 'n >= 1000'"]
    domains: Annotated[Domains | None, "WHICH", "one verdict on 'such as these', or each of 'these'"]
    pairs: Annotated[bool | None, "", "all pairs, not each method with the best of the others"]
    compare_trivial: Annotated[bool | None, "", "methods that learn nothing are compared, too"]
    adjust: Annotated[
        str,
        "HOW",
        "best (default), simultaneous, holm and others, or none",
    ]
    per_dataset: Annotated[str | None, "TEST", "against the control on each data set: corrected_t"]
    test: Annotated[str | None, "NAME", "five_by_two_f, five_by_two_t, repeated_anova, mcnemar"]


class FigureOptions(AskedOptions, total=False):
    """The options of figures of results; each kind of figure takes some of them."""

    dataset: Annotated[str | None, "NAME", "the data set, where there are several"]
    methods: Annotated[Sequence[str] | None, "A,B", "only these methods; two for a scatter or simplex"]
    positive: Annotated[object, "CLASS", "the positive class, against all others"]
    folds: Annotated[FoldsOfCurves, "HOW", "curves of test sets merged (default), or average"]
    measure: Annotated[str | None, "NAME", "the measure, of `fairtrial list measures`"]
    factor: Annotated[str | None, "NAME", "the factor whose levels are drawn"]
    cost: Annotated[str | None, "NAME", "what quality is drawn against; fit_time by default"]
    smallest_difference: Annotated[float | str | None, "X", "what matters: 0.5pp, 5% or 0.01"]
    test: Annotated[RankTests | None, "NAME", "by average ranks: nemenyi or bonferroni_dunn"]
    joined: Annotated[bool | None, "", "join the scores of the same fold with lines"]
    size: Annotated[FigureSize | None, "SIZE", "for a paper: column (3.4 in) or page (7 in)"]
    caption: Annotated[bool | None, "NO", "title above and remarks below"]


class TableOptions(AskedOptions, total=False):
    """The options of tables of results; each kind of table takes some of them."""

    measure: Annotated[str | None, "NAME", "the measure, of `fairtrial list measures`"]
    measures: Annotated[Sequence[str] | None, "A,B", "the measures, where a table shows several"]
    dataset: Annotated[str | None, "NAME", "the data set, where there are several"]
    methods: Annotated[Sequence[str] | None, "A,B", "only these methods, in this order"]
    smallest_difference: Annotated[float | str | None, "X", "what matters: 0.5pp, 5% or 0.01"]
    factor: Annotated[str | None, "NAME", "the factor whose levels are shown"]
    adjust: Annotated[str | None, "HOW", "simultaneous (default), holm and others, or none"]
    test: Annotated[str | None, "NAME", "whose critical values are shown, or that marks"]
    spread: Annotated[Spread | None, "WHAT", "behind ±: 'standard error', interval or none"]
    strong: Annotated[Strongest | None, "WHICH", "bold: best, indistinguishable, winner or none"]
    marks: Annotated[
        Mapping[str, Sequence[str]] | None,
        "SIGN=A:B,…",
        "*=new:old marks new where it beats old",
    ]
    transpose: Annotated[bool | None, "", "methods in rows, data sets in columns"]
    beside: Annotated[str | None, "NAME", "a further measure in brackets"]
    summary: Annotated[
        Sequence[str] | None,
        "A,B",
        "further rows: average over data sets, best method",
    ]
    percent: Annotated[bool | None, "", "shares as percentages"]
    decimals: Annotated[int | None, "N", "by default as many as the uncertainty allows"]
    caption: Annotated[bool | None, "NO", "caption that says what is estimated"]
    times: Annotated[TimeStyle | None, "HOW", "units (1 min 12 s) or signs (1.2′)"]
