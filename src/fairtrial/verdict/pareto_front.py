"""Quality against cost: which methods no other beats in both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure
from fairtrial.results.absentees import Absentee, refuse_named, sentence_about
from fairtrial.results.analyses.scaling import cost_format, write_cost
from fairtrial.results.failure_policy import MARK
from fairtrial.stats import Interval
from fairtrial.tables import Column, Marked, Shown, Table, formats
from fairtrial.verdict.absent_methods import with_rows_of_absentees
from fairtrial.verdict.estimates import estimates, evidence_by, interval_in_words
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.words.wording import Wording, span_of
from fairtrial.words import listed, plural, verb

if TYPE_CHECKING:
    from fairtrial.results import Results


@dataclass(frozen=True, slots=True)
class Standing:
    """The quality and the cost of one method, and the methods that beat it.

    A method is in ``beaten_by`` if it is no worse in quality and cost, and better in one of them. ``stood_in`` is the
    number of failed trials that were scored by the failure policy.
    """

    method: str
    quality: Interval
    cost: Interval
    beaten_by: tuple[str, ...] = ()
    yardstick: bool = False
    stood_in: int = 0

    @property
    def on_front(self) -> bool:
        return not self.beaten_by and not self.yardstick


@dataclass(frozen=True, slots=True)
class Front(Shown):
    """The Pareto front: methods by rising cost, with the mean quality and the mean cost of each.

    A method is on the front unless another one is at least as good and at least as cheap, and better in one of them.
    ``absent`` are the methods that did not run.
    """

    measure: Measure
    cost: Measure
    datasets: tuple[str, ...]
    standings: tuple[Standing, ...]
    level: float = 0.95
    notes: tuple[str, ...] = ()
    absent: tuple[Absentee, ...] = ()

    def methods(self) -> tuple[str, ...]:
        """The methods on the front, the cheapest first."""
        return tuple(s.method for s in self.standings if s.on_front)

    @property
    def place(self) -> str:
        """Where the means come from."""
        return f"on {self.datasets[0]}" if len(self.datasets) == 1 else f"over {len(self.datasets)} data sets"

    def __str__(self) -> str:
        words = Wording(self.measure)
        shown = [
            f"{s.method} ({words.value(s.quality.estimate)}, {write_cost(self.cost, s.cost.estimate)})"
            for s in self.standings
            if s.on_front
        ]
        front = f"the front of {words.name} and {Wording(self.cost).name} {self.place}"
        first = f"On {front}: {listed(shown)}." if shown else f"No method is on {front}: {self._why_none()}."
        absent = f"{sentence_about(self.absent)}\n" if self.absent else ""
        return f"{absent}{first}\n\n{self.to_table().to_text()}"

    def _why_none(self) -> str:
        """The reason why no method is on the front: only yardsticks are beaten by none."""
        best = [s.method for s in self.standings if not s.beaten_by]
        if not best:
            return "none has both"
        return (
            f"the {verb(len(best), 'yardstick is', 'yardsticks are')} as good and as cheap or better ({listed(best)})"
        )

    def to_table(self) -> Table:
        """Methods by rising cost, with the methods that beat them."""
        words, write, level = Wording(self.measure), cost_format(self.cost), f"{100 * self.level:g} %"
        columns = (
            Column("method", align="left"),
            Column(f"{words.name}", words.value, key="quality"),
            Column(f"{level} interval", formats.span(words.value), key="quality_interval"),
            Column(_title(self.cost), write, key="cost"),
            Column(f"{level} interval", formats.span(write), key="cost_interval"),
            Column("front", align="left"),
        )
        rows = tuple(
            (
                s.method,
                _cell(s, s.quality),
                span_of(s.quality),
                _cell(s, s.cost),
                span_of(s.cost),
                _relation_to_front(s),
            )
            for s in self.standings
        )
        caption = f"{words.name} against {Wording(self.cost).name}, mean {self.place}"
        return with_rows_of_absentees(Table(columns, rows, caption, self.notes), self.absent)

    def to_dict(self) -> dict[str, Any]:
        return {"measure": self.measure.name, "cost": self.cost.name, "datasets": list(self.datasets),
                **self.to_table().to_dict()}  # fmt: skip


def _title(measure: Measure) -> str:
    unit = f" ({measure.unit})" if measure.unit not in ("", "s") else ""
    return f"{Wording(measure).name}{unit}"


def _cell(standing: Standing, mean: Interval) -> object:
    note = f"{plural(standing.stood_in, 'failed trial')}, scored by the failure policy"
    return Marked(mean.estimate, MARK, note) if standing.stood_in else mean.estimate


def _relation_to_front(standing: Standing) -> str:
    beaten = f"beaten by {listed(standing.beaten_by, most=3)}" if standing.beaten_by else ""
    if standing.yardstick:
        return ", ".join(filter(None, ("yardstick", beaten)))
    return beaten or "on it"


def front_of(
    results: Results,
    cost: str = "fit_time",
    measure: str | None = None,
    *,
    dataset: str | None = None,
    methods: Sequence[str] | None = None,
) -> Front:
    """The Pareto front of quality and cost, on one data set (``dataset``) or over all data sets.

    Failed trials are scored by the failure policy of the results. Over data sets, quality is the mean (for errors that
    are compared by ratios, the geometric mean), and cost is the geometric mean.
    """
    for name in methods or ():
        if name not in results.method_names():
            raise UnknownName.among("method of these results", name, results.method_names())
    good, dear = evidence_by(results, measure, dataset), evidence_by(results, cost, dataset)
    if not dear.is_resource:
        raise InputError(f"cost must be a cost measure such as fit_time or predict_time, got {cost!r}")
    if good.measure.name == dear.measure.name:
        raise InputError(f"quality and cost must be two measures, got {cost!r} for both; name a measure of quality")
    absent = {a.method: a for a in (*good.absent, *dear.absent)}
    refuse_named(absent, methods or ())
    good, dear = _shared(good, dear)
    level = results.question.level
    qualities = dict(zip(good.columns, estimates(good, level), strict=True))
    prices = dict(zip(dear.columns, estimates(dear, level), strict=True))
    found = [
        Standing(name, quality, prices[name], yardstick=name in results.yardsticks, stood_in=good.stood_in(name))
        for name, quality in qualities.items()
        if (methods is None or name in methods) and name in prices and not math.isnan(quality.estimate)
    ]
    ranked = sorted(found, key=lambda s: (s.cost.estimate, -good.sign * s.quality.estimate))
    standings = tuple(replace(s, beaten_by=tuple(_beaten_by(s, ranked, good.sign))) for s in ranked)
    notes = _notes(good, dear, level)
    gone = () if methods is not None else tuple(absent.values())
    return Front(good.measure, dear.measure, good.datasets, standings, level, notes, gone)


def _shared(good: Evidence, dear: Evidence) -> tuple[Evidence, Evidence]:
    """The evidence of both measures, on the data sets on which both are known."""
    for first, second in ((good, dear), (dear, good)):
        for name in [d for d in first.datasets if d not in second.datasets]:
            if len(first.datasets) == 1:
                raise InputError(f"no data set has both {good.measure.name} and {dear.measure.name}")
            smaller = first.without(first.datasets.index(name))
            good, dear = (smaller, dear) if first is good else (good, smaller)
            return _shared(good, dear)
    return good, dear


def _beaten_by(standing: Standing, others: Sequence[Standing], sign: float) -> list[str]:
    def place(s: Standing) -> tuple[float, float]:
        return sign * s.quality.estimate, -s.cost.estimate

    own = place(standing)
    return [s.method for s in others if place(s) != own and all(a >= b for a, b in zip(place(s), own, strict=True))]


def _notes(good: Evidence, dear: Evidence, level: float) -> tuple[str, ...]:
    scored = {good.scored, dear.scored}
    texts = [n.text for e in (good, dear) for n in e.notices if not n.is_fine]
    remarks = dict.fromkeys(f"{MARK} {text}" if text in scored else text for text in texts)
    over = f"; over {plural(len(dear.datasets), 'data set')} cost is the geometric mean" * (len(dear.datasets) > 1)
    return (
        f"{interval_in_words(good, level)}{over}",
        "the front compares these means; a verdict on each measure says whether methods differ by more than chance",
        *remarks,
    )
