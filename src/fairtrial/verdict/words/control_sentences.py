"""The answer to a question about a control: which methods do better, which worse, which are not worse than a margin."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from fairtrial.tables import formats
from fairtrial.verdict.finding import Answer
from fairtrial.words import verb

if TYPE_CHECKING:
    from fairtrial.verdict.designs.decide import Pair
    from fairtrial.verdict.words.sentences import Story

__all__ = ["MOST_SIZES", "against_control"]

MOST_SIZES = 3


def against_control(story: Story) -> Answer:
    """What is said of each method against the control, and by how much."""
    control = story.evidence.methods.index(str(story.question.control))
    others = [m for m in story.order if m != control]
    seen = {m: story.between(m, control) for m in others}
    better = [m for m in others if seen[m].winner == m]
    worse = [m for m in others if seen[m].winner == control]
    no_worse = [m for m in others if seen[m].decision == "not worse"]
    open_ = [m for m in others if m not in (*better, *worse, *no_worse)]
    w, c = story.words, story.name(control)
    parts = [f"{story.names(better)} {_do(better)} better than {c}{_negligibly(story, seen, better)}"] if better else []
    if no_worse:
        it = "it" if parts else c
        typically = story.typically
        parts.append(
            f"{story.names(no_worse)} {_is(no_worse)} {typically}not worse than {it} by {story.delta_text()} or more"
        )
    if worse:
        parts.append(
            f"{story.names(worse)} {_do(worse)} worse{'' if parts else f' than {c}'}{_negligibly(story, seen, worse)}"
        )
    if open_:
        parts.append(_still_open(story, open_, "it" if parts else c))
    direction = "" if story.evidence.measure.higher_is_better else " (lower is better)"
    text = f"In {w.name}{direction} {story.where}, {'; '.join(parts)}."
    winner = c if len(worse) == len(others) else story.name(better[0]) if len(better) == len(others) == 1 else None
    sizes = [
        story.lead(control, seen[m].effect, seen[m].decision, story.name(m), f"{story.name(m)}'s")
        for m in better[:MOST_SIZES]
    ]
    back = [(m, seen[m].swapped()) for m in worse[: MOST_SIZES - len(sizes)]]
    sizes += [story.lead(m, pair.effect, pair.decision, c, f"{c}'s") for m, pair in back]
    sizes += [s for m in no_worse[:MOST_SIZES] for s in _at_worst(story, m, control)]
    sizes += [s for m in open_[:1] if not better for s in story.still_open(m, control)]
    single = list(story.on_single(others[0], control)) if others else []
    means = list(story.of_means(better[0], control)) if better else []
    return Answer((text, *sizes, *story.equivalents(), *single, *means), winner)


def _negligibly(story: Story, seen: Mapping[int, Pair], methods: Sequence[int]) -> str:
    """That none of these differences is as large as what matters, where that is shown."""
    small = all(seen[m].decision == "better but negligible" for m in methods)
    return f", by less than the {story.delta_text()} that matters" if small else ""


def _at_worst(story: Story, m: int, control: int) -> Iterator[str]:
    """The size of a difference that is not worse than a margin, and the worst that is not ruled out."""
    effect = story.between(m, control).effect
    if effect is None or story.words.ratio or not math.isfinite(effect.low):
        return
    numbers = (effect.estimate, effect.low)
    write = formats.over(story.words.difference, numbers)
    estimate, low = map(write, numbers)
    kind = "typical difference" if story.typically else "difference"
    sure = f"with {formats.percent(story.question.level)} confidence not below {low}"
    yield f"The {kind} of {story.names((m, control))} is {estimate}, {sure}."


def _still_open(story: Story, methods: Sequence[int], it: str) -> str:
    if story.question.alternative == "better":
        return f"{story.names(methods)} {_is(methods)} not shown to do better than {it}"
    if story.question.alternative == "not worse":
        return f"{story.names(methods)} may be worse than {it} by {story.delta_text()} or more"
    return f"{story.names(methods)} {_is(methods)} not distinguishable from {it}"


def _do(methods: Sequence[int]) -> str:
    return verb(len(methods), "does", "do")


def _is(methods: Sequence[int]) -> str:
    return verb(len(methods), "is", "are")
