"""Slotted dataclasses that are sent by their fields."""

import copy
import pickle
from dataclasses import dataclass

from fairtrial.slotted import sent_by_fields


@sent_by_fields
@dataclass(frozen=True, slots=True)
class Several:
    first: int
    second: str = "b"
    third: tuple[int, ...] = ()


@sent_by_fields
@dataclass(frozen=True, slots=True)
class Single:
    only: tuple[int, ...]


class TestSentByFields:
    def test_all_fields_in_their_order(self):
        assert Several(1, third=(2, 3)).__reduce__() == (Several, (1, "b", (2, 3)))

    def test_one_field_that_is_a_tuple(self):
        assert Single((1, 2)).__reduce__() == (Single, ((1, 2),))

    def test_comes_back_whole(self):
        for thing in (Several(1, "x", (4,)), Single(())):
            assert copy.copy(thing) == thing
            assert pickle.loads(pickle.dumps(thing)) == thing
