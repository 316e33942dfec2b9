"""Provenance: where results come from, a study that was run here or a table that somebody brought."""

from __future__ import annotations

from dataclasses import dataclass

from fairtrial.store import Session

__all__ = ["Provenance"]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where results come from: the sessions that ran the study, or the name of the table that was read.

    The study itself is in :attr:`Results.definition`.
    """

    sessions: tuple[Session, ...] = ()
    source: str = ""

    @property
    def hosts(self) -> tuple[str, ...]:
        """The machines that ran the study, each once."""
        return tuple(dict.fromkeys(session.host for session in self.sessions))
