"""What a reader understood of a table, as data, and the words of the line *Read* that every page has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from fairtrial.shown import ShownAsText
from fairtrial.words import listed, plural, quoted, verb

if TYPE_CHECKING:
    from fairtrial.measures import Measure

Found = Literal[
    "left out", "not used", "one name", "failed", "went well", "methods in rows", "one data set", "one method",
    "copies", "percent", "scores", "title", "splits", "quantiles",
]  # fmt: skip
"""The kinds of what a reader may find out about a table beyond the role of each column."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that a reader found: its kind, the names that it is about, what they are, and why.

    ``what`` is the noun of the names: row, column, data set, method, fold. ``why`` is the evidence, in few words.
    """

    found: Found
    names: tuple[str, ...] = ()
    what: str = ""
    why: str = ""
    count: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The parts that say something."""
        parts = {"found": self.found, "names": list(self.names), "what": self.what, "why": self.why}
        return {name: part for name, part in (*parts.items(), ("count", self.count)) if part}


@dataclass(frozen=True, slots=True)
class Reading(ShownAsText):
    """How a table was understood: what it holds, which column is what, and all that was decided on the way.

    ``counts`` are pairs of a number and its noun, such as ``(8, "data set")``; ``columns`` maps roles to titles.
    ``methods`` are those whose columns might be something else: the sentence names them.

    >>> left = Remark("left out", ("Average",), "row", "the mean of the others")
    >>> print(Reading(((8, "data set"), (3, "method")), {"dataset": "name"}, (left,)))
    8 data sets × 3 methods; the row 'Average' was left out (the mean of the others)
    """

    counts: tuple[tuple[int, str], ...]
    columns: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    methods: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.sentence()

    def sentence(self, measure: Measure | None = None) -> str:
        """The words of the line *Read*: counts, the measure with its unit, and what was decided."""
        named = {"method": f" ({listed(self.methods)})"} if self.methods else {}
        size = " × ".join(plural(n, noun) + named.get(noun, "") for n, noun in self.counts)
        scale = "" if measure is None else f", {measure.name}{' in percent' if measure.unit == '%' else ''}"
        return "; ".join((size + scale, *_words(self.remarks)))

    def left_out(self, what: str) -> tuple[str, ...]:
        """The names of the rows, columns or folds that were left out."""
        return tuple(name for r in self.remarks if r.found == "left out" and r.what == what for name in r.names)

    def to_dict(self) -> dict[str, Any]:
        """The reading as plain data."""
        return {
            "counts": [[n, noun] for n, noun in self.counts],
            "columns": dict(self.columns),
            "remarks": [remark.to_dict() for remark in self.remarks],
        }


WORDS: dict[Found, Callable[[Remark], str]] = {
    "not used": lambda r: f"not used: {verb(len(r.names), 'the column', 'the columns')} {quoted(r.names)}{_why(r)}",
    "one name": lambda r: f"{quoted(r.names)} {verb(len(r.names), 'is', 'are')} one {r.what}",
    "failed": lambda r: f"{plural(r.count, 'score')} beside {quoted(r.names)} {verb(r.count, 'is', 'are')} not counted",
    "went well": lambda r: f"{r.what} {quoted(r.names, last='or')} is not taken for a failure",
    "methods in rows": lambda r: f"the rows are methods{_why(r)}",
    "one data set": lambda r: f"no column names data sets, so all scores are of one, {quoted(r.names)}",
    "one method": lambda r: f"the columns are measures of one method, {quoted(r.names)}",
    "copies": lambda r: f"{plural(r.count, 'row')} that {verb(r.count, 'repeats', 'repeat')} another left out{_why(r)}",
    "percent": lambda r: f"probabilities in percent: {quoted(r.names)}",
    "scores": lambda r: f"numbers that rank, no probabilities: {quoted(r.names)}{_why(r)}",
    "splits": lambda r: f"the columns {quoted(r.names)} are splits",
    "quantiles": lambda r: f"quantiles: {quoted(r.names)}",
    "title": lambda r: f"{quoted(r.names)} was taken for the {r.what}",
}  # fmt: skip
"""The words of each kind of remark, but for those of what was left out, which are said together."""


def _why(remark: Remark) -> str:
    return f" ({remark.why})" if remark.why else ""


def _words(remarks: Iterable[Remark]) -> list[str]:
    said = [WORDS[remark.found](remark) for remark in remarks if remark.found != "left out"]
    return [*_left_out(remarks), *said]


def _left_out(remarks: Iterable[Remark]) -> list[str]:
    """What was left out, in one phrase for rows, one for columns and one for folds, with the reasons."""
    found: dict[str, dict[str, list[str]]] = {}
    for r in remarks:
        if r.found == "left out":
            found.setdefault(r.what, {}).setdefault(r.why, []).extend(r.names)
    said = []
    for what, reasons in found.items():
        n = sum(map(len, reasons.values()))
        names = listed(
            f"{quoted(own)}{f' ({why})' if why and len(reasons) > 1 else ''}" for why, own in reasons.items()
        )
        why = next(iter(reasons)) if len(reasons) == 1 else ""
        noun = f"the {what if n == 1 else f'{what}s'}"
        said.append(f"{noun} {names} {verb(n, 'was', 'were')} left out{f' ({why})' if why else ''}")
    return said
