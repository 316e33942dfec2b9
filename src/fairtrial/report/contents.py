"""What a report contains, as data: sections of text, facts, points, pictures and tables, in the order of reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import fairtrial
from fairtrial.figures import Picture, figures_for, nemenyi_figure
from fairtrial.report.closer import closer_look
from fairtrial.report.fact_tables import datasets_table, failures_table, methods_table, warnings_table
from fairtrial.report.private import table_without_places, without_places
from fairtrial.report.provenance import provenance_facts
from fairtrial.report.references import Reference, references
from fairtrial.report.score_tables import dataset_means, measure_means
from fairtrial.results import Results
from fairtrial.results.absentees import sentence_about
from fairtrial.stats import Comparisons
from fairtrial.stats.adjust import TITLES
from fairtrial.tables import Table, formats
from fairtrial.verdict import Check, Verdict
from fairtrial.verdict.wording import Wording, plural

__all__ = ["Contents", "Folded", "Section", "contents_of", "failures_section", "material_sections", "question_of"]


@dataclass(frozen=True, slots=True)
class Folded:
    """Depth that is opened by those who want it: a table, a picture, or text to be copied."""

    title: str
    table: Table | None = None
    picture: Picture | None = None
    verbatim: str = ""
    text: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A section; what it doesn't have is left out. ``facts`` are labels and what is so labelled."""

    anchor: str
    title: str
    text: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    points: tuple[Check, ...] = ()
    tables: tuple[Table, ...] = ()
    pictures: tuple[Picture, ...] = ()
    references: tuple[Reference, ...] = ()
    folded: tuple[Folded, ...] = ()

    @property
    def is_empty(self) -> bool:
        parts = (self.text, self.facts, self.points, self.tables, self.pictures, self.references, self.folded)
        return not any(parts)


@dataclass(frozen=True, slots=True)
class Contents:
    """A report before it is written down: the question, the answer, key figures, sections.

    ``absence`` names methods that did not run, and stands before the answer.
    """

    question: str
    answer: str
    more: tuple[str, ...]
    key_figures: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    version: str = fairtrial.__version__
    absence: str = ""


def contents_of(results: Results, verdict: Verdict, *, full_provenance: bool = False) -> Contents:
    """All that a report shows of these results and this verdict; what isn't known has no section.

    Hosts and paths are left out, unless ``full_provenance`` keeps them.
    """
    more = verdict.finding.sentences[2 if verdict.did_not_run else 1 :]
    results = replace(results, policy=verdict.evidence.policy)
    sections = tuple(s for s in _sections(results, verdict, full_provenance) if not s.is_empty)
    key = key_figures(results, verdict)
    contents = Contents(question_of(verdict), verdict.answer, tuple(more), key, sections, absence=verdict.absence)
    return contents if full_provenance else without_places(contents, results)


def question_of(verdict: Verdict) -> str:
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


def key_figures(results: Results, verdict: Verdict) -> tuple[tuple[str, str], ...]:
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


def _sections(results: Results, verdict: Verdict, full: bool) -> Iterator[Section]:
    pictures = figures_for(verdict)
    main, last = (pictures[:-1], pictures[-1:]) if len(pictures) > 1 else (pictures, [])
    shown = verdict.to_table() if full else table_without_places(verdict.to_table(), results)
    latex = Folded("Copy this table as LaTeX", verbatim=shown.to_latex())
    yield Section("verdict", "The evidence", tables=(verdict.to_table(),), pictures=tuple(main), folded=(latex,))
    yield _why(results, verdict)
    yield Section("checked", "What was checked", points=verdict.checks)
    changes = (*(_sentence(s) for s in verdict.stable), *(_sentence(s) for s in verdict.finding.next_steps))
    yield Section("stable", "How stable it is, and what would change it", text=changes)
    yield _each_dataset(verdict, tuple(last))
    yield Section("closer", "A closer look", pictures=tuple(closer_look(results, verdict)))
    measures = measure_means(results, verdict.finding.order)
    yield Section("measures", "Other measures", tables=(measures,) if measures else ())
    yield failures_section(results, verdict, full)
    yield from material_sections(results, full)
    yield Section("provenance", "How it was made", facts=provenance_facts(results, verdict, full))
    yield Section("references", "References", references=references(verdict))


def material_sections(results: Results, full: bool) -> Iterator[Section]:
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
    tested = _first_tests(verdict)
    if tested is not None:
        null = _sentence(tested.outcomes[0].null)
        meant = f"{null} A small p-value speaks against this; a large one does not speak for it."
        facts.append(("Null hypothesis", f"For each pair of methods: {meant[0].lower()}{meant[1:]}"))
        facts.append(("Decided at", _decided(tested)))
    smallest = verdict.question.smallest_difference
    if smallest is not None:
        facts.append(("What matters", f"differences of {smallest:g} or more, {_when_said(results, smallest)}"))
    facts.append(("Reference", verdict.reference))
    return Section("why", "Why this test", facts=tuple(facts), folded=tuple(_depth(verdict)))


def _when_said(results: Results, smallest: float) -> str:
    """Only what the study itself states was said before the run; a verdict can be asked for with another afterwards."""
    stated = ((results.provenance.get("definition") or {}).get("question") or {}).get("smallest_difference")
    return "stated with the study" if stated == smallest else "said when the verdict was asked for"


def _first_tests(verdict: Verdict) -> Comparisons | None:
    """The tests over data sets or, where each is judged by itself, those on the first."""
    for finding in (verdict.finding, *verdict.parts.values()):
        if finding.comparisons is not None and finding.comparisons.outcomes:
            return finding.comparisons
    return None


def _decided(tested: Comparisons) -> str:
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


def failures_section(results: Results, verdict: Verdict, full: bool) -> Section:
    table = failures_table(results, full)
    if table is None:
        return Section("failures", "")
    absent = (sentence_about(verdict.did_not_run),) if verdict.did_not_run else ()
    done = (*absent, *(_sentence(check.text) for check in verdict.evidence.checks))
    rule = "No failed trial was dropped silently: each is a record, and a stated policy says what it counts as."
    return Section("failures", "Failed trials", text=(*done, rule), tables=(table,))


def _sentence(text: str) -> str:
    """With a capital and a full stop.

    >>> _sentence("the same winner in all cases")
    'The same winner in all cases.'
    """
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."
