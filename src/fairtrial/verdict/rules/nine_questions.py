"""Dietterich's nine statistical questions in machine learning, by number and name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairtrial.shown import ShownAsText


@dataclass(frozen=True, slots=True)
class NineQuestion(ShownAsText):
    """One of the nine questions: its number, a short name, and what it asks in full."""

    number: int
    name: str
    asks: str

    def __str__(self) -> str:
        return f"{self.number}: {self.name}"


NINE: tuple[NineQuestion, ...] = (
    NineQuestion(
        1,
        "the accuracy of a model, large sample",
        "Given a model and a separate test set, how accurate is the model on new instances?",
    ),
    NineQuestion(
        2,
        "the accuracy of a model, small sample",
        "Given a model that was trained on all of a small sample, how accurate is it on new instances?",
    ),
    NineQuestion(
        3,
        "the choice between models, large sample",
        "Given models and a separate test set, which is more accurate on new instances?",
    ),
    NineQuestion(
        4,
        "the choice between models, small sample",
        "Given models that were trained on all of a small sample, which is more accurate on new instances?",
    ),
    NineQuestion(
        5,
        "the accuracy of an algorithm, large sample",
        "Given an algorithm and a large sample, how accurate are its models, trained on new samples of a given size?",
    ),
    NineQuestion(
        6,
        "the accuracy of an algorithm, small sample",
        "Given an algorithm and a small sample, how accurate are its models, trained on new samples of the same size?",
    ),
    NineQuestion(
        7,
        "the choice between algorithms, large sample",
        "Given algorithms and a large sample, which makes the more accurate models from new samples of a given size?",
    ),
    NineQuestion(
        8,
        "the choice between algorithms, small sample",
        "Given algorithms and a small sample, which makes the more accurate models from new samples of the same size?",
    ),
    NineQuestion(
        9,
        "algorithms over several domains",
        "Given algorithms and samples from several domains, which makes the more accurate models in new domains?",
    ),
)
"""The taxonomy of Dietterich (1998), Neural Computation 10:1895-1923, figure 1. He asks about accuracy and two
algorithms; rows of the rule table also answer his questions for other measures, and for more than two.

The sentences are ours. Questions 1 and 8 were compared with the lecture notes of P. Riddle (University of Auckland,
1998), which quote them; that 8 is about two algorithms and a small sample of one domain also follows from the caption
of the figure. The figure itself was not at hand: questions 2 to 7 and 9 follow from its division into models and
algorithms, accuracy and choice, large and small samples, one domain and several."""


def numbered(numbers: Sequence[int]) -> tuple[NineQuestion, ...]:
    """The questions with these numbers."""
    return tuple(NINE[number - 1] for number in numbers)
