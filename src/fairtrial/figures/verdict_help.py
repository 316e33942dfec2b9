"""How to read the pictures of a verdict, and the lines of Python that make them."""

from __future__ import annotations

from dataclasses import replace

from fairtrial.tables import Picture
from fairtrial.verdict.verdict import Verdict

HOW_TO_READ = {
    "leads": (
        "Each dot is how far a method is ahead of the one that the axis names, each line its interval. A method whose "
        "line lies to one side of the upright line is shown to be ahead, or behind."
    ),
    "critical_difference": (
        "Each method stands at its average rank over the data sets, the best at the left. A bar joins methods of which "
        "no two are distinguishable; a bar may pass a method that has no dot on it and is not in the group."
    ),
    "ranks": (
        "Each line shows the ranks that a method may have, the best methods at the top. Methods whose lines share no "
        "rank differ; a long line means that little is known about the method."
    ),
    "pairwise": (
        "Each cell compares the method of its row with that of its column: the colour says which one is better and by "
        "how much. Filled cells are pairs that differ; outlined ones are not distinguishable."
    ),
    "dataset_differences": (
        "Each dot is the difference between the two methods on one data set, sorted by size. Dots on both sides of 0 "
        "mean that the better method depends on the data set."
    ),
    "dots": (
        "Each dot is the mean of a method on a data set; colour and shape say which method. Dots that lie close "
        "together mean that the choice of the method matters little there."
    ),
    "decision_path": "The questions are asked from the top; the answers of this study lead to the test at the end.",
    "null_distribution": (
        "The grey shape shows how often each value of the statistic would come about if both methods were equal. "
        "An observed value in the shaded region would be too rare for that."
    ),
}
"""How to read each kind of picture."""


WITH_CONTROL = ("leads", "null_distribution", "decision_path")
"""The kinds of pictures that can be drawn against a control."""


def with_reading_help(kind: str, picture: Picture, verdict: Verdict) -> Picture:
    """The picture with what it takes to read it and to make it again."""
    control = f", control={verdict.question.control!r}" if verdict.question.control and kind in WITH_CONTROL else ""
    call = f"results.figure({kind!r}, measure={verdict.measure.name!r}{control})"
    call = "ft.figures.figures_for(verdict)[-1].figure" if kind == "dots" else call
    compared = verdict.finding.compared
    if kind == "leads" and compared is not None and compared.family == "pairs":  # results.figure draws the default's
        call = "ft.figures.leads_figure(ft.figures.leads_of(verdict))"
    return replace(picture, explain=HOW_TO_READ[kind], call=call)
