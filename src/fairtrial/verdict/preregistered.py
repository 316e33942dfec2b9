"""What was asked before the first trial and what afterwards: the stored question against the one that is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from fairtrial.definition import StudyDefinition
from fairtrial.design import Question
from fairtrial.notices import Notice
from fairtrial.verdict.designs.decide import WITH_THE_BEST
from fairtrial.words import listed

if TYPE_CHECKING:
    from fairtrial.results import Results

GUARD = "asked_when"
PARTS = tuple(f.name for f in fields(Question) if f.name not in ("text", "measure", "smallest_difference"))


@dataclass(frozen=True, slots=True)
class AskedWhen:
    """The parts of a question by the time when they were stated.

    ``stored`` is the moment when question and plan were stored, ``began`` the moment when the first run began, and
    ``digest`` the hash of that plan; all are empty where this is not known, as for scores from elsewhere.
    ``beforehand`` and ``afterwards`` name parts of the question and options of the verdict; those that are left at
    their defaults are not named. ``changed`` says how the study itself was changed after its first trial.
    """

    stored: str = ""
    began: str = ""
    digest: str = ""
    beforehand: tuple[str, ...] = ()
    afterwards: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether a plan is known that was stored before the first trial."""
        return bool(self.stored)

    def notices(self) -> Iterator[Notice]:
        """One notice: that all was asked beforehand, or which parts were not; none where it is not known."""
        if not self.is_known:
            return
        late = f"asked after the first trial: {listed(self.afterwards)}" if self.afterwards else ""
        changed = f"changed after the first trial: {listed(self.changed)}" if self.changed else ""
        found = "; ".join(part for part in (late, changed) if part)
        evidence = {"stored": self.stored, "began": self.began, "plan": self.digest}
        if found:
            yield Notice(found, evidence=evidence, guard=GUARD, stage="verdict")
        else:
            text = "the question and the plan were stored before the first trial"
            yield Notice(text, "fine", evidence=evidence, guard=GUARD, stage="verdict")

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain data."""
        return asdict(self)


def asked_when(
    results: Results, question: Question, *, adjust: str = WITH_THE_BEST, per_dataset: str | None = None
) -> AskedWhen:
    """Compare a question and the options of a verdict with the plan that was stored before the first trial."""
    plan, now = results.provenance.plan, results.definition
    if plan is None or now is None:
        return AskedWhen()
    parts = {
        **_parts(question, plan.question),
        "failures": (results.policy, plan.definition.failures, "baseline"),
        "adjust": (adjust, WITH_THE_BEST, WITH_THE_BEST),
        "per_dataset": (per_dataset, None, None),
    }
    return AskedWhen(
        stored=plan.stored,
        began=plan.began,
        digest=plan.digest,
        beforehand=tuple(name for name, (asked, before, usual) in parts.items() if asked == before != usual),
        afterwards=tuple(name for name, (asked, before, _) in parts.items() if asked != before),
        changed=tuple(_changes(plan.definition, now)),
    )


def _parts(asked: Question, before: Question) -> dict[str, tuple[object, object, object]]:
    """Each part of a question: as it is asked, as it was stored, and its default.

    A verdict on another measure leaves out what the stored question says about its own, and one without the stored
    control is about other methods: nobody asked for another one.
    """
    measure, usual = asked.measure or "", Question()
    own = before.is_about(measure)
    stored = before if own else replace(before, claim=None, yardsticks={}, context={})
    parts: dict[str, tuple[object, object, object]] = {
        "measure": (measure, measure if own else before.measure, None),
        "smallest_difference": (asked.delta_for(measure), before.delta_for(measure), None),
        **{n: (_plain(getattr(asked, n)), _plain(getattr(stored, n)), _plain(getattr(usual, n))) for n in PARTS},
    }
    return parts if asked.control is not None else {**parts, "control": (None, None, None)}


def _plain(value: object) -> object:
    """A value in which a list and a tuple of the same items are equal."""
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _changes(before: StudyDefinition, now: StudyDefinition) -> Iterator[str]:
    """The changes of a study after its first trial, in words; new names and another order change nothing."""
    yield from _members("data set", before.datasets, now.datasets, lambda d: d.fingerprint)
    listed_before, listed_now = ([m for m in d.methods if not m.yardstick] for d in (before, now))
    yield from _members("method", listed_before, listed_now, lambda m: m.canonical)
    for name in ("resampling", "seed", "factors"):
        if getattr(before, name) != getattr(now, name):
            yield f"the {name}"


def _members(noun: str, before: Iterable[Any], now: Iterable[Any], content: Callable[[Any], object]) -> Iterator[str]:
    known, present = [content(one) for one in before], [content(one) for one in now]
    new = [one.name for one in now if content(one) not in known]
    gone = [one.name for one in before if content(one) not in present]
    for what, names in (
        ("changed", [name for name in new if name in gone]),
        ("added", [name for name in new if name not in gone]),
        ("left out", [name for name in gone if name not in new]),
    ):
        if names:
            yield f"{noun}{'s' if len(names) > 1 else ''} {listed(names)} {what}"
