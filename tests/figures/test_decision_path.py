"""The decision path as texts at places, in one column and in two."""

from __future__ import annotations

import pytest

from fairtrial.errors import InputError
from fairtrial.figures import decision_path_figure, decision_path_texts, decision_path_words
from fairtrial.figures.drawing.style import on_paper
from fairtrial.verdict.rules.rule import Situation
from fairtrial.verdict.rules.rule_questions import decision_path

PATH = decision_path(Situation(methods=4, datasets=14, resampled=False, these_only=False))
NO_TEST = decision_path(Situation(methods=2, datasets=2, resampled=False, these_only=False))


class TestTexts:
    @pytest.mark.parametrize("width", [2.5, 3.4, 7.0])
    def test_nothing_overlaps(self, width: float) -> None:
        texts = decision_path_texts(PATH, width)
        for first in texts:
            for second in texts:
                same_column = (first.left > width / 3) == (second.left > width / 3)
                if first.top < second.top and same_column:
                    assert first.bottom <= second.top + 1e-9

    def test_other_roads_stand_beside_the_way_or_below_it(self) -> None:
        wide, narrow = (decision_path_texts(PATH, width) for width in (7.0, 3.4))
        assert all(t.left > 3 for t in wide if t.part == "other")
        assert all(t.left < 1 for t in narrow if t.part == "other")
        assert wide[-1].bottom < narrow[-1].bottom

    def test_each_question_has_one_answer_and_the_other_roads(self) -> None:
        parts = [text.part for text in decision_path_texts(PATH)]
        assert parts.count("question") == parts.count("taken") == len(PATH.steps)
        assert parts.count("other") == sum(len(step.roads) - 1 for step in PATH.steps)

    def test_no_test_is_a_road_too(self) -> None:
        assert "So the procedure is: no test is possible." in decision_path_words(NO_TEST)

    def test_a_figure_needs_some_width(self) -> None:
        with pytest.raises(InputError, match=r"width must be at least 2\.5 inches, got 1"):
            decision_path_texts(PATH, 1)


@pytest.mark.slow
@pytest.mark.parametrize("width", [3.4, 7.0])
def test_drawn(drawn_whole, width: float) -> None:
    figure = decision_path_figure(PATH, width)
    assert figure.get_size_inches()[0] == pytest.approx(width, abs=0.05)
    written = drawn_whole(figure)
    assert "✓ three or more" in written
    assert "How many data sets are there?" in written


def test_is_as_wide_as_the_paper() -> None:
    with on_paper("column"):
        assert decision_path_figure(PATH).get_figwidth() == pytest.approx(3.4, abs=0.15)
