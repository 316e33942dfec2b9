"""The decision path: the questions that led to a procedure, the answers given, and the roads that were not taken."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

from fairtrial.errors import InputError
from fairtrial.figures.drawing.style import FONT_SIZE, INK, MUTED, PAD, PALETTE, SMALL, fitted_figure, paper, write
from fairtrial.verdict.rules.rule_questions import DecisionPath, Road, Step
from fairtrial.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 7.0
NARROWEST, TWO_COLUMNS = 2.5, 5.0  # inches: other roads stand beside the way from here on, below the answer before
SPINE, TEXT = 0.1, 0.28  # inches from the left: the way, the text beside it
BESIDE = 0.46  # of the width, where other roads begin if they stand beside the way
LINE = 0.155  # the height of a line
WIDE = 0.55  # the width of a letter, in its size; bold ones are wider

Part = Literal["question", "taken", "other", "procedure", "reason"]
FIRST_LINE: dict[Part, float] = {"question": 0.1, "taken": 0.14, "other": 0.1, "procedure": 0.14, "reason": 0.1}
AFTER: dict[Part, float] = {"question": 0.04, "taken": 0.07, "other": 0.02, "procedure": 0.05, "reason": 0.03}


@dataclass(frozen=True, slots=True)
class PathText:
    """A text of the picture: a question, an answer, or the end; its lines, and where it begins, in inches."""

    part: Part
    lines: tuple[str, ...]
    left: float
    top: float

    @property
    def bottom(self) -> float:
        return self.top + FIRST_LINE[self.part] + (len(self.lines) - 0.5) * LINE + AFTER[self.part]


def decision_path_texts(path: DecisionPath, width: float = WIDTH) -> tuple[PathText, ...]:
    """The texts of the picture from top to bottom, wrapped to a width in inches, each at its place."""
    if not width >= NARROWEST:
        raise InputError(f"width must be at least {NARROWEST} inches, got {width!r}")
    found: list[PathText] = []
    top = 0.0
    for step in path.steps:
        found += _step(step, top, width)
        top = max(text.bottom for text in found) + 0.03
    top += 0.08
    end: tuple[tuple[Part, str], ...] = (
        ("procedure", _procedure(path.procedure)),
        ("reason", f"Why: {path.why}."),
        ("reason", path.reference),
    )
    for part, text in end:
        found.append(_placed(part, text, 0.14, top, width))
        top = found[-1].bottom
    return tuple(found)


def _step(step: Step, top: float, width: float) -> Iterator[PathText]:
    """The texts of a question; other answers stand beside the one that was given or, on a narrow page, below it."""
    beside = width >= TWO_COLUMNS
    edge = BESIDE * width - 0.1 if beside else width
    question = _placed("question", step.question, TEXT, top, edge)
    taken = _placed("taken", f"✓ {step.answer}", TEXT, question.bottom, edge)
    yield from (question, taken)
    low = top if beside else taken.bottom
    for road in step.roads:
        if not road.taken:
            other = _placed("other", _elsewhere(road), BESIDE * width + 0.2 if beside else TEXT + 0.22, low, width)
            yield other
            low = other.bottom


def _placed(part: Part, text: str, left: float, top: float, edge: float) -> PathText:
    size = SMALL if part in ("other", "reason") else FONT_SIZE
    letter = (1.12 if part in ("taken", "procedure") else 1.0) * WIDE * size / 72
    return PathText(part, tuple(textwrap.wrap(text, max(int((edge - left - 0.05) / letter), 12))), left, top)


def _elsewhere(road: Road) -> str:
    """An answer that was not given, and where it would have led."""
    n = len(road.procedures)
    return f"{road.answer} → {_procedure(road.procedures[0]) if n == 1 else plural(n, 'possible procedure')}"


def _procedure(name: str) -> str:
    return "no test is possible" if name == "none" else name


def decision_path_words(path: DecisionPath) -> str:
    """What the figure shows, as text: each question with its answer, then the procedure and why."""
    asked = " ".join(f"{step.question} {step.answer[0].upper()}{step.answer[1:]}." for step in path.steps)
    return f"{asked} So the procedure is: {_procedure(path.procedure)}. Why: {path.why} ({path.reference})."


def decision_path_figure(path: DecisionPath, width: float | None = None) -> Figure:
    """The path as a Figure of this width in inches, by default that of the paper; its height follows."""
    if width is None:
        sheet = paper()
        width = WIDTH if sheet is None else sheet.width
    inner = width - 2 * PAD
    texts = decision_path_texts(path, inner)
    return fitted_figure(inner, texts[-1].bottom + 0.1, partial(draw_decision_path, texts, width=inner))


def draw_decision_path(texts: Sequence[PathText], ax: Axes, width: float) -> None:
    """Draw the path downwards: the way taken as a thick line with boxes, other roads in grey."""
    ax.set_axis_off()
    ax.set(xlim=(0, width), ylim=(texts[-1].bottom + 0.1, 0))  # one unit is one inch
    end = next(text for text in texts if text.part == "procedure")
    ax.plot([SPINE, SPINE], [0.1, end.top], color=PALETTE[0], linewidth=2.4, solid_capstyle="butt", zorder=1)
    ax.plot([SPINE], [end.top - 0.01], "v", color=PALETTE[0], markersize=7, markeredgewidth=0, zorder=3)
    _draw_end(end.top, texts[-1].bottom, width, ax)
    for text in texts:
        _draw_text(text, ax)


def _draw_text(text: PathText, ax: Axes) -> None:
    y = text.top + FIRST_LINE[text.part]
    size = SMALL if text.part in ("other", "reason") else FONT_SIZE
    weight = "bold" if text.part in ("taken", "procedure") else "normal"
    color = {"other": MUTED, "taken": ON_BOX}.get(text.part, INK)
    shown = "\n".join(text.lines)
    lines = write(ax, shown, (text.left, y - 0.06), va="top", size=size, color=color, weight=weight)
    if text.part == "question":
        ax.plot([SPINE], [y], "o", color=PALETTE[0], markersize=7, markeredgecolor="white", zorder=3)
    elif text.part == "taken":
        lines.set_bbox(
            {"boxstyle": "round,pad=0.25", "facecolor": "#dcebf5", "edgecolor": PALETTE[0], "linewidth": 1.1}
        )
        ax.plot([SPINE, text.left], [y, y], color=PALETTE[0], linewidth=2.4, zorder=1)
    elif text.part == "other":
        stub = [text.left - 0.2, text.left - 0.05]
        ax.plot(stub, [y, y], color=MUTED, linewidth=0.9, linestyle=(0, (2, 1.5)), zorder=0)


def _draw_end(top: float, bottom: float, width: float, ax: Axes) -> None:
    from matplotlib.patches import FancyBboxPatch

    box = FancyBboxPatch(
        (0.02, top + 0.03), width - 0.04, bottom - top, boxstyle="round,pad=0,rounding_size=0.06",
        facecolor="none", edgecolor=PALETTE[0], linewidth=1.6, zorder=2,
    )  # fmt: skip
    ax.add_patch(box)


ANSWER, ON_BOX = "#dcebf5", "#1b1e24"
"""The box of an answer, and the text in it, which stays dark on a dark page."""
