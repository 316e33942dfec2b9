"""Sentences about who may be the best, where there is no winner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairtrial.results.score_measures import is_vague
from fairtrial.tables import formats
from fairtrial.verdict.words.control_sentences import MOST_SIZES
from fairtrial.words import listed, verb

if TYPE_CHECKING:
    from fairtrial.verdict.words.sentences import Story

__all__ = ["leaders"]

MOST_BEST = 7  # up to so many methods that may be the best are all named; of more the first five


def leaders(story: Story) -> Iterator[str]:
    """Who may be the best, and who has the best mean."""
    w, first = story.words, story.order[0]
    above = [m for m in story.order if m != first and story.between(first, m).winner == m]
    if story.best:
        sure = f"With {formats.percent(story.question.level)} confidence"
        if is_vague(story.evidence.measure.name):
            sure = f"If all {story.evidence.unit}s have one measure, then with {sure.removeprefix('With ')}"
        if 1 < len(story.best) < len(story.order):
            many = len(story.best) > MOST_BEST
            names = f"{story.names(story.best)} (all marked °)" if many else listed(map(story.name, story.best), None)
            what = "the typically best is" if story.question.estimand == "typical" else "the best mean is that of"
            yield f"{sure} {what} one of {len(story.best)}: {names}."
            yield from _not_among_them(story)
        elif len(story.best) == 1:
            yield f"{sure} {story.name(story.best[0])} is among the best, but it does not beat every other method."
    else:
        beaten = [m for m in story.order if m != first and story.between(first, m).winner == first]
        level = [m for m in story.order if m != first and m not in beaten]
        if beaten and not above:
            others = f"{len(beaten)} others" if len(beaten) > MOST_SIZES else story.names(beaten)
            text = f"{story.name(first)} has the {w.best_word} mean and is better than {others} by these tests"
            are = verb(len(level), "is", "are")
            yield f"{text}; {story.names(level)} {are} not distinguishable from it." if level else f"{text}."
    if above:
        yield f"{story.name(first)} has the {w.best_word} mean, but {story.names(above)} typically " + (
            f"{verb(len(above), 'beats', 'beat')} it."
        )


def _not_among_them(story: Story) -> Iterator[str]:
    """Methods with a better mean than some that may be the best, which another method beats nevertheless."""
    last = max(story.order.index(m) for m in story.best)
    out = [m for m in story.order[:last] if m not in story.best]
    if not out or len(story.best) > MOST_BEST or is_vague(story.evidence.measure.name):  # means that mean little
        return
    are, means, them = (verb(len(out), *w) for w in (("is", "are"), ("its mean is", "their means are"), ("it", "them")))
    than = f"better than that of {story.name(story.order[last])}"
    ruled = f"a rival rules {them} out (see the table)"
    if story.question.estimand == "mean":
        ruled = f"a rival's lead over {them} varies little, and so is significant"
    yield f"{story.names(out)} {are} not among them, though {means} {than}: {ruled}."
