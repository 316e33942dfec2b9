"""One verdict at each level of what was varied, and what they say together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fairtrial.design import Level, write_levels
from fairtrial.measures import Measure
from fairtrial.tables import Column, Table
from fairtrial.tables.render import escape_html, escape_markdown, json_text, plain, visible
from fairtrial.verdict.charts import Wins, pairs_chart
from fairtrial.verdict.evidence import Check
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.verdict import Verdict, wrapped
from fairtrial.verdict.wording import Wording, and_join, plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from fairtrial.results import Results

__all__ = ["LevelVerdicts"]


@dataclass(frozen=True, eq=False)
class LevelVerdicts:
    """The answer at each combination of levels; ``print`` says them, ``charts`` count wins, ``figure`` draws them.

    ``levels[i]`` is where ``verdicts[i]`` was made.
    """

    results: Results
    levels: tuple[Mapping[str, Level], ...]
    verdicts: tuple[Verdict, ...]

    def __iter__(self) -> Iterator[tuple[Mapping[str, Level], Verdict]]:
        return iter(zip(self.levels, self.verdicts, strict=True))

    @property
    def measure(self) -> Measure:
        """What was asked about."""
        return self.verdicts[0].measure

    @property
    def failed(self) -> int:
        """How many trials failed, at all levels."""
        return len(self.results.failures)

    @property
    def sentence(self) -> str:
        """Who comes first at which levels, and whether that is more than chance; on each data set, where judged so."""
        names = dict.fromkeys(name for verdict in self.verdicts for name in findings_of(verdict))
        told = [f"On {name} {self._told(name)}" if name else self._told(name) for name in names]
        text = f"In {Wording(self.measure).name}, over {and_join(list(self.results.factors))}: {'. '.join(told)}."
        return text.replace(": On ", ": on ", 1)

    def _told(self, dataset: str) -> str:
        first = self._where(dataset, lambda finding: finding.order[0] if finding.order else None)
        won = self._where(dataset, lambda finding: finding.winner)
        told = [f"{name} comes first {places}" for name, places in first.items() if name is not None]
        sure = [f"{name} beats all others {places}" for name, places in won.items() if name is not None]
        if first == won:
            return "; ".join(sure)
        if None in won:
            sure.append(f"no method beats all others {won[None].replace('at every level', 'at any level')}")
        return "; ".join(told + sure)

    def _where(self, dataset: str, said: Callable[[Finding], str | None]) -> dict[str | None, str]:
        """At which levels each thing is said, in words."""
        found: dict[str | None, list[str]] = {}
        for levels, verdict in self:
            if (finding := findings_of(verdict).get(dataset)) is not None:
                found.setdefault(said(finding), []).append(self._place(levels))
        return {name: self._at(places, len(found) == 1) for name, places in found.items()}

    def _at(self, places: list[str], everywhere: bool) -> str:
        if everywhere:
            return "at every level"
        if len(self.results.factors) > 1 and len(places) > 2:
            return f"at {len(places)} of {len(self.levels)} combinations of levels"
        return f"at {and_join(places)}"

    def _place(self, levels: Mapping[str, Level]) -> str:
        """The levels in words; one factor needs no name."""
        words = write_levels(levels)
        return words.removeprefix(f"{next(iter(levels))} ") if len(levels) == 1 else f"({words})"

    def to_table(self) -> Table:
        """Means of each method, over splits and then over data sets, level by level."""
        words = Wording(self.measure)
        names = self.verdicts[0].evidence.columns
        rows = []
        for levels, verdict in self:
            means = dict(zip(verdict.evidence.columns, verdict.evidence.means.mean(axis=0), strict=True))
            place = (write_levels({name: level}).partition(" ")[2] for name, level in levels.items())
            n = len(verdict.evidence.datasets)
            rows.append((*place, n, *(float(means[m]) if m in means else None for m in names), _winners(verdict)))
        columns = (
            *(Column(name) for name in self.results.factors),
            Column("data sets"),
            *(Column(name, words.value) for name in names),
            Column("beats all others", align="left", key="winner"),
        )
        caption = f"{words.name}, mean over splits and then over data sets, at each level"
        return Table(columns=columns, rows=tuple(rows), caption=caption, notes=tuple(self._notes()))

    def _notes(self) -> Iterator[str]:
        counts = {len(verdict.evidence.datasets) for verdict in self.verdicts}
        if len(counts) > 1:
            yield "not every data set has enough for every level: means at different levels are of different data sets"
        if self.verdicts[0].evidence.yardsticks:
            yield f"yardstick: {and_join(self.verdicts[0].evidence.yardsticks)}"

    def charts(self, wins: Wins = "by mean") -> tuple[Table, ...]:
        """Wins, losses and ties of all pairs over data sets, a chart for each level."""
        made = []
        for levels, verdict in self:
            chart = pairs_chart(verdict.evidence, verdict.question, wins)
            first, *others = chart.columns
            heading = Column(write_levels(levels), first.format, align="left", key=first.key)
            made.append(Table((heading, *others), chart.rows, caption=chart.caption, notes=chart.notes))
        return tuple(made)

    def remarks(self) -> Iterator[tuple[str, str]]:
        """Labelled lines that follow the table."""
        for levels, verdict in self:
            yield f"At {write_levels(levels)}", " ".join(verdict.finding.sentences)
        yield "Test", f"{self.verdicts[0].finding.test} Why: {self.verdicts[0].why}. ({self.verdicts[0].reference})"
        for check in self.checks():
            yield "Checked", str(check)

    def checks(self) -> list[Check]:
        """What was found at all levels, then what only some have, and what holds of the levels together."""
        seen: dict[Check, list[str]] = {}
        for levels, verdict in self:
            for check in verdict.checks:
                seen.setdefault(check, []).append(self._place(levels))
        n = len(self.verdicts)
        found = [c if len(p) == n else Check(c.fine, f"at {and_join(p, most=4)}: {c.text}") for c, p in seen.items()]
        text = (
            f"each level is judged by itself, p-values are adjusted for the pairs at a level and not over "
            f"{plural(n, 'level')}: a method that leads at one level only may do so by chance"
        )
        return [*found, Check(False, text)]

    def __str__(self) -> str:
        charts = self.charts() if self.has_charts else ()
        lines = [visible(self.sentence), "", str(self.to_table()), ""]
        for number, chart in enumerate(charts):
            shown = chart if number == 0 else Table(chart.columns, chart.rows, caption="")
            lines += [shown.to_text(), ""]
        return "\n".join([*lines, *wrapped(self.remarks())])

    @property
    def has_charts(self) -> bool:
        """Whether there are pairs to compare over several data sets, at every level."""
        return all(len(v.evidence.methods) > 1 and len(v.evidence.datasets) > 1 for v in self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "answer": self.sentence,
            "factors": {name: list(levels) for name, levels in self.results.factors.items()},
            "table": self.to_table().to_dict(),
            "levels": [{"levels": dict(levels), **verdict.to_dict()} for levels, verdict in self],
            "checks": [{"fine": c.fine, "text": c.text} for c in self.checks()],
            "failed_trials": self.failed,
        }

    def render(self, how: str) -> str:
        """The verdicts as text, json, csv (the table), md or latex."""
        if how == "text":
            return str(self)
        if how == "json":
            return json_text(plain(self.to_dict()))
        table = self.to_table().render(how)
        if how == "md":
            charts = [part for c in (self.charts() if self.has_charts else ()) for part in (c.to_markdown(), "")]
            remarks = [f"- **{escape_markdown(label)}** {escape_markdown(text)}" for label, text in self.remarks()]
            return "\n".join([escape_markdown(self.sentence), "", table, "", *charts, *remarks])
        return table

    def figure(self) -> Figure:
        """The measure against the levels of the first factor."""
        return self.results.figure("levels", measure=self.measure.name)

    def _repr_html_(self) -> str:
        remarks = "".join(f"<li>{escape_html(label)}: {escape_html(text)}</li>" for label, text in self.remarks())
        return f"<p><strong>{escape_html(self.sentence)}</strong></p>{self.to_table().to_html()}<ul>{remarks}</ul>"


def findings_of(verdict: Verdict) -> dict[str, Finding]:
    """The finding over all data sets, without a name, or those of each data set where each is judged by itself."""
    names = verdict.evidence.datasets
    return verdict.parts or {names[0] if len(names) == 1 else "": verdict.finding}


def _winners(verdict: Verdict) -> str:
    """Who beats all others, where anybody does."""
    won = {name: f.winner for name, f in findings_of(verdict).items() if f.winner is not None}
    return ", ".join(f"{who} on {where}" if where else who for where, who in won.items()) or "none"
