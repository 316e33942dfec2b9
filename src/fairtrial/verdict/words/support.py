"""The test, methods that did not run, why there is no verdict, and next steps, in words."""

from __future__ import annotations

from fairtrial.results.absentees import sentence_about
from fairtrial.statements import Text, says
from fairtrial.verdict.claims.support import ByTest, DidNotRun, NextStep, Refused
from fairtrial.verdict.words.wording import Scope
from fairtrial.words import plural, verb

MOST = 5000  # data sets; more are not named


@says(ByTest)
def _(s: ByTest, to: Scope) -> str:
    family = f"{s.family}: " if s.family else ""
    return f"{family}{s.test}{f' over {s.over}' if s.over else ''}"


@says(DidNotRun)
def _(s: DidNotRun, to: Scope) -> str:
    return sentence_about(s.methods)


@says(Refused)
def _(s: Refused, to: Scope) -> str:
    more = f" ({plural(s.others, 'more grave notice')}: see the full page)" if s.others else ""
    return f"No verdict: {s.reason.sentence}{more}."


@says(NextStep)
def _(s: NextStep, to: Scope) -> str | Text:
    if s.words is not None:
        return s.words
    if s.action == "run on":
        n = s.amount or 0
        return f"let the run go on: {plural(n, 'trial')} {verb(n, 'is', 'are')} still to be run (`fairtrial run` again)"
    names = " and ".join(s.methods)
    if s.action == "say what matters":
        what = f"how many {s.unit} would settle {names}" if names else "whether the lead is large enough"
        return f"say which difference matters (smallest_difference), to learn {what}"
    if s.amount is None:
        return f"to show a difference of {to.matters} between {names} takes more than {MOST:,} {s.unit}"
    span = "" if s.low is None else f"; {s.low:,} to {f'{s.high:,}' if s.high else f'over {MOST:,}'}"
    if s.amount <= to.n:
        return f"a difference of {to.matters} between {names} should have shown with {s.amount:,} {s.unit} (power 0.8)"
    return f"{s.amount:,} {s.unit} in all would show a difference of {to.matters} between {names} (power 0.8{span})"
