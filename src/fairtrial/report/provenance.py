"""Where the numbers come from: what would be needed to make them again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import fairtrial
from fairtrial.results import Results
from fairtrial.tables import formats
from fairtrial.tables.private import hide_command
from fairtrial.verdict import Verdict
from fairtrial.verdict.wording import and_join, plural

__all__ = ["provenance_facts"]

MOST_SESSIONS = 5


def provenance_facts(results: Results, verdict: Verdict, full: bool = False) -> tuple[tuple[str, str], ...]:
    """Labels and what is so labelled; what isn't known is left out, and so are hosts and paths but in the full form."""
    return tuple(_facts(results, verdict, full))


def _facts(results: Results, verdict: Verdict, full: bool) -> Iterator[tuple[str, str]]:
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
    yield from _sessions(results.provenance.get("sessions") or [], full)
    yield "Report by", f"fairtrial {fairtrial.__version__}"


def _sessions(sessions: list[Mapping[str, Any]], full: bool) -> Iterator[tuple[str, str]]:
    if not sessions:
        return
    if len(sessions) > 1:
        yield "Sessions", f"{plural(len(sessions), 'session')}; the last {min(len(sessions), MOST_SESSIONS)} are shown"
    for session in sessions[-MOST_SESSIONS:]:
        label = "Run" if len(sessions) == 1 else f"Session {session.get('id', '')}"
        yield label, _session(session, full)
    for versions in _distinct([s.get("versions") or {} for s in sessions]):
        yield "Versions", ", ".join(f"{name} {version}" for name, version in versions.items())


def _session(session: Mapping[str, Any], full: bool) -> str:
    """When, where and by which command; a host and a command that are empty were made anonymous."""
    started = str(session.get("started", ""))[:16].replace("T", " ")
    host, command = str(session.get("host", "")), str(session.get("command", ""))
    where = f" on {host}" if full and host else ""
    shown = command if full else hide_command(command)
    return f"{started} UTC{where}" + (f": {shown}" if shown else "")


def _distinct(versions: list[Mapping[str, str]]) -> list[Mapping[str, str]]:
    found: list[Mapping[str, str]] = []
    for one in versions:
        if one and one not in found:
            found.append(one)
    return found
