"""Facts about a study: failed trials, warnings, data sets, methods, and where the numbers come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import fairtrial
from fairtrial.definition import StudyDefinition
from fairtrial.experiments import FactorAnswer
from fairtrial.methods.recipe import recipe
from fairtrial.resampling import score_unit
from fairtrial.result_tables.failed_trials import failures_by_method
from fairtrial.results import Results
from fairtrial.results.absentees import first_line
from fairtrial.store import Session
from fairtrial.tables import Column, Table, formats
from fairtrial.tables.private import hide_command, hide_places, hide_source
from fairtrial.verdict import Verdict
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import listed, plural

MOST_ROWS = 20
MOST_SESSIONS = 5


def failures_table(results: Results, full: bool = False) -> Table | None:
    """A table of failed trials by method, data set and reason; many by method only, None where nothing failed."""
    if not len(results.failures):
        return None
    shown = _how_to_show(results, full)
    groups = Counter(
        (str(f.method), str(f.dataset), shown(first_line(f.error))) for f in results.failures.itertuples(index=False)
    )
    if len(groups) > MOST_ROWS:
        return failures_by_method(results, shown)
    rows = [(method, dataset, n, reason) for (method, dataset, reason), n in groups.most_common()]
    columns = (
        Column("method", align="left"),
        Column("data set", align="left"),
        Column("failed trials", formats.count, key="count"),
        Column("reason", align="left"),
    )
    return Table(columns, tuple(rows), caption="failed trials by method, data set and reason")


def _how_to_show(results: Results, full: bool) -> Callable[[str], str]:
    """A function that shows the message of a method: without paths and hosts, or in full."""
    hosts = results.provenance.hosts
    return str if full else lambda text: hide_places(text, hosts)


def warnings_table(results: Results, full: bool = False) -> Table | None:
    """A table of the trials with warnings and the most frequent warning, per method; None where there are none."""
    if not results.warnings:
        return None
    common = _most_common_warnings(results, _how_to_show(results, full))
    columns = [Column("method", align="left"), Column("trials with warnings", formats.count, key="trials")]
    columns += [Column("most often", align="left")] if common else []
    rows = tuple((m, n, *((common.get(m, ""),) if common else ())) for m, n in results.warnings.items())
    return Table(tuple(columns), rows, caption="warnings while fitting and predicting")


def _most_common_warnings(results: Results, shown: Callable[[str], str]) -> dict[str, str]:
    """The most frequent warning of each method, where the study file has them."""
    found: dict[str, str] = {}
    for method, given in ({} if results.source is None else results.source.warning_counts()).items():
        lines: Counter[str] = Counter()
        for text, n in given.items():
            lines[shown(first_line(text))] += n
        found[method] = lines.most_common(1)[0][0]
    return found


def datasets_table(results: Results, full: bool = False) -> Table | None:
    """A table of the data sets: size, classes and source; None where nothing is known of them."""
    known = {d: results.datasets[d] for d in results.dataset_names() if results.datasets.get(d)}
    if not known:
        return None
    source = str if full else hide_source
    wanted: dict[str, Callable[[Mapping[str, Any]], object]] = {
        "instances": lambda f: f.get("n"),
        "features": lambda f: f.get("p"),
        "classes": lambda f: len(f["classes"]) if f.get("classes") else None,
        "largest class": lambda f: max(f["balance"]) if f.get("balance") else None,
        "source": lambda f: source(str(f["source"])) if f.get("source") else None,
        "notes": lambda f: "; ".join(map(str, f.get("notes") or ())) or None,
    }
    values = {title: [of(facts) for facts in known.values()] for title, of in wanted.items()}
    kept = [title for title, column in values.items() if any(v is not None for v in column)]
    columns = (
        Column("data set", align="left"),
        *(
            Column(
                title,
                formats.percent if title == "largest class" else formats.auto,
                align="left" if title in ("source", "notes") else "right",
            )
            for title in kept
        ),
    )
    rows = tuple((name, *(values[title][i] for title in kept)) for i, name in enumerate(known))
    return Table(columns, rows, caption="data sets")


def methods_table(results: Results) -> Table | None:
    """A table of the methods: their recipes and declared facts; None where neither is known."""
    methods = () if results.definition is None else results.definition.methods
    forms = {m.name: m.canonical for m in methods}
    written = {m.name: m.recipe for m in methods if m.recipe is not None}
    titles = list(dict.fromkeys(title for facts in results.facts.values() for title in facts))
    if not forms and not titles:
        return None
    inputs = {forms[m]["inputs"] for m in forms}
    columns = [Column("method", align="left")]
    columns += [Column("what it is", align="left")] if forms else []
    columns += [Column("is fed with", align="left")] if len(inputs) > 1 else []
    columns += [Column(title, align="left") for title in titles]
    rows = []
    for name in results.method_names():
        row: list[object] = [f"{name} (yardstick)" if name in results.yardsticks else name]
        form = forms.get(name)
        row += [written.get(name, recipe(form["estimator"])) if form else None] if forms else []
        row += [form["inputs"] if form else None] if len(inputs) > 1 else []
        row += [results.facts.get(name, {}).get(title) for title in titles]
        rows.append(tuple(row))
    notes = ("parameters that are not shown have their default values",) if forms else ()
    return Table(tuple(columns), tuple(rows), caption="methods", notes=notes)


def measured_facts(results: Results, verdict: Verdict | FactorAnswer) -> tuple[tuple[str, str], ...]:
    """Facts on how the scores were measured, as labels and texts: measure, splits, seed, limits, failed trials."""
    return tuple(_measuring(results, verdict))


def _measuring(results: Results, verdict: Verdict | FactorAnswer) -> Iterator[tuple[str, str]]:
    definition = results.definition
    words = Wording(verdict.measure)
    if results.reading is not None:
        yield "Read", results.reading.sentence(verdict.measure)
    yield "Measure", f"{words.name}, {words.better_word} is better"
    schemes = dict.fromkeys(d.scheme for d in verdict.evidence.dependence if d.scheme != "unknown")
    if schemes:
        shared = ", made before the run and shared by all methods" if definition else ""
        stratified = ", stratified by class" if definition and definition.resampling.get("stratify") else ""
        fixed = " on one fixed split" if score_unit(verdict.evidence.dependence) == "seed" else ""
        yield "Resampling", f"{listed(list(schemes))}{fixed}{stratified}{shared}"
    else:
        yield "Resampling", "unknown: one score for each method and data set, from elsewhere"
    if definition is not None:
        yield from _settings(definition)


def planned_facts(verdict: Verdict | FactorAnswer) -> tuple[tuple[str, str], ...]:
    """Facts on what was planned before the first trial, and what came later; empty where it is not known."""
    asked = verdict.asked
    if not asked.is_known:
        return ()
    when = f"{asked.stored[:16].replace('T', ' ')} UTC"
    stored = ("Plan stored", f"{when}, before the first trial; its digest is {asked.digest}")
    parts = {"Stated before": asked.beforehand, "Stated after": asked.afterwards, "Changed after": asked.changed}
    return (stored, *((label, listed(names)) for label, names in parts.items() if names))


def provenance_facts(results: Results, full: bool = False) -> tuple[tuple[str, str], ...]:
    """Facts on where the numbers come from, as labels and texts; hosts and paths are shown only with ``full``."""
    return tuple(_sources(results, full))


def _sources(results: Results, full: bool) -> Iterator[tuple[str, str]]:
    if results.path is not None:
        yield "Study file", results.path.name
    if results.provenance.source:
        yield "Read from", results.provenance.source
    yield from _sessions(results.provenance.sessions, full)
    yield "Report by", f"fairtrial {fairtrial.__version__}"


def _settings(definition: StudyDefinition) -> Iterator[tuple[str, str]]:
    """The seed, the limits of trials, and how time and memory were measured."""
    yield "Seed", str(definition.seed)
    limits = [
        f"{definition.time_limit:g} s a trial" if definition.time_limit else "",
        f"{formats.count(definition.memory_limit / 10**6)} MB" if definition.memory_limit else "",
    ]
    if any(limits):
        yield "Limits", ", ".join(filter(None, limits))
    if definition.timing == "exclusive":
        yield "Timing", "exclusive: one trial at a time"
    if definition.memory == "exact":
        yield "Memory", "exact: allocations were traced, which makes times longer"


def _sessions(sessions: Sequence[Session], full: bool) -> Iterator[tuple[str, str]]:
    if not sessions:
        return
    if len(sessions) > 1:
        yield "Sessions", f"{plural(len(sessions), 'session')}; the last {min(len(sessions), MOST_SESSIONS)} are shown"
    for session in sessions[-MOST_SESSIONS:]:
        label = "Run" if len(sessions) == 1 else f"Session {session.id}"
        yield label, _session(session, full)
    for versions in _distinct_versions([s.versions for s in sessions]):
        yield "Versions", ", ".join(f"{name} {version}" for name, version in versions.items())


def _session(session: Session, full: bool) -> str:
    """The time, host and command of a session; a session that was made anonymous has no host and no command."""
    started = session.started[:16].replace("T", " ")
    where = f" on {session.host}" if full and session.host else ""
    shown = session.command if full else hide_command(session.command)
    return f"{started} UTC{where}" + (f": {shown}" if shown else "")


def _distinct_versions(versions: list[Mapping[str, str]]) -> list[Mapping[str, str]]:
    found: list[Mapping[str, str]] = []
    for one in versions:
        if one and one not in found:
            found.append(one)
    return found
