"""What a report contains where something was varied: the answer over the levels, then each level."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairtrial.design import FACTORS, Level, write_levels
from fairtrial.figures import Picture, figures_for, levels_data, levels_figure
from fairtrial.report.contents import Contents, Folded, Section, failures_section, material_sections, question_of
from fairtrial.report.private import table_without_places, without_places
from fairtrial.report.provenance import provenance_facts
from fairtrial.report.references import references
from fairtrial.results import Results
from fairtrial.tables import formats
from fairtrial.verdict import LevelVerdicts, Verdict
from fairtrial.verdict.wording import Wording

__all__ = ["contents_of_levels"]


def contents_of_levels(results: Results, verdicts: LevelVerdicts, *, full_provenance: bool = False) -> Contents:
    """All that a report shows of results at several levels; without hosts and paths, unless these are kept."""
    first = verdicts.verdicts[0]
    sections = tuple(s for s in _sections(results, verdicts, full_provenance) if not s.is_empty)
    key = _key_figures(results, verdicts)
    contents = Contents(question_of(first), verdicts.answer, (), key, sections, absence=verdicts.absence)
    return contents if full_provenance else without_places(contents, results)


def _key_figures(results: Results, verdicts: LevelVerdicts) -> tuple[tuple[str, str], ...]:
    counted = {
        "data sets": len(results.dataset_names()),
        "methods": len(results.method_names()) - len(results.yardsticks),
        "levels": len(verdicts.levels),
        "trials": len(results.scores[results.scores["measure"] == next(iter(results.measures))]),
        "failed": len(results.failures),
    }
    return tuple((formats.count(n), noun) for noun, n in counted.items())


def _sections(results: Results, verdicts: LevelVerdicts, full: bool) -> Iterator[Section]:
    shown = verdicts.to_table() if full else table_without_places(verdicts.to_table(), results)
    latex = Folded("Copy this table as LaTeX", verbatim=shown.to_latex())
    pictures = tuple(_pictures(results, verdicts))
    yield Section("levels", "Over the levels", tables=(verdicts.to_table(),), pictures=pictures, folded=(latex,))
    charts = verdicts.charts() if verdicts.has_charts else ()
    yield Section("charts", "Wins, losses and ties", tables=charts)
    for number, (levels, verdict) in enumerate(verdicts):
        yield _at(number, levels, verdict)
    yield Section("checked", "What was checked", points=tuple(verdicts.checks()))
    first = verdicts.verdicts[0]
    yield failures_section(results, first, full)
    yield from material_sections(results, full)
    yield Section("provenance", "How it was made", facts=provenance_facts(results, first, full))
    yield Section("references", "References", references=references(first))


def _pictures(results: Results, verdicts: LevelVerdicts) -> Iterator[Picture]:
    """The measure against the levels; with several factors there is no one picture of all."""
    if len(results.factors) == 1 and verdicts.measure.name in results.measures:
        (factor,) = results.factors
        name = Wording(verdicts.measure).name
        about = FACTORS[factor].title if factor in FACTORS else factor
        figure = levels_figure(levels_data(results, factor, verdicts.measure.name))
        yield Picture(f"{name} against {factor}", f"{name} against the {about}.", figure)


def _at(number: int, levels: Mapping[str, Level], verdict: Verdict) -> Section:
    """One level: its answer, its table; its pictures for those who open them."""
    folded = tuple(Folded(p.title, picture=p) for p in figures_for(verdict))
    title = f"At {write_levels(levels)}"
    return Section(
        f"level-{number}", title, text=verdict.finding.sentences, tables=(verdict.to_table(),), folded=folded
    )
