"""The table of a comparison: methods from best to worst, each with its lead, the interval, p and how it stands."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from fairtrial.resampling import score_unit
from fairtrial.stats import Interval
from fairtrial.tables import Across, Column, Table, formats
from fairtrial.verdict.designs.compare_methods import Compared, Row, unbounded
from fairtrial.verdict.words.wording import Wording, span_of
from fairtrial.verdict.yardsticks.given import given_yardsticks

AHEAD, BEHIND = ("best", "better"), ("out", "worse")
NOUGHT = 1e-3  # of the width of its interval: a smaller lead is 0 but for noise
NOISE = 1e-9  # of a typical score: an end of an interval below it is 0 but for rounding


def comparison_table(
    compared: Compared,
    words: Wording,
    *,
    mean: Callable[[int], object],
    mean_title: str = "mean",
    wins: Callable[[Row], str | None] | None = None,
    yardstick: Callable[[int], str],
    caption: str,
    legend: Sequence[str] = (),
) -> Table:
    """The table of a comparison: a row for each method, then one for each yardstick with the text of ``yardstick``.

    Yardsticks that the question gives say themselves who beats them. The title of the first column is the measure.
    """
    evidence, question = compared.evidence, compared.question
    k = len(evidence.methods)
    sizes = [_seen(row.effect, words, _smallest(compared, words)) for row in compared.rows]
    write = words.differences([size for size in sizes if size is not None and math.isfinite(size.estimate)])
    rows: list[tuple[object, ...]] = []
    for row, size in zip(compared.rows, sizes, strict=True):
        cells = (None if size is None else size.estimate, _ends(row, size, words), row.p_value)
        won = (wins(row),) if wins else ()
        rows.append((evidence.methods[row.method], mean(row.method), *cells, *won, row.standing))
    blank = (None,) * (3 + (wins is not None))
    rows += [
        (name, mean(k + i), *blank, Across(f"yardstick{yardstick(i)}")) for i, name in enumerate(evidence.yardsticks)
    ]
    given = given_yardsticks(evidence, question)
    rows += [(y.name, y.level, *blank, Across(y.text)) for y in given]
    unit = " (%)" if words.measure.unit == "%" else ""
    columns = (
        Column(f"{words.name}{unit}", align="left", key="method"),
        Column(mean_title, words.value, key="mean"),
        Column(_effect_title(compared, words), write, key="effect"),
        Column(
            f"{100 * question.level:g} % {'interval' if compared.side.is_both else 'bound'}",
            formats.ends(write),
            key="interval",
        ),
        Column("p", formats.p_value, key="p_adjusted"),
        *((Column("w–t–l", key="wins_ties_losses"),) if wins else ()),
        Column("", align="left", key="mark"),
    )
    notes = (*legend, *(n for y in given for n in y.notes))
    return Table(columns=columns, rows=tuple(rows), caption=caption, notes=notes)


def pairs_table(compared: Compared, words: Wording, *, caption: str) -> Table:
    """All pairs, those with the smallest p first; the better one of each stands first."""
    evidence, question = compared.evidence, compared.question
    seen = [p if p.effect is None or p.effect.estimate >= 0 else p.swapped() for p in compared.pairs]
    seen = sorted(seen, key=lambda p: (p.p_adjusted, compared.order.index(p.first), compared.order.index(p.second)))
    bounded = compared.tests.bounded
    shown = [p.effect if bounded or p.effect is None else unbounded(p.effect) for p in seen]
    sizes = [_seen(effect, words, _smallest(compared, words)) for effect in shown]
    write = words.differences([size for size in sizes if size is not None and math.isfinite(size.estimate)])
    rows: list[tuple[object, ...]] = []
    for pair, size in zip(seen, sizes, strict=True):
        name = f"{compared.name(pair.first)} over {compared.name(pair.second)}"
        wins = () if pair.spread is None else ("–".join(map(str, pair.spread.wins)),)
        ends = None if size is None else span_of(size)
        if ends is not None and pair.different and ends[0] == 0:
            ends = formats.ClosedBelow(ends)
        effect = None if size is None else size.estimate
        rows.append((name, effect, ends, pair.p_adjusted, *wins, "differ" if pair.different else ""))
    over = len(evidence.datasets) > 1
    columns = (
        Column(words.name, align="left", key="pair"),
        Column(f"{compared.estimand} {'ratio' if words.ratio else 'lead'}" if over else "lead", write, key="effect"),
        Column(f"{100 * question.level:g} % interval", formats.ends(write), key="interval"),
        Column("p", formats.p_value, key="p_adjusted"),
        *((Column("w–t–l", key="wins_ties_losses"),) if seen and seen[0].spread is not None else ()),
        Column("", align="left", key="mark"),
    )
    return Table(columns=columns, rows=tuple(rows), caption=caption)


def _effect_title(compared: Compared, words: Wording) -> str:
    """What the difference is, with its estimand over data sets."""
    over = len(compared.evidence.datasets) > 1
    kind = f"{compared.estimand} " if over else ""
    if compared.family in ("control", "pairs"):
        return f"{'ratio to' if words.ratio else 'lead over'} {compared.name(compared.leader)}"
    return f"{kind}ratio" if words.ratio else f"{kind}lead"


def _smallest(compared: Compared, words: Wording) -> float:
    """The size below which an end of an interval is 0 but for rounding."""
    return 0.0 if words.ratio else NOISE * float(np.nanmedian(np.abs(compared.evidence.means)))


def _seen(effect: Interval | None, words: Wording, smallest: float) -> Interval | None:
    """The lead as it is read: a ratio of the measure, else positive where better; 0 where only rounding makes it more.

    Against a control and among all pairs, a difference is in the measure's own direction, as its column says.
    """
    if effect is None or math.isnan(effect.estimate):
        return None
    shown = words.as_measured(effect) if words.ratio else effect
    low, high = (0.0 if abs(end) < smallest else end for end in (shown.low, shown.high))
    width = high - low
    nought = not words.ratio and math.isfinite(width) and abs(shown.estimate) < NOUGHT * width
    return replace(shown, estimate=0.0 if nought else shown.estimate, low=low, high=high)


def _ends(row: Row, size: Interval | None, words: Wording) -> tuple[float, float] | None:
    """The ends of an interval; the bound by decision stands on the side of the better."""
    ends = span_of(size)
    if ends is None or math.isnan(ends[0]):
        return None
    zero = 1.0 if words.ratio else 0.0
    below = row.closed or (row.standing in BEHIND and zero in ends)
    above = row.standing in AHEAD and zero in ends
    turned = words.ratio and not words.measure.higher_is_better
    if below or above:
        return formats.ClosedBelow(ends) if above != turned else formats.ClosedAbove(ends)
    return ends


def explanations(table: Table, compared: Compared | None) -> tuple[tuple[str, str], ...]:
    """What the columns of the table mean, by their titles."""
    if compared is None:
        return ()
    evidence, question = compared.evidence, compared.question
    leader = compared.name(compared.leader)
    over = len(evidence.datasets) > 1
    unit = evidence.unit
    pieces = "seeds" if score_unit(evidence.dependence) == "seed" else "splits"
    lead = {
        "best": "how far the method is ahead of the best of the others; below 0 it is behind",
        "pair": "how far the method is ahead of the other one; below 0 it is behind",
        "control": f"how far the method is ahead of {leader}; below 0 it is behind",
        "pairs": "how far the first of the two is ahead of the second; below 0 it is behind",
    }[compared.family]
    if over:
        what = "the Hodges–Lehmann estimate: half of the averages of two differences lie above it"
        lead += f" ({what})" if compared.estimand == "typical" else " (mean difference)"
    sure = formats.percent(question.level)
    hold = "all intervals hold together" if len(evidence.methods) > 2 else "it agrees with the test"
    if compared.family == "best":
        hold += "; an end of ≤ 0 says that the method is not better, and not by how much"
    wins = f"{unit}s on which the method wins, ties and loses"
    if compared.family == "best":
        wins += ": the leader against the next, the others against the leader"
    p = {
        "best": "the smallest level at which the method is out; of the best, at which it is the winner",
        "pair": "that of the test of the two",
        "control": "that of the test against the control, adjusted for all of them",
        "pairs": "adjusted for all pairs",
    }[compared.family]
    texts = {
        "mean": f"over the {pieces} of each {unit}, then over {unit}s" if over else f"over the {pieces}",
        "effect": lead,
        "interval": f"where the lead lies with {sure} confidence; {hold}",
        "p_adjusted": p,
        "wins_ties_losses": wins,
        "mark": "out: shown not to be the best" if compared.family == "best" else "what is shown of the method",
    }  # fmt: skip
    return tuple((c.title or "last column", texts[c.key]) for c in table.columns if c.key in texts)
