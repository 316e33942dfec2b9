"""Hide paths in all texts of a report, and hosts in the messages of methods."""

from __future__ import annotations

from collections.abc import Callable

from fairtrial.results import Results
from fairtrial.results.absentees import brief_reason
from fairtrial.tables import Document
from fairtrial.tables.private import hide_places


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
