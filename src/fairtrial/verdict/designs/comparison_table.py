"""The table of a verdict: methods from best to worst, each with its difference to the best or to the control."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fairtrial.stats import Interval
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.designs.compare_methods import Compared
from fairtrial.verdict.designs.decide import Pair, rank_sets
from fairtrial.verdict.designs.yardsticks import beaten_in_words, given_yardsticks
from fairtrial.verdict.words.wording import Wording, span_of
from fairtrial.words import from_to, plural

__all__ = ["Cells", "beaten_in_words", "comparison_table"]

RANK_INTERVAL = "ranks: the rank interval, the ranks that the tests do not rule out"
WHOSE_WINS = "wins, ties and losses are those of the method in the row"
WINNER_ALONE = "(*)"
MAY_BE_BEST = "°"
NOISE = 1e-9  # of a typical score: an end of an interval below it is 0 but for rounding


@dataclass(frozen=True, slots=True)
class Cells:
    """A column, and a function that gives the cell of a method, or of a yardstick, by its number."""

    column: Column
    of: Callable[[int], object]


def comparison_table(
    compared: Compared,
    words: Wording,
    *,
    mean: Cells,
    beside: Cells,
    wins: Cells | None = None,
    yardstick: Callable[[int], str],
    caption: str,
    effect: str,
    legend: Sequence[str] = (),
) -> Table:
    """The table of a comparison: a row for each method, from best to worst.

    The columns are the mean, the column ``beside`` it, the rank interval, the difference with its interval and p-value,
    ``wins`` and a mark. Against a control there is no rank interval. ``effect`` says what the difference is. Yardsticks
    come last, each with the text of ``yardstick``; those that the question gives say themselves who beats them.
    """
    evidence, question = compared.evidence, compared.question
    k = len(evidence.methods)
    ranked = question.control is None
    sets, against = rank_sets(compared.pairs, k, compared.winner), compared.against_reference()
    smallest = 0.0 if words.ratio else NOISE * float(np.nanmedian(np.abs(evidence.means)))
    rows: list[tuple[object, ...]] = []
    for m in compared.order:
        row = (evidence.methods[m], mean.of(m), beside.of(m), *((from_to(*sets[m]),) if ranked else ()))
        if m in against:
            pair = against[m]
            effect_of = _effect(compared, pair)
            size = None if effect_of is None else _seen(words.as_measured(effect_of), smallest)
            p = pair.p_adjusted if compared.tests.bounded else pair.p_value
            row += (None if size is None else size.estimate, span_of(size), p)
            row += (*((wins.of(m),) if wins else ()), _marks(compared, m, pair))
        else:
            row += (None, None, None, *((None,) if wins else ()), _candidate(compared, m))
        rows.append(row)
    blank = (None,) * (3 + ranked + (wins is not None))
    rows += [
        (name, mean.of(k + i), beside.of(k + i), *blank, f"yardstick{yardstick(i)}")
        for i, name in enumerate(evidence.yardsticks)
    ]
    given = given_yardsticks(evidence, question)
    rows += [(yardstick.name, yardstick.level, None, *blank, yardstick.text) for yardstick in given]
    together = compared.tests.family > 1 and compared.tests.bounded
    effects = [_effect(compared, pair) for pair in against.values()]
    sizes = [_seen(words.as_measured(found), smallest) for found in effects if found is not None]
    difference = words.differences(sizes)  # a difference has as many decimals as its interval
    p_title = f"p ({compared.adjustment})" if together else "p"
    columns = (
        Column("method", align="left"),
        mean.column,
        beside.column,
        *((Column("ranks", key="rank_interval"),) if ranked else ()),
        Column(f"against {evidence.methods[compared.reference]}", difference, key="effect"),
        Column(f"{100 * question.level:g} % interval", formats.span(difference), key="interval"),
        Column(p_title, formats.p_value, key="p_adjusted"),
        *((wins.column,) if wins else ()),
        Column("", align="left", key="mark"),
    )
    notes = (
        *_with_wins(_notes(compared, effect), wins is not None),
        *((_on_ranks(compared),) if ranked else ()),
        *legend,
        *(n for y in given for n in y.notes),
    )
    return Table(columns=columns, rows=tuple(rows), caption=caption, notes=notes)


def _with_wins(notes: Iterable[str], shown: bool) -> Iterator[str]:
    """The notes, of which the first says whose wins are shown."""
    for i, note in enumerate(notes):
        yield f"{note}; {WHOSE_WINS}" if shown and i == 0 else note


def _effect(compared: Compared, pair: Pair) -> Interval | None:
    """The difference that is shown: the one that decides, or that of the means, where the answer has it."""
    return pair.spread.own_mean if compared.shows_mean and pair.spread is not None else pair.effect


def _seen(size: Interval, smallest: float) -> Interval:
    """The interval with ends that differ from 0 by rounding only written as 0."""
    low, high = (0.0 if abs(end) < smallest else end for end in (size.low, size.high))
    return replace(size, low=low, high=high)


def _on_ranks(compared: Compared) -> str:
    """What the rank intervals are; they may leave rank 1 to more methods than the answer, which is about the best."""
    if any(_mark(compared, pair) == WINNER_ALONE for pair in compared.pairs):
        return f"{RANK_INTERVAL}; rank 1 is that of the winner, by its own tests"
    together = " for all pairs together" if compared.several_best else ""
    return f"{RANK_INTERVAL}{together}"


def _candidate(compared: Compared, method: int) -> str:
    """The mark of a method that may be the best, where several may, but not all; or the rival that beats it."""
    found = compared.best_set
    if found is None or not compared.several_best:
        return ""
    if method in compared.best:
        return MAY_BE_BEST
    return f"by {found.rivals[method]}, {formats.p_equals(found.p_values[method])}"


def _marks(compared: Compared, method: int, pair: Pair) -> str:
    """All marks of a method; a star says already that it is beaten."""
    star = _mark(compared, pair)
    return star if star and method not in compared.best else star + _candidate(compared, method)


def _mark(compared: Compared, pair: Pair) -> str:
    if pair.different:
        return "*"
    return WINNER_ALONE if compared.winner in (pair.first, pair.second) else ""


def _notes(compared: Compared, effect: str) -> Iterator[str]:
    """What the differences are, for what their intervals hold, and what the marks mean."""
    tests, question = compared.tests, compared.question
    reference = compared.evidence.methods[compared.reference]
    together = compared.tested_together
    alpha = f"{1 - question.level:.3g}"
    if tests.comparisons.simultaneous:
        alone = ", those of the answer for its pair alone" if compared.winner is not None else ""
        hold = f"intervals and p hold for all {together} together{alone}"
        yield f"against {reference}: {effect}; {hold}; * {_star(compared)}"
    elif not tests.bounded:
        few = "there are too few data sets for intervals that hold for all"
        yield f"against {reference}: {effect}; {few} {together} together, so each interval and p is for its pair alone"
    elif tests.family == 1:
        shown = "mean difference (t), since many differences are equal; p is that of signed ranks"
        shown = shown if compared.shows_mean else f"{effect} and its interval"
        yield f"against {reference}: {shown}; * {_star(compared)}"
    else:
        family = f"{compared.adjustment}, {plural(tests.family, 'pair')}"
        yield f"against {reference}: {effect} and its interval, for that pair alone; * p ({family}) < {alpha}"
    effects = [_effect(compared, pair) for pair in compared.against_reference().values()]
    if any(e is not None and e.low == e.high for e in effects):
        yield "an interval without width is not shown: many differences are equal in size, so that it tells nothing"
    if compared.several_best:
        yield f"{MAY_BE_BEST} may be the best: no other method rules it out{_by_rivals(compared)}"
    if any(_mark(compared, p) == WINNER_ALONE for p in compared.pairs):
        yield f"{WINNER_ALONE} beaten by the winner in a test of this pair alone (p < {alpha}), as a winner needs"


def _by_rivals(compared: Compared) -> str:
    """How methods are ruled out of the best, and what stands beside those that have no star."""
    against = compared.against_reference()
    named = [m for m in compared.order if m not in compared.best and not (m in against and against[m].different)]
    how = "one-sided, joint flips over its rivals"
    weaker = "which is a weaker claim than that the two differ"
    return f"; where another does, it is named with its p ({how}), {weaker}" if named else f" ({how})"


def _star(compared: Compared) -> str:
    if compared.question.alternative == "not worse":
        return f"not worse than {compared.question.control} by as much as matters"
    zero = 1 if compared.evidence.as_ratio and len(compared.evidence.datasets) > 1 else 0
    starred = [p.spread for p in compared.against_reference().values() if p.different and p.spread is not None]
    tied = compared.question.estimand == "typical" and not compared.shows_mean and any(s.mostly_equal for s in starred)
    return f"{zero} lies outside{' (an end of 0 is just beyond it: many scores are equal)' if tied else ''}"
