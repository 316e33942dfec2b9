"""The critical-difference diagram around a control, and in a given width."""

from __future__ import annotations

import pytest

from fairtrial.errors import InputError, UnknownName
from fairtrial.figures import critical_difference_data, critical_difference_figure
from fairtrial.figures.drawing.style import on_paper

NAMES, RANKS = ["A", "B", "C", "D", "E"], [1.2, 2.1, 3.0, 3.9, 4.8]


def around(**more):
    return critical_difference_data(NAMES, RANKS, (), control="C", better=["A"], worse=["E", "D"], **more)


class TestAroundAControl:
    def test_by_hand(self) -> None:
        data = around()
        assert data.caption == (
            "Average ranks, 1 is the best; C is the control.",
            "Better than C: A.",
            "Worse than C: D and E.",
            "Not distinguishable from it: B.",
        )
        (bar,) = data.bars
        assert (bar.members, bar.dots) == ((1, 2), (2.1, 3.0))
        assert [label.against for label in data.labels] == ["better", "", "control", "worse", "worse"]
        assert data.reach is None

    def test_the_critical_difference_reaches_to_both_sides_of_the_control(self) -> None:
        # figure 12.1 (bottom) of Flach (2012): no bar, but the interval around the rank of the control
        data = around(critical_difference=1.5)
        assert (data.bars, data.reach) == ((), (1.5, 4.5))
        assert around(critical_difference=9).reach == (1.0, 5.0)

    def test_a_method_that_differs_is_never_on_a_solid_line(self) -> None:
        data = critical_difference_data(NAMES, RANKS, (), control="A", worse=["B"])
        assert [s.solid for s in data.bars[0].stretches] == [False, True, True]
        assert data.key == ("dotted: the bar passes a method that differs",)

    def test_all_differ(self) -> None:
        data = critical_difference_data(["A", "B", "C"], [1, 2, 3], (), control="B", better=["A"], worse=["C"])
        assert data.bars == ()

    def test_says_what_was_wrong(self) -> None:
        with pytest.raises(UnknownName, match="no method of the diagram is called 'X'"):
            critical_difference_data(NAMES, RANKS, (), control="X")
        with pytest.raises(InputError, match="different methods, none of which is the control"):
            critical_difference_data(NAMES, RANKS, (), control="A", better=["B"], worse=["B"])
        with pytest.raises(InputError, match="none of which is the control"):
            critical_difference_data(NAMES, RANKS, (), control="A", better=["A"])


class TestDrawing:
    @pytest.mark.parametrize("critical", [None, 1.5, 9.0])
    def test_words_stand_beside_names(self, drawn_whole, critical: float | None) -> None:
        written = drawn_whole(critical_difference_figure(around(critical_difference=critical)))
        assert {"A ▲ better", "C (control)", "E ▼ worse", "B"} <= set(written)
        assert ("critical difference ±1.50 around the control" in written) == (critical == 1.5)

    @pytest.mark.parametrize("width", [3.4, 7.0])
    def test_a_given_width(self, drawn_whole, width: float) -> None:
        figure = critical_difference_figure(critical_difference_data(NAMES, RANKS, [(0, 1)], note="n" * 20), width)
        assert figure.get_size_inches()[0] == pytest.approx(width, abs=0.05)
        drawn_whole(figure)

    def test_long_names_begin_as_they_do_and_stay_on_a_page(self, drawn_whole) -> None:
        names = [f"{letter}{'n' * 79}" for letter in "abcde"]
        figure = critical_difference_figure(critical_difference_data(names, RANKS, []))
        assert figure.get_size_inches()[0] == pytest.approx(7, abs=0.05)
        assert any(text.startswith(f"a{'n' * 14}") and text.endswith("…") for text in drawn_whole(figure))

    def test_a_column_is_kept_with_long_names(self, drawn_whole) -> None:
        names = [f"{letter}, a forest of 500 trees" for letter in "abcde"]
        with on_paper("column"):
            figure = critical_difference_figure(critical_difference_data(names, RANKS, []))
        assert figure.get_size_inches()[0] == pytest.approx(3.4, abs=0.03)
        drawn_whole(figure)

    def test_the_words_have_all_ranks(self) -> None:
        assert around().words.endswith("Average ranks: A 1.20; B 2.10; C 3.00; D 3.90; E 4.80.")
