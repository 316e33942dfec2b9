"""The contents of a report: the sections of one verdict, or of verdicts at several levels, in the order of reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

from fairtrial.design import FACTORS, Level, Question, checklist_facts, write_levels
from fairtrial.errors import InputError
from fairtrial.figures import (
    confusion_figure,
    figures_for,
    levels_data,
    levels_figure,
    nemenyi_figure,
    pictures_of_test,
    roc_figure,
)
from fairtrial.figures.verdict_pairs import MOST_IN_DIAGRAM
from fairtrial.measures import in_words
from fairtrial.report.effect_blocks import effects_numbers, effects_pictures, effects_question, effects_test
from fairtrial.report.hidden_places import without_places
from fairtrial.report.planned import answered_guidelines
from fairtrial.report.references import references
from fairtrial.report.study_facts import (
    datasets_table,
    failures_table,
    methods_table,
    provenance_facts,
    warnings_table,
)
from fairtrial.report.write_up import bibtex, methods_paragraph
from fairtrial.result_tables import table_of_results
from fairtrial.results import Results
from fairtrial.results.absentees import sentence_about
from fairtrial.results.analyses.tested_methods import absent_from
from fairtrial.stats import Comparisons
from fairtrial.stats.adjust import TITLES
from fairtrial.tables import (
    Block,
    Document,
    Facts,
    Folded,
    Heading,
    Numbers,
    Paragraph,
    Picture,
    Points,
    References,
    Source,
    Table,
    formats,
)
from fairtrial.verdict import FactorEffects, LevelVerdicts, ResultsAnswer, Verdict, answer_to
from fairtrial.verdict.wording import Wording
from fairtrial.words import listed, plural, verb

__all__ = ["report_document"]

MOST_DATASETS = 3
"""Pictures of each data set are shown up to this number of data sets; ``fairtrial draw`` makes any of them."""


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
        question, numbers = _question_of(verdict), _numbers(results, verdict)
        sections = _verdict_sections(results, verdict, full_provenance)
    elif isinstance(verdict, FactorEffects):
        question, numbers = effects_question(verdict), effects_numbers(results, verdict)
        sections = _effects_sections(results, verdict, full_provenance)
    else:
        question, numbers = _question_of(verdict.verdicts[0]), _numbers_of_levels(results, verdict)
        sections = _level_sections(results, verdict, full_provenance)
    document = Document((*verdict.answer_blocks(), numbers, *sections), title=question)
    return document if full_provenance else without_places(document, results)


def _section(anchor: str, title: str, *blocks: Block | None) -> Iterator[Block]:
    """A heading and its blocks, without the empty ones; no section where all are empty."""
    kept = [block for block in blocks if block]
    if kept:
        yield Heading(title, anchor)
        yield from kept


def _paragraphs(texts: tuple[str, ...]) -> Iterator[Paragraph]:
    return map(Paragraph, texts)


def _question_of(verdict: Verdict) -> str:
    """The question in the author's words or, without these, in ours."""
    asked = verdict.question
    if asked.text:
        return asked.text
    if verdict.finding.measures:
        return f"Do the methods differ in {listed(map(in_words, verdict.finding.measures), None)} jointly?"
    name = Wording(verdict.measure).name
    if asked.control is not None:
        return f"How do the others compare with {asked.control} in {name}?"
    if len(verdict.evidence.methods) == 1:
        method = verdict.evidence.methods[0]
        if asked.claim is not None:
            goal = "above" if verdict.measure.higher_is_better else "below"
            return f"Is the {name} of {method} {goal} {asked.claim:g}?"
        return f"What {name} does {method} reach?"
    return f"Which method has the {Wording(verdict.measure).best_word} {name}?"


def _numbers(results: Results, verdict: Verdict) -> Numbers:
    """The size of a study with one verdict, at a glance."""
    one = results.scores[results.scores["measure"] == next(iter(results.measures))]
    counted = {"data set": len(verdict.evidence.datasets), "method": len(verdict.evidence.methods)}
    if len(one) > len(verdict.evidence.datasets) * len(verdict.evidence.columns):
        counted["trial"] = len(one)
    shown = [*_counts(counted)]
    if results.definition is not None or len(results.failures):
        shown.append((formats.count(len(results.failures)), "failed"))
    if verdict.evidence.absent:
        shown.append((formats.count(len(verdict.evidence.absent)), "did not run"))
    return Numbers((*shown, (f"{100 * verdict.question.level:g} %", "confidence")))


def _verdict_sections(results: Results, verdict: Verdict, full: bool) -> Iterator[Block]:
    pictures = figures_for(verdict)
    main, last = (pictures[:-1], pictures[-1:]) if len(pictures) > 1 else (pictures, [])
    tables = (verdict.to_table(), *verdict.finding.more_tables)
    yield from _section("verdict", "The evidence", *tables, *main, _to_be_copied(verdict))
    yield from _why(results, verdict)
    yield from _section("checked", "What was checked", Points(verdict.points()))
    changes = tuple(map(_sentence, (*verdict.stable, *verdict.finding.next_steps)))
    yield from _section("stable", "How stable it is, and what would change it", *_paragraphs(changes))
    yield from _each_dataset(results, verdict, last)
    yield from _section("closer", "A closer look", *_closer_look(results, verdict))
    yield from _section("measures", "Other measures", _other_measures(results, verdict))
    yield from _failures_section(results, verdict, full)
    yield from _material_sections(results, full)
    yield from _provenance_sections(results, verdict, full)
    yield _write_up(verdict)


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


def _write_up(verdict: Verdict) -> Folded:
    """A paragraph for a paper, to be copied as text or as LaTeX with its BibTeX."""
    sources = (Source(methods_paragraph(verdict, "latex"), "latex"), Source(bibtex(verdict), "latex"))
    return Folded("How to write it up", (Paragraph(methods_paragraph(verdict)), *sources))


def _to_be_copied(verdict: ResultsAnswer) -> Folded:
    return Folded("Copy this table as LaTeX", (Source(verdict.to_table(), "latex"),))


def _provenance_sections(results: Results, verdict: Verdict | FactorEffects, full: bool) -> Iterator[Block]:
    """The sections on how the numbers came about, and on the works behind the procedures."""
    guidelines = checklist_facts(answered_guidelines(results, verdict))
    planned = Folded("The plan, by the guidelines for experiments", (guidelines,)) if guidelines else None
    yield from _section("provenance", "How it was made", Facts(provenance_facts(results, verdict, full)), planned)
    cited = tuple((reference.text, reference.url) for reference in references(verdict))
    yield from _section("references", "References", References(cited))


def _material_sections(results: Results, full: bool) -> Iterator[Block]:
    """The sections on warnings, tuning, data sets and methods."""
    yield from _section("warnings", "Warnings", warnings_table(results, full))
    yield from _section("tuning", "Tuning", results.tuning_table())
    known = {"data sets": datasets_table(results, full), "methods": methods_table(results)}
    title = listed(name for name, table in known.items() if table is not None).capitalize()
    yield from _section("materials", title, *known.values())


def _why(results: Results, verdict: Verdict) -> Iterator[Block]:
    """The section on the test: its choice, its null hypothesis, its level."""
    facts = [("Test", _sentence(verdict.finding.test)), ("Why this one", _sentence(verdict.why))]
    tested = _first_comparisons(verdict)
    if tested is not None:
        null = _sentence(tested.outcomes[0].null)
        meant = f"{null} A small p-value speaks against this; a large one does not speak for it."
        facts.append(("Null hypothesis", f"For each pair of methods: {meant[0].lower()}{meant[1:]}"))
        facts.append(("Decided at", _decided_at(tested)))
    smallest = verdict.question.delta
    if smallest is not None:
        facts.append(("What matters", f"differences of {smallest:g} or more, {_when_stated(results, verdict)}"))
    if verdict.question.claim is not None:
        stated = _study_question(results)
        when = _stated(stated is not None and stated.claim == verdict.question.claim)
        facts.append(("Claim", f"{verdict.measure.name} better than {verdict.question.claim:g}, {when}"))
    facts.append(("Reference", verdict.reference))
    return _section("why", "Why this test", Facts(tuple(facts)), *_depth(verdict))


def _when_stated(results: Results, verdict: Verdict) -> str:
    """When the smallest difference was stated: with the study, or only when the verdict was made."""
    study = _study_question(results)
    return _stated(study is not None and study.delta_for(verdict.measure.name) == verdict.question.delta)


def _study_question(results: Results) -> Question | None:
    return None if results.definition is None else Question.from_dict(results.definition.question)


def _stated(with_the_study: bool) -> str:
    return "stated with the study" if with_the_study else "stated when the verdict was made"


def _first_comparisons(verdict: Verdict) -> Comparisons | None:
    """The tests over data sets or, where each data set has a verdict of its own, those on the first that has any."""
    for finding in (verdict.finding, *verdict.parts.values()):
        if finding.comparisons is not None and finding.comparisons.outcomes:
            return finding.comparisons
    return None


def _decided_at(tested: Comparisons) -> str:
    limit = f"p < {1 - tested.level:.3g}"
    if len(tested.pairs) < 2:
        return limit
    how = TITLES.get(tested.adjusted, tested.adjusted)
    if tested.simultaneous:
        return f"{limit} for all pairs together ({how}), which is where 0 lies outside the interval"
    pairs = plural(len(tested.pairs), "pair")
    return (
        f"{limit}, not adjusted for {pairs}" if tested.adjusted == "none" else f"{limit}, adjusted by {how} for {pairs}"
    )


def _depth(verdict: Verdict) -> Iterator[Folded]:
    """The folded details of the test: all comparisons, and the classical diagram."""
    if verdict.comparisons is not None and len(verdict.comparisons.pairs) > 1:
        scale = (Paragraph("Effects are differences of logarithms."),) if verdict.evidence.as_ratio else ()
        yield Folded("All tests that were made", (*scale, verdict.comparisons.to_table()))
    for picture in pictures_of_test(verdict):
        yield Folded(picture.title, (picture,))
    few = len(verdict.evidence.methods) <= MOST_IN_DIAGRAM
    if verdict.omnibus is not None and verdict.question.control is None and few:
        caption = (
            "Average ranks that differ by less than the critical difference are joined. Nothing here was decided by "
            "it: what it says of two methods depends on which others are compared."
        )
        picture = Picture("Nemenyi's diagram", caption, nemenyi_figure(verdict))
        yield Folded("The classical critical-difference diagram (Nemenyi)", (picture,))


def _each_dataset(results: Results, verdict: Verdict, pictures: list[Picture]) -> Iterator[Block]:
    """The section on each data set, without the means where the verdict's own table has them."""
    several = len(verdict.evidence.datasets) > 1
    new = verdict.comparisons is not None or bool(verdict.parts)
    title = "On each data set" if several else f"On {verdict.evidence.datasets[0]}"
    means = _scores(results, verdict) if several and new else None
    parts = (Folded(name, (*_paragraphs(part.sentences), part.table)) for name, part in verdict.parts.items())
    return _section("datasets", title, means, *pictures, *parts)


def _failures_section(results: Results, verdict: Verdict | FactorEffects, full: bool) -> Iterator[Block]:
    table = failures_table(results, full)
    if table is None:
        return
    gone = verdict.did_not_run if isinstance(verdict, Verdict) else ()
    absent = (sentence_about(gone),) if gone else ()
    done = (*absent, *(_sentence(notice.text) for notice in verdict.evidence.notices))
    rule = "No failed trial was dropped silently: each is a record, and a stated policy says what it counts as."
    yield from _section("failures", "Failed trials", *_paragraphs((*done, rule)), table)


def _sentence(text: str) -> str:
    """The text as a sentence, with a capital and a full stop.

    >>> _sentence("the same winner in all cases")
    'The same winner in all cases.'
    """
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _closer_look(results: Results, verdict: Verdict) -> Iterator[Picture]:
    """Curves and confusion matrices, where there are predictions of classes on few data sets."""
    names = [d for d in verdict.evidence.datasets if results.datasets.get(d, {}).get("classes")]
    if results.source is None or not 0 < len(names) <= MOST_DATASETS:
        return
    order = (*verdict.finding.order, *verdict.evidence.methods)
    for name in names:
        absent = absent_from(results, name)
        first = next((m for m in order if m not in absent), order[0])
        if len(results.datasets[name]["classes"]) == 2:
            yield from _if_possible(partial(_roc_picture, results, name))
        yield from _if_possible(partial(_confusion_picture, results, name, first))


def _if_possible(make: Callable[[], Picture]) -> Iterator[Picture]:
    """The picture, unless a method has no labels, or not both classes."""
    with suppress(InputError):
        yield make()


def _sentences(notes: Iterable[str]) -> str:
    """Notes as sentences that follow a caption."""
    return "".join(f" {_sentence(note)}" for note in notes)


def _roc_picture(results: Results, dataset: str) -> Picture:
    curves = results.curves("roc", dataset=dataset)
    caption = (
        "All test sets merged into one ranking: a view of all thresholds, not a test. "
        "The areas differ from the mean over folds, since scores of different models need not be comparable."
    )
    return Picture(f"ROC curves on {dataset}", caption + _sentences(curves.notes), roc_figure(curves))  # type: ignore[arg-type]


def _confusion_picture(results: Results, dataset: str, method: str) -> Picture:
    matrix = results.confusion_matrix(method, dataset)
    caption = "Over all test sets; shares are of the true class."
    caption += _sentences(matrix.notes)
    return Picture(f"Confusion matrix of {method} on {dataset}", caption, confusion_figure(matrix))


def _effects_sections(results: Results, effects: FactorEffects, full: bool) -> Iterator[Block]:
    pictures = effects_pictures(results, effects)
    yield from _section("effects", "What matters", effects.to_table(), *pictures, _to_be_copied(effects))
    yield from _section("variance", "What adds up", *effects.more_tables())
    yield from _section("why", "Why this test", effects_test(effects))
    yield from _section("checked", "What was checked", Points(effects.points()))
    yield from _section("stable", "What would change it", *_paragraphs(tuple(map(_sentence, effects.next_steps))))
    yield from _failures_section(results, effects, full)
    yield from _material_sections(results, full)
    yield from _provenance_sections(results, effects, full)


def _numbers_of_levels(results: Results, verdicts: LevelVerdicts) -> Numbers:
    counted = {
        "data set": len(results.dataset_names()),
        "method": len(results.method_names()) - len(results.yardsticks),
        "level": len(verdicts.levels),
        "trial": len(results.scores[results.scores["measure"] == next(iter(results.measures))]),
    }
    return Numbers((*_counts(counted), (formats.count(len(results.failures)), "failed")))


def _counts(counted: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Numbers as they are written, and their nouns."""
    return ((formats.count(n), verb(n, noun, f"{noun}s")) for noun, n in counted.items())


def _level_sections(results: Results, verdicts: LevelVerdicts, full: bool) -> Iterator[Block]:
    pictures = _level_pictures(results, verdicts)
    yield from _section("levels", "Over the levels", verdicts.to_table(), *pictures, _to_be_copied(verdicts))
    yield from _section("charts", "Wins, losses and ties", *(verdicts.charts() if verdicts.has_charts else ()))
    for number, (levels, verdict) in enumerate(verdicts):
        yield from _level_section(number, levels, verdict)
    yield from _section("checked", "What was checked", Points(verdicts.points()))
    first = verdicts.verdicts[0]
    yield from _failures_section(results, first, full)
    yield from _material_sections(results, full)
    yield from _provenance_sections(results, first, full)


def _level_pictures(results: Results, verdicts: LevelVerdicts) -> Iterator[Picture]:
    """The picture of the measure against the levels, where there is only one factor."""
    if len(results.factors) == 1 and verdicts.measure.name in results.measures:
        (factor,) = results.factors
        name = Wording(verdicts.measure).name
        about = FACTORS[factor].title if factor in FACTORS else factor
        figure = levels_figure(levels_data(results, factor, verdicts.measure.name))
        yield Picture(f"{name} against {factor}", f"{name} against the {about}.", figure)


def _level_section(number: int, levels: Mapping[str, Level], verdict: Verdict) -> Iterator[Block]:
    """The section on one level: its answer, its table, and its pictures folded away."""
    pictures = (Folded(picture.title, (picture,)) for picture in figures_for(verdict))
    sentences = _paragraphs(verdict.finding.sentences)
    return _section(f"level-{number}", f"At {write_levels(levels)}", *sentences, verdict.to_table(), *pictures)
