"""Figures, each as data first and drawing second, so that they can be tested without pixels and redrawn by anyone.

``*_data`` is pure and gives a frozen value with ``to_dict()``; ``draw_*`` puts it on a matplotlib Axes; ``*_figure``
makes a Figure of the right size; :func:`figure_for` takes a verdict and chooses. matplotlib is imported only when
something is drawn, and never through pyplot, so that figures can be made without a display and in any thread.
:func:`to_svg` gives the text to put into a page.
"""

from fairtrial.figures.critical_difference import (
    CriticalDifferenceData,
    critical_difference_data,
    critical_difference_figure,
    draw_critical_difference,
)
from fairtrial.figures.differences import (
    DifferencesData,
    differences_data,
    differences_figure,
    draw_differences,
)
from fairtrial.figures.dots import DotsData, dots_data, dots_figure, draw_dots
from fairtrial.figures.of_verdict import Picture, figure_for, figures_for, nemenyi_figure
from fairtrial.figures.svg import to_svg

__all__ = [
    "CriticalDifferenceData",
    "DifferencesData",
    "DotsData",
    "Picture",
    "critical_difference_data",
    "critical_difference_figure",
    "differences_data",
    "differences_figure",
    "dots_data",
    "dots_figure",
    "draw_critical_difference",
    "draw_differences",
    "draw_dots",
    "figure_for",
    "figures_for",
    "nemenyi_figure",
    "to_svg",
]
