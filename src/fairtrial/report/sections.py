"""The contents of a report: the sections of one verdict, or of verdicts at several levels, in the order of reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from fairtrial.design import FACTORS, Level, checklist_facts, write_levels
from fairtrial.experiments import FactorAnswer, ResultsAnswer, answer_to
from fairtrial.figures import figures_for, levels_picture
from fairtrial.report.closer_look import closer_look
from fairtrial.report.factor_blocks import (
    factors_numbers,
    factors_pictures,
    factors_question,
    factors_table,
    factors_test,
    facts_of,
)
from fairtrial.report.hidden_places import without_places
from fairtrial.report.lede import level_numbers, question_of, verdict_numbers
from fairtrial.report.planned import answered_guidelines
from fairtrial.report.reading_help import explained, with_help, with_preamble
from fairtrial.report.references import references
from fairtrial.report.study_facts import (
    datasets_table,
    failures_table,
    measured_facts,
    methods_table,
    planned_facts,
    provenance_facts,
    warnings_table,
)
from fairtrial.report.why_this_test import why_this_test
from fairtrial.report.write_up import bibtex, methods_paragraph
from fairtrial.result_tables import table_of_results
from fairtrial.results import Results
from fairtrial.results.absentees import sentence_about
from fairtrial.statements import Role
from fairtrial.tables import (
    Block,
    Document,
    Facts,
    Folded,
    Heading,
    Paragraph,
    Picture,
    Points,
    References,
    Source,
    Table,
)
from fairtrial.tables.document import Unfolded
from fairtrial.verdict import LevelVerdicts, Verdict
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import as_sentence

EXPLAINED_BELOW = "What the columns mean stands below the figure."


def report_document(
    results: Results, verdict: ResultsAnswer | None = None, *, full_provenance: bool = False
) -> Document:
    """The report on results and a verdict; sections without content are left out.

    Without a verdict the results' own question is answered: by effects where parameters of methods were varied, at each
    level of the training data where there are several. Hosts and paths are left out, unless ``full_provenance`` keeps
    them.
    """
    if verdict is None:
        verdict = answer_to(results)
    if isinstance(verdict, Verdict):
        results = replace(results, policy=verdict.evidence.policy)
        question, numbers = question_of(verdict), verdict_numbers(results, verdict)
        sections = _verdict_sections(results, verdict, full_provenance)
    elif isinstance(verdict, LevelVerdicts):
        question, numbers = question_of(verdict.verdicts[0]), level_numbers(results, verdict)
        sections = _level_sections(results, verdict, full_provenance)
    else:
        question, numbers = factors_question(verdict), factors_numbers(results, verdict)
        sections = _factor_sections(results, verdict, full_provenance)
    blocks = with_preamble(with_help(sections), results, verdict)
    document = Document((*verdict.answer_blocks(), *blocks, numbers), title=question)
    return document if full_provenance else without_places(document, results)


def _section(anchor: str, title: str, *blocks: Block | None) -> Iterator[Block]:
    """A heading and its blocks, without the empty ones; no section where all are empty."""
    kept = [block for block in blocks if block]
    if kept:
        yield Heading(title, anchor)
        yield from kept


def _paragraphs(texts: Iterable[str]) -> Iterator[Paragraph]:
    return map(Paragraph, texts)


def _verdict_sections(results: Results, verdict: Verdict, full: bool) -> Iterator[Block]:
    pictures = figures_for(verdict)
    last = [p for p in pictures[1:] if p.title.startswith("Levels on ")]
    main = [p for p in pictures if p not in last]
    yield replace(verdict.page_table(), call="verdict.to_table()", explain=EXPLAINED_BELOW)
    yield from main[:1]
    yield Facts(tuple(verdict.page_remarks()))
    if columns := verdict.explanations():
        yield Folded("What the columns mean", (Facts(columns),))
    checks: tuple[Unfolded, ...] = (Facts(tuple(verdict.full_remarks())), *verdict.more_tables())
    yield Folded("Every check, reason and reference", checks)
    yield from _section("more", "More pictures", *main[1:])
    yield from _section("why", "Why this test", *why_this_test(results, verdict))
    yield from _each_dataset(results, verdict, last)
    yield from _section("closer", "A closer look", *closer_look(results, verdict))
    yield from _section("measures", "Other measures", _other_measures(results, verdict))
    yield from _measured_sections(results, verdict, full)
    yield from _planned_section(results, verdict)
    yield from _section("paper", "How to write it up", *_write_up(verdict))
    yield from _origin_sections(results, verdict, full)


def _scores(results: Results, verdict: Verdict) -> Table:
    """The scores that the verdict is based on, after its failure policy."""
    asked = results if verdict.basis is None else verdict.basis.results
    return table_of_results(asked, "scores", measure=verdict.measure.name, level=verdict.question.level)


def _other_measures(results: Results, verdict: Verdict) -> Table | None:
    """The average of every measure, methods in the order of the verdict; None if there is only one measure."""
    if len(results.measures) < 2:
        return None
    order = [m for m in verdict.finding.order if m in results.method_names()]
    rest = [m for m in results.method_names() if m not in order]
    return table_of_results(results, "measures", methods=[*order, *rest])


def _write_up(verdict: Verdict) -> Iterator[Block]:
    """A paragraph for a paper, to be copied as text or as LaTeX with its BibTeX."""
    yield Paragraph(methods_paragraph(verdict))
    sources = (Source(methods_paragraph(verdict, "latex"), "latex"), Source(bibtex(verdict), "bibtex"))
    yield Folded("The same with citations, in LaTeX and BibTeX", sources)


def _measured_sections(results: Results, verdict: Verdict | FactorAnswer, full: bool) -> Iterator[Block]:
    """How the scores were measured, which trials failed, and which gave warnings."""
    tables = (datasets_table(results, full), methods_table(results), results.tuning_table())
    yield from _section("measured", "How it was measured", Facts(measured_facts(results, verdict)), *tables)
    yield from _failures_section(results, verdict, full)
    yield from _section("warnings", "Warnings", warnings_table(results, full))


def _planned_section(results: Results, verdict: Verdict | FactorAnswer) -> Iterator[Block]:
    """What was planned before the first trial, and the guidelines for experiments with the study's answers."""
    guidelines = checklist_facts(answered_guidelines(results, verdict))
    folded = Folded("The plan, by the guidelines for experiments", (guidelines,)) if guidelines else None
    return _section("planned", "What was planned beforehand", Facts(planned_facts(verdict)), folded)


def _origin_sections(results: Results, verdict: Verdict | FactorAnswer, full: bool) -> Iterator[Block]:
    """Where the numbers come from, and the works behind the procedures."""
    yield from _section("provenance", "Where the numbers come from", Facts(provenance_facts(results, full)))
    cited = tuple((reference.text, reference.url) for reference in references(verdict))
    yield from _section("references", "References", References(cited))


def _each_dataset(results: Results, verdict: Verdict, pictures: list[Picture]) -> Iterator[Block]:
    """The section on each data set, without the means where the verdict's own table has them."""
    several = len(verdict.evidence.datasets) > 1
    new = verdict.finding.compared is not None or bool(verdict.parts)
    title = "On each data set" if several else f"On {verdict.evidence.datasets[0]}"
    means = _scores(results, verdict) if several and new else None
    parts = (
        Folded(name, (*_paragraphs(text.render() for text in part.said(Role.ANSWER)), part.table))
        for name, part in verdict.parts.items()
    )
    return _section("datasets", title, means, *pictures, *parts)


def _failures_section(results: Results, verdict: Verdict | FactorAnswer, full: bool) -> Iterator[Block]:
    table = failures_table(results, full)
    if table is None:
        return
    gone = verdict.did_not_run if isinstance(verdict, Verdict) else ()
    absent = (sentence_about(gone),) if gone else ()
    done = (*absent, *(as_sentence(notice.text) for notice in verdict.evidence.notices))
    rule = "No failed trial was dropped silently: each is a record, and a stated policy says what it counts as."
    yield from _section("failures", "Failed trials", *_paragraphs((*done, rule)), table)


def _factor_sections(results: Results, answer: FactorAnswer, full: bool) -> Iterator[Block]:
    known = facts_of(answer)
    shown = (*answer.further_answers(), factors_table(answer), *factors_pictures(results, answer))
    yield from _section("effects", known.title, *shown)
    yield from _section("page", "Test, doubts and next steps", Facts(tuple(answer.page_remarks())))
    yield from _section("variance", known.more, *answer.more_tables())
    yield from _section("why", "Why this test", factors_test(answer))
    yield from _section("checked", "What was checked", Points(answer.points()))
    steps = (as_sentence(text.render()) for text in answer.said(Role.NEXT))
    yield from _section("stable", "What would change it", *_paragraphs(steps))
    yield from _measured_sections(results, answer, full)
    yield from _planned_section(results, answer)
    yield from _origin_sections(results, answer, full)


def _level_sections(results: Results, verdicts: LevelVerdicts, full: bool) -> Iterator[Block]:
    first = verdicts.verdicts[0]
    table = explained(verdicts.to_table(), "verdicts.to_table()")
    order = verdicts.order_effects
    orders = () if order is None else (explained(order.to_table(), "results.order_effects()"),)
    yield from _section("levels", "Over the levels", table, *orders, *_level_pictures(results, verdicts))
    yield from _section("charts", "Wins, losses and ties", *(verdicts.charts() if verdicts.has_charts else ()))
    for number, (levels, verdict) in enumerate(verdicts):
        yield from _level_section(number, levels, verdict)
    yield from _section("checked", "What was checked", Points(verdicts.points()))
    yield from _measured_sections(results, first, full)
    yield from _planned_section(results, first)
    yield from _origin_sections(results, first, full)


def _level_pictures(results: Results, verdicts: LevelVerdicts) -> Iterator[Picture]:
    """The picture of the measure against the levels, where there are one or two factors."""
    if len(results.factors) <= 2 and verdicts.measure.name in results.measures:
        figure, factor = levels_picture(results, verdicts.measure.name)
        name = Wording(verdicts.measure).name
        about = FACTORS[factor].title if factor in FACTORS else factor
        explain = f"Each line is a method. Where it falls, {name} becomes lower as the {about} grows."
        call = f"results.figure('levels', measure={verdicts.measure.name!r})"
        yield Picture(f"{name} against {factor}", f"{name} against the {about}.", figure, explain=explain, call=call)


def _level_section(number: int, levels: Mapping[str, Level], verdict: Verdict) -> Iterator[Block]:
    """The section on one level: its answer, its table, and its pictures folded away."""
    pictures = (Folded(picture.title, (picture,)) for picture in figures_for(verdict))
    sentences = _paragraphs(verdict.sentences)
    table = verdict.to_table()
    return _section(f"level-{number}", f"At {write_levels(levels)}", *sentences, table, *pictures)
