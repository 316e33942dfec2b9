"""The analysis of variance of methods over folds or data sets, or of the factors of an experiment."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairtrial.design import FEWEST_DATASETS
from fairtrial.errors import InputError, UnknownName
from fairtrial.experiments import FactorEffects
from fairtrial.result_tables.chosen_part import chosen_part, scores_of_pairs
from fairtrial.result_tables.named_tables import table_of
from fairtrial.stats import Outcome, anova, repeated_anova
from fairtrial.stats.factorial.factorial_anova import Source
from fairtrial.stats.groups import FOLD_NOTE
from fairtrial.stats.several_methods.anova import SHARED_FOLDS_NOTE
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict import Evidence
from fairtrial.verdict.absent_methods import left_out
from fairtrial.verdict.designs.named_tests import rows_of_anova
from fairtrial.verdict.designs.over_datasets import per_set
from fairtrial.verdict.words.wording import Wording, span_of
from fairtrial.words import plural, quoted

if TYPE_CHECKING:
    from fairtrial.results import Results

TESTS = ("repeated_anova", "anova")
"""Methods on the same folds or data sets (default), or, on one data set, as groups that share nothing (one-way)."""

CORRECTED = "F is the ratio of the mean squares divided by {by}, for training data that folds share"
ONE_SCALE = "data sets must have scores on one scale, and normal differences; the verdict needs neither"
WRITE = formats.significant(4)
EXPLAIN = (
    "Each row is a source of variation. F compares the mean square of the methods with that of the residual: a large F "
    "and a small p say that some methods differ, not which; take the table 'pairwise' for that. The effect size is the "
    "share of the variation, without that between {rows}, which the methods explain."
)
EXPLAIN_ONE_WAY = (
    "Each row is a source of variation. F compares the variation between the means of the methods with that of the "
    "folds of one method: a large F and a small p say that some methods differ, not which; take the table 'pairwise' "
    "for that. The effect size is the share of all variation that lies between methods."
)
EXPLAIN_FACTORS = (
    "Each row is a source of variation, and all of them add up to the total. A factor or an interaction is tested "
    "against its own variation over data sets, the row '… × data sets' below it. The effect size is the share of the "
    "two that the factor explains; which levels differ is what results.effects() says."
)


@table_of("anova")
def variance_table(
    results: Results,
    *,
    measure: str | None = None,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
    level: float | None = None,
    test: str | None = None,
) -> Table:
    """Sources of variation with sums of squares, degrees of freedom, mean squares, F, p and effect sizes."""
    if test is not None and test not in TESTS:
        raise UnknownName.among("analysis of variance", test, TESTS)
    part = chosen_part(results, dataset, methods)
    if part.factors:
        return _of_factors(part, measure, level, test)
    evidence, question = scores_of_pairs(part, measure=measure, level=level)
    _check_design(evidence, test)
    scores, share, _, over = rows_of_anova(evidence, question)
    words, k = Wording(evidence.measure), plural(len(evidence.methods), "method")
    corrected = share is not None and CORRECTED.format(by=formats.significant(4)(1 + len(scores) * share / (1 - share)))
    notes = (corrected or ONE_SCALE,)
    if test == "anova":
        outcome = anova(list(scores.T), test_share=share, names=evidence.methods, level=question.level)
        caption = f"{words.name} on {evidence.datasets[0]}, {k}: one-way analysis of variance over {over}"
        return _made(evidence, outcome, caption, "", EXPLAIN_ONE_WAY, notes)
    outcome = repeated_anova(scores, test_share=share, names=evidence.methods, level=question.level)
    rows = "folds" if share is not None else "data sets"
    where = f" on {evidence.datasets[0]}" if share is not None else f", {per_set(evidence)}"
    scale = ", logarithms" if evidence.as_ratio and share is None else ""
    caption = f"{words.name}{where}{scale}, {k}: analysis of variance with repeated measures over {over}"
    return _made(evidence, outcome, caption, rows, EXPLAIN.format(rows=rows), notes)


def _check_design(evidence: Evidence, test: str | None) -> None:
    """Refuse what no analysis of variance fits: few data sets, or scores without a scheme."""
    n, folds, known = len(evidence.datasets), evidence.folds[0], evidence.dependence[0]
    if n > 1 and test == "anova":
        raise InputError(
            "test='anova' is for the folds of one data set, since data sets differ by nature; name one (dataset='…'), "
            "or leave test out, which takes the data sets as blocks"
        )
    if 1 < n < FEWEST_DATASETS:
        raise InputError(
            f"an analysis of variance over data sets needs {FEWEST_DATASETS} of them, got {n}; name one of "
            f"{quoted(evidence.datasets)} (dataset='…', --dataset) for an analysis over its folds"
        )
    if n == 1 and (len(folds) < 2 or not known.known):
        raise InputError(
            f"an analysis of variance needs several scores from splits of a known scheme, but {evidence.datasets[0]} "
            f"has {plural(len(folds), 'score')} for each method, scheme {known.scheme!r}; {known.lacking}, or give "
            "several data sets"
        )


def _made(
    evidence: Evidence, outcome: Outcome, caption: str, blocks: str, explain: str, notes: tuple[str, ...]
) -> Table:
    rows = [dict(row) for row in outcome.details["table"]]
    if blocks:
        rows[1]["source"] = blocks
        rows.append({"source": "total", **{name: sum(row[name] for row in rows) for name in ("sum of squares", "df")}})
    else:
        rows[0]["source"], rows[1]["source"] = "between methods", "within methods"
    effect = outcome.effect
    assert effect is not None
    cells = [
        (r["source"], r["sum of squares"], r["df"], r.get("mean square"), r.get("F"), r.get("p"),
         effect.estimate if i == 0 else None, span_of(effect) if i == 0 else None)
        for i, r in enumerate(rows)
    ]  # fmt: skip
    sphericity: tuple[str, ...] = ()
    epsilon = outcome.details.get("greenhouse_geisser", math.nan)
    if not math.isnan(epsilon) and len(evidence.methods) > 2:
        by = f"{rows[0]['df'] * epsilon:.2f} and {rows[-2]['df'] * epsilon:.2f}"
        sphericity = (f"p with {by} degrees of freedom (Greenhouse and Geisser's correction, ε = {epsilon:.3f})",)
    own = tuple(note for note in outcome.notes if note not in (FOLD_NOTE, SHARED_FOLDS_NOTE))
    ends, alpha = f"{100 * effect.level:g} % interval", (1 - effect.level) / 2
    more = (*sphericity, *notes, f"{ends}: of the effect size; its lower end is above 0 where p < {alpha:.3g}", *own)
    return Table(
        _columns(effect.quantity, ends),
        tuple(cells),
        caption,
        (*more, *left_out(evidence.absent), *((evidence.scored,) if evidence.scored else ())),
        rule_before=(len(cells) - 1,),
        explain=explain,
    )


def _columns(effect: str, ends: str = "") -> tuple[Column, ...]:
    return (
        Column("source", align="left"),
        Column("sum of squares", WRITE),
        Column("df"),
        Column("mean square", WRITE),
        Column("F", WRITE),
        Column("p", formats.p_value),
        Column(effect, formats.fixed(3), key="effect_size"),
        *((Column(ends, formats.span(formats.fixed(3)), key="interval"),) if ends else ()),
    )


def _of_factors(results: Results, measure: str | None, level: float | None, test: str | None) -> Table:
    if test is not None:
        raise InputError(
            f"test is for methods without factors, got {test!r}; leave it out, or choose levels with at(…)"
        )
    effects = results.effects(measure, level=level)
    if effects.anova is None:
        raise InputError(
            f"an analysis of variance of factors needs {FEWEST_DATASETS} data sets or more, got "
            f"{len(effects.evidence.datasets)}; take results.effects(), which says what one data set can show"
        )
    return _table_of_factors(effects)


def _table_of_factors(effects: FactorEffects) -> Table:
    found, words = effects.anova, Wording(effects.measure)
    assert found is not None
    rows = [
        (s.name, s.squares, s.df, s.mean_square if s.df else None, s.f if s.error else None,
         s.p_value if s.error else None, _partial_eta(s, {o.name: o for o in found.sources}))
        for s in found.sources
    ]  # fmt: skip
    rows.append(("total", found.total.squares, found.total.df, None, None, None, None))
    scale = ", logarithms" if effects.as_ratio else ""
    caption = (
        f"{words.name}{scale}: analysis of variance of {plural(len(effects.varied), 'factor')} over "
        f"{plural(len(effects.evidence.datasets), 'data set')}, each effect against its variation over data sets"
    )
    return Table(_columns("partial eta²"), tuple(rows), caption, found.notes, (len(rows) - 1,), explain=EXPLAIN_FACTORS)


def _partial_eta(source: Source, sources: dict[str, Source]) -> float | None:
    """The share of a source in itself and its error; None where it has no test."""
    if not source.error:
        return None
    both = source.squares + sources[source.error].squares
    return source.squares / both if both > 0 else math.nan
