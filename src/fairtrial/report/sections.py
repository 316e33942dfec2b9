"""What a report says: the sections of one verdict, or of verdicts at several levels, in the order of reading."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from fairtrial.design import FACTORS, Level, write_levels
from fairtrial.errors import InputError
from fairtrial.figures import (
    Picture,
    confusion_figure,
    figures_for,
    levels_data,
    levels_figure,
    nemenyi_figure,
    roc_figure,
)
from fairtrial.report.contents import Contents, Folded, Section, table_without_places, without_places
from fairtrial.report.references import references
from fairtrial.report.score_tables import dataset_means, measure_means
from fairtrial.report.study_facts import (
    datasets_table,
    failures_table,
    methods_table,
    provenance_facts,
    warnings_table,
)
from fairtrial.results import Results
from fairtrial.results.absentees import sentence_about
from fairtrial.results.analyses.tested_methods import absent_from
from fairtrial.results.failure_policy import LeftOut
from fairtrial.stats import Comparisons
from fairtrial.stats.adjust import TITLES
from fairtrial.tables import Table, formats
from fairtrial.verdict import LevelVerdicts, Verdict
from fairtrial.verdict.wording import Wording
from fairtrial.words import plural

__all__ = ["contents_of", "contents_of_levels"]

MOST_DATASETS = 3
"""With more data sets the page would become an atlas; ``fairtrial draw`` makes any of these pictures."""


def contents_of(results: Results, verdict: Verdict, *, full_provenance: bool = False) -> Contents:
    """All that a report shows of these results and this verdict; what isn't known has no section.

    Hosts and paths are left out, unless ``full_provenance`` keeps them.
    """
    more = verdict.finding.sentences[2 if verdict.did_not_run else 1 :]
    results = replace(results, policy=verdict.evidence.policy)
    sections = tuple(s for s in _verdict_sections(results, verdict, full_provenance) if not s.is_empty)
    key = _key_figures(results, verdict)
    contents = Contents(_question_of(verdict), verdict.answer, tuple(more), key, sections, absence=verdict.absence)
    return contents if full_provenance else without_places(contents, results)


def _question_of(verdict: Verdict) -> str:
    """The question in words: the author's own, or what was asked in effect."""
    asked = verdict.question
    if asked.text:
        return asked.text
    name = Wording(verdict.measure).name
    if asked.control is not None:
        return f"How do the others compare with {asked.control} in {name}?"
    if len(verdict.evidence.methods) == 1:
        return f"What {name} does {verdict.evidence.methods[0]} reach?"
    return f"Which method has the {Wording(verdict.measure).best_word} {name}?"


def _key_figures(results: Results, verdict: Verdict) -> tuple[tuple[str, str], ...]:
    """The size of the study at a glance: number and what is counted."""
    one = results.scores[results.scores["measure"] == next(iter(results.measures))]
    counted = {"data set": len(verdict.evidence.datasets), "method": len(verdict.evidence.methods)}
    if len(one) > len(verdict.evidence.datasets) * len(verdict.evidence.columns):
        counted["trial"] = len(one)
    figures = [(formats.count(n), noun + "s" * (n != 1)) for noun, n in counted.items()]
    if "definition" in results.provenance or len(results.failures):
        figures.append((formats.count(len(results.failures)), "failed"))
    if verdict.evidence.absent:
        figures.append((formats.count(len(verdict.evidence.absent)), "did not run"))
    return (*figures, (f"{100 * verdict.question.level:g} %", "confidence"))


def _verdict_sections(results: Results, verdict: Verdict, full: bool) -> Iterator[Section]:
    pictures = figures_for(verdict)
    main, last = (pictures[:-1], pictures[-1:]) if len(pictures) > 1 else (pictures, [])
    yield Section(
        "verdict",
        "The evidence",
        tables=(verdict.to_table(),),
        pictures=tuple(main),
        folded=(_latex_of(verdict.to_table(), results, full),),
    )
    yield _why(results, verdict)
    yield Section("checked", "What was checked", points=verdict.notices)
    changes = (*(_sentence(s) for s in verdict.stable), *(_sentence(s) for s in verdict.finding.next_steps))
    yield Section("stable", "How stable it is, and what would change it", text=changes)
    yield _each_dataset(verdict, tuple(last))
    yield Section("closer", "A closer look", pictures=tuple(_closer_look(results, verdict)))
    measures = measure_means(results, verdict.finding.order)
    yield Section("measures", "Other measures", tables=(measures,) if measures else ())
    yield _failures_section(results, verdict, full)
    yield from _material_sections(results, full)
    yield Section("provenance", "How it was made", facts=provenance_facts(results, verdict, full))
    yield Section("references", "References", references=references(verdict))


def _latex_of(table: Table, results: Results, full: bool) -> Folded:
    """The table to be copied into a paper."""
    shown = table if full else table_without_places(table, results)
    return Folded("Copy this table as LaTeX", verbatim=shown.to_latex())


def _material_sections(results: Results, full: bool) -> Iterator[Section]:
    """What warned, and what was tried on what."""
    warned = warnings_table(results, full)
    yield Section("warnings", "Warnings", tables=(warned,) if warned else ())
    tuned = results.tuning_table()
    yield Section("tuning", "Tuning", tables=(tuned,) if tuned else ())
    known = {"data sets": datasets_table(results, full), "methods": methods_table(results)}
    there = {name: table for name, table in known.items() if table is not None}
    yield Section("materials", " and ".join(there).capitalize(), tables=tuple(there.values()))


def _why(results: Results, verdict: Verdict) -> Section:
    """The test, why it was chosen, and what it tests."""
    facts = [("Test", _sentence(verdict.finding.test)), ("Why this one", _sentence(verdict.why))]
    tested = _first_comparisons(verdict)
    if tested is not None:
        null = _sentence(tested.outcomes[0].null)
        meant = f"{null} A small p-value speaks against this; a large one does not speak for it."
        facts.append(("Null hypothesis", f"For each pair of methods: {meant[0].lower()}{meant[1:]}"))
        facts.append(("Decided at", _decided_at(tested)))
    smallest = verdict.question.smallest_difference
    if smallest is not None:
        facts.append(("What matters", f"differences of {smallest:g} or more, {_when_stated(results, smallest)}"))
    facts.append(("Reference", verdict.reference))
    return Section("why", "Why this test", facts=tuple(facts), folded=tuple(_depth(verdict)))


def _when_stated(results: Results, smallest: float) -> str:
    """Only what the study itself states was said before the run; a verdict can be asked for with another afterwards."""
    stated = ((results.provenance.get("definition") or {}).get("question") or {}).get("smallest_difference")
    return "stated with the study" if stated == smallest else "said when the verdict was asked for"


def _first_comparisons(verdict: Verdict) -> Comparisons | None:
    """The tests over data sets or, where each is judged by itself, those on the first."""
    for finding in (verdict.finding, *verdict.parts.values()):
        if finding.comparisons is not None and finding.comparisons.outcomes:
            return finding.comparisons
    return None


def _decided_at(tested: Comparisons) -> str:
    limit = f"p < {1 - tested.level:.3g}"
    if len(tested.pairs) < 2:
        return limit
    how = TITLES.get(tested.adjusted, tested.adjusted)
    pairs = plural(len(tested.pairs), "pair")
    return (
        f"{limit}, not adjusted for {pairs}" if tested.adjusted == "none" else f"{limit}, adjusted by {how} for {pairs}"
    )


def _depth(verdict: Verdict) -> Iterator[Folded]:
    if verdict.comparisons is not None and len(verdict.comparisons.pairs) > 1:
        scale = ("Effects are differences of logarithms.",) if verdict.evidence.as_ratio else ()
        yield Folded("All tests that were made", table=verdict.comparisons.to_table(), text=scale)
    if verdict.omnibus is not None and verdict.question.control is None:
        caption = (
            "Average ranks that differ by less than the critical difference are joined. Nothing here was decided by "
            "it: what it says of two methods depends on which others are compared."
        )
        picture = Picture("Nemenyi's diagram", caption, nemenyi_figure(verdict))
        yield Folded("The classical critical-difference diagram (Nemenyi)", picture=picture)


def _each_dataset(verdict: Verdict, pictures: tuple[Picture, ...]) -> Section:
    """Means per data set, unless the verdict's own table has them already."""
    several = len(verdict.evidence.datasets) > 1
    new = verdict.comparisons is not None or bool(verdict.parts)
    title = "On each data set" if several else f"On {verdict.evidence.datasets[0]}"
    tables = (dataset_means(verdict),) if several and new else ()
    return Section("datasets", title, tables=tables, pictures=pictures, folded=_parts(verdict))


def _parts(verdict: Verdict) -> tuple[Folded, ...]:
    return tuple(Folded(name, table=part.table, text=part.sentences) for name, part in verdict.parts.items())


def _failures_section(results: Results, verdict: Verdict, full: bool) -> Section:
    table = failures_table(results, full)
    if table is None:
        return Section("failures", "")
    absent = (sentence_about(verdict.did_not_run),) if verdict.did_not_run else ()
    done = (*absent, *(_sentence(notice.text) for notice in verdict.evidence.notices))
    rule = "No failed trial was dropped silently: each is a record, and a stated policy says what it counts as."
    return Section("failures", "Failed trials", text=(*done, rule), tables=(table,))


def _sentence(text: str) -> str:
    """With a capital and a full stop.

    >>> _sentence("the same winner in all cases")
    'The same winner in all cases.'
    """
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _closer_look(results: Results, verdict: Verdict) -> Iterator[Picture]:
    """Pictures of each data set, where there are predictions of classes, and few data sets."""
    names = [d for d in verdict.evidence.datasets if results.datasets.get(d, {}).get("classes")]
    if results.source is None or not 0 < len(names) <= MOST_DATASETS:
        return
    order = (*verdict.finding.order, *verdict.evidence.methods)
    for name in names:
        absent = absent_from(results, name)
        first = next((m for m in order if m not in absent), order[0])
        if len(results.datasets[name]["classes"]) == 2:
            yield from _say_what_is_left_out(partial(_roc_picture, results, name))
        yield from _say_what_is_left_out(partial(_confusion_picture, results, name, first))


def _say_what_is_left_out(make: Callable[[], Picture]) -> Iterator[Picture]:
    """The picture, where it is to be had, with a caption that says which trials and methods are not in it."""
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", LeftOut)
            picture = make()
    except InputError:  # a method without labels, or without both classes
        return
    left_out = dict.fromkeys(str(w.message) for w in caught if issubclass(w.category, LeftOut))
    words = "".join(f" {text[0].upper()}{text[1:]}." for text in left_out)
    yield picture._replace(caption=picture.caption + words)


def _roc_picture(results: Results, dataset: str) -> Picture:
    curves = results.curves("roc", dataset=dataset)
    caption = (
        "All test sets merged into one ranking: a view of all thresholds, not a test. "
        "The areas differ from the mean over folds, since scores of different models need not be comparable."
    )
    return Picture(f"ROC curves on {dataset}", caption, roc_figure(curves))  # type: ignore[arg-type]


def _confusion_picture(results: Results, dataset: str, method: str) -> Picture:
    matrix = results.confusion_matrix(method, dataset)
    caption = "Over all test sets; shares are of the true class."
    return Picture(f"Confusion matrix of {method} on {dataset}", caption, confusion_figure(matrix))


def contents_of_levels(results: Results, verdicts: LevelVerdicts, *, full_provenance: bool = False) -> Contents:
    """All that a report shows of results at several levels; without hosts and paths, unless these are kept."""
    first = verdicts.verdicts[0]
    sections = tuple(s for s in _level_sections(results, verdicts, full_provenance) if not s.is_empty)
    key = _key_figures_of_levels(results, verdicts)
    contents = Contents(_question_of(first), verdicts.answer, (), key, sections, absence=verdicts.absence)
    return contents if full_provenance else without_places(contents, results)


def _key_figures_of_levels(results: Results, verdicts: LevelVerdicts) -> tuple[tuple[str, str], ...]:
    counted = {
        "data sets": len(results.dataset_names()),
        "methods": len(results.method_names()) - len(results.yardsticks),
        "levels": len(verdicts.levels),
        "trials": len(results.scores[results.scores["measure"] == next(iter(results.measures))]),
        "failed": len(results.failures),
    }
    return tuple((formats.count(n), noun) for noun, n in counted.items())


def _level_sections(results: Results, verdicts: LevelVerdicts, full: bool) -> Iterator[Section]:
    pictures = tuple(_level_pictures(results, verdicts))
    yield Section(
        "levels",
        "Over the levels",
        tables=(verdicts.to_table(),),
        pictures=pictures,
        folded=(_latex_of(verdicts.to_table(), results, full),),
    )
    charts = verdicts.charts() if verdicts.has_charts else ()
    yield Section("charts", "Wins, losses and ties", tables=charts)
    for number, (levels, verdict) in enumerate(verdicts):
        yield _level_section(number, levels, verdict)
    yield Section("checked", "What was checked", points=verdicts.notices)
    first = verdicts.verdicts[0]
    yield _failures_section(results, first, full)
    yield from _material_sections(results, full)
    yield Section("provenance", "How it was made", facts=provenance_facts(results, first, full))
    yield Section("references", "References", references=references(first))


def _level_pictures(results: Results, verdicts: LevelVerdicts) -> Iterator[Picture]:
    """The measure against the levels; with several factors there is no one picture of all."""
    if len(results.factors) == 1 and verdicts.measure.name in results.measures:
        (factor,) = results.factors
        name = Wording(verdicts.measure).name
        about = FACTORS[factor].title if factor in FACTORS else factor
        figure = levels_figure(levels_data(results, factor, verdicts.measure.name))
        yield Picture(f"{name} against {factor}", f"{name} against the {about}.", figure)


def _level_section(number: int, levels: Mapping[str, Level], verdict: Verdict) -> Section:
    """One level: its answer, its table; its pictures for those who open them."""
    folded = tuple(Folded(p.title, picture=p) for p in figures_for(verdict))
    title = f"At {write_levels(levels)}"
    return Section(
        f"level-{number}", title, text=verdict.finding.sentences, tables=(verdict.to_table(),), folded=folded
    )
