"""Whether a question fits its study: its measures, methods and data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairtrial.data import Dataset
from fairtrial.design.question import Question, check_share
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure, get
from fairtrial.methods import Method
from fairtrial.words import listed, shown

__all__ = ["check_question"]


def check_question(question: Question, measure: str, methods: Sequence[Method], sets: Sequence[Dataset]) -> None:
    """Refuse measures and data sets that the question misspells, and claims and levels that can't be meant."""
    if isinstance(question.smallest_difference, Mapping):
        for name in question.smallest_difference:
            get(name)  # a misspelt name would never hold for any measure
    check_share(question.delta_for(measure), get(measure))
    question.check_claim(get(measure))
    _check_claim(question, [m.name for m in methods if not m.yardstick])
    for yardstick in question.yardsticks:
        _check_levels(question, yardstick, get(measure), [d.name for d in sets])


def _check_levels(question: Question, yardstick: str, facts: Measure, known: Sequence[str]) -> None:
    given = question.yardsticks[yardstick]
    for name in given if isinstance(given, Mapping) else ():
        if name not in known:
            raise UnknownName.among(
                f"data set of this study (with a level of the yardstick {yardstick!r})", name, known
            )
    low, high = sorted((facts.worst, facts.best))
    for level in (question.level_of(yardstick, name) for name in known):
        if level is not None and not low <= level <= high:
            raise InputError(
                f"levels of the yardstick {yardstick!r} must lie in the range of {facts.name} ({facts.range}), got "
                f"{shown(level)}"
            )


def _check_claim(question: Question, compared: Sequence[str]) -> None:
    if question.claim is not None and len(compared) > 1:
        raise InputError(
            f"claim must be about one method, but {question.claim!r} was given for {listed(compared)}; name one "
            "method, to which a yardstick is added by itself, or leave the claim out to compare them"
        )
