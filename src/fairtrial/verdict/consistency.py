"""Whether an answer is of one mind: statements, table and next steps are held against each other."""

from __future__ import annotations

import math
from collections.abc import Iterator

from fairtrial.stats import Interval
from fairtrial.verdict.answer import Answer
from fairtrial.verdict.claims.best import Choice, Circle, MayBeBest, Winner
from fairtrial.verdict.claims.difference import AgainstControl, Better, Differences, Equivalent, NotShown
from fairtrial.verdict.claims.steadiness import Hinges, Kept, MeansDisagree, OnlyJust, WouldWin
from fairtrial.verdict.claims.support import Refused
from fairtrial.verdict.designs.compare_methods import Compared, Row
from fairtrial.verdict.verdict import Verdict

NAMED = 7
"""So many methods that may be the best are named in a sentence, and so must stand in the table."""


def check_consistency(answer: Answer) -> tuple[str, ...]:
    """The contradictions of an answer, each in a sentence; empty where it is of one mind.

    Each interval is held against the sentence and the mark that follow from it, wins against what is said to be ahead,
    the set of those that may be the best against the answer and the choice, the table of the page against all of them,
    and next steps against what could settle something. Nothing here reads a sentence.

    >>> import pandas as pd
    >>> from fairtrial.results import read_scores
    >>> scores = pd.DataFrame({"dataset": list("abcdef"), "A": [3, 4, 5, 6, 7, 8], "B": [1, 3, 4, 4, 6, 5.5]})
    >>> check_consistency(read_scores(scores, measure="rmse").verdict())
    ()
    """
    return tuple(_of_verdict(answer)) if isinstance(answer, Verdict) else ()


def _of_verdict(verdict: Verdict) -> Iterator[str]:
    finding, compared = verdict.finding, verdict.finding.compared
    if finding.of_kind(Refused):
        if finding.winner is not None or finding.best or compared is not None:
            yield "there is no verdict, but a winner or a best set"
        return
    for name, part in finding.parts:
        if part.compared is not None:
            for row in part.compared.rows:
                yield from (f"{name}: {text}" for text in _of_row(part.compared, row, 1 - verdict.question.level))
    if compared is None:
        return
    alpha = 1 - verdict.question.level
    for row in compared.rows:
        yield from _of_row(compared, row, alpha)
    yield from _of_answer(verdict, compared)
    yield from _of_control(verdict, compared)
    yield from _of_steadiness(verdict)
    yield from _of_steps(verdict, compared)
    yield from _of_table(verdict, compared)


def _of_row(compared: Compared, row: Row, alpha: float) -> Iterator[str]:
    """The interval of a row against its mark and p."""
    name, effect = compared.name(row.method), row.effect
    if effect is None or math.isnan(effect.low) or effect.has_no_width:
        return
    if not effect.low <= effect.estimate <= effect.high and compared.family != "best":
        yield f"the estimate of {name} lies outside its interval"
    if row.standing in ("best", "better") and effect.low < 0:
        yield f"{name} is {row.standing}, but its interval holds 0"
    if row.standing in ("out", "worse") and effect.high > 0:
        yield f"{name} is {row.standing}, but its interval holds 0"
    shown = row.standing in ("", "equivalent") and row.rival is not None
    if shown and not effect.low <= 0 <= effect.high:
        yield f"{name} has no mark, but its interval excludes 0"
    if row.p_value is None or math.isnan(row.p_value):
        return
    marked = row.standing in ("best", "better", "out", "worse", "not worse")
    if marked and not row.p_value < alpha:
        yield f"{name} is {row.standing}, but its p is {row.p_value:.3g}"


def _of_answer(verdict: Verdict, compared: Compared) -> Iterator[str]:
    """The answer and the choice against the leads."""
    finding, leads = verdict.finding, compared.leads
    rows = {compared.name(row.method): row for row in compared.rows}
    for won in finding.of_kind(Winner):
        if finding.winner != won.method or rows[won.method].standing != "best":
            yield f"{won.method} is the best of the answer, but not of the table"
        yield from _same(won.lead, rows[won.method], won.method)
    for several in finding.of_kind(MayBeBest):
        if finding.winner is not None:
            yield f"no best is shown, but {finding.winner} wins"
        if leads is not None and set(several.methods) != set(leads.best):
            yield "those that may be the best are others in the answer than in the table"
        if set(several.methods) != set(finding.best):
            yield "those that may be the best are others in the answer than in the data"
    if finding.of_kind(Circle) and (finding.winner is not None or finding.best):
        yield "wins go in a circle, but there is a best"
    for better in finding.of_kind(Better):
        if not better.lead.low >= 0 and not better.lead.has_no_width:
            yield f"{better.method} is better, but the interval of its lead holds 0"
        yield from _same(better.lead, rows[better.method], better.method) if better.alone else ()
    for none in finding.of_kind(NotShown):
        if none.lead is not None and not math.isnan(none.lead.low) and not none.lead.low <= 0 <= none.lead.high:
            yield f"no difference of {none.method} is shown, but the interval excludes 0"
        if finding.winner is not None:
            yield f"no difference is shown, but {finding.winner} wins"
    for same in finding.of_kind(Equivalent):
        if compared.delta is None or (same.lead is not None and abs(same.lead.estimate) >= compared.delta):
            yield f"{same.method} and {same.other} are equivalent, but differ by more than matters"
    for chosen in finding.of_kind(Choice):
        if leads is None or (not chosen.within_delta and leads.winner is None and chosen.method not in leads.best):
            yield f"{chosen.method} is chosen, but out"
        row = rows[chosen.method]
        if row.effect is not None and chosen.wins and not chosen.within_delta and row.effect.estimate < 0:
            yield f"{chosen.method} is said to be ahead, but its lead is below 0"
        if row.effect is not None and not math.isclose(chosen.loss, max(0.0, -row.effect.low)):
            yield f"the loss by choosing {chosen.method} is not the end of its interval"
    for turned in finding.of_kind(MeansDisagree):
        row = rows[turned.method]
        if turned.mean.estimate < 0 and row.effect is not None and not row.effect.estimate > 0:
            yield f"the means are turned round, but the typical lead of {turned.method} is not above 0"
    for pairs in finding.of_kind(Differences):
        if pairs.winner != (finding.winner or ""):
            yield "the winner of the answer is another than that of the data"


def _same(lead: Interval, row: Row, name: str) -> Iterator[str]:
    """A size in the answer against the same in the table."""
    shown = row.effect
    if shown is None or (lead.estimate, lead.low, lead.high) != (shown.estimate, shown.low, shown.high):
        yield f"the lead of {name} in the answer is not that of the table"


def _of_control(verdict: Verdict, compared: Compared) -> Iterator[str]:
    """What is said of the control against the marks."""
    for said in verdict.finding.of_kind(AgainstControl):
        listed = {"better": said.better, "worse": said.worse}
        listed |= {"not worse": said.not_worse, "equivalent": said.equivalent}
        marks = {compared.name(row.method): row.standing for row in compared.rows}
        for mark, names in listed.items():
            if {name for name, own in marks.items() if own == mark} != set(names):
                yield f"the methods that are {mark} are others in the answer than in the table"


def _of_steadiness(verdict: Verdict) -> Iterator[str]:
    """What hinges against what stays, and both against the winner."""
    finding = verdict.finding
    hinges, kept = finding.of_kind(Hinges), finding.of_kind(Kept)
    if hinges and (finding.winner is None or kept):
        yield "the win hinges on single data sets, but there is none, or it stays"
    would, only_just = finding.of_kind(WouldWin), finding.of_kind(OnlyJust)
    if finding.winner is not None and (would or only_just):
        yield "there is a winner, but another one would win, or is only just among the best"
    for just in only_just:
        if just.is_in != (just.method in finding.best):
            yield f"{just.method} is only just {'in' if just.is_in else 'out'}, but it is not"


def _of_steps(verdict: Verdict, compared: Compared) -> Iterator[str]:
    """Next steps against what could settle something."""
    for step in verdict.next_steps:
        if step.action == "say what matters" and verdict.question.delta is not None and compared.delta is not None:
            yield "what matters is said already"
        if step.action == "more data" and step.amount is not None and verdict.winner is not None:
            yield "more data are asked for, but there is a winner"
        out = {compared.name(row.method) for row in compared.rows if row.standing in ("out", "worse", "better")}
        if step.amount is not None and out & set(step.methods):
            yield "more data are asked for a pair that is decided"


def _of_table(verdict: Verdict, compared: Compared) -> Iterator[str]:
    """The table of the page against what the answer names, and the order of its rows."""
    table = verdict.page_table()
    shown = {row[0] for row in table.rows}
    named: set[str] = set()
    for won in verdict.finding.of_kind(Winner):
        named |= {won.method, won.runner_up}
    for several in verdict.finding.of_kind(MayBeBest):
        named |= set(several.methods) if len(several.methods) <= NAMED else set(several.methods[:5])
    for chosen in verdict.finding.of_kind(Choice):
        named |= {chosen.method, chosen.cheaper} - {""}
    if missing := named - shown:
        yield f"{', '.join(sorted(missing))} is named, but its row is not shown"
    places = {"best": 0, "": 1, "out": 2}
    order = [places[row.standing] for row in compared.rows if row.standing in places]
    if compared.family == "best" and order != sorted(order):
        yield "methods that are out stand above others"
