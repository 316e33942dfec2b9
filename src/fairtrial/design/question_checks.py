"""Whether a question fits its study: its claim, methods and data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairtrial.data import Dataset
from fairtrial.design.question import Question
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import get
from fairtrial.methods import Method
from fairtrial.words import listed


def check_question(question: Question, measure: str, methods: Sequence[Method], sets: Sequence[Dataset]) -> None:
    """Refuse data sets that a settled question misspells, and claims that can't be meant."""
    question.check_claim(get(measure))
    _check_claim(question, [m.name for m in methods if not m.yardstick])
    for yardstick in question.yardsticks:
        _check_names(question, yardstick, [d.name for d in sets])


def _check_names(question: Question, yardstick: str, known: Sequence[str]) -> None:
    given = question.yardsticks[yardstick]
    for name in given if isinstance(given, Mapping) else ():
        if name not in known:
            raise UnknownName.among(
                f"data set of this study (with a level of the yardstick {yardstick!r})", name, known
            )


def _check_claim(question: Question, compared: Sequence[str]) -> None:
    if question.claim is not None and len(compared) > 1:
        raise InputError(
            f"claim must be about one method, but {question.claim!r} was given for {listed(compared)}; name one "
            "method, to which a yardstick is added by itself, or leave the claim out to compare them"
        )
