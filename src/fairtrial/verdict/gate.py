"""Gates for continuous integration: whether methods pass, fail, or nothing is shown, by the decisions of a verdict.

What a verdict shows of one method against the control, as a gate asks it: refused, passed or open, in words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fairtrial.choices import FAIL_IF, FailIf
from fairtrial.design import Question, write_levels
from fairtrial.errors import InputError, UnknownName
from fairtrial.shown import ShownAsText
from fairtrial.statements import Role
from fairtrial.stats.score_arrays import differences
from fairtrial.tables import Column, Shown, Table, formats
from fairtrial.verdict.designs.decide import Pair
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.level_verdicts import LevelVerdicts
from fairtrial.verdict.verdict import Verdict
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import as_sentence, plural, quoted

if TYPE_CHECKING:
    from fairtrial.experiments.answer_to import ResultsAnswer


GateState = Literal["passed", "failed", "undecided"]

SMALL = ("better but negligible", "equivalent", "equal on average; on single data sets open")
DIFFERENT_ON_MOST = "equal on average, different on most data sets"


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a gate finds about a method and the control: the state, and a sentence without its full stop.

    ``of_margin``: the sentence is about δ, so that a p-value of no difference says nothing about it.
    """

    state: GateState
    sentence: str
    of_margin: bool = False


def rule_on(pair: Pair, fail_if: FailIf, method: str, control: str, delta: str | None) -> Ruling:
    """The ruling on a method, from the decision of the verdict; nothing is tested again.

    The first of the pair is the method, the second is the control. ``delta`` is δ in words, None where there is none.
    """
    if fail_if == "not-equivalent":
        return _on_equivalence(pair, f"{method} and {control}", method, control, str(delta))
    if fail_if == "worse":
        return _on_worse(pair, method, control, delta)
    return _on_better(pair, method, control, delta)


def is_better(pair: Pair, delta: str | None) -> bool | None:
    """Whether the first is shown to be better, by more than δ where there is one; None where that is open."""
    if pair.winner == pair.first and (delta is None or pair.decision == "better by more than matters"):
        return True
    ruled_out = pair.no_better or pair.decision in (*SMALL, DIFFERENT_ON_MOST)
    return False if pair.winner == pair.second or ruled_out else None


def _on_worse(pair: Pair, method: str, control: str, delta: str | None) -> Ruling:
    by_more, or_more = _by(delta)
    worse = is_better(pair.swapped(), delta)
    if worse:
        return Ruling("failed", f"{method} is worse than {control}{by_more}", delta is not None)
    if worse is False and pair.winner == pair.first:
        return Ruling("passed", f"{method} is better than {control}")
    if worse is False and pair.winner == pair.second:
        return Ruling("passed", f"{method} is worse than {control}, but by less than the {delta} that matters", True)
    if worse is False:
        return Ruling("passed", f"{method} is not worse than {control}{or_more}", True)
    if pair.winner == pair.second:
        return Ruling("undecided", f"{method} is worse than {control}, but whether{by_more} is open")
    return Ruling("undecided", f"whether {method} is worse than {control}{by_more} is open")


def _on_better(pair: Pair, method: str, control: str, delta: str | None) -> Ruling:
    by_more, or_more = _by(delta)
    better = is_better(pair, delta)
    if better:
        return Ruling("passed", f"{method} is better than {control}{by_more}", delta is not None)
    if better is False and pair.winner == pair.second:
        return Ruling("failed", f"{method} is worse than {control}")
    if better is False and pair.winner == pair.first:
        return Ruling("failed", f"{method} is better than {control}, but by less than the {delta} that matters", True)
    if better is False:
        return Ruling("failed", f"{method} is not better than {control}{or_more}", True)
    if pair.winner == pair.first:
        return Ruling("undecided", f"{method} is better than {control}, but whether{by_more} is open")
    return Ruling("undecided", f"whether {method} is better than {control}{by_more} is open")


def _on_equivalence(pair: Pair, both: str, method: str, control: str, delta: str) -> Ruling:
    """Equivalence is about single data sets, too: where these were looked at, they must agree."""
    if pair.decision == "better by more than matters":
        side = "better" if pair.winner == pair.first else "worse"
        return Ruling("failed", f"{method} is {side} than {control} by more than {delta}", True)
    single = pair.spread.conclusion if pair.decision in SMALL and pair.spread is not None else pair.decision
    if single == DIFFERENT_ON_MOST:
        return Ruling("failed", f"{both} differ by {delta} or more on most data sets", True)
    if single in ("equivalent", "better but negligible"):
        return Ruling("passed", f"{both} are equivalent, within {delta}", True)
    if pair.decision in SMALL:
        return Ruling("undecided", f"{both} typically differ by less than {delta}, but on single data sets it is open")
    return Ruling("undecided", f"whether {both} are equivalent, within {delta}, is open")


def _by(delta: str | None) -> tuple[str, str]:
    return ("", "") if delta is None else (f" by more than {delta}", f" by {delta} or more")


def size_in_words(pair: Pair, words: Wording, *, with_p: bool = True) -> str:
    """The difference of a method and the control with its interval, method minus control; p where they differ.

    Beside a ruling about δ, the p-value of no difference would be read as that of the margin: there it is left out.
    """
    p = formats.p_equals(pair.p_adjusted)
    if pair.effect is None or math.isnan(pair.effect.low):
        return p
    found = words.as_measured(pair.effect)
    write = words.differences([found])
    direction = "" if words.measure.higher_is_better else ", lower is better"
    kind = "ratio" if words.ratio else "difference"
    low, high = (_end(x, write) for x in (found.low, found.high))
    told = f", {p}" if pair.different and with_p else ""
    return f"{kind} in {words.name} {write(found.estimate)} [{low}, {high}]{told}{direction}"


def _end(value: float, write: formats.Formatter) -> str:
    return write(value) if math.isfinite(value) else "∞" if value > 0 else "−∞"


MOST_CASES = 3
SAME_MEANT = " everywhere; if that was not meant, look whether one of them was evaluated twice"
PROMISES: dict[FailIf, str] = {
    "worse": "not worse than",
    "not-better": "better than",
    "not-equivalent": "equivalent to",
}
CONDITIONS: dict[FailIf, str] = {
    "worse": "worse than",
    "not-better": "not better than",
    "not-equivalent": "not equivalent to",
}
MARGINS: dict[FailIf, str] = {
    "worse": " by {} or more",
    "not-better": " by more than {}",
    "not-equivalent": ", within {}",
}
ONE_SIDE = "A question on one side can't show the opposite, so that this gate can pass or stay open, but not fail"
NO_DELTA = (
    "Without a smallest difference that matters, only a method that is shown to be better is shown not to be worse; "
    "say smallest_difference (--smallest-difference)"
)


@dataclass(frozen=True, slots=True)
class GateCase(ShownAsText):
    """One method at a gate: its state, the sentence that says so, and why.

    ``place`` is the data set or the level that the case is about; empty where one verdict is about all of them.
    """

    method: str
    place: str
    state: GateState
    sentence: str
    why: str

    @property
    def name(self) -> str:
        """The method, with the place where there is one."""
        return f"{self.method}, {self.place}" if self.place else self.method

    def __str__(self) -> str:
        return f"{self.sentence} ({self.why})"


@dataclass(frozen=True, slots=True)
class Gate(Shown):
    """The result of a gate: *failed* if one case failed, else *undecided* if one is, else *passed*.

    ``fail_if`` is what the gate refuses. ``measure`` is in words, and so is ``margin``, the smallest difference that
    matters. ``str(gate)`` is one sentence, or two.
    """

    fail_if: FailIf
    control: str
    measure: str
    cases: tuple[GateCase, ...]
    hint: str = ""
    margin: str = ""

    @property
    def state(self) -> GateState:
        states = [case.state for case in self.cases]
        return "failed" if "failed" in states else "undecided" if "undecided" in states else "passed"

    @property
    def promise(self) -> str:
        """What passes the gate, such as 'not worse than old'."""
        return f"{PROMISES[self.fail_if]} {self.control}"

    @property
    def condition(self) -> str:
        """What fails at the gate, such as 'worse than old'."""
        return f"{CONDITIONS[self.fail_if]} {self.control}"

    @property
    def asked(self) -> str:
        """What was asked, as it came out: what is kept by a gate that passed, else what it refuses."""
        if self.state != "passed":
            return f"fail if {self.condition}"
        return self.promise + (MARGINS[self.fail_if].format(self.margin) if self.margin else "")

    @property
    def sentence(self) -> str:
        """The result in words: the cases that decide, and why."""
        deciding = [case for case in self.cases if case.state == self.state]
        by_reason: dict[str, list[str]] = {}
        for case in deciding[:MOST_CASES]:
            by_reason.setdefault(case.why, []).append(case.sentence)
        texts = [f"{'; '.join(sentences)} ({why})" for why, sentences in by_reason.items()]
        if (more := len(deciding) - MOST_CASES) > 0:
            texts.append(f"and {plural(more, 'other')} {self.state}")
        hint = f" {as_sentence(self.hint)}" if self.hint and self.state == "undecided" else ""
        return f"Gate {self.state}: {'; '.join(texts)}.{self._counts()}{hint}"

    def _counts(self) -> str:
        """How many of several cases have which state; empty where all have the same."""
        count = Counter(case.state for case in self.cases)
        if len(count) == 1:
            return ""
        states: tuple[GateState, ...] = ("failed", "undecided", "passed")
        parts = ", ".join(f"{count[state]} {state}" for state in states if count[state])
        return f" {plural(len(self.cases), 'comparison')}: {parts}."

    def to_table(self) -> Table:
        """A row for each case."""
        columns = tuple(Column(title, align="left") for title in ("method", "gate", "finding", "why"))
        rows = tuple((case.name, case.state, case.sentence, case.why) for case in self.cases)
        return Table(columns, rows, caption=f"{self.measure}: {self.asked}")

    def to_dict(self) -> dict[str, Any]:
        """The gate as plain data."""
        return {"state": self.state, "sentence": self.sentence, **asdict(self)}

    def __str__(self) -> str:
        return self.sentence


def check_gate(fail_if: FailIf, question: Question, methods: Sequence[str] = ()) -> None:
    """Refuse a gate that a question can't answer, before anything is run for it."""
    if fail_if not in FAIL_IF:
        raise UnknownName.among("condition of a gate", fail_if, FAIL_IF)
    if question.claim is not None:
        raise InputError(f"a gate compares methods with a control, but the question claims a level ({question.claim})")
    if question.control is None:
        which = f", one of {quoted(methods)}" if methods else ""
        raise InputError(
            f"a gate (fail if {fail_if}) compares methods with a control, and none is named; say control='…' "
            f"(--control){which}"
        )
    if fail_if != "not-equivalent":
        return
    if question.smallest_difference is None:
        raise InputError(
            "equivalence needs the smallest difference that matters, and none is given for this measure; say "
            "smallest_difference='1pp' (--smallest-difference 1pp) or, where ratios are compared, '5%'"
        )
    if question.alternative != "two-sided":
        raise InputError(
            f"equivalence is about both sides, but alternative={question.alternative!r} asks about one; leave "
            "alternative (--alternative) out"
        )


def gate_of(answer: ResultsAnswer, fail_if: FailIf, *, candidates: Sequence[str] | None = None) -> Gate:
    """Whether methods pass a gate, by what a verdict has decided about each of them and the control.

    The gate fails where a method is shown to be ``"worse"`` than the control, ``"not-better"`` or ``"not-equivalent"``.
    With δ, better and worse mean *by more than δ*. It is undecided where neither that nor the opposite is shown, where
    a method was not compared, and where data leave no verdict. ``candidates`` are the methods at the gate, by default
    all but the control. Verdicts on each data set or at each level have a case for each of them.

    >>> import pandas as pd
    >>> from fairtrial.results import read_scores
    >>> old = [0.81, 0.62, 0.77, 0.85, 0.90, 0.68, 0.74]
    >>> new = [0.78, 0.60, 0.72, 0.84, 0.86, 0.62, 0.67]
    >>> scores = pd.DataFrame({"dataset": list("abcdefg"), "old": old, "new": new})
    >>> verdict = read_scores(scores, measure="accuracy").verdict(control="old")
    >>> print(gate_of(verdict, "worse"))
    Gate failed: new is worse than old (difference in accuracy −0.040 [−0.060, −0.020], p = 0.016).
    """
    if not isinstance(answer, (Verdict, LevelVerdicts)):
        raise InputError(
            "a gate needs a verdict on methods, but this is an answer about factors; name a control (--control), and "
            "choose levels (--at)"
        )
    first = answer.verdicts[0] if isinstance(answer, LevelVerdicts) else answer
    question = first.question
    check_gate(fail_if, question, first.evidence.methods)
    _refuse_other_tests(first)
    cases = tuple(_all_cases(answer, fail_if, candidates))
    if not cases:
        raise InputError(
            f"a gate needs a method besides the control {question.control!r}, and there is none; bring its results, or "
            "name candidates (--candidates)"
        )
    words, delta = Wording(first.measure), question.delta
    margin = "" if delta is None else words.delta(delta)
    return Gate(fail_if, str(question.control), words.name, cases, _hint(question, fail_if), margin)


def _hint(question: Question, fail_if: FailIf) -> str:
    """What keeps a gate from deciding, where the question does."""
    if question.alternative != "two-sided":
        return ONE_SIDE
    return NO_DELTA if fail_if == "worse" and question.delta is None else ""


def _all_cases(
    answer: Verdict | LevelVerdicts, fail_if: FailIf, candidates: Sequence[str] | None
) -> Iterator[GateCase]:
    """The cases of a verdict, or of the verdicts at all levels."""
    if not isinstance(answer, LevelVerdicts):
        yield from _cases(answer, fail_if, candidates, "")
        return
    for levels, verdict in answer:
        yield from _cases(verdict, fail_if, candidates, f"at {write_levels(levels)}")
    for levels, why in answer.left_out:
        place = f"at {write_levels(levels)}"
        yield GateCase("every method", place, "undecided", f"{place} nothing is shown", why)


def _refuse_other_tests(verdict: Verdict) -> None:
    """Refuse verdicts that decide about something else than a method and the control."""
    if verdict.finding.measures:
        raise InputError("a gate is about one measure, but several are tested at once; name one (--measure)")
    if verdict.finding.each and not verdict.parts:
        raise InputError(
            "per_dataset (--per-dataset) has marks without decisions; leave it out, or say domains='these' for a gate "
            "on each data set"
        )


def _cases(verdict: Verdict, fail_if: FailIf, candidates: Sequence[str] | None, at: str) -> Iterator[GateCase]:
    """The cases of a verdict: each method with the control, on each data set where each has a finding of its own."""
    methods = _at_the_gate(verdict, candidates)
    for dataset, finding in (verdict.parts or {"": verdict.finding}).items():
        place = ", ".join(filter(None, (f"on {dataset}" if dataset else "", at)))
        for method in methods:
            ruling, why = _ruling(verdict, finding, method, fail_if, dataset)
            sentence = f"{place}, {ruling.sentence}" if place else ruling.sentence
            yield GateCase(method, place, ruling.state, sentence, why)


def _at_the_gate(verdict: Verdict, candidates: Sequence[str] | None) -> list[str]:
    """The methods that are compared with the control, also those that did not run."""
    absent = (a.method for a in verdict.did_not_run)
    known = [m for m in dict.fromkeys((*verdict.evidence.methods, *absent)) if m != verdict.question.control]
    for name in candidates or ():
        if name not in known:
            raise UnknownName.among(f"method that is compared with {verdict.question.control}", name, known)
    return known if candidates is None else list(dict.fromkeys(candidates))


def _same_scores(verdict: Verdict, method: str, control: str, dataset: str) -> bool:
    """Whether two methods have equal scores on every split, as after a change of code that should change nothing."""
    evidence = verdict.evidence
    if not {method, control} <= set(evidence.methods):
        return False
    i, j = evidence.methods.index(method), evidence.methods.index(control)
    folds = [f for name, f in zip(evidence.datasets, evidence.folds, strict=True) if dataset in ("", name)]
    scores = np.vstack([f[:, [i, j]] for f in folds])
    return not differences(scores[:, 0], scores[:, 1]).whole.any()


def _ruling(verdict: Verdict, finding: Finding, method: str, fail_if: FailIf, dataset: str) -> tuple[Ruling, str]:
    """The ruling on a method, and why: the size of the difference, or the reason why nothing was compared."""
    control, names = str(verdict.question.control), () if finding.comparisons is None else finding.comparisons.names
    if _same_scores(verdict, method, control, dataset):
        state: GateState = "failed" if fail_if == "not-better" else "passed"
        what = (CONDITIONS if state == "failed" else PROMISES)[fail_if]
        return Ruling(state, f"{method} is {what} {control}"), f"its scores equal those of {control}{SAME_MEANT}"
    refused = verdict.is_refused
    for pair in () if refused else finding.pairs:
        if {method, control} == {names[pair.first], names[pair.second]}:
            seen = pair if names[pair.first] == method else pair.swapped()
            several = len(verdict.evidence.datasets) > 1 and not dataset
            words = Wording(verdict.measure, verdict.evidence.as_ratio and several)
            delta = verdict.question.delta
            ruling = rule_on(seen, fail_if, method, control, None if delta is None else words.delta(delta))
            of_the_ruling = not ruling.of_margin or verdict.question.alternative == "not worse"
            return ruling, size_in_words(seen, words, with_p=of_the_ruling)
    absent = (f"{a.state}: {a.why}" for a in verdict.did_not_run if a.method == method and a.dataset in ("", dataset))
    answer = finding.said(Role.ANSWER)[0].render() if dataset and not refused else verdict.answer
    why = next(absent, answer)
    opened = Ruling("undecided", f"whether {method} is {PROMISES[fail_if]} {control} is open")
    named = why.startswith(tuple(f"{name} " for name in (control, method, *verdict.evidence.methods)))
    return opened, (why if named else why[:1].lower() + why[1:]).rstrip(".")
