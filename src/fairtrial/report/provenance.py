"""Where the numbers come from: what would be needed to make them again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import fairtrial
from fairtrial.results import Results
from fairtrial.tables import formats
from fairtrial.verdict import Verdict
from fairtrial.verdict.wording import and_join, plural

__all__ = ["provenance_facts"]

MOST_SESSIONS = 5


def provenance_facts(results: Results, verdict: Verdict) -> tuple[tuple[str, str], ...]:
    """Labels and what is so labelled; what isn't known is left out."""
    return tuple(_facts(results, verdict))


def _facts(results: Results, verdict: Verdict) -> Iterator[tuple[str, str]]:
    definition: Mapping[str, Any] = results.provenance.get("definition") or {}
    schemes = dict.fromkeys(d.scheme for d in verdict.evidence.dependence if d.scheme != "unknown")
    if schemes:
        shared = ", made before the run and shared by all methods" if definition else ""
        stratified = ", stratified by class" if (definition.get("resampling") or {}).get("stratify") else ""
        yield "Resampling", f"{and_join(list(schemes))}{stratified}{shared}"
    if "seed" in definition:
        yield "Seed", str(definition["seed"])
    limits = [
        f"{definition['time_limit']:g} s a trial" if definition.get("time_limit") else "",
        f"{formats.count(definition['memory_limit'] / 10**6)} MB" if definition.get("memory_limit") else "",
    ]
    if any(limits):
        yield "Limits", ", ".join(filter(None, limits))
    if definition.get("timing") == "exclusive":
        yield "Timing", "exclusive: one trial at a time"
    if definition.get("memory") == "exact":
        yield "Memory", "exact: allocations were traced, which makes times longer"
    if results.path is not None:
        yield "Study file", results.path.name
    if "source" in results.provenance:
        yield "Read from", str(results.provenance["source"])
    yield from _sessions(results.provenance.get("sessions") or [])
    yield "Report by", f"fairtrial {fairtrial.__version__}"


def _sessions(sessions: list[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    if not sessions:
        return
    if len(sessions) > 1:
        yield "Sessions", f"{plural(len(sessions), 'session')}; the last {min(len(sessions), MOST_SESSIONS)} are shown"
    for session in sessions[-MOST_SESSIONS:]:
        started = str(session.get("started", ""))[:16].replace("T", " ")
        label = "Run" if len(sessions) == 1 else f"Session {session.get('id', '')}"
        yield label, f"{started} UTC on {session.get('host', 'an unknown machine')}: {session.get('command', '')}"
    for versions in _distinct([s.get("versions") or {} for s in sessions]):
        yield "Versions", ", ".join(f"{name} {version}" for name, version in versions.items())


def _distinct(versions: list[Mapping[str, str]]) -> list[Mapping[str, str]]:
    found: list[Mapping[str, str]] = []
    for one in versions:
        if one and one not in found:
            found.append(one)
    return found
