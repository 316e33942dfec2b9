"""What IPython shows of values: what is printed, not a list of fields; inside lists their first lines."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from sklearn.naive_bayes import GaussianNB

from fairtrial.design import Question
from fairtrial.methods import Method
from fairtrial.notices import Notice
from fairtrial.shown import ShownAsText

pretty = pytest.importorskip("IPython.lib.pretty").pretty


@dataclass(frozen=True, slots=True)
class Pair(ShownAsText):
    a: int
    b: int

    def __str__(self) -> str:
        return f"a is {self.a}\nb is {self.b}"


class Named(Pair):
    __slots__ = ()

    def __repr__(self) -> str:
        return "Named()"


def test_is_shown_as_it_is_printed_though_the_dataclass_has_a_repr():
    assert pretty(Pair(1, 2)) == "a is 1\nb is 2"
    assert pretty(Named(1, 2)) == "a is 1\nb is 2"
    assert repr(Pair(1, 2)) == "Pair(a=1, b=2)"


def test_fields_that_have_their_defaults_are_left_out():
    question = Question("Which?", smallest_difference=0.01)
    assert pretty(question) == "Question(text='Which?', smallest_difference=0.01)"
    assert pretty([Method("nb", GaussianNB())]) == "[Method(name='nb', estimator=GaussianNB())]"
    assert "level=0.95" in repr(question)


def test_the_first_line_inside_a_list():
    assert pretty([Pair(1, 2), Pair(3, 4)]) == "[a is 1, a is 3]"
    assert pretty({"x": Pair(1, 2)}) == "{'x': a is 1}"
    assert pretty((Notice("odd data", severity="note"),)) == "(! odd data,)"
