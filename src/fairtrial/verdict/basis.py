"""The basis of a verdict: the results and options that it was made from, as data from which it can be made again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from fairtrial.results.rows_digest import digest_of_results
from fairtrial.store import versions

if TYPE_CHECKING:
    from fairtrial.results import Results

__all__ = ["Basis"]


@dataclass(frozen=True, eq=False)
class Basis:
    """The results, with the question that was asked of them, and the options that are not part of the question."""

    results: Results
    adjust: str
    per_dataset: str | None
    test: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """All that is needed to make the verdict again, and to know whether it is made from the same content.

        ``stated`` is the question of the results before the ``options`` of the verdict replaced parts of it.
        ``content`` is a hash of trials or scores, not of the bytes of the file. Of the file only its base name is kept.
        """
        asked = self.results.asked
        stated = self.results.question if asked is None else asked.question
        options = {} if asked is None else dict(asked.options)
        always = {"failures": self.results.policy, "adjust": self.adjust}
        given = {"baseline": self.results.baseline, "per_dataset": self.per_dataset, "test": self.test}
        return {
            "stated": stated.to_dict(),
            "options": options | always | {name: value for name, value in given.items() if value is not None},
            "at_levels": dict(self.results.chosen),
            "source": self._source(),
            "content": digest_of_results(self.results),
            "versions": versions(),
        }

    def _source(self) -> dict[str, Any]:
        known = self.results.provenance
        settings: dict[str, Any] = {"by_setting": True} if self.results.named_by_setting else {}
        if known.part:
            settings["part"] = {name: list(chosen) for name, chosen in known.part.items()}
        if self.results.definition is not None:
            return {"kind": "study", "name": "" if self.results.path is None else self.results.path.name, **settings}
        return {"kind": known.reader, "name": PurePath(known.source).name, "read": dict(known.reading), **settings}
