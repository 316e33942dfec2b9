"""The basis of a verdict: the results and options that it was made from, as data from which it can be made again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from fairtrial.results.prediction_source import digest_of_results
from fairtrial.store import versions

if TYPE_CHECKING:
    from fairtrial.results import Results


@dataclass(frozen=True, eq=False)
class Basis:
    """The results, with the question that was asked of them, and the options that are not part of the question."""

    results: Results
    adjust: str
    per_dataset: str | None
    test: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """What :func:`made_from` gives, with the options of a verdict."""
        own = {"adjust": self.adjust, "per_dataset": self.per_dataset, "test": self.test}
        return made_from(self.results, {name: value for name, value in own.items() if value is not None})


def made_from(results: Results, options: Mapping[str, Any]) -> dict[str, Any]:
    """All that is needed to make an answer again, and to know whether it is made from the same content.

    ``stated`` is the question of the results before options replaced parts of it; ``options`` are those that the
    question has not. ``content`` is a hash of trials or scores, not of the bytes of the file. Of the file only its base
    name is kept.
    """
    stated = results.question if results.asked is None else results.asked.question
    asked = {} if results.asked is None else dict(results.asked.options)
    baseline = {} if results.baseline is None else {"baseline": results.baseline}
    return {
        "stated": stated.to_dict(),
        "options": {**asked, "failures": results.policy, **baseline, **options},
        "at_levels": dict(results.chosen),
        "source": _source(results),
        "content": digest_of_results(results),
        "versions": versions(),
    }


def _source(results: Results) -> dict[str, Any]:
    known = results.provenance
    settings: dict[str, Any] = {"by_setting": True} if results.named_by_setting else {}
    if known.part:
        settings["part"] = {name: list(chosen) for name, chosen in known.part.items()}
    if results.definition is not None:
        return {"kind": "study", "name": "" if results.path is None else results.path.name, **settings}
    return {"kind": known.reader, "name": PurePath(known.source).name, "read": dict(known.reading), **settings}
