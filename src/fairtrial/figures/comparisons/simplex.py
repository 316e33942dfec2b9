"""The Bayesian comparison of two methods as a triangle: one better, practically equivalent, the other better."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.errors import InputError
from fairtrial.figures.comparisons.compared_pair import compared_pair
from fairtrial.figures.drawing.inputs import FigureData, Rows
from fairtrial.figures.drawing.style import (
    FONT_SIZE,
    INK,
    MUTED,
    PALETTE,
    SMALL,
    fitted_figure,
    short_names,
    size_in_inches,
    wrap,
    write,
)
from fairtrial.figures.result_views import View, figure_of
from fairtrial.stats import bayes_signed_rank
from fairtrial.stats.bayes.posterior import Posterior
from fairtrial.verdict.designs.compare_methods import on_scale
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from fairtrial.results import Results

WIDTH = 3.4
HEIGHT = math.sqrt(3) / 2
MOST = 1500
"""The most draws that are drawn as points: more would only make the file larger."""

CORNERS = np.array([[0.0, 0.0], [0.5, HEIGHT], [1.0, 0.0]])
"""The places of the first method, of the region of practical equivalence, and of the second method."""


@dataclass(frozen=True, slots=True)
class SimplexData(FigureData):
    """All that the figure shows: draws of the three shares as ``points`` in a triangle whose base is 1.

    The lower left corner belongs to the ``first`` method, the lower right one to the ``second``, the top to practical
    equivalence. ``probabilities`` are in this order, and ``meaning`` says what they are probabilities of.
    """

    first: str
    second: str
    points: Rows
    probabilities: tuple[float, float, float]
    matters: str
    meaning: str
    n: int

    def statements(self, longest: int | None = None) -> tuple[str, str, str]:
        """What each corner says, with names of at most so many characters."""
        first, second = short_names([self.first, self.second], longest)
        return f"{first} better", f"at most {self.matters} apart", f"{second} better"

    @property
    def words(self) -> str:
        """The figure in words: the three probabilities, the most probable first."""
        full = (
            f"{self.first} is better by more than {self.matters}",
            f"they differ by at most {self.matters}",
            f"{self.second} is better by more than {self.matters}",
        )
        order = sorted(range(3), key=lambda i: -self.probabilities[i])
        lines = (f"{full[i]}: probability {_probability(self.probabilities[i])}" for i in order)
        return "\n".join((*lines, f"{plural(self.n, 'data set')}; {self.meaning}"))


def simplex_data(posterior: Posterior, methods: tuple[str, str], *, matters: str | None = None) -> SimplexData:
    """The data of a simplex: the draws of a posterior of two methods, of which higher scores are better.

    It takes a posterior with draws and a region of practical equivalence: :func:`~fairtrial.stats.bayes_signed_rank`
    or :func:`~fairtrial.stats.bayes_hierarchical`. ``matters`` is the half-width of the region in words.

    Reference: Benavoli, Corani, Demšar & Zaffalon (2017), JMLR 18(77):1-36, https://jmlr.org/papers/v18/16-305.html.

    >>> posterior = bayes_signed_rank([0.81, 0.92, 0.77], [0.79, 0.87, 0.78], rope=0.01)
    >>> data = simplex_data(posterior, ("forest", "bayes"))
    >>> data.probabilities == (posterior.right, posterior.equivalent, posterior.left), len(data.points)
    (True, 1500)
    """
    if posterior.draws is None:
        raise InputError(f"posterior must have draws, but {posterior.test} is in closed form; take bayes_signed_rank")
    if not posterior.rope:
        raise InputError("posterior must have a region of practical equivalence, but its rope is 0; give it a rope")
    shares = np.asarray(posterior.draws)[:MOST, ::-1]  # left is evidence for the second method
    return SimplexData(
        first=methods[0],
        second=methods[1],
        points=tuple(map(tuple, (shares @ CORNERS).tolist())),
        probabilities=(posterior.right, posterior.equivalent, posterior.left),
        matters=matters or f"{posterior.rope:g}",
        meaning=f"{posterior.test}: {posterior.meaning}",
        n=posterior.n,
    )


@figure_of("simplex")
def simplex_view(
    results: Results,
    *,
    methods: Sequence[str] | None = None,
    measure: str | None = None,
    smallest_difference: float | str | None = None,
) -> View:
    """The Bayesian comparison of two methods over data sets, as a figure and in words."""
    pair = compared_pair(
        results, "a simplex", methods=methods, measure=measure, smallest_difference=smallest_difference
    )
    name = pair.evidence.measure.name
    if pair.smallest_difference is None:
        raise InputError(
            f"a simplex needs smallest_difference, the smallest difference of {name} that matters, got None; give it "
            "here or in the question"
        )
    if len(pair.datasets) < 2:
        raise InputError(f"a simplex is over data sets, of which it needs 2 at least, got {len(pair.datasets)}")
    rope = on_scale(pair.smallest_difference, pair.evidence.as_ratio)
    assert rope is not None
    words = Wording(pair.evidence.measure)
    found = bayes_signed_rank(*pair.better, rope=rope)
    data = simplex_data(found, pair.names, matters=words.delta(pair.smallest_difference))
    title = f"{words.name} of {' and '.join(short_names(pair.names))}, {plural(found.n, 'data set')}"
    return View("\n".join((data.words, *pair.notes)), simplex_figure(data), pair.notes, title)


def _probability(p: float) -> str:
    """A probability that is never written as 0 or 1, since it is a share of draws.

    >>> _probability(0.12345), _probability(0.0), _probability(1.0)
    ('0.123', '< 0.001', '> 0.999')
    """
    return "< 0.001" if p < 0.001 else "> 0.999" if p > 0.999 else f"{p:.3f}"


def simplex_figure(data: SimplexData) -> Figure:
    """The simplex as a Figure."""
    return fitted_figure(WIDTH, WIDTH * HEIGHT, partial(draw_simplex, data), keep_shape=True)


def draw_simplex(data: SimplexData, ax: Axes) -> None:
    """Draw the triangle, the three regions in which a share is the largest, and the draws."""
    ax.set_axis_off()
    ax.set(xlim=(0, 1), ylim=(0, HEIGHT))
    middle = CORNERS.mean(axis=0)
    for i, j in ((0, 1), (1, 2), (0, 2)):
        ax.plot(*CORNERS[[i, j]].T, color=INK, linewidth=0.9, clip_on=False, zorder=3)
        ax.plot(
            *np.array([middle, CORNERS[[i, j]].mean(axis=0)]).T,
            color=MUTED,
            linewidth=0.9,
            linestyle=(0, (3, 2)),
            zorder=3,
        )
    points = np.array(data.points)
    ax.plot(*points.T, "o", color=PALETTE[0], markersize=2.6, alpha=0.25, markeredgewidth=0, clip_on=False, zorder=4)
    places: tuple[dict[str, Any], ...] = (
        {"xy": (0, 0), "offset": (0, -6), "va": "top", "ha": "left"},
        {"xy": (0.5, HEIGHT), "offset": (0, 6), "va": "bottom", "ha": "center"},
        {"xy": (1, 0), "offset": (0, -6), "va": "top", "ha": "right"},
    )
    room = int(72 * size_in_inches(ax)[0] / 2 / (0.58 * FONT_SIZE)) - 8  # half of the base, without "better"
    for text, p, place in zip(data.statements(room), data.probabilities, places, strict=True):
        write(ax, f"{text}\n{_probability(p)}", **place).set(multialignment=place["ha"], linespacing=1.3)
    test, _, meaning = data.meaning.partition(": ")
    equal = f"equivalent: at most {data.matters} apart"
    said = f"{test}, posterior; {equal}; points: draws of the three shares; dashed: where the largest share changes; "
    said += f"numbers: {meaning}"
    said = wrap([said], int(72 * size_in_inches(ax)[0] / (0.54 * SMALL)))
    write(ax, said, (0, 0), offset=(0, -38), va="top", size=SMALL, color=MUTED)
