"""Figures of a given width, and labels that begin as the names do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.text import Text

from fairtrial.figures.drawing.fitting import (
    LONGEST_NAME,
    NARROWEST,
    PAGE,
    fewer_ticks,
    figure_of_labels,
    figure_of_width,
    name_labels,
    with_remarks,
)
from fairtrial.figures.drawing.style import MOST_OF_A_NAME, write


def labelled(name: str):
    def draw(ax) -> None:
        ax.set(xlim=(0, 1), ylim=(0, 1))
        ax.set_yticks([0.5], [name])

    return draw


class TestWidth:
    @pytest.mark.parametrize("width", [3.4, 7.0])
    def test_labels_are_part_of_the_width(self, width: float) -> None:
        figure = figure_of_width(width, 1.0, labelled("a name of some length"))
        assert figure.get_size_inches()[0] == pytest.approx(width, abs=0.05)

    def test_very_long_labels_leave_something_to_draw_on(self) -> None:
        figure = figure_of_width(3.4, 1.0, labelled("x" * 60))
        assert figure.get_size_inches()[0] > 3.4
        assert figure.axes[0].get_position().width * figure.get_size_inches()[0] == pytest.approx(NARROWEST)

    def test_without_a_width_a_figure_is_as_wide_as_it_needs_up_to_a_page(self) -> None:
        assert figure_of_labels(3.0, 1.0, labelled("short")).get_size_inches()[0] < 4
        assert figure_of_labels(5.0, 1.0, labelled("x" * 40)).get_size_inches()[0] == pytest.approx(PAGE, abs=0.05)


class TestLabels:
    @given(st.lists(st.text("abc ", min_size=1, max_size=70), min_size=1, max_size=6))
    def test_labels_begin_as_names_do_and_differ_where_they_do(self, names: list[str]) -> None:
        labels = name_labels(names)
        whole = [" ".join(name.split()) for name in names]
        for label, name in zip(labels, whole, strict=True):
            assert name.startswith(label.removesuffix("…"))
        assert len(set(labels)) == len(set(whole))


def test_remarks_stay_inside_a_narrow_figure() -> None:
    figure = figure_of_width(3.4, 1.0, labelled("a"))
    shown = with_remarks(figure, ["Many words about what the lines, the dots and the band of this figure mean. " * 3])
    for text in shown.findobj(Text):
        if "words" in text.get_text():
            assert text.get_window_extent().x1 <= shown.bbox.width
    assert with_remarks(Figure(), ()).texts == []


def test_a_narrow_axis_has_few_ticks() -> None:
    counts = []
    for wide in (1.0, 6.0):
        figure = Figure(figsize=(wide, 1))
        ax = figure.add_axes((0, 0, 1, 1))
        ax.set_xlim(-0.05, 0.01)
        fewer_ticks(ax, log=False)
        write(ax, "x", (0, 0))
        counts.append(len(ax.get_xticks()))
    assert counts[0] <= 4 < counts[1]


def test_names_of_any_length_are_cut() -> None:
    names = [f"{'x' * 100_000}{i}" for i in range(4)]
    labels = name_labels(names)
    assert [label[-1] for label in labels] == ["0", "1", "2", "3"]
    assert max(map(len, labels)) <= LONGEST_NAME
    assert max(map(len, name_labels([f"{'x' * 50_000}{i}{'y' * 50_000}" for i in range(3)]))) <= MOST_OF_A_NAME
