"""Doors: what hints allow, in tests and in words, and that nothing else changes."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
import pandas as pd
import pytest

import fairtrial as ft
from fairtrial.doors import door, kind_of
from fairtrial.errors import InputError, UnknownName

FRAME = pd.DataFrame({"a": ["x"]})


class Options(TypedDict, total=False):
    size: Literal["small", "large"]


@door
def asked(*names: str, share: float = 0.5, **options: Unpack[Options]) -> str:
    return "".join(names) + options.get("size", "").upper() + f"{share / 1}"


@door
@dataclass(frozen=True)
class Made:
    name: str

    def __post_init__(self) -> None:
        self.name.upper()

    @classmethod
    def twice(cls, n: int) -> Made:
        return cls("a" * (n + 0))

    def _own(self, n: int) -> int:
        return n + 1


@pytest.mark.parametrize(
    ("hint", "words", "good", "bad"),
    [
        (str, "a text", ["a", np.str_("a")], [5, None, b"a", ["a"]]),
        (int | None, "a whole number or None", [1, np.int8(2), None], [1.5, "1", [1], np.array([1])]),
        (float, "a number", [1, 0.5, np.float32(2)], ["0.5", None, [0.5], 1j]),
        (bool, "True or False", [True, np.True_], [1, "yes", None]),
        (Literal["a", "b"] | None, "a text or None", ["a", "z", None], [3]),
        (Sequence[str], "a list of texts", [["a"], ("a",), []], ["a", 3, [3], iter("a"), FRAME, None]),
        (Iterable[Any], "a list", [[3], {}, iter([3])], ["a", 3]),
        (Mapping[str, list[int]], "a mapping of texts to lists", [{"a": [1]}, {}], [[("a", [1])], {1: [1]}, {"a": 1}]),
        (Callable[[int], int], "a function", [len], ["len"]),
        (Path | str, "a Path or a text", [Path("a"), "a"], [3]),
    ],
)  # fmt: skip
def test_what_a_hint_allows(hint, words, good, bad):
    kind = kind_of(hint)
    assert kind.one == words
    assert [value for value in good if not kind.fits(value)] == []
    assert [value for value in bad if kind.fits(value)] == []


@pytest.mark.parametrize("hint", [Any, object, str | Any, "unknown", np.typing.ArrayLike])
def test_anything(hint):
    assert kind_of(hint) is None


class TestDoor:
    @pytest.mark.parametrize(
        ("call", "said"),
        [
            (lambda: asked(3), "names must be a text, got 3"),
            (lambda: asked("a", "b", share="x"), "share must be a number, got 'x'"),
            (lambda: asked(size=3), "size must be a text, got 3"),
            (lambda: Made(3), "name must be a text, got 3"),
            (lambda: Made.twice(FRAME), "n must be a whole number, got a DataFrame of 1 row and 1 column"),
        ],
    )
    def test_says_what_was_wrong(self, call, said):
        with pytest.raises(InputError) as error:
            call()
        assert str(error.value) == said
        assert error.value.__cause__ is not None, "what went wrong inside is kept"

    def test_our_own_words_come_first(self):
        @door
        def find(name: str) -> None:
            raise UnknownName("no such name")

        with pytest.raises(UnknownName, match="no such name"):
            find(5)

    def test_an_error_with_right_arguments_stays(self):
        with pytest.raises(ZeroDivisionError):
            door(lambda n: 1 / n)(0)

    def test_what_works_is_not_looked_at(self):
        assert asked("a", share=np.float64(1), size="x") == "aX1.0"
        assert Made("a")._own(1) == 2

    def test_looks_like_what_it_guards(self):
        assert str(inspect.signature(Made.twice)) == "(n: 'int') -> 'Made'"
        assert "options" in inspect.signature(asked).parameters
        assert pickle.loads(pickle.dumps(ft.read_scores)) is ft.read_scores


def test_every_public_name_is_a_door():
    """All that people call: the functions and classes of the package itself."""
    open_doors = {"FairtrialError", "HeldBack", "InputError", "StudyFileError", "UnknownName"}
    for name in sorted(set(ft.__all__) - open_doors):
        thing = getattr(ft, name)
        if not inspect.ismodule(thing):
            function = thing.__init__ if isinstance(thing, type) else thing
            assert hasattr(function, "__wrapped__"), f"{name} is not a door"
