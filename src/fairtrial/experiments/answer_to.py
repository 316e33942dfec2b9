"""Which answer fits results: effects of factors, a verdict at each level, or one verdict; or the one asked for.

What all answers about factors share: what they are about, how their numbers are written, what makes them again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from fairtrial.choices import VerdictOptions
from fairtrial.design import FACTORS, Question
from fairtrial.measures import Measure
from fairtrial.statements import Remark, Role, Statement, Text
from fairtrial.stats.procedures import PROCEDURES
from fairtrial.verdict.answer import Answer
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import made_from
from fairtrial.verdict.level_verdicts import LevelVerdicts
from fairtrial.verdict.preregistered import AskedWhen
from fairtrial.verdict.verdict import Verdict
from fairtrial.verdict.words.wording import Scope, Wording

if TYPE_CHECKING:
    from fairtrial.results import Results


EffectsKind = Literal["over data sets", "on splits", "one split"]
IN_SHORT = 3  # sentences of an answer on the short page


@dataclass(frozen=True, eq=False, kw_only=True)
class FactorAnswer(Answer):
    """An answer about factors: effects, an ablation, a robust setting or a response surface.

    ``kind`` says what it is judged over, ``where`` the data that it is about, in words. Numbers are on the scale of
    comparison: the measure itself, or its logarithm where ratios are compared (``as_ratio``). ``options`` are those of
    the method of results that gives the answer (``name``), besides what the question has; None for a part of an answer.
    """

    name: ClassVar[str]

    units: tuple[str, ...]
    measure: Measure
    as_ratio: bool
    question: Question
    evidence: Evidence
    results: Results
    where: str = ""
    kind: EffectsKind = "over data sets"
    statements: tuple[Statement, ...] = ()
    why: str = ""
    procedures: tuple[str, ...] = ()
    asked: AskedWhen = field(default_factory=AskedWhen)
    options: Mapping[str, Any] | None = None

    if TYPE_CHECKING:  # fields of some kinds of answers, and properties of others

        @property
        def factors(self) -> tuple[str, ...]: ...

        @property
        def settings(self) -> Sequence[object]: ...

    @property
    def words(self) -> Wording:
        """How values and differences are written."""
        return Wording(self.measure, self.as_ratio)

    @property
    def unit(self) -> str:
        """The word for a piece of evidence."""
        return "data set" if self.kind == "over data sets" else "split"

    @property
    def scope(self) -> Scope:
        """What the statements are about, and how their numbers are written."""
        asked, n = self.question, len(self.units)
        return Scope(self.words, self.where, self.unit, f"{self.unit}s", n, delta=asked.delta, level=asked.level)

    @property
    def reference(self) -> str:
        """The works behind the procedures."""
        return "; ".join(dict.fromkeys(work.short for name in self.procedures for work in PROCEDURES[name].references))

    def found_data(self) -> dict[str, Any]:
        """What only this kind of answer has, as data."""
        raise NotImplementedError

    def own_data(self) -> dict[str, Any]:
        """What only answers about factors have, with all that :func:`fairtrial.verdict.verify` needs."""
        again = {} if self.options is None else {"made_by": self.name, **made_from(self.results, self.options)}
        shared = {"as_ratio": self.as_ratio, "units": list(self.units), "asked": self.asked.to_dict()}
        return {**shared, **self.found_data(), **again}


def answers(texts: Iterable[tuple[str, str]], most: int = IN_SHORT) -> tuple[Statement, ...]:
    """Sentences of an answer, each with what it is about; those after the first few stand on the full page only."""
    return tuple(Remark(Role.ANSWER, Text(text), about, only_full=i >= most) for i, (about, text) in enumerate(texts))


def all_of(number: int, noun: str) -> str:
    """A family of claims, in words: 'all 6 effects'."""
    return f"all {number:,} {noun}s" if number > 1 else f"the one {noun}"


ResultsAnswer = Verdict | LevelVerdicts | FactorAnswer
TAKEN = ("measure", "smallest_difference", "level", "failures", "baseline")
"""The options of a verdict that questions about factors take as well."""

NO_OPTIONS: VerdictOptions = {}


def answer_to(results: Results, options: VerdictOptions = NO_OPTIONS) -> ResultsAnswer:
    """The answer that fits the results: effects where parameters of methods were varied, else verdicts.

    Results at several levels of the training data have a verdict at each level. An option that only verdicts take, such
    as a control, asks for verdicts.
    """
    others = [name for name in options if name not in TAKEN]
    one_measure = isinstance(options.get("measure"), (str, type(None)))
    if not others and one_measure and any(name not in FACTORS for name in results.factors):
        own: Any = options
        return results.effects(**own)
    return results.verdicts(**options) if results.factors else results.verdict(**options)
