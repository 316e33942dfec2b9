"""The contents of a report: the sections of one verdict, or of verdicts at several levels, in the order of reading.

A closer look at predictions: curves and confusion matrices, where there are few data sets.

The top of a report: its question, and key numbers.

The guidelines A to G in a report: what was planned before the run, as far as the study file tells.

Hide paths in all texts of a report, and hosts in the messages of methods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

import numpy as np

from fairtrial.definition import StudyDefinition
from fairtrial.design import FACTORS, Guideline, Level, Question, StudyOutline, checklist, checklist_facts, write_levels
from fairtrial.errors import InputError
from fairtrial.experiments import FactorAnswer, ResultsAnswer, answer_to
from fairtrial.figures import confusion_figure, figures_for, levels_picture, roc_figure
from fairtrial.measures import in_words
from fairtrial.report.factor_blocks import (
    factors_numbers,
    factors_pictures,
    factors_question,
    factors_table,
    factors_test,
    facts_of,
)
from fairtrial.report.study_facts import (
    datasets_table,
    failures_table,
    measured_facts,
    methods_table,
    planned_facts,
    provenance_facts,
    warnings_table,
)
from fairtrial.report.why_this_test import explained, why_this_test, with_help, with_preamble
from fairtrial.report.write_up import bibtex, methods_paragraph, references
from fairtrial.result_tables import table_of_results
from fairtrial.results import Results
from fairtrial.results.absentees import brief_reason, sentence_about
from fairtrial.results.analyses.tested_methods import absent_from
from fairtrial.statements import Role
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
from fairtrial.tables.document import Unfolded
from fairtrial.tables.private import hide_places
from fairtrial.verdict import LevelVerdicts, Verdict
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import as_sentence, listed, plural, verb

MOST_DATASETS = 3
"""Pictures of each data set are shown up to this number of data sets; ``fairtrial draw`` makes any of them."""

HOW_TO_READ_ROC = (
    "Each point of a curve is a threshold: to the right more negatives are called positive, upwards more positives are "
    "found. A curve nearer to the upper left corner is better; the diagonal is guessing."
)
HOW_TO_READ_CONFUSION = (
    "Rows are true classes, columns are predicted ones. Right predictions stand on the diagonal; the darkest cells "
    "beside it are the most frequent confusions."
)


def closer_look(results: Results, verdict: Verdict) -> Iterator[Picture]:
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
    return "".join(f" {as_sentence(note)}" for note in notes)


def _roc_picture(results: Results, dataset: str) -> Picture:
    curves = results.curves("roc", dataset=dataset)
    caption = (
        "All test sets merged into one ranking: a view of all thresholds, not a test. "
        "The areas differ from the mean over folds, since scores of different models need not be comparable."
    )
    title, figure = f"ROC curves on {dataset}", roc_figure(curves)  # type: ignore[arg-type]
    call = f"results.figure('roc', dataset={dataset!r})"
    return Picture(title, caption + _sentences(curves.notes), figure, explain=HOW_TO_READ_ROC, call=call)


def _confusion_picture(results: Results, dataset: str, method: str) -> Picture:
    matrix = results.confusion_matrix(method, dataset)
    caption = "Over all test sets; shares are of the true class."
    caption += _sentences(matrix.notes)
    title, figure = f"Confusion matrix of {method} on {dataset}", confusion_figure(matrix)
    call = f"results.figure('confusion', methods=[{method!r}], dataset={dataset!r})"
    return Picture(title, caption, figure, explain=HOW_TO_READ_CONFUSION, call=call)


def question_of(verdict: Verdict) -> str:
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
            return f"Is the {name} of {method} {goal} {Wording(verdict.measure).claimed(float(asked.claim))}?"
        return f"What {name} does {method} reach?"
    return f"Which method has the {Wording(verdict.measure).best_word} {name}?"


def verdict_numbers(results: Results, verdict: Verdict) -> Numbers:
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


def level_numbers(results: Results, verdicts: LevelVerdicts) -> Numbers:
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


def answered_guidelines(results: Results, verdict: Verdict | FactorAnswer) -> tuple[Guideline, ...]:
    """The guidelines with the answers of a study that was run; empty for results from elsewhere.

    The answers are those that were stored before the first trial, where these are known.
    """
    plan, now = results.provenance.plan, results.definition
    trials = None if results.source is None else results.source.trials
    if now is None or trials is None:
        return ()
    study = now if plan is None else plan.definition
    question = Question.from_dict(now.question) if plan is None else plan.question
    these = question.domains == "these" or _is_each(verdict)
    outline = StudyOutline(
        question=question,
        measures=study.measures,
        datasets=[d.name for d in study.datasets],
        methods=[m.name for m in study.methods if not m.yardstick],
        scheme=str(study.dependence["scheme"]),
        seed=study.seed,
        trials=len(trials),
        tests=_tests(verdict),
        conclusions="about each of these data sets" if these else "about data sets such as these",
        fits=plural(len(trials), "fit"),
        cost=_cost(results),
        factors={f.name: f.shown for f in study.factors},
        replicates=study.replicates or 1,
        settings=0 if isinstance(verdict, Verdict) else len(verdict.settings),
        strategy="" if isinstance(verdict, Verdict) else _strategy(study),
    )
    return checklist(outline)


def _strategy(study: StudyDefinition) -> str:
    """How the settings were chosen, in words."""
    return "all combinations of levels" if study.layout is None else str(study.layout["kind"])


def _is_each(verdict: Verdict | FactorAnswer) -> bool:
    """Whether the answer is about each of the data sets by itself."""
    return verdict.finding.each if isinstance(verdict, Verdict) else verdict.kind != "over data sets"


def _tests(verdict: Verdict | FactorAnswer) -> str:
    """The tests that were made, in words; empty if there were none."""
    if not isinstance(verdict, Verdict):
        return verdict.test if verdict.procedures else ""
    return "" if verdict.finding.comparisons is None and not _has_tests(verdict) else verdict.test


def _has_tests(verdict: Verdict) -> bool:
    parts = verdict.parts.values()
    return verdict.claim is not None or any(p.comparisons is not None or p.claim is not None for p in parts)


def _cost(results: Results) -> str:
    """How long all trials took together, in words; empty where no times are known."""
    trials = None if results.source is None else results.source.trials
    seconds = 0.0 if trials is None else float(np.nansum(trials[["fit_time", "predict_time"]].to_numpy(dtype=float)))
    return f"{formats.duration(seconds)} of computing, in all" if seconds > 0 else ""


def without_places(document: Document, results: Results) -> Document:
    """A document without the paths that methods, data and users wrote into it.

    Hosts are left out of the reasons of failures only: a data set may have the name of a machine.
    """
    return document.map_text(_hiding(results))


def _hiding(results: Results) -> Callable[[str], str]:
    """A function that hides places in a text; the text may quote why methods did not run."""
    errors = results.failures["error"].unique() if "error" in results.failures else ()
    quoted = {reason: hide_places(reason, results.provenance.hosts) for reason in map(brief_reason, errors)}
    changed = {reason: hidden for reason, hidden in quoted.items() if reason != hidden}

    def hide(text: str) -> str:
        for reason, hidden in changed.items():
            text = text.replace(reason, hidden)
        return hide_places(text)

    return hide


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
